"""An open Reina log: reads on, and answers about single events by reading them again."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inspector.columns import holds
from inspector.formats.contract import (
    Grounds,
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
from inspector.formats.logs.text_log import TextLog
from inspector.formats.parts import Part
from inspector.formats.reina import request, rules
from inspector.formats.reina.decoder import Decoder
from inspector.formats.reina.effects.fold import Fold
from inspector.formats.reina.effects.settings import value_of
from inspector.formats.reina.judge import Judge
from inspector.formats.reina.messages import answers, calls_of
from inspector.formats.reina.request import Sent
from inspector.formats.reina.telling import calls, headlines, sections, triggers
from inspector.formats.reina.vocabulary import POLICIES
from inspector.formats.shapes import mapping, text
from inspector.tape.records import RecordTable
from inspector.tape.source import FileSource, Source
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_NAMED: Final = 3
"""Calls of one message that name a span, or are named as those without a result."""

_TOLD: Final = 1_000
"""Messages whose calls without a result are told."""
_SAID: Final = 80


class ReinaTape(LogTape):
    """A log of Reina; see `inspector.formats.contract.Tape`."""

    log: TextLog
    compaction_rule = triggers.RULE
    # A compaction names what it hides by index.
    recorded = (Visibility.SHADOWED,)

    def __init__(self, source: Source, options: Options) -> None:
        self.policy = options.policy or POLICIES[0]
        self._source = source
        builder, records = Builder(Timeline()), RecordTable()
        folding = Folding(builder, records)
        container = container_of(source)
        self._judge = Judge(container.variant)
        self.fold = Fold(folding, self.policy)
        self.decoder = Decoder(folding, self.fold, self._judge)
        log = TextLog(source, container, records, self.decoder)
        super().__init__(log, builder, options)

    @property
    def identity(self) -> Identity:
        """What the header says."""
        header = self.decoder.header
        return Identity(
            id=None if header is None else header.id,
            format="reina",
            variant=self.log.variant,
            policy=self.policy,
            path=self.log.path,
            created=None if header is None else header.created,
            how=self.log.how,
        )

    def judge(self) -> Verdict:
        """What Reina would do with what is folded so far."""
        return self._judge.verdict()

    def found_now(self) -> Iterator[Finding]:
        """That there is no header yet, and a last line that nothing ends."""
        if self.decoder.header is None and not self._judge.unheaded:
            message = "no session_meta tells whose log it is"
            yield Finding(rules.NO_HEADER, None, None, message)
        if not self.ends_line():
            last = len(self.log.records) - 1
            message = "the last line is a record, and nothing ends it"
            yield Finding(rules.UNENDED_LINE, last, None, message)
        yield from self._unanswered()

    def _unanswered(self) -> Iterator[Finding]:
        """The calls in the history that have no result; those of an open turn may still get one."""
        timeline = self.timeline
        head, turns = timeline.events, timeline.spans[SpanKind.TURN]
        going = next(turns.open_at(head), None)
        running = timeline.spans[SpanKind.TOOL_CALL].open_at(head)
        running_of = {span.opened - 1 for span in islice(running, _TOLD)}
        calls = ((event, list(ids)) for event, ids in list(self.fold.calls.unanswered.items()))
        shown = (
            (event, ids)
            for event, ids in calls
            if event < head and timeline.visibility(event, head)[0] is Visibility.VISIBLE
        )
        for event, ids in islice(shown, _TOLD):
            waits = event in running_of or (going is not None and event >= going.opened)
            kind = rules.WAITING_CALL if waits else rules.UNANSWERED_CALL
            named = ", ".join(clean_line(one, _SAID) or "(no id)" for one in ids[:_NAMED])
            message = f"{plural(len(ids), 'call')} without a result: {named}"
            yield Finding(kind, timeline.table.record(event), event, message)

    def ends_line(self) -> bool:
        """Whether the last line that is folded is ended by a newline."""
        last = len(self.log.records) - 1
        if last < 0:
            return True
        start, length = self.log.records.place(last)
        return self._source.read(start + length, 1) == b"\n"

    # Single events.

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of the call that a record is about; messages have none."""
        return text(mapping(payload.get("record")).get("id")) or answers(
            mapping(payload.get("message"))
        )

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

    def tells_end(self, event: int) -> bool:
        """Whether a record of its own told how the call ended that a result answers."""
        return holds(self.fold.calls.noted, event)

    def trigger(self, event: int) -> str | None:
        """Nothing tells what made the owner compact."""
        del event
        return None

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its record."""
        return value_of(register, payload)

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a call, or those of all calls of the message that opened it."""
        if span.kind not in (SpanKind.TOOL_CALL, SpanKind.APPROVAL) or not span.opened:
            return None
        payload = self.payload(span.opened - 1)
        own = text(mapping(payload.get("record")).get("id"))
        made = [one.id for one in calls_of(mapping(payload.get("message"))) if one.id]
        return own or ", ".join(made[:_NAMED]) or None

    def grounds(self, event: int, cursor: int) -> Grounds:
        """Where the readings of the indexes differ a rule decides, and no record."""
        if self.fold.surface.differ(cursor):
            return Grounds(self.evidence)
        return super().grounds(event, cursor)

    # Requests and plans.

    @property
    def named(self) -> bool:
        """Whether the path of the log leads to the file that is read."""
        # A packed log is none behind which anything is written.
        return isinstance(self._source, FileSource) and self._source.named

    def planner(self) -> "Planner":
        """What could be made of the log."""
        from inspector.formats.reina.planning.planner import ReinaPlanner  # seldom needed

        return ReinaPlanner(self)

    def sent(self, nodes: Iterable[int]) -> list[Sent]:
        """The messages that rows stand for; reads the log."""
        origin = self.timeline.surface.nodes.origin
        return [Sent(node, request.message_of(self.payload(origin(node)))) for node in nodes]

    def request(self, cursor: int) -> list[RequestEntry]:
        """What would be sent as history."""
        return request.request(self.sent([row.node for row in self.timeline.rows(cursor)]))

    def on_resume(self, cursor: int) -> list[str]:
        """What stands beside the history (format page 3.1 and 3.2)."""
        del cursor
        return ["the system prompt is made anew and is not on the log; the model is the log's own"]
