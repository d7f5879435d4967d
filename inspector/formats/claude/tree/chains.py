"""The chains above entries: how long each is, what it holds, and who is on it, without walking it.

A chain is an entry and those above it by the parents that count (see `links`), up to one that
names none, or names one that does not stand in the tape, or itself. What is kept of an entry is
settled when it arrives; when its parent comes behind it, so is all that hangs on the parent.
"""

from array import array
from typing import Final

from inspector.columns import Column, signed, unsigned
from inspector.formats.claude.tree.children import Children
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.store import MESSAGE, NONE, QUEUED, REAL, SIDE, Tree

ENDLESS: Final = 0
"""The depth of entries that hang on themselves, and of those that do not stand in the tape."""

_TOP: Final = 1 << 30
"""The depth of an entry with nothing above it when it came; there is room above it."""


class Chains:
    """What is above every entry.

    Args:
        tree: the entries.
        links: their parents.

    Attributes:
        depth: of each, which is one more than that of the entry above it; or `ENDLESS`.
        message: the first message from each upwards, or `NONE`.
        queued: the first command typed ahead from each upwards, with no message between; `NONE` if
            there is none. Of a message: none.
        inverted: the lowest number of an entry that has a higher one above it, and the highest
            number of one that has a lower one below it; the latter `NONE` while there is none.
    """

    def __init__(self, tree: Tree, links: Links) -> None:
        self._tree = tree
        self._links = links
        self._children = Children()
        # By entry of a circle, one that stands for all of it.
        self._round: dict[int, int] = {}
        self.inverted = (NONE, NONE)
        self.depth: Column = unsigned()
        # One more, for a record of the main line, than the number of the entry above it.
        self._main: Column = unsigned()
        self.message: Column = signed()
        self.queued: Column = signed()
        # An ancestor far above: two jumps of one length are followed by one of twice the length.
        self._jump: Column = signed()

    def make_room(self) -> None:
        """Have a place for every entry there is."""
        missing = len(self._tree.flags) - len(self.depth)
        if missing > 0:
            nothing = array("i", [NONE]) * missing
            for column in (self.message, self.queued, self._jump):
                column.extend(nothing)
            for column in (self.depth, self._main):
                column.frombytes(bytes(column.itemsize * missing))

    def above(self, entry: int) -> int:
        """The entry above another on its chain, or `NONE` at the top."""
        above = self._links.parent(entry)
        if above in (NONE, entry) or not self._tree.flags[above] & REAL:
            return NONE
        return above

    # Entries that come.

    def arrived(self, entry: int) -> None:
        """An entry stands in the tape that nobody named as a parent before."""
        self.make_room()
        self._settle(entry, self.above(entry))
        if self._children.known:
            self._children.add(entry, self._links.parent(entry))

    def arrived_late(self, entry: int) -> list[int]:
        """An entry comes that others named as their parent before.

        Returns:
            Others that have another message above them now.
        """
        self.make_room()
        children = self._children
        if children.known:
            children.add(entry, self._links.parent(entry))
        else:
            self._know_children()
        circle, above = [entry], self.above(entry)
        if self._tops(entry, above, children.only(entry)):
            return []
        if above != NONE and self.depth[above] != ENDLESS and self._is_below(above, entry):
            while above not in (entry, NONE):
                circle.append(above)
                above = self.above(above)
            before = [self.message[other] for other in circle]
            self._go_round(circle)
            changed = [
                one for one, old in zip(circle, before, strict=True) if self.message[one] != old
            ]
        else:
            self._settle(entry, above)
            changed = []
        self._settle_below(circle, changed)
        return [one for one in changed if one != entry]

    def _tops(self, entry: int, above: int, child: int) -> bool:
        """Whether an entry with one message below it needs nothing else than to stand above it,
        perhaps with one above that has nothing else below: a summary and its boundary.
        """
        flags, depth = self._tree.flags, self.depth
        if child == NONE or not flags[child] & MESSAGE or depth[child] in (ENDLESS, 1, 2):
            return False
        if above != NONE and not self._is_bare(above, entry, child):
            return False
        self._settle(entry, NONE)
        self._put_above(child, entry)
        if above != NONE:
            self._put_above(entry, above)
        return True

    def _is_bare(self, top: int, entry: int, child: int) -> bool:
        """Whether an entry has nothing above it, and below it only a message that has come."""
        bare = self.depth[top] != ENDLESS and self._children.only(top) == entry
        message = self._tree.flags[entry] & MESSAGE != 0
        return bare and message and top != child and self.above(top) == NONE

    def _put_above(self, top: int, entry: int) -> None:
        """An entry comes to stand above the top of a chain, of which nothing else changes."""
        self.depth[entry] = self.depth[top] - 1
        self._main[entry] = self._main[top] - (self._tree.flags[top] & SIDE == 0)
        self._jump[top] = entry
        self._invert(top, entry)

    def _invert(self, entry: int, above: int) -> None:
        if above > entry:
            low, high = self.inverted
            self.inverted = min(low, entry) if high != NONE else entry, max(high, above)

    def _is_below(self, entry: int, top: int) -> bool:
        """Whether the chain of an entry, as settled so far, leads to one that has just come."""
        return self._links.parent(self.top(entry)) == top

    def _settle_below(self, done: list[int], changed: list[int], above_all: int = NONE) -> bool:
        """Count all chains through some entries anew; False where one that they hang on hangs on
        them.
        """
        if above_all in done:
            return False
        waiting, settled, messages = list(done), set(done), self.message
        while waiting:
            above = waiting.pop()
            for child in self._children.of(above):
                if child not in settled:
                    if child == above_all:
                        return False
                    settled.add(child)
                    before = messages[child]
                    self._settle(child, above)
                    waiting.append(child)
                    if messages[child] != before:
                        changed.append(child)
        return True

    def _settle(self, entry: int, above: int) -> None:
        """Count the chain of an entry by that of the one above it."""
        flags, depth, jump = self._tree.flags[entry], self.depth, self._jump
        self.queued[entry] = NONE
        if flags & MESSAGE:
            self.message[entry] = entry
        else:
            self.message[entry] = self.message[above] if above != NONE else NONE
            if flags & QUEUED:
                self.queued[entry] = entry
            elif above != NONE:
                self.queued[entry] = self.queued[above]
        main = flags & SIDE == 0
        if above == NONE:
            depth[entry], self._main[entry], jump[entry] = _TOP, _TOP + main, entry
            return
        self._main[entry] = self._main[above] + main
        if depth[above] == ENDLESS:
            depth[entry], jump[entry] = _TOP, entry
            return
        depth[entry] = depth[above] + 1
        self._invert(entry, above)
        far = jump[above]
        same = depth[above] - depth[far] == depth[far] - depth[jump[far]]
        jump[entry] = jump[far] if same else above

    def moved(self, moves: list[tuple[int, int]]) -> bool:
        """Entries hang on others than those told; False, and all is unknown, where that takes
        counting everything.
        """
        self.make_room()
        if self._round:
            return False
        parent, children = self._links.parent, self._children
        moves = [(entry, before) for entry, before in moves if parent(entry) != before]
        if not children.known:
            self._know_children()
        else:
            for entry, _ in moves:
                children.add(entry, parent(entry))
        changed: list[int] = []
        for entry, _ in moves:
            above, old = self.above(entry), self.message[entry]
            self._settle(entry, above)
            if self.message[entry] != old:
                changed.append(entry)
            if not self._settle_below([entry], changed, above):
                return False
        return not any(self.message[entry] == NONE for entry in changed)

    # Everything.

    def recount(self) -> None:
        """Parents were changed."""
        self.make_room()
        flags, depth = self._tree.flags, self.depth
        if self._children.known:
            self._know_children()
        self._round = {}
        settled = bytearray(len(flags))
        for first in range(len(flags)):
            path: list[int] = []
            entry = first
            while entry != NONE and not settled[entry] and flags[entry] & REAL:
                settled[entry] = 1
                path.append(entry)
                depth[entry] = ENDLESS
                entry = self.above(entry)
            if path and entry in path:
                at = path.index(entry)
                self._go_round(path[at:])
                del path[at:]
            for other in reversed(path):
                self._settle(other, self.above(other))

    def _know_children(self) -> None:
        flags, parent = self._tree.flags, self._links.parent
        self._children.know(
            parent(entry) if flags[entry] & REAL else NONE for entry in range(len(flags))
        )

    def _go_round(self, circle: list[int]) -> None:
        """Entries hang on each other, each on the next."""
        flags = self._tree.flags
        main = sum(flags[entry] & SIDE == 0 for entry in circle)
        message = NONE
        self._round.update(dict.fromkeys(circle, circle[0]))
        for entry in (*reversed(circle), *reversed(circle)):
            if flags[entry] & MESSAGE:
                message = entry
            self.depth[entry], self._jump[entry] = ENDLESS, NONE
            self._main[entry], self.message[entry] = _TOP + main, message
            self.queued[entry] = NONE

    # Questions.

    @property
    def round(self) -> bool:
        """Whether entries hang on each other, of which `inverted` does not tell."""
        return bool(self._round)

    def top(self, entry: int) -> int:
        """The first entry of a chain; below a circle, the first that is not of it."""
        jump, depth = self._jump, self.depth
        while (far := jump[entry]) != NONE and depth[far] < depth[entry]:
            entry = far
        return entry

    def is_only(self, entry: int, child: int) -> bool:
        """Whether one entry, and no other, hangs on an entry that came behind it."""
        return self._children.known and self._children.only(entry) == child

    def reached(self, entry: int, top: int) -> int:
        """How many records of the main line stand on the chain of an entry, with this top."""
        if self.depth[entry] == ENDLESS or self.above(top) != NONE:
            return self._main[entry] - _TOP
        before = self._main[top] - (self._tree.flags[top] & SIDE == 0)
        return self._main[entry] - before

    def holds(self, entry: int, other: int) -> bool:
        """Whether an entry is on the chain of another one, which may be itself.

        Takes steps in the order of the logarithm of the chain's length.
        """
        depth, jump = self.depth, self._jump
        wanted = depth[entry] or _TOP
        while depth[other] > wanted:
            far = jump[other]
            if far == other:
                # Another tree's top, as deep as where this one was taken up to.
                return False
            other = far if depth[far] >= wanted else self.above(other)
        if depth[entry] != ENDLESS or other == entry:
            return other == entry
        above = other if depth[other] == ENDLESS else self.above(other)
        return entry in self._round and self._round[entry] == self._round.get(above)
