"""One read-only connection to a database of a stranger, and what a statement may do there."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from inspector.tape.database_cipher import KEY_VARIABLE, Cipher
from inspector.tape.source import SourceError

Value = int | float | str | bytes | None
"""What a column holds. Text that is not UTF-8 is a string with lone surrogates, never bytes."""

Values = tuple[Value, ...]

PAGE: Final = 1024
"""The most rows fetched at once."""
PAGE_BYTES: Final = 8 * 1024 * 1024
"""Text and blobs after which a page is full, however few its rows are."""
_STEPS: Final = 100_000
"""Steps of SQLite's machine between two questions whether to go on."""
_MOST_STEPS: Final = 2_000_000_000
"""Steps, about a minute of them, after which one fetch is given up."""
_SMALLEST_LIMIT: Final = 1_000_000
_LARGEST_LIMIT: Final = 1_000_000_000


class DatabaseFault(SourceError):  # noqa: N818 - the file's fault, not the program's error
    """SQLite could not read on; the message is one sentence, SQLite's own where it has one.

    Attributes:
        final: nothing else can be read either: the database is closed, or this took too long.
    """

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class Fetched(NamedTuple):
    """The rows that could be read, and why there are no more; None at the end or a full page."""

    rows: list[Values]
    fault: DatabaseFault | None


def identifier(name: str) -> str:
    """A name as SQL.

    In backticks: SQLite takes a name in double quotes that it does not know for a string.
    """
    return "`" + name.replace("`", "``") + "`"


