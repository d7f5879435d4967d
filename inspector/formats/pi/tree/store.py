"""Every entry by its id and its parent's, and what of it matters on a path (rules page P1, P2).

An entry is called by the position of its event. An id stands for the entry that bore it last, also
for entries that named it before, so that a parent is looked up whenever somebody asks.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from inspector.columns import NEVER, Column, signed, unsigned
from inspector.formats.ids import Ids
from inspector.formats.pi.tree.ids import key_of

NONE: Final = -1
"""No entry, or no id."""

COMPACTS: Final = 1
EDITS: Final = 2
IS_SYSTEM: Final = 4
IS_EDITED: Final = 8
"""An edit can replace what the entry says."""
SETS_MODEL: Final = 16
SETS_THINKING: Final = 32
IS_LOOSE: Final = 64
"""An id on the path to the entry stands for another entry than when it was named."""


class Placed(NamedTuple):
    """How an entry stands in the tree.

    Attributes:
        parent: the entry above it; `NONE` for a root.
        missing: it names a parent that no entry is, so far.
        again: an earlier entry has the same id.
        named: earlier entries name its id, and it was not there.
    """

    parent: int = NONE
    missing: bool = False
    again: bool = False
    named: bool = False


class Edit(NamedTuple):
    """What a ``context_edit`` says (rules page P5).

    Attributes:
        target: the number of the id of the entry that it is about; `NONE` if it names none.
        form: ``removed``, ``replaced``, or ``broken`` where it has no replacement.
        tokens: of the replacement.
    """

    target: int
    form: str
    tokens: int


class Tree:
    """The entries of a session.

    Args:
        read: an entry by its position.

    Attributes:
        flags: what each entry is.
        node: the first row that it made, or `NEVER`.
        late: some id stands for another entry than before, or than none.
        kept: of a compaction, the number of the id from which on it keeps; `NONE` if it names none.
        edits: what edits say.
        entries: how many there are.
        settled: nobody asks any more what is loose.
        work: entries and rows that were gone through once more to fold the session.
    """

    def __init__(self, read: Callable[[int], dict[str, Any]]) -> None:
        self._read = read
        self._ids = Ids(self._is)
        self._parent: Column = signed()
        self._owner: Column = signed()
        # By an id that no entry has: an entry that names it, and by which of its keys.
        self._namer: dict[int, tuple[int, str]] = {}
        self.flags = bytearray()
        self.node: Column = unsigned()
        self.late = False
        self.settled = False
        self.work = 0
        # By the number of an id, whether an entry that is not loose may name it.
        self._named = bytearray()
        # The number of the id of the last entry.
        self._last = NONE
        # The id that the last entry took from another one, or from none, and from which.
        self._taken: tuple[int, int] = NONE, NONE
        self.kept: dict[int, int] = {}
        self.edits: dict[int, Edit] = {}

    @property
    def entries(self) -> int:
        """How many there are."""
        return len(self.flags)

    def _is(self, number: int, text: str) -> bool:
        """Whether an id with a number is this text."""
        owner = self._owner[number]
        event, key = (owner, "id") if owner != NONE else self._namer.get(number, (NONE, ""))
        return event != NONE and key_of(self._read(event).get(key)) == text

    # Entries come.

    def add(self, event: int, own: str | None, parent: str | None) -> Placed:
        """An entry comes.

        Args:
            event: its position, which is the next.
            own: its id, by `key_of`.
            parent: that of its parent.
        """
        above, missing, again, named = NONE, False, False, False
        number = NONE
        self._taken = NONE, NONE
        if parent is not None:
            number = self._number(parent, event, "parentId")
            above = self._owner[number]
            missing = above == NONE
        self._parent.append(number)
        self.flags.append(0)
        self.node.append(NEVER)
        parent_number = number
        if own is not None:
            number = self._ids.intern(own)
            if number == len(self._owner):
                self._owner.append(event)
                self._named.append(0)
            else:
                again = self._owner[number] != NONE
                named = not again
                self._rebind(number, event)
        self._last = number if own is not None else NONE
        if parent_number != NONE:
            self._hang(event, parent_number)
        return Placed(above, missing, again, named)

    def _hang(self, event: int, number: int) -> None:
        """An entry that comes is loose where its parent is, or is itself."""
        above = self._owner[number]
        if above != NONE and (above == event or self.flags[above] & IS_LOOSE):
            self.flags[event] |= IS_LOOSE
        else:
            self._named[number] = 1

    def _rebind(self, number: int, event: int) -> None:
        """An id stands for an entry that comes, and stood for another one or for none.

        Whatever names it, and all that hangs below, is loose from now on. What was so before is
        not gone through again.
        """
        before = self._owner[number]
        first = self._namer.pop(number, (before, ""))[0] if before == NONE else before
        self._owner[number] = event
        self._taken = number, before
        self.late = True
        if self.settled or not self._named[number]:
            return
        self._named[number] = 0
        self.work += event - first
        flags, parent, owner = self.flags, self._parent, self._owner
        for one in range(first, event):
            flag, above = flags[one], parent[one]
            if flag & IS_LOOSE:
                continue
            found = above == number or (
                above != NONE and owner[above] != NONE and flags[owner[above]] & IS_LOOSE
            )
            if not found and flag & (COMPACTS | EDITS):
                target = self.edits[one].target if flag & EDITS else self.kept[one]
                found = target == number
            if found:
                flags[one] = flag | IS_LOOSE

    def follow(self, event: int, own: str, flags: int) -> bool:
        """What `add` does for an entry whose parent is the one just before it, which has an id.

        Returns:
            False, and nothing is done, if the id may have been named before.
        """
        if self._ids.begin(own) < 0:
            return False
        owner = self._owner
        self._parent.append(self._last)
        self._named[self._last] = 1
        self._last = len(owner)
        owner.append(event)
        self._named.append(0)
        self.flags.append(flags)
        self.node.append(NEVER)
        return True

    def line_up(self, event: int, parent: int) -> int:
        """An entry without an id comes, of version 1: it hangs on the one before it.

        Args:
            event: its position.
            parent: the number of the id that this one was given, or `NONE`.

        Returns:
            The number of the id that it is given.
        """
        number = len(self._owner)
        self._parent.append(parent)
        self.flags.append(0)
        self.node.append(NEVER)
        self._owner.append(event)
        self._named.append(0)
        return number

    def _number(self, text: str, event: int, key: str) -> int:
        """The number of an id that an entry names."""
        number = self._ids.intern(text)
        if number == len(self._owner):
            self._owner.append(NONE)
            self._named.append(0)
            self._namer[number] = event, key
        return number

    def name(self, value: Any, event: int, key: str) -> int:
        """The number of an id that an entry names otherwise than as its parent; `NONE` if it is
        none.
        """
        text = key_of(value)
        if text is None:
            return NONE
        number = self._number(text, event, key)
        if not self.flags[event] & IS_LOOSE:
            self._named[number] = 1
        return number

    # What is asked.

    def find(self, value: Any) -> int:
        """The entry with an id, or `NONE`."""
        text = key_of(value)
        number = None if text is None else self._ids.find(text)
        return NONE if number is None else self._owner[number]

    def owner(self, number: int) -> int:
        """The entry that has an id, by the number of the id; `NONE` if none has."""
        return NONE if number == NONE else self._owner[number]

    def owned(self) -> bytearray:
        """Of every entry, whether an id stands for it now."""
        found = bytearray(len(self.flags))
        for event in self._owner:
            if event != NONE:
                found[event] = 1
        return found

    def above(self, event: int) -> int:
        """The parent of an entry as it is now, or `NONE`."""
        number = self._parent[event]
        return NONE if number == NONE else self._owner[number]

    def is_loose(self, event: int) -> bool:
        """Whether an id on the path to an entry stands for another one than when it was named."""
        return event != NONE and self.flags[event] & IS_LOOSE != 0

    def path(self, leaf: int) -> tuple[list[int], bool]:
        """The entries from one up to its root, or up to the first that comes again.

        Returns:
            The entries, and whether one comes again.
        """
        found: list[int] = []
        seen: set[int] = set()
        is_loose = self.is_loose(leaf)
        parent, owner = self._parent, self._owner
        while leaf != NONE:
            if is_loose:
                if leaf in seen:
                    return found, True
                seen.add(leaf)
            found.append(leaf)
            above = parent[leaf]
            leaf = NONE if above == NONE else owner[above]
        return found, False

    def path_before(self, leaf: int) -> list[int]:
        """The same entries as they hung before the last entry came."""
        number, before = self._taken
        found: dict[int, None] = {}
        parent, owner = self._parent, self._owner
        while leaf != NONE and leaf not in found:
            found[leaf] = None
            above = parent[leaf]
            leaf = NONE if above == NONE else before if above == number else owner[above]
        return list(found)
