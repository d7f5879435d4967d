"""The lines of a session's log, the last of which counts although nothing ends it.

The owner reads what stands behind the last line end if that is an event, and drops it if it is
none (format page 9, RULES A3). So does this log: an unended event is folded, as a record of its
own, and when its line goes on with anything but blanks the file is no more what was folded.
"""

from collections.abc import Iterator

from inspector.formats.logs import rules as shared_rules
from inspector.formats.logs.container import Container
from inspector.formats.logs.text_log import TextLog
from inspector.formats.zero import golang, rules
from inspector.formats.zero.decoder import ZeroDecoder
from inspector.formats.zero.event import event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.tape.records import RecordTable
from inspector.tape.source import Source, SourceError
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding

_LOOKED_AT = 4_096
"""Bytes behind an unended event that are looked at to tell whether its line goes on."""


class ZeroLog(TextLog):
    """See `TextLog`; takes the unended event at the end."""

    def __init__(
        self, source: Source, container: Container, records: RecordTable, decoder: ZeroDecoder
    ) -> None:
        super().__init__(source, container, records, decoder)
        self._zero = decoder
        self._unended: bytes | None = None
        self._dropped: bytes | None = None

    @property
    def unended(self) -> bool:
        """Whether the last record is an event whose line is not ended."""
        return self._unended is not None

    @property
    def pending(self) -> int:
        """Bytes behind the last newline that are no record."""
        return 0 if self.unended else super().pending

    @property
    def tail(self) -> bytes:
        """What stands behind the last newline."""
        return self._splitter.tail()

    def feed(self) -> bool:
        """Give the next lines to the decoder; False at the end, when the unended one is given."""
        if super().feed():
            return True
        if self._unended is not None:
            self._same(self.tail)
        elif (tail := self.tail) and tail != self._dropped:
            self._give(tail)
        return False

    def _give(self, tail: bytes) -> None:
        try:
            event = event_of_line(tail)
        except RefusedError:
            event = None
        if event is None:
            self._dropped = tail
            return
        start = self._splitter.offset
        record = len(self.records)
        # As if a newline came next; if one does it is right.
        self.records.extend((start, start + len(tail) + 1))
        self._unended = tail
        self._zero.fold(record, [tail])

    def _next(self) -> tuple[int, list[bytes]] | None:
        batch = super()._next()
        if batch is None or not batch[1] or self._unended is None:
            return batch
        first, lines = batch
        self._same(lines[0])
        self._unended = None
        behind = first + len(lines[0]) + 1
        self.records.ends_at(behind)
        return behind, lines[1:]

    def _same(self, line: bytes) -> None:
        unended = self._unended or b""
        if not line.startswith(unended) or golang.decoded(line[len(unended) :]):
            raise SourceError("its last line was written on; open it again")

    def troubles(self) -> Iterator[Finding]:
        """What is wrong with the container, and what the owner drops at the end of the text."""
        for found in super().troubles():
            if found.kind is not shared_rules.TORN_TAIL:
                yield found
            elif golang.decoded(self.tail):
                yield Finding(rules.TORN_TAIL, found.record, found.event, found.message)

    def changed(self) -> Change:
        """What happened to the file; it is another one if the event at its end was written on."""
        change = super().changed()
        if change is Change.GROWN and self._unended is not None:
            behind = self._source.read(self._splitter.read_to, _LOOKED_AT).partition(b"\n")[0]
            if golang.decoded(behind):
                return Change.REPLACED
        return change
