"""What would be wrong to tell of events, given the surface at a cursor."""

from collections.abc import Iterator
from typing import Final

from inspector.timeline.timeline import Timeline
from inspector.timeline.words import HIDDEN_BY_REASON, Form

HIDDEN: Final = frozenset(HIDDEN_BY_REASON.values())


def contradictions(timeline: Timeline, cursor: int) -> Iterator[str]:
    """Where the words and the surface do not agree, in words."""
    surface = timeline.surface
    nodes = surface.nodes
    rows = {row.node for row in timeline.rows(cursor)}
    standing = {nodes.origin(node) for node in rows}
    whole = {nodes.origin(node) for node in rows if nodes.form(node) is Form.FULL}
    for event in range(cursor):
        visibility, by = timeline.visibility(event, cursor)
        if event in whole and (visibility in HIDDEN or by is not None):
            yield f"#{event} is a row and {visibility.label} at {cursor}"
        if event in standing or visibility not in HIDDEN:
            continue
        if by is None or by >= cursor or timeline.is_rejected(by):
            yield f"#{event} is hidden by {by} at {cursor}"
        elif surface.undone.by(by, cursor) is not None:
            yield f"#{event} is hidden by #{by}, which is undone at {cursor}"
    for event in timeline.replacing(cursor):
        if not rows.isdisjoint(departure.node for departure in timeline.hides(event, cursor)):
            yield f"#{event} is told to hide a row at {cursor}"
