"""Records whose parents did not stand in the tape when they came."""

from array import array
from typing import Final

from inspector.formats.claude.tree.store import NONE

_MOST: Final = 65_536
"""Records without a parent that are remembered until it comes."""


class Orphans:
    """Remembers what hangs on a parent that is missing.

    Args:
        member: the member of the forest that stands for each entry, `NONE` if there is none.
    """

    def __init__(self, member: "array[int]") -> None:
        self._member = member
        self._members: dict[int, list[int]] = {}
        # Entries that make no row hang on a missing one through nothing that could be moved.
        self._top: dict[int, int] = {}
        self._below: dict[int, list[int]] = {}

    def miss(self, entry: int, parent: int) -> None:
        """An entry comes, and its parent is missing."""
        self._top[entry] = parent
        self._below.setdefault(parent, []).append(entry)

    def placed(self, entry: int, above: int) -> None:
        """An entry has a member, and hangs on another one or on nothing that stands in the tape."""
        top = self._top.pop(entry, None)
        if top is None and above != NONE and self._member[above] == NONE:
            top = self._top.get(above)
        if top is not None and len(self._members) < _MOST:
            self._members.setdefault(top, []).append(self._member[entry])

    def wait(self, member: int, parent: int) -> None:
        """A member of the forest is to hang on an entry that is missing."""
        self._members.setdefault(parent, []).append(member)

    def take(self, entry: int) -> list[int]:
        """An entry comes that was missing; returns the members that are to hang on it."""
        for child in self._below.pop(entry, ()):
            if self._top.get(child) == entry:
                del self._top[child]
                self._member[child] = self._member[entry]
        return self._members.pop(entry, [])
