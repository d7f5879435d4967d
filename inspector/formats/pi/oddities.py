"""What is odd about an entry that is read all the same: where it hangs, what it keeps or says."""

from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.pi import rules
from inspector.formats.pi.effects.history import History
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import COMPACTS, EDITS, NONE, Placed, Tree
from inspector.formats.shapes import text
from inspector.formats.telling import short
from inspector.text.gate import clean_line

_SAID: Final = 80

GONE: Final = object()
"""What stands where there is no such key."""


class Oddities:
    """Finds them.

    Args:
        folding: where findings go.
        tree: the entries.
        history: the surface.
    """

    def __init__(self, folding: Folding, tree: Tree, history: History) -> None:
        self._found = folding.found_at_event
        self._tree = tree
        self._history = history

    def place(self, placed: Placed, own: str | None, value: dict[str, Any], record: int) -> None:
        """An entry has no id, one that is not its own, or a parent that is not there."""
        said = clean_line(text(value.get("id")), _SAID)
        if own is None:
            self._found(rules.NO_ID, "the entry has no id", record)
        if placed.missing and key_of(value.get("parentId")) != own:
            message = f"no entry before it is its parent {said_of(value.get('parentId'))}"
            self._found(rules.MISSING_PARENT, message, record)
        if placed.again:
            self._found(rules.SECOND_ID, f"an earlier entry has the id {said}", record)
        elif placed.named:
            self._found(rules.LATE_PARENT, f"entries before it name {said}", record)

    def parent(self, value: dict[str, Any], record: int) -> None:
        """An entry names as its parent what can be no id, and does not say that it has none."""
        above = value.get("parentId", GONE)
        if above is not None and key_of(above) is None:
            told = "no key parentId" if above is GONE else f"its parentId is {said_of(above)}"
            self._found(rules.ODD_PARENT, f"{told}, which names no entry", record)

    def turn(self, value: dict[str, Any], flags: int, event: int, record: int) -> None:
        """A compaction keeps nothing, or an edit says nothing."""
        if flags & COMPACTS and self._history.turn(event).keeps == NONE:
            self._keeps_nothing(value, event, record)
        elif flags & EDITS and "replacement" not in value:
            self._found(rules.BROKEN_EDIT, "an edit says nothing new", record)

    def _keeps_nothing(self, value: dict[str, Any], event: int, record: int) -> None:
        kept = self._tree.kept[event]
        first = self._tree.owner(kept)
        # With its own id the owner says that nothing is kept.
        if first == event or (self._tree.is_loose(event) and self._history.context().kept):
            return
        said = clean_line(text(value.get("firstKeptEntryId")), _SAID)
        if kept == NONE:
            message = "it says no entry from which on the history is kept"
        elif first == NONE:
            message = f"no entry is {said}, from which on it keeps"
        else:
            message = f"{said}, from which on it keeps, is not on its path"
        self._found(rules.KEEPS_NOTHING, message, record)


def said_of(value: Any) -> str:
    """An id as it may be shown, also where it is no text."""
    return clean_line(short(value), _SAID) or "empty"
