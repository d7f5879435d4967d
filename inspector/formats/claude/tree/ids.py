"""The owner's ids of a whole tape as small numbers, a few bytes each."""

from array import array
from collections.abc import Callable
from typing import Final

_RECENT: Final = 1_024
"""Ids whose text is kept: a record nearly always names one of those that came just before."""

_SMALLEST: Final = 1_024


class Ids:
    """Numbers ids from 0 in the order in which they were named first.

    Of an id its hash is kept, in an open table; its text only for a while. That an older id is the
    one asked for is confirmed by reading a record again.

    Args:
        confirm: whether the id with a number is this text; reads a record.
    """

    def __init__(self, confirm: Callable[[int, str], bool]) -> None:
        self._confirm = confirm
        self._hashes = array("q")
        self._table = array("I", bytes(4 * _SMALLEST))
        self._mask = _SMALLEST - 1
        self._recent: dict[str, int] = {}
        self._before: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, text: str) -> int | None:
        """The number of an id, or None if it was not named."""
        number = self._recent.get(text)
        if number is None:
            number = self._before.get(text)
        return self._search(text) if number is None else number

    def intern(self, text: str) -> int:
        """The number of an id, new or known."""
        number = self._recent.get(text)
        if number is not None:
            return number
        number = self._before.get(text)
        if number is None:
            number = self._search(text)
        if number is None:
            number = self._add(text)
        if len(self._recent) >= _RECENT:
            self._before, self._recent = self._recent, {}
        self._recent[text] = number
        return number

    def _search(self, text: str) -> int | None:
        key, table, mask = hash(text), self._table, self._mask
        at = key & mask
        while number := table[at]:
            if self._hashes[number - 1] == key and self._confirm(number - 1, text):
                return number - 1
            at = (at + 1) & mask
        return None

    def _add(self, text: str) -> int:
        number = len(self._hashes)
        self._hashes.append(hash(text))
        if 2 * number >= self._mask:
            self._grow()
        else:
            self._enter(number)
        return number

    def _enter(self, number: int) -> None:
        table, mask = self._table, self._mask
        at = self._hashes[number] & mask
        while table[at]:
            at = (at + 1) & mask
        table[at] = number + 1

    def _grow(self) -> None:
        self._mask = 2 * self._mask + 1
        table, mask = array("I", bytes(4 * (self._mask + 1))), self._mask
        for number, key in enumerate(self._hashes, 1):
            at = key & mask
            while table[at]:
                at = (at + 1) & mask
            table[at] = number
        self._table = table
