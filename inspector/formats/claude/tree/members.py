"""Which records belong to one message of the API: its lines, and the results of its calls."""

from array import array
from collections.abc import Iterator
from typing import Final

_END: Final = 0xFFFF_FFFF


class Lists:
    """Growing lists of entries by number, in two columns of links instead of a list each."""

    def __init__(self) -> None:
        self._first = array("I")
        self._last = array("I")
        self._entry = array("I")
        self._next = array("I")

    def add(self, number: int, entry: int) -> None:
        """Put an entry at the end of a list."""
        while number >= len(self._first):
            self._first.append(_END)
            self._last.append(_END)
        slot = len(self._entry)
        self._entry.append(entry)
        self._next.append(_END)
        if self._first[number] == _END:
            self._first[number] = slot
        else:
            self._next[self._last[number]] = slot
        self._last[number] = slot

    def of(self, number: int) -> Iterator[int]:
        """The entries of a list, in the order in which they were added."""
        slot = self._first[number] if number < len(self._first) else _END
        while slot != _END:
            yield self._entry[slot]
            slot = self._next[slot]

    def single(self, number: int) -> bool:
        """Whether a list has no more than one entry."""
        return number >= len(self._first) or self._first[number] == self._last[number]
