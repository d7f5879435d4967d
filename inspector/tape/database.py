"""A SQLite file as a source of rows, read without touching it or its folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, NamedTuple, Self

from inspector.tape.database_files import Signature, Trouble, signature
from inspector.tape.database_opening import Opened, open_database, real_path
from inspector.tape.database_paging import Gap, Page, Pager, Row, Select
from inspector.tape.database_statements import (
    PAGE,
    DatabaseFault,
    Fetched,
    Statement,
    Value,
    Values,
    identifier,
)
from inspector.tape.stopping import heed

COPY_LIMIT: Final = 1 << 30
"""The most bytes copied in order to read a -wal."""


class SchemaObject(NamedTuple):
    """A table, index, view or trigger; ``sql`` is empty where SQLite made it itself."""

    type: str
    name: str
    table: str
    sql: str


class Database:
    """A SQLite file, read without touching it or its folder.

    A fold may read in one thread while a screen reads in another: one lock, held for a page.

    Attributes:
        path: as it was given.

    Args:
        path: the database, or a link to it.
        copy_limit: the most bytes copied where copying is needed.
        temporary: where private folders are made; None for the system's place.

    Raises:
        SourceError: if it is no readable database; the message says why in one sentence.
    """

    def __init__(
        self, path: Path, *, copy_limit: int = COPY_LIMIT, temporary: Path | None = None
    ) -> None:
        self.path = path
        self._copy_limit = copy_limit
        self._temporary = temporary
        self._lock = Lock()
        self._opened = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def how(self) -> str:
        """One sentence about how it was opened."""
        return self._opened.how

    @property
    def troubles(self) -> list[Trouble]:
        """What of it is not read, and why."""
        return self._opened.troubles

    @property
    def application_id(self) -> int:
        """The owner's number of the kind of file, signed, 0 if it gave none."""
        return self._opened.connection.application_id

    @property
    def user_version(self) -> int:
        """The owner's number of the schema."""
        return self._opened.connection.user_version

    @property
    def encoding(self) -> str:
        """How the file keeps text: ``UTF-8``, ``UTF-16le`` or ``UTF-16be``."""
        return self._opened.connection.encoding

    @property
    def page_size(self) -> int:
        """Bytes of a page."""
        return self._opened.connection.page_size

    def bytes_there(self) -> int:
        """Bytes of the file and of the sidecars that are read."""
        return self._opened.connection.bytes_there

    def objects(self) -> list[SchemaObject]:
        """The schema, in the order in which it was made.

        Raises:
            DatabaseFault: if it cannot be read.
        """
        found = self.rows("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return [SchemaObject(*(_word(value) for value in row)) for row in found]

    def tables(self) -> list[str]:
        """The names of the tables that the owner made and that can be read.

        A virtual table is none: it is code that the file chooses, and refused as a view is.
        """
        return [
            thing.name
            for thing in self.objects()
            if thing.type == "table"
            and not thing.name.startswith("sqlite_")
            and not thing.sql.upper().startswith("CREATE VIRTUAL")
        ]

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns, computed ones included; none if there is no such table.

        Raises:
            DatabaseFault: if the name of one is not UTF-8, or this is a virtual table.
        """
        found = self.rows(f"PRAGMA table_xinfo({identifier(table)})")
        return [_word(column[1]) for column in found]

    def rows(self, sql: str, parameters: Sequence[Value] = ()) -> Iterator[Values]:
        """The rows of a SELECT, read as they are asked for.

        It may read tables and call functions; views, writing and all else are refused.

        Raises:
            DatabaseFault: after the rows that could be read, if that were not all.
        """
        with self._lock:
            opened = self._opened
            statement = Statement(opened.connection, sql, parameters)
        while True:
            with self._lock:
                fetched = statement.fetch()
            yield from fetched.rows
            if fetched.fault is not None:
                if opened is not self._opened:
                    raise DatabaseFault("it changed and was opened again while this was read")
                raise DatabaseFault(f"{fetched.fault}{self._why()}", final=fetched.fault.final)
            if not fetched.rows:
                return

    def fetch(self, sql: str, parameters: Sequence[Value] = (), most: int = PAGE) -> Fetched:
        """The first rows of a SELECT, at most so many, and what stopped them."""
        heed()
        with self._lock:
            statement = Statement(self._opened.connection, sql, parameters)
            rows, fault = statement.fetch(most)
            statement.close()
        return Fetched(rows, fault)

    def paged(self, select: Select, after: Values = (), page: int = PAGE) -> Iterator[Row | Gap]:
        """The rows of a table in the order of a key, and gaps where rows cannot be read.

        A damaged page costs the rows on it: those behind it are read one by one.

        Args:
            select: which rows.
            after: ``Row.after`` of the last row that is known already, or the start of a key.
            page: rows asked for at once.

        Raises:
            DatabaseFault: if there is no such table or column, or the database was closed.
        """
        for found in Pager(self, select).read(after, page):
            if isinstance(found, Gap):
                yield found._replace(reason=found.reason + self._why())
            else:
                yield found

    def pages(self, select: Select, after: Values, page: int) -> Iterator[Page | Gap]:
        """The same as `paged`, as many rows at once as were fetched, at most ``page``."""
        for found in Pager(self, select).pages(after, page):
            if isinstance(found, Gap):
                yield found._replace(reason=found.reason + self._why())
            else:
                yield found

    def row(self, select: Select, rowid: int) -> Values | None:
        """The columns of one row by its row id; None if there is no such row.

        Raises:
            DatabaseFault: if it cannot be read.
        """
        return Pager(self, select).one(rowid)

    def signature(self) -> Signature:
        """Equal to an earlier one as long as neither the database nor a sidecar changed."""
        return signature(real_path(self.path))

    def changed(self) -> bool:
        """Whether anything changed since it was opened; asks the file system only.

        Raises:
            SourceError: if the file cannot be looked at.
        """
        opened = self._opened
        return not opened.connection.closed and self.signature() != opened.signature

    def refresh(self) -> bool:
        """Open again, and copy again where that is needed, if anything changed.

        Raises:
            SourceError: if that is no longer possible; what was open stays open.
        """
        if self._opened.connection.closed or self.signature() == self._opened.signature:
            return False
        opened = self._open()
        with self._lock:
            before, self._opened = self._opened, opened
            if before.connection.closed:
                opened.close()
            before.close()
        return True

    def close(self) -> None:
        """End what is being read, give the files back, and delete the copy if there is one."""
        self._opened.connection.stop()
        with self._lock:
            self._opened.close()

    def _open(self) -> Opened:
        return open_database(self.path, self._copy_limit, self._temporary)

    def _why(self) -> str:
        """What a reason must add if SQLite may have read two states of the file as one."""
        if self.signature() == self._opened.signature:
            return ""
        return "; the file changed since it was opened"


def _word(value: Value) -> str:
    """A field of a schema that may hold anything."""
    return value if isinstance(value, str) else ""
