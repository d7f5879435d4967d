"""How many records of the main line stand on the chain of each, itself included."""

from inspector.columns import Column, unsigned
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.store import NONE, REAL, Tree


class Depths:
    """Counts along chains; anew where a chain was linked anew.

    Args:
        tree: the entries.
        links: their parents.

    Attributes:
        of: by entry.
        stale: parents on the branch were changed since it was counted.
    """

    def __init__(self, tree: Tree, links: Links) -> None:
        self._tree = tree
        self._links = links
        self._shuffled = False
        self.of: Column = unsigned()
        self.stale = False

    def settle(self, entry: int, above: int) -> None:
        """An entry hangs on another one, or on `NONE`."""
        self.of[entry] = 1 + (self.of[above] if above != NONE else 0)

    def shuffle(self) -> None:
        """Parents were changed in the middle of branches, so that any count may be wrong."""
        self._shuffled = True

    def doubt(self) -> None:
        """The branch is another one; its counts may be old."""
        self.stale = self._shuffled

    def count(self, end: int) -> None:
        """Count the records of the branch anew, if need be."""
        if not self.stale:
            return
        self.stale = False
        path: list[int] = []
        seen: set[int] = set()
        entry = end
        while entry != NONE and entry not in seen and self._tree.flags[entry] & REAL:
            path.append(entry)
            seen.add(entry)
            entry = self._links.parent(entry)
        for depth, other in enumerate(reversed(path), 1):
            self.of[other] = depth