class Connection:
    """A connection that reads tables and does nothing else.

    No statement writes, attaches, loads code, or reads through a view: what a view computes is
    chosen by whoever made the file, and it can run for ever. Not for two threads at once.

    Args:
        path: the database.
        mode: ``immutable`` takes no lock, makes no file and reads no sidecar; ``ro`` reads a
            ``-wal`` and makes a ``-shm``; ``rw`` also rolls a ``-journal`` back.
        bytes_there: bytes of the file and its sidecars, and so of the longest value in it.
        cipher: how it is decrypted, if it is encrypted.

    Raises:
        DatabaseFault: if SQLite cannot read the schema.
    """

    def __init__(
        self, path: Path, mode: str, bytes_there: int, cipher: Cipher | None = None
    ) -> None:
        query = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
        self._made_with = path, mode, bytes_there, cipher
        self.closed = False
        self.bytes_there = bytes_there
        self._steps = 0
        self._lenient = False
        self.faults: tuple[type[Exception], ...] = _FAULTS
        driver: ModuleType = sqlite3
        if cipher is not None:
            driver = cipher.driver
            self.faults = (*_FAULTS, driver.Error)
        try:
            self._sqlite: sqlite3.Connection = driver.connect(
                f"file://{quote(os.fsencode(path.absolute()))}?{query}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
        except self.faults as error:
            raise DatabaseFault(_sentence(error)) from error
        try:
            if cipher is not None:
                self._unlock(cipher)
                # How its driver words a refusal of text is its own affair.
                self._sqlite.text_factory = _text
            self._prepare(bytes_there)
        except self.faults as error:
            self.close()
            raise DatabaseFault(_sentence(error)) from error
        except DatabaseFault:
            self.close()
            raise

    def another(self) -> "Connection":
        """A connection to the same database, for another reader."""
        return Connection(*self._made_with)

    def _unlock(self, cipher: Cipher) -> None:
        sqlite: Any = self._sqlite
        # Its driver would tell a wrong key on the terminal.
        sqlite.execute("PRAGMA cipher_log_level=NONE").close()
        sqlite.set_key(cipher.key)
        try:
            sqlite.execute("SELECT 1 FROM sqlite_master LIMIT 1").close()
        except cipher.driver.DatabaseError as error:
            raise DatabaseFault(
                f"no database that the key in {KEY_VARIABLE} opens ({_sentence(error)})"
            ) from error

    def _prepare(self, bytes_there: int) -> None:
        sqlite = self._sqlite
        # The driver of encrypted ones has no limits; who has the key is no stranger.
        if hasattr(sqlite, "setlimit"):
            # A compressed value such as zeroblob(1e9) in a generated column would fill the memory.
            longest = min(max(bytes_there, _SMALLEST_LIMIT), _LARGEST_LIMIT)
            sqlite.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
        safe = ("query_only=1", "trusted_schema=OFF", "mmap_size=0", "cell_size_check=ON")
        # Rows are read once and in order, so a cache of KiB is as good as the usual megabytes.
        for pragma in (*safe, "cache_size=-256"):
            sqlite.execute(f"PRAGMA {pragma}").close()
        sqlite.execute("SELECT 1 FROM sqlite_master LIMIT 1").close()
        self.application_id = int(self._pragma("application_id"))
        self.user_version = int(self._pragma("user_version"))
        self.encoding = str(self._pragma("encoding"))
        self.page_size = int(self._pragma("page_size"))
        sqlite.set_progress_handler(self._must_stop, _STEPS)
        sqlite.set_authorizer(_permission)

    def _pragma(self, name: str) -> int | str:
        value: int | str = self._sqlite.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _must_stop(self) -> bool:
        self._steps += _STEPS
        return self.closed or self._steps > _MOST_STEPS

    def begin_fetch(self) -> None:
        """Give the next fetch all the steps that a fetch may take."""
        self._steps = 0

    def becomes_lenient(self, error: BaseException) -> bool:
        """Whether text that is not UTF-8 caused this, and is read from now on; said once.

        The driver's own reading of text is several times as fast, and refuses such text.
        """
        if self._lenient or not str(error).startswith("Could not decode to UTF-8"):
            return False
        self._sqlite.text_factory = _text
        self._lenient = True
        return True

    def execute(self, sql: str, parameters: Sequence[Value]) -> sqlite3.Cursor:
        """A cursor; raises what sqlite3 raises."""
        return self._sqlite.execute(sql, parameters)

    def fault(self, error: BaseException) -> DatabaseFault:
        """What went wrong, as a sentence."""
        if self.closed:
            return DatabaseFault("closed", final=True)
        if str(error) == "interrupted":
            return DatabaseFault(f"given up after {self._steps:,} steps", final=True)
        return DatabaseFault(_sentence(error))

    def stop(self) -> None:
        """Make the fetch that another thread is in end soon, and every later one fail."""
        self.closed = True

    def close(self) -> None:
        """Give the files back."""
        self.closed = True
        self._sqlite.close()


class Statement:
    """A running SELECT, from which pages are fetched."""

    def __init__(self, connection: Connection, sql: str, parameters: Sequence[Value] = ()) -> None:
        self._connection = connection
        self._given = 0
        self._cursor: sqlite3.Cursor | None = None
        self._fault: DatabaseFault | None = None
        self._sql, self._parameters = sql, parameters
        connection.begin_fetch()
        try:
            self._sql, self._parameters = spelled(sql, parameters)
            self._cursor = connection.execute(self._sql, self._parameters)
        except connection.faults as error:
            self._fault = connection.fault(error)

    def fetch(self, most: int = PAGE) -> Fetched:
        """At most so many of the next rows, one at a time, so that a fault costs none of them."""
        rows: list[Values] = []
        if self._cursor is None:
            return Fetched(rows, self._fault)
        self._connection.begin_fetch()
        try:
            self._step(self._cursor, rows, most)
        except self._connection.faults as error:
            if self._connection.becomes_lenient(error):
                return self._read_on(rows, most)
            fault = self._connection.fault(error)
            rows += self._swallowed(self._given + len(rows))
            self._cursor, self._fault = None, fault
        self._given += len(rows)
        return Fetched(rows, self._fault)

    def _step(self, cursor: sqlite3.Cursor, rows: list[Values], most: int) -> None:
        size = 0
        while len(rows) < most and size < PAGE_BYTES:
            row: Values | None = cursor.fetchone()
            if row is None:
                break
            rows.append(row)
            for value in row:
                if type(value) is str or type(value) is bytes:
                    size += len(value)

    def _read_on(self, rows: list[Values], most: int) -> Fetched:
        """The same page again behind some rows of it, by a statement that begins there."""
        self._given += len(rows)
        rest = f"SELECT * FROM ({self._sql}) LIMIT -1 OFFSET {self._given}"  # noqa: S608 - ran already
        try:
            self._cursor = self._connection.execute(rest, self._parameters)
        except self._connection.faults as error:
            self._cursor, self._fault = None, self._connection.fault(error)
            return Fetched(rows, self._fault)
        more = self.fetch(most - len(rows))
        return Fetched(rows + more.rows, more.fault)

    def _swallowed(self, given: int) -> list[Values]:
        """The row that sqlite3 held when the step to the next one failed, and then dropped."""
        again = f"SELECT * FROM ({self._sql}) LIMIT 1 OFFSET {given}"  # noqa: S608 - ran already
        try:
            row: Values | None = self._connection.execute(again, self._parameters).fetchone()
        except self._connection.faults:
            return []
        return [] if row is None else [row]

    def close(self) -> None:
        """Let go of what the statement holds."""
        if self._cursor is not None and not self._connection.closed:
            self._cursor.close()
        self._cursor = None


def spelled(sql: str, parameters: Sequence[Value]) -> tuple[str, Sequence[Value]]:
    """A statement whose text values can be bound: one that is not UTF-8 goes as its bytes."""
    marks = sql.split("?")
    raw = [_raw(value) for value in parameters]
    if not any(raw) or len(marks) != len(parameters) + 1:
        return sql, parameters
    spelled_sql = marks[0] + "".join(
        ("?" if bytes_ is None else "CAST(? AS TEXT)") + rest
        for bytes_, rest in zip(raw, marks[1:], strict=True)
    )
    return spelled_sql, [
        value if bytes_ is None else bytes_ for bytes_, value in zip(raw, parameters, strict=True)
    ]


def _raw(value: Value) -> bytes | None:
    """The bytes of a text that is not UTF-8; None for everything else."""
    if not isinstance(value, str):
        return None
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogateescape")
    return None


# Names and messages of a hostile file are not always UTF-8, and its values are as long as it says.
_FAULTS: Final = (sqlite3.Error, UnicodeError, OverflowError, MemoryError)

_HARMLESS: Final = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)


def _permission(
    action: int, first: str | None, second: str | None, schema: str | None, inner: str | None
) -> int:
    """Whether a statement may do this; ``inner`` is the view through which it would."""
    del schema
    if inner is None and action in _HARMLESS and second != "load_extension":
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo":
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _sentence(error: BaseException) -> str:
    if isinstance(error, UnicodeError):
        return "a name in the schema is not UTF-8"
    if isinstance(error, MemoryError):
        return "out of memory"
    return str(error) or "SQLite gave no reason"
