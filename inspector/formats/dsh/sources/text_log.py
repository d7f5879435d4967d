"""A log whose records are the lines of a text, plain or unpacked, behind a header."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.formats.dsh import header as headers
from inspector.formats.dsh import rules
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.formats.dsh.sources.container import Container
from inspector.formats.dsh.sources.lines import Lines, mended_header
from inspector.formats.logs import text_log as kit
from inspector.tape.records import Fate, RecordTable
from inspector.tape.source import CHUNK, Source, SourceError
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery


class TextLog(kit.TextLog):
    """See `inspector.formats.dsh.sources.log.Log`; owns the source.

    Args:
        source: the text.
        container: what is known of how the text is kept.
    """

    _container: Container

    def __init__(self, source: Source, container: Container) -> None:
        super().__init__(source, container, RecordTable())
        self._lines: Lines | None = None
        self._mended: Recovery | None = None
        self.nouns = Nouns()
        self.header: Header | None = None
        self.whole = False
        self.header_is_json = True

    # The header.

    def begin(self) -> None:
        """Read up to the first whole line, which is the header.

        While the first line is still being written, it says what it can.
        """
        if self.whole:
            return
        line = self.first_line()
        if line is None:
            self.header = headers.parse(self.raw(0))
            return
        self.whole = True
        self._take_header(line)

    def _take_header(self, line: bytes) -> None:
        self.header, self.header_is_json = headers.read(line)
        if self.header is None:
            self._mended = mended_header(line)
            if self._mended is None:
                return
            self.header = headers.mended(self._mended.pieces[0].value)
            if self.header is not None and not self.header.readable:
                # Nothing of such a version is folded, on the line of its header neither.
                self._mended = None
        self.pass_first()
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

    def decode_by(self, decoder: Decoder) -> None:
        """Feed this decoder."""
        self._lines = Lines(decoder)
        self.start(self._lines)

    def feed(self) -> bool:
        """Give the next lines to the decoder; False at the end, for now, or without a decoder."""
        if self._lines is not None and self._mended is not None:
            self._lines.first(self._mended, self.raw(0))
            self._mended = None
            return True
        return super().feed()

    # Lines that are copied.

    def line(self, record: int) -> bytes:
        """A record as a line of a plain log: as it is."""
        return self.raw(record)

    def lines(self, records: range) -> Iterator[bytes]:
        """Records in order as whole lines, in pieces of any size."""
        if not records:
            return
        start, length = self.records.place(records[-1])
        at, stop = self.records.place(records[0])[0], start + length + 1
        while at < stop:
            piece = self._source.read(at, min(CHUNK, stop - at))
            if not piece:
                raise SourceError("ends before a line that was read of it")
            yield piece
            at += len(piece)

    # The container.

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

    def strict(self, record: int) -> str | None:
        """Why the owner refuses a fault at a line even at the end."""
        known = record < len(self.records)
        return self._container.strict(self.records.place(record)[0] if known else 0)
