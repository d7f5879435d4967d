"""Which slot an id has: a table of hashes in arrays, 12 bytes a place, and no object per id."""

from array import array
from collections.abc import Iterator
from typing import Final

_EMPTY: Final = 0xFFFF_FFFF
_FIRST_SIZE: Final = 256
_EMPTY_PLACE: Final = array("I", [_EMPTY])
_RECENT: Final = 1_024
"""Texts that are kept, so that those added last need not be read again to be sure of them."""
_LONGEST: Final = 200
"""Characters of a text that is kept."""


class Identities:
    """Hashes of texts and the slots under them; two texts may share a hash, so several may be.

    The hash is Python's own: 64 bits with a key that changes with each process, so that no tape
    can be made to collide.
    """

    def __init__(self) -> None:
        self._mask = _FIRST_SIZE - 1
        self._keys = array("q", bytes(8 * _FIRST_SIZE))
        self._slots = _EMPTY_PLACE * _FIRST_SIZE
        self._used = 0
        self._recent: dict[str, int] = {}

    def recent(self, text: str) -> int | None:
        """The slot of a text that was added lately; None says nothing."""
        return self._recent.get(text)

    def slots(self, text: str) -> Iterator[int]:
        """The slots whose text has the hash of this one."""
        key = hash(text)
        place = key & self._mask
        while (slot := self._slots[place]) != _EMPTY:
            if self._keys[place] == key:
                yield slot
            place = (place + 1) & self._mask

    def add(self, text: str, slot: int) -> None:
        """A text has a slot from now on."""
        if 3 * self._used >= 2 * (self._mask + 1):
            self._grow()
        self._put(hash(text), slot)
        self._used += 1
        self._keep(text, slot)

    def _keep(self, text: str, slot: int) -> None:
        if len(text) <= _LONGEST:
            if len(self._recent) >= _RECENT:
                del self._recent[next(iter(self._recent))]
            self._recent[text] = slot

    def move(self, text: str, slot: int, to: int) -> None:
        """What had one slot has another from now on."""
        key = hash(text)
        place = key & self._mask
        while self._slots[place] != _EMPTY:
            if self._keys[place] == key and self._slots[place] == slot:
                self._slots[place] = to
                self._recent.pop(text, None)
                self._keep(text, to)
                return
            place = (place + 1) & self._mask
        raise KeyError(slot)

    def _put(self, key: int, slot: int) -> None:
        place = key & self._mask
        while self._slots[place] != _EMPTY:
            place = (place + 1) & self._mask
        self._keys[place] = key
        self._slots[place] = slot

    def _grow(self) -> None:
        before = zip(self._keys, self._slots, strict=True)
        size = 2 * (self._mask + 1)
        self._mask = size - 1
        self._keys = array("q", bytes(8 * size))
        self._slots = _EMPTY_PLACE * size
        for key, slot in before:
            if slot != _EMPTY:
                self._put(key, slot)
