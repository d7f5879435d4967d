"""Where a reader that loads a whole file believes that the conversation ends."""

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from typing import Final

from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.store import (
    MESSAGE,
    META,
    NONE,
    REAL,
    SIDE,
    Tree,
    is_main,
)

_HIDDEN: Final = SIDE | META


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
        if self._lines and line < self._lines[-1]:
            self._lines.insert(bisect_left(self._lines, line), line)
        else:
            self._lines.append(line)
        self._entries[line] = entry

    def discard(self, line: int) -> None:
        """What stood in an event is none of them any more."""
        if self._entries.pop(line, None) is None:
            return
        del self._lines[bisect_left(self._lines, line)]

    def last_first(self) -> list[int]:
        """The entries, the one that stands last first."""
        return [self._entries[line] for line in reversed(self._lines)]

    def last(self) -> int:
        """The entry that stands last."""
        return self._entries[self._lines[-1]]


class Ends(ABC):
    """Finds the end of the conversation after every record.

    `forget` and `arrived` frame every change of an entry.
    """

    def __init__(self, tree: Tree, links: Links) -> None:
        self.tree = tree
        self.links = links

    @abstractmethod
    def arrived(self, entry: int) -> None:
        """An entry stands in the tape, at its end."""

    @abstractmethod
    def forget(self, entry: int) -> None:
        """An entry that stood in the tape is about to stand elsewhere."""

    @abstractmethod
    def recount(self) -> None:
        """Parents were changed."""

    @abstractmethod
    def found(self) -> tuple[int, int]:
        """The entry to walk up from, and the first message on the way; `NONE` twice if there is
        no conversation.
        """

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """The tape says where the conversation ends; few readers listen."""
        del entry, explicit

    def message_above(self, entry: int) -> int:
        """The first message from an entry upwards, itself included, or `NONE`."""
        flags, parent = self.tree.flags, self.links.parent
        if flags[entry] & MESSAGE:
            return entry
        seen = {entry}
        while True:
            entry = parent(entry)
            if entry == NONE or entry in seen or not flags[entry] & REAL:
                return NONE
            if flags[entry] & MESSAGE:
                return entry
            seen.add(entry)


class NewestEnd(Ends):
    """The rule of the JavaScript reader (rules page R4): the last record of the main line that no
    other such record names as its parent, and the first message from there upwards.
    """

    def __init__(self, tree: Tree, links: Links) -> None:
        super().__init__(tree, links)
        self._named = array("I")
        self._ends = Places(tree)
        self._messages = 0

    def arrived(self, entry: int) -> None:
        """See `Ends.arrived`."""
        flags = self.tree.flags[entry]
        if not is_main(flags):
            return
        self._messages += flags & MESSAGE != 0
        parent = self.links.parent(entry)
        self._room()
        if parent != NONE:
            self._named[parent] += 1
            if self._named[parent] == 1:
                self._ends.discard(self.tree.line[parent])
        if not self._named[entry]:
            self._ends.add(entry)

    def forget(self, entry: int) -> None:
        """See `Ends.forget`."""
        flags, line = self.tree.flags, self.tree.line
        if not is_main(flags[entry]):
            return
        self._messages -= flags[entry] & MESSAGE != 0
        self._ends.discard(line[entry])
        parent = self.links.parent(entry)
        if parent == NONE:
            return
        self._named[parent] -= 1
        if not self._named[parent] and is_main(flags[parent]) and parent != entry:
            self._ends.add(parent)

    def recount(self) -> None:
        """See `Ends.recount`."""
        tree, parent = self.tree, self.links.parent
        self._named = array("I", bytes(4 * len(tree)))
        self._ends = Places(tree)
        main = [entry for entry, flags in enumerate(tree.flags) if is_main(flags)]
        self._messages = sum(tree.flags[entry] & MESSAGE != 0 for entry in main)
        for entry in main:
            above = parent(entry)
            if above != NONE:
                self._named[above] += 1
        for entry in main:
            if not self._named[entry]:
                self._ends.add(entry)

    def _room(self) -> None:
        missing = len(self.tree) - len(self._named)
        if missing > 0:
            self._named.frombytes(bytes(4 * missing))

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        if self._ends:
            # Nearly always the first one looked at is it.
            last = self._ends.last()
            message = self.message_above(last)
            if message != NONE:
                return last, message
            for end in self._ends.last_first():
                message = self.message_above(end)
                if message != NONE:
                    return end, message
        return self._of_all() if self._messages else (NONE, NONE)

    def _of_all(self) -> tuple[int, int]:
        """Where the main line has no end, that of any record (rules page R4.3).

        Of no interest where there is no message of the main line: all others are left out.
        """
        tree, parent = self.tree, self.links.parent
        named = {parent(entry) for entry in range(len(tree)) if tree.flags[entry] & REAL}
        ends = [
            (message, end)
            for end in range(len(tree))
            if tree.flags[end] & REAL and end not in named
            if (message := self.message_above(end)) != NONE
        ]
        shown = [pair for pair in ends if not tree.flags[pair[0]] & _HIDDEN]
        if not ends:
            return NONE, NONE
        message, end = max(shown or ends, key=lambda pair: tree.line[pair[1]])
        return end, message


