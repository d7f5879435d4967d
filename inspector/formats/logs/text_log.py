"""A log whose records are the lines of a text, plain or unpacked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.formats.contract import Place
from inspector.formats.logs import rules
from inspector.formats.logs.container import Container
from inspector.formats.logs.lines import LineDecoder
from inspector.tape.finding import found_in
from inspector.tape.lines import LineSplitter, offsets
from inspector.tape.notes import Note
from inspector.tape.records import Fate, RecordTable
from inspector.tape.source import CHUNK, Source, SourceError
from inspector.tape.watch import Change
from inspector.text.spellings import spellings
from inspector.timeline.findings import Finding


class TextLog:
    """See `inspector.formats.logs.log.Log`; owns the source.

    Args:
        source: the text.
        container: what is known of how the text is kept.
        records: what becomes of the lines.
        decoder: takes the lines; it and the log share the table of records. None where the first
            line says which it is: see `first_line` and `start`.
        begins: the byte of the text at which the file itself begins, behind those of others.
    """

    def __init__(
        self,
        source: Source,
        container: Container,
        records: RecordTable,
        decoder: LineDecoder | None = None,
        begins: int = 0,
    ) -> None:
        self._begins = begins
        self._source = source
        self._container = container
        self._decoder = decoder
        self._splitter = LineSplitter(source)
        self._waiting: tuple[int, list[bytes]] = (0, [])
        self.records = records

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

    # Before anything is given out.

    def first_line(self) -> bytes | None:
        """The first line, once it is whole; it and what was read behind it wait for `feed`.

        Raises:
            SourceError: as `feed` does.
        """
        while not self._waiting[1]:
            batch = self._read()
            if batch is None:
                return None
            self._waiting = batch
        return self._waiting[1][0]

    def pass_first(self) -> None:
        """Take the first line, which waits, for a record that `feed` does not give out."""
        first, lines = self._waiting
        behind = first + len(lines[0]) + 1
        self.records.extend((first, behind))
        self._waiting = (behind, lines[1:])

    def start(self, decoder: LineDecoder) -> None:
        """Give lines to a decoder that could not be made before."""
        self._decoder = decoder

    # Reading on.

    def feed(self) -> bool:
        """Give the next lines to the decoder; False at the end, for now, or without a decoder.

        Raises:
            SourceError: if the source cannot be read, or became shorter than what was read of it.
        """
        decoder = self._decoder
        if decoder is None:
            return False
        batch = self._next() or self._whole_tail(decoder)
        if batch is None:
            self._tell_hole(decoder)
            return False
        first, lines = batch
        most = decoder.lines_at_once
        if most is not None and most < len(lines):
            behind = first + sum(map(len, lines[:most])) + most
            self._waiting, lines = (behind, lines[most:]), lines[:most]
        record = len(self.records)
        self.records.extend(offsets(first, lines))
        if lines:
            decoder.fold(record, lines)
            self._tell_hole(decoder)
        return True

    def _next(self) -> tuple[int, list[bytes]] | None:
        batch, self._waiting = self._waiting, (0, [])
        return batch if batch[1] else self._read()

    def _read(self) -> tuple[int, list[bytes]] | None:
        try:
            batch = self._splitter.batch()
        except SourceError:
            # What was read of it tells later whether it is another file by now.
            self._container.read_to(self._splitter.read_to)
            raise
        if batch is None:
            self._container.read_to(self._splitter.read_to)
        return batch

    def _whole_tail(self, decoder: LineDecoder) -> tuple[int, list[bytes]] | None:
        """What stands behind the last newline, where the owner takes it for a line already."""
        splitter = self._splitter
        if not splitter.pending or not decoder.takes_tail(splitter.tail()):
            return None
        first, line = splitter.take_tail()
        return first, [line]

    def _tell_hole(self, decoder: LineDecoder) -> None:
        hole = self._container.holes()
        if hole is not None and hole <= self._splitter.offset:
            decoder.folding.hole(self.records.at(hole))

    @property
    def _given_to(self) -> int:
        """The byte at which the first line begins that was not given out."""
        first, lines = self._waiting
        return first if lines else self._splitter.offset

    @property
    def progress(self) -> float:
        """The part of the source that was given out."""
        return self._source.share(self._given_to)

    @property
    def pending(self) -> int:
        """Bytes behind the last newline."""
        return self._splitter.pending

    @property
    def torn(self) -> str | None:
        """What is unended at the end of the text."""
        return "line" if self.pending else self._container.torn

    @property
    def frames(self) -> int | None:
        """How many frames the text is kept in."""
        return self._container.frames

    # Single records.

    def place(self, record: int) -> Place:
        """Where a line stands, or would stand; bytes are those of the text."""
        known = record < len(self.records)
        byte = self.records.place(record)[0] if known else self._given_to
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
        return ([] if self._decoder is None else self._decoder.values(record, line)), len(line)

    def mentions(
        self, text: str, among: range | None = None, *, ignore_case: bool = False
    ) -> Iterator[int]:
        """The lines that hold a text, as it is or as JSON writes it."""
        records = self.records
        first, behind = (0, len(records)) if among is None else (among.start, among.stop)
        behind = min(behind, len(records))
        if first >= behind:
            return
        start, stop = records.place(first)[0], sum(records.place(behind - 1))
        wanted = spellings(text, lower=ignore_case)
        last = first - 1
        for byte in found_in(self._source, wanted, start=start, stop=stop, lower=ignore_case):
            record = records.at(byte)
            if last < record < behind:
                last = record
                yield record

    def seal(self) -> tuple[int, str]:
        """The bytes of the lines that were given out, and their SHA-256."""
        return self._digest(self._given_to)

    def _digest(self, stop: int) -> tuple[int, str]:
        from hashlib import sha256  # seldom needed

        digest, at = sha256(), self._begins
        while at < stop:
            piece = self._source.read(at, min(CHUNK, stop - at))
            if not piece:
                raise SourceError(
                    f"ends at byte {at - self._begins}: it was longer when it was read"
                )
            digest.update(piece)
            at += len(piece)
        return stop - self._begins, digest.hexdigest()

    # The container.

    def troubles(self) -> Iterator[Finding]:
        """What is wrong with the container, and last what stands behind the last newline."""
        yield from self._container.troubles(self.records.at)
        if self.pending:
            place = self._splitter.offset - self._begins
            message = (
                f"the tape ends inside a record: {self.pending} bytes from byte {place} "
                "have no newline yet"
            )
            yield Finding(rules.TORN_TAIL, len(self.records), None, message)

    def changed(self) -> Change:
        """What happened to the file since it was read; a line that was taken before it was ended
        and then written on makes it another one.
        """
        return Change.REPLACED if self._splitter.written_on else self._container.changed()

    def close(self) -> None:
        """Give the source back."""
        self._source.close()
