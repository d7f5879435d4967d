"""The owner's numbers (seq) against positions: equal on a whole tape, apart after damage."""

from bisect import bisect_right
from collections.abc import Iterator

from inspector.columns import Column, unsigned, wide


class Numbering:
    """Stretches of positions whose numbers count up by one.

    A stretch that repeats numbers given before belongs to rejected events: it can be asked for by
    number, and nothing of the fold refers to it.
    """

    def __init__(self) -> None:
        self._position: Column = unsigned()
        self._number: Column = wide()
        self._repeats: set[int] = set()
        self._start(0, 0)

    def _start(self, position: int, number: int) -> None:
        if self._position and self._position[-1] == position:
            self._position.pop()
            self._number.pop()
        self._number.append(number)
        self._position.append(position)

    @property
    def _equal(self) -> bool:
        """Whether every number is its position, as on a whole tape."""
        return len(self._position) == 1 and not self._number[0]

    def jump(self, position: int, number: int) -> None:
        """From here on the numbers count up from ``number``."""
        self._start(position, number)

    def repeat(self, position: int, number: int, members: int, following: int) -> None:
        """So many events bear numbers that were given before; ``following`` goes on after them."""
        self._start(position, number)
        self._repeats.add(position)
        self._start(position + members, following)

    def number(self, position: int) -> int:
        """The owner's number of the event at a position."""
        at = bisect_right(self._position, position) - 1
        return self._number[at] + position - self._position[at]

    def positions(self, number: int, events: int) -> list[int]:
        """All positions below ``events`` whose events bear a number."""
        found: list[int] = []
        for at, start in enumerate(self._position):
            stop = self._position[at + 1] if at + 1 < len(self._position) else events
            position = start + number - self._number[at]
            if start <= position < min(stop, events):
                found.append(position)
        return found

    def sources(self, numbers: list[range]) -> list[range]:
        """The positions of cited numbers; those that damage swallowed are left out."""
        if self._equal:
            return numbers
        return [found for cited in numbers for found in self._within(cited)]

    def _within(self, cited: range) -> Iterator[range]:
        for at, start in enumerate(self._position):
            if start in self._repeats:
                continue
            shift = start - self._number[at]
            first, stop = max(start, cited.start + shift), cited.stop + shift
            if at + 1 < len(self._position):
                stop = min(stop, self._position[at + 1])
            if first < stop:
                yield range(first, stop)

    def position(self, number: int) -> int | None:
        """The position that the fold means by a number given so far, or None if it was lost."""
        if self._equal:
            return number
        for at in range(len(self._position) - 1, -1, -1):
            start = self._position[at]
            if start in self._repeats or self._number[at] > number:
                continue
            position = start + number - self._number[at]
            if at + 1 < len(self._position) and position >= self._position[at + 1]:
                return None
            return position
        return None
