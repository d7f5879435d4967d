"""Where hashes occurred: two numbers for each, and a search that takes no longer on long tapes."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from inspector.columns import Column, unsigned, wide

_FRESH: Final = 256
"""Hashes that are kept in the order in which they came."""


class Hashes:
    """Positions by hash, told in the order of the positions.

    The latest hashes are looked through, those before them are sorted in *levels*, each at least
    twice as long as the one behind it: to add takes, and to find, a logarithm of how many there
    are.
    """

    def __init__(self) -> None:
        self._levels: list[tuple[Column, Column]] = []
        self._fresh: dict[int, list[int]] = {}
        self._waiting = 0

    def __len__(self) -> int:
        """How many were told."""
        return sum(len(positions) for _, positions in self._levels) + self._waiting

    def add(self, found: int, position: int) -> None:
        """A hash occurs at a position."""
        self._fresh.setdefault(found, []).append(position)
        self._waiting += 1
        if self._waiting >= _FRESH:
            self._sort()

    def _sort(self) -> None:
        """Make a level of the latest, with every level in it that it would not be twice as long."""
        pairs = [(one, at) for one, positions in self._fresh.items() for at in positions]
        levels = self._levels[:]
        while levels and len(levels[-1][0]) < 2 * len(pairs):
            pairs = [*zip(*levels.pop(), strict=True), *pairs]
        pairs.sort()
        made = wide(), unsigned()
        made[0].extend(array("q", map(itemgetter(0), pairs)))
        made[1].extend(array("I", map(itemgetter(1), pairs)))
        self._levels = [*levels, made]
        self._fresh, self._waiting = {}, 0

    def positions(self, wanted: int) -> Iterator[int]:
        """Where a hash occurred."""
        for hashes, positions in self._levels:
            at = bisect_left(hashes, wanted)
            while at < len(hashes) and hashes[at] == wanted:
                yield positions[at]
                at += 1
        yield from tuple(self._fresh.get(wanted, ()))
