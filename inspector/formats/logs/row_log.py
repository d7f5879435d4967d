"""A log whose records are the rows of one session in a database."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.formats.contract import Place
from inspector.formats.logs import rules
from inspector.formats.logs.folding import Folding
from inspector.tape.database import Database
from inspector.tape.database_paging import Gap, Row, Select
from inspector.tape.database_statements import Values
from inspector.tape.notes import Note
from inspector.tape.oddities import oddities
from inspector.tape.records import RowTable
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.text.jsontext import json_text
from inspector.timeline.findings import Finding

_PAGE: Final = 2_000


class RowDecoder(ABC):
    """Decodes rows; a format says what a row is.

    Attributes:
        folding: where the format puts its events and findings.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding = folding

    @abstractmethod
    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows, the first of which is a record by this number; ends by
        `Folding.publish`.
        """

    @abstractmethod
    def values(self, row: Values) -> list[Any]:
        """The values of a row, one for each of its events, as they are read again."""


class Part(NamedTuple):
    """Some rows of the log: a selection whose key ends in a whole number.

    Attributes:
        select: which; its ``where`` names the session, its first column is the number.
        label: what a row's place is called before the number, as ``entry_id``.
        json: the columns, by place in ``select.columns``, that hold JSON.
    """

    select: Select
    label: str
    json: tuple[int, ...]


class RowLog:
    """See `inspector.formats.logs.log.Log`; owns the database.

    Args:
        database: open.
        parts: the selections, one after the other; only the last one grows.
        records: what becomes of the rows.
        decoder: takes the rows; it and the log share the table of records. None where something
            has to be read before one can be made: see `start`.
        variant: the word for how the rows are kept.
    """

    def __init__(
        self,
        database: Database,
        parts: Sequence[Part],
        records: RowTable,
        decoder: RowDecoder | None,
        variant: str,
    ) -> None:
        self.database = database
        self._parts = parts
        self._part = 0
        self._starts = [0]
        self._decoder = decoder
        self._after: Values = ()
        self._rows = self._from_here()
        self._last: Values | None = None
        self._at_end = False
        self._fate = Change.NONE
        self.records = records
        self.variant = variant
        self.torn: str | None = None

    @property
    def path(self) -> Path:
        """The database."""
        return self.database.path

    @property
    def how(self) -> str:
        """What was done to open it."""
        return self.database.how

    def start(self, decoder: RowDecoder) -> None:
        """Give rows to a decoder that could not be made before."""
        self._decoder = decoder

    # Reading on.

    def _from_here(self) -> Iterator[Row | Gap]:
        return self.database.paged(self._parts[self._part].select, self._after, _PAGE)

    def feed(self) -> bool:
        """Give the next rows to the decoder; False at the end, for now, or without a decoder."""
        decoder = self._decoder
        if decoder is None:
            return False
        if self._at_end:
            self._look_again()
        fed = self._feed_page(decoder)
        while not fed and self._part + 1 < len(self._parts):
            self._part += 1
            self._starts.append(len(self.records))
            self._after = ()
            self._rows = self._from_here()
            fed = self._feed_page(decoder)
        self._at_end = not fed
        return fed

    def _feed_page(self, decoder: RowDecoder) -> bool:
        rows: list[Values] = []
        fed = False
        for found in islice(self._rows, _PAGE):
            fed = True
            if isinstance(found, Row):
                self._after = found.after
                rows.append(found.values)
                continue
            self._fold(rows, decoder)
            rows = []
            decoder.folding.lost(rules.UNREADABLE_ROWS, found.message, None)
        self._fold(rows, decoder)
        return fed

    def _fold(self, rows: list[Values], decoder: RowDecoder) -> None:
        record = len(self.records)
        for row in rows:
            self.records.append(row[0] if isinstance(row[0], int) else -1)
            self._last = row
        decoder.fold(record, rows)

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

    def _part_of(self, record: int) -> Part:
        part = max(at for at, start in enumerate(self._starts) if start <= record)
        return self._parts[part]

    def place(self, record: int) -> Place:
        """Which row a record is."""
        known = record < len(self.records)
        label = self._part_of(record).label
        return Place(None, None, f"{label} {self.records.key(record)}" if known else None)

    def row(self, record: int) -> Values | None:
        """The columns of a row as they are now; None if it is there no longer.

        Raises:
            SourceError: if it cannot be read.
        """
        return self._asked(record, self._part_of(record).select.columns)

    def _asked(self, record: int, terms: Iterable[str]) -> Values | None:
        select = self._part_of(record).select
        found = self.database.fetch(
            f"SELECT {', '.join(terms)} FROM {select.table} "  # noqa: S608 - names of ours
            f"WHERE ({select.where}) AND {select.key[-1]} = ?",
            (*select.parameters, self.records.key(record)),
        )
        if found.fault is not None:
            raise found.fault
        return found.rows[0] if found.rows else None

    def length(self, record: int) -> int:
        """The bytes of the JSON columns of a row as they are stored; 0 if it cannot be read."""
        part = self._part_of(record)
        # The database tells them without giving the columns out.
        terms = [f"length(CAST({part.select.columns[at]} AS BLOB))" for at in part.json]
        try:
            lengths = self._asked(record, terms) if terms else None
        except SourceError:
            return 0
        return sum(length for length in lengths or () if isinstance(length, int))

    def frame(self, _record: int) -> int | None:
        """There are no frames."""
        return None

    def raw(self, record: int) -> bytes:
        """The columns of a row, a line each."""
        row = self.row(record) if record < len(self.records) else None
        if row is None:
            return b""
        columns = self._part_of(record).select.columns
        return b"\n".join(
            f"{name}: ".encode() + _column(value) for name, value in zip(columns, row, strict=True)
        )

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a row's JSON in silence."""
        row = self.row(record)
        if row is None:
            return []
        return [note for text in self._texts(row, record) for note in oddities(text)]

    def _texts(self, row: Values, record: int) -> list[bytes]:
        """The JSON of a row; text that is no UTF-8 as the database has it."""
        columns = [row[at] for at in self._part_of(record).json]
        return [_column(text) for text in columns if isinstance(text, str)]

    def values(self, record: int) -> tuple[list[Any], int]:
        """What a row holds; and the bytes of its JSON as they are stored."""
        row = self.row(record)
        if row is None or self._decoder is None:
            return [], 0
        columns = [row[at] for at in self._part_of(record).json]
        size = sum(len(value) for value in columns if isinstance(value, str | bytes))
        return self._decoder.values(row), size

    def mentions(self, text: str) -> Iterator[int]:
        """The rows that hold a text, as it is or as JSON writes it.

        Rows with a blob for JSON are named too: what is in it, only their decoder knows.
        """
        wanted = json_text(text)[1:-1]
        for record in range(len(self.records)):
            row = self.row(record)
            if row is None:
                continue
            packed = any(isinstance(row[at], bytes) for at in self._part_of(record).json)
            if packed or any(wanted in str(value) or value == text for value in row):
                yield record

    # The database.

    def troubles(self) -> Iterator[Finding]:
        """What of the database is not read."""
        for trouble in self.database.troubles:
            kind = rules.DATABASE.get(trouble.code, rules.DATABASE_TROUBLE)
            yield Finding(kind, None, None, trouble.message)

    def changed(self) -> Change:
        """What happened to the database; opening it again is left to `feed`, as it may copy."""
        if self._fate is Change.REPLACED:
            return self._fate
        try:
            if not self.database.changed():
                return self._fate
        except (OSError, SourceError):
            return Change.GONE
        return Change.GROWN if self.path.exists() else Change.GONE

    def _look_again(self) -> None:
        """Open what was written since; rows that are others by now are not read on."""
        try:
            if not self.database.refresh():
                return
        except SourceError:
            self._fate = Change.GONE
            return
        self._fate = self._became()
        if self._fate is Change.NONE:
            self._rows = self._from_here()

    def _became(self) -> Change:
        """What became of the rows that were read, as the database is now."""
        return Change.REPLACED if self._was_cut() else Change.NONE

    def _was_cut(self) -> bool:
        """Whether the last row read is there no longer, or is another."""
        return self._last is not None and self.row(len(self.records) - 1) != self._last

    def close(self) -> None:
        """Give the database back."""
        self.database.close()


def _column(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, bytes):
        return f"blob of {len(value)} bytes, {value[:64].hex(' ')}".encode()
    return b"NULL" if value is None else str(value).encode()
