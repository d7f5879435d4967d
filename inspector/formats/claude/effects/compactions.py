"""Compactions: a boundary and a summary; and results that are cleared (format page 1.9)."""

from typing import Any, Final

from inspector.columns import NEVER
from inspector.formats.claude.tree.calls import Calls
from inspector.formats.claude.tree.store import MESSAGE, REAL, Tree
from inspector.formats.shapes import items, mapping, text
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
_SAID: Final = 40


class Compactions:
    """Tells the builder of compactions.

    Attributes:
        half: a boundary was written and its summary was not.
        event: of the last boundary.
        keeps: whether it keeps anything.
        last_whole: the event of the last boundary that keeps nothing, or None.
    """

    def __init__(self, builder: Builder, tree: Tree, calls: Calls) -> None:
        self._builder = builder
        self._tree = tree
        self._calls = calls
        self._word: str | None = None
        self.half = False
        self.event = 0
        self.keeps = False
        self.last_whole: int | None = None

    def boundary(self, record: dict[str, Any]) -> None:
        """A compaction is written: its summary comes next."""
        self._over(Outcome.UNKNOWN, "no summary")
        metadata = mapping(record.get("compactMetadata"))
        trigger = text(metadata.get("trigger"))
        self.event = self._builder.event
        self.keeps = bool(metadata.get("preservedSegment") or metadata.get("preservedMessages"))
        if not self.keeps:
            self.last_whole = self.event
        self._word = clean_line(trigger, _SAID) or None
        self._builder.open(SpanKind.COMPACTION, _ONE)
        self._builder.mark(Mark.COMPACTION)
        self.half = True

    def summary(self) -> None:
        """The summary of a compaction."""
        if not self.half:
            self._builder.mark(Mark.COMPACTION)
        self._over(Outcome.OK, self._word)

    def message(self) -> bool:
        """A message comes that is no summary; returns whether one was to come."""
        half = self.half
        if half:
            self._over(Outcome.UNKNOWN, "no summary")
        return half

    def _over(self, outcome: Outcome, word: str | None) -> None:
        self._builder.close(SpanKind.COMPACTION, _ONE, outcome, word)
        self.half = False

    def cleared(self, record: dict[str, Any]) -> list[int]:
        """The events of the results and attachments that requests leave out from here on."""
        self._builder.mark(Mark.COMPACTION)
        metadata = mapping(record.get("microcompactMetadata"))
        found: list[int] = []
        for name in items(metadata.get("compactedToolIds")):
            number = self._calls.known(name) if type(name) is str else None
            if number is not None and self._calls.result[number] != NEVER:
                found.append(self._calls.result[number])
        for name in items(metadata.get("clearedAttachmentUUIDs")):
            entry = self._tree.ids.find(name) if type(name) is str else None
            if entry is not None and self._tree.flags[entry] & (REAL | MESSAGE) == REAL:
                found.append(self._tree.line[entry])
        return found

    def replaced(self, record: dict[str, Any]) -> list[int]:
        """The events of the results for which requests have something shorter from here on."""
        found: list[int] = []
        for one in items(record.get("replacements")):
            name = text(mapping(one).get("toolUseId"))
            number = self._calls.known(name) if name else None
            if number is not None and self._calls.result[number] != NEVER:
                found.append(self._calls.result[number])
        return found
