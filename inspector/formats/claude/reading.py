"""An open transcript: reads on, and answers about single records by reading them again."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude import request
from inspector.formats.claude.beside import look_around
from inspector.formats.claude.closing import Closing
from inspector.formats.claude.decoder import ClaudeDecoder
from inspector.formats.claude.effects.registers import value_of
from inspector.formats.claude.originals import Originals
from inspector.formats.claude.policies import JAVASCRIPT, POLICIES
from inspector.formats.claude.readers import Readers
from inspector.formats.claude.telling import calls, headlines, sections, triggers
from inspector.formats.claude.tree.calls import called_by
from inspector.formats.contract import (
    Coverage,
    Headline,
    Identity,
    Options,
    RecordedSizes,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.logs.container import container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tape import LogTape
from inspector.formats.logs.text_log import TextLog
from inspector.formats.parts import Part
from inspector.formats.shapes import mapping, natural, text
from inspector.tape.records import RecordTable
from inspector.tape.source import Source
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


_STREAM: Final = Path("-")
"""The path of what comes from a stream."""


class ClaudeTape(LogTape):
    """A transcript of Claude Code; see `inspector.formats.contract.Tape`."""

    log: TextLog
    compaction_rule = triggers.RULE
    # Boundaries are records; that a branch was left is only told by where the next line hangs.
    recorded = (Visibility.SHADOWED, Visibility.CLEARED)

    def __init__(self, source: Source, options: Options) -> None:
        self.policy = POLICIES[options.policy or JAVASCRIPT]
        builder, records = Builder(Timeline()), RecordTable()
        stem = source.path.name.partition(".")[0]
        self._own = stem if _UUID.fullmatch(stem) else ""
        folding = Folding(builder, records)
        self.decoder = ClaudeDecoder(folding, self.policy, self._raw, self._own)
        self.decoder.effects.origins.originals = Originals(source.path)
        self.decoder.effects.origins.is_streamed = source.path == _STREAM
        log = TextLog(source, container_of(source), records, self.decoder)
        super().__init__(log, builder, options)
        self._beside = look_around(log.path)
        self._closing = Closing(self.decoder, builder.timeline, self.payload, self._raw)
        self._readings = Readers(self.decoder, builder.timeline, self.payload, self._raw)
        self._differences: tuple[int, list[Finding]] = (-1, [])
        self._tell_kin()

    def _tell_kin(self) -> None:
        """Which other files belong to the session."""
        calls = self.decoder.effects.calls
        for agent in self._beside.subagents:
            calls.agents.add(agent.id)
            if agent.call is not None:
                calls.companions[agent.call] = agent.id
            self._builder.kin("subagent", agent.id, None)
        itself = self._beside.itself
        if itself is not None and itself.above is not None:
            self._builder.kin("subagent", f"agent-{itself.above}", None)
        elif self._beside.parent is not None:
            self._builder.kin("parent", self._beside.parent, None)

    def _raw(self, record: int) -> bytes:
        return self.log.raw(record)

    def advance(self) -> bool:
        """Fold the next batch; of what is nothing but a copy all is inherited, for now."""
        more = super().advance()
        origins = self.decoder.effects.origins
        if not more and origins.copied and origins.source is not None and origins.last is not None:
            self._builder.inherit(origins.last + 1)
        return more

    # What the session is.

    @property
    def identity(self) -> Identity:
        """What the file's name and its records say of it."""
        origins, table = self.decoder.effects.origins, self.timeline.table
        cwd = self.timeline.registers.at("cwd", len(table))
        first = next((time for at in range(min(len(table), 50)) if (time := table.time(at))), None)
        return Identity(
            id=self._id or origins.session,
            format="claude",
            variant=self.log.variant,
            policy=self.policy.name,
            path=self.log.path,
            created=first,
            cwd=text(cwd.value) or None if cwd else None,
            parent=self._parent,
            inherited=self.timeline.lives.inherited,
            how=self.log.how,
            beside=self._beside.facts(),
            # Without a name the id is that of the last record, and copies bear another one.
            compared=not origins.is_streamed,
        )

    @property
    def _id(self) -> str | None:
        """A subagent's id or that of the file's name."""
        itself, streamed = self._beside.itself, self.decoder.effects.origins.agent
        agent = itself.id if itself is not None else streamed
        return f"agent-{agent}" if agent is not None else self._own or None

    @property
    def _parent(self) -> str | None:
        """The session of a subagent, or that which the records at the start are copied from."""
        itself, origins = self._beside.itself, self.decoder.effects.origins
        if itself is not None and itself.above is not None:
            return f"agent-{itself.above}"
        if itself is not None or origins.agent is not None:
            return self._beside.parent or origins.first
        return origins.source

    def judge(self) -> Verdict:
        """What the owner's reader would do with what is folded so far."""
        lists = self._closing.lists(self.timeline.count(self.timeline.events))
        return self.decoder.judge.verdict(lists=lists, relinks=self.policy.relinks)

    def coverage(self, cursor: int) -> Coverage | None:
        """How much of the tree the branch at a cursor reaches."""
        records, reached, recovered = self.decoder.coverage.at(cursor)
        return Coverage(records, reached, self.timeline.count(cursor) - recovered, recovered)

    def found_now(self) -> Iterator[Finding]:
        """What stands only until more is written."""
        last = len(self.log.records) - 1
        length = 0
        if last >= 0:
            length = (self.log.place(last).byte or 0) + self.log.length(last)
        yield from self._closing.found(length)

    def findings(self) -> Iterator[Finding]:
        """What was found, and last how other readers would read the transcript."""
        yield from super().findings()
        if self.complete:
            yield from self._readers()

    def _readers(self) -> list[Finding]:
        events, known = self._differences
        if events != self.timeline.events:
            known = list(self._readings.found(self.policy))
            self._differences = (self.timeline.events, known)
        return known

    # Single records.

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The uuid of a record."""
        return text(payload.get("uuid")) or None

    def original(self, event: int) -> int | str | None:
        """The uuid of the record of which a fork made this one (page 1.3)."""
        source = mapping(self.payload(event).get("forkedFrom"))
        return text(source.get("messageUuid")) or None

    def group(self, event: int) -> str | None:
        """The id of the API's message that a record is a line of."""
        if self.timeline.table.type(event) != "assistant":
            return None
        return text(mapping(self.payload(event).get("message")).get("id")) or None

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """A record in one line."""
        del event
        return headlines.headline(payload)

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """A record in full."""
        del event
        return sections.sections(payload)

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What a record says as the person saw it."""
        found = calls.parts(payload)
        return super().tell_parts(event, payload) if found is None else found

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its record."""
        return value_of(register, payload)

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span, from the record that opened it."""
        if span.kind in (SpanKind.TOOL_CALL, SpanKind.SUBAGENT):
            return ", ".join(called_by(self.payload(span.opened - 1))) or None
        if span.kind is SpanKind.COMPACTION:
            return self.id_of(self.payload(span.opened - 1))
        return None

    def trigger(self, event: int) -> str | None:
        """What made the owner compact, which the boundary before a summary says (page 1.9)."""
        return text(self._metadata(event).get("trigger")) or None

    def compacted_at(self, event: int) -> int | None:
        """The tokens that the boundary of a compaction without a command tells (page 1.9)."""
        metadata = self._metadata(event)
        return natural(metadata.get("preTokens")) or None if _by_itself(metadata) else None

    def recorded_sizes(self, event: int) -> RecordedSizes:
        """The tokens before it, which the boundary of a compaction tells (page 1.9)."""
        return RecordedSizes(natural(self._metadata(event).get("preTokens")) or None)

    def _metadata(self, event: int) -> dict[str, Any]:
        """What the boundary of a summary says of the compaction."""
        spans = self.timeline.spans[SpanKind.COMPACTION]
        closed = [span for span in spans.opened_or_closed_by(event) if spans[span].closed]
        if not closed:
            return {}
        return mapping(self.payload(spans.opened[closed[-1]] - 1).get("compactMetadata"))

    def on_resume(self, cursor: int) -> list[str]:
        """Where Claude Code goes on (format page 1.8)."""
        if not cursor:
            return []
        return [
            (
                "new records are appended to the same file, the first with the last record of this "
                "branch as its parent"
            ),
        ]

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send as history."""
        return request.entries(self, cursor)

    # Plans.

    def planner(self) -> "Planner":
        """What is known of plans for the transcript, folded to its head."""
        from inspector.formats.claude.planning.material import Material  # seldom needed
        from inspector.formats.claude.planning.planner import ClaudePlanner

        subagent = self._beside.itself is not None or self.decoder.members.subagent
        material = Material(
            path=self.log.path,
            session=self._id or self.decoder.effects.origins.session,
            policy=self.policy,
            decoder=self.decoder,
            timeline=self.timeline,
            subagent=subagent,
            pending=self.log.pending,
            payload=self.payload,
            raw=self.raw,
            sections=self.sections,
            request=self.request,
            title=self._title,
            verdict=self.verdict,
            subagents=self._beside.subagents,
        )
        return ClaudePlanner(material)

    def _title(self, cursor: int) -> str:
        """What a fork at a cursor is called (format page 1.8)."""
        setting = self.timeline.registers.at("title", cursor)
        said = "" if setting is None else text(self.value("title", setting))
        return f"{said or 'session'} (fork)"


def _by_itself(metadata: dict[str, Any]) -> bool:
    return metadata.get("trigger") == "auto"
