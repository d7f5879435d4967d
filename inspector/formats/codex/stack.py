"""The history that the owner rebuilds, as a stack: items are put on it and cut off it again."""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.columns import Column, unsigned
from inspector.formats.codex.items import BOUNDARY, CONTEXT


class Packed:
    """A stack that is laid aside: the nodes from one to another, as they were made."""

    def __init__(self, nodes: Column) -> None:
        self._ends: Column = unsigned()
        self._size = len(nodes)
        ends, expected = self._ends, -1
        for node in nodes:
            if node != expected:
                if expected >= 0:
                    ends.append(expected)
                ends.append(node)
            expected = node + 1
        if expected >= 0:
            ends.append(expected)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        ends = self._ends
        for at in range(0, len(ends), 2):
            yield from range(ends[at], ends[at + 1])


class Stack:
    """Nodes in the order of the history, the newest last.

    Args:
        traits: by node, what the owner's rules see in it; see `items`.

    Attributes:
        nodes: the history.
        boundaries: where in it the items stand that a rollback counts.
    """

    def __init__(self, traits: bytearray) -> None:
        self._traits: Final = traits
        self.nodes: Column = unsigned()
        self.boundaries: Column = unsigned()

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
        boundaries, nodes, traits = self.boundaries, self.nodes, self._traits
        if not turns or not boundaries:
            return unsigned()
        kept = max(0, len(boundaries) - turns)
        first, place = boundaries[0], boundaries[kept]
        while place - 1 > first and traits[nodes[place - 1]] & CONTEXT:
            place -= 1
        leaving = nodes[place:]
        del nodes[place:]
        del boundaries[kept:]
        return leaving
