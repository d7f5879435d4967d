"""Records that hang on themselves, and all that hangs on those: nowhere a writer stands."""

from array import array
from collections.abc import Callable

from inspector.columns import Column, unsigned
from inspector.formats.claude.tree.children import Children
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.store import NONE, REAL, SIDE, Tree, is_main


class Circles:
    """The records with a circle above them, by what they name as their parents themselves.

    A circle that only linking anew makes is the reader's: the writer stood where it wrote. Nothing
    is kept of a tape in which there are none.

    Args:
        tree: the entries.
        links: their parents.
        spoken: whether something is said on the chain of each entry.

    Attributes:
        endless: the records of the main line with a circle above them.
        known: whether there are any, and nothing changed since they were looked for.
    """

    def __init__(self, tree: Tree, links: Links, spoken: "array[int]") -> None:
        self._tree = tree
        self._links = links
        self._spoken = spoken
        self._children = Children()
        self.known = False
        # Where the writer stood, in the order of the tape.
        self._stood: Column = unsigned()
        self.endless: set[int] = set()

    def arrived(self, entry: int) -> None:
        """An entry comes for the first time."""
        if self.known:
            self._children.add(entry, self._tree.parent[entry])

    def stands(self, entry: int) -> None:
        """An entry came that has a root."""
        if self.known and self._links.any and self.linked(entry) in self.endless:
            # What was linked anew gives it one, and by what it names itself it has none.
            self.known = False
        if self.known:
            self._note(entry)

    def _note(self, entry: int) -> None:
        if is_main(self._tree.flags[entry]) and self._spoken[entry]:
            self._stood.append(entry)

    def changed(self) -> None:
        """Entries have other parents."""
        self.known = False

    def came_again(self, entry: int, *, elsewhere: bool) -> None:
        """An entry stands in another record.

        Args:
            entry: where it stands now.
            elsewhere: whether it is a subagent's and was not, or the other way round.
        """
        if not self.known:
            return
        self._children.add(entry, self._tree.parent[entry])
        # What it leads to is as endless as it was before, unless it led to the entry itself: then
        # the entry was endless too.
        if elsewhere or (entry in self.endless and self.linked(entry) not in self.endless):
            self.known = False

    def linked(self, entry: int) -> int:
        """What an entry hangs on, `NONE` if that is not on the main line."""
        above = self._tree.parent[entry]
        return above if above != NONE and self.is_main_line(above) else NONE

    def is_main_line(self, entry: int) -> bool:
        """Whether an entry stands in the tape, and is no subagent's."""
        return self._tree.flags[entry] & (REAL | SIDE) == REAL

    def closes(self, entry: int) -> bool:
        """Whether an entry that has come hangs on itself."""
        return self._comes_back(entry, self._tree.parent.__getitem__)

    def closes_by_links(self, entry: int) -> bool:
        """Whether it does once what compactions kept is linked anew."""
        return self._links.any and self._comes_back(entry, self._links.parent)

    def _comes_back(self, entry: int, parent: Callable[[int], int]) -> bool:
        seen: set[int] = set()
        above = parent(entry)
        while above != NONE and above not in seen and above not in self.endless:
            if above == entry:
                return True
            if not self.is_main_line(above):
                return False
            seen.add(above)
            above = parent(above)
        return False

    def close(self, entry: int, *, before: bool) -> None:
        """An entry hangs on itself, or on what does; or it looks so by what was linked anew.

        Args:
            entry: it is among the endless.
            before: whether it was when it came, and with it all that hangs on it.
        """
        if not self.known:
            self._look_again()
            return
        if before:
            return
        self.endless.discard(entry)
        if self.linked(entry) not in self.endless and not self.closes(entry):
            return
        self.endless.add(entry)
        waiting = [entry]
        while waiting:
            above = waiting.pop()
            for child in self._children.of(above):
                hangs = self.is_main_line(child) and self.linked(child) == above
                if hangs and child not in self.endless:
                    self.endless.add(child)
                    waiting.append(child)

    def _look_again(self) -> None:
        """Find all circles there are."""
        self.known = True
        entries, parent, flags = range(len(self._tree.flags)), self._tree.parent, self._tree.flags
        self._children.know(parent[entry] if flags[entry] & REAL else NONE for entry in entries)
        self._stood = unsigned()
        for entry in sorted(entries, key=self._tree.line.__getitem__):
            self._note(entry)
        known: dict[int, bool] = {}
        for first in entries:
            path: list[int] = []
            entry = first
            while entry != NONE and entry not in known:
                known[entry] = True
                path.append(entry)
                entry = self.linked(entry)
            endless = entry != NONE and known[entry]
            for other in path:
                known[other] = endless
        self.endless = {
            entry for entry, endless in known.items() if endless and self.is_main_line(entry)
        }

    def last_whole(self) -> int:
        """The last record where the writer can stand, or `NONE`; circles are known."""
        flags, stood = self._tree.flags, self._stood
        while stood and not self._is_whole(stood[-1], flags[stood[-1]]):
            stood.pop()
        return stood[-1] if stood else NONE

    def _is_whole(self, entry: int, flags: int) -> bool:
        """Whether a writer can stand on an entry; one that comes again may be something else."""
        return entry not in self.endless and is_main(flags) and self._spoken[entry] != 0
