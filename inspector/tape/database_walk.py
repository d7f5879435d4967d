"""Which rows of a damaged table can still be reached: row id by row id, over every hole."""

from collections.abc import Generator, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from inspector.tape.database_statements import PAGE, DatabaseFault, Fetched, Value, Values

FIRST_ROWID: Final = -(2**63)
_LAST_ROWID: Final = 2**63 - 1
_PROBED: Final = 1024
"""Row ids of a hole that are each asked for: a bad page of the usual 4 KiB holds fewer."""


class Fetcher(Protocol):
    """What can run a statement."""

    def fetch(self, sql: str, parameters: Sequence[Value] = (), most: int = PAGE) -> Fetched:
        """One page of a statement."""


class Hole(NamedTuple):
    """Row ids that cannot be read, whether there are such rows or not.

    Attributes:
        first: the first row id.
        last: the last row id; None if nothing behind can be read.
        reason: SQLite's sentence.
    """

    first: int
    last: int | None
    reason: str


class RowidWalk:
    """A walk over the row ids of a table.

    Args:
        database: runs the statements.
        table: the table's name, as SQL.
        rowid: the name of its row ids.
        columns: what is wanted of each row, as SQL; the row id last.
        parameters: for each ``?`` in the columns.
    """

    def __init__(
        self,
        database: Fetcher,
        table: str,
        rowid: str,
        columns: Sequence[str],
        parameters: Values,
    ) -> None:
        self._database = database
        self._parameters = parameters
        self._reach = f"SELECT {rowid} FROM {table} WHERE {rowid} >= ? ORDER BY {rowid}"  # noqa: S608 - names are quoted, the rest is ours
        columns_sql = ", ".join(columns)
        self._one = f"SELECT {columns_sql} FROM {table} WHERE {rowid} = ?"  # noqa: S608 - as above
        self._many = f"SELECT {columns_sql} FROM {table} WHERE {rowid} >= ? ORDER BY {rowid}"  # noqa: S608 - as above

    def rows(self, at: int, page: int) -> Iterator[Values | Hole]:
        """What is wanted of the rows from a row id on, and the holes between them.

        Raises:
            DatabaseFault: if the database was closed, or a statement took too long.
        """
        while at <= _LAST_ROWID:
            fetched = self._database.fetch(
                f"{self._many} LIMIT {page}", (*self._parameters, at), page
            )
            for row in fetched.rows:
                at = max(at, rowid_of(row) + 1)
                yield row
            if fetched.fault is not None:
                damage(fetched.fault)
                at = yield from self._over(at)
            elif not fetched.rows:
                return

    def _over(self, at: int) -> Generator[Values | Hole, None, int]:
        """Over what stopped the walk: what of it can be read, and where the walk goes on."""
        reached = self._reached(at)
        if reached.fault is None:
            if not reached.rows:
                return _LAST_ROWID + 1
            rowid = max(at, rowid_of(reached.rows[0]))
            yield from self._probed(rowid, rowid + 1)
            return rowid + 1
        end = self._end_of_hole(at)
        near = min(end, at + _PROBED)
        far = max(near, end - _PROBED)
        yield from self._probed(at, near)
        if end > _LAST_ROWID:
            yield Hole(near, None, str(reached.fault))
            return end
        if near < far:
            yield Hole(near, far - 1, str(reached.fault))
        yield from self._probed(far, end)
        return end

    def _probed(self, first: int, end: int) -> Iterator[Values | Hole]:
        for rowid in range(first, end):
            fetched = self._database.fetch(self._one, (*self._parameters, rowid), 1)
            if fetched.fault is not None:
                yield Hole(rowid, rowid, str(damage(fetched.fault)))
            yield from fetched.rows

    def _end_of_hole(self, at: int) -> int:
        """The row id behind an unreachable one from which the walk goes on.

        Sought at growing distances from it and from zero, around which rows are numbered, and
        then by halving; beyond all row ids if there is none.
        """
        bad = at
        for good in _outwards(at):
            if self._reached(good).fault is None:
                break
            bad = good
        else:
            return _LAST_ROWID + 1
        while good - bad > 1:
            middle = (good + bad) // 2
            if self._reached(middle).fault is None:
                good = middle
            else:
                bad = middle
        return good

    def _reached(self, at: int) -> Fetched:
        """The first row id that is not smaller, or why it cannot be told."""
        fetched = self._database.fetch(f"{self._reach} LIMIT 1", (at,), 1)
        if fetched.fault is not None:
            damage(fetched.fault)
        return fetched


def _outwards(at: int) -> list[int]:
    """Row ids behind one, close together near it and near zero, up to the last there can be."""
    steps = [2**power for power in range(64)]
    near = {at + step for step in steps} | {0, *steps} | {-step for step in steps}
    return sorted(rowid for rowid in near | {_LAST_ROWID} if at < rowid <= _LAST_ROWID)


def damage(fault: DatabaseFault) -> DatabaseFault:
    """The fault, if reading may go on around it.

    Raises:
        DatabaseFault: if not.
    """
    if fault.final:
        raise fault
    return fault


def rowid_of(row: Values) -> int:
    """The row id that ends a row.

    Raises:
        DatabaseFault: if that is no number, which no table says of itself.
    """
    rowid = row[-1]
    if not isinstance(rowid, int):
        raise DatabaseFault("a row id is no number")
    return rowid
