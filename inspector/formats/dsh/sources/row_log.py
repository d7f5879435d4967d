"""A log whose records are the rows of one session in a database (format page 2.4)."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import Place
from inspector.formats.dsh import rules
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.formats.dsh.sources.database import Session, SessionStore
from inspector.formats.dsh.sources.rows import COLUMNS, Fault, Row, decode, is_packed, plain_data
from inspector.tape import database_paging as paging
from inspector.tape.notes import Note
from inspector.tape.oddities import oddities
from inspector.tape.records import Fate, RowTable
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.text.jsontext import json_text
from inspector.timeline.findings import Finding

_PAGE: Final = 2_000


class _RowNouns(Nouns):
    """How the owner words a fault in the rows of a session."""

    def __init__(self, records: RowTable) -> None:
        self._records = records

    def unreadable(self, record: int) -> str:
        """A row that does not decode."""
        return f"invalid committed physical row at seq {self._records.key(record)}"

    def gap(self, record: int, _expected: int, _got: str) -> str:
        """A row that bears another number than the next."""
        return self.unreadable(record)


class RowLog:
    """See `inspector.formats.dsh.sources.log.Log`; owns the database."""

    def __init__(self, store: SessionStore, session: Session) -> None:
        self._store = store
        self._session = session
        self._identity = session.header.id or ""
        self._after: tuple[Any, ...] = ()
        self._fatal: str | None = store.refusal()
        self._rows = self._from_here()
        self._last: Row | None = None
        self._at_end = False
        self._fate = Change.NONE
        self.records = RowTable()
        self.nouns: Nouns = _RowNouns(self.records)
        self.whole = True
        self.header_is_json = True
        self.unfinished: str | None = None
        self.misnamed: str | None = None
        self.torn: str | None = None

    @property
    def path(self) -> Path:
        """The database."""
        return self._store.database.path

    @property
    def variant(self) -> str:
        """The schema."""
        return f"sqlite-{self._store.schema}"

    @property
    def how(self) -> str:
        """What was done to open it."""
        return self._store.database.how

    @property
    def header(self) -> Header:
        """The row of the session."""
        return self._session.header

    def begin(self) -> None:
        """The header is there."""

    def first_findings(self) -> Iterator[Finding]:
        """What the owner says against the database and the row of the session."""
        for problem in self._store.faults():
            yield Finding(rules.BAD_STORE, None, None, problem)
        if self.header.problem is not None:
            kind = rules.BAD_HEADER if self.header.readable else rules.OTHER_VERSION
            yield Finding(kind, None, None, self.header.problem)
        broken = self._store.broken_list()
        if broken is not None:
            yield Finding(rules.BROKEN_LIST, None, None, broken)

    # Reading on.

    def _from_here(self) -> Iterator[paging.Row | paging.Gap]:
        select = paging.Select("events", COLUMNS, ("seq",), "session_id = ?", (self._identity,))
        return self._store.database.paged(select, self._after, _PAGE)

    def feed(self, decoder: Decoder) -> bool:
        """Give the next rows to a decoder; False at the end, for now."""
        if self._at_end:
            self._look_again()
        rows: list[Row] = []
        fed = False
        for found in islice(self._rows, _PAGE):
            fed = True
            if isinstance(found, paging.Row):
                self._after = found.after
                rows.append(Row(*found.values))
                continue
            self._fold(rows, decoder)
            rows = []
            decoder.lost(rules.UNREADABLE_ROWS, found.message, None)
        self._fold(rows, decoder)
        self._at_end = not fed
        return fed

    def _fold(self, rows: list[Row], decoder: Decoder) -> None:
        record = len(self.records)
        for row in rows:
            self.records.append(row.seq if isinstance(row.seq, int) else -1)
            self._last = row
        schema = self._store.schema

        def odd(row: Row, value: Any, record: int) -> None:
            self._odd(decode(row, schema) if value is None else value, row, record, decoder)

        decoder.fold(record, rows, lambda row: decode(row, schema), odd)

    def _odd(self, value: Any, row: Row, record: int, decoder: Decoder) -> None:
        """A row that holds no plain event."""
        if isinstance(value, Fault):
            if value.fatal:
                self._fatal = self._fatal or value.message
            decoder.judge.unreadable(decoder.position, record)
            decoder.damaged(record, rules.BAD_ROW, f"row seq {row.seq}: {value.message}")
        elif is_packed(row):
            decoder.packed(value, record)
        else:
            decoder.scalar(value, record)

    def skip(self) -> bool:
        """Account for rows of a version that nobody here can read."""
        fed = False
        for found in islice(self._rows, _PAGE):
            fed = True
            if isinstance(found, paging.Row):
                self._after = found.after
                self.records.append(found.values[0] if isinstance(found.values[0], int) else -1)
                self.records.set_fate(len(self.records) - 1, Fate.BOOKKEEPING)
        if not fed:
            self._rows = self._from_here()
        return fed

    @property
    def progress(self) -> float:
        """Nobody knows how many rows there are without counting them."""
        return 0.0

    @property
    def pending(self) -> int:
        """A row is there or not."""
        return 0

    @property
    def frames(self) -> int | None:
        """There are no frames."""
        return None

    # Single records.

    def place(self, record: int) -> Place:
        """Which row a record is."""
        known = record < len(self.records)
        return Place(None, None, f"seq {self.records.key(record)}" if known else None)

    def _row(self, record: int) -> Row | None:
        found = self._store.database.fetch(
            f"SELECT {', '.join(COLUMNS)} FROM events WHERE session_id = ? AND seq = ?",  # noqa: S608 - names of ours
            (self._identity, self.records.key(record)),
        )
        if found.fault is not None:
            raise found.fault
        return Row(*found.rows[0]) if found.rows else None

    def length(self, record: int) -> int:
        """The bytes of the data of a row as they are stored."""
        found = self._store.database.fetch(
            "SELECT length(CAST(data AS BLOB)) FROM events WHERE session_id = ? AND seq = ?",
            (self._identity, self.records.key(record)),
        )
        return int(found.rows[0][0] or 0) if found.rows else 0

    def frame(self, _record: int) -> int | None:
        """There are no frames."""
        return None

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a row's data in silence."""
        row = self._row(record)
        text = None if row is None else plain_data(row)
        return [] if text is None else oddities(text)

    def raw(self, record: int) -> bytes:
        """The columns of a row, a line each; data that is compressed is told by its size."""
        row = self._row(record)
        if row is None:
            return b""
        return b"\n".join(
            f"{name}: ".encode() + _column(value) for name, value in zip(COLUMNS, row, strict=True)
        )

    def values(self, record: int) -> tuple[list[Any], int]:
        """What a row holds, and the bytes of its data as they are stored."""
        row = self._row(record)
        if row is None:
            return [], 0
        value = decode(row, self._store.schema)
        size = len(row.data) if isinstance(row.data, str | bytes) else 0
        return ([value] if isinstance(value, dict) else []), size

    def mentions(self, text: str) -> Iterator[int]:
        """The rows whose data hold a text as JSON writes it; compressed ones are all looked at."""
        wanted = json_text(text)[1:-1]
        for record in range(len(self.records)):
            row = self._row(record)
            if row is not None and (isinstance(row.data, bytes) or wanted in str(row.data)):
                yield record

    # The container.

    def troubles(self) -> Iterator[Finding]:
        """What of the database is not read."""
        for trouble in self._store.database.troubles:
            kind = rules.DATABASE.get(trouble.code, rules.DATABASE_TROUBLE)
            yield Finding(kind, None, None, trouble.message)

    @property
    def fatal(self) -> str | None:
        """Why the owner refuses the session whatever its rows say."""
        return self._fatal

    def strict(self, _record: int) -> str | None:
        """A fault at the end is dropped."""
        return None

    def changed(self) -> Change:
        """What happened to the database; opening it again is left to `feed`, as it may copy."""
        if self._fate is Change.REPLACED:
            return self._fate
        try:
            if not self._store.database.changed():
                return self._fate
        except (OSError, SourceError):
            return Change.GONE
        return Change.GROWN if self.path.exists() else Change.GONE

    def _look_again(self) -> None:
        """Open what was written since; a session that is another one is not read on."""
        try:
            if not self._store.database.refresh():
                return
        except SourceError:
            self._fate = Change.GONE
            return
        now = self._store.session(self._identity)
        if now is None:
            self._fate = Change.GONE
        elif now.header.incarnation != self.header.incarnation or self._was_cut():
            self._fate = Change.REPLACED
        else:
            self._fate = Change.NONE
            self._session, self._rows = now, self._from_here()

    def _was_cut(self) -> bool:
        """Whether the last row read is there no longer, or is another, as after a repair."""
        return self._last is not None and self._row(len(self.records) - 1) != self._last

    def close(self) -> None:
        """Give the database back."""
        self._store.database.close()


def _column(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, bytes):
        return f"blob of {len(value)} bytes, {value[:64].hex(' ')}".encode()
    return b"NULL" if value is None else str(value).encode()