class RecordedEnd(NewestEnd):
    """The end that the tape records itself, where it does; else the newest (format page 1.8)."""

    def __init__(self, tree: Tree, links: Links) -> None:
        super().__init__(tree, links)
        self._recorded = NONE

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """See `Ends.recorded`: one that is meant as such and names nothing takes it back."""
        if entry is not None:
            self._recorded = entry
        elif explicit:
            self._recorded = NONE

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        recorded = self._recorded
        if recorded != NONE and self.tree.flags[recorded] & REAL:
            message = self.message_above(recorded)
            if message != NONE:
                return recorded, message
        return super().found()


class OldestRule(Ends):
    """The rule of the Python reader (format page 1.8): of the messages above records that nobody
    names as parent, the last one that is not hidden; of hidden ones only if there are no others.
    """

    def __init__(self, tree: Tree, links: Links) -> None:
        super().__init__(tree, links)
        self._named = array("I")
        self._above = array("i")
        self._ends: dict[int, int] = {}
        self._shown, self._hidden = Places(tree), Places(tree)

    def arrived(self, entry: int) -> None:
        """See `Ends.arrived`."""
        self._room()
        if self._named[entry]:
            self.recount()
            return
        parent, flags = self.tree.parent[entry], self.tree.flags
        if flags[entry] & MESSAGE:
            self._above[entry] = entry
        elif parent != NONE:
            self._above[entry] = self._above[parent]
        if parent != NONE:
            self._named[parent] += 1
            if self._named[parent] == 1 and flags[parent] & REAL:
                self._count(self._above[parent], -1)
        self._count(self._above[entry], 1)

    def _count(self, message: int, ends: int) -> None:
        if message == NONE:
            return
        before = self._ends.get(message, 0)
        self._ends[message] = before + ends
        places = self._hidden if self.tree.flags[message] & _HIDDEN else self._shown
        if not before:
            places.add(message)
        elif not before + ends:
            del self._ends[message]
            places.discard(self.tree.line[message])

    def forget(self, entry: int) -> None:
        """See `Ends.forget`."""
        self._room()
        # `arrived` finds it named, and counts anew.
        self._named[entry] += 1

    def recount(self) -> None:
        """See `Ends.recount`."""
        tree = self.tree
        self._named = array("I", bytes(4 * len(tree)))
        self._above = array("i", [NONE]) * len(tree)
        self._ends = {}
        self._shown, self._hidden = Places(tree), Places(tree)
        real = [entry for entry, flags in enumerate(tree.flags) if flags & REAL]
        for entry in real:
            if tree.parent[entry] != NONE:
                self._named[tree.parent[entry]] += 1
            self._above[entry] = self.message_above(entry)
        for entry in real:
            if not self._named[entry]:
                self._count(self._above[entry], 1)

    def _room(self) -> None:
        missing = len(self.tree) - len(self._named)
        if missing > 0:
            self._named.frombytes(bytes(4 * missing))
            self._above.extend(array("i", [NONE]) * missing)

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        places = self._shown or self._hidden
        if not places:
            return NONE, NONE
        return places.last(), places.last()
