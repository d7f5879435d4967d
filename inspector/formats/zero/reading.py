"""An open Zero session: reads on, and answers about single events by reading them again."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.contract import (
    Headline,
    Identity,
    Options,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.logs.container import container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tape import LogTape
from inspector.formats.parts import Part
from inspector.formats.shapes import mapping, text
from inspector.formats.zero import beside, metadata, request, rules
from inspector.formats.zero.decoder import ZeroDecoder
from inspector.formats.zero.event import event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.log import ZeroLog
from inspector.formats.zero.metadata import Metadata
from inspector.formats.zero.telling import calls, headlines, sections, triggers
from inspector.formats.zero.vocabulary import COMPACTION, POLICIES, TUI
from inspector.tape.records import RecordTable
from inspector.tape.source import Source
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_SAID: Final = 200


class ZeroTape(LogTape):
    """A session of Zero; see `inspector.formats.contract.Tape`."""

    log: ZeroLog
    makes_decoder: type[ZeroDecoder] = ZeroDecoder
    compaction_rule = triggers.RULE
    # A compaction names what it covers.
    recorded = (Visibility.SHADOWED,)

    def __init__(self, source: Source, options: Options) -> None:
        self.policy = options.policy or POLICIES[0]
        builder, records = Builder(Timeline()), RecordTable()
        self.decoder = self.makes_decoder(Folding(builder, records), self.policy, self._raw)
        log = ZeroLog(source, container_of(source), records, self.decoder)
        super().__init__(log, builder, options)
        self.metadata = self._known()
        self.decoder.effects.begin(self.metadata.registers())
        self._tell_kin()

    def _known(self) -> Metadata:
        return metadata.beside(self.log.path)

    def _raw(self, record: int) -> bytes:
        return self.log.raw(record)

    def _tell_kin(self) -> None:
        """How the session came to be, as its metadata say; of a copy an event says more."""
        parent, kind = self.metadata.parent, self.metadata.kind
        undertakings = self.decoder.effects.undertakings
        if kind in ("fork", "side"):
            undertakings.copied_as, undertakings.copied = kind, True
        elif parent is not None:
            relation = "spec" if kind == "spec-impl" else "parent"
            undertakings.other(relation, parent, above=True)

    # What the session is.

    @property
    def session(self) -> str:
        """The session's id: by its metadata, else by its events."""
        return self.metadata.session or self.first_session()

    def first_session(self) -> str:
        """The session that the first event is of; empty without events."""
        return text(self.payload(0).get("sessionId")) if self.timeline.events else ""

    @property
    def identity(self) -> Identity:
        """What metadata and events say of it: where it comes from, the metadata if they know."""
        known = self.metadata
        return Identity(
            id=self.session or None,
            format="zero",
            variant=self.log.variant,
            policy=self.policy,
            path=self.log.path,
            created=known.created,
            cwd=known.cwd,
            parent=known.parent or self.decoder.effects.undertakings.parent or None,
            inherited=self.timeline.lives.inherited,
            how=self.log.how,
            beside=tuple(clean_line(fact, _SAID) for fact in known.facts()),
        )

    def judge(self) -> Verdict:
        """What Zero would do with what is folded so far."""
        return self.decoder.judge.verdict(
            self.session or self.log.path.parent.name, self.log.tail if self.complete else b""
        )

    def found_now(self) -> Iterator[Finding]:
        """An unended event, and how the metadata stand to the log."""
        if self.log.unended:
            last = len(self.log.records) - 1
            yield Finding(
                rules.UNENDED_LINE, last, None, "the last line is an event, and nothing ends it"
            )
        fault = self.decoder.judge.passed_over(self.log.tail)
        if fault is not None:
            message = f"{fault.problem}, but it is the last line and the file ends in no line end"
            yield Finding(rules.PASSED_LINE, fault.record, None, message)
        # A live session's metadata are replaced with every event.
        yield from beside.findings(self._known(), _Facts(self))

    # Single events.

    def number(self, event: int) -> int | None:
        """The sequence of an event."""
        return self.decoder.numbering.number(event)

    def numbered(self, number: int) -> list[int]:
        """The positions of the events with a sequence; it may come again."""
        return self.decoder.numbering.numbered(number, self.timeline.events)

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of an event."""
        return text(payload.get("id")) or None

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """An event in one line."""
        return headlines.headline(self.timeline.table.type(event), payload)

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """An event in full."""
        return sections.sections(self.timeline.table.type(event), payload)

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What an event says as the person saw it."""
        found = calls.parts(self.timeline.table.type(event), payload)
        return super().tell_parts(event, payload) if found is None else found

    def call_asked(self, payload: dict[str, Any]) -> str | None:
        """The call that an event asks somebody to approve of."""
        return calls.asked_about(payload)

    def trigger(self, event: int) -> str | None:
        """What made the owner compact; only a command of a person writes it (format page 5)."""
        if self.timeline.table.type(event) != COMPACTION:
            return None
        # One that builds on the owner keeps it in a key of its own.
        payload = mapping(self.payload(event).get("payload"))
        return text(payload.get("trigger")) or "manual, as only /compact writes one"

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its event's payload."""
        del register
        return sections.facts_of(mapping(payload.get("payload")))

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span, from the event that opened it."""
        payload = mapping(self.payload(span.opened - 1).get("payload"))
        return sections.name_of(span.kind, payload) if span.kind is not SpanKind.TURN else None

    def planner(self) -> "Planner":
        """What could be made of the session."""
        from inspector.formats.zero.planning.planner import ZeroPlanner  # seldom needed

        return ZeroPlanner(self, _Facts(self).ended())

    def on_resume(self, cursor: int) -> list[str]:
        """What stands beside the history (format page 10)."""
        del cursor
        if self.policy == TUI:
            return ["the screen reads the log as it is written: after a rewind nothing is folded"]
        return ["the new request stands behind these lines, in the same prompt"]

    def request(self, cursor: int) -> list[RequestEntry]:
        """What Zero would send as history."""
        return request.entries(self, cursor)


class _Facts:
    """What `beside.Log` asks of an open session."""

    def __init__(self, tape: ZeroTape) -> None:
        self._tape = tape

    @property
    def name(self) -> str:
        return self._tape.log.path.name

    @property
    def session(self) -> str:
        return self._tape.first_session()

    @property
    def last(self) -> int | None:
        events = self._tape.timeline.events
        return self._tape.number(events - 1) if events else None

    def has(self, number: int) -> bool:
        """Whether an event has this number."""
        return bool(self._tape.numbered(number))

    def ended(self) -> int:
        log = self._tape.log
        record = len(log.records) - 1 - log.unended
        try:
            event = event_of_line(log.raw(record)) if record >= 0 else None
        except RefusedError:
            return 0
        return 0 if event is None else event.number
