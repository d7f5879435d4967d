"""Runs: slices of nodes that were carried back to the surface, one stay for all of a slice."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from inspector.columns import NEVER, Column, unsigned
from inspector.timeline.lanes import Lanes
from inspector.timeline.nodes import NodeTable, Stays
from inspector.timeline.slices import Slices


class RunTable(Stays):
    """The runs, each a slice of a lane, so that carrying back a thousand rows costs one.

    Part of a run may leave. The run is then *dissolved* into pieces that stand for it since it was
    born: the surface of no cursor changes by it, and rows that stay neither leave nor return.
    """

    def __init__(self, nodes: NodeTable) -> None:
        super().__init__()
        self.lanes = Lanes(nodes)
        self.lane: Column = unsigned()
        self.first: Column = unsigned()
        self.length: Column = unsigned()
        self._slices: dict[int, Slices] = {}
        self._made_at: Column = unsigned()
        self._pieces: dict[int, range] = {}
        self._is_piece: set[int] = set()

    def add(self, born: int, lane: int, first: int, length: int) -> int:
        """Carry back nodes of a lane, from the place ``first`` on, at cursor ``born``."""
        self.lanes.take_in(lane, first + length)
        number = self._add(born, lane, first, length)
        self._made_at.append(born)
        if lane not in self._slices:
            self._slices[lane] = Slices(self.first, self.length, self.born)
        self._slices[lane].add(number)
        return number

    def _add(self, born: int, lane: int, first: int, length: int) -> int:
        number = len(self.born)
        if number >= len(self.gone):
            self._there()
        self.lane.append(lane)
        self.first.append(first)
        self.length.append(length)
        self.born.append(born)
        return number

    def dissolve(self, number: int, lengths: Iterable[int]) -> Sequence[int]:
        """Pieces of the given lengths, which stand for the run from now on."""
        start = len(self.born)
        first = self.first[number]
        for length in lengths:
            if length:
                piece = self._add(self.born[number], self.lane[number], first, length)
                # Whole runs are found by this column, which must stay sorted.
                self._made_at.append(self._made_at[-1])
                self._is_piece.add(piece)
                first += length
        self._pieces[number] = range(start, len(self.born))
        return self._pieces[number]

    # What a run is.

    def nodes_of(self, number: int) -> Sequence[int]:
        """The nodes that a run shows, in order."""
        first = self.first[number]
        return self.lanes.slice(self.lane[number], first, first + self.length[number])

    def tokens(self, number: int) -> int:
        """The estimated tokens of a run's rows."""
        first = self.first[number]
        return self.lanes.tokens(self.lane[number], first, first + self.length[number])

    def silent(self, number: int) -> int:
        """How many of a run's rows are silent."""
        first = self.first[number]
        return self.lanes.silent(self.lane[number], first, first + self.length[number])

    # Which runs there are.

    def born_within(self, after: int, until: int) -> Iterator[int]:
        """The runs with ``after < born <= until``, dissolved ones as their pieces."""
        made_at = self._made_at
        for number in range(bisect_right(made_at, after), bisect_right(made_at, until)):
            if number not in self._is_piece:
                yield from self._standing(number)

    def _standing(self, number: int) -> Iterator[int]:
        pieces = self._pieces.get(number)
        if pieces is None:
            yield number
        else:
            for piece in pieces:
                yield from self._standing(piece)

    def covering(self, node: int, cursor: int) -> tuple[int | None, int | None]:
        """The run that shows a node at a cursor, and else the last one that showed it before."""
        if not self._slices:
            return None, None
        last: int | None = None
        for number, _ in self._holding(node, cursor):
            gone = self.gone[number]
            if cursor < gone:
                return number, None
            if self.born[number] < gone and (last is None or gone >= self.gone[last]):
                last = number
        return None, last

    def all_of(self, node: int, cursor: int) -> Iterator[int]:
        """Every run carried up to a cursor that shows a node, pieces for those dissolved."""
        for lane, place in self.lanes.places(node):
            slices = self._slices.get(lane)
            for whole in slices.holding(place, cursor) if slices is not None else ():
                yield self._piece_at(whole, place)

    def live(self, node: int) -> tuple[int, int] | None:
        """The run that shows a node now, and which of its nodes it is; None if none does."""
        if not self._slices:
            return None
        for number, place in self._holding(node, NEVER):
            if self.gone[number] == NEVER:
                return number, place - self.first[number]
        return None

    def _holding(self, node: int, cursor: int) -> Iterator[tuple[int, int]]:
        """Of each lane the run that held a node last, and those that its own event undid."""
        for lane, place in self.lanes.places(node):
            slices = self._slices.get(lane)
            for whole in slices.holding(place, cursor) if slices is not None else ():
                number = self._piece_at(whole, place)
                yield number, place
                if self.born[number] < self.gone[number]:
                    break

    def _piece_at(self, number: int, place: int) -> int:
        """The piece of a run that holds a place."""
        while (pieces := self._pieces.get(number)) is not None:
            number = next(
                piece
                for piece in pieces
                if self.first[piece] <= place < self.first[piece] + self.length[piece]
            )
        return number
