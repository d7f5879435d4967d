"""Whether a compaction still holds: what came behind it may have taken it back."""

from typing import Final, NamedTuple

from inspector.lenses.audit import hidden_by, summary_at
from inspector.lenses.summaries import summaries
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Reason


class Undone(NamedTuple):
    """A compaction that does not hold any more: since which cursor, why, and by which event."""

    since: int
    reason: Reason
    by: int


_TAKEN_BACK: Final = frozenset((Reason.REWOUND, Reason.RETRACTED, Reason.UNLINKED))
"""Why a summary left that stands for nothing any more."""

_REPLACED: Final = frozenset((Reason.CLEARED, Reason.SUPERSEDED))
"""Why one left, perhaps for another one; where that is none, what it hid may have come back."""


def undone(timeline: Timeline, event: int, cursor: int) -> Undone | None:
    """How a compaction was undone up to a cursor; None while it holds, or one that holds hides it.

    Args:
        timeline: folded at least up to the cursor.
        event: the event of its summary.
        cursor: behind it; as of one before it nothing is undone.
    """
    surface = timeline.surface
    known: set[int] = set()
    at = event
    # What hides a summary may be undone itself: one that still held would be there again.
    while at not in known and timeline.in_force(at) <= cursor:
        known.add(at)
        by = surface.undone.by(at, cursor)
        if by is not None:
            return Undone(by + 1, Reason.REWOUND, by)
        found = surface.hidden_since(at, cursor)
        if found is None:
            return None
        since, (_, reason, by) = found
        # A boundary of its own may stand before the summary that takes its place.
        following = summary_at(timeline, by)
        if reason in _TAKEN_BACK or (
            reason in _REPLACED and following is None and _came_back(timeline, at, cursor)
        ):
            return Undone(since, reason, by)
        if following is None:
            return None
        at = following
    return None


def _came_back(timeline: Timeline, event: int, cursor: int) -> bool:
    """Whether a compaction hid nothing, or something that is there again."""
    hidden = hidden_by(timeline, event)
    return not hidden or any(timeline.surface.is_there(node, cursor) for node in hidden)


def last_summary(timeline: Timeline, cursor: int) -> int | None:
    """The event of the last summary that holds at a cursor; of none that does, the last of all."""
    found = summaries(timeline, cursor)
    holding = (event for event in reversed(found) if undone(timeline, event, cursor) is None)
    return next(holding, found[-1] if found else None)
