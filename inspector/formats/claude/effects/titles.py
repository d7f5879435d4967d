"""Summaries that name sessions: the tape's own, or others of the folder (format page 1.4)."""

from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.claude import rules
from inspector.formats.claude.tree.store import REAL, Tree
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import text

_KEPT: Final = 200
_MOST: Final = 1_000
"""Summaries that wait for what they tell of."""


class Titles:
    """Tells which summaries are of this session.

    Attributes:
        waiting: by the id of the record that a summary tells of, which has not come: the title.
        events: where summaries stand that may be of another session.
    """

    def __init__(self, folding: Folding, tree: Tree) -> None:
        self._folding = folding
        self._tree = tree
        self.waiting: dict[str, str] = {}
        self.events: Column = unsigned()

    def summary(self, record: dict[str, Any], number: int) -> bool:
        """A summary comes; whether it names this session for sure.

        Args:
            record: as it was read.
            number: of the physical record.
        """
        said, leaf = text(record.get("summary")), text(record.get("leafUuid"))
        if not said:
            message = "the summary says nothing"
            self._folding.found_at_event(rules.EMPTY_SUMMARY, message, number)
            return False
        entry = self._tree.ids.find(leaf) if leaf else None
        if entry is not None and self._tree.flags[entry] & REAL:
            return True
        self.events.append(self._folding.builder.event)
        if leaf and len(self.waiting) < _MOST:
            self.waiting[leaf] = said if len(said) <= _KEPT else said[: _KEPT - 1] + "…"
        return False

    def arrived(self, record: dict[str, Any]) -> str | None:
        """A record comes; the title that waited for it, or None."""
        return self.waiting.pop(text(record.get("uuid")), None)

    def is_foreign(self, record: dict[str, Any]) -> bool:
        """Whether what a summary tells of does not stand in the tape."""
        entry = self._tree.ids.find(text(record.get("leafUuid")))
        return entry is None or not self._tree.flags[entry] & REAL
