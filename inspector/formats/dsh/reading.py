"""An open DeepSeek Harness log: reads on, and answers about single events by reading them again."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.contract import (
    Headline,
    Identity,
    Options,
    Place,
    PreamblePart,
    Section,
    Verdict,
)
from inspector.formats.dsh import header as headers
from inspector.formats.dsh import headlines, packed, rules, sections, tokens
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.judge import Judge
from inspector.formats.dsh.numbering import Numbering
from inspector.formats.dsh.parsing import parse
from inspector.formats.dsh.vocabulary import PACKED
from inspector.formats.shapes import items, mapping, text
from inspector.tape.lines import LineSplitter, offsets
from inspector.tape.records import Fate, RecordTable, Sums
from inspector.tape.source import FileSource, SourceError
from inspector.text.jsontext import json_text
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.registers import IN_PAYLOAD, Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

_CACHED: Final = 512
_CACHED_BYTES: Final = 64 * 1024
"""Decoded records that are kept: so many, and none larger than this, but for the last one read."""

_CHANGED: Final = "the file was changed since it was read; open it again"

_SPAN_KEYS: Final = {SpanKind.TOOL_CALL: "callId", SpanKind.COMPACTION: "compactionId"}
"""Where the event that opens a span names it."""


class DshTape:
    """A plain log of DeepSeek Harness v0; see `inspector.formats.contract.Tape`."""

    def __init__(self, source: FileSource, options: Options) -> None:
        self._source = source
        self._splitter = LineSplitter(source)
        self._records = RecordTable()
        self._numbering = Numbering()
        self._timeline = Timeline()
        self._builder = Builder(self._timeline)
        self._options = options
        self._cache: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._large: tuple[int, dict[str, Any]] = (-1, {})
        self._complete = False
        self._folded_to = 0
        self._waiting: tuple[int, list[bytes]] = (0, [])
        self._header: headers.Header | None = None
        self._judge = Judge(None, whole=False)
        self._decoder: Decoder | None = None
        self._read_header()

    # What the tape is.

    @property
    def identity(self) -> Identity:
        """What the header says."""
        header = self._header or headers.Header()
        version = headers.VERSION if header.other_version is None else header.other_version
        return Identity(
            id=header.id,
            format="dsh",
            variant=f"v{version}/jsonl",
            policy="dsh",
            path=self._source.path,
            created=header.created,
            cwd=header.cwd,
            parent=header.parent,
            inherited=header.seed_length or 0,
        )

    @property
    def timeline(self) -> Timeline:
        """The index as far as it is built."""
        return self._timeline

    @property
    def complete(self) -> bool:
        """Whether everything that the source holds now is folded."""
        return self._complete

    @property
    def progress(self) -> float:
        """The folded part of the source, 0 to 1."""
        size = self._source.size()
        return 1.0 if self._complete or not size else min(1.0, self._folded_to / size)

    def close(self) -> None:
        """Give the source back."""
        self._source.close()

    # Reading on.

    def _read_header(self) -> None:
        """Read up to the first whole line, which is the header, without folding anything.

        While the first line is still being written, it says what it can.
        """
        while self._decoder is None:
            batch = self._splitter.batch()
            if batch is None:
                self._header = headers.parse(self._splitter.tail())
                return
            first, lines = batch
            if lines:
                self._begin(first, lines)

    def _begin(self, first: int, lines: list[bytes]) -> None:
        header = self._header = headers.parse(lines[0])
        self._judge = Judge(header, whole=True)
        self._decoder = Decoder(
            self._builder,
            self._records,
            self._numbering,
            self._judge,
            self._record,
            self._options.past_unknown,
        )
        self._waiting = (first, lines)
        if header is None:
            message = "first line is not a session header"
            self._builder.find(rules.NO_HEADER, message, record=0, event=None)
            return
        if header.parent is not None:
            relation = "subagent" if header.seed_length is None else "fork"
            self._builder.kin(relation, header.parent, header.seed_length)
        for problem in (header.problem, header.lineage_problem):
            if problem is not None:
                self._builder.find(rules.BAD_HEADER, problem, record=0, event=None)
        behind = first + len(lines[0]) + 1
        self._records.extend((first, behind))
        self._records.set_fate(0, Fate.BOOKKEEPING)
        self._waiting = (behind, lines[1:])

    def advance(self) -> bool:
        """Fold the next batch; False where the source ends, for now."""
        self._read_header()
        first, lines = self._waiting
        self._waiting = (0, [])
        if not lines:
            batch = self._splitter.batch()
            if batch is None:
                self._complete = True
                return False
            first, lines = batch
        self._complete = False
        if lines and self._decoder is not None:
            if self._header is not None and self._header.other_version is not None:
                self._count_unread(first, lines)
            else:
                self._decoder.feed(first, lines)
        self._folded_to = self._splitter.offset
        return True

    def _count_unread(self, first: int, lines: list[bytes]) -> None:
        """Account for the records of a version that this module does not fold."""
        start = len(self._records)
        self._records.extend(offsets(first, lines))
        for record in range(start, len(self._records)):
            self._records.set_fate(record, Fate.BOOKKEEPING)

    def findings(self) -> Iterator[Finding]:
        """What was found, and last what stands behind the last newline for now."""
        yield from self._timeline.findings
        if self._torn:
            place = self._splitter.offset
            message = (
                f"the tape ends inside a record: {self._splitter.pending} bytes from byte {place} "
                "have no newline yet"
            )
            yield Finding(rules.TORN_TAIL, len(self._records), None, message)

    @property
    def _torn(self) -> bool:
        return self._complete and self._splitter.pending > 0

    # Single events.

    def number(self, event: int) -> int | None:
        """The owner's number of an event."""
        return self._numbering.number(event)

    def numbered(self, number: int) -> list[int]:
        """The positions of the events that bear an owner's number."""
        return self._numbering.positions(number, self._timeline.events)

    def identified(self, identity: str) -> list[int]:
        """The positions of the events whose message bears an id; reads the tape."""
        table = self._timeline.table
        # Every line is looked through for the id before any is parsed.
        wanted = json_text(identity)[1:-1].encode("utf-8", "surrogatepass")
        found: list[int] = []
        splitter, record = LineSplitter(self._source), 0
        while record < len(self._records) and (batch := splitter.batch()) is not None:
            for line in batch[1]:
                if wanted in line:
                    event = table.first_of_record(record)
                    if event is not None and self.message_id(event) == identity:
                        found.append(event)
                record += 1
        return found

    def message_id(self, event: int) -> str | None:
        """The id of the message that an event holds, or None."""
        data = mapping(self.payload(event).get("data"))
        return text(mapping(data.get("message")).get("id")) or text(data.get("id")) or None

    def place(self, record: int) -> Place:
        """Where a record stands."""
        known = record < len(self._records)
        byte = self._records.place(record)[0] if known else self._splitter.offset
        return Place(line=self._records.line(record), byte=byte, row=None)

    def raw(self, event: int) -> bytes:
        """The bytes of the record that carries an event."""
        return self._read(self._timeline.table.record(event))

    def _read(self, record: int) -> bytes:
        return self._source.read(*self._records.place(record))

    def payload(self, event: int) -> dict[str, Any]:
        """An event as the owner would decode it; empty where it cannot be."""
        record = self._timeline.table.record(event)
        decoded = self._record(record)
        if decoded.get("type") in PACKED:
            return packed.member(decoded, self._timeline.table.member(event))
        return decoded

    def _record(self, record: int) -> dict[str, Any]:
        cached = self._cache.get(record)
        if cached is not None:
            return cached
        last, decoded = self._large
        if last == record:
            return decoded
        try:
            line = self._read(record)
            decoded = mapping(parse(line)[0])
        except (SourceError, ValueError):
            # It was whole when it was folded: the source was changed since.
            return {}
        if len(line) > _CACHED_BYTES:
            self._large = (record, decoded)
            return decoded
        self._cache[record] = decoded
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return decoded

    def headline(self, event: int) -> Headline:
        """An event in one line."""
        payload = self.payload(event)
        if not payload:
            return Headline("unreadable", None, _CHANGED, error=True)
        return headlines.headline(payload, self._timeline.table.type(event))

    def sections(self, event: int) -> list[Section]:
        """An event in full."""
        payload = self.payload(event)
        if not payload:
            return [Section("unreadable", _CHANGED, "error")]
        return sections.sections(payload, self._timeline.table.type(event))

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register, read from its event where it is kept there."""
        if setting.value is not IN_PAYLOAD:
            return setting.value
        data = mapping(self.payload(setting.event).get("data"))
        return data.get("todos") if register == "todo" else data.get("header")

    def span_id(self, span: Span) -> str | None:
        """The owner's id or number of a span, from the event that opened it."""
        if span.number is not None:
            return str(span.number)
        data = mapping(self.payload(span.opened - 1).get("data"))
        return text(data.get(_SPAN_KEYS.get(span.kind, ""))) or None

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """System prompt and tools as of a cursor."""
        setting = self._timeline.registers.at("preamble", cursor)
        if setting is None:
            return []
        header = mapping(self.value("preamble", setting))
        found: list[PreamblePart] = []
        if "system" in header:
            system = header["system"]
            line = system if isinstance(system, str) else sections.block_text(system)
            found.append(PreamblePart("system", setting.event, tokens.of_text(line), line[:400]))
        tools = items(header.get("tools"))
        if tools:
            names = ", ".join(text(mapping(tool).get("name"))[:80] for tool in tools[:50])
            found.append(PreamblePart("tools", setting.event, tokens.of_json(tools), names))
        return found

    def sums(self) -> Sums:
        """The account of the records."""
        return self._records.sums(self._timeline.events, 1 if self._torn else 0)

    def verdict(self) -> Verdict:
        """What DeepSeek Harness would do with what is folded so far."""
        return self._judge.verdict(self._torn)
