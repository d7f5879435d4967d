"""Lanes: sequences of nodes that only grow at their end, and of which runs are slices.

Lane 0 is every node in the order of birth, and is not stored. The others are the rows of branches
whose nodes are not consecutive numbers, because other branches grew meanwhile.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from inspector.columns import Column, unsigned, wide
from inspector.timeline.nodes import NodeTable
from inspector.timeline.sequences import common_start

STEP: Final = 16
"""Places of a lane between two of its running sums."""

BIRTHS: Final = 0
"""The lane of all nodes in the order of birth: a place in it is a node's number."""


class Lanes:
    """The lanes of a timeline.

    A place is a number from 0 in a lane. What is asked of a lane must have been *taken in* before;
    its owner may append to it meanwhile.

    Args:
        nodes: what the lanes are made of.
    """

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._rows: list[Column] = [unsigned()]
        self._sums: list[Column] = [wide()]
        self._known: Column = unsigned()
        self._known.append(0)
        self._silent: dict[int, Column] = {}
        self._lane_of: Column = unsigned()
        self._cut_from: dict[int, int] = {}
        # The other lanes of nodes that are rows of several branches.
        self._also: dict[int, list[int]] = {}

    def make(self, rows: Column, cut_from: int = BIRTHS) -> int:
        """A new lane.

        Args:
            rows: its nodes, to which its owner may append.
            cut_from: the lane that they were in before.

        Returns:
            The lane's number.
        """
        number = len(self._rows)
        if cut_from != BIRTHS:
            self._cut_from[number] = cut_from
        self._sums.append(wide())
        self._sums[number].append(0)
        self._known.append(0)
        self._rows.append(rows)
        return number

    def take_in(self, lane: int, stop: int) -> None:
        """Make the places below ``stop`` known, at the cost of those that are not yet."""
        if lane == BIRTHS:
            return
        known = self._known[lane]
        if known >= stop:
            return
        nodes, lane_of, rows = self._nodes, self._lane_of, self._rows[lane]
        for place, node in enumerate(rows[known:stop], known):
            missing = node + 1 - len(lane_of)
            if missing > 0:
                lane_of.frombytes(bytes(missing * lane_of.itemsize))
            known_in = lane_of[node]
            if known_in == BIRTHS:
                lane_of[node] = lane
            elif not self._leads(known_in, lane):
                if not self._leads(lane, known_in):
                    self._also.setdefault(node, []).append(known_in)
                lane_of[node] = lane
            if nodes.silent_nodes and nodes.silent(node):
                self._silent.setdefault(lane, unsigned()).append(place)
        tokens, sums = nodes.tokens, self._sums[lane]
        for start in range((len(sums) - 1) * STEP, stop - STEP + 1, STEP):
            sums.append(sums[-1] + sum(map(tokens.__getitem__, rows[start : start + STEP])))
        self._known[lane] = stop

    def _leads(self, lane: int, other: int) -> bool:
        """Whether a lane was cut from another one, or is it."""
        # A lane is cut from one that was made before it.
        while lane > other:
            lane = self._cut_from.get(lane, BIRTHS)
        return lane == other

    def node(self, lane: int, place: int) -> int:
        """The node of a place."""
        return place if lane == BIRTHS else self._rows[lane][place]

    def slice(self, lane: int, start: int, stop: int) -> Sequence[int]:
        """The nodes of places."""
        return range(start, stop) if lane == BIRTHS else self._rows[lane][start:stop]

    def matching(self, lane: int, place: int, nodes: Column, at: int) -> int:
        """How many of some nodes, from the one ``at`` on, stand in a lane from a place on."""
        same, step = 0, STEP
        # In steps that grow, so that it costs no more than what is found.
        while wanted := nodes[at + same : at + same + step]:
            start = place + same
            if lane == BIRTHS:
                here = unsigned()
                here.extend(range(start, start + len(wanted)))
            else:
                here = self._rows[lane][start : start + len(wanted)]
            if here != wanted:
                return same + common_start(here, wanted)
            same += len(wanted)
            step *= 2
        return same

    def tokens(self, lane: int, start: int, stop: int) -> int:
        """The estimated tokens of places together."""
        if lane == BIRTHS:
            return self._nodes.tokens_of(start, stop)
        return self._tokens_up_to(lane, stop) - self._tokens_up_to(lane, start)

    def _tokens_up_to(self, lane: int, stop: int) -> int:
        if not stop:
            return 0
        at = stop // STEP
        rest = self._rows[lane][at * STEP : stop]
        return self._sums[lane][at] + sum(map(self._nodes.tokens.__getitem__, rest))

    def silent(self, lane: int, start: int, stop: int) -> int:
        """How many of the places hold silent nodes."""
        places = self._nodes.silent_nodes if lane == BIRTHS else self._silent.get(lane)
        return bisect_left(places, stop) - bisect_left(places, start) if places else 0

    def places(self, node: int) -> Iterator[tuple[int, int]]:
        """The lanes that a node is in, and where."""
        first = self._lane_of[node] if node < len(self._lane_of) else BIRTHS
        for lane in (first, *self._also[node]) if node in self._also else (first,):
            yield from self._places_from(lane, node)
        yield BIRTHS, node

    def _places_from(self, lane: int, node: int) -> Iterator[tuple[int, int]]:
        """A lane and those that it was cut from, as far as a node is in them, and where."""
        while lane != BIRTHS:
            place = self._place(self._rows[lane], node)
            if place is not None:
                yield lane, place
            lane = self._cut_from.get(lane, BIRTHS)

    def _place(self, rows: Column, node: int) -> int | None:
        place = bisect_left(rows, node)
        if place < len(rows) and rows[place] == node:
            return place
        # Nearly every lane is in the order of birth, but none need be.
        try:
            return rows.index(node)
        except ValueError:
            return None
