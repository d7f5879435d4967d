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
        self._next = (1, 1, 1)

    def note(self, cursor: int, records: int, reached: int) -> None:
        """So many there are at a cursor; told of every cursor, in order."""
        if (cursor, records, reached) != self._next:
            self._records.append(records)
            self._reached.append(reached)
            self._cursor.append(cursor)
        self._next = (cursor + 1, records + 1, reached + 1)

    def at(self, cursor: int) -> tuple[int, int]:
        """Records of the main line, and how many of them the branch reaches."""
        at = bisect_right(self._cursor, cursor) - 1
        if at < 0:
            since, records, reached = 0, 0, 0
        else:
            since, records, reached = self._cursor[at], self._records[at], self._reached[at]
        return records + cursor - since, reached + cursor - since
