"""Where a person leapt from, so that there is a way back."""

from typing import Final

_MOST: Final = 200
"""Places that are remembered."""


class Leaps:
    """Cursors that were left by a leap, and those that were gone back from."""

    def __init__(self) -> None:
        self._back: list[int] = []
        self._on: list[int] = []

    def leave(self, cursor: int) -> None:
        """A leap leaves a cursor; what was gone back from is forgotten."""
        self._on.clear()
        if not self._back or self._back[-1] != cursor:
            self._back.append(cursor)
            del self._back[:-_MOST]

    def back(self, cursor: int) -> int | None:
        """The cursor left last, if there is one; ``cursor`` is where one stands now."""
        return self._turn(self._back, self._on, cursor)

    def on(self, cursor: int) -> int | None:
        """The cursor gone back from last, if there is one."""
        return self._turn(self._on, self._back, cursor)

    @staticmethod
    def _turn(source: list[int], other: list[int], cursor: int) -> int | None:
        while source:
            found = source.pop()
            if found != cursor:
                other.append(cursor)
                return found
        return None
