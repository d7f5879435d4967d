"""The ids of a whole tape as small numbers, a few bytes each."""

from array import array
from collections.abc import Callable
from typing import Any, Final

_RECENT: Final = 1_024
"""Ids whose text is kept: an entry nearly always names the one just before it."""

_SMALLEST: Final = 1_024


def key_of(value: Any) -> str | None:
    """An id as a text of its own; None of what no entry can be found by (rules page P1, P2).

    The owner looks ids up as they are: a number is another id than the text of it, and what is
    empty, nought or false is none.
    """
    if type(value) is str:
        return f"\0{value}" if value[:1] == "\0" else value or None
    if type(value) in (int, float) and value:
        try:
            return f"\0number {float(value)!r}"
        except OverflowError:
            return "\0number inf"
    return "\0true" if value is True else None


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

    def begin(self, text: str) -> bool:
        """Number an id that was not named so far; False, and nothing is done, if perhaps it was."""
        key, table, mask = hash(text), self._table, self._mask
        at = key & mask
        while number := table[at]:
            if self._hashes[number - 1] == key:
                return False
            at = (at + 1) & mask
        number = len(self._hashes)
        self._hashes.append(key)
        if 2 * number >= mask:
            self._grow()
        else:
            table[at] = number + 1
        if len(self._recent) >= _RECENT:
            self._before, self._recent = self._recent, {}
        self._recent[text] = number
        return True

    def _search(self, text: str) -> int | None:
        key, table, mask = hash(text), self._table, self._mask
        at = key & mask
        while number := table[at]:
            if self._hashes[number - 1] == key and self._confirm(number - 1, text):
                return number - 1
            at = (at + 1) & mask
        return None

    def _add(self, text: str) -> int:
        key, number = hash(text), len(self._hashes)
        self._hashes.append(key)
        if 2 * number >= self._mask:
            self._grow()
            return number
        table, mask = self._table, self._mask
        at = key & mask
        while table[at]:
            at = (at + 1) & mask
        table[at] = number + 1
        return number

    def _enter(self, number: int) -> None:
        table, mask = self._table, self._mask
        at = self._hashes[number] & mask
        while table[at]:
            at = (at + 1) & mask
        table[at] = number + 1

    def _grow(self) -> None:
        self._mask = 2 * self._mask + 1
        self._table = array("I", bytes(4 * (self._mask + 1)))
        for number in range(len(self._hashes)):
            self._enter(number)
