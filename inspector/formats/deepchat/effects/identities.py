"""Which slot an id has: hashes and places in arrays, some 12 bytes an id, and no object per id."""

from array import array
from typing import Final

_EMPTY: Final = 0xFFFF_FFFF
_BITS: Final = 0xFFFF_FFFF
_FIRST_SIZE: Final = 256
_EMPTY_PLACE: Final = array("I", [_EMPTY])
_RECENT: Final = 512
"""Texts of a generation; two are kept, so that those added last need not be read to be sure."""
_LONGEST: Final = 200
"""Characters of a text that is kept."""


class Identities:
    """Slots, numbered from 0 as they are added, under the hashes of texts.

    Two texts may share a hash, so several slots may be found; half of Python's own is kept, so one
    new text in some thousands of millions for each that is there. It has a key that changes with
    each process, so that no tape can be made to collide.
    """

    def __init__(self) -> None:
        self._mask = _FIRST_SIZE - 1
        self._places = _EMPTY_PLACE * _FIRST_SIZE
        self._taken = 0
        self._most = _FIRST_SIZE * 2 // 3
        self._hashes = array("I")
        self._recent: dict[str, int] = {}
        self._older: dict[str, int] = {}

    def recent(self, text: str) -> int | None:
        """The slot of a text that was added lately; None says nothing."""
        slot = self._recent.get(text)
        return self._older.get(text) if slot is None else slot

    def slots(self, text: str) -> list[int]:
        """The slots whose text has the hash of this one."""
        key = hash(text) & _BITS
        mask, places, hashes = self._mask, self._places, self._hashes
        place = key & mask
        found: list[int] = []
        while (slot := places[place]) != _EMPTY:
            if hashes[slot] == key:
                found.append(slot)
            place = (place + 1) & mask
        return found

    def claim(self, text: str) -> list[int]:
        """The same; where there is none, the text has a new slot from now on."""
        key = hash(text) & _BITS
        mask, places, hashes = self._mask, self._places, self._hashes
        place = key & mask
        while (slot := places[place]) != _EMPTY:
            if hashes[slot] == key:
                return self.slots(text)
            place = (place + 1) & mask
        slot = len(hashes)
        places[place] = slot
        hashes.append(key)
        self.remember(text, slot)
        self._taken += 1
        if self._taken >= self._most:
            self._grow()
        return []

    def add(self, text: str) -> int:
        """A text has a new slot from now on; its number."""
        key, slot = hash(text) & _BITS, len(self._hashes)
        self._hashes.append(key)
        self._put(key, slot)
        self.remember(text, slot)
        self._taken += 1
        if self._taken >= self._most:
            self._grow()
        return slot

    def move(self, text: str, slot: int) -> int:
        """A text that has a slot has a new one instead from now on; its number."""
        key, new = hash(text) & _BITS, len(self._hashes)
        place = key & self._mask
        while self._places[place] != slot:
            place = (place + 1) & self._mask
        self._hashes.append(key)
        self._places[place] = new
        self.remember(text, new)
        return new

    def remember(self, text: str, slot: int) -> None:
        """A text has this slot, and may be asked for again soon."""
        if len(text) > _LONGEST:
            return
        if len(self._recent) >= _RECENT:
            self._older, self._recent = self._recent, {}
        self._recent[text] = slot

    def _put(self, key: int, slot: int) -> None:
        mask, places = self._mask, self._places
        place = key & mask
        while places[place] != _EMPTY:
            place = (place + 1) & mask
        places[place] = slot

    def _grow(self) -> None:
        before, hashes = self._places, self._hashes
        self._mask = 2 * len(before) - 1
        self._most *= 2
        self._places = _EMPTY_PLACE * (2 * len(before))
        for slot in before:
            if slot != _EMPTY:
                self._put(hashes[slot], slot)
