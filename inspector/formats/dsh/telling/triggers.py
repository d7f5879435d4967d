"""What made DeepSeek Harness compact: as far as a bracket tells (format page 7.1)."""

from typing import Any, Final

from inspector.formats.compacting import CompactionRule
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

RULE: Final = CompactionRule(
    "80 % of the window",
    "thresholdRatio of compaction-basic",
    percent=80,
)
"""It compacts before a step whose prompt takes that much."""

SUMMARY: Final = "compaction/summary"
_NEAR: Final = 64
"""Events before a checkpoint among which its summary is looked for."""

MANUAL: Final = "manual"
OVERFLOW: Final = "context-overflow"


def bracket_around(timeline: Timeline, event: int) -> int | None:
    """The event that opened the compaction which an event is written in, or None."""
    spans = timeline.spans[SpanKind.COMPACTION]
    last = spans.last(event + 1)
    if last is None or spans.at(last, event).closed is not None:
        return None
    return spans.opened[last] - 1


def summary_between(timeline: Timeline, start: int, event: int) -> int | None:
    """The event that tells of the summary which a checkpoint brings, or None."""
    table = timeline.table
    return next(
        (at for at in range(event - 1, max(start, event - _NEAR), -1) if table.type(at) == SUMMARY),
        None,
    )


def recovers(timeline: Timeline, event: int) -> bool:
    """Whether an event is written while a request is repaired that did not fit."""
    spans = timeline.spans[SpanKind.OVERFLOW_RECOVERY]
    return next(spans.open_at(event + 1), None) is not None


def trigger(start: dict[str, Any], *, overflow: bool) -> str | None:
    """The owner's word for what made it compact.

    A compaction outside of any turn is asked for by a person. Of one inside a turn the bracket
    does not say whether it was the pressure: that stays untold.

    Args:
        start: the data of the event that opens the bracket.
        overflow: whether a request that did not fit is being repaired there.
    """
    if "turn" in start and start["turn"] is None:
        return MANUAL
    return OVERFLOW if overflow else None
