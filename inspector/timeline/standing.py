"""What is on the surface now, and how it is brought to be something else: the builder's hand."""

from collections.abc import Iterable, Sequence
from itertools import islice

from inspector.columns import NEVER, Column, unsigned
from inspector.timeline.lanes import BIRTHS
from inspector.timeline.live import LiveList
from inspector.timeline.nodes import Element
from inspector.timeline.placing import Placing
from inspector.timeline.sequences import common_end, common_start, longest_common
from inspector.timeline.words import Reason

_FEW = 4
"""Elements that are taken out of a known sequence one by one."""

Slice = tuple[int, int, int]
"""A lane and the places from one to another in it."""


class Standing:
    """The live elements of a surface in order, and the moves of them that effects are made of.

    Cursors are those at which elements enter and leave, causes are positions of events.

    Args:
        surface: where every move is written.
    """

    def __init__(self, surface: Placing) -> None:
        self._surface = surface
        self._nodes = surface.nodes
        self._runs = surface.runs
        self._live = LiveList()
        # What stands behind the live list: nodes from one to another, or the first node of a run
        # and the run as an element. Only `turn` puts something there, and only until `place`.
        self._tail: list[tuple[int, int]] = []
        self._linked = 0
        self._left = 0
        self._carried = 0
        self._sequence: Column | None = None
        self._sequence_nodes = 0

    def __len__(self) -> int:
        """How many rows are there."""
        return len(self._nodes.born) - self._left + self._carried

    # Nodes that were made.

    def link(self) -> None:
        """Link the nodes made since the last time at the end."""
        made = len(self._nodes.born)
        if made > self._linked:
            if self._tail:
                self._tail.append((self._linked, made))
            else:
                self._live.append_nodes(self._linked, made - self._linked)
            self._linked = made

    def _link_all(self) -> None:
        """Have everything in the live list."""
        self.link()
        for first, end in self._tail:
            if end < 0:
                self._live.append_run(end)
            else:
                self._live.append_nodes(first, end - first)
        self._tail.clear()

    def place(self) -> None:
        """Link and place the nodes made since the last time, and whatever waits."""
        self._link_all()
        self._surface.place()

    def made_before(self, node: int, cursor: int, before: Element) -> None:
        """A node made just now enters before an element; nothing may wait but this node."""
        self._linked = node + 1
        self._enter(node, cursor, before)

    def held(self, node: int, cursor: int, reason: Reason, cause: int) -> None:
        """A node made just now is not there; those made before it are linked."""
        self._linked = node + 1
        self._left += 1
        if self._sequence is not None:
            self._sequence.extend(range(self._sequence_nodes, node))
            self._sequence_nodes = node + 1
        self._nodes.leave(node, cursor, reason, cause)
        self._surface.note_left((node,), cursor)

    # What is there.

    def sequence(self) -> Column:
        """The nodes that are there, in order; not to be changed."""
        self.link()
        if self._sequence is None:
            self._link_all()
            self._sequence = unsigned()
            for element in self._live:
                self._sequence.extend(self._surface.nodes_of(element))
        else:
            self._sequence.extend(range(self._sequence_nodes, self._linked))
        self._sequence_nodes = self._linked
        return self._sequence

    def holds(self, node: int) -> bool:
        """Whether a node is there."""
        return self._nodes.gone[node] == NEVER or self._runs.live(node) is not None

    def element(self, node: int) -> tuple[Element, int]:
        """The element that shows a node, and which of its rows that is.

        Raises:
            ValueError: if the node is not there.
        """
        if self._nodes.gone[node] == NEVER:
            return node, 0
        run = self._runs.live(node)
        if run is None:
            raise ValueError(f"node {node} is not on the surface")
        return ~run[0], run[1]

    def elements(self, nodes: Iterable[int]) -> list[Element]:
        """The elements that show exactly these nodes; runs are taken apart where needed.

        Of nodes told as a range, those that one run shows cost one.

        Raises:
            ValueError: if a node is not there.
        """
        if isinstance(nodes, range):
            return self._elements_of_range(nodes)
        found: list[Element] = []
        wanted = list(nodes)
        gone = self._nodes.gone
        if all(gone[node] == NEVER for node in wanted):
            return wanted
        at = 0
        while at < len(wanted):
            if gone[wanted[at]] == NEVER:
                found.append(wanted[at])
                at += 1
                continue
            element, row = self.element(wanted[at])
            shown = self._surface.nodes_of(element)
            length = 1
            following = islice(shown, row + 1, None)
            while at + length < len(wanted) and wanted[at + length] == next(following, None):
                length += 1
            found.append(self._cut_out(element, row, length))
            at += length
        return found

    def _elements_of_range(self, nodes: range) -> list[Element]:
        found: list[Element] = []
        gone, at = self._nodes.gone, nodes.start
        while at < nodes.stop:
            if gone[at] == NEVER:
                found.append(at)
                at += 1
                continue
            element, row = self.element(at)
            shown = self._surface.nodes_of(element)
            length = 1
            if isinstance(shown, range):
                length = min(len(shown) - row, nodes.stop - at)
            found.append(self._cut_out(element, row, length))
            at += length
        return found

    def leading(self, node: int | None) -> list[Element]:
        """The elements before a node that is there, all of them for None; nothing may wait."""
        if node is None:
            return list(self._live)
        element, row = self.element(node)
        if row:
            element = self._cut_out(element, row, self._surface.rows_of(element) - row)
        found: list[Element] = []
        for one in self._live:
            if one == element:
                break
            found.append(one)
        return found

    def between(self, first: int, last: int) -> list[int] | None:
        """The nodes from one to another; None if they stand the other way."""
        start, end = self.elements([first])[0], self.elements([last])[0]
        if start != end and not self._surface.order.precedes(start, end):
            return None
        found: list[int] = []
        for element in self._live.walk(start):
            found.extend(self._surface.nodes_of(element))
            if element == end:
                break
        return found

    def _cut_out(self, element: Element, row: int, length: int) -> Element:
        """The element that shows just these rows of a run, which is dissolved for it."""
        rows = self._surface.rows_of(element)
        if rows == length:
            return element
        lengths = (row, length, rows - row - length)
        pieces = [~piece for piece in self._runs.dissolve(~element, lengths)]
        self._surface.order.substitute(element, pieces)
        for piece in pieces:
            self._live.insert(piece, element)
        self._live.remove(element)
        return pieces[1 if row else 0]

    # Moves.

    def leave(self, elements: Sequence[Element], cursor: int, reason: Reason, cause: int) -> None:
        """Elements leave; nothing may wait."""
        if not elements:
            return
        self._take_out(elements)
        self._left += len(elements)
        runs: Sequence[Element] = ()
        if min(elements) < 0:
            runs = [element for element in elements if element < 0]
            elements = [element for element in elements if element >= 0]
        self._live.remove_nodes(elements)
        self._surface.leave_nodes(elements, cursor, reason, cause)
        for run in runs:
            self._carried += 1 - self._surface.rows_of(run)
            self._live.remove(run)
            self._surface.leave(run, cursor, reason, cause)

    def _take_out(self, elements: Sequence[Element]) -> None:
        """Elements are to be in the sequence that is known no more, if that takes little."""
        sequence, known = self._sequence, self._sequence_nodes
        few = len(elements) <= _FEW and all(0 <= one < known for one in elements)
        if sequence is None or not few:
            self._sequence = None
            return
        for element in elements:
            sequence.remove(element)

    def become(self, wanted: Column, cursor: int, reason: Reason, cause: int) -> None:
        """The nodes that are there become these; nothing may wait.

        The longest common subsequence stays; the rest leaves, and what is missing is carried back
        as runs.
        """
        current = self.sequence()
        start = common_start(current, wanted)
        end = common_end(current[start:], wanted[start:])
        leaving, entering = current[start : len(current) - end], wanted[start : len(wanted) - end]
        following = current[len(current) - end] if end else None
        self.exchange(leaving, entering, following, cursor, reason, cause)
        self._sequence = wanted
        self._sequence_nodes = self._linked

    def exchange(
        self,
        leaving: Column,
        entering: Column,
        following: int | None,
        cursor: int,
        reason: Reason,
        cause: int,
    ) -> None:
        """Nodes that stand together become others, as in `become`; nothing may wait.

        Args:
            leaving: the nodes, in order.
            entering: what is to stand there instead.
            following: the node behind them, or None at the end.
            cursor: of the exchange.
            reason: why nodes leave.
            cause: the event that made them leave.
        """
        kept = set(longest_common(leaving, entering))
        self.leave(self.elements(one for one in leaving if one not in kept), cursor, reason, cause)
        before = following
        stop = len(entering)
        for at in range(len(entering) - 1, -1, -1):
            if entering[at] in kept:
                self.carry(entering[at + 1 : stop], cursor, before)
                before = entering[at]
                stop = at
        self.carry(entering[:stop], cursor, before)

    def carry(self, nodes: "Column | range", cursor: int, before: int | None) -> None:
        """Nodes that are not there enter before one that is, or at the end; nothing may wait.

        They enter as runs that are as long as can be: a range as one.
        """
        at = 0
        element = None if before is None or not nodes else self.elements((before,))[0]
        while at < len(nodes):
            if isinstance(nodes, range):
                lane, start, stop = BIRTHS, nodes.start, nodes.stop
            else:
                lane, start, stop = self._slice(nodes, at)
            run = ~self._runs.add(cursor, lane, start, stop - start)
            self._carried += stop - start
            self._enter(run, cursor, element)
            at += stop - start

    def carry_slices(self, slices: Iterable[Slice], cursor: int, before: int | None) -> None:
        """Slices of lanes that are not there enter as `carry` does, each as one run."""
        element = None if before is None else self.elements((before,))[0]
        for lane, start, stop in slices:
            run = ~self._runs.add(cursor, lane, start, stop - start)
            self._carried += stop - start
            self._enter(run, cursor, element)

    def _slice(self, nodes: Column, at: int) -> Slice:
        """The longest slice of a lane with which some nodes begin."""
        best = BIRTHS, nodes[at], nodes[at] + 1
        for lane, place in self._runs.lanes.places(nodes[at]):
            length = self._runs.lanes.matching(lane, place, nodes, at)
            if length >= best[2] - best[1]:
                best = lane, place, place + length
        return best

    def _enter(self, element: Element, cursor: int, before: Element | None) -> None:
        self._put(element, before)
        self._surface.enter(element, cursor, before)
        self._live.insert(element, before)

    def _put(self, element: Element, before: Element | None) -> None:
        """An element is to be in the sequence that is known, if that takes little."""
        sequence = self._sequence
        if sequence is None or element < 0 or before is None or self._sequence_nodes > element:
            self._sequence = None
            return
        sequence.extend(range(self._sequence_nodes, element))
        sequence.insert(sequence.index(self._surface.nodes_of(before)[0]), element)
        self._sequence_nodes = element + 1

    def turn(
        self,
        first: int | None,
        slices: Iterable[Slice],
        cursor: int,
        reason: Reason,
        cause: int,
    ) -> None:
        """Everything from a node on leaves, and slices of lanes enter at the end.

        Costs what leaves and enters, a run being one. Unlike all other moves it may follow
        another before anything is placed.
        """
        made, tail, runs = len(self._nodes.born), self._tail, self._runs
        if made > self._linked:
            tail.append((self._linked, made))
            self._linked = made
        self._sequence = None
        if first is not None:
            self._drop(first, cursor, reason, cause)
        for lane, start, stop in slices:
            run = runs.add(cursor, lane, start, stop - start)
            self._carried += stop - start
            tail.append((runs.lanes.node(lane, start), ~run))
            self._surface.wait(~run)

    def _drop(self, first: int, cursor: int, reason: Reason, cause: int) -> None:
        """Everything from a node on leaves."""
        leaving = self._cut_tail(first) or self._cut_live(first)
        nodes, runs = self._nodes, self._runs
        for one in leaving:
            if one >= 0:
                nodes.leave(one, cursor, reason, cause)
            else:
                runs.leave(~one, cursor, reason, cause)
                self._carried += 1 - runs.length[~one]
        self._left += len(leaving)
        self._surface.note_left(leaving, cursor)

    def _cut_tail(self, first: int) -> list[Element]:
        """The elements of the tail from a node on, taken off it; none if that cannot be done."""
        tail = self._tail
        for at in range(len(tail) - 1, -1, -1):
            start, end = tail[at]
            if start == first or start < first < end:
                break
        else:
            return []
        leaving: list[Element] = [end] if end < 0 else list(range(first, end))
        for begin, stop in tail[at + 1 :]:
            if stop < 0:
                leaving.append(stop)
            else:
                leaving.extend(range(begin, stop))
        del tail[at:]
        if start < first:
            tail.append((start, first))
        return leaving

    def _cut_live(self, first: int) -> list[Element]:
        """The elements of the live list from a node on, taken off it."""
        self._link_all()
        element, row = self.element(first)
        if row:
            self._surface.place()
            element = self._cut_out(element, row, self._surface.rows_of(element) - row)
        return self._live.cut(element)
