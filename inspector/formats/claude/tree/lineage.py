"""From which root every record hangs: what tells a rewind from a compaction and a broken chain."""

from array import array
from typing import Final

from inspector.columns import Column, signed
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    MESSAGE,
    NONE,
    REAL,
    RESULT,
    ROOTED,
    Tree,
)
from inspector.timeline.words import Reason

_FIRST_PROMPT: Final = MESSAGE | ROOTED
"""What a prompt is that hangs on nothing: it can be the first one, written anew."""


class Lineage:
    """The top of the chain above every entry, by the parents that the tape names.

    Attributes:
        cut: the entries whose parent did not stand in the tape when they came.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._top: Column = signed()
        self.cut: Column = signed()

    def arrived(self, entry: int, parent: int) -> None:
        """An entry stands in the tape and names a parent, or `NONE`."""
        top, flags = self._top, self._tree.flags
        missing = len(self._tree.flags) - len(top)
        if missing > 0:
            top.extend(array("i", [NONE]) * missing)
        if parent != NONE and flags[parent] & REAL and top[parent] != NONE:
            top[entry] = top[parent]
            return
        top[entry] = entry
        if parent not in (NONE, entry):
            self.cut.append(entry)

    def line_up(self, entry: int, parent: int, count: int) -> None:
        """So many new entries come, each of which hangs on the one before.

        Args:
            entry: the first.
            parent: what it hangs on, which stands in the tape.
            count: how many.
        """
        top = self._top
        if len(top) != entry:
            top.extend(array("i", [NONE]) * (entry - len(top)))
        top.extend(array("i", [top[parent]]) * count)

    def top(self, entry: int) -> int:
        """The entry at the top of the chain above another, as far as is known."""
        tree, top = self._tree, self._top
        # A parent that came behind its child leads on; in a circle the entry met again is as good
        # as any.
        seen: dict[int, None] = {}
        while entry != NONE and entry not in seen:
            seen[entry] = None
            entry = top[entry]
            parent = tree.parent[entry]
            if parent == NONE or not tree.flags[parent] & REAL or parent in seen:
                break
            entry = parent
        # The next time it is not far.
        for other in seen:
            top[other] = entry
        return entry

    def is_missing(self, entry: int) -> bool:
        """Whether the parent that an entry names does not stand in the tape."""
        parent = self._tree.parent[entry]
        return parent != NONE and not self._tree.flags[parent] & REAL

    def why(self, entry: int, end: int) -> tuple[Reason, int | None]:
        """Why rows would leave when an entry comes, and the event that made them.

        Args:
            entry: the one that comes.
            end: where the branch ended before.
        """
        tree = self._tree
        flags, line = tree.flags, tree.line
        if flags[entry] & BOUNDARY:
            return Reason.COMPACTED, None
        if end == NONE:
            return Reason.REWOUND, None
        top = self.top(entry)
        if top == self.top(end) or line[top] < line[end]:
            return Reason.REWOUND, None
        if flags[top] & BOUNDARY:
            return Reason.COMPACTED, line[top]
        if self._is_first_prompt(top):
            return Reason.REWOUND, None
        return Reason.UNLINKED, None

    def begins(self, entry: int) -> bool:
        """Whether an entry that stands at the top of a chain is where one may begin anew."""
        return self._tree.flags[entry] & BOUNDARY != 0 or self._is_first_prompt(entry)

    def _is_first_prompt(self, entry: int) -> bool:
        return self._tree.flags[entry] & (MESSAGE | RESULT | ASSISTANT | ROOTED) == _FIRST_PROMPT
