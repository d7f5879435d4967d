"""What hides rows of a path that is read anew: what counts there, whatever hid them before.

Where an id stands for another entry than before, entries come to the path and go from it that no
switch leads past, while the compactions and edits on it stay what they are.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

from inspector.formats.pi.effects.rows import Rows
from inspector.formats.pi.tree.context import Context
from inspector.formats.pi.tree.store import NONE, Tree
from inspector.timeline.builder import Builder
from inspector.timeline.words import Reason

_LOOKED_UP: Final = 8
_RANGE: Final = 16
"""How much more work than to look at an entry it is to ask what hides a row, and to tell it."""

_Told = tuple[Reason, int]


class Retold:
    """Tells the builder what hides rows by now that were not there before, and are not.

    Args:
        builder: takes the effects of the event begun last.
        tree: the entries.
        rows: of entries.
    """

    def __init__(self, builder: Builder, tree: Tree, rows: Rows) -> None:
        self._builder = builder
        self._surface = builder.timeline.surface
        self._tree = tree
        self._rows = rows
        self._compaction = NONE

    def settle(
        self, before: Sequence[int], path: Sequence[int], context: Context, back: Set[int]
    ) -> None:
        """The path is another one.

        Args:
            before: the entries that were on it.
            path: those that are.
            context: what counts at its end.
            back: compactions and edits that were left and hold again: not for what is not there.
        """
        tree, builder = self._tree, self._builder
        tree.work += len(before) + len(path)
        old, new, event = set(before), set(path), builder.event
        nodes = self._surface.nodes
        for one in sorted(old - new):
            self._tell(nodes.all_of_event(one), (Reason.REWOUND, event))
        for one in self._gone(new, back):
            builder.rehide(range(one, one + 1), Reason.REWOUND, event)
        same, self._compaction = context.compaction == self._compaction, context.compaction
        fresh = [one for one in path if one not in old] if same else path
        counted, edits = set(context.emitting(tree)), context.edits(tree)
        for one in fresh:
            why = self._rows.why(one, context, edits, counted)
            if why is not None:
                self._tell(self._rows.of(one), why)

    def _gone(self, path: Set[int], back: Set[int]) -> Iterator[int]:
        """Rows of entries that are not on the path, and were hidden by what holds again."""
        nodes, tree, event = self._surface.nodes, self._tree, self._builder.event
        if back.isdisjoint(path):
            return
        tree.work += len(nodes)
        for node in range(len(nodes)):
            if nodes.origin(node) not in path:
                tree.work += _LOOKED_UP
                left = self._surface.departure(node, event + 1)
                if left is not None and left.by in back:
                    tree.work += _RANGE
                    yield node

    def _tell(self, nodes: Iterable[int], why: _Told) -> None:
        """Rows that are not there, and were not, are hidden by something else than before."""
        builder, tree, cursor = self._builder, self._tree, self._builder.event
        for node in nodes:
            if builder.is_live(node):
                continue
            tree.work += _LOOKED_UP
            left = self._surface.departure(node, cursor)
            rewound = why[0] is Reason.REWOUND
            if left is None or (rewound and left.reason is Reason.REWOUND):
                continue
            if (left.reason, left.by) != why:
                tree.work += _RANGE
                builder.rehide(range(node, node + 1), *why)
