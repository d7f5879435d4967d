"""Tapes made by hand: effects told to a builder, and what every event says, without a file."""

from array import array
from collections.abc import Sequence
from typing import cast

from inspector.formats.chunks import Chunk
from inspector.formats.contract import Headline, Tape
from inspector.formats.parts import Call, Part, Result, Said
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Mark, Outcome, Reason, Role, SpanKind


class Handmade:
    """A tape of which each method writes one event and returns its position.

    Attributes:
        reads: the events whose parts were asked for, in order.
    """

    def __init__(self, timeline: Timeline | None = None) -> None:
        self.timeline = timeline or Timeline()
        self.builder = Builder(self.timeline)
        self.said: list[list[Part]] = []
        self.names: dict[tuple[SpanKind, int], str] = {}
        self.about: dict[int, str] = {}
        self.errors: set[int] = set()
        self.reads: list[int] = []
        self.stream_types: tuple[str, ...] = ()
        self._calls: dict[str, int] = {}

    @property
    def tape(self) -> Tape:
        """The same, for lenses: they ask no more of a tape than is here."""
        return cast(Tape, self)

    # What lenses ask.

    def parts(self, event: int) -> list[Part]:
        self.reads.append(event)
        return self.said[event] if event < len(self.said) else []

    def headline(self, event: int) -> Headline:
        return Headline("event", None, f"event {event}", event in self.errors)

    def is_partial(self, _event: int) -> bool:
        return False

    def asked_about(self, event: int) -> str | None:
        return self.about.get(event)

    def chunks(self, _event: int) -> list[Chunk]:
        return []

    def tells_end(self, _event: int) -> bool:
        return False

    def number(self, _event: int) -> int | None:
        return None

    def span_id(self, span: Span) -> str | None:
        return self.names.get((span.kind, span.opened - 1))

    # Events.

    def _begin(self, parts: Sequence[Part] = ()) -> int:
        self.said.append(list(parts))
        self.builder.event = len(self.said) - 1
        return self.builder.event

    def _end(self, event: int) -> int:
        self.builder.publish(array("I", [event]), array("H", [0]), array("q", [event]))
        return event

    def row(self, role: Role, kind: Kind, *parts: Part, details: NodeDetails | None = None) -> int:
        event = self._begin(parts)
        self.builder.append(role, kind, 10, details)
        return self._end(event)

    def human(self, text: str = "please") -> int:
        return self.row(Role.USER, Kind.MESSAGE, Said(text))

    def assistant(self, text: str = "yes") -> int:
        return self.row(Role.ASSISTANT, Kind.MESSAGE, Said(text))

    def call(self, *names: str, rows: bool = True, side: bool = False, tool: str = "bash") -> int:
        """An event that makes calls, with a row of its own or without one."""
        event = self._begin([Call(name, tool, {"command": name}) for name in names])
        if rows:
            self.builder.append(Role.ASSISTANT, Kind.TOOL_CALL, 10)
        if side:
            self.builder.aside()
        for name in names:
            self.builder.open(SpanKind.TOOL_CALL, name)
            self.names[SpanKind.TOOL_CALL, event] = name
            self._calls[name] = event
        return self._end(event)

    def result(self, *names: str, outcome: Outcome = Outcome.OK) -> int:
        """An event that answers calls; of a call that nobody made it is an orphan."""
        failed = outcome is not Outcome.OK
        event = self._begin([Result(name, f"out of {name}", failed) for name in names])
        self.builder.append(Role.TOOL, Kind.TOOL_RESULT, 10)
        if failed:
            self.builder.mark(Mark.ERROR)
        for name in names:
            self.builder.close(SpanKind.TOOL_CALL, name, outcome)
            if name in self._calls:
                self.builder.pair(self._calls[name])
        return self._end(event)

    def opens(self, kind: SpanKind, name: str, *parts: Part, about: str | None = None) -> int:
        event = self._begin(parts)
        self.builder.open(kind, name)
        self.names[kind, event] = name
        if about is not None:
            self.about[event] = about
        return self._end(event)

    def closes(self, kind: SpanKind, name: str, *parts: Part, outcome: Outcome = Outcome.OK) -> int:
        event = self._begin(parts)
        self.builder.close(kind, name, outcome)
        return self._end(event)

    def error(self) -> int:
        event = self._begin()
        self.builder.mark(Mark.ERROR)
        return self._end(event)

    def compacts(self, keep: int = 0) -> int:
        """All rows but the last ones leave for a summary."""
        event = self._begin([Said("a summary")])
        rows = list(self.builder.sequence())
        leaving = rows[: len(rows) - keep]
        self.builder.mark(Mark.COMPACTION)
        if leaving:
            self.builder.replace(leaving, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 5)
        else:
            self.builder.append(Role.SUMMARY, Kind.SUMMARY, 5)
        return self._end(event)

    def rewinds(self, rows: int) -> int:
        """The surface becomes its first rows again."""
        event = self._begin()
        self.builder.resurface(list(self.builder.sequence())[:rows], Reason.REWOUND)
        return self._end(event)

    def prunes(self, row: int) -> int:
        """A result leaves, and another event shows a part of it in its place."""
        event = self._begin([Result(None, "less")])
        node = list(self.builder.sequence())[row]
        self.builder.mark(Mark.COMPACTION)
        self.builder.replace([node], Reason.PRUNED, Role.TOOL, Kind.TOOL_RESULT, 1)
        return self._end(event)

    def nothing(self) -> int:
        return self._end(self._begin())
