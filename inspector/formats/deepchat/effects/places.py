"""The places of messages in their session, in four bytes where they are small whole numbers."""

from typing import Final

from inspector.columns import Column, signed

_ODD: Final = -(1 << 31)
"""Stands for a place that is kept apart."""

_SMALL: Final = 1 << 31


class Places:
    """A place for each slot, as the double that is compared (RULES B)."""

    def __init__(self) -> None:
        self._whole: Column = signed()
        self._odd: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._whole)

    def __getitem__(self, slot: int) -> float:
        place = self._whole[slot]
        return self._odd[slot] if place == _ODD else place

    def __setitem__(self, slot: int, place: float) -> None:
        self._odd.pop(slot, None)
        self._whole[slot] = self._kept(slot, place)

    def append(self, place: float) -> None:
        """The next slot has a place."""
        if -_SMALL < place < _SMALL and place == (whole := int(place)):
            self._whole.append(whole)
        else:
            self._whole.append(self._kept(len(self._whole), place))

    def _kept(self, slot: int, place: float) -> int:
        if -_SMALL < place < _SMALL and place == int(place):
            return int(place)
        self._odd[slot] = place
        return _ODD
