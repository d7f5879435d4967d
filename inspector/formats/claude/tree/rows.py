"""The surface as one of all the sequences of rows that were ever shown."""

from array import array
from collections.abc import Sequence

from inspector.columns import Column, signed, unsigned
from inspector.formats.claude.tree.store import NONE
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.words import Reason


class Rows:
    """Sequences of rows that begin alike share their beginning, so that going back to one costs
    little, however long it is.

    A *step* is a row behind certain others; a sequence is told by its last step, `NONE` for the
    empty one.

    Args:
        builder: takes the effects.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._forest = Forest(builder)
        # The step that was made last of each node.
        self._step: Column = signed()

    def follow(self, node: int) -> int:
        """A node was appended to the surface; returns its step."""
        forest = self._forest
        step = forest.grow(forest.leaf, Reason.REWOUND)
        forest.attach(node)
        self._know(node, step)
        return step

    def precede(self, node: int) -> int:
        """A node was inserted before all that is on the surface; returns its step."""
        step = self._forest.precede(node)
        self._know(node, step)
        return step

    def become(
        self, start: int, nodes: Sequence[int], reason: Reason, cause: int | None, gone: int
    ) -> "array[int] | None":
        """The surface becomes a sequence with nodes behind it; `reach` must be told next.

        Args:
            start: the sequence.
            nodes: behind it.
            reason: why rows leave.
            cause: the event that made them leave.
            gone: a node that left the surface in this event already, or `NONE`.

        Returns:
            The rows that left or might have, None if nothing changed. They are looked up only for
            a compaction.
        """
        forest, builder = self._forest, self._builder
        shared = start == NONE or forest.on_path(start)
        at, same = self._common(start, nodes) if shared else (start, 0)
        rest = nodes[same:]
        if shared and at == self._last and not rest and gone == NONE:
            return None
        left = forest.behind(None if at == NONE or not shared else at)
        if gone == NONE and not any(map(builder.is_live, rest)):
            # None of them stays: the end of the surface is another one.
            before = left if reason is Reason.COMPACTED else unsigned()
            steps = self.steps(at, rest)
            end = steps[-1] if steps else at
            forest.move(None if end == NONE else end, reason, cause)
            return before
        wanted = unsigned()
        if not shared:
            wanted.extend(forest.rows(start))
        wanted.extend(rest)
        if gone in left:
            left.remove(gone)
        if left != wanted:
            builder.exchange(left, wanted, None, reason, cause)
        return left

    def _common(self, start: int, nodes: Sequence[int]) -> tuple[int, int]:
        """How far the surface goes on behind a step on it as nodes do; and to how many of them."""
        at, same = start, 0
        for node in nodes:
            step = self._known(node, at)
            if step == NONE or not self._forest.on_path(step):
                break
            at, same = step, same + 1
        return at, same

    def reach(self, start: int, nodes: Sequence[int]) -> list[int]:
        """The surface is a sequence with nodes behind it; returns their steps."""
        steps = self.steps(start, nodes)
        end = steps[-1] if steps else start
        self._forest.reach(None if end == NONE else end)
        return steps

    def steps(self, start: int, nodes: Sequence[int]) -> list[int]:
        """The steps of nodes behind a sequence."""
        forest, found, above = self._forest, list[int](), start
        for node in nodes:
            step = self._known(node, above)
            if step == NONE:
                step = forest.add(None if above == NONE else above)
                forest.attach(node, step)
                self._know(node, step)
            found.append(step)
            above = step
        return found

    @property
    def _last(self) -> int:
        leaf = self._forest.leaf
        return NONE if leaf is None else leaf

    def _known(self, node: int, above: int) -> int:
        step = self._step[node] if node < len(self._step) else NONE
        return step if step != NONE and self._forest.parent(step) == above else NONE

    def _know(self, node: int, step: int) -> None:
        while node >= len(self._step):
            self._step.append(NONE)
        self._step[node] = step
