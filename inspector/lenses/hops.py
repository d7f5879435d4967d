"""What became of an event: its stays on the surface, and what came to stand there for it."""

from typing import Final, NamedTuple

from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Reason, Role


class Hop(NamedTuple):
    """A stay of an event, in whatever form, from cursor ``born`` until just before ``gone``.

    ``gone``, ``reason`` and ``by``, the position of the event that hid it, are None while it lasts.
    """

    event: int
    born: int
    gone: int | None
    reason: Reason | None
    by: int | None


_STOOD_FOR: Final = frozenset((Reason.COMPACTED, Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED))
"""Why a row leaves of which something else then tells; what is rewound is told by nothing."""


def stays_of(timeline: Timeline, event: int, cursor: int) -> list[Hop]:
    """The stays of an event up to a cursor, in order: it is there while any of its nodes is.

    A node that takes the place of another one of the same event continues its stay.
    """
    surface = timeline.surface
    stays = [
        stay for node in surface.nodes.all_of_event(event) for stay in surface.stays(node, cursor)
    ]
    stays.sort(key=lambda stay: stay.born)
    found: list[Hop] = []
    for stay in stays:
        last = found[-1] if found else None
        if last is None or (last.gone is not None and last.gone < stay.born):
            found.append(Hop(event, stay.born, stay.gone, stay.reason, stay.by))
        elif last.gone is not None and (stay.gone is None or stay.gone > last.gone):
            found[-1] = Hop(event, last.born, stay.gone, stay.reason, stay.by)
    return found


def hops(timeline: Timeline, event: int, cursor: int) -> list[Hop]:
    """The stays of an event, then those of what stood for it, and so on to what is there now."""
    chain: list[Hop] = []
    known: set[int] = set()
    here: int | None = event
    while here is not None and here not in known:
        known.add(here)
        stays = stays_of(timeline, here, cursor)
        chain += stays
        here = successor(timeline, stays[-1], cursor) if stays else None
    return chain


def successor(timeline: Timeline, hop: Hop, cursor: int) -> int | None:
    """The event that stands for one that left: what was made of it, or else what hid it.

    None if it is there still, or if nothing tells of it.
    """
    if hop.gone is None or hop.by is None or hop.reason not in _STOOD_FOR:
        return None
    nodes = timeline.surface.nodes
    if hop.reason is Reason.COMPACTED:
        made = next(
            (
                origin
                for node in nodes.citing(hop.event, cursor)
                if nodes.role(node) is Role.SUMMARY
                and nodes.born[node] >= hop.gone
                and (origin := nodes.origin(node)) != hop.event
            ),
            None,
        )
        if made is not None:
            return made
    return hop.by if hop.by != hop.event and made_any(timeline, hop.by) else None


def made_any(timeline: Timeline, event: int) -> bool:
    """Whether an event made a node."""
    return timeline.surface.nodes.of_event(event) is not None
