"""A table, read page by page in the order of a key, and what of it damage leaves.

Every page is a statement of its own, ``WHERE key > ? ORDER BY key LIMIT n``, so no table is ever
held in memory, a page may be asked for after the database was opened again, and an index on the
columns of the condition and of the key makes each page a single seek.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from inspector.tape.database_statements import (
    DatabaseFault,
    Fetched,
    Value,
    Values,
    identifier,
)
from inspector.tape.database_walk import FIRST_ROWID, Fetcher, Hole, RowidWalk, damage, rowid_of

_LEAST_ROW: Final = 2
"""Bytes of a row in a file. It takes twice as many, and a salvaged row is counted twice."""


class Select(NamedTuple):
    """Which rows of one table are wanted, and in which order.

    Attributes:
        table: name of a table.
        columns: what is wanted of a row, as SQL: names, or terms such as ``length(data)``.
        key: names of the columns that order the rows; rows with equal keys follow their row ids.
            None of them: the order of the row ids. A table without row ids needs its primary key.
        where: a condition, as SQL, with ``?`` for each of ``parameters``.
    """

    table: str
    columns: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    where: str = "1"
    parameters: Values = ()


class Row(NamedTuple):
    """One row: where it is, and what was wanted of it.

    Attributes:
        after: ask for the rows after this one with it.
        rowid: its location; None in a table without row ids.
        values: its columns.
    """

    after: Values
    rowid: int | None
    values: Values


class Page(NamedTuple):
    """Some rows one after the other.

    Attributes:
        order: the columns of the whole key, as SQL.
        rows: of each its key, then its columns.
    """

    order: tuple[str, ...]
    rows: list[Values]


class Gap(NamedTuple):
    """Rows that are there, or may be, and cannot be read. It stands where they would.

    Where the table has no index that holds the key, nobody knows where that is, nor whether the
    rows fit the condition: such gaps come before the rows.

    Attributes:
        table: name of the table.
        first: the first row id; None if the table has none.
        last: the last row id; None if nothing is known of where they end.
        key: the key of the first row, its row id last; empty if that is not known.
        reason: SQLite's sentence.
    """

    table: str
    first: int | None
    last: int | None
    key: Values
    reason: str

    @property
    def message(self) -> str:
        """The sentence for a person."""
        if self.first is None:
            what = f"further rows of {self.table}"
        elif self.last is None:
            what = f"rows of {self.table} from {self.first} on"
        elif self.first == self.last:
            what = f"row {self.first} of {self.table}"
        else:
            what = f"rows {self.first} to {self.last} of {self.table}"
        return f"{what} cannot be read: {self.reason}"


class Source(Fetcher, Protocol):
    """What paging needs of a database."""

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""

    def bytes_there(self) -> int:
        """Bytes of the file and its sidecars."""


class Pager:
    """Reads one selection.

    Raises:
        DatabaseFault: at the first page, if there is no such table or column.
    """

    def __init__(self, database: Source, select: Select) -> None:
        self._database = database
        self._select = select
        self._table = identifier(select.table)
        self._rows_left = database.bytes_there() // _LEAST_ROW

    @cached_property
    def _rowid(self) -> str | None:
        """The name under which the row id goes, unless columns took all of its names."""
        taken = {name.lower() for name in self._database.columns(self._select.table)}
        for name in ("rowid", "_rowid_", "oid"):
            if name not in taken:
                asked = f"SELECT {name} FROM {self._table} LIMIT 0"  # noqa: S608 - the name is quoted
                known = self._database.fetch(asked)
                return name if known.fault is None else None
        return None

    @cached_property
    def _order(self) -> list[str]:
        """The columns of the whole key, which no two rows share."""
        names = [identifier(name) for name in self._select.key]
        return names if self._rowid is None else [*names, self._rowid]

    def read(self, after: Values, page: int) -> Iterator[Row | Gap]:
        """The rows after a key, or after the start of one, in order."""
        for found in self.pages(after, page):
            if isinstance(found, Gap):
                yield found
            else:
                yield from map(self._row, found.rows)

    def pages(self, after: Values, page: int) -> Iterator[Page | Gap]:
        """The same, as many rows at once as were fetched."""
        self._understood()
        order = tuple(self._order)
        while True:
            fetched = self._page(self._select.columns, after, page)
            if fetched.rows:
                after = fetched.rows[-1][: len(order)]
                yield Page(order, fetched.rows)
            if fetched.fault is not None:
                for found in merged(self._salvage(after, page, damage(fetched.fault))):
                    if isinstance(found, Gap):
                        yield found
                    else:
                        yield Page(order, [(*found.after, *found.values)])
                return
            if not fetched.rows:
                return
            self._count(len(fetched.rows))

    def one(self, rowid: int) -> Values | None:
        """What is wanted of one row; None if there is no such row."""
        self._understood()
        fetched = self._at(rowid)
        if fetched.fault is not None:
            raise fetched.fault
        return fetched.rows[0] if fetched.rows else None

    def _understood(self) -> None:
        """Tell what lacks a column, or is no table, from what is damaged: no row is read here."""
        known = self._database.fetch(f"SELECT 1 FROM {self._table} LIMIT 0")  # noqa: S608 - as above
        if known.fault is None and not self._order:
            raise DatabaseFault(f"{self._select.table} has no row ids, and no key was given")
        fault = known.fault or self._page(self._select.columns, (), 0).fault
        if fault is not None:
            raise fault

    def _page(self, columns: Sequence[str], after: Values, page: int) -> Fetched:
        bound, bounds = beyond(self._order, after)
        return self._database.fetch(
            f"SELECT {', '.join((*self._order, *columns))} FROM {self._table} "  # noqa: S608 - names are quoted, the rest is ours
            f"WHERE ({self._select.where}) AND {bound} "
            f"ORDER BY {', '.join(self._order)} LIMIT {page}",
            (*self._select.parameters, *bounds),
            page,
        )

    def _at(self, rowid: int) -> Fetched:
        columns = ", ".join(self._select.columns)
        return self._database.fetch(
            f"SELECT {columns} FROM {self._table} WHERE {self._rowid} = ?",  # noqa: S608 - as above
            (rowid,),
            1,
        )

    def _row(self, values: Values) -> Row:
        key = values[: len(self._order)]
        rowid = key[-1] if self._rowid is not None else None
        return Row(key, rowid if isinstance(rowid, int) else None, values[len(key) :])

    def _count(self, rows: int) -> None:
        """Pages of a damaged tree can lead back to themselves, and would be read for ever."""
        self._rows_left -= rows
        if self._rows_left < 0:
            raise DatabaseFault(f"{self._select.table} has more rows than the file has room for")

    def _salvage(self, after: Values, page: int, fault: DatabaseFault) -> Iterator[Row | Gap]:
        """What can be reached behind a fault, row by row.

        An index that holds the key tells which rows there are, even those that cannot be read.
        Where there is none, or it is damaged too, every row id is tried.
        """
        if self._rowid is None:
            yield self._gap(None, None, str(fault))
            return
        while True:
            listed = self._page((), after, page)
            yield from self._each(listed.rows)
            if listed.rows:
                after = listed.rows[-1]
            if listed.fault is not None:
                damage(listed.fault)
                break
            if not listed.rows:
                return
            self._count(len(listed.rows))
        keys: list[Values] = []
        for found in self._walked(self._rowid, after, page):
            if isinstance(found, Hole):
                yield self._gap(*found)
            elif self._select.key:
                keys.append(found)
            else:
                yield from self._each([found])
        yield from self._each(sorted(keys, key=_as_sqlite_sorts))

    def _each(self, keys: Sequence[Values]) -> Iterator[Row | Gap]:
        """The rows with these keys, one by one."""
        for key in keys:
            rowid = rowid_of(key)
            fetched = self._at(rowid)
            if fetched.fault is not None:
                yield self._gap(rowid, rowid, str(damage(fetched.fault)), key)
            elif fetched.rows:
                yield Row(key, rowid, fetched.rows[0])
            else:
                yield self._gap(rowid, rowid, "an index names it and the table lacks it", key)

    def _walked(self, rowid: str, after: Values, page: int) -> Iterator[Values | Hole]:
        """The keys of the rows that are wanted, by row id, and the holes between them."""
        bound, bounds = beyond(self._order, after)
        walk = RowidWalk(
            self._database,
            self._table,
            rowid,
            (f"({self._select.where}) AND {bound}", *self._order),
            (*self._select.parameters, *bounds),
        )
        by_rowid = not self._select.key and after
        for found in walk.rows(rowid_of(after) + 1 if by_rowid else FIRST_ROWID, page):
            self._count(1)
            if isinstance(found, Hole):
                yield found
            elif found[0]:
                yield found[1:]

    def _gap(self, first: int | None, last: int | None, reason: str, key: Values = ()) -> Gap:
        return Gap(self._select.table, first, last, key, reason)


def beyond(order: Sequence[str], after: Values) -> tuple[str, Values]:
    """The condition that a key comes after another or its like, and the values in it.

    A key shorter than the order stands for all that begin with it. NULL comes before everything,
    and nothing compares with it.
    """
    if not after:
        return "1", ()
    names = order[: len(after)]
    if None not in after:
        marks = ", ".join("?" * len(after))
        return f"({', '.join(names)}) > ({marks})", after
    cases: list[str] = []
    values: list[Value] = []
    for at, (name, value) in enumerate(zip(names, after, strict=True)):
        same = [f"{other} IS ?" for other in names[:at]]
        cases.append(
            " AND ".join([*same, f"{name} IS NOT NULL" if value is None else f"{name} > ?"])
        )
        values += after[:at] if value is None else after[: at + 1]
    return f"({' OR '.join(cases)})", tuple(values)


def merged(found: Iterator[Row | Gap]) -> Iterator[Row | Gap]:
    """The same, with gaps that touch made one."""
    held: Gap | None = None
    for item in found:
        if isinstance(item, Gap) and held is not None and _touch(held, item):
            held = held._replace(last=item.last)
            continue
        if held is not None:
            yield held
        held = item if isinstance(item, Gap) else None
        if held is None:
            yield item
    if held is not None:
        yield held


def _touch(one: Gap, other: Gap) -> bool:
    if one.last is None or other.first is None or one.reason != other.reason:
        return False
    return one.last + 1 == other.first


def _as_sqlite_sorts(key: Values) -> tuple[tuple[int, int | float | bytes], ...]:
    """NULL, numbers, text by its bytes, blobs: sqlite.org/datatype3.html section 4.1."""
    return tuple(_sorted_value(value) for value in key)


def _sorted_value(value: Value) -> tuple[int, int | float | bytes]:
    if value is None:
        return 0, 0
    if isinstance(value, str):
        return 2, value.encode("utf-8", "surrogateescape")
    return (3, value) if isinstance(value, bytes) else (1, value)
