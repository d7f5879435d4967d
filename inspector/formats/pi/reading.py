"""An open session: reads on, and answers about single entries by reading them again."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

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
from inspector.formats.pi import beside, request, rules
from inspector.formats.pi.decoder import PiDecoder
from inspector.formats.pi.entry import call_ids, content_of, message_of
from inspector.formats.pi.judge import judged
from inspector.formats.pi.labels import REGISTER, Labels
from inspector.formats.pi.telling import calls, headlines, sections, triggers
from inspector.formats.pi.telling.blocks import content_line
from inspector.formats.pi.times import Clock
from inspector.formats.pi.vocabulary import COMPACTION, CURRENT
from inspector.formats.shapes import mapping, natural, text
from inspector.tape.records import RecordTable
from inspector.tape.source import Source
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Finding
from inspector.timeline.registers import IN_PAYLOAD, Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Role, SpanKind, Visibility

if TYPE_CHECKING:
    from inspector.formats.planning import Planner

_SAID: Final = 200


class PiTape(LogTape):
    """A session of Pi; see `inspector.formats.contract.Tape`."""

    log: TextLog
    compaction_rule = triggers.RULE
    # Compactions and edits are entries; that a branch was left is only told by the next parent.
    recorded = (Visibility.SHADOWED, Visibility.CLEARED)

    def __init__(self, source: Source, options: Options) -> None:
        builder, records = Builder(Timeline()), RecordTable()
        self.decoder = PiDecoder(Folding(builder, records), self._raw)
        self.decoder.heading.headed = self._headed
        log = TextLog(source, container_of(source), records, self.decoder)
        super().__init__(log, builder, options)
        self._source = source
        self._labels = Labels(self.timeline, self.payload)
        self._originals: frozenset[str] = frozenset()
        self._compared = False

    def _raw(self, record: int) -> bytes:
        return self.log.raw(record)

    # Where it comes from.

    def _headed(self, header: dict[str, Any]) -> None:
        """The header says which session this one was made of."""
        told = beside.named_by(header)
        if self.parent is None:
            return
        self._originals = beside.ids_of(told, self.log.path)
        self._compared = bool(self._originals)
        if self._originals:
            self.decoder.entered = self._copied
        else:
            self._builder.kin("fork", self.parent, None)

    def _copied(self, identity: str | None, event: int) -> bool:
        """Whether the entries so far are all copies of the parent's."""
        if identity in self._originals:
            self._builder.inherit(event + 1)
            return True
        self._originals = frozenset()
        self._builder.kin("fork", self.parent or "", event or None)
        return False

    @property
    def parent(self) -> str | None:
        """The session that this one was made of, or None."""
        told = beside.named_by(self.decoder.header)
        return beside.session_of(told) if told else None

    # What the session is.

    @property
    def identity(self) -> Identity:
        """What the header says of it."""
        header = self.decoder.header
        told = beside.named_by(header)
        facts = (f"made of {clean_line(told, _SAID)}",) if told else ()
        version = self.decoder.judge.version
        return Identity(
            id=text(header.get("id")) or None,
            format="pi",
            variant=f"v{version}/{self.log.variant}" if header else self.log.variant,
            policy="pi",
            path=self.log.path,
            created=Clock().read(header.get("timestamp")),
            cwd=text(header.get("cwd")) or None,
            parent=self.parent,
            inherited=self.timeline.lives.inherited,
            how=self.log.how,
            beside=facts,
            compared=self.parent is None or self._compared,
        )

    def judge(self) -> Verdict:
        """What Pi would do with what is folded so far."""
        return judged(self.decoder, unended=self._unended, empty=not self.records())

    @property
    def _unended(self) -> bool:
        """Whether nothing ends the last line, be it whole or torn."""
        return self.complete and (self.log.pending > 0 or self._taken)

    @property
    def _taken(self) -> bool:
        """Whether the last line was read, and nothing ends it."""
        last = len(self.log.records) - 1
        if last < 0:
            return False
        return (self.log.place(last).byte or 0) + self.log.length(last) >= self._source.size()

    def found_now(self) -> Iterator[Finding]:
        """An entry that nothing ends."""
        if self._taken:
            message = "the last line is whole, and nothing ends it"
            yield Finding(rules.UNENDED_LINE, len(self.log.records) - 1, None, message)

    def coverage(self, cursor: int) -> Coverage | None:
        """How much of the tree the path at a cursor reaches."""
        known = self.decoder.coverage
        at = min(cursor, known.known)
        return Coverage(at, known.at(at), self.timeline.count(at))

    # Single entries.

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of an entry."""
        return text(payload.get("id")) or None

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """An entry in one line."""
        del event
        return headlines.headline(payload)

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """An entry in full."""
        del event
        return sections.sections(payload)

    def node_headline(self, node: int) -> Headline:
        """A row in one line: with what an edit put there, or one of a compaction's two."""
        nodes, line = self.timeline.surface.nodes, super().node_headline(node)
        edit = self._edit_of(node)
        if edit is not None:
            said = content_line(mapping(edit.get("replacement")).get("content"))
            return Headline(line.kind, line.speaker, said or "(empty)", line.error)
        payload = self.payload(nodes.origin(node))
        if nodes.role(node) is Role.SYSTEM and payload.get("type") == COMPACTION:
            content = content_of({"message": payload.get("systemMessage")})
            return Headline("system", "system", content_line(content) or "(empty)")
        return line

    def node_sections(self, node: int) -> list[Section]:
        """A row in full, in the same way."""
        nodes, edit = self.timeline.surface.nodes, self._edit_of(node)
        if edit is not None:
            return sections.replaced(edit)
        payload = self.payload(nodes.origin(node))
        if payload.get("type") == COMPACTION:
            if nodes.role(node) is Role.SYSTEM:
                return sections.checkpoint(payload)
            return sections.sections({**payload, "systemMessage": None})
        return super().node_sections(node)

    def _edit_of(self, node: int) -> dict[str, Any] | None:
        """The edit that gave a row its content, or None."""
        nodes = self.timeline.surface.nodes
        if nodes.form(node) is not Form.REBUILT:
            return None
        return self.payload(nodes.sources(node)[-1])

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What an entry says as the person saw it."""
        found = calls.parts(payload)
        return super().tell_parts(event, payload) if found is None else found

    def cut_off(self, payload: dict[str, Any]) -> bool:
        """Whether an answer was aborted."""
        return message_of(payload).get("stopReason") == "aborted"

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register: of the labels, all that hold once an entry has set one."""
        if setting.value is IN_PAYLOAD and register == REGISTER:
            return self._labels.told(setting.event + 1)
        return super().value(register, setting)

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span, from the entry that opened it."""
        payload = self.payload(span.opened - 1)
        if span.kind is SpanKind.TOOL_CALL:
            return ", ".join(call_ids(message_of(payload))) or None
        return self.id_of(payload) if span.kind is SpanKind.COMPACTION else None

    def trigger(self, event: int) -> str | None:
        """What made the owner compact: an extension, where the entry says so."""
        payload = self.payload(event)
        if payload.get("type") != COMPACTION:
            return None
        return "an extension" if payload.get("fromHook") is True else None

    def recorded_sizes(self, event: int) -> RecordedSizes:
        """The tokens before a compaction, which its entry tells (format page 4.2)."""
        payload = self.payload(event)
        before = payload.get("tokensBefore") if payload.get("type") == COMPACTION else None
        return RecordedSizes(natural(before) or None)

    # Going on.

    def on_resume(self, cursor: int) -> list[str]:
        """Where Pi goes on (format page 4.3)."""
        found = []
        if self.decoder.judge.version < CURRENT:
            found.append(f"the file is rewritten first, as version {CURRENT}")
        if cursor:
            found.append(
                "new entries are appended to the same file, the first with the last entry of this "
                "branch as its parent"
            )
        return found

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send as history."""
        return request.entries(self, cursor)

    def planner(self) -> "Planner":
        """What is known of plans for the session, folded to its head."""
        from inspector.formats.pi.planning.planner import PiPlanner  # seldom needed

        return PiPlanner(self)
