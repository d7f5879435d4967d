"""How much of the tree the branch reaches, at every cursor."""

from bisect import bisect_right

from inspector.columns import Column, unsigned


class Coverages:
    """Records of the main line, and those that the branch reaches.

    Nearly every event adds one to both; what is kept are the cursors at which that is not so.
    """

    def __init__(self) -> None:
        self._cursor: Column = unsigned()
        self._records: Column = unsigned()
        self._reached: Column = unsigned()
        self._behind = (0, 0)

    def note(self, cursor: int, records: int, reached: int) -> None:
        """So many there are at a cursor; told in order of every cursor, but for those at which an
        event added one to both.
        """
        behind = (cursor - records, cursor - reached)
        if behind != self._behind:
            self._behind = behind
            self._records.append(records)
            self._reached.append(reached)
            self._cursor.append(cursor)

    def at(self, cursor: int) -> tuple[int, int]:
        """Records of the main line, and how many of them the branch reaches."""
        at = bisect_right(self._cursor, cursor) - 1
        if at < 0:
            since, records, reached = 0, 0, 0
        else:
            since, records, reached = self._cursor[at], self._records[at], self._reached[at]
        return records + cursor - since, reached + cursor - since
