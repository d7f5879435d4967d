"""How much of the tree the path reaches, at every cursor."""

from inspector.columns import Column, unsigned
from inspector.formats.pi.tree.store import NONE, Placed, Tree


class Coverages:
    """How many entries are on the path to each leaf.

    Args:
        tree: the entries.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._depth: Column = unsigned()

    def enter(self, event: int, placed: Placed) -> None:
        """An entry comes, the leaf from now on."""
        parent = placed.parent
        fresh = not placed.again and not placed.named and parent == event - 1
        if not fresh and self._tree.is_loose(event):
            depth = len(self._tree.path(event)[0])
            self._tree.work += depth
            self._depth.append(depth)
        else:
            self._depth.append(1 if parent == NONE else self._depth[parent] + 1)

    def follow(self) -> None:
        """What `enter` does for an entry that hangs on the one just before."""
        self._depth.append(self._depth[-1] + 1)

    def pass_over(self) -> None:
        """An entry comes that is no leaf: the path stays as it is."""
        self._depth.append(self._depth[-1] if self._depth else 0)

    @property
    def known(self) -> int:
        """The cursor up to which it is known: while entries come that may be one less than they."""
        return len(self._depth)

    def at(self, cursor: int) -> int:
        """How many entries are on the path at a cursor."""
        return self._depth[cursor - 1] if 0 < cursor <= len(self._depth) else 0
