"""From one leaf to another below another compaction, at the cost of what the two do not share.

Both surfaces are the rows of a path from some entry on, with those of a compaction before them and
without those of compactions on the way. So what stands below the last entry that both paths share
is exchanged, and above that only the start of what is shown differs.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from inspector.formats.pi.tree.store import COMPACTS, NONE, Tree
from inspector.formats.pi.tree.trunk import Piece, Trunk
from inspector.timeline.builder import Builder
from inspector.timeline.words import Reason


class Turn(NamedTuple):
    """What was decided last above the entries that hang below it.

    Attributes:
        base: the last compaction or edit; below it every row stands as it was made.
        compaction: the compaction that counts, or `NONE`.
        keeps: the first entry that it keeps; `NONE` if it keeps nothing.
        edits: some edit may count.
        systems: messages of the system stand behind the compaction.
        spoken: there are some, on whichever side of it.
    """

    base: int = NONE
    compaction: int = NONE
    keeps: int = NONE
    edits: bool = False
    systems: bool = False
    spoken: bool = False

    @property
    def start(self) -> int:
        """The entry from which on rows stand there, `NONE` for the root."""
        return self.compaction if self.keeps == NONE else self.keeps


ROOT: Final = Turn()


class Exchange:
    """Brings the surface from one leaf to another, where no edit counts and no system spoke.

    Args:
        builder: takes the effects.
        trunk: the entries, with their rows; its leaf is the one that is left.
        tree: the entries.
        rows_of: the rows of an entry in the order in which they stand.
    """

    def __init__(
        self, builder: Builder, trunk: Trunk, tree: Tree, rows_of: Callable[[int], list[int]]
    ) -> None:
        self._builder = builder
        self._trunk = trunk
        self._flags = tree.flags
        self._rows_of = rows_of

    def go(
        self, left: int, leaf: int, turns: tuple[Turn, Turn], compactions: Iterable[int]
    ) -> None:
        """Go from one leaf to another.

        Args:
            left: the entry at which the surface ends.
            leaf: the one at which it is to end; `NONE` empties it.
            turns: of both.
            compactions: those on the new path from its start on.
        """
        trunk, (old, new) = self._trunk, turns
        meets, holes = trunk.meeting(leaf), list(compactions)
        hidden = Reason.COMPACTED, new.compaction
        if old.compaction != NONE:
            on_path = meets != NONE and trunk.is_above(old.compaction, meets)
            self._remove(old.compaction, hidden if on_path else (Reason.REWOUND, None))
        self._drop(left, meets, old)
        first = None
        if meets != NONE:
            first = self._share(meets, old, new, holes)
        tail: list[Piece] = []
        if leaf not in (NONE, meets):
            below = new.start != NONE and not trunk.is_above(new.start, meets)
            start = new.start if below or meets == NONE else meets
            tail = trunk.stretch(start, leaf, behind=start == meets and start != NONE)
            tail = trunk.without(tail, holes)
            self._builder.carry_slices(trunk.slices(tail), None)
        if new.compaction != NONE:
            before = trunk.first_node(tail) if first is None else first
            self._builder.carry(self._rows_of(new.compaction), before)
        trunk.brought(leaf)
        trunk.stands()

    def _remove(self, compaction: int, why: tuple[Reason, int | None]) -> None:
        """The rows of the compaction that counted leave."""
        self._builder.remove(self._rows_of(compaction), *why)

    def _drop(self, left: int, meets: int, old: Turn) -> None:
        """What stands below the last entry that both paths share leaves."""
        trunk = self._trunk
        if left in (NONE, meets):
            return
        below = old.start != NONE and (meets == NONE or not trunk.is_above(old.start, meets))
        start = old.start if below else meets
        behind = start == meets and start != NONE
        first = self.first_row(trunk.stretch(start, left, behind=behind))
        if first is not None:
            self._builder.turn(first, (), Reason.REWOUND)

    def _share(self, meets: int, old: Turn, new: Turn, holes: list[int]) -> int | None:
        """What both paths share is shown from where the new one shows it.

        Returns:
            The first row of it, or None.
        """
        trunk, builder = self._trunk, self._builder
        was, will = (one.start == NONE or trunk.is_above(one.start, meets) for one in (old, new))
        if not will:
            if builder.rows:
                builder.remove_before(None, Reason.COMPACTED, new.compaction)
            return None
        if not was:
            pieces = trunk.without(trunk.stretch(new.start, meets), holes)
            builder.carry_slices(trunk.slices(pieces), None)
            return trunk.first_node(pieces)
        if old.start == NONE or (new.start != NONE and trunk.is_above(old.start, new.start)):
            first = self.first_row(trunk.stretch(new.start, meets))
            builder.remove_before(first, Reason.COMPACTED, new.compaction)
            return first
        first = self.first_row(trunk.stretch(old.start, meets))
        pieces = trunk.rows_before(trunk.stretch(new.start, old.start), old.start)
        pieces = trunk.without(pieces, holes)
        builder.carry_slices(trunk.slices(pieces), first)
        found = trunk.first_node(pieces)
        return first if found is None else found

    def first_row(self, pieces: Iterable[Piece]) -> int | None:
        """The first row on the surface among pieces, but for those of compactions."""
        flags, is_live, nodes = self._flags, self._builder.is_live, self._trunk.nodes(pieces)
        origin = self._builder.timeline.surface.nodes.origin
        return next(
            (
                node
                for sequence in nodes
                for node in sequence
                if not flags[origin(node)] & COMPACTS and is_live(node)
            ),
            None,
        )
