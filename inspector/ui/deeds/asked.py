"""What is asked before a plan is carried out, and before a deed is taken back. Pure."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector.applying import undoing
from inspector.applying.carrying import carry_out
from inspector.applying.journal import Deed, State
from inspector.applying.refusal import ApplyError
from inspector.applying.world import World
from inspector.export import deed_text
from inspector.formats.contract import Tape
from inspector.formats.planning import How
from inspector.plans.checking import Exists
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan
from inspector.plans.rewinding import rewound
from inspector.text.labels import count
from inspector.ui.deeds.question import Question


def to_apply(tape: Tape, found: Plan, world: World) -> Question | str:
    """What is asked before a plan is carried out; why it cannot be, where it cannot."""
    broken = [check.message for check in found.broken]
    if broken:
        return f"not to be applied: {'; '.join(broken)}"
    if not found.writes:
        return "it writes nothing: there is nothing to apply"

    def act(stopped: bool) -> Sequence[str]:
        return list(deed_text.done(carry_out(tape, found, world, writer_stopped=stopped)))

    appends = found.how is How.APPEND
    short = deed_text.named(found.making.id)
    return Question(
        f"APPLY {found.kind.value} plan {short}",
        (
            deed_text.will_do(found),
            *(f"{write.how.value}  {write.to}" for write, _ in found.writes),
            _way_back(found),
            "the tape is looked at once more before, and the result is read again behind",
        ),
        "A",
        "apply",
        act,
        found.owner if appends else "",
    )


def _way_back(found: Plan) -> str:
    if found.how is How.APPEND:
        return (
            "no backup is needed: nothing before its end changes, and undo makes a new tape of it"
        )
    return "undo later with Z, or inspector undo with the saved plan"


def to_undo(tape: Tape, deed: Deed, world: World) -> Question | str:
    """What is asked before a deed is taken back; why it cannot be, where it cannot.

    Args:
        tape: which is open, folded to its head.
        deed: which made it, or was done to it.
        world: where.
    """
    try:
        back = undoing.way_back(deed)
    except ApplyError as error:
        return str(error)
    title = f"UNDO {deed.kind} {deed_text.named(deed.id)}"
    if back is not None:
        return _to_go_back(tape, deed, back, world, title)

    def act(_stopped: bool) -> Sequence[str]:
        return list(deed_text.gone(undoing.undo(deed, world)))

    return Question(
        title,
        (*deed_text.would_go(deed), "what nobody wrote to since goes to the trash of the journal"),
        "Z",
        "undo",
        act,
    )


def _to_go_back(tape: Tape, deed: Deed, back: Asked, world: World, title: str) -> Question:
    """What is asked before a tape is made that ends where another one did."""

    def act(_stopped: bool) -> Sequence[str]:
        found = plan(tape, back, undoing.going_back(deed), os.path.lexists)
        made = carry_out(tape, found, world, back=True)
        world.journal.put(replace(deed, state=State.UNDONE))
        return list(deed_text.done(made))

    def more() -> Sequence[str]:
        making = undoing.going_back(deed)
        found = plan(tape, back, making, os.path.lexists)
        instead = rewound(tape, deed.events, making, os.path.lexists)
        return list(deed_text.said_of(found, instead))

    return Question(
        title,
        (
            deed_text.STAYS,
            f"makes a new tape that ends at {count(deed.events)}, where the tape ended",
        ),
        "Z",
        "undo",
        act,
        more=more,
    )


def last_of(deeds: Sequence[Deed], path: Path, exists: Exists) -> Deed | None:
    """The last deed that made a tape or was done to it, and stands; None if there is none."""
    for deed in reversed(deeds):
        concerned = [deed.path, *(made.path for made in deed.made)]
        stands = deed.state is State.BEGUN or all(exists(made.path) for made in deed.made)
        if deed.state is not State.UNDONE and stands and path.absolute() in concerned:
            return deed
    return None
