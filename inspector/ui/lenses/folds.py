"""A list of groups of rows, of which the large ones are folded. Knows no Textual."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

_FEW: Final = 6
"""Rows of a group that are listed whole unless somebody opens it."""

_FIRST: Final = 3
"""Rows of a larger group that are listed until then."""


class Spot(NamedTuple):
    """What one line of the list is: the heading of a group, one of its rows, or what is left out.

    Attributes:
        group: which, from 0.
        row: which of its rows; None of a heading and of what is left out.
        more: how many rows are left out, of the line that stands for them; else None.
    """

    group: int
    row: int | None = None
    more: int | None = None


class Folds:
    """The lines of a list of groups.

    Args:
        sizes: how many rows each group has.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._open: set[int] = set()
        self._starts: list[int] = []
        self._lines = 0
        self._list()

    def _list(self) -> None:
        self._starts, self._lines = [], 0
        for group, size in enumerate(self._sizes):
            self._starts.append(self._lines)
            self._lines += 1 + (size if self.is_open(group) else _FIRST + 1)

    def __len__(self) -> int:
        return self._lines

    def is_open(self, group: int) -> bool:
        """Whether all rows of a group are listed."""
        return group in self._open or not self.can_turn(group)

    def can_turn(self, group: int) -> bool:
        """Whether a group is large enough to be folded."""
        return self._sizes[group] > _FEW

    def __getitem__(self, line: int) -> Spot:
        group = bisect_right(self._starts, line) - 1
        row = line - self._starts[group] - 1
        if row < 0:
            return Spot(group)
        if not self.is_open(group) and row == _FIRST:
            return Spot(group, None, self._sizes[group] - _FIRST)
        return Spot(group, row)

    def turns(self, line: int) -> bool:
        """Open or fold the group of a heading, or of what is left out; False of any other line."""
        if line >= len(self):
            return False
        spot = self[line]
        if spot.row is not None or not self.can_turn(spot.group):
            return False
        self._open ^= {spot.group}
        self._list()
        return True

    def opened(self) -> "Folds":
        """The same list with nothing folded."""
        whole = Folds(self._sizes)
        whole._open = set(range(len(self._sizes)))
        whole._list()
        return whole
