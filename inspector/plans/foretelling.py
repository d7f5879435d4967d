"""What a surface says, apart from the tape that it is of: what a plan foretells, and what came."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector.formats.contract import Tape
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Compaction, Plan
from inspector.text.labels import plural


class Row(NamedTuple):
    """A row of a surface: role, kind and text."""

    role: str
    kind: str
    text: str


def told(tape: Tape, nodes: Sequence[int]) -> list[Row]:
    """What rows say, in order.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    table = tape.timeline.surface.nodes
    return [
        Row(table.role(node).label, table.kind(node).label, _text(tape, node)) for node in nodes
    ]


def at_head(tape: Tape) -> list[Row]:
    """What the model sees at the head of a folded tape.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return told(tape, tuple(row.node for row in tape.timeline.rows(tape.timeline.events)))


def _text(tape: Tape, node: int) -> str:
    shown = [
        section.text
        for section in tape.node_sections(node)
        if section.tone != "dim" and not section.remark
    ]
    return "\n".join(shown)


def unlike(tape: Tape, plan: Plan, made: Tape) -> Iterator[str]:
    """What of a tape that was made is not as its plan foretold, a sentence each.

    Args:
        tape: of which the plan is.
        plan: what was to be done.
        made: what came of it, folded to its head; the tape itself where it was appended to.

    Raises:
        SourceError: if one of them cannot be read any more.
    """
    found = at_head(made)
    if plan.view is not None:
        yield from differences(told(tape, plan.view.after), found)
    elif plan.compaction is not None:
        yield from _not_compacted(tape, plan.compaction, found)
    elif plan.kind is PlanKind.REPAIR:
        left = made.planner().repair(plan.making).closers
        if left:
            yield f"there is still something to mend: {left[0].what}"


def _not_compacted(tape: Tape, compaction: Compaction, found: Sequence[Row]) -> Iterator[str]:
    hidden = set(compaction.hides)
    rows = tape.timeline.rows(tape.timeline.events)
    kept = told(tape, [row.node for row in rows if row.node not in hidden])
    before = len(found) - len(kept)
    if before < 1:
        yield f"no row stands for the {len(hidden)} that are hidden"
    yield from differences(kept, found[max(0, before) :])


def differences(foretold: Sequence[Row], found: Sequence[Row]) -> Iterator[str]:
    """Where two surfaces are apart, a sentence each; the first place says enough."""
    if len(foretold) != len(found):
        rows = plural(len(foretold), "row was foretold", "rows were foretold")
        yield f"{rows}, and there are {len(found)}"
    for number, (one, other) in enumerate(zip(foretold, found, strict=False), 1):
        if not _is_same(one, other):
            yield f"row {number} is another: {other.role} {other.kind}"
            return


def _is_same(one: Row, other: Row) -> bool:
    """Whether rows say the same.

    What tells a summary from what a person says is a guess in formats whose compaction leaves no
    mark on the rows that it writes.
    """
    return _plain(one) == _plain(other)


def _plain(row: Row) -> Row:
    if (row.role, row.kind) == ("summary", "summary"):
        return Row("user", "message", row.text)
    return row
