"""An open tape over a log: reads on, and answers about single events by reading them again."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.chunks import Chunk
from inspector.formats.compacting import CompactionRule
from inspector.formats.contract import (
    EVIDENCE,
    OPERATIONS,
    Coverage,
    Grounds,
    Headline,
    Identity,
    Options,
    Physical,
    Place,
    PreamblePart,
    RecordedSizes,
    RequestEntry,
    Seal,
    Section,
    Verdict,
    plain_request,
)
from inspector.formats.logs.log import Log
from inspector.formats.parts import Part, Said
from inspector.tape.notes import Note
from inspector.tape.records import Fate, Sums
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding, Severity
from inspector.timeline.registers import IN_PAYLOAD, Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_CACHED: Final = 512
_CACHED_BYTES: Final = 64 * 1024
"""Decoded records that are kept: so many, and none larger than this, but for the last one read."""

_CHANGED: Final = "the file was changed since it was read; open it again"


class LogTape(ABC):
    """The part of `inspector.formats.contract.Tape` that no format says in its own way.

    Args:
        log: the records, with a decoder that tells ``builder`` what they do.
        builder: of the timeline.
        options: how the tape is to be read.
    """

    def __init__(self, log: Log, builder: Builder, options: Options) -> None:
        self.log = log
        self.options = options
        self._builder = builder
        self._timeline = builder.timeline
        self._cache: OrderedDict[int, list[dict[str, Any]]] = OrderedDict()
        self._large: tuple[int, list[dict[str, Any]]] = (-1, [])
        self._complete = False
        self._fed = 0
        self._judged: tuple[int, Verdict] | None = None
        self._counted: tuple[int, int] | None = None

    # What a format says.

    @property
    @abstractmethod
    def identity(self) -> Identity:
        """What the header says."""

    @abstractmethod
    def judge(self) -> Verdict:
        """What the owner's loader would do with what is folded so far; asked once per batch."""

    @abstractmethod
    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """An event in one line."""

    @abstractmethod
    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """An event in full."""

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What an event says as the person saw it: its sections, unless told."""
        return [
            Said(section.text)
            for section in self.describe(event, payload)
            if section.tone != "dim" and not section.remark
        ]

    def cut_off(self, payload: dict[str, Any]) -> bool:
        """Whether an event holds a message that was cut off; never unless told."""
        del payload
        return False

    def call_asked(self, payload: dict[str, Any]) -> str | None:
        """The id of the call that an event asks somebody to approve of; none unless told."""
        del payload
        return None

    def tells_end(self, event: int) -> bool:
        """Whether a record of its own tells how the call ended that an event answers."""
        del event
        return False

    def tell_chunks(self, event: int, payload: dict[str, Any]) -> list[Chunk]:
        """What an event adds to a message while it streams; nothing unless told."""
        del event, payload
        return []

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The owner's id of an event or its message; none unless told."""
        del payload
        return None

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its event's payload."""
        del register
        return payload

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span without a number."""
        del span
        return None

    def found_now(self) -> Iterator[Finding]:
        """What else was found that stands only until more is written."""
        yield from ()

    # The timeline and the source.

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
        return 1.0 if self._complete else min(1.0, self.log.progress)

    def changed(self) -> Change:
        """What happened to the source since it was read."""
        return self.log.changed()

    def close(self) -> None:
        """Give the source back."""
        self.log.close()

    def advance(self) -> bool:
        """Fold the next batch; False where the source ends, for now."""
        fed = self.log.feed()
        self._complete = not fed
        self._fed += 1
        return fed

    def findings(self) -> Iterator[Finding]:
        """What was found, and last what stands only until more is written."""
        yield from self._timeline.findings
        yield from self._found_now()

    def _found_now(self) -> Iterator[Finding]:
        if self._complete:
            yield from self.log.troubles()
            yield from self.found_now()

    def errors(self) -> int:
        """How many findings are errors."""
        # The screen asks with every frame.
        if self._counted is None or self._counted[0] != self._fed:
            now = sum(found.kind.severity is Severity.ERROR for found in self._found_now())
            self._counted = (self._fed, now)
        return self._timeline.findings.count(Severity.ERROR) + self._counted[1]

    @property
    def _torn(self) -> bool:
        return self._complete and self.log.pending > 0

    def sums(self) -> Sums:
        """The account of the records."""
        log = self.log
        return log.records.sums(self._timeline.events, 1 if self._torn else 0, log.frames)

    def verdict(self) -> Verdict:
        """What the owner's loader would do with what is folded so far."""
        # The screen asks with every frame, and an answer may take reading.
        if self._judged is None or self._judged[0] != self._fed:
            self._judged = (self._fed, self.judge())
        return self._judged[1]

    def seal(self) -> Seal:
        """What the tape is at its head; reads all of it."""
        size, digest = self.log.seal()
        return Seal(self._timeline.events, size, digest)

    def planner(self) -> "Planner":
        """No plans are known unless told."""
        from inspector.formats.no_plans import NoPlans  # seldom needed

        return NoPlans(self.identity.format)

    # Records.

    def place(self, record: int) -> Place:
        """Where a record stands."""
        return self.log.place(record)

    def records(self) -> int:
        """How many physical records there are so far, an unended one included."""
        return len(self.log.records) + self._torn

    def physical(self, record: int) -> Physical:
        """A physical record against the events that it holds."""
        log, table = self.log, self._timeline.table
        if record >= len(log.records):
            return Physical(self.place(record), log.pending, None, Fate.PENDING, False, None, 0)
        first = table.first_of_record(record)
        return Physical(
            place=self.place(record),
            length=log.length(record),
            frame=log.frame(record),
            fate=log.records.fate(record),
            recovered=log.records.is_recovered(record),
            first=first,
            events=0 if first is None else table.before_record(record + 1) - first,
        )

    def raw_record(self, record: int) -> bytes:
        """The bytes of a physical record, an unended one included."""
        return self.log.raw(record)

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a record in silence."""
        return self.log.oddities(record)

    # Single events.

    def number(self, event: int) -> int | None:
        """The owner's number of an event; none unless told."""
        del event
        return None

    def numbered(self, number: int) -> list[int]:
        """The positions of the events that bear an owner's number; none unless told."""
        del number
        return []

    def identified(self, identity: str) -> list[int]:
        """The positions of the events or messages that bear an id; reads the tape."""
        table = self._timeline.table
        found: list[int] = []
        # Every record is looked through for the id before any is parsed.
        for record in self.log.mentions(identity):
            first = table.first_of_record(record)
            if first is None:
                continue
            events = range(first, table.before_record(record + 1))
            found += [event for event in events if self.message_id(event) == identity]
        return found

    def message_id(self, event: int) -> str | None:
        """The owner's id of an event or its message, or None."""
        return self.id_of(self.payload(event))

    def mentions(
        self, text: str, among: range | None = None, *, ignore_case: bool = False
    ) -> Iterator[int]:
        """The records whose bytes may hold a text."""
        return self.log.mentions(text, among, ignore_case=ignore_case)

    def trigger(self, event: int) -> str | None:
        """What made the owner compact; nothing unless told."""
        del event
        return None

    def compacted_at(self, event: int) -> int | None:
        """The tokens at which the owner compacted by itself; nothing unless told."""
        del event
        return None

    def recorded_sizes(self, event: int) -> RecordedSizes:
        """What the record of a compaction says of its sizes; nothing unless told."""
        del event
        return RecordedSizes()

    evidence: str = EVIDENCE[2]
    recorded: Collection[Visibility] = ()
    """What became of rows by events that say so: the format only has to follow them."""

    def grounds(self, event: int, cursor: int) -> Grounds:
        """On what it rests that the model saw an event, or does not see it any more."""
        visibility, by = self._timeline.visibility(event, cursor)
        if visibility in self.recorded and by is not None:
            return Grounds(OPERATIONS, by)
        brought = visibility is Visibility.VISIBLE and self._timeline.is_replacement(event)
        if brought and Visibility.SHADOWED in self.recorded:
            return Grounds(OPERATIONS, event)
        return Grounds(self.evidence)

    stream_types: Collection[str] = ()
    compaction_rule: CompactionRule | None = None

    def reserve(self, cursor: int) -> int:
        """The tokens that are kept free for the answer; none unless told."""
        del cursor
        return 0

    def group(self, event: int) -> str | None:
        """What ties the nodes of one API message; nothing unless told."""
        del event
        return None

    def raw(self, event: int) -> bytes:
        """The bytes of the record that carries an event."""
        return self.log.raw(self._timeline.table.record(event))

    def payload(self, event: int) -> dict[str, Any]:
        """An event as the owner would decode it; empty where it cannot be."""
        return self._read(event) or {}

    def _read(self, event: int) -> dict[str, Any] | None:
        """An event as the owner would decode it, or None where it cannot be read any more."""
        table = self._timeline.table
        values = self._values(table.record(event))
        member = table.member(event)
        return values[member] if member < len(values) else None

    def _values(self, record: int) -> list[dict[str, Any]]:
        cached = self._cache.get(record)
        if cached is not None:
            return cached
        last, values = self._large
        if last == record:
            return values
        try:
            values, size = self.log.values(record)
        except SourceError:
            # It was whole when it was folded: the source was changed since.
            return []
        if size > _CACHED_BYTES:
            self._large = (record, values)
            return values
        self._cache[record] = values
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return values

    def headline(self, event: int) -> Headline:
        """An event in one line."""
        payload = self._read(event)
        if payload is None:
            return Headline("unreadable", None, _CHANGED, error=True)
        return self.tell(event, payload)

    def sections(self, event: int) -> list[Section]:
        """An event in full."""
        payload = self._read(event)
        if payload is None:
            return [Section("unreadable", _CHANGED, "error")]
        return self.describe(event, payload)

    def node_headline(self, node: int) -> Headline:
        """A row in one line: its event, unless a format has events that bring several rows."""
        return self.headline(self._timeline.surface.nodes.origin(node))

    def node_sections(self, node: int) -> list[Section]:
        """A row in full, in the same way."""
        return self.sections(self._timeline.surface.nodes.origin(node))

    def parts(self, event: int) -> list[Part]:
        """What an event says as the person saw it."""
        payload = self._read(event)
        return [Said(_CHANGED)] if payload is None else self.tell_parts(event, payload)

    def is_partial(self, event: int) -> bool:
        """Whether an event holds a message that was cut off while it was written."""
        return self.cut_off(self.payload(event))

    def original(self, event: int) -> int | str | None:
        """What a copied event is in the tape that it was copied from; nothing unless told."""
        del event
        return None

    def asked_about(self, event: int) -> str | None:
        """The owner's id of the call that an event asks somebody to approve of, or None."""
        return self.call_asked(self.payload(event))

    def chunks(self, event: int) -> list[Chunk]:
        """What an event adds to a message while it streams."""
        payload = self.payload(event)
        return self.tell_chunks(event, payload) if payload else []

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register, read from its event where it is kept there."""
        if setting.value is not IN_PAYLOAD:
            return setting.value
        return self.register_value(register, self.payload(setting.event))

    def span_id(self, span: Span) -> str | None:
        """The owner's id or number of a span."""
        return str(span.number) if span.number is not None else self.span_name(span)

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """System prompt and tools as of a cursor; the tape says nothing of them unless told."""
        del cursor
        return []

    def coverage(self, cursor: int) -> Coverage | None:
        """How much of the file the chosen branch reaches; only trees have branches."""
        del cursor
        return None

    def on_resume(self, cursor: int) -> list[str]:
        """What the owner does beside when it takes the session up; nothing unless told."""
        del cursor
        return []

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send as history: the surface as it is, unless told."""
        return plain_request(self._timeline, cursor)
