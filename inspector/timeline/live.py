"""The elements that are on the surface now, linked in order: what the builder folds over."""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.columns import Column, signed
from inspector.timeline.nodes import Element

_END: Final = -(1 << 31)


class LiveList:
    """A doubly linked list of elements; every operation but the walks is constant."""

    def __init__(self) -> None:
        self._next_of_node: Column = signed()
        self._previous_of_node: Column = signed()
        self._next_of_run: Column = signed()
        self._previous_of_run: Column = signed()
        self._first: Element = _END
        self._last: Element = _END

    def __iter__(self) -> Iterator[Element]:
        return self.walk(None)

    def walk(self, start: Element | None) -> Iterator[Element]:
        """The elements from ``start``, or from the first, to the last."""
        element = self._first if start is None else start
        while element != _END:
            yield element
            element = self._next(element)

    def append_nodes(self, first: int, nodes: int) -> None:
        """Link consecutive new nodes at the end."""
        following, previous = self._next_of_node, self._previous_of_node
        for column in (following, previous):
            while first > len(column):
                column.append(_END)
        following.extend(range(first + 1, first + nodes))
        following.append(_END)
        previous.append(self._last)
        previous.extend(range(first, first + nodes - 1))
        if self._last == _END:
            self._first = first
        else:
            _set(*self._forward(self._last), first)
        self._last = first + nodes - 1

    def insert(self, element: Element, before: Element | None) -> None:
        """Link a new element before another, or at the end."""
        following = _END if before is None else before
        previous = self._last if before is None else self._previous(before)
        self._link(previous, element)
        self._link(element, following)

    def append_run(self, run: Element) -> None:
        """Link a new run at the end."""
        last = self._last
        self._link(last, run)
        self._link(run, _END)

    def cut(self, first: Element) -> list[Element]:
        """Unlink an element and all behind it; what was unlinked, in order."""
        found = list(self.walk(first))
        self._link(self._previous(first), _END)
        return found

    def remove(self, element: Element) -> None:
        """Unlink an element."""
        self._link(self._previous(element), self._next(element))

    def remove_nodes(self, nodes: Sequence[int]) -> None:
        """Unlink many nodes, none of them a run; what `remove` does for each, in less time."""
        following, previous = self._next_of_node, self._previous_of_node
        for node in nodes:
            left, right = previous[node], following[node]
            if left >= 0 and right >= 0:
                following[left] = right
                previous[right] = left
            else:
                self._link(left, right)

    def _link(self, left: Element, right: Element) -> None:
        if left == _END:
            self._first = right
        else:
            _set(*self._forward(left), right)
        if right == _END:
            self._last = left
        else:
            _set(*self._backward(right), left)

    def _next(self, element: Element) -> Element:
        column, number = self._forward(element)
        return column[number]

    def _previous(self, element: Element) -> Element:
        column, number = self._backward(element)
        return column[number]

    def _forward(self, element: Element) -> tuple[Column, int]:
        return (self._next_of_node, element) if element >= 0 else (self._next_of_run, ~element)

    def _backward(self, element: Element) -> tuple[Column, int]:
        return (
            (self._previous_of_node, element) if element >= 0 else (self._previous_of_run, ~element)
        )


def _set(column: Column, number: int, value: int) -> None:
    while number >= len(column):
        column.append(_END)
    column[number] = value
