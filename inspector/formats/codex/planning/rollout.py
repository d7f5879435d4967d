"""What plans need to know of an open log, folded to its head."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.formats.codex.header import Header
from inspector.formats.codex.history import History
from inspector.formats.contract import RequestEntry, Verdict
from inspector.formats.planning import PlanError
from inspector.formats.shapes import mapping, text
from inspector.tape.records import RecordTable
from inspector.tape.source import Source
from inspector.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Head:
    """The record that is the log's own header, that record as a value, and what it says."""

    record: int
    value: dict[str, Any]
    header: Header


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What would be read of a log: its fold, and the next request."""

    timeline: Timeline
    request: Sequence[RequestEntry]


@dataclass(frozen=True, slots=True)
class Rollout:
    """An open log; nothing in it is to be changed.

    Attributes:
        path: of the file.
        source: the text, unpacked.
        variant: how it is kept: ``jsonl``, ``jsonl.zstd`` …
        named: whether the path leads to the file.
        pending: bytes at the end that are no line yet.
        timeline: the fold.
        records: the lines.
        history: as the owner rebuilds it.
        header: what the log says of itself.
        head: where; None where it does not, or where another log stands before this one.
        verdict: what the owner does with it.
        item: the item that a row stands for.
        values: the events of a record, mended if need be.
        request: what would be sent at a cursor.
        rehearsed: what would be read of a log that is not written.
    """

    path: Path
    source: Source
    variant: str
    named: bool
    pending: int
    timeline: Timeline
    records: RecordTable
    history: History
    header: Header | None
    head: Head | None
    verdict: Verdict
    item: Callable[[int], dict[str, Any]]
    values: Callable[[int], Sequence[dict[str, Any]]]
    request: Callable[[int], Sequence[RequestEntry]]
    rehearsed: Callable[[Source], Rehearsed]

    @property
    def events(self) -> int:
        """The cursor of the head."""
        return self.timeline.events

    def origin(self) -> Head:
        """The header of the log, from which a new one is made.

        Raises:
            PlanError: if there is none.
        """
        if self.head is None:
            raise PlanError("the log does not say which thread it is")
        return self.head

    def value(self, event: int) -> dict[str, Any]:
        """The record of an event; nothing where it cannot be had.

        Raises:
            SourceError: if it cannot be read any more.
        """
        table = self.timeline.table
        values, member = self.values(table.record(event)), table.member(event)
        return values[member] if member < len(values) else {}

    def payload(self, event: int) -> dict[str, Any]:
        """What the record of an event holds; nothing where it is no object.

        Raises:
            SourceError: if it cannot be read any more.
        """
        return mapping(self.value(event).get("payload"))

    def foreign_tools(self) -> frozenset[str]:
        """The names of the tools that the client brought along."""
        tools = () if self.header is None else self.header.tools
        return frozenset(text(mapping(tool).get("name")) for tool in tools)

    def row_nodes(self, cursor: int) -> tuple[int, ...]:
        """The nodes of the surface."""
        return tuple(row.node for row in self.timeline.rows(cursor))

    def ends_line(self) -> bool:
        """Whether the last line is ended by a newline."""
        last = len(self.records) - 1
        if last < 0:
            return True
        start, length = self.records.place(last)
        return self.source.read(start + length, 1) == b"\n"
