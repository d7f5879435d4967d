"""A record of the tree as it arrives: what a branch needs to know of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Role


@dataclass(slots=True)
class Shape:
    """What a record is as a row of the surface."""

    role: Role
    kind: Kind
    tokens: int
    meta: bool = False


@dataclass(slots=True)
class Arrival:
    """A record that names its parent.

    Attributes:
        entry: its number in the tree, where it stands already.
        record: as it was read.
        shape: the row it makes, or None if it makes none.
        message: the number of the message of the API that it is a line of, or `NONE`.
        calls: the ids of the calls it makes.
        fresh: nobody bore or named its id before.
        again: the event in which it stood before; None if it did not.
        unchanged: it stood there before and says what it said then.
        sources: the events that it was made from, None for none.
        clears: it says that other rows are shown in another form.
    """

    entry: int
    record: dict[str, Any]
    shape: Shape | None
    message: int
    calls: list[str]
    fresh: bool
    again: int | None
    unchanged: bool = False
    sources: list[range] | None = None
    clears: bool = False


def details_of(arrival: Arrival, shape: Shape) -> NodeDetails | None:
    """What the node of a record says beside who speaks, what it is and what it weighs."""
    if not shape.meta and arrival.sources is None:
        return None
    details: NodeDetails = {}
    if shape.meta:
        details["meta"] = True
    if arrival.sources is not None:
        details["sources"] = arrival.sources
    return details


def hidden_by(builder: Builder, nodes: Iterable[int]) -> list[range]:
    """The events of nodes that left the surface, as ranges in the order of the tape."""
    table = builder.timeline.surface.nodes
    found: list[range] = []
    for event in sorted({table.origin(node) for node in nodes if not builder.is_live(node)}):
        if found and found[-1].stop == event:
            found[-1] = range(found[-1].start, event + 1)
        else:
            found.append(range(event, event + 1))
    return found
