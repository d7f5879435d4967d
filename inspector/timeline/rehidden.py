"""Nodes that are hidden already, and from some cursor on by another event than before."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from inspector.columns import Column, small, unsigned
from inspector.timeline.words import Reason


class Rehidden:
    """Stretches of nodes, each hidden by an event from a cursor on, in the order of the cursors.

    An owner that goes through all its compactions anew may let one hide what another one hid.
    """

    def __init__(self) -> None:
        self._at: Column = unsigned()
        self._first: Column = unsigned()
        self._stop: Column = unsigned()
        self._reason: Column = small()
        self._by: Column = unsigned()

    def add(self, nodes: range, cursor: int, reason: Reason, by: int) -> None:
        """Nodes that are not on the surface are hidden by an event, from a cursor on."""
        self._at.append(cursor)
        self._first.append(nodes.start)
        self._stop.append(nodes.stop)
        self._reason.append(reason)
        self._by.append(by)

    def of(self, node: int, since: int, cursor: int) -> tuple[int, Reason, int] | None:
        """Since when a node that left at a cursor is hidden otherwise, why, and by which event."""
        for at in range(bisect_right(self._at, cursor) - 1, -1, -1):
            if self._at[at] < since:
                return None
            if self._first[at] <= node < self._stop[at]:
                return self._at[at], Reason(self._reason[at]), self._by[at]
        return None

    def told_at(self, cursor: int) -> Iterator[tuple[range, int]]:
        """The nodes that are hidden by another event from just this cursor on, and by which."""
        for at in range(bisect_left(self._at, cursor), bisect_right(self._at, cursor)):
            yield range(self._first[at], self._stop[at]), self._by[at]
