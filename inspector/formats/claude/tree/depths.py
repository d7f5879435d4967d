"""How many records of the main line stand on the chain of each, itself included."""

from array import array
from contextlib import suppress

from inspector.columns import Column, signed, unsigned
from inspector.formats.claude.tree.hanging import Hanging
from inspector.formats.claude.tree.store import NONE


class Depths:
    """Counts along chains, which are settled as records come, and may be linked anew later.

    Attributes:
        moved: whether a chain was linked anew in the middle, so that counts are looked up.
    """

    def __init__(self) -> None:
        self._of: Column = unsigned()
        self._above: Column = signed()
        self._hanging = Hanging()
        self.moved = False

    def make_room(self, missing: int) -> None:
        """Have a place for so many entries more."""
        self._of.frombytes(bytes(self._of.itemsize * missing))
        self._above.frombytes(b"\xff" * (self._above.itemsize * missing))

    def settle(self, entry: int, above: int, *, there: bool) -> None:
        """An entry hangs on another one, or on `NONE`.

        Args:
            entry: stands in the tape.
            above: what it hangs on.
            there: whether this stands in the tape, too; if not, it may come later.
        """
        self._of[entry] = 1 + (self._of[above] if there else 0)
        self._above[entry] = above
        if self.moved:
            self._hanging.make_room(len(self._of))
            self._hanging.count(entry, counts=True)
            self.move(entry, above)

    def line_up(self, parent: int, count: int) -> None:
        """So many new entries come, each of which hangs on the one before.

        Args:
            parent: what the first one hangs on, which has a place.
            count: how many.
        """
        entry, length = len(self._of), self._of[parent] + 1
        self._of.extend(range(length, length + count))
        self._above.append(parent)
        self._above.extend(range(entry, entry + count - 1))
        if not self.moved:
            return
        self._hanging.make_room(entry + count)
        for new in range(entry, entry + count):
            self._hanging.count(new, counts=True)
            self._hanging.hang(new, self._above[new])

    def move(self, entry: int, above: int) -> None:
        """An entry comes to hang on another one, with all that hangs on it."""
        hanging = self._hanging
        hanging.make_room(len(self._of))
        if not self.moved:
            self.moved = True
            self._part()
            hanging.begin(self._above, self._of)
        # One that would come to hang on itself stays where it is.
        with suppress(ValueError):
            hanging.hang(entry, above)

    def _part(self) -> None:
        """Entries of one message stand crosswise, and may hang on each other: cut there."""
        above, round_of = self._above, array("i", [NONE]) * len(self._above)
        for first in range(len(above)):
            entry = first
            while entry != NONE and round_of[entry] == NONE:
                round_of[entry] = first
                if above[entry] != NONE and round_of[above[entry]] == first:
                    above[entry] = NONE
                entry = above[entry]

    def length(self, entry: int) -> int:
        """How many records are on the chain of an entry, or of `NONE`."""
        if entry == NONE:
            return 0
        return self._hanging.length(entry) if self.moved else self._of[entry]
