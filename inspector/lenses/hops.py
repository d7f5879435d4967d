"""What became of an event: its stays on the surface, and what came to stand there for it."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from inspector.timeline.nodes import NodeTable
from inspector.timeline.surface import Stay
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Reason, Role


class Later(NamedTuple):
    """How an event that left before is hidden from cursor ``since`` on: why, and by which event."""

    since: int
    reason: Reason
    by: int


class Hop(NamedTuple):
    """A stay of an event in one form, from cursor ``born`` until just before ``gone``.

    ``gone``, ``reason`` and ``by``, the position of the event that hid it or gave it another form,
    are None while it lasts. ``later`` is of the last stay where the event is hidden otherwise by
    now than it left: by what came on its branch while that was left, or as what hid it is undone.
    """

    event: int
    born: int
    gone: int | None
    reason: Reason | None
    by: int | None
    form: Form = Form.FULL
    later: Later | None = None


_STOOD_FOR: Final = frozenset((Reason.COMPACTED, Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED))
"""Why a row leaves of which something else then tells; what is rewound is told by nothing."""

_NEAR: Final = 8
"""Nodes behind a departure that are looked at for the summary that tells of it."""

_IN_PLACE: Final = _STOOD_FOR - {Reason.COMPACTED}
"""Why a row leaves for another form of itself."""


def stays_of(timeline: Timeline, event: int, cursor: int) -> list[Hop]:
    """The stays of an event up to a cursor, in order: it is there while any of its nodes is.

    Where it takes another form, or one of its nodes is replaced where it stands, one stay ends and
    the next begins. The form is that of the node made last, as `Surface.visibility` has it.
    """
    surface = timeline.surface
    stays = [
        stay for node in surface.nodes.all_of_event(event) for stay in surface.stays(node, cursor)
    ]
    born: dict[int, list[Stay]] = {}
    gone: dict[int, list[Stay]] = {}
    for stay in stays:
        born.setdefault(stay.born, []).append(stay)
        if stay.gone is not None:
            gone.setdefault(stay.gone, []).append(stay)
    found: list[Hop] = []
    there: dict[int, Stay] = {}
    for at in sorted({*born, *gone}):
        shown = max(there, default=None)
        ended, begun = gone.get(at, ()), born.get(at, ())
        for stay in ended:
            del there[stay.node]
        there.update((stay.node, stay) for stay in begun)
        form = surface.nodes.form(max(there)) if there else None
        if shown is not None:
            if form is not None and not _changes(surface.nodes, found[-1], form, ended, begun):
                continue
            left = _leading(ended, shown, goes_on=form is not None)
            found[-1] = found[-1]._replace(gone=at, reason=left.reason, by=left.by)
        if form is not None:
            found.append(Hop(event, at, None, None, None, form))
    return found


def _changes(
    nodes: NodeTable, hop: Hop, form: Form, ended: Collection[Stay], begun: Collection[Stay]
) -> bool:
    """Whether an event that goes on to be there is there in another way."""
    if not ended:
        return False
    if form is not hop.form:
        return True
    parts = {nodes.part(stay.node) for stay in begun}
    return any(stay.reason in _IN_PLACE and nodes.part(stay.node) in parts for stay in ended)


def _leading(ended: Collection[Stay], shown: int, *, goes_on: bool) -> Stay:
    """Of the stays that end together the one that tells why: that of the node that was shown, or
    of one that was replaced if the event goes on to be there.
    """
    return min(
        ended, key=lambda stay: (goes_on and stay.reason not in _IN_PLACE, stay.node != shown)
    )


def hops(timeline: Timeline, event: int, cursor: int) -> list[Hop]:
    """The stays of an event, then those of what stood for it, and so on to what is there now.

    Where what stood for it left with nothing in its place, and another event hides it by now, that
    one comes behind.
    """
    chain: list[Hop] = []
    known: set[int] = set()
    waiting = [event]
    while waiting:
        here = waiting.pop()
        if here in known:
            continue
        known.add(here)
        stays = stays_of(timeline, here, cursor)
        if not stays:
            continue
        left = stays[-1] = _as_it_is(timeline, stays[-1], cursor)
        chain += stays
        if left.gone is None:
            break
        ends = (_stands_by_now(timeline, left, cursor), successor(timeline, left, cursor))
        waiting += [end for end in ends if end is not None]
    return chain


def _as_it_is(timeline: Timeline, hop: Hop, cursor: int) -> Hop:
    """The last stay of an event, with how that is hidden by now where that is not how it left."""
    if hop.gone is None:
        return hop
    found = timeline.surface.hidden_since(hop.event, cursor)
    if found is None:
        return hop
    since, (_, reason, by) = found
    if since == hop.gone:
        return hop._replace(reason=reason, by=by)
    is_same = (reason, by) == (hop.reason, hop.by)
    return hop if is_same else hop._replace(later=Later(since, reason, by))


def _stands_by_now(timeline: Timeline, hop: Hop, cursor: int) -> int | None:
    """The event that stands for one that is hidden otherwise by now than it left, or None."""
    if hop.later is None:
        return None
    since, reason, by = hop.later
    return successor(timeline, hop._replace(gone=since, reason=reason, by=by), cursor)


def successor(timeline: Timeline, hop: Hop, cursor: int) -> int | None:
    """The event that stands for one that left: what was made of it, or else what hid it.

    None if it is there still, or if nothing tells of it.
    """
    if hop.gone is None or hop.by is None or hop.reason not in _STOOD_FOR:
        return None
    if hop.reason is Reason.COMPACTED:
        made = _summary_of(timeline, hop.event, hop.gone, cursor)
        if made is not None:
            return made
    return hop.by if hop.by != hop.event and made_any(timeline, hop.by) else None


def _summary_of(timeline: Timeline, event: int, since: int, cursor: int) -> int | None:
    """The event of the first summary from a cursor on that was made of an event."""
    nodes = timeline.surface.nodes

    def first(made_of_it: Iterable[int]) -> int | None:
        return next(
            (
                origin
                for node in made_of_it
                if nodes.role(node) is Role.SUMMARY
                and nodes.born[node] >= since
                and (origin := nodes.origin(node)) != event
            ),
            None,
        )

    # It nearly always stands where the event left, and to look through all nodes is dear.
    start = bisect_left(nodes.born, since)
    near = range(start, min(start + _NEAR, bisect_right(nodes.born, cursor)))
    found = first(
        node for node in near if nodes.role(node) is Role.SUMMARY and event in nodes.sources(node)
    )
    return first(nodes.citing(event, cursor)) if found is None else found


def made_any(timeline: Timeline, event: int) -> bool:
    """Whether an event made a node."""
    return timeline.surface.nodes.of_event(event) is not None
