"""An open Codex log: reads on, and answers about single events by reading them again."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inspector.columns import holds
from inspector.formats.codex.beside.rollouts import is_named
from inspector.formats.codex.decoder import Decoder
from inspector.formats.codex.effects.fold import Fold
from inspector.formats.codex.effects.registers import value_of
from inspector.formats.codex.header import Header
from inspector.formats.codex.inherited import Inherited
from inspector.formats.codex.judge import Judge
from inspector.formats.codex.keeping import NO_SUMMARY
from inspector.formats.codex.replacements import Replacement, replacement, said, user_message
from inspector.formats.codex.requesting import Row, request
from inspector.formats.codex.surroundings import Surroundings
from inspector.formats.codex.telling import calls, triggers
from inspector.formats.codex.telling.headlines import headline
from inspector.formats.codex.telling.history import item_line, item_sections
from inspector.formats.codex.telling.sections import NEW, compaction_sections, sections
from inspector.formats.contract import (
    OPERATIONS,
    Grounds,
    Headline,
    Identity,
    Options,
    Place,
    PreamblePart,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.logs.container import Container, container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tape import LogTape
from inspector.formats.logs.text_log import TextLog
from inspector.formats.logs.tokens import of_bytes, of_text
from inspector.formats.parts import Part
from inspector.formats.shapes import mapping, text
from inspector.tape.records import RecordTable
from inspector.tape.source import Source
from inspector.text.jsontext import json_length, json_text
from inspector.timeline.builder import Builder
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Role, SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.codex.planning.rollout import Rehearsed
    from inspector.formats.planning import Planner

POLICY = "codex-0.171"

_TOLD = ("event_msg/user_message", "event_msg/agent_message")
"""Types of what the person was told."""


class CodexTape(LogTape):
    """A log of Codex; see `inspector.formats.contract.Tape`.

    Args:
        source: the log.
        options: how it is to be read.
        around: what stands around it.
    """

    compaction_rule = triggers.RULE
    # Replacements and rollbacks are records.
    recorded = (Visibility.SHADOWED, Visibility.REWOUND)

    def __init__(
        self, source: Source, options: Options, around: Surroundings | None = None
    ) -> None:
        around = around or Surroundings()
        builder = Builder(Timeline())
        records = RecordTable()
        self._chain = around.chain
        self._copies = around.copies
        self._lines = records
        self._folding = Folding(builder, records)
        self._judge = Judge()
        if around.missing is not None:
            self._judge.refuse(around.missing)
        self._fold = Fold(self._folding, self._replacement, self._said)
        self._decoder = Decoder(
            self._folding,
            records,
            self._fold,
            self._judge,
            (0,) if self._chain is None else self._chain.starts,
            around.header,
            Inherited(self._folding, around.copies, guess=around.parent_away),
            around.gap,
        )
        text_of_log = self._text = source if self._chain is None else self._chain
        container: Container = container_of(source) if self._chain is None else self._chain
        if is_named(source):
            self._judge.look_at(source.path.name, container.variant)
        begins = 0 if self._chain is None else self._chain.starts[-1]
        log = TextLog(text_of_log, container, records, self._decoder, begins)
        super().__init__(log, builder, options)
        for found in around.findings:
            builder.find(found.kind, found.message, record=found.record, event=found.event)

    @property
    def identity(self) -> Identity:
        """What the header says."""
        header = self._decoder.header or Header()
        era = "bare" if header.bare else "wrapped"
        return Identity(
            id=header.id,
            format="codex",
            variant=f"{era}/{self.log.variant}",
            policy=self.options.policy or POLICY,
            path=self.log.path,
            created=header.created,
            cwd=header.cwd,
            parent=header.origin_thread,
            inherited=self.timeline.lives.inherited,
            how=self.log.how,
        )

    def judge(self) -> Verdict:
        """What the owner would do."""
        fold, events = self._fold, self.timeline.events
        # What the person was told is a conversation too, if none that the model is given.
        known = self.timeline.table.types.known
        told = any(known(kind) is not None for kind in _TOLD)
        reports = 0 if told else fold.usage.reports
        return self._judge.verdict(items=fold.conversation.items, events=events, reports=reports)

    def planner(self) -> "Planner":
        """Plans for the log."""
        from inspector.formats.codex.planning.planner import CodexPlanner
        from inspector.formats.codex.planning.rollout import Head, Rollout

        decoder, header = self._decoder, self._decoder.header
        head = None if self._chain is not None else decoder.head(self.log.raw)
        return CodexPlanner(
            Rollout(
                path=self.log.path,
                source=self._text,
                variant=self.log.variant,
                named=is_named(self._text),
                pending=self.log.pending,
                timeline=self.timeline,
                records=self._lines,
                history=self._fold.history,
                header=header,
                head=None if head is None or header is None else Head(*head, header),
                verdict=self.verdict(),
                item=self.item,
                values=self._values,
                request=self.request,
                rehearsed=_rehearsed,
            )
        )

    def close(self) -> None:
        """Give the source back, and the parent's if it is still compared."""
        if self._copies is not None:
            self._copies.close()
        super().close()

    def place(self, record: int) -> Place:
        """Where a record stands, in which log if that is another than the tape's own."""
        place, chain = super().place(record), self._chain
        if chain is None or place.byte is None:
            return place
        part = chain.part(place.byte)
        start = chain.starts[part]
        first = self._lines.at(start) if start else 0
        return Place(record - first + 1, place.byte - start, None, chain.name(part))

    # What the fold reads again.

    def _folded(self, event: int) -> dict[str, Any]:
        """The payload of an event that was folded, perhaps not published yet."""
        values = self._values(self._folding.record_of(event))
        return inner(values[0]) if values else {}

    def _replacement(self, event: int) -> Replacement:
        return replacement(self._folded(event))

    def _said(self, node: int) -> str:
        return said(self.item(node))

    # Rows of the surface.

    def item(self, node: int) -> dict[str, Any]:
        """The item that a row stands for, as the owner has it in its history."""
        nodes = self._builder.timeline.surface.nodes
        if nodes.form(node) is not Form.FULL:
            return user_message(self._fold.history.keeping.text(node))
        payload = self._folded(nodes.origin(node))
        if "type" in payload:
            return payload
        stored = payload.get("replacement_history")
        if isinstance(stored, list):
            part = nodes.part(node)
            return mapping(stored[part]) if part < len(stored) else {}
        if "author" in payload:
            content = [{"type": "input_text", "text": text(payload.get("content"))}]
            return {"type": "agent_message", **payload, "content": content}
        return user_message(text(payload.get("message")) or NO_SUMMARY)

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send, calls and outputs paired."""
        rows = self.timeline.rows(cursor)
        return request([Row(row.node, self.item(row.node)) for row in rows])

    def on_resume(self, cursor: int) -> list[str]:
        """What Codex puts in the request anew (seen of codex-cli 0.171.0)."""
        del cursor
        return [
            (
                "a developer message (permissions, skills) and an environment context are put in "
                "anew, behind the history and before the prompt; they are not on the tape"
            ),
        ]

    # Single events.

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """An event in one line."""
        return headline(self.timeline.table.type(event), inner(payload))

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """An event in full."""
        kind = self.timeline.table.type(event)
        if kind != "compacted":
            return sections(kind, inner(payload))
        nodes = self.timeline.surface.nodes
        new = {nodes.part(node) for node in nodes.all_of_event(event) if self._is_new(node)}
        return compaction_sections(inner(payload), new)

    def node_headline(self, node: int) -> Headline:
        """A row in one line: the item that it stands for, where a compaction brings it."""
        item = self._brought(node)
        if item is None:
            return super().node_headline(node)
        line = item_line(_type_of(item), item)
        return replace(line, text=f"({NEW}) {line.text}") if self._is_new(node) else line

    def node_sections(self, node: int) -> list[Section]:
        """A row in full, in the same way."""
        item = self._brought(node)
        if item is None:
            return super().node_sections(node)
        told = item_sections(_type_of(item), item)
        return [*told, Section("", NEW, "dim", True)] if self._is_new(node) else told

    def _is_new(self, node: int) -> bool:
        """Whether a compaction put in what nobody said before, and what is no summary."""
        nodes = self.timeline.surface.nodes
        return nodes.form(node) is Form.FULL and nodes.role(node) is not Role.SUMMARY

    def _brought(self, node: int) -> dict[str, Any] | None:
        """The item of a row whose event says more or something else; None for any other row."""
        timeline = self.timeline
        nodes = timeline.surface.nodes
        own = nodes.form(node) is Form.FULL
        event = nodes.origin(node)
        if (own and timeline.table.type(event) != "compacted") or not self.payload(event):
            return None
        return self.item(node)

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What an event says as the person saw it."""
        found = calls.parts(self.timeline.table.type(event), inner(payload))
        return super().tell_parts(event, payload) if found is None else found

    def tells_end(self, event: int) -> bool:
        """Whether the end of a command, a patch or a tool of a server was noted (page 2.5)."""
        return holds(self._fold.calls.noted, event)

    def call_asked(self, payload: dict[str, Any]) -> str | None:
        """The call that an event asks somebody to approve of."""
        return calls.asked_about(inner(payload))

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of an item, else that of the call that a record is about."""
        shape = inner(payload)
        return text(shape.get("id")) or text(shape.get("call_id")) or None

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its event's payload."""
        return value_of(register, inner(payload))

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span: of its turn, call or window."""
        if span.opened == 0:
            return None
        shape = inner(self.payload(span.opened - 1))
        keys = {
            SpanKind.TURN: ("turn_id",),
            SpanKind.COMPACTION: ("window_id",),
            SpanKind.SUBAGENT: ("new_thread_id",),
        }.get(span.kind, ("call_id", "id"))
        return next((text(shape.get(key)) for key in keys if text(shape.get(key))), None)

    def grounds(self, event: int, cursor: int) -> Grounds:
        """A compaction without a replacement leaves to a rule what it keeps (format page 2.8)."""
        found = super().grounds(event, cursor)
        if found.grade != OPERATIONS or found.by is None:
            return found
        kind = self.timeline.table.type(found.by)
        if kind != "compacted" or isinstance(
            inner(self.payload(found.by)).get("replacement_history"), list
        ):
            return found
        return Grounds(self.evidence)

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """The instructions and the client's tools, which the header tells."""
        del cursor
        header, found = self._decoder.header, list[PreamblePart]()
        if header is None or not self.timeline.events:
            return found
        if header.instructions:
            prompt = header.instructions
            found.append(PreamblePart("system", 0, of_text(prompt), prompt[:400], prompt))
        if header.tools:
            names = ", ".join(text(mapping(tool).get("name"))[:80] for tool in header.tools[:50])
            weight = of_bytes(json_length(list(header.tools)))
            found.append(PreamblePart("tools", 0, weight, names, json_text(list(header.tools))))
        return found


def _type_of(item: dict[str, Any]) -> str:
    return text(item.get("type"))


def inner(record: dict[str, Any]) -> dict[str, Any]:
    """What a record holds: its payload, or itself in the older era."""
    payload = record.get("payload")
    return payload if isinstance(payload, dict) else record


def _rehearsed(composed: Source) -> "Rehearsed":
    """What would be read of a log that is not written."""
    from inspector.formats.codex.planning.rollout import Rehearsed

    made = CodexTape(composed, Options())
    try:
        while made.advance():
            pass
        return Rehearsed(made.timeline, made.request(made.timeline.events))
    finally:
        made.close()
