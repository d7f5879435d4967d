"""What is asked before a plan is carried out, and before a deed is taken back. Pure."""

from collections.abc import Sequence
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
from inspector.plans.plan import Plan
from inspector.text.labels import count
from inspector.ui.deeds.question import Question


def to_apply(tape: Tape, plan: Plan, world: World) -> Question | str:
    """What is asked before a plan is carried out; why it cannot be, where it cannot."""
    broken = [check.message for check in plan.checks if check.blocks and not check.ok]
    if broken:
        return f"not to be applied: {'; '.join(broken)}"
    if not plan.writes:
        return "it writes nothing: there is nothing to apply"

    def act(stopped: bool) -> Sequence[str]:
        return list(deed_text.done(carry_out(tape, plan, world, writer_stopped=stopped)))

    appends = plan.how is How.APPEND
    short = deed_text.named(plan.making.id)
    return Question(
        f"APPLY {plan.kind.value} plan {short}",
        (
            deed_text.will_do(plan),
            *(f"{write.how.value}  {write.to}" for write, _ in plan.writes),
            _way_back(plan),
            "the tape is looked at once more before, and the result is read again behind",
        ),
        "A",
        "apply",
        act,
        plan.owner if appends else "",
    )


def _way_back(plan: Plan) -> str:
    if plan.how is How.APPEND:
        return (
            "no backup is needed: nothing before its end changes, and undo makes a new tape of it"
        )
    return "undo later with Z, or inspector undo with the saved plan"


def to_undo(deed: Deed, world: World) -> Question | str:
    """What is asked before a deed is taken back; why it cannot be, where it cannot."""
    try:
        if undoing.way_back(deed) is not None:
            at = count(deed.events)
            return f"what was appended stays; inspector undo makes a new tape that ends at {at}"
    except ApplyError as error:
        return str(error)

    def act(_stopped: bool) -> Sequence[str]:
        return list(deed_text.gone(undoing.undo(deed, world)))

    return Question(
        f"UNDO {deed.kind} {deed_text.named(deed.id)}",
        (*deed_text.would_go(deed), "what nobody wrote to since goes to the trash of the journal"),
        "Z",
        "undo",
        act,
    )


def last_of(deeds: Sequence[Deed], path: Path, exists: Exists) -> Deed | None:
    """The last deed that made a tape or was done to it, and stands; None if there is none."""
    for deed in reversed(deeds):
        concerned = [deed.path, *(made.path for made in deed.made)]
        stands = deed.state is State.BEGUN or all(exists(made.path) for made in deed.made)
        if deed.state is not State.UNDONE and stands and path.absolute() in concerned:
            return deed
    return None
