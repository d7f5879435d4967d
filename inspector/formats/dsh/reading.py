"""An open DeepSeek Harness log: reads on, and answers about single events by reading them again."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import (
    Coverage,
    Headline,
    Identity,
    Options,
    Physical,
    Place,
    PreamblePart,
    RequestEntry,
    Section,
    Verdict,
    plain_request,
)
from inspector.formats.dsh import header as headers
from inspector.formats.dsh import packed
from inspector.formats.dsh.beside.surroundings import Surroundings
from inspector.formats.dsh.closing import SCANNED, Closer, OpenTurn, closers
from inspector.formats.dsh.decoder import Decoder, Reader
from inspector.formats.dsh.dialect import dialect
from inspector.formats.dsh.effects import tokens
from inspector.formats.dsh.effects.registers import value_of
from inspector.formats.dsh.effects.spans import span_name
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Circumstances, Judge
from inspector.formats.dsh.numbering import Numbering
from inspector.formats.dsh.sources.log import Log
from inspector.formats.dsh.telling import headlines, sections
from inspector.formats.dsh.upcasting import Malformed, Upcaster
from inspector.formats.shapes import items, mapping, text
from inspector.tape.notes import Note
from inspector.tape.records import Fate, Sums
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding, Severity
from inspector.timeline.registers import IN_PAYLOAD, Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline

_CACHED: Final = 512
_CACHED_BYTES: Final = 64 * 1024
"""Decoded records that are kept: so many, and none larger than this, but for the last one read."""

_CHANGED: Final = "the file was changed since it was read; open it again"


class DshTape:
    """A log of DeepSeek Harness; see `inspector.formats.contract.Tape`."""

    def __init__(
        self,
        log: Log,
        options: Options,
        look_around: Callable[[Path, Header], Surroundings] = lambda _path, _header: Surroundings(),
    ) -> None:
        self._log = log
        self._look_around = look_around
        self._surroundings = Surroundings()
        self._numbering = Numbering()
        self._timeline = Timeline()
        self._builder = Builder(self._timeline)
        self._options = options
        self._cache: OrderedDict[int, list[dict[str, Any]]] = OrderedDict()
        self._large: tuple[int, list[dict[str, Any]]] = (-1, [])
        self._complete = False
        self._fed = 0
        self._open_turn = OpenTurn()
        self._followed_to = 0
        self._judged: tuple[int, Verdict] | None = None
        self._counted: tuple[int, int] | None = None
        self._upcaster = Upcaster(0, None, self._id_of_number)
        self._dialect = dialect(0)
        self._judge = Judge(None, log.nouns)
        self._decoder: Decoder | None = None
        self._begin()

    # What the tape is.

    @property
    def identity(self) -> Identity:
        """What the header says."""
        header = self._log.header or Header()
        inherited = self._timeline.lives.inherited
        return Identity(
            id=header.id,
            format="dsh",
            variant=f"v{header.version}/{self._log.variant}",
            policy="dsh",
            path=self._log.path,
            created=header.created,
            cwd=header.cwd,
            parent=header.parent,
            inherited=inherited,
            how=self._log.how,
            workspace=self._surroundings.workspace,
            archived=self._surroundings.archived,
            beside=self._surroundings.beside,
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
        return 1.0 if self._complete else min(1.0, self._log.progress)

    def changed(self) -> Change:
        """What happened to the source since it was read."""
        return self._log.changed()

    def close(self) -> None:
        """Give the source back."""
        self._log.close()

    # Reading on.

    def _begin(self) -> None:
        """Look for the header; once it is whole, be ready to fold."""
        self._log.begin()
        if self._decoder is not None or not self._log.whole:
            return
        header = self._log.header
        version = header.version if header is not None and header.readable else 0
        self._dialect = dialect(version)
        self._upcaster = Upcaster(version, header.id if header else None, self._id_of_number)
        self._judge = Judge(header, self._log.nouns)
        self._decoder = Decoder(
            self._builder,
            self._log.records,
            self._numbering,
            self._judge,
            self._dialect,
            self._upcaster,
            Reader(self.payload, self._member),
            self._options.past_unknown,
        )
        if header is not None:
            self._surroundings = self._look_around(self._log.path, header)
        for finding in (*self._log.first_findings(), *self._surroundings.findings):
            self._builder.find(
                finding.kind, finding.message, record=finding.record, event=finding.event
            )
        if header is None:
            return
        self._decoder.begin(header)
        if header.parent is not None:
            inherits = header.seed_length is not None or header.seeded
            relation = "fork" if inherits else "subagent"
            self._builder.kin(relation, header.parent, header.seed_length)

    def advance(self) -> bool:
        """Fold the next batch; False where the source ends, for now."""
        self._begin()
        if self._decoder is None:
            fed = False
        elif self._log.header is not None and not self._log.header.readable:
            fed = self._log.skip()
        else:
            fed = self._log.feed(self._decoder)
        self._complete = not fed
        self._fed += 1
        return fed

    def findings(self) -> Iterator[Finding]:
        """What was found, and last what stands only until more is written."""
        yield from self._timeline.findings
        if self._complete:
            yield from self._log.troubles()

    def errors(self) -> int:
        """How many findings are errors."""
        # The screen asks with every frame.
        if self._counted is None or self._counted[0] != self._fed:
            troubles = self._log.troubles() if self._complete else ()
            now = sum(found.kind.severity is Severity.ERROR for found in troubles)
            self._counted = (self._fed, now)
        return self._timeline.findings.count(Severity.ERROR) + self._counted[1]

    @property
    def _torn(self) -> bool:
        return self._complete and self._log.pending > 0

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
        found: list[int] = []
        # Every record is looked through for the id before any is parsed.
        for record in self._log.mentions(identity):
            first = table.first_of_record(record)
            if first is None:
                continue
            events = range(first, table.before_record(record + 1))
            found += [event for event in events if self.message_id(event) == identity]
        return found

    def message_id(self, event: int) -> str | None:
        """The id of the message that an event holds, or None."""
        return _message_id(self.payload(event))

    def _id_of_number(self, number: int) -> str | None:
        """The id of the message of the event with an owner's number."""
        event = self._numbering.position(number)
        if event is None or self._decoder is None:
            return None
        return _message_id(self._decoder.event(event))

    def place(self, record: int) -> Place:
        """Where a record stands."""
        return self._log.place(record)

    def records(self) -> int:
        """How many physical records there are so far, an unended one included."""
        return len(self._log.records) + self._torn

    def physical(self, record: int) -> Physical:
        """A physical record against the events that it holds."""
        log, table = self._log, self._timeline.table
        if record >= len(log.records):
            return Physical(log.place(record), log.pending, None, Fate.PENDING, False, None, 0)
        first = table.first_of_record(record)
        return Physical(
            place=log.place(record),
            length=log.length(record),
            frame=log.frame(record),
            fate=log.records.fate(record),
            recovered=log.records.is_recovered(record),
            first=first,
            events=0 if first is None else table.before_record(record + 1) - first,
        )

    def raw_record(self, record: int) -> bytes:
        """The bytes of a physical record, an unended one included."""
        return self._log.raw(record)

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a record in silence."""
        return self._log.oddities(record)

    def raw(self, event: int) -> bytes:
        """The bytes of the record that carries an event."""
        return self._log.raw(self._timeline.table.record(event))

    def payload(self, event: int) -> dict[str, Any]:
        """An event as the owner would decode it; empty where it cannot be."""
        table = self._timeline.table
        return self._member(table.record(event), table.member(event))

    def _member(self, record: int, index: int) -> dict[str, Any]:
        """One of the events of a record."""
        for value in self._values(record):
            held = packed.members(value, packs=self._dialect.packs)
            if index < held:
                if self._dialect.packs and packed.is_row(value):
                    return packed.member(value, index)
                return self._settled(value)
            index -= held
        return {}

    def _settled(self, value: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(value.get("type"), str):
            return value
        try:
            return self._upcaster.upcast(value)
        except Malformed:
            return value

    def _values(self, record: int) -> list[dict[str, Any]]:
        cached = self._cache.get(record)
        if cached is not None:
            return cached
        last, values = self._large
        if last == record:
            return values
        try:
            values, size = self._log.values(record)
        except SourceError:
            # It was whole when it was folded: the source was changed since.
            return []
        if self._dialect.packs:
            # A packed row that is none any more was changed, too.
            values = [value for value in values if packed.is_readable(value)]
        if size > _CACHED_BYTES:
            self._large = (record, values)
            return values
        self._cache[record] = values
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return values

    def headline(self, event: int) -> Headline:
        """An event in one line."""
        payload = self.payload(event)
        if not payload:
            return Headline("unreadable", None, _CHANGED, error=True)
        return headlines.headline(payload, self._type(event, payload))

    def sections(self, event: int) -> list[Section]:
        """An event in full."""
        payload = self.payload(event)
        if not payload:
            return [Section("unreadable", _CHANGED, "error")]
        return sections.sections(payload, self._type(event, payload))

    def _type(self, event: int, payload: dict[str, Any]) -> str:
        """What an event is read as, which an old shape does not say itself."""
        kind = payload.get("type")
        return kind if isinstance(kind, str) else self._timeline.table.type(event)

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register, read from its event where it is kept there."""
        if setting.value is not IN_PAYLOAD:
            return setting.value
        return value_of(register, self.payload(setting.event))

    def span_id(self, span: Span) -> str | None:
        """The owner's id or number of a span, from the event that opened it."""
        if span.number is not None:
            return str(span.number)
        return span_name(span.kind, self.payload(span.opened - 1))

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

    def group(self, event: int) -> str | None:
        """Every message is one event."""
        del event
        return None

    def coverage(self, cursor: int) -> Coverage | None:
        """A log has no branches."""
        del cursor
        return None

    def request(self, cursor: int) -> list[RequestEntry]:
        """The surface without the rows that have no content."""
        return plain_request(self._timeline, cursor)

    def sums(self) -> Sums:
        """The account of the records."""
        log = self._log
        return log.records.sums(self._timeline.events, 1 if self._torn else 0, log.frames)

    def closers(self, events: int | None = None) -> list[Closer]:
        """What the owner's crash repair would append to the first so many events, or to all."""
        head = self._timeline.events
        if events is not None and events < head:
            return closers(self._scanned(self._last_turn(events), events))
        # A live log grows inside its last turn: what was looked at is not read again.
        start = self._followed_to if self._followed_to else self._last_turn(head)
        for number, kind, event in self._scanned(start, head):
            self._open_turn.take(number, kind, event)
        self._followed_to = head
        return self._open_turn.closers()

    def _last_turn(self, head: int) -> int:
        """The last event before a cursor at which a turn begins or ends; what is before is over."""
        table = self._timeline.table
        return next(
            (at for at in range(head - 1, -1, -1) if table.type(at) in ("turn/start", "turn/end")),
            0,
        )

    def _scanned(self, start: int, stop: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
        table = self._timeline.table
        for event in range(start, stop):
            kind = table.type(event)
            if kind in SCANNED:
                yield self._numbering.number(event), kind, self.payload(event)

    def verdict(self) -> Verdict:
        """What DeepSeek Harness would do with what is folded so far."""
        # The screen asks with every frame, and what repair would write takes reading.
        if self._judged is None or self._judged[0] != self._fed:
            self._judged = (self._fed, self._judge.verdict(self._circumstances()))
        return self._judged[1]

    def _circumstances(self) -> Circumstances:
        log, complete, decoder = self._log, self._complete, self._decoder
        says_inherited = decoder is not None and decoder.says_inherited
        seed = headers.seed_problem(log.header, says_inherited) if log.header else None
        return Circumstances(
            whole=log.whole,
            json=log.header_is_json,
            torn=log.torn if complete else None,
            fatal=log.fatal if complete else None,
            unfinished=log.unfinished if complete else None,
            name=log.misnamed,
            seed=seed if complete else None,
            strict=log.strict,
            closers=self.closers if complete else lambda _events: [],
        )


def _message_id(payload: dict[str, Any]) -> str | None:
    data = mapping(payload.get("data"))
    return text(mapping(data.get("message")).get("id")) or text(data.get("id")) or None
