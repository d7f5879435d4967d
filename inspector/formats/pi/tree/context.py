"""What of the path to an entry is the context, by the owner's rules (rules page P3 to P5)."""

from typing import NamedTuple

from inspector.formats.pi.tree.store import (
    COMPACTS,
    EDITS,
    IS_EDITED,
    IS_SYSTEM,
    NONE,
    Tree,
)


class Context(NamedTuple):
    """The entries that count at a leaf.

    Attributes:
        compaction: the one that counts, or `NONE`.
        kept: the entries before it that it keeps, in order.
        after: those behind it, in order; all of the path where nothing was compacted.
        circle: the path never ends.
    """

    compaction: int
    kept: list[int]
    after: list[int]
    circle: bool = False

    def entries(self) -> list[int]:
        """All of them, but for the compaction, in order."""
        return self.kept + self.after

    def emitting(self, tree: Tree) -> list[int]:
        """Those that may have rows, in the order in which these stand."""
        first = [] if self.compaction == NONE else [self.compaction]
        silent = COMPACTS | IS_SYSTEM
        kept = [one for one in self.kept if not tree.flags[one] & silent]
        return first + kept + self.after

    def edits(self, tree: Tree) -> dict[int, int]:
        """By the entry that is edited, the edit that counts: the last one in the path's order."""
        if not tree.edits:
            return {}
        found: dict[int, int] = {}
        for one in self.entries():
            if tree.flags[one] & EDITS:
                target = tree.owner(tree.edits[one].target)
                if target != NONE:
                    found[target] = one
        return found

    def breaks(self, tree: Tree) -> int | None:
        """The edit at which the owner fails, or None: it counts, has no replacement, and its target
        is a message whose content could be replaced.
        """
        edits = self.edits(tree)
        broken = [edit for edit in edits.values() if tree.edits[edit].form == "broken"]
        if not broken:
            return None
        emitting = set(self.emitting(tree))
        for target, edit in edits.items():
            is_message = target in emitting and tree.flags[target] & IS_EDITED
            if is_message and tree.edits[edit].form == "broken":
                return edit
        return None


def context_of(tree: Tree, leaf: int, keeps: int | None = None) -> Context:
    """The context at a leaf.

    Args:
        tree: the entries.
        leaf: the last of the path, or `NONE`.
        keeps: where it is known, the first entry that the compaction that counts keeps; `NONE` if
            it keeps nothing. Then no more of the path is looked at than that.
    """
    if keeps is None or tree.is_loose(leaf):
        path, circle = tree.path(leaf)
    else:
        path, circle = _short_path(tree, leaf, keeps), False
    flags = tree.flags
    last = next((at for at, one in enumerate(path) if flags[one] & COMPACTS), None)
    if last is None:
        return Context(NONE, [], path[::-1], circle)
    compaction = path[last]
    first = tree.owner(tree.kept[compaction])
    before = path[last + 1 :]
    kept = before[: before.index(first) + 1][::-1] if first in before else []
    return Context(compaction, kept, path[:last][::-1], circle)


def _short_path(tree: Tree, leaf: int, keeps: int) -> list[int]:
    """The path up to the compaction that counts, and on to the first entry that it keeps."""
    path: list[int] = []
    while leaf != NONE:
        path.append(leaf)
        found = tree.flags[leaf] & COMPACTS
        leaf = tree.above(leaf)
        if found:
            break
    if keeps != NONE:
        while leaf != NONE:
            path.append(leaf)
            if leaf == keeps:
                break
            leaf = tree.above(leaf)
    return path
