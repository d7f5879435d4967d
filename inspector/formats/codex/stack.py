"""The history that the owner rebuilds, as a stack: items are put on it and cut off it again."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from inspector.columns import Column, unsigned
from inspector.formats.codex.items import BOUNDARY, CONTEXT, PERSON


class Condensed(NamedTuple):
    """What a compaction of the older kind did to a history.

    Attributes:
        leaving: the nodes that leave.
        fresh: the first place whose message no such compaction has met before.
        room: the tokens that are left for the oldest message, if it must be cut; else None.
    """

    leaving: Column
    fresh: int
    room: int | None


class Stack:
    """Nodes in the order of the history, the newest last.

    Args:
        traits: by node, what the owner's rules see in it; see `items`.

    Attributes:
        nodes: the history, behind what is gone from its beginning.
        first: the place at which it begins; what a compaction of the older kind has no room for
            is gone from there, and it is a boundary, each of it.
        boundaries: the places of the items that a rollback counts, from the place 0 on.
    """

    def __init__(self, traits: bytearray) -> None:
        self._traits: Final = traits
        self.nodes: Column = unsigned()
        self.boundaries: Column = unsigned()
        self.first = 0
        # Of the places from 0 on that hold nothing but messages that a compaction has kept.
        self._weights: Column = unsigned()
        self._weight = 0

    def __len__(self) -> int:
        return len(self.nodes) - self.first

    @property
    def counted(self) -> int:
        """How many items a rollback can count."""
        return len(self.boundaries) - self.first

    def living(self) -> Column:
        """The nodes of the history; not to be changed."""
        return self.nodes[self.first :] if self.first else self.nodes

    def push(self, node: int) -> None:
        """An item enters at the end."""
        if self._traits[node] & BOUNDARY:
            self.boundaries.append(len(self.nodes))
        self.nodes.append(node)

    def extend(self, nodes: Iterable[int]) -> None:
        """Items enter at the end."""
        for node in nodes:
            self.push(node)

    def cut(self, turns: int) -> Column:
        """Cut at the boundary so many from the end, and at context above it (RULES R4).

        Returns:
            The nodes that leave.
        """
        boundaries, nodes = self.boundaries, self.nodes
        if not turns or not self.counted:
            return unsigned()
        place = self.place(turns)
        leaving = nodes[place:]
        del nodes[place:]
        del boundaries[max(self.first, len(boundaries) - turns) :]
        if place < len(self._weights):
            self._weight -= sum(self._weights[place:])
            del self._weights[place:]
        return leaving

    def place(self, turns: int) -> int:
        """The place from which on nodes leave by such a cut; the end where nothing is counted."""
        boundaries, nodes, traits = self.boundaries, self.nodes, self._traits
        if not turns or not self.counted:
            return len(nodes)
        first = boundaries[self.first]
        place = boundaries[max(self.first, len(boundaries) - turns)]
        while place - 1 > first and traits[nodes[place - 1]] & CONTEXT:
            place -= 1
        return place

    def copy(self) -> "Stack":
        """The same history, of which this one knows nothing."""
        other = Stack(self._traits)
        other.nodes, other.boundaries, other.first = self.nodes[:], self.boundaries[:], self.first
        other._weights, other._weight = self._weights[:], self._weight
        return other

    def condense(self, tokens: Sequence[int], budget: int) -> Condensed:
        """Only the person's messages stay, the newest of them, up to a budget (RULES R2).

        What it kept before it does not look at again, but for what it lets go, so that it costs
        what is new and what leaves.

        Args:
            tokens: by node, what it weighs.
            budget: in tokens.
        """
        fresh, leaving = len(self._weights), unsigned()
        tail = self.nodes[fresh:]
        del self.nodes[fresh:]
        # Before it there is nothing but boundaries.
        del self.boundaries[fresh:]
        for node in tail:
            if self._traits[node] & PERSON:
                self.push(node)
                self._weights.append(tokens[node])
                self._weight += tokens[node]
            else:
                leaving.append(node)
        return Condensed(leaving, fresh, self._let_go(leaving, budget))

    def _let_go(self, leaving: Column, budget: int) -> int | None:
        """The oldest messages leave for which there is no room; what there is for the first one."""
        while self.first < len(self.nodes):
            weight = self._weights[self.first]
            room = budget - (self._weight - weight)
            if room > 0:
                return room if weight > room else None
            leaving.append(self.nodes[self.first])
            self._weight -= weight
            self.first += 1
        return None

    def reform(self, place: int, node: int, tokens: int) -> None:
        """A message that was kept takes another form, which weighs so many tokens."""
        self.nodes[place] = node
        self._weight += tokens - self._weights[place]
        self._weights[place] = tokens
