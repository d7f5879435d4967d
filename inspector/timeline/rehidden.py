"""Nodes that are hidden already, and from some cursor on by another event than before."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from inspector.columns import Column, small, unsigned
from inspector.timeline.slices import Slices
from inspector.timeline.words import Reason


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
        self._stretches = Slices(self._first, self._length, self._at)
        self._numbers: dict[int, Column] = {}

    def add(self, nodes: range, cursor: int, reason: Reason, by: int) -> None:
        """Nodes that are not on the surface are hidden by an event, from a cursor on."""
        number = len(self._at)
        self._first.append(nodes.start)
        self._length.append(len(nodes))
        self._reason.append(reason)
        self._by.append(by)
        self._at.append(cursor)
        self._stretches.add(number)
        numbers = self._numbers.get(by)
        if numbers is None:
            numbers = self._numbers[by] = unsigned()
        numbers.append(number)

    def of(self, node: int, since: int, cursor: int) -> tuple[int, Reason, int] | None:
        """Since when a node that left at a cursor is hidden otherwise, why, and by which event."""
        if not self._at:
            return None
        at = next(self._stretches.holding(node, cursor), None)
        if at is None or self._at[at] < since:
            return None
        return self._at[at], Reason(self._reason[at]), self._by[at]

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
