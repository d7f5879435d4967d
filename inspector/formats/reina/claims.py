"""Which messages compactions claim, as their ranges are written, to tell where two overlap."""

from bisect import bisect_right

from inspector.columns import Column, unsigned, wide


class Claims:
    """Stretches of indexes that no other overlaps, each with the event that claimed it first."""

    def __init__(self) -> None:
        self._first: Column = wide()
        self._last: Column = wide()
        self._event: Column = unsigned()

    def add(self, first: int, last: int, event: int) -> int | None:
        """Claim indexes; returns an event that claims some of them already, or None.

        What was claimed before stays with its event, and what lies around it becomes one stretch.
        """
        behind = bisect_right(self._first, last)
        before = bisect_right(self._last, first - 1)
        if before >= behind:
            self._put(behind, behind, (first, last, event))
            return None
        other = self._event[before]
        joined = min(first, self._first[before]), max(last, self._last[behind - 1]), other
        self._put(before, behind, joined)
        return other

    def _put(self, start: int, stop: int, claim: tuple[int, int, int]) -> None:
        for column, value in zip((self._first, self._last, self._event), claim, strict=True):
            column[start:stop] = type(column)(column.typecode, (value,))
