"""Where the spans of a timeline forbid a cut, for formats that have the rules in common."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from inspector.columns import NEVER
from inspector.formats.planning import (
    IN_COMPACTION,
    NOT_A_BOUNDARY,
    OPEN_TURN,
    UNANSWERED,
    UNSETTLED,
    Stop,
)
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
WITHIN_MESSAGE: Final = Stop(
    NOT_A_BOUNDARY,
    "a message of the API has more lines behind it",
    "no message of the API is cut in two",
)
_COULD_ASK: Final = "the owner could make a request there"
HALF_WRITTEN: Final = Stop(UNSETTLED, "one write of the owner is half done there", _COULD_ASK)
WAITING: Final = Stop(
    UNSETTLED, "a call has no result there, and the owner waits for it", _COULD_ASK
)
ANSWERING: Final = Stop(UNSETTLED, WITHIN_MESSAGE.why, _COULD_ASK)


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


def settling(
    timeline: Timeline, waiting: Iterable[tuple[int, int]] | None = None
) -> tuple[tuple[Stop, list[tuple[int, int]]], ...]:
    """Why the owner could make no request: a result is waited for, or else a write is half done.

    Args:
        timeline: of the tape.
        waiting: the cursors at which a result is waited for, if one is at all; those at which a
            call is open unless told.

    Returns:
        The two rules, each with the cursors at which it forbids a request.
    """
    waits: list[tuple[int, int]] = []
    half: list[tuple[int, int]] = []
    calls = _joined(within(timeline, SpanKind.TOOL_CALL) if waiting is None else waiting)
    for start, stop in unsettled(timeline):
        at = start
        for first, last in calls[max(0, bisect_right(calls, (start, NEVER)) - 1) :]:
            if first >= stop:
                break
            if last > at:
                half.append((at, first))
                at = min(stop, last)
                waits.append((max(start, first), at))
        half.append((at, stop))
    return (WAITING, waits), (HALF_WRITTEN, half)


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, stop in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], stop)
        else:
            found.append((start, stop))
    return found
