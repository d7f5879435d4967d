"""A log whose records are the lines of a text, plain or unpacked."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.formats.contract import Place
from inspector.formats.dsh import header as headers
from inspector.formats.dsh import rules
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.formats.dsh.packed import is_record
from inspector.formats.dsh.sources.container import Container
from inspector.formats.dsh.sources.lines import Lines
from inspector.tape.jsonline import parse
from inspector.tape.lines import LineSplitter, offsets
from inspector.tape.notes import Note
from inspector.tape.records import Fate, RecordTable
from inspector.tape.source import Source, SourceError
from inspector.tape.watch import Change
from inspector.text.jsontext import json_text
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery


class TextLog:
    """See `inspector.formats.dsh.sources.log.Log`.

    Args:
        source: the text.
        container: what is known of how the text is kept.
    """

    def __init__(self, source: Source, container: Container) -> None:
        self._source = source
        self._container = container
        self._splitter = LineSplitter(source)
        self._waiting: tuple[int, list[bytes]] = (0, [])
        self._mended: Recovery | None = None
        self.records = RecordTable()
        self.nouns = Nouns()
        self.header: Header | None = None
        self.whole = False
        self.header_is_json = True

    @property
    def path(self) -> Path:
        """The file."""
        return self._source.path

    @property
    def variant(self) -> str:
        """How the text is kept."""
        return self._container.variant

    @property
    def how(self) -> str | None:
        """What was done to open it."""
        return self._container.how

    # The header.

    def begin(self) -> None:
        """Read up to the first whole line, which is the header.

        While the first line is still being written, it says what it can.
        """
        while not self.whole:
            batch = self._splitter.batch()
            if batch is None:
                self.header = headers.parse(self._splitter.tail())
                self._container.read_to(self._splitter.read_to)
                return
            first, lines = batch
            if lines:
                self.whole = True
                self._take_header(first, lines)

    def _take_header(self, first: int, lines: list[bytes]) -> None:
        line = lines[0]
        self.header, self.header_is_json = headers.read(line)
        self._waiting = (first, lines)
        if self.header is None:
            found = _mended_header(line)
            if found is None:
                return
            self._mended = found
            self.header = headers.mended(found.pieces[0].value)
        behind = first + len(line) + 1
        self.records.extend((first, behind))
        self._waiting = (behind, lines[1:])
        if self._mended is None or len(self._mended.pieces) == 1:
            self.records.set_fate(0, Fate.BOOKKEEPING)

    def first_findings(self) -> Iterator[Finding]:
        """What is wrong with the header."""
        if self.header is None:
            message = "first line is not a session header"
            yield Finding(rules.NO_HEADER, 0, None, message)
            return
        if not self.header.readable:
            yield Finding(rules.OTHER_VERSION, 0, None, self.header.problem or "")
            return
        for problem in (self.header.problem, self.header.lineage_problem):
            if problem is not None:
                yield Finding(rules.BAD_HEADER, 0, None, problem)

    # Reading on.

    def feed(self, decoder: Decoder) -> bool:
        """Give the next lines to a decoder; False at the end, for now."""
        lines_of = Lines(decoder)
        if self._mended is not None:
            lines_of.first(self._mended)
            self._mended = None
            return True
        batch = self._next()
        if batch is None:
            self._tell_hole(decoder)
            return False
        first, lines = batch
        record = len(self.records)
        self.records.extend(offsets(first, lines))
        if lines:
            lines_of.fold(record, lines)
            self._tell_hole(decoder)
        return True

    def _tell_hole(self, decoder: Decoder) -> None:
        hole = self._container.holes()
        if hole is not None and hole <= self._splitter.offset:
            decoder.hole(self.records.at(hole))

    def skip(self) -> bool:
        """Account for lines of a version that nobody here can read."""
        batch = self._next()
        if batch is None:
            return False
        start = len(self.records)
        self.records.extend(offsets(*batch))
        for record in range(start, len(self.records)):
            self.records.set_fate(record, Fate.BOOKKEEPING)
        return True

    def _next(self) -> tuple[int, list[bytes]] | None:
        batch, self._waiting = self._waiting, (0, [])
        if batch[1]:
            return batch
        try:
            read = self._splitter.batch()
        except SourceError:
            # What was read of it tells later whether it is another file by now.
            self._container.read_to(self._splitter.read_to)
            raise
        if read is None:
            self._container.read_to(self._splitter.read_to)
        return read

    @property
    def progress(self) -> float:
        """The part of the source that was given out."""
        first, lines = self._waiting
        return self._source.share(first if lines else self._splitter.offset)

    @property
    def pending(self) -> int:
        """Bytes behind the last newline."""
        return self._splitter.pending

    @property
    def frames(self) -> int | None:
        """How many frames the text is kept in."""
        return self._container.frames

    # Single records.

    def place(self, record: int) -> Place:
        """Where a line stands, or would stand; bytes are those of the text."""
        known = record < len(self.records)
        byte = self.records.place(record)[0] if known else self._splitter.offset
        return Place(line=self.records.line(record), byte=byte, row=None)

    def length(self, record: int) -> int:
        """The bytes of a line without its newline."""
        return self.records.place(record)[1]

    def frame(self, record: int) -> int | None:
        """The frame that a line begins in."""
        return self._container.frame(self.records.place(record)[0])

    def raw(self, record: int) -> bytes:
        """The bytes of a line, or those behind the last newline."""
        if record >= len(self.records):
            return self._splitter.tail()
        return self._source.read(*self.records.place(record))

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a line in silence; nothing of a line that is no JSON."""
        if self.records.is_recovered(record) or self.records.fate(record) is Fate.DAMAGED:
            return []
        from inspector.tape.oddities import oddities  # seldom needed

        return oddities(self.raw(record))

    def values(self, record: int) -> tuple[list[Any], int]:
        """What a line holds, mended if need be; and its bytes."""
        line = self.raw(record)
        return self._decoded(line, record), len(line)

    def _decoded(self, line: bytes, record: int) -> list[Any]:
        try:
            value = parse(line)[0]
        except ValueError:
            from inspector.tape.recovery import recover  # dear, and seldom needed

            found = None if record else _mended_header(line)
            pieces = (found or recover(line, is_record)).pieces
            return [piece.value for piece in pieces if is_record(piece.value)]
        return [value] if isinstance(value, dict) else []

    def mentions(self, text: str) -> Iterator[int]:
        """The lines that hold a text as JSON writes it."""
        wanted = json_text(text)[1:-1].encode("utf-8", "surrogatepass")
        splitter, record = LineSplitter(self._source), 0
        while record < len(self.records) and (batch := splitter.batch()) is not None:
            for line in batch[1]:
                if wanted in line:
                    yield record
                record += 1

    # The container.

    def troubles(self) -> Iterator[Finding]:
        """What is wrong with the container, and last what stands behind the last newline."""
        yield from self._container.troubles(self._record_at)
        if self.pending:
            place = self._splitter.offset
            message = (
                f"the tape ends inside a record: {self.pending} bytes from byte {place} "
                "have no newline yet"
            )
            yield Finding(rules.TORN_TAIL, len(self.records), None, message)

    def _record_at(self, byte: int) -> int:
        """The line that holds a byte of the text."""
        return self.records.at(byte)

    @property
    def fatal(self) -> str | None:
        """Why the owner refuses the container."""
        return self._container.fatal(self._source.read)

    @property
    def unfinished(self) -> str | None:
        """Why the owner refuses how the text ends in its container."""
        return self._container.unfinished(self._source.read)

    @property
    def misnamed(self) -> str | None:
        """Why the owner does not read this version from a file of this name."""
        if self.header is None or not self._container.named_by_owner:
            return None
        return headers.name_problem(self.header, self.path.name)

    @property
    def torn(self) -> str | None:
        """What is unended at the end of the text."""
        return "line" if self.pending else self._container.torn

    def strict(self, record: int) -> str | None:
        """Why the owner refuses a fault at a line even at the end."""
        known = record < len(self.records)
        return self._container.strict(self.records.place(record)[0] if known else 0)

    def changed(self) -> Change:
        """What happened to the file since it was read."""
        return self._container.changed()

    def close(self) -> None:
        """Give the source back."""
        self._source.close()


def _mended_header(line: bytes) -> "Recovery | None":
    """A damaged first line that begins with a header all the same, or None."""
    from inspector.tape.recovery import recover  # dear, and seldom needed

    found = recover(line, lambda value: headers.is_header(value) or is_record(value))
    return found if found.pieces and headers.is_header(found.pieces[0].value) else None
