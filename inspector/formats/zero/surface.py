"""What stands on the surface: the rehydrated events (format page 5, RULES C).

Every event that can stand there makes one node, in the order of the file, so a node's number tells
its place among the others. What the last compaction covers is left out, and its own node stands
where the first of that stood: the surface is the order of the file without some *hidden* stretches
and with one node moved. Only the difference is told when another compaction counts.
"""

from bisect import bisect_left

from inspector.formats.zero.compaction import Compaction
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.rehydration import coverage
from inspector.formats.zero.stretches import (
    Stretches,
    holds,
    joined,
    next_outside,
    within,
    without,
)
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Reason, Role

Shape = tuple[Role, Kind, int]
"""What node an event makes: who speaks, what it is, and its estimated tokens."""


class _Cover:
    """The compaction that counts, and what it goes on to cover.

    Attributes:
        event: its position.
        node: its node.
        place: it stands before the nodes from this one on.
        placed: whether it covers an event, and so stands where the first one stood.
        id: its own id, under which nothing else stands (RULES 21).
        below: see `Surface`.
    """

    def __init__(
        self, event: int, node: int, place: int, identity: str, ids: Ids, through: int
    ) -> None:
        self.event = event
        self.node = node
        self.place = place
        self.placed = True
        self.id = identity
        self._ids = ids
        self._through = through
        self.below = max(Ids((identity,)).below, ids.below if ids else through + 1)

    def covers(self, identity: str, number: int) -> bool:
        """Whether it covers an event with this id and number, its own id left aside."""
        if self._ids:
            return identity in self._ids
        return self._through > 0 and number <= self._through

    def passed(self) -> Stretches:
        """The nodes between its place in the file and where it stands."""
        return [range(self.place, self.node), range(self.node + 1, self.place)]


class Surface:
    """Tells the builder of the nodes that an event makes, and of those that it hides.

    Args:
        builder: takes the effects of the event begun last.
        numbering: what the events before it are called.

    Attributes:
        below: an event under this number, or of another id than its number says, may be covered
            by the compaction that counts; one from this number on is not.
    """

    def __init__(self, builder: Builder, numbering: Numbering) -> None:
        self.below = 0
        self._builder = builder
        self._numbering = numbering
        self._nodes = builder.timeline.surface.nodes
        self._hidden: Stretches = []
        self._cover: _Cover | None = None

    @property
    def covered(self) -> bool:
        """Whether there is a compaction that counts."""
        return self._cover is not None

    # Events that are no compaction.

    def arrives(self, identity: str, number: int) -> bool:
        """An event stands behind the compaction that counts; whether it is left out too.

        It is if the compaction names it before it was written (its cutoff, a repeated id).
        """
        cover = self._cover
        if cover is None:
            return False
        if identity == cover.id:
            return True
        if not cover.covers(identity, number):
            return False
        if not cover.placed:
            cover.placed = True
            cover.place = len(self._nodes)
            self._builder.remove([cover.node], Reason.SUPERSEDED)
            self._builder.carry([cover.node], None)
        return True

    def hold(self, shape: Shape) -> None:
        """An event is left out from the beginning."""
        cause = None if self._cover is None else self._cover.event
        node = self._builder.hold(*shape, reason=Reason.COMPACTED, cause=cause)
        # It is the last node of all.
        first = node
        if self._hidden and self._hidden[-1].stop == node:
            first = self._hidden.pop().start
        self._hidden.append(range(first, node + 1))

    def raw(self, reason: Reason) -> None:
        """No compaction counts any more: every event stands at its place again."""
        moves = self._moves([])
        if moves is not None:
            self._builder.remove([moves], reason)
        returning = self._returning([], moves)
        self._cover, self._hidden, self.below = None, [], 0
        self._bring_back(returning, 0, None)

    # Compactions.

    def compact(self, shape: Shape, identity: str, compaction: Compaction) -> bool:
        """A compaction counts from here on, and the one before does not any more.

        Returns:
            Whether it covers an event before it.
        """
        event = self._builder.event
        ids = Ids(compaction.ids)
        found = coverage(self._numbering, identity, ids, compaction, event)
        own, hidden = found.covered, self._nodes_of(found.hidden)
        # Where nothing is covered the compaction stands first.
        place = self._node_at(own[0].start) if own else 0
        moves = self._moves(hidden)
        leaving = without(hidden, self._hidden)
        node = self._enter(shape, self._standing_from(place, moves, hidden), leaving, own)
        if moves is not None:
            self._builder.remove([moves], Reason.SUPERSEDED)
        returning = self._returning(hidden, moves)
        self._hidden = hidden
        self._cover = _Cover(event, node, place, identity, ids, compaction.through)
        self._cover.placed = bool(own)
        self.below = self._cover.below
        self._bring_back(returning, place, node)
        return bool(own)

    def _enter(self, shape: Shape, before: int | None, leaving: Stretches, own: Stretches) -> int:
        """The node of a compaction enters before another, and what it hides leaves."""
        builder = self._builder
        details: NodeDetails = {"sources": own}
        if before is None:
            node = builder.append(*shape, details)
        else:
            node = builder.insert(before, *shape, details)
        for nodes in leaving:
            builder.remove(nodes, Reason.COMPACTED)
        if leaving:
            builder.replaced()
        return node

    # What comes back where another compaction counts, or none.

    def _moves(self, hidden: Stretches) -> int | None:
        """The node of the compaction that counted, if it goes back to its place in the file.

        Args:
            hidden: what is hidden from now on.
        """
        cover = self._cover
        if cover is None or holds(hidden, cover.node):
            return None
        stay = without(without(joined(cover.passed()), self._hidden), hidden)
        return cover.node if stay else None

    def _returning(self, hidden: Stretches, moves: int | None) -> Stretches:
        found = without(self._hidden, hidden)
        return found if moves is None else joined([*found, range(moves, moves + 1)])

    def _bring_back(self, returning: Stretches, place: int, node: int | None) -> None:
        """Nodes stand at their place in the file again.

        Args:
            returning: which.
            place: the compaction that counts stands before the nodes from this one on.
            node: its own, or None.
        """
        parts = [*within(returning, 0, place), *within(returning, place, len(self._nodes))]
        for part in reversed(parts):
            before: int | None = next_outside(self._hidden, part.stop)
            if before is not None and part.stop <= place <= before:
                before = node
            elif before == node or before == len(self._nodes):
                before = None
            self._builder.carry(part, before)

    # Nodes and positions.

    def _node_at(self, position: int) -> int:
        """The first node of an event from this position on."""
        return bisect_left(self._nodes.born, position + 1)

    def _nodes_of(self, positions: Stretches) -> Stretches:
        return joined(
            range(self._node_at(stretch.start), self._node_at(stretch.stop))
            for stretch in positions
        )

    def _standing_from(self, node: int, moves: int | None, hidden: Stretches) -> int | None:
        """The first node from this one on that is there, and that the new one may stand before.

        The compaction that counted until now is passed over if it goes; if it stays nothing that
        does stands between it and its place in the file, and what stands there now is passed over.
        """
        away = self._hidden
        if (cover := self._cover) is not None:
            goes = moves is not None or holds(hidden, cover.node)
            passed = [range(cover.node, cover.node + 1)] if goes else cover.passed()
            away = joined([*away, *passed])
        node = next_outside(away, node)
        return node if node < len(self._nodes) else None
