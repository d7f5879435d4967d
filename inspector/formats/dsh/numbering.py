"""The owner's numbers (seq) against positions: equal on a whole tape, apart after damage."""

from bisect import bisect_right
from collections.abc import Iterator

from inspector.columns import NEVER, Column, unsigned, wide


class Numbering:
    """Stretches of positions whose numbers count up by one.

    A stretch that repeats numbers given before belongs to rejected events: it can be asked for by
    number, and nothing of the fold refers to it.
    """

    def __init__(self) -> None:
        self._position: Column = unsigned()
        self._number: Column = wide()
        # Those to which the fold refers: their numbers only grow, so they can be bisected too.
        self._fresh_position: Column = unsigned()
        self._fresh_number: Column = wide()
        self._fresh_stop: Column = unsigned()
        self._start(0, 0, fresh=True)

    def _start(self, position: int, number: int, *, fresh: bool) -> None:
        if self._position and self._position[-1] == position:
            self._position.pop()
            self._number.pop()
            if self._fresh_position and self._fresh_position[-1] == position:
                self._fresh_position.pop()
                self._fresh_number.pop()
                self._fresh_stop.pop()
        elif self._fresh_stop and self._fresh_stop[-1] == NEVER:
            self._fresh_stop[-1] = position
        self._number.append(number)
        self._position.append(position)
        if fresh:
            self._fresh_number.append(number)
            self._fresh_stop.append(NEVER)
            self._fresh_position.append(position)

    @property
    def _equal(self) -> bool:
        """Whether every number is its position, as on a whole tape."""
        return len(self._position) == 1 and not self._number[0]

    def jump(self, position: int, number: int) -> None:
        """From here on the numbers count up from ``number``."""
        self._start(position, number, fresh=True)

    def repeat(self, position: int, number: int, members: int, following: int) -> None:
        """So many events bear numbers that were given before; ``following`` goes on after them."""
        self._start(position, number, fresh=False)
        self._start(position + members, following, fresh=True)

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
        at = max(0, bisect_right(self._fresh_number, cited.start) - 1)
        while at < len(self._fresh_number) and self._fresh_number[at] < cited.stop:
            start = self._fresh_position[at]
            shift = start - self._fresh_number[at]
            first = max(start, cited.start + shift)
            stop = min(self._fresh_stop[at], cited.stop + shift)
            if first < stop:
                yield range(first, stop)
            at += 1

    def position(self, number: int) -> int | None:
        """The position that the fold means by a number given so far, or None if it was lost."""
        if self._equal:
            return number
        at = bisect_right(self._fresh_number, number) - 1
        if at < 0:
            return None
        position = self._fresh_position[at] + number - self._fresh_number[at]
        return position if position < self._fresh_stop[at] else None
