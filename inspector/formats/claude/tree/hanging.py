"""Chains that change in the middle: how long each is and what it holds, in few steps."""

from array import array

from inspector.columns import Column, signed, unsigned
from inspector.formats.claude.tree.store import NONE


class Hanging:
    """A forest of entries that may come to hang on others, with all that hangs on them.

    Paths towards the roots are kept as balanced trees (splay trees, of which each hangs on an
    entry of another one), so a question or a change takes steps in the order of the logarithm of
    the number of entries, over many of them. Questions move things inside; answers do not change.
    """

    def __init__(self) -> None:
        self._left: Column = signed()
        self._right: Column = signed()
        self._up: Column = signed()
        # How many entries count, of each balanced tree and below each entry in it.
        self._sum: Column = unsigned()
        self._counts = bytearray()

    def __len__(self) -> int:
        return len(self._up)

    def make_room(self, entries: int) -> None:
        """Have so many entries; new ones hang on nothing and do not count."""
        missing = entries - len(self._up)
        if missing > 0:
            nothing = array("i", [NONE]) * missing
            for column in (self._left, self._right, self._up):
                column.extend(nothing)
            self._sum.frombytes(bytes(self._sum.itemsize * missing))
            self._counts.extend(bytes(missing))

    def begin(self, above: Column, counts: Column) -> None:
        """Entries hang on these, or on `NONE`; those count of which anything is said."""
        self._up[:] = above
        self._counts[:] = bytes(map(bool, counts))
        self._sum[:] = array(self._sum.typecode, list(self._counts))

    def count(self, entry: int, *, counts: bool) -> None:
        """Whether an entry counts."""
        if self._counts[entry] != counts:
            self._expose(entry)
            self._sum[entry] += 1 if counts else -1
            self._counts[entry] = counts

    def hang(self, entry: int, above: int) -> None:
        """An entry hangs on another, or on `NONE`, from now on.

        Raises:
            ValueError: if the other one is the entry, or hangs on it.
        """
        if above != NONE and self.is_above(entry, above):
            raise ValueError(f"entry {above} hangs on entry {entry}")
        self._expose(entry)
        left = self._left[entry]
        if left != NONE:
            self._up[left] = NONE
            self._left[entry] = NONE
            self._sum[entry] -= self._sum[left]
        self._up[entry] = above

    def length(self, entry: int) -> int:
        """How many entries that count are on the chain of one, itself included."""
        self._expose(entry)
        return self._sum[entry]

    def is_above(self, entry: int, other: int) -> bool:
        """Whether an entry is on the chain of another one, which may be itself."""
        if entry == other:
            return True
        self._expose(entry)
        return self._expose(other) == entry

    def top(self, entry: int) -> int:
        """The entry at the top of a chain."""
        self._expose(entry)
        left = self._left
        while left[entry] != NONE:
            entry = left[entry]
        self._splay(entry)
        return entry

    def _expose(self, entry: int) -> int:
        """Make the chain of an entry one balanced tree, with the entry at its head; returns where
        the chain met that which was exposed before.
        """
        right, up, total = self._right, self._up, self._sum
        below, met, at = NONE, entry, entry
        while at != NONE:
            self._splay(at)
            if right[at] != NONE:
                total[at] -= total[right[at]]
            right[at] = below
            if below != NONE:
                total[at] += total[below]
            below = met = at
            at = up[at]
        self._splay(entry)
        return met

    def _is_head(self, entry: int) -> bool:
        above = self._up[entry]
        return above == NONE or (self._left[above] != entry and self._right[above] != entry)

    def _splay(self, entry: int) -> None:
        up, left = self._up, self._left
        while not self._is_head(entry):
            above = up[entry]
            if not self._is_head(above):
                straight = (left[above] == entry) == (left[up[above]] == above)
                self._rotate(above if straight else entry)
            self._rotate(entry)

    def _rotate(self, entry: int) -> None:
        up, left, right, total = self._up, self._left, self._right, self._sum
        above = up[entry]
        over = up[above]
        near, far = (left, right) if left[above] == entry else (right, left)
        if over != NONE:
            if left[over] == above:
                left[over] = entry
            elif right[over] == above:
                right[over] = entry
        moved = near[above] = far[entry]
        if moved != NONE:
            up[moved] = above
        far[entry] = above
        up[above], up[entry] = entry, over
        here = total[entry]
        total[entry] = total[above]
        total[above] += (total[moved] if moved != NONE else 0) - here
