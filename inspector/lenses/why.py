"""Why the model can see an event at a cursor, or cannot."""

from dataclasses import dataclass

from inspector.lenses.hops import Hop, hops
from inspector.lenses.requests import requests, seen_in
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Reason, Visibility


@dataclass(frozen=True, slots=True)
class Why:
    """What became of an event up to a cursor.

    Attributes:
        event: its position.
        cursor: as of which this is told.
        visibility: what became of it.
        by: the position of the event that hid it, gave it another form, or stopped the fold before
            it; or None.
        chain: its stays on the surface, then those of what came to stand for it, in order.
        seen_in: in how many requests it was on the surface itself.
        seen: in how many requests each stay of the chain was on the surface.
        now: the position of what stands for it at the cursor, itself included; None if nothing.
        built_from: the positions that it names as its sources, its call included.
        cited_by: the positions of what names it as a source, its result included.
        hides: the positions of the events whose rows it hides or gave another form, each once, and
            why.
    """

    event: int
    cursor: int
    visibility: Visibility
    by: int | None
    chain: tuple[Hop, ...]
    seen_in: int
    seen: tuple[int, ...]
    now: int | None
    built_from: tuple[int, ...]
    cited_by: tuple[int, ...]
    hides: tuple[tuple[int, Reason], ...] = ()


def why(timeline: Timeline, event: int, cursor: int) -> Why:
    """Why an event can be seen at a cursor, or cannot.

    Args:
        timeline: folded at least up to the cursor.
        event: its position; one behind the cursor is not there yet.
        cursor: 0 to the head.
    """
    visibility, by = timeline.visibility(event, cursor)
    stopped = timeline.stopped_at
    if visibility is Visibility.NOT_APPLIED and stopped is not None and stopped < event:
        by = stopped
    chain = tuple(hops(timeline, event, cursor)) if event < cursor else ()
    cursors = [request.cursor for request in requests(timeline, cursor)]
    own = [hop for hop in chain if hop.event == event]
    last = chain[-1] if chain else None
    return Why(
        event,
        cursor,
        visibility,
        by,
        chain,
        seen_in(cursors, own),
        tuple(seen_in(cursors, [hop]) for hop in chain),
        last.event if last is not None and last.gone is None else None,
        built_from(timeline, event, cursor),
        cited_by(timeline, event, cursor),
        hides(timeline, event, cursor) if event < cursor else (),
    )


def hides(timeline: Timeline, event: int, cursor: int) -> tuple[tuple[int, Reason], ...]:
    """The events whose rows an event hides at a cursor, or shows in another form, and why."""
    origin = timeline.surface.nodes.origin
    found: dict[int, Reason] = {}
    for departure in timeline.hides(event, cursor):
        if departure.by == event:
            found.setdefault(origin(departure.node), departure.reason)
    found.pop(event, None)
    return tuple(sorted(found.items()))


def built_from(timeline: Timeline, event: int, cursor: int) -> tuple[int, ...]:
    """The positions of what an event was made from: its sources, and the call that it answers.

    As of a cursor before the event, what it was made from when it came.
    """
    nodes, at = timeline.surface.nodes, max(cursor, event + 1)
    found = dict.fromkeys(
        source
        for node in nodes.all_of_event(event)
        if nodes.born[node] <= at
        for source in nodes.sources(node)
    )
    call = timeline.pairs.call_of(event)
    if call is not None and call < at:
        found.setdefault(call)
    found.pop(event, None)
    return tuple(found)


def cited_by(timeline: Timeline, event: int, cursor: int) -> tuple[int, ...]:
    """The positions of what was made from an event up to a cursor, its result included."""
    nodes = timeline.surface.nodes
    found = dict.fromkeys(nodes.origin(node) for node in nodes.citing(event, cursor))
    result = timeline.pairs.result_of(event)
    if result is not None and result < cursor:
        found.setdefault(result)
    found.pop(event, None)
    return tuple(sorted(found))
