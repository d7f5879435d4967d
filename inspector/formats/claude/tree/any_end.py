"""Where a conversation ends of which the main line has no end (rules page R4.3)."""

from typing import Final

from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.places import Places
from inspector.formats.claude.tree.store import META, NONE, REAL, SIDE, Tree

_HIDDEN: Final = SIDE | META


class AnyEnd:
    """Where the main line has no end: that of any record (rules page R4.3).

    Nothing is counted before somebody asks.
    """

    def __init__(self, tree: Tree, links: Links, chains: Chains) -> None:
        self._tree = tree
        self._links = links
        self._chains = chains
        self._counted = False
        self._named = bytearray()
        self._shown, self._hidden = Places(tree), Places(tree)

    def forget(self) -> None:
        """What was counted is so no more."""
        self._counted = False

    def arrived(self, entry: int) -> None:
        """See `Ends.arrived`."""
        if self._counted:
            self._count(entry)
            self._add(entry)

    def below(self, entry: int) -> None:
        """See `Ends.below`."""
        if self._counted:
            self._add(entry)

    def renewed(self, entry: int, line: int) -> None:
        """See `Ends.renewed`."""
        for places in (self._shown, self._hidden):
            if self._counted and places.discard(line):
                places.add(entry)

    def found(self) -> tuple[int, int]:
        """See `Ends.found`."""
        if not self._counted:
            self._counted = True
            self._named = bytearray()
            self._shown, self._hidden = Places(self._tree), Places(self._tree)
            real = [entry for entry, flags in enumerate(self._tree.flags) if flags & REAL]
            for entry in real:
                self._count(entry)
            for entry in sorted(real, key=self._tree.line.__getitem__):
                self._add(entry)
        places = self._shown or self._hidden
        if not places:
            return NONE, NONE
        return places.last(), self._chains.message[places.last()]

    def _count(self, entry: int) -> None:
        """An entry names its parent."""
        missing = len(self._tree) - len(self._named)
        if missing > 0:
            self._named.extend(bytes(missing))
        parent = self._links.parent(entry)
        if parent != NONE and not self._named[parent]:
            self._named[parent] = 1
            if not self._tree.flags[parent] & REAL:
                return
            self._shown.discard(self._tree.line[parent])
            self._hidden.discard(self._tree.line[parent])

    def _add(self, entry: int) -> None:
        message = self._chains.message[entry]
        if message != NONE and not self._named[entry]:
            hidden = self._tree.flags[message] & _HIDDEN
            (self._hidden if hidden else self._shown).add(entry)
