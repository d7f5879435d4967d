"""A log whose records are the rows of one session in a database."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import Place
from inspector.formats.logs import rules
from inspector.formats.logs.row_keys import RowKeys
from inspector.formats.logs.row_parts import Part, RowDecoder
from inspector.formats.logs.row_search import Needle, holding
from inspector.tape.database import Database
from inspector.tape.database_paging import Gap, Page
from inspector.tape.database_statements import Values
from inspector.tape.notes import Note
from inspector.tape.oddities import oddities
from inspector.tape.records import RowTable
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding

_PAGE: Final = 512
"""Rows asked for at once."""
_LEAST: Final = 64
"""Rows of a batch at least: behind damage they come one by one."""


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
        self._keys = RowKeys(records)
        self._after: Values = ()
        self._pages = self._from_here()
        self._begun = False
        self._gaps: set[tuple[int, Gap]] = set()
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

    def _from_here(self) -> Iterator[Page | Gap]:
        return self.database.pages(self._parts[self._part].select, self._after, _PAGE)

    def feed(self) -> bool:
        """Give the next rows to the decoder; False at the end, for now, or without a decoder."""
        decoder = self._decoder
        if decoder is None:
            return False
        if not self._begun:
            self._begun = True
            decoder.begin_part(last=len(self._parts) == 1)
        if self._at_end:
            self._look_again()
        fed = self._feed_page(decoder)
        while not fed and self._part + 1 < len(self._parts):
            self._begin_next_part(decoder)
            fed = self._feed_page(decoder)
        self._at_end = not fed
        return fed

    def _begin_next_part(self, decoder: RowDecoder) -> None:
        self._part += 1
        self._starts.append(len(self.records))
        self._keys.begin_part()
        self._after = ()
        self._pages = self._from_here()
        decoder.begin_part(last=self._part + 1 == len(self._parts))

    def _feed_page(self, decoder: RowDecoder) -> bool:
        rows: list[Values] = []
        fed = False
        for found in self._pages:
            if isinstance(found, Gap):
                fed = self._lost(rows, found, decoder) or fed
                rows = []
                continue
            fed = True
            width = len(found.order)
            self._after = found.rows[-1][:width]
            self._keys.add(found)
            rows += [row[width:] for row in found.rows]
            if len(rows) >= min(_LEAST, _PAGE):
                break
        self._fold(rows, decoder)
        return fed

    def _lost(self, rows: list[Values], gap: Gap, decoder: RowDecoder) -> bool:
        """Rows cannot be read; False if that was told when they were looked at before."""
        if (self._part, gap) in self._gaps:
            return False
        self._gaps.add((self._part, gap))
        self._fold(rows, decoder)
        decoder.folding.lost(rules.UNREADABLE_ROWS, gap.message, None)
        return True

    def _fold(self, rows: list[Values], decoder: RowDecoder) -> None:
        if rows:
            self._last = rows[-1]
        decoder.fold(len(self.records) - len(rows), rows)

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
        part = bisect_right(self._starts, record) - 1
        return self._parts[part]

    def place(self, record: int) -> Place:
        """Which row a record is."""
        known = record < len(self.records)
        label = self._part_of(record).label
        return Place(None, None, f"{label} {self._keys.name(record)}" if known else None)

    def number(self, record: int) -> int | None:
        """The number of a row; None where it is no whole number."""
        return self._keys.number(record)

    def row(self, record: int) -> Values | None:
        """The columns of a row as they are now; None if it is there no longer.

        Raises:
            SourceError: if it cannot be read.
        """
        return self._asked(record, self._part_of(record).shown)

    def _asked(self, record: int, terms: Iterable[str]) -> Values | None:
        select = self._part_of(record).select
        condition, key = self._keys.condition(record, select.key[-1])
        found = self.database.fetch(
            f"SELECT {', '.join(terms)} FROM {select.table} "  # noqa: S608 - names of ours
            f"WHERE ({select.where}) AND {condition}",
            (*select.parameters, *key),
        )
        if found.fault is not None:
            raise found.fault
        return found.rows[0] if found.rows else None

    def length(self, record: int) -> int:
        """The bytes of the JSON columns of a row as they are stored; 0 if it cannot be read."""
        part = self._part_of(record)
        # The database tells them without giving the columns out.
        terms = [f"length(CAST({part.shown[at]} AS BLOB))" for at in part.json]
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
        columns = self._part_of(record).shown
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

    def mentions(
        self, text: str, among: range | None = None, *, ignore_case: bool = False
    ) -> Iterator[int]:
        """The rows that hold a text, as it is or as JSON writes it.

        Rows with a blob for JSON are named too: what is in it, only their decoder knows.
        """
        for part, stretch in zip(self._parts, self.stretches(), strict=False):
            asked = stretch if among is None else _both(stretch, among)
            needle = Needle(text, part.json, ignore_case=ignore_case)
            odd = [record for record in self._keys.odd if record in asked]
            plain = asked if not odd else [at for at in asked if not self._keys.is_odd(at)]
            chunks = holding(self.database, part.select, part.shown, needle, self.records, plain)
            for chunk, found in chunks:
                yield from self._read_for(needle, chunk) if found is None else found
            yield from self._read_for(needle, odd)

    def _read_for(self, needle: Needle, among: Iterable[int]) -> Iterator[int]:
        """The records, read one by one, whose rows hold a text."""
        for record in among:
            try:
                row = self.row(record)
            except SourceError:
                continue
            if row is not None and needle.is_in(row):
                yield record

    def stretches(self) -> Iterator[range]:
        """The records of each part that was begun."""
        stops = [*self._starts[1:], len(self.records)]
        yield from map(range, self._starts, stops)

    def seal(self) -> tuple[int, str]:
        """The columns of the rows that were given out, and their SHA-256."""
        from hashlib import sha256  # seldom needed

        digest, size = sha256(), 0
        for record in range(len(self.records)):
            row = self.row(record)
            for value in (None,) if row is None else row:
                piece = _hashed(value)
                digest.update(piece)
                size += len(piece)
        return size, digest.hexdigest()

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
            self._pages = self._from_here()

    def _became(self) -> Change:
        """What became of the rows that were read, as the database is now."""
        return Change.REPLACED if self._was_cut() else Change.NONE

    def _was_cut(self) -> bool:
        """Whether the last row read is there no longer, or is another."""
        if self._last is None:
            return False
        record = len(self.records) - 1
        return self._asked(record, self._part_of(record).select.columns) != self._last

    def close(self) -> None:
        """Give the database back."""
        self.database.close()


def _both(one: range, other: range) -> range:
    """What is in both of two ranges."""
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _hashed(value: Any) -> bytes:
    """A column with its type and its length before it."""
    if value is None:
        return b"n0:"
    if isinstance(value, bytes):
        return b"b%d:" % len(value) + value
    kind = "s" if isinstance(value, str) else "f" if isinstance(value, float) else "i"
    told = str(value).encode("utf-8", "surrogateescape")
    return f"{kind}{len(told)}:".encode() + told


def _column(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, bytes):
        return f"blob of {len(value)} bytes, {value[:64].hex(' ')}".encode()
    return b"NULL" if value is None else str(value).encode()
