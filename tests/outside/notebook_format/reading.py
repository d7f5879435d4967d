"""An open notebook: what its lines do, and what they say."""

from typing import Any

from inspector.formats.contract import (
    Coverage,
    Headline,
    Identity,
    Options,
    Place,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.logs.container import container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.logs.tape import LogTape
from inspector.formats.logs.text_log import TextLog
from inspector.tape.records import Fate, RecordTable
from inspector.tape.source import Source
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Mark, Reason, Role

ROLES = {"user": Role.USER, "agent": Role.ASSISTANT, "tool": Role.TOOL}


class Lines(LineDecoder):
    """Folds the lines of a notebook by one of its readers."""

    def __init__(self, folding: Folding, *, plain: bool) -> None:
        super().__init__(folding)
        self.header: dict[str, Any] = {}
        self.nodes: dict[str, int] = {}
        self.said: list[int] = []
        self.surface: list[int] = []
        self._plain = plain

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        del line
        if "notebook" in value and not self.header:
            self.header = value
            self.folding.records.set_fate(record, Fate.BOOKKEEPING)
            return
        event = self.folding.event(record, next(iter(value), "empty"), value.get("time"))
        builder = self.folding.builder
        if event == 0 and "title" in self.header:
            builder.set("title", self.header["title"])
        if "say" in value:
            self._say(value, event)
        elif "fold" in value:
            kept = list(self.surface)
            details = (Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, len(value["fold"]) // 4)
            self.surface = [builder.replace(kept, *details)]
            builder.mark(Mark.COMPACTION)
        elif "back" in value and not self._plain:
            self._show(self.surface[: value["back"]])
        elif "again" in value:
            self._show([self.nodes[name] for name in value["again"]])
        elif "cut" in value or "clear" in value:
            self._reform(value)
        elif "aside" in value:
            builder.aside()
        elif "loose" in value:
            self.nodes[value["id"]] = builder.hold(Role.USER, Kind.MESSAGE, 1)

    def _say(self, value: dict[str, Any], event: int) -> None:
        role = ROLES[value["by"]]
        kind = Kind.TOOL_RESULT if "answers" in value else Kind.MESSAGE
        if "call" in value:
            kind = Kind.TOOL_CALL
        node = self.folding.builder.append(role, kind, len(value["say"]) // 4)
        self.nodes[value.get("id", str(event))] = node
        self.said.append(event)
        self.surface.append(node)
        if role is Role.USER:
            self.folding.builder.mark(Mark.USER)

    def _show(self, nodes: list[int]) -> None:
        self.folding.builder.resurface(nodes, Reason.REWOUND)
        self.surface = list(nodes)

    def _reform(self, value: dict[str, Any]) -> None:
        name = value.get("cut") or value["clear"]
        form = Form.CUT if "cut" in value else Form.CLEARED
        before = self.nodes[name]
        self.nodes[name] = self.folding.builder.reform(before, form, 1)
        self.surface[self.surface.index(before)] = self.nodes[name]

    def is_record(self, value: Any) -> bool:
        return isinstance(value, dict)

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner skips what it cannot read."""


class NotebookTape(LogTape):
    """An open notebook."""

    def __init__(self, log: TextLog, lines: Lines, builder: Builder, options: Options) -> None:
        super().__init__(log, builder, options)
        self._lines = lines

    @property
    def identity(self) -> Identity:
        return Identity(
            id=self._lines.header.get("id"),
            format="notebook",
            variant=self.log.variant,
            policy=self.options.policy or "notebook",
            path=self.log.path,
        )

    def judge(self) -> Verdict:
        return Verdict("notebook", True)

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        del event
        said = next(
            (payload[key] for key in ("say", "fold", "aside", "loose") if key in payload), ""
        )
        return Headline(payload.get("by") or next(iter(payload)), payload.get("by"), said)

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        return [Section("", self.tell(event, payload).text), Section("line", str(payload), "dim")]

    def id_of(self, payload: dict[str, Any]) -> str | None:
        return payload.get("id")

    def group(self, event: int) -> str | None:
        return self.payload(event).get("group")

    def place(self, record: int) -> Place:
        values, _ = self.log.values(record) if record < len(self.log.records) else ([], 0)
        elsewhere = values[0].get("from") if values else None
        return super().place(record)._replace(file=elsewhere)

    def coverage(self, cursor: int) -> Coverage:
        shown = {self.timeline.surface.nodes.origin(row.node) for row in self.timeline.rows(cursor)}
        said = [event for event in self._lines.said if event < cursor]
        return Coverage(len(said), len(shown & set(said)), len(shown))

    def request(self, cursor: int) -> list[RequestEntry]:
        """Without rows that say nothing, cleared ones as a note, unanswered calls answered."""
        nodes = self.timeline.surface.nodes
        entries: list[RequestEntry] = []
        rows = self.timeline.rows(cursor)
        answered = {self.payload(nodes.origin(row.node)).get("answers") for row in rows}
        for row in rows:
            payload = self.payload(nodes.origin(row.node))
            call = payload.get("call") or payload.get("answers")
            entry = RequestEntry(row.node, role=nodes.role(row.node).label, call_id=call)
            if payload.get("say") == "":
                entry = RequestEntry(row.node, "dropped", role="user", why="it says nothing")
            elif nodes.form(row.node) is Form.CLEARED:
                entry = RequestEntry(row.node, "altered", text="(cleared)", why="it was cleared")
            entries.append(entry)
            if payload.get("call") and payload["call"] not in answered:
                why = "the call was never answered"
                entries.append(RequestEntry(None, "added", "answer", "tool", "aborted", call, why))
        return entries


def open_notebook(source: Source, options: Options) -> NotebookTape:
    builder = Builder(Timeline())
    records = RecordTable()
    folding = Folding(builder, records)
    lines = Lines(folding, plain=options.policy == "notebook:plain")
    log = TextLog(source, container_of(source), records, lines)
    tape = NotebookTape(log, lines, builder, options)
    tape.advance()
    return tape
