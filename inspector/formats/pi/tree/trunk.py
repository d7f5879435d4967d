"""The tree as far as it stands still: branches, and switches that cost no more than they change."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from inspector.timeline.branches import NONE
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.standing import Slice
from inspector.timeline.words import Reason


class Piece(NamedTuple):
    """Rows of a branch, from one to another."""

    branch: int
    start: int
    stop: int


class Trunk(Forest):
    """The entries of a session, each a member with the rows that it made.

    What stands before the rows of the last entries of a path is not these rows of the path: a
    compaction hides some, an edit replaces one. A switch between two leaves below the last such
    entry exchanges the rows below it and leaves all else; for all other switches the surface is
    brought where it is to be by other effects, and the trunk is told.

    Args:
        builder: takes the effects of the event begun last.
    """

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self._steps = builder

    @property
    def in_step(self) -> bool:
        """Whether the surface ends with the rows of the path to the leaf, as far as is known."""
        return self._seen == self._steps.alterations

    def stands(self) -> None:
        """The surface was changed by other effects, and ends with the path as before."""
        self._seen = self._steps.alterations

    def switch(self, member: int) -> None:
        """The rows below the last entry that both paths share become those of another member."""
        self.move(None if member == NONE else member, Reason.REWOUND)

    def brought(self, member: int) -> None:
        """The surface is brought to another member by other effects."""
        self.reach(None if member == NONE else member)

    def meeting(self, member: int) -> int:
        """The last member that the paths to the leaf and to another member share, or `NONE`."""
        branches, depths = self._branches, self._depth
        while member != NONE:
            branch = branches.of_member[member]
            depth = depths[branch] if branch < len(depths) else NONE
            if depth != NONE:
                return min(member, self._path[depth - self._first])
            member = branches.parent[branch]
        return NONE

    def stretch(self, first: int, last: int, *, behind: bool = False) -> list[Piece]:
        """The rows of the members from one to another that hangs below it, in pieces of branches.

        Args:
            first: where they begin; `NONE` for the root.
            last: where they end.
            behind: whether the first member's own rows are left out.
        """
        branches, found = self._branches, list[Piece]()
        while last != NONE:
            branch = branches.of_member[last]
            stop = branches.rows_to(last)
            if first != NONE and branches.of_member[first] == branch:
                start = branches.rows_to(first)
                found.append(Piece(branch, start if behind else start - self.rows_of(first), stop))
                break
            found.append(Piece(branch, 0, stop))
            last = branches.parent[branch]
        found.reverse()
        return [piece for piece in found if piece.start < piece.stop]

    def rows_before(self, pieces: list[Piece], member: int) -> list[Piece]:
        """Pieces that end with a member, without its own rows."""
        if not pieces or not self.rows_of(member):
            return pieces
        last = pieces[-1]
        stop = last.stop - self.rows_of(member)
        return [*pieces[:-1], last._replace(stop=stop)] if last.start < stop else pieces[:-1]

    def without(self, pieces: list[Piece], members: Iterable[int]) -> list[Piece]:
        """Pieces without the rows of some members."""
        branches = self._branches
        holes: dict[int, list[tuple[int, int]]] = {}
        for member in members:
            stop = branches.rows_to(member)
            hole = stop - self.rows_of(member), stop
            holes.setdefault(branches.of_member[member], []).append(hole)
        found: list[Piece] = []
        for branch, first, stop in pieces:
            start = first
            for left, right in sorted(holes.get(branch, ())):
                if start < left < stop:
                    found.append(Piece(branch, start, left))
                if left < stop:
                    start = max(start, right)
            if start < stop:
                found.append(Piece(branch, start, stop))
        return found

    def slices(self, pieces: Iterable[Piece]) -> list[Slice]:
        """Pieces as slices of lanes."""
        return [self._branches.slice(*piece) for piece in pieces]

    def first_node(self, pieces: Iterable[Piece]) -> int | None:
        """The node of the first row of pieces."""
        return next((self._branches.node(branch, start) for branch, start, _ in pieces), None)

    def nodes(self, pieces: Iterable[Piece]) -> Iterator[Sequence[int]]:
        """The nodes of the rows of pieces, a sequence for each."""
        return (self._branches.nodes(*piece) for piece in pieces)
