"""Where a reader that loads a whole file believes that the conversation ends."""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from typing import Final

from inspector.formats.claude.tree.any_end import AnyEnd
from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.places import Places
from inspector.formats.claude.tree.store import (
    MESSAGE,
    META,
    NONE,
    QUEUED,
    REAL,
    SIDE,
    Tree,
    is_main,
)

_HIDDEN: Final = SIDE | META
_LISTED: Final = MESSAGE | QUEUED


class Ends(ABC):
    """Finds the end of the conversation after every record.

    Args:
        tree: the entries.
        links: their parents.
        chains: what is above them; they know of an entry before `arrived` is told of it.
    """

    def __init__(self, tree: Tree, links: Links, chains: Chains) -> None:
        self.tree = tree
        self.links = links
        self.chains = chains

    @abstractmethod
    def arrived(self, entry: int) -> None:
        """An entry stands in the tape, at its end."""

    @abstractmethod
    def below(self, entries: Iterable[int]) -> None:
        """Entries have a message above them, which had none: what they hang on came behind them."""

    @abstractmethod
    def renewed(self, entry: int, line: int) -> None:
        """An entry that stood in an event is the same in a later one."""

    @abstractmethod
    def recount(self) -> None:
        """Parents were changed, or what an entry is."""

    def moved(self, moves: Iterable[tuple[int, int]]) -> None:
        """Entries hang on others than those told, and all have a message above them as before."""
        del moves
        self.recount()

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
        return self.chains.message[entry]


class NewestEnd(Ends):
    """The rule of the JavaScript reader (rules page R4): the last record of the main line that no
    other such record names as its parent, and the first message from there upwards.
    """

    def __init__(self, tree: Tree, links: Links, chains: Chains) -> None:
        super().__init__(tree, links, chains)
        self._named = array("I")
        self._ends = Places(tree)
        self._listed = 0
        self._any = AnyEnd(tree, links, chains)

    def arrived(self, entry: int) -> None:
        """See `Ends.arrived`."""
        self._any.arrived(entry)
        flags = self.tree.flags[entry]
        if not is_main(flags):
            return
        self._listed += flags & _LISTED != 0
        parent = self.links.parent(entry)
        self._room()
        if parent != NONE:
            self._named[parent] += 1
            if self._named[parent] == 1 and self.tree.flags[parent] & REAL:
                self._ends.discard(self.tree.line[parent])
        if not self._named[entry] and self.chains.message[entry] != NONE:
            self._ends.add(entry)

    def below(self, entries: Iterable[int]) -> None:
        """See `Ends.below`."""
        for entry in entries:
            self._any.below(entry)
            if is_main(self.tree.flags[entry]) and not self._named[entry]:
                self._ends.add(entry)

    def renewed(self, entry: int, line: int) -> None:
        """See `Ends.renewed`."""
        self._any.renewed(entry, line)
        if self._ends.discard(line):
            self._ends.add(entry)

    def recount(self) -> None:
        """See `Ends.recount`."""
        tree, parent, message = self.tree, self.links.parent, self.chains.message
        self._any.forget()
        self._named = array("I", bytes(4 * len(tree)))
        self._ends = Places(tree)
        main = [entry for entry, flags in enumerate(tree.flags) if is_main(flags)]
        self._listed = sum(tree.flags[entry] & _LISTED != 0 for entry in main)
        for entry in main:
            above = parent(entry)
            if above != NONE:
                self._named[above] += 1
        self._ends.extend(
            entry for entry in main if not self._named[entry] and message[entry] != NONE
        )

    def moved(self, moves: Iterable[tuple[int, int]]) -> None:
        """See `Ends.moved`."""
        self._room()
        self._any.forget()
        tree, named = self.tree, self._named
        moved = [(entry, before) for entry, before in moves if is_main(tree.flags[entry])]
        for entry, before in moved:
            above = self.links.parent(entry)
            if above == before:
                continue
            if above != NONE:
                named[above] += 1
                if named[above] == 1 and tree.flags[above] & REAL:
                    self._ends.discard(tree.line[above])
            if before != NONE:
                named[before] -= 1
        for _, before in moved:
            is_end = before != NONE and not named[before] and is_main(tree.flags[before])
            if is_end and self.chains.message[before] != NONE:
                self._ends.discard(tree.line[before])
                self._ends.add(before)

    def _room(self) -> None:
        missing = len(self.tree) - len(self._named)
        if missing > 0:
            self._named.frombytes(bytes(4 * missing))

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        if self._ends:
            last = self._ends.last()
            return last, self.chains.message[last]
        # Of no interest where nothing of the main line is listed: all others are left out.
        return self._any.found() if self._listed else (NONE, NONE)


class RecordedEnd(NewestEnd):
    """The end that the tape records itself, where it does; else the newest (format page 1.8)."""

    def __init__(self, tree: Tree, links: Links, chains: Chains) -> None:
        super().__init__(tree, links, chains)
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

    def __init__(self, tree: Tree, links: Links, chains: Chains) -> None:
        super().__init__(tree, links, chains)
        self._named = array("I")
        self._ends: dict[int, int] = {}
        self._shown, self._hidden = Places(tree), Places(tree)

    def arrived(self, entry: int) -> None:
        """See `Ends.arrived`."""
        self._room()
        parent, message = self.tree.parent[entry], self.chains.message
        if parent != NONE:
            self._named[parent] += 1
            if self._named[parent] == 1 and parent != entry and self.tree.flags[parent] & REAL:
                self._count(message[parent], -1)
        if not self._named[entry]:
            self._count(message[entry], 1)

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

    def below(self, entries: Iterable[int]) -> None:
        """See `Ends.below`."""
        for entry in entries:
            if not self._named[entry]:
                self._count(self.chains.message[entry], 1)

    def renewed(self, entry: int, line: int) -> None:
        """See `Ends.renewed`."""
        for places in (self._shown, self._hidden):
            if places.discard(line):
                places.add(entry)

    def recount(self) -> None:
        """See `Ends.recount`."""
        tree = self.tree
        self._named = array("I", bytes(4 * len(tree)))
        self._ends = {}
        self._shown, self._hidden = Places(tree), Places(tree)
        real = [entry for entry, flags in enumerate(tree.flags) if flags & REAL]
        for entry in real:
            if tree.parent[entry] != NONE:
                self._named[tree.parent[entry]] += 1
        for entry in real:
            if not self._named[entry] and self.chains.message[entry] != NONE:
                message = self.chains.message[entry]
                self._ends[message] = self._ends.get(message, 0) + 1
        shown = [one for one in self._ends if not tree.flags[one] & _HIDDEN]
        self._shown.extend(shown)
        self._hidden.extend(one for one in self._ends if tree.flags[one] & _HIDDEN)

    def _room(self) -> None:
        missing = len(self.tree) - len(self._named)
        if missing > 0:
            self._named.frombytes(bytes(4 * missing))

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        places = self._shown or self._hidden
        if not places:
            return NONE, NONE
        return places.last(), places.last()
