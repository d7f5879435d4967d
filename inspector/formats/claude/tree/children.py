"""What hangs on every entry: known only for trees in which a child came before its parent."""

from collections.abc import Iterable, Iterator

from inspector.columns import Column, signed
from inspector.formats.claude.tree.store import NONE


class Children:
    """The children of entries, in two columns of links.

    Attributes:
        known: whether children are kept; from `know` on they are.
    """

    def __init__(self) -> None:
        self.known = False
        self._first: Column = signed()
        self._next: Column = signed()

    def know(self, parents: Iterable[int]) -> None:
        """Every entry so far hangs on one of these, or on `NONE`."""
        self.known = True
        del self._first[:], self._next[:]
        for entry, parent in enumerate(parents):
            self.add(entry, parent)

    def add(self, entry: int, parent: int) -> None:
        """An entry hangs on another one, and on none before."""
        first, following = self._first, self._next
        while max(entry, parent) >= len(first):
            first.append(NONE)
            following.append(NONE)
        if parent != NONE:
            following[entry] = first[parent]
            first[parent] = entry

    def remove(self, entry: int, parent: int) -> None:
        """An entry hangs on another one no more."""
        if parent == NONE or parent >= len(self._first):
            return
        child, before = self._first[parent], NONE
        while child not in (NONE, entry):
            child, before = self._next[child], child
        if child == NONE:
            return
        if before == NONE:
            self._first[parent] = self._next[entry]
        else:
            self._next[before] = self._next[entry]
        self._next[entry] = NONE

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
