"""What plans need to know of an open transcript, folded to its head."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from inspector.formats.claude.beside import Subagent
from inspector.formats.claude.decoder import ClaudeDecoder
from inspector.formats.claude.effects.shapes import flags_of
from inspector.formats.claude.policies import Policy
from inspector.formats.claude.tree.store import NONE, REAL, Tree
from inspector.formats.contract import RequestEntry, Section, Verdict
from inspector.formats.shapes import text
from inspector.timeline.timeline import Timeline


@dataclass(frozen=True)
class Material:
    """An open transcript; nothing in it is to be changed.

    Attributes:
        path: of the file.
        session: its id, or None.
        policy: the reader that was followed.
        decoder: holds the tree.
        timeline: the fold.
        subagent: whether it is a subagent's and no session.
        pending: bytes behind the last newline that are no record.
        payload: a record, by the position of its event; mended if need be.
        raw: the bytes of the line of an event.
        sections: what an event says.
        request: what would be sent at a cursor.
        title: what the session is called at a cursor, empty if nothing.
        verdict: what the owner's reader does with it.
        subagents: those that have files of their own.
    """

    path: Path
    session: str | None
    policy: Policy
    decoder: ClaudeDecoder
    timeline: Timeline
    subagent: bool
    pending: int
    payload: Callable[[int], dict[str, Any]]
    raw: Callable[[int], bytes]
    sections: Callable[[int], list[Section]]
    request: Callable[[int], list[RequestEntry]]
    title: Callable[[int], str]
    verdict: Callable[[], Verdict]
    subagents: Sequence[Subagent] = ()

    @property
    def head(self) -> int:
        """The cursor of the head."""
        return self.timeline.events

    @property
    def tree(self) -> Tree:
        """The records that name parents."""
        return self.decoder.tree

    @cached_property
    def _entries(self) -> "array[int]":
        found = array("i", [NONE]) * self.head
        tree = self.tree
        for entry, line in enumerate(tree.line):
            if tree.flags[entry] & REAL:
                found[line] = entry
        return found

    def entry(self, event: int) -> int:
        """The entry that stands in an event; `NONE` if none does, or none does any more."""
        return self._entries[event]

    def flags(self, event: int) -> int:
        """What a record is as an entry; 0 of one that is none, or is none any more."""
        entry = self._entries[event]
        return 0 if entry == NONE else self.tree.flags[entry]

    def row_flags(self, event: int) -> int:
        """The same of a record that makes a row, whether or not another stands for it by now."""
        known = self.flags(event)
        if known:
            return known
        record = self.payload(event)
        return flags_of(record, text(record.get("type")))

    def find(self, uuid: Any) -> int | None:
        """The event in which the record with an id stands, or None."""
        entry = self.tree.ids.find(uuid) if type(uuid) is str and uuid else None
        if entry is None or not self.tree.flags[entry] & REAL:
            return None
        return self.tree.line[entry]

    def above(self, event: int) -> int | None:
        """The event of the parent that a record names, or None."""
        entry = self._entries[event]
        if entry == NONE:
            # Another record stands for it by now.
            return self.find(self.payload(event).get("parentUuid"))
        parent = self.tree.parent[entry]
        if parent in (NONE, entry) or not self.tree.flags[parent] & REAL:
            return None
        return self.tree.line[parent]

    def uuid(self, event: int) -> str:
        """The owner's id of a record, empty if it has none."""
        return text(self.payload(event).get("uuid"))

    def rows(self, cursor: int) -> tuple[int, ...]:
        """The nodes of the surface."""
        return tuple(row.node for row in self.timeline.rows(cursor))

    def origins(self, nodes: Sequence[int], cut: int | None = None) -> list[int]:
        """The events of nodes; of a record that came again as it was the last before a cut."""
        origin = self.timeline.surface.nodes.origin
        behind = self.head if cut is None else cut
        events = [origin(node) for node in nodes]
        there = set(events)
        standing = [self._standing(event, behind) for event in events]
        return [
            event if now != event and now in there else now
            for event, now in zip(events, standing, strict=True)
        ]

    def _standing(self, event: int, cut: int) -> int:
        if self._entries[event] != NONE:
            return event
        record = self.payload(event)
        again = self.find(record.get("uuid"))
        if again is None or again >= cut:
            return event
        other = self.payload(again)
        same = all(record.get(name) == other.get(name) for name in ("type", "message"))
        return again if same else event

    def is_mended(self, event: int) -> bool:
        """Whether a record was found in a line that is no JSON as it stands."""
        table = self.timeline.table
        return self.decoder.folding.records.is_recovered(table.record(event))
