"""An open session: reads on, and answers about single rows by reading them again."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.columns import Column
from inspector.formats.contract import (
    REQUEST,
    Grounds,
    Headline,
    Identity,
    Options,
    PreamblePart,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.deepchat import rules
from inspector.formats.deepchat.context.checkpoint import Checkpoint
from inspector.formats.deepchat.context.messages import BuildBreaks, messages_of
from inspector.formats.deepchat.context.records import record_of
from inspector.formats.deepchat.decoder import Decoder
from inspector.formats.deepchat.effects.runs import Run
from inspector.formats.deepchat.effects.tools import call_of
from inspector.formats.deepchat.naming import Naming
from inspector.formats.deepchat.policies import POLICIES, SENT
from inspector.formats.deepchat.request import of_settings, request
from inspector.formats.deepchat.sources.session_log import SessionLog
from inspector.formats.deepchat.sources.store import Session, forked_from
from inspector.formats.deepchat.telling import calls, triggers
from inspector.formats.deepchat.telling.headlines import headline
from inspector.formats.deepchat.telling.sections import sections
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import MESSAGE, TOOL_CALL, TOOL_RESULT
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tape import LogTape
from inspector.formats.logs.tokens import of_text
from inspector.formats.parts import Part
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.text.labels import event_words
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_OWNER: Final = "deepchat"


class DeepChatTape(LogTape):
    """A session of DeepChat; see `inspector.formats.contract.Tape`."""

    compaction_rule = triggers.RULE
    recorded = (Visibility.SHADOWED, Visibility.SUPERSEDED, Visibility.RETRACTED)

    def __init__(self, log: SessionLog, options: Options) -> None:
        builder = Builder(Timeline())
        super().__init__(log, builder, options)
        self._rows = log
        session = log.session
        self._beside: Checkpoint | None = None
        self._header(builder)
        self._decoder = Decoder(
            Folding(builder, log.records),
            log.row,
            pending_counts=self._policy != SENT,
            counted=session.has_tape,
        )
        self._naming = Naming(log, self._decoder.views.told, self.payload, builder.timeline)
        log.start(self._decoder)

    @property
    def _policy(self) -> str:
        return self.options.policy or POLICIES[0]

    def _header(self, builder: Builder) -> None:
        """What the tables beside the tape say, as they are now."""
        log, session = self._rows, self._rows.session
        builder.event = -1
        if session.title is not None:
            builder.set("title", session.title)
        if session.kind not in (None, "regular"):
            builder.set("origin", session.kind)
        builder.event = 0
        # A fork of a tape is one by its id, also where its start does not tell how much it sees.
        fork = forked_from(session.id)
        if session.parent not in (None, fork):
            builder.kin("subagent", session.parent, None)
        if fork is not None:
            builder.kin("fork", fork, log.shared)
        for kind, message in log.remarks():
            builder.find(kind, message, record=None, event=None)
        if session.has_tape and text(session.settings.get("summary_text")) and not log.anchored:
            self._beside = of_settings(session.settings)
            message = "the summary stands in table deepchat_sessions only, as it is now"
            builder.find(rules.SUMMARY_BESIDE, message, record=None, event=None)

    # What the session is.

    @property
    def identity(self) -> Identity:
        """What the tables say of the session."""
        log, session = self._rows, self._rows.session
        return Identity(
            id=session.id,
            format=_OWNER,
            variant=log.variant,
            policy=self._policy,
            path=log.path,
            created=session.created,
            cwd=session.cwd,
            parent=session.parent,
            inherited=self.timeline.lives.inherited,
            how=log.how,
            beside=log.beside,
        )

    def judge(self) -> Verdict:
        """The owner opens any tape; what it may not do is to build a request of it (RULES C5)."""
        timeline = self.timeline
        for event in self._decoder.breaking:
            if timeline.visibility(event, timeline.events)[0] is not Visibility.VISIBLE:
                continue
            record = record_of(self.payload(event).get("payload", {}))
            if isinstance(record, str):
                continue
            try:
                messages_of(record)
            except BuildBreaks as breaks:
                reason = f"no request can be built: {breaks} ({breaks.word})"
                return Verdict(_OWNER, "partly", reason, event)
        return Verdict(_OWNER, opens=True)

    def found_now(self) -> Iterator[Finding]:
        """The runs that have no end, in the owner's classes."""
        for identity, run in self._decoder.runs.unfinished():
            faults = f" ({'; '.join(run.faults[:3])})" if run.faults else ""
            message = (
                f"run {clean_line(identity, 60)} has no end: {run.recovery}{faults}, "
                f"{len(run.dispatched)} dispatched, {len(run.answered)} came back"
            )
            yield Finding(rules.UNFINISHED_RUN, None, run.event, message)

    # Plans.

    def planner(self) -> "Planner":
        """What is known of plans for the session."""
        from inspector.formats.deepchat.planning.planner import DeepChatPlanner

        return DeepChatPlanner(self)

    @property
    def session(self) -> Session:
        """What the tables beside the tape say of it, as they are now."""
        return self._rows.session

    @property
    def pending(self) -> Column:
        """The events of messages that are not sent, or not finished."""
        return self._decoder.pending

    def unfinished(self) -> Iterator[tuple[str, Run]]:
        """The runs without an end, by id."""
        return self._decoder.runs.unfinished()

    def unwritten(self) -> int:
        """How many answers are being written, and so are not on the tape yet."""
        return self._rows.unwritten()

    # Single rows.

    def number(self, event: int) -> int | None:
        """The ``entry_id`` of a row; a row of the transcript has none."""
        if not self._rows.session.has_tape:
            return None
        return self._rows.number(self.timeline.table.record(event))

    def named(self, event: int) -> str:
        """A row as people name it."""
        return event_words(event, self.number(event))

    def original(self, event: int) -> int | str | None:
        """What a fork inherits are the rows of its parent (page 7)."""
        return self.number(event)

    def numbered(self, number: int) -> list[int]:
        """The rows with an ``entry_id``: of a fork, one of the parent's and one of its own."""
        if not self._rows.session.has_tape:
            return []
        key, found = self._rows.records.key, list[int]()
        for stretch in self._rows.stretches():
            record = stretch.start + bisect_left(stretch, number, key=key)
            while record < stretch.stop and key(record) == number:
                event = self.timeline.table.first_of_record(record)
                if event is not None and self._rows.number(record) is not None:
                    found.append(event)
                record += 1
        return found

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of the message that a row holds, or of the call that a tool row is about."""
        kind = payload.get("kind")
        if kind == MESSAGE:
            record = record_of(payload["payload"])
            return None if isinstance(record, str) else record.id
        if kind in (TOOL_CALL, TOOL_RESULT):
            return call_of(kind, payload["payload"])[1] or None
        return None

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """A row in one line."""
        del event
        return headline(payload)

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """A row in full."""
        del event
        return sections(payload)

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What a row says as the person saw it."""
        found = calls.parts(payload)
        return super().tell_parts(event, payload) if found is None else found

    def cut_off(self, payload: dict[str, Any]) -> bool:
        """Whether an answer ended in an error."""
        return calls.is_cut_off(payload)

    def trigger(self, event: int) -> str | None:
        """What made the owner compact, which is in the name of the anchor (format page 5)."""
        return triggers.trigger_of(self.payload(event))

    def grounds(self, event: int, cursor: int) -> Grounds:
        """A manifest that names a row is the record of a request (format page 6)."""
        if self._timeline.surface.nodes.of_event(event) is not None and event < cursor:
            manifest = self._naming.first(event, self.message_id(event), cursor)
            if manifest is not None:
                return Grounds(REQUEST, manifest)
        return super().grounds(event, cursor)

    def reserve(self, cursor: int) -> int:
        """What the last request kept free for the answer and for tools."""
        setting = self._timeline.registers.at("reserve", cursor)
        return setting.value if setting is not None and isinstance(setting.value, int) else 0

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span, told by the row that opened it."""
        row = self.payload(span.opened - 1)
        data = object_of(mapping(row.get("payload")).get("data"))
        if span.kind is SpanKind.TOOL_CALL:
            operation = mapping(data.get("operation"))
            return text(operation.get("providerToolCallId")) or (self.id_of(row) if row else None)
        keys = {SpanKind.RUN: "runId", SpanKind.SUBAGENT: "childSessionId"}
        return text(data.get(keys.get(span.kind, "messageId"))) or None

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The system prompt is the one register that stays in its row."""
        del register
        return mapping(payload.get("payload")).get("system_prompt")

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """The system prompt, where a transcript has no tape; no tape holds it."""
        setting: Setting | None = self.timeline.registers.at("preamble", cursor)
        if setting is None:
            return []
        prompt = text(self.value("preamble", setting))
        return [PreamblePart("system", setting.event, of_text(prompt), prompt[:200], prompt)]

    def on_resume(self, cursor: int) -> list[str]:
        """What the answer of `request` leaves open."""
        del cursor
        return ["a budget that binds would leave out the oldest messages: none is applied here"]

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send as history, with a budget that does not bind."""
        return request(self.timeline, cursor, self.payload, self._beside)
