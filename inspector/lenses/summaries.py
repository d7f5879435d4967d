"""Which events brought a summary: their message took the place of others."""

from bisect import bisect_left

from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role


def summaries(timeline: Timeline, cursor: int) -> list[int]:
    """The events whose message took the place of others as a summary, up to a cursor."""
    return [
        event for event in timeline.replacing(cursor) if summary_node(timeline, event) is not None
    ]


def summarised_within(timeline: Timeline, start: int, stop: int) -> bool:
    """Whether an event with ``start <= position < stop`` brought a summary."""
    first, last = (bisect_left(timeline.replacements, place) for place in (start, stop))
    return any(
        summary_node(timeline, timeline.replacements[at]) is not None for at in range(first, last)
    )


def summary_node(timeline: Timeline, event: int) -> int | None:
    """The node of the summary that an event brought, or None."""
    nodes = timeline.surface.nodes
    return next(
        (
            node
            for node in nodes.all_of_event(event)
            if nodes.role(node) is Role.SUMMARY or nodes.kind(node) is Kind.SUMMARY
        ),
        None,
    )
