"""Where a transcript may be cut (format page 1.5, 1.6 and 1.9)."""

from collections.abc import Iterator
from typing import Final

from inspector.columns import NEVER
from inspector.formats.claude.planning.branch import Branch
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.calls import answered_by
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    MESSAGE,
    NONE,
    RESULT,
    SIDE,
)
from inspector.formats.cutting import (
    CALL_WITHOUT_RESULT,
    WITHIN_COMPACTION,
    WITHIN_MESSAGE,
    within,
)
from inspector.formats.planning import OFF_BRANCH, Cuts, PlanKind, Stop
from inspector.formats.shapes import mapping, text
from inspector.timeline.words import SpanKind

ELSEWHERE: Final = Stop(
    OFF_BRANCH,
    "the record before it is not on the branch that Claude Code goes on with",
    "the record before it is on the branch that Claude Code goes on with",
)
"""The owner offers the prompts of that branch alone; a fork may be of any."""

_STEPS: Final = 64
"""Records above a line among which the one before it of the same message is looked for."""


def cuts(material: Material, kind: PlanKind) -> Cuts:
    """Where a transcript may be cut for a fork or a rewind."""
    stops = [
        (WITHIN_MESSAGE, _within_messages(material)),
        (CALL_WITHOUT_RESULT, _unanswered(material)),
        (WITHIN_COMPACTION, within(material.timeline, SpanKind.COMPACTION)),
    ]
    if kind is PlanKind.REWIND:
        stops.append((ELSEWHERE, _elsewhere(material)))
    return Cuts(material.head, stops)


def _unanswered(material: Material) -> Iterator[tuple[int, int]]:
    """The cursors between a call of the main line and its result, where the tape has both."""
    spans = material.timeline.spans[SpanKind.TOOL_CALL]
    for span in map(spans.__getitem__, range(len(spans))):
        if span.closed is None or material.flags(span.opened - 1) & SIDE:
            continue
        closing = span.closed - 1
        # One that nobody answers any more ends without a result.
        if material.flags(closing) & RESULT or answered_by(material.payload(closing)):
            yield span.opened, span.closed


def _within_messages(material: Material) -> Iterator[tuple[int, int]]:
    """The cursors between two lines of one message, of which one hangs below the other."""
    last: dict[int | str, int] = {}
    base: dict[int | str, int | None] = {}
    for event in range(material.head):
        flags = material.flags(event)
        if not flags & ASSISTANT or flags & SIDE:
            continue
        message = _message(material, event)
        if message is None:
            continue
        above = material.above(event)
        before = last.get(message)
        if before is not None and (above == base[message] or _hangs_on(material, event, before)):
            yield before + 1, event + 1
        else:
            base[message] = above
        last[message] = event


def _message(material: Material, event: int) -> int | str | None:
    """What tells the message of the API that a line is of."""
    branch = material.decoder.branch
    if isinstance(branch, LiveBranch) and branch.batches is not None:
        number = branch.batches.message[material.entry(event)]
        return None if number == NONE else number
    return text(mapping(material.payload(event).get("message")).get("id")) or None


def _hangs_on(material: Material, event: int, wanted: int) -> bool:
    above = material.above(event)
    for _ in range(_STEPS):
        if above is None or above <= wanted:
            return above == wanted
        above = material.above(above)
    return False


def _elsewhere(material: Material) -> Iterator[tuple[int, int]]:
    """The cursors behind messages of the main line on which the head does not hang."""
    rows = material.origins(material.rows(material.head))
    on = Branch(material, material.head, rows).on
    start: int | None = None
    for event in range(material.head):
        # What is no such message changes nothing: the cut is that before it.
        if material.flags(event) & (MESSAGE | SIDE) != MESSAGE:
            continue
        if not on[event]:
            start = event + 1 if start is None else start
        elif start is not None:
            yield start, event + 1
            start = None
    if start is not None:
        yield start, NEVER
