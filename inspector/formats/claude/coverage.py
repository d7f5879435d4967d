"""How much of the tree the branch reaches, at every cursor."""

from bisect import bisect_right

from inspector.columns import Column, unsigned


class Coverages:
    """Records of the main line, those that the branch reaches, and rows that it does not reach.

    Nearly every event adds one to the first two and none to the last; what is kept are the cursors
    at which that is not so.
    """

    def __init__(self) -> None:
        self._cursor: Column = unsigned()
        self._records: Column = unsigned()
        self._reached: Column = unsigned()
        self._recovered: Column = unsigned()
        self._behind = (0, 0, 0)

    def note(self, cursor: int, records: int, reached: int, recovered: int) -> None:
        """So many there are at a cursor; told in order of every cursor, but for those at which an
        event added one to both and none to the rows.
        """
        behind = (cursor - records, cursor - reached, recovered)
        if behind != self._behind:
            self._behind = behind
            self._records.append(records)
            self._reached.append(reached)
            self._recovered.append(recovered)
            self._cursor.append(cursor)

    def at(self, cursor: int) -> tuple[int, int, int]:
        """Records of the main line, how many of them the branch reaches, and how many rows stand on
        no chain.
        """
        at = bisect_right(self._cursor, cursor) - 1
        if at < 0:
            return cursor, cursor, 0
        more = cursor - self._cursor[at]
        return self._records[at] + more, self._reached[at] + more, self._recovered[at]
