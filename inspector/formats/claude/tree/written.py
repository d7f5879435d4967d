"""What was written of the paths to entries, and which of it still stands."""

from array import array
from bisect import bisect_right
from typing import Final

from inspector.columns import Column, signed, unsigned
from inspector.formats.claude.tree.store import NONE

_NEVER: Final = 0


class Written:
    """The rows of paths by the entries at which they end, until something on a path changes.

    That something changed at an entry is not looked up in every path through it: what was written
    of entries with its number or a higher one is taken for outdated. Entries below another nearly
    always have higher numbers, and the caller names a low enough one where they have not.
    """

    def __init__(self) -> None:
        self._end: Column = signed()
        self._added: Column = unsigned()
        self._at: Column = unsigned()
        # Both rise: what a later change with a lower number outdates, it outdates too.
        self._times: Column = unsigned()
        self._lowest: Column = unsigned()

    def make_room(self, entries: int) -> None:
        """Have a place for so many entries."""
        missing = entries - len(self._end)
        if missing > 0:
            self._end.extend(array("i", [NONE]) * missing)
            self._added.frombytes(bytes(self._added.itemsize * missing))
            self._at.frombytes(bytes(self._at.itemsize * missing))

    def write(self, entry: int, end: int, event: int, added: int = 0) -> None:
        """The rows of the path to an entry end in a place, `NONE` if there are none; so many of
        them stand on no chain.
        """
        self._end[entry] = end
        self._added[entry] = added
        self._at[entry] = event + 1

    def outdate(self, entry: int, event: int) -> None:
        """Something changed at an entry, before anything is written in the same event."""
        lowest, times = self._lowest, self._times
        while lowest and lowest[-1] >= entry:
            lowest.pop()
            times.pop()
        if not times or times[-1] <= event:
            lowest.append(entry)
            times.append(event + 1)

    def stands(self, entry: int) -> bool:
        """Whether what was written of the path to an entry is as it would be written now."""
        at = self._at[entry]
        if at == _NEVER:
            return False
        first = bisect_right(self._times, at) if self._times and self._times[-1] > at else -1
        return first < 0 or self._lowest[first] > entry

    def end(self, entry: int) -> int:
        """Where the rows of the path to an entry end."""
        return self._end[entry]

    def added(self, entry: int) -> int:
        """How many rows of the path to an entry stand on no chain."""
        return self._added[entry]
