"""The model requests that a tape tells of, and the surface that each was made of."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector.lenses.hops import Hop
from inspector.timeline.marks import Usage
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Role


class Request(NamedTuple):
    """One request to the model.

    Attributes:
        event: the position of the event that first reported what it cost.
        cursor: at which its context stood: just before the first row of its answer.
        usage: as reported so far, by the event that did so last.
    """

    event: int
    cursor: int
    usage: Usage


def requests(timeline: Timeline, cursor: int) -> list[Request]:
    """Every request whose usage is reported up to a cursor, in the order reported."""
    found: list[Request] = []
    earliest = 0
    for event, usage in timeline.usage.first_reported(cursor):
        found.append(Request(event, context_of(timeline, event, earliest), usage))
        earliest = event + 1
    return found


def context_of(timeline: Timeline, event: int, earliest: int) -> int:
    """The cursor before the answer that an event reports the usage of.

    Args:
        timeline: folded beyond the event.
        event: the one that first reports a request.
        earliest: just after the one that first reported the request before, 0 for none.

    The rows that end the stretch since the report before are the answer's: the assistant's, and
    behind them perhaps results that were there before the report.
    """
    nodes = timeline.surface.nodes
    node = bisect_right(nodes.born, event + 1) - 1
    cursor = event
    answer = False
    while node >= 0 and nodes.born[node] > earliest:
        role = nodes.role(node)
        if role is Role.ASSISTANT:
            answer = True
            cursor = nodes.born[node] - 1
        elif answer or role is not Role.TOOL:
            break
        node -= 1
    return cursor


def seen_in(cursors: Sequence[int], hops: Sequence[Hop]) -> int:
    """In how many requests a row was seen.

    Args:
        cursors: those of the requests, in order.
        hops: the row's stays.
    """
    return sum(stop - start for start, stop in _within(cursors, hops))


def _within(cursors: Sequence[int], hops: Sequence[Hop]) -> Iterator[tuple[int, int]]:
    for hop in hops:
        start = bisect_left(cursors, hop.born)
        yield (
            start,
            len(cursors) if hop.gone is None else max(start, bisect_left(cursors, hop.gone)),
        )
