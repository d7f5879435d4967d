"""A few entries in the order of the tape."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from inspector.formats.claude.tree.store import Tree


class Places:
    """A few entries in the order of the tape."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._lines = array("I")
        self._entries: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, entry: int) -> None:
        """An entry is one of them, where it stands now."""
        line = self._tree.line[entry]
        if line in self._entries:
            self._entries[line] = entry
            return
        if self._lines and line < self._lines[-1]:
            self._lines.insert(bisect_left(self._lines, line), line)
        else:
            self._lines.append(line)
        self._entries[line] = entry

    def extend(self, entries: Iterable[int]) -> None:
        """Entries, in any order, are the only ones."""
        line = self._tree.line
        self._entries = {line[entry]: entry for entry in entries}
        self._lines = array("I", sorted(self._entries))

    def discard(self, line: int) -> bool:
        """What stood in an event is none of them any more; returns whether it was."""
        if self._entries.pop(line, None) is None:
            return False
        # Most often it is the last one.
        if self._lines[-1] == line:
            self._lines.pop()
        else:
            del self._lines[bisect_left(self._lines, line)]
        return True

    def last(self) -> int:
        """The entry that stands last."""
        return self._entries[self._lines[-1]]
