"""What hangs on every entry: known only for trees in which a child came before its parent."""

from array import array
from collections.abc import Iterable, Iterator

from inspector.columns import Column, signed
from inspector.formats.claude.tree.store import NONE


class Children:
    """The children of entries, in columns of links.

    Attributes:
        known: whether children are kept; from `know` on they are.
    """

    def __init__(self) -> None:
        self.known = False
        self._first: Column = signed()
        self._next: Column = signed()
        self._before: Column = signed()
        self._parent: Column = signed()

    def know(self, parents: Iterable[int]) -> None:
        """Every entry so far hangs on one of these, or on `NONE`."""
        self.known = True
        for column in (self._first, self._next, self._before, self._parent):
            del column[:]
        for entry, parent in enumerate(parents):
            self.add(entry, parent)

    def add(self, entry: int, parent: int) -> None:
        """An entry hangs on another one, or on `NONE`, and on nothing else any more."""
        self._make_room(max(entry, parent) + 1)
        self._take_out(entry)
        self._parent[entry] = parent
        if parent == NONE:
            return
        following = self._next[entry] = self._first[parent]
        if following != NONE:
            self._before[following] = entry
        self._first[parent] = entry

    def _make_room(self, entries: int) -> None:
        missing = entries - len(self._first)
        if missing > 0:
            nothing = array("i", [NONE]) * missing
            for column in (self._first, self._next, self._before, self._parent):
                column.extend(nothing)

    def _take_out(self, entry: int) -> None:
        """An entry hangs on nothing."""
        parent, before, following = self._parent[entry], self._before[entry], self._next[entry]
        if parent == NONE:
            return
        if before == NONE:
            self._first[parent] = following
        else:
            self._next[before] = following
        if following != NONE:
            self._before[following] = before
        self._parent[entry] = self._before[entry] = self._next[entry] = NONE

    def only(self, entry: int) -> int:
        """The one entry that hangs on another, `NONE` if none does, or several."""
        child = self._first[entry] if entry < len(self._first) else NONE
        return child if child != NONE and self._next[child] == NONE else NONE

    def of(self, entry: int) -> Iterator[int]:
        """What hangs on an entry."""
        child = self._first[entry] if entry < len(self._first) else NONE
        while child != NONE:
            yield child
            child = self._next[child]
