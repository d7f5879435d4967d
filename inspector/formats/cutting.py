"""Where the spans of a timeline forbid a cut, for formats that have the rules in common."""

from collections.abc import Iterator
from typing import Final

from inspector.columns import NEVER
from inspector.formats.planning import IN_COMPACTION, OPEN_TURN, UNANSWERED, UNSETTLED, Stop
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

WITHIN_TURN: Final = Stop(OPEN_TURN, "a turn is open there", "no turn is open")
CALL_WITHOUT_RESULT: Final = Stop(
    UNANSWERED,
    "a call stands there without the result, or the end of its turn, that it has later",
    "no call is cut from its result",
)
WITHIN_COMPACTION: Final = Stop(
    IN_COMPACTION, "a compaction is half written there", "no compaction is cut in two"
)
HALF_WRITTEN: Final = Stop(
    UNSETTLED, "one write of the owner is half done there", "the owner could make a request there"
)


def within(
    timeline: Timeline, kind: SpanKind, *, ended_only: bool = False
) -> Iterator[tuple[int, int]]:
    """The cursors at which an interval of a kind is open, as ranges without their ends.

    Args:
        timeline: of which.
        kind: of the intervals.
        ended_only: whether those are left out that the tape never ends.
    """
    spans = timeline.spans[kind]
    for span in map(spans.__getitem__, range(len(spans))):
        if span.closed is not None:
            yield span.opened, span.closed
        elif not ended_only:
            yield span.opened, NEVER


def unanswered(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors between a call and its result, or the end that it has without one."""
    return within(timeline, SpanKind.TOOL_CALL, ended_only=True)


def unsettled(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors at which the owner could make no request."""
    for start, stop in timeline.settled.unsettled():
        yield start, NEVER if stop is None else stop
