"""A log whose records are the rows of one session in a database (format page 2.4)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.formats.dsh import rules
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.formats.dsh.sources.database import Session, SessionStore
from inspector.formats.dsh.sources.rows import (
    COLUMNS,
    Fault,
    Row,
    as_line,
    decode,
    is_packed,
    plain_data,
)
from inspector.formats.logs import row_log as kit
from inspector.formats.logs.row_parts import Part, RowDecoder
from inspector.formats.logs.rules import BAD_ROW
from inspector.tape.database_paging import Select
from inspector.tape.database_statements import Values
from inspector.tape.records import RowTable
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding

_DATA: Final = (COLUMNS.index("data"),)
"""The columns that hold JSON; those of few words that also do are no text to look into."""


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


class Rows(RowDecoder):
    """Gives rows to a decoder, and tells the judge of those that its owner does not read.

    Attributes:
        fatal: why the owner refuses the session because of a row, wherever it stands, or None.
    """

    def __init__(self, decoder: Decoder, schema: int) -> None:
        super().__init__(decoder)
        self._decoder = decoder
        self._schema = schema
        self.fatal: str | None = None

    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows, the first of which is a record by this number."""
        schema = self._schema
        held = [Row(*row) for row in rows]
        self._decoder.fold(record, held, lambda row: decode(row, schema), self._no_plain_event)

    def _no_plain_event(self, row: Row, value: Any, record: int) -> None:
        decoder = self._decoder
        if value is None:
            value = decode(row, self._schema)
        if isinstance(value, Fault):
            if value.fatal:
                self.fatal = self.fatal or value.message
            decoder.judge.unreadable(decoder.position, record)
            decoder.damaged(record, BAD_ROW, f"row seq {row.seq}: {value.message}")
        elif is_packed(row):
            decoder.packed(value, record)
        else:
            decoder.scalar(value, record)

    def values(self, row: Values) -> list[Any]:
        """The event or packed row that a row holds; none if it was changed to what is neither."""
        value = decode(Row(*row), self._schema)
        return [value] if isinstance(value, dict) else []


class RowLog(kit.RowLog):
    """See `inspector.formats.dsh.sources.log.Log`; owns the database."""

    def __init__(self, store: SessionStore, session: Session) -> None:
        identity = session.header.id or ""
        select = Select("events", COLUMNS, ("seq",), "session_id = ?", (identity,))
        part = Part(select, "seq", _DATA)
        records = RowTable()
        super().__init__(store.database, (part,), records, None, f"sqlite-{store.schema}")
        self._store = store
        self._session = session
        self._identity = identity
        self._refusal = store.refusal()
        self._rows_decoder: Rows | None = None
        self.nouns: Nouns = _RowNouns(records)
        self.whole = True
        self.header_is_json = True
        self.unfinished: str | None = None
        self.misnamed: str | None = None

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

    def decode_by(self, decoder: Decoder) -> None:
        """Feed this decoder."""
        self._rows_decoder = Rows(decoder, self._store.schema)
        self.start(self._rows_decoder)

    def _texts(self, row: Values, record: int) -> list[bytes]:
        """The data of a row, unpacked."""
        del record
        text = plain_data(Row(*row))
        return [] if text is None else [text]

    # Lines that are copied.

    def line(self, record: int) -> bytes:
        """A record as a line of a plain log: what the columns say, the data as it is kept."""
        row = self.row(record)
        line = None if row is None else as_line(Row(*row), self._store.schema)
        if line is None:
            raise SourceError(f"row {record} is not what it was when it was read")
        return line

    def lines(self, records: range) -> Iterator[bytes]:
        """Records in order as whole lines."""
        return (self.line(record) + b"\n" for record in records)

    # The database.

    @property
    def fatal(self) -> str | None:
        """Why the owner refuses the session whatever its rows say."""
        rows = self._rows_decoder
        return self._refusal or (rows.fatal if rows is not None else None)

    def strict(self, _record: int) -> str | None:
        """A fault at the end is dropped."""
        return None

    def _became(self) -> Change:
        """What became of the session; a repair may have taken its last rows."""
        now = self._store.session(self._identity)
        if now is None:
            return Change.GONE
        if now.header.incarnation != self.header.incarnation:
            return Change.REPLACED
        became = super()._became()
        if became is Change.NONE:
            self._session = now
        return became
