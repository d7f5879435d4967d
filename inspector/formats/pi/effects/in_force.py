"""Which compactions and edits are on the path: what others hid is hidden by them no more."""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.formats.pi.tree.store import COMPACTS, EDITS, Tree
from inspector.timeline.builder import Builder
from inspector.timeline.words import Reason

_TURNED: Final = 4
_LOOKED_UP: Final = 8
_RANGE: Final = 16
"""How much more work than to look at a node it is to tell of an entry, to ask what hides a node,
and to say that another entry does."""


class InForce:
    """Tells the builder which compactions and edits were left with their branch, and come back.

    Args:
        builder: takes the effects of the event begun last.
        tree: the entries.

    Attributes:
        back: compactions and edits that the last switch brought back.
    """

    def __init__(self, builder: Builder, tree: Tree) -> None:
        self._builder = builder
        self._surface = builder.timeline.surface
        self._tree = tree
        # Those on the path, the first first; where each of them stands; and those that were left.
        self._path: list[int] = []
        self._place: dict[int, int] = {}
        self._left: set[int] = set()
        self.back: set[int] = set()

    def comes(self, event: int) -> None:
        """A compaction or an edit comes; nothing is done for other entries."""
        if self._tree.flags[event] & (COMPACTS | EDITS) and event not in self._place:
            self._place[event] = len(self._path)
            self._path.append(event)

    def switch(self, above: Iterable[int]) -> set[int]:
        """The path is another one.

        Args:
            above: what is on it, the last first; no more of it is asked for than is needed.

        Returns:
            The compactions that are not on it any more.
        """
        builder, flags = self._builder, self._tree.flags
        new: list[int] = []
        keep = 0
        for event in above:
            place = self._place.get(event)
            if place is not None:
                keep = place + 1
                break
            if flags[event] & (COMPACTS | EDITS):
                new.append(event)
        old, came = self._path[keep:], set(new)
        del self._path[keep:]
        for event in reversed(old):
            del self._place[event]
            if event not in came:
                builder.undo(event)
                self._left.add(event)
        self.back = self._left & came
        for event in reversed(new):
            if event in self._left:
                self._left.remove(event)
                builder.redo(event)
            self.comes(event)
        self._tree.work += _TURNED * (len(old) + len(new))
        return {event for event in old if flags[event] & COMPACTS}

    def hidden(self, nodes: Iterable[int], left: set[int]) -> list[range]:
        """What compactions hid that were left, of the rows of a path that are not there."""
        builder, tree = self._builder, self._tree
        cursor, found = builder.event, list[range]()
        for node in nodes:
            tree.work += 1
            if builder.is_live(node):
                continue
            tree.work += _LOOKED_UP
            before = self._surface.departure(node, cursor)
            if before is None or before.by not in left:
                continue
            if found and found[-1].stop == node:
                found[-1] = range(found[-1].start, node + 1)
            else:
                found.append(range(node, node + 1))
        return found

    def absent(self, nodes: Iterable[int]) -> Iterator[int]:
        """Those of nodes that were not there before the event."""
        cursor = self._builder.event
        for node in nodes:
            self._tree.work += _LOOKED_UP
            if not self._surface.is_there(node, cursor):
                yield node

    def edited(self, nodes: Iterable[int], edit: int, reason: Reason) -> None:
        """An edit counts, and the rows of its entry, which are not there, are not there by it."""
        for node in nodes:
            self._tree.work += _RANGE
            self._builder.rehide(range(node, node + 1), reason, edit)

    def hide(self, ranges: Iterable[range], compaction: int) -> None:
        """A compaction that is on the path now hides what others hid that were left."""
        for nodes in ranges:
            self._tree.work += _RANGE
            self._builder.rehide(nodes, Reason.COMPACTED, compaction)
