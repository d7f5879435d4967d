"""Which of many slices of one lane held a place last."""

from bisect import bisect_right
from collections.abc import Iterator

from inspector.columns import Column, unsigned

GROUP = 32


class Slices:
    """The runs that are slices of a lane, in the order in which they were carried.

    Groups of them know the places between which all their slices lie, and groups of groups too,
    so that slices far from a place are passed over many at a time.

    Args:
        first: the first place of each run.
        length: how many places each run has.
        born: the cursor at which each run was carried.
    """

    __slots__ = ("_born", "_bounds", "_first", "_length", "_runs")

    def __init__(self, first: Column, length: Column, born: Column) -> None:
        self._first = first
        self._length = length
        self._born = born
        self._runs: Column = unsigned()
        self._bounds = (_Bounds(GROUP), _Bounds(GROUP * GROUP))

    def add(self, run: int) -> None:
        """A run was carried, not before any that was."""
        runs = self._runs
        runs.append(run)
        if len(runs) % GROUP == 0:
            groups, wider = self._bounds
            first, length = self._first, self._length
            full = runs[-GROUP:]
            groups.add(min(map(first.__getitem__, full)), max(first[k] + length[k] for k in full))
            if len(runs) % wider.size == 0:
                wider.add(*groups.last(GROUP))

    def holding(self, place: int, cursor: int) -> Iterator[int]:
        """The runs carried up to a cursor that hold a place, the latest first."""
        runs, first, length = self._runs, self._first, self._length
        at = len(runs)
        if at and self._born[runs[-1]] > cursor:
            at = bisect_right(runs, cursor, key=self._born.__getitem__)
        groups, wider = self._bounds
        while at:
            if at % GROUP == 0:
                if at % wider.size == 0 and not wider.reach(at - 1, place):
                    at -= wider.size
                    continue
                if not groups.reach(at - 1, place):
                    at -= GROUP
                    continue
            at -= 1
            run = runs[at]
            if first[run] <= place < first[run] + length[run]:
                yield run


class _Bounds:
    """The outermost places of every ``size`` slices."""

    __slots__ = ("_high", "_low", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._low: Column = unsigned()
        self._high: Column = unsigned()

    def add(self, start: int, stop: int) -> None:
        """The slices of the next group lie between these places."""
        self._high.append(stop)
        self._low.append(start)

    def last(self, groups: int) -> tuple[int, int]:
        """The places between which the last so many groups lie."""
        return min(self._low[-groups:]), max(self._high[-groups:])

    def reach(self, at: int, place: int) -> bool:
        """Whether any slice of the group of slice ``at`` may hold a place."""
        group = at // self.size
        # The bounds of a group that has just become full may not be there yet.
        return group >= len(self._low) or self._low[group] <= place < self._high[group]
