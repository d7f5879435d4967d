"""The records that a history hangs on: what a reader walks up, and what compactions hid above."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, Final

from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import (
    BOUNDARY,
    BRIEFING,
    MESSAGE,
    NONE,
    PROGRESS,
    QUEUED,
    REAL,
    REMINDER,
    SIDE,
)
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.shapes import items, mapping
from inspector.timeline.words import Form

SNAPSHOT: Final = "file-history-snapshot"
REPLACEMENT: Final = "content-replacement"

_ROWS: Final = MESSAGE | QUEUED | REMINDER

_SIDE: Final = "of subagents and teams"
_PROGRESS: Final = "progress"
_SNAPSHOTS: Final = "snapshots of files"
_BESIDE: Final = "beside the conversation"
_REPLACED: Final = "replaced by a later record with the same uuid"
_UNNAMED: Final = "without a uuid"
OTHER: Final = "on other branches"


class Branch:
    """All that some rows hang on, by the parents that records name; above the boundary of a
    compaction by its ``logicalParentUuid``, or else by the order of the file.

    Args:
        material: the transcript.
        cut: only events before it.
        rows: the events of the rows, in order.

    Attributes:
        on: of every event before the cut whether it is a record of the branch.
    """

    def __init__(self, material: Material, cut: int, rows: Sequence[int]) -> None:
        self._material = material
        self._cut = cut
        self.on = bytearray(cut)
        # Rows of records for which others stand that came behind the cut.
        self._instead = {
            other: row
            for row in rows
            if material.entry(row) == NONE and (other := material.find(material.uuid(row)))
        }
        last: int | None = None
        for row in rows:
            if row < cut:
                last = row
                self._climb(row)
        if last is not None:
            self._go_on(last)

    def _climb(self, event: int | None) -> None:
        while event is not None and event < self._cut and not self.on[event]:
            if self._material.flags(event) & SIDE:
                return
            self.on[event] = 1
            event = self.above(event)

    def above(self, event: int) -> int | None:
        """The record above another, above a boundary the last one before the compaction."""
        material = self._material
        above = material.above(event)
        if above is None and material.flags(event) & BOUNDARY:
            above = material.find(material.payload(event).get("logicalParentUuid"))
            above = self._before(event) if above is None or above >= event else above
        return self._instead.get(above, above) if above is not None else None

    def _before(self, event: int) -> int | None:
        """The last message of the main line before an event."""
        for other in range(event - 1, -1, -1):
            if self._material.flags(other) & (MESSAGE | SIDE) == MESSAGE:
                return other
        return None

    def _go_on(self, tip: int) -> None:
        """Notices and the like that hang behind the last row."""
        material = self._material
        for event in range(tip + 1, self._cut):
            flags = material.flags(event)
            if flags & (REAL | MESSAGE | SIDE | BRIEFING) == REAL and material.above(event) == tip:
                self.on[event] = 1
                tip = event

    def records(self) -> Iterator[int]:
        """The events of the branch, in the order of the tape, progress left out."""
        for event, on in enumerate(self.on):
            if on and not self._material.flags(event) & PROGRESS:
                yield event

    def why_not(self, event: int) -> str:
        """Why an event is not on the branch."""
        material = self._material
        kind, flags = material.timeline.table.type(event), material.flags(event)
        if kind not in CHAIN:
            return _SNAPSHOTS if kind == SNAPSHOT else _BESIDE
        if flags & SIDE:
            return _SIDE
        if flags & PROGRESS:
            return _PROGRESS
        if flags & REAL:
            return OTHER
        return _REPLACED if material.uuid(event) else _UNNAMED


def _cleared(material: Material, nodes: Iterable[int]) -> set[int]:
    table = material.timeline.surface.nodes
    return {table.origin(node) for node in nodes if table.form(node) is Form.CLEARED}


def clearings(material: Material, cut: int, nodes: Iterable[int]) -> list[int]:
    """The notices behind a cut by which some rows are cleared: of a history as it was later."""
    cleared = _cleared(material, nodes)
    if not cleared:
        return []
    found: list[int] = []
    for event in material.timeline.table.of_type("system", cut, material.head):
        record = material.payload(event)
        if record.get("subtype") != "microcompact_boundary":
            continue
        names = items(mapping(record.get("microcompactMetadata")).get("compactedToolIds"))
        if any(_result(material, name) in cleared for name in names):
            found.append(event)
    return found


def _result(material: Material, call: Any) -> int | None:
    """The last event in which a call is answered, or None."""
    calls = material.decoder.members.calls
    number = calls.known(call) if type(call) is str and call else None
    return None if number is None else calls.result[number]


def answers_one_of(material: Material, call: Any, events: Container[int | None]) -> bool:
    """Whether a call is answered in one of some events."""
    answer = _result(material, call)
    return answer is not None and answer in events


def replacements(material: Material, nodes: Iterable[int]) -> list[int]:
    """The records that store results of some rows elsewhere, where the rows show that."""
    cleared = _cleared(material, nodes)
    if not cleared:
        return []
    found: list[int] = []
    for event in material.timeline.table.of_type(REPLACEMENT, 0, material.head):
        names = (mapping(one).get("toolUseId") for one in _replaced(material, event))
        if any(_result(material, name) in cleared for name in names):
            found.append(event)
    return found


def _replaced(material: Material, event: int) -> list[Any]:
    return items(material.payload(event).get("replacements"))


def is_row(material: Material, event: int) -> bool:
    """Whether a record of the main line makes a row."""
    flags = material.row_flags(event)
    return flags & _ROWS != 0 and not flags & SIDE
