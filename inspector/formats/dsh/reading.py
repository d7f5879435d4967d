"""An open DeepSeek Harness log: reads on, and answers about single events by reading them again."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.formats.chunks import Chunk
from inspector.formats.contract import (
    EVIDENCE,
    Headline,
    Identity,
    Options,
    PreamblePart,
    RecordedSizes,
    RequestEntry,
    Section,
    Verdict,
)
from inspector.formats.dsh import header as headers
from inspector.formats.dsh import packed, resuming
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
from inspector.formats.dsh.telling import calls, chunks, headlines, sections, sending, triggers
from inspector.formats.dsh.upcasting import Malformed, Upcaster
from inspector.formats.logs.tape import LogTape
from inspector.formats.parts import Part
from inspector.formats.shapes import items, mapping, natural, text
from inspector.text.jsontext import json_text
from inspector.text.labels import plural
from inspector.timeline.builder import Builder
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form

if TYPE_CHECKING:
    from inspector.formats.planning import Planner


class DshTape(LogTape):
    """A log of DeepSeek Harness; see `inspector.formats.contract.Tape`.

    Args:
        log: the records.
        options: how the tape is to be read.
        look_around: finds what stands beside the log of a header.
    """

    log: Log
    evidence = EVIDENCE[1]
    stream_types = chunks.TYPES
    compaction_rule = triggers.RULE

    def __init__(
        self,
        log: Log,
        options: Options,
        look_around: Callable[[Path, Header], Surroundings] = lambda _path, _header: Surroundings(),
    ) -> None:
        super().__init__(log, Builder(Timeline()), options)
        self._look_around = look_around
        self._surroundings = Surroundings()
        self._numbering = Numbering()
        self._open_turn = OpenTurn()
        self._followed_to = 0
        self._upcaster = Upcaster(0, None, self._id_of_number)
        self._dialect = dialect(0)
        self._judge = Judge(None, log.nouns)
        self._decoder: Decoder | None = None
        self._begin()

    # What the tape is.

    @property
    def identity(self) -> Identity:
        """What the header says."""
        header = self.log.header or Header()
        inherited = self._timeline.lives.inherited
        return Identity(
            id=header.id,
            format="dsh",
            variant=f"v{header.version}/{self.log.variant}",
            policy="dsh",
            path=self.log.path,
            created=header.created,
            cwd=header.cwd,
            parent=header.parent,
            inherited=inherited,
            how=self.log.how,
            workspace=self._surroundings.workspace,
            archived=self._surroundings.archived,
            beside=self._surroundings.beside,
        )

    # Reading on.

    def _begin(self) -> None:
        """Look for the header; once it is whole, be ready to fold."""
        self.log.begin()
        if self._decoder is not None or not self.log.whole:
            return
        header = self.log.header
        version = self.version
        self._dialect = dialect(version)
        self._upcaster = Upcaster(version, header.id if header else None, self._id_of_number)
        self._judge = Judge(header, self.log.nouns)
        self._decoder = Decoder(
            self._builder,
            self.log.records,
            self._numbering,
            self._judge,
            self._dialect,
            self._upcaster,
            Reader(self.payload, lambda record, index: self._member(record, index) or {}),
            self.options.past_unknown,
        )
        self.log.decode_by(self._decoder)
        if header is not None:
            self._surroundings = self._look_around(self.log.path, header)
        for finding in (*self.log.first_findings(), *self._surroundings.findings):
            self._builder.find(
                finding.kind, finding.message, record=finding.record, event=finding.event
            )
        if header is None:
            return
        self._decoder.begin(header)
        if header.parent is not None:
            self._builder.kin(header.relation, header.parent, header.seed_length)

    def advance(self) -> bool:
        """Fold the next batch; False where the source ends, for now."""
        self._begin()
        return super().advance()

    # Single events.

    def number(self, event: int) -> int | None:
        """The owner's number of an event."""
        return self._numbering.number(event)

    def original(self, event: int) -> int | str | None:
        """A fork copies the events of its parent with their numbers (page 4.1)."""
        return self.number(event)

    def numbered(self, number: int) -> list[int]:
        """The positions of the events that bear an owner's number."""
        return self._numbering.positions(number, self._timeline.events)

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """The id of the message that an event holds, or None."""
        data = mapping(payload.get("data"))
        return text(mapping(data.get("message")).get("id")) or text(data.get("id")) or None

    def _id_of_number(self, number: int) -> str | None:
        """The id of the message of the event with an owner's number."""
        event = self._numbering.position(number)
        if event is None or self._decoder is None:
            return None
        return self.id_of(self._decoder.decoded(event))

    def positions(self, numbers: list[range]) -> list[range]:
        """The positions that the fold means by owner's numbers; those that were lost left out."""
        return self._numbering.sources(numbers)

    def stored(self, record: int) -> list[dict[str, Any]]:
        """The events and packed rows of a record as they are kept, none brought up."""
        return self._values(record)

    def _read(self, event: int) -> dict[str, Any] | None:
        table = self._timeline.table
        return self._member(table.record(event), table.member(event))

    def _member(self, record: int, index: int) -> dict[str, Any] | None:
        """One of the events of a record; None where it cannot be read any more."""
        for value in self._values(record):
            held = packed.members(value, packs=self._dialect.packs)
            if index < held:
                if self._dialect.packs and packed.is_row(value):
                    return packed.member(value, index)
                return self._settled(value)
            index -= held
        return None

    def _settled(self, value: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(value.get("type"), str):
            return value
        try:
            return self._upcaster.upcast(value)
        except Malformed:
            return value

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """An event in one line."""
        return headlines.headline(payload, self._type(event, payload))

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """An event in full."""
        return sections.sections(payload, self._type(event, payload))

    def tell_parts(self, event: int, payload: dict[str, Any]) -> list[Part]:
        """What an event says as the person saw it."""
        found = calls.parts(payload, self._type(event, payload))
        return super().tell_parts(event, payload) if found is None else found

    def cut_off(self, payload: dict[str, Any]) -> bool:
        """Whether an assistant's message was interrupted."""
        return calls.is_cut_off(payload)

    def call_asked(self, payload: dict[str, Any]) -> str | None:
        """The call that an event asks somebody to approve of."""
        return calls.asked_about(payload)

    def tell_chunks(self, event: int, payload: dict[str, Any]) -> list[Chunk]:
        """What an event adds to a message while it streams."""
        return chunks.chunks(payload, self._type(event, payload))

    def _type(self, event: int, payload: dict[str, Any]) -> str:
        """What an event is read as, which an old shape does not say itself."""
        kind = payload.get("type")
        return kind if isinstance(kind, str) else self._timeline.table.type(event)

    def register_value(self, register: str, payload: dict[str, Any]) -> Any:
        """The value of a register that is kept in its event's payload."""
        return value_of(register, payload)

    def span_name(self, span: Span) -> str | None:
        """The owner's id of a span, from the event that opened it."""
        return span_name(span.kind, self.payload(span.opened - 1))

    def trigger(self, event: int) -> str | None:
        """What made the owner compact, told by the bracket around a checkpoint."""
        start = triggers.bracket_around(self._timeline, event)
        if start is None:
            return None
        overflow = triggers.recovers(self._timeline, start)
        return triggers.trigger(mapping(self.payload(start).get("data")), overflow=overflow)

    def recorded_sizes(self, event: int) -> RecordedSizes:
        """The tokens of what it hides, told by the summary before a checkpoint (page 7.1)."""
        start = triggers.bracket_around(self._timeline, event)
        found = None if start is None else triggers.summary_between(self._timeline, start, event)
        if found is None:
            return RecordedSizes()
        data = mapping(self.payload(found).get("data"))
        return RecordedSizes(hidden=natural(data.get("shadowedTokenCount")))

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
            found.append(
                PreamblePart("system", setting.event, tokens.of_text(line), line[:400], line)
            )
        tools = items(header.get("tools"))
        if tools:
            names = ", ".join(text(mapping(tool).get("name"))[:80] for tool in tools[:50])
            found.append(
                PreamblePart("tools", setting.event, tokens.of_json(tools), names, json_text(tools))
            )
        return found

    def request(self, cursor: int) -> list[RequestEntry]:
        """The surface, and the results that the owner's crash repair adds before it goes on."""
        rows = (self._sent(entry, cursor) for entry in super().request(cursor))
        return [*rows, *resuming.added(self.closers(cursor))]

    def _sent(self, entry: RequestEntry, cursor: int) -> RequestEntry:
        """A row of which images are left out, as it is sent (format page 11)."""
        nodes, table = self._timeline.surface.nodes, self._timeline.table
        if entry.node is None or entry.note is not None or nodes.form(entry.node) is not Form.CUT:
            return entry
        event = nodes.origin(entry.node)
        told = {nodes.born[node] - 1 for node in nodes.all_of_event(event)}
        offloads = [at for at in told if at < cursor and table.type(at) == sending.OFFLOAD]
        number = self._numbering.number(event)
        if not offloads:
            return entry
        gone = {index for at in offloads for index in sending.images_of(self.payload(at), number)}
        text_sent = sending.without_images(self.parts(event), gone)
        why = f"{plural(len(gone), 'image')} left out"
        return replace(entry, note="altered", text=text_sent, why=why)

    def on_resume(self, cursor: int) -> list[str]:
        """What the owner writes when it takes the session up."""
        last = self._timeline.table.type(cursor - 1) if cursor else None
        return resuming.written(self.closers(cursor), last)

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
            # What breaks a rule changes nothing, so nothing of it is open.
            if kind in SCANNED and not self._timeline.is_rejected(event):
                yield self._numbering.number(event), kind, self.payload(event)

    @property
    def version(self) -> int:
        """Of the log; 0 where it has no header, or one of a version that is not read."""
        header = self.log.header
        return int(header.version) if header is not None and header.readable else 0

    @property
    def drops_from(self) -> int | None:
        """The position of the event at which the owner stops to read, or None if it reads all."""
        issue = self._judge.issue
        return None if issue is None else issue.event

    def planner(self) -> "Planner":
        """What is known of plans for the log."""
        from inspector.formats.dsh.planning.planner import DshPlanner  # seldom needed

        header = self.log.header
        return DshPlanner(self, readable=header is None or header.readable)

    def judge(self) -> Verdict:
        """What DeepSeek Harness would do with what is folded so far."""
        return self._judge.verdict(self._circumstances())

    def _circumstances(self) -> Circumstances:
        log, complete, decoder = self.log, self._complete, self._decoder
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
