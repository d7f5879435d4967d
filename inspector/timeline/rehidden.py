"""Nodes that are hidden already, and from some cursor on by another event than before."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import repeat
from operator import add
from typing import Final

from inspector.columns import Column, signed, small, unsigned
from inspector.timeline.words import Reason

_OFTEN: Final = 64
"""Questions about one cursor from which on all nodes are looked at together."""


class Rehidden:
    """Stretches of nodes, each hidden by an event from a cursor on, in the order of the cursors.

    An owner that goes through all its compactions anew may let one hide what another one hid.
    """

    def __init__(self) -> None:
        self._at: Column = unsigned()
        self._first: Column = unsigned()
        self._length: Column = unsigned()
        self._reason: Column = small()
        self._by: Column = unsigned()
        self._numbers: dict[int, Column] = {}
        # Up to which of them, how often that was asked, and of each node the last that has it.
        self._asked = 0, 0
        self._last: tuple[int, Column] = (0, signed())

    def add(self, nodes: range, cursor: int, reason: Reason, by: int) -> None:
        """Nodes that are not on the surface are hidden by an event, from a cursor on."""
        number = len(self._at)
        self._first.append(nodes.start)
        self._length.append(len(nodes))
        self._reason.append(reason)
        self._by.append(by)
        self._at.append(cursor)
        numbers = self._numbers.get(by)
        if numbers is None:
            numbers = self._numbers[by] = unsigned()
        numbers.append(number)

    def of(self, node: int, since: int, cursor: int) -> tuple[int, Reason, int] | None:
        """Since when a node that left at a cursor is hidden otherwise, why, and by which event."""
        if not self._at:
            return None
        at = self._last_of(node, bisect_right(self._at, cursor), since)
        if at < 0 or self._at[at] < since:
            return None
        return self._at[at], Reason(self._reason[at]), self._by[at]

    def _last_of(self, node: int, stop: int, since: int) -> int:
        """The last of the first so many stretches that has a node; -1 where none has it since."""
        known = self._last
        if known[0] != stop:
            self._asked = stop, self._asked[1] + 1 if self._asked[0] == stop else 1
            if self._asked[1] < _OFTEN:
                return self._search(node, stop, since)
            known = self._last = stop, self._laid(stop)
        return known[1][node] if node < len(known[1]) else -1

    def _search(self, node: int, stop: int, since: int) -> int:
        for at in range(stop - 1, -1, -1):
            if self._at[at] < since:
                return -1
            if 0 <= node - self._first[at] < self._length[at]:
                return at
        return -1

    def _laid(self, stop: int) -> Column:
        """Of each node the last of the first so many stretches that has it, or -1."""
        width = max(map(add, self._first[:stop], self._length[:stop]), default=0)
        found = signed()
        found.extend(repeat(-1, width))
        free = list(range(width + 1))
        for at in range(stop - 1, -1, -1):
            end = self._first[at] + self._length[at]
            node = _next(free, self._first[at])
            while node < end:
                found[node] = at
                free[node] = node + 1
                node = _next(free, node)
        return found

    def places(self, by: int, cursor: int) -> set[int]:
        """The cursors up to one from which on an event hides what another one hid."""
        numbers = self._numbers.get(by, ())
        stop = bisect_right(numbers, cursor, key=self._at.__getitem__)
        return {self._at[number] for number in numbers[:stop]}

    def told_at(self, cursor: int, by: int) -> Iterator[range]:
        """The nodes that an event hides from just this cursor on."""
        numbers = self._numbers.get(by, ())
        first = bisect_left(numbers, cursor, key=self._at.__getitem__)
        for number in numbers[first:]:
            if self._at[number] != cursor:
                return
            yield range(self._first[number], self._first[number] + self._length[number])


def _next(free: list[int], node: int) -> int:
    """The first node from one on that nothing has yet; what is passed over is shortened."""
    while free[node] != node:
        free[node] = free[free[node]]
        node = free[node]
    return node
