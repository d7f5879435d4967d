"""What stands on the surface: the rehydrated events (format page 5, RULES C).

Every event that can stand there makes one node, in the order of the file, so a node's number tells
its place among the others. What the last compaction covers is left out, and its own node stands
where the first of that stood: the surface is the order of the file without some *hidden* stretches
and with one node moved. Only the difference is told when another compaction counts.
"""

from bisect import bisect_left
from typing import Final

from inspector.formats.zero.compaction import Compaction
from inspector.formats.zero.cover import Cover
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.rehydration import coverage
from inspector.formats.zero.stretches import (
    Stretches,
    add,
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

_FEW: Final = 4
_PIECES: Final = 5_000
"""Pieces of the surface that compactions may hide and show again beyond a few each: so many, and
more for every event and for every id that they name. Where numbers alternate and cutoffs too, every
compaction would hide and show half of the session, one event at a time."""

_LOOKS: Final = 100_000
_LOOKS_PER_EVENT: Final = 16
"""Stretches that may be looked through for it: see `Numbering.looked`."""


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
        self._cover: Cover | None = None
        self._pieces = 0
        self._named = 0

    @property
    def covered(self) -> bool:
        """Whether there is a compaction that counts."""
        return self._cover is not None

    @property
    def tired(self) -> bool:
        """Whether compactions have hidden and shown more apart than can be followed."""
        event = self._builder.event
        looks = _LOOKS + _LOOKS_PER_EVENT * event
        return self._pieces > _PIECES + event + self._named or self._numbering.looked > looks

    # Events that are no compaction.

    def arrives(self, identity: str, number: int) -> bool:
        """An event stands behind the compaction that counts; whether it is left out too.

        It is if the compaction names it before it was written (its cutoff, a repeated id).
        """
        cover = self._cover
        if cover is None:
            return False
        if identity == cover.id:
            cover.alone = False
            return True
        if not cover.covers(identity, number):
            return False
        cover.also(self._builder.event)
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
        returning = self._with(moves, self._hidden)
        self._pieces += max(0, len(self._hidden) - _FEW)
        self._cover, self._hidden, self.below = None, [], 0
        self._bring_back(returning, 0, None)

    # Compactions.

    def compact(self, shape: Shape, identity: str, number: int, compaction: Compaction) -> bool:
        """A compaction counts from here on, and the one before does not any more.

        Returns:
            Whether it covers an event before it.
        """
        event = self._builder.event
        own_id, ids = Ids((identity,)), Ids(compaction.ids)
        same = self._numbering.of(own_id, event)
        self._named += len(compaction.ids)
        cover = Cover(event, identity, number, ids, compaction.through)
        if not same and self._cover is not None and self._cover.goes_on_as(cover):
            covers = self._go_on(shape, self._cover, cover)
        else:
            cover.alone = not same
            covers = self._begin(shape, cover, same, compaction)
        self.below = cover.below
        return covers

    def _begin(self, shape: Shape, cover: Cover, same: Stretches, compaction: Compaction) -> bool:
        """A compaction covers other events than the one before."""
        found = coverage(self._numbering, cover.ids, same, compaction, cover.event)
        before, own, hidden = self._hidden, found.covered, self._nodes_of(found.hidden)
        self._numbering.looked += len(before) + len(hidden) + len(own)
        # Where nothing is covered the compaction stands first.
        cover.place, cover.placed = self._node_at(own[0].start) if own else 0, bool(own)
        moves = self._moves(hidden)
        leaving, returning = without(hidden, before), without(before, hidden)
        self._pieces += max(0, len(leaving) + len(returning) - _FEW)
        self._count(shape, cover, {"sources": own}, moves, leaving, hidden)
        self._bring_back(self._with(moves, returning), cover.place, cover.node)
        return cover.placed

    def _go_on(self, shape: Shape, before: Cover, cover: Cover) -> bool:
        """A compaction covers what the one before it did, and what came since."""
        node, leaving, since = before.node, Stretches(), before.since
        cover.place, cover.placed = before.place, before.placed
        if before.covers(before.id, before.number):
            leaving = [range(node, node + 1)]
            since = [range(before.event, before.event + 1), *since]
            cover.place, cover.placed = min(before.place, node) if before.placed else node, True
            add(self._hidden, node)
        moves = self._moves(self._hidden)
        details: NodeDetails = {"sources": since, "sources_of": node}
        self._count(shape, cover, details, moves, leaving, self._hidden)
        self._bring_back(self._with(moves, []), cover.place, cover.node)
        return cover.placed

    def _count(
        self,
        shape: Shape,
        cover: Cover,
        details: NodeDetails,
        moves: int | None,
        leaving: Stretches,
        hidden: Stretches,
    ) -> None:
        """The node of a compaction enters, what it hides leaves, and so does the one before."""
        first = self._standing_from(cover.place, moves, hidden)
        cover.node = self._enter(shape, first, leaving, details)
        if moves is not None:
            self._builder.remove([moves], Reason.SUPERSEDED)
        self._hidden, self._cover = hidden, cover

    def _enter(
        self, shape: Shape, before: int | None, leaving: Stretches, details: NodeDetails
    ) -> int:
        builder = self._builder
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
        stays = any(_any_outside(passed, self._hidden, hidden) for passed in cover.passed())
        return cover.node if stays else None

    @staticmethod
    def _with(moves: int | None, returning: Stretches) -> Stretches:
        return returning if moves is None else joined([*returning, range(moves, moves + 1)])

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
        passed: Stretches = []
        if (cover := self._cover) is not None:
            goes = moves is not None or holds(hidden, cover.node)
            passed = [range(cover.node, cover.node + 1)] if goes else cover.passed()
        found = -1
        while found != node:
            found = node = next_outside(self._hidden, node)
            for part in passed:
                node = part.stop if node in part else node
        return node if node < len(self._nodes) else None


def _any_outside(among: range, one: Stretches, other: Stretches) -> bool:
    """Whether any number is in neither of two sets."""
    at, found = among.start, -1
    while at < among.stop and found != at:
        found = at
        at = next_outside(other, next_outside(one, at))
    return at < among.stop
