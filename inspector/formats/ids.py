"""An owner's ids of a whole tape as small numbers, a few bytes each."""

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
        number = self.begin(text)
        if number >= 0:
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

    def begin(self, text: str) -> int:
        """The number of an id that was not named so far; -1, and nothing is done, if perhaps it
        was.
        """
        recent, hashes = self._recent, self._hashes
        key, table, mask = hash(text), self._table, self._mask
        at = key & mask
        while number := table[at]:
            if hashes[number - 1] == key:
                return -1
            at = (at + 1) & mask
        number = len(hashes)
        hashes.append(key)
        if 2 * number >= mask:
            self._grow()
        else:
            table[at] = number + 1
        if len(recent) >= _RECENT:
            self._before, self._recent = recent, {text: number}
        else:
            recent[text] = number
        return number

    def recent(self, text: str) -> int:
        """The number of an id that was named a short while ago, else -1."""
        number = self._recent.get(text)
        return self._before.get(text, -1) if number is None else number

    def room(self, more: int) -> "tuple[array[int], array[int], int]":
        """Make room for so many ids, for a loop that does itself what `begin` does.

        Returns:
            The hashes of the ids; the table, which has at the lower bits of a hash, or behind
            that, the number of its id from 1; and the mask of these bits.
        """
        while 2 * (len(self._hashes) + more) >= self._mask:
            self._grow()
        return self._hashes, self._table, self._mask

    def know(self, texts: list[str]) -> None:
        """Keep the texts of the ids that were numbered last."""
        number = len(self._hashes) - len(texts)
        if len(self._recent) >= _RECENT:
            self._before, self._recent = self._recent, {}
        self._recent.update(zip(texts, range(number, number + len(texts)), strict=True))

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
