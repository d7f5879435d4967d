"""How the builder writes a surface: stays, places in the order, and what is counted along them."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import repeat
from operator import itemgetter

from inspector.columns import Column, signed, unsigned, wide
from inspector.timeline.nodes import Element, NodeTable
from inspector.timeline.order import Order
from inspector.timeline.rehidden import Rehidden
from inspector.timeline.runs import RunTable
from inspector.timeline.sums import Sums
from inspector.timeline.undone import Undone
from inspector.timeline.words import Reason


class Placing:
    """Nodes, runs, their order, and the logs of what entered and left.

    What happens at the end of the surface is only noted, by `wait` and `note_left`, and nodes are
    made without being placed: `place` does that for a batch, before any other effect and before
    the batch is published.
    """

    def __init__(self) -> None:
        self.nodes = NodeTable()
        self.runs = RunTable(self.nodes)
        self.order = Order(self._presence)
        self.undone = Undone()
        self.rehidden = Rehidden()
        self._left: Column = signed()
        self._left_at: Column = unsigned()
        self._left_weights = Sums()
        self._extra_at: Column = unsigned()
        self._extra_rows: Column = signed()
        self._extra_tokens: Column = wide()
        self._silent_at: Column = unsigned()
        self._silent_rows: Column = signed()
        self._waiting: Column = signed()
        self._placed_nodes = 0
        self._placed_left = 0

    # What an element is.

    def nodes_of(self, element: Element) -> Sequence[int]:
        """The nodes that an element shows."""
        return range(element, element + 1) if element >= 0 else self.runs.nodes_of(~element)

    def rows_of(self, element: Element) -> int:
        """How many rows an element shows."""
        return 1 if element >= 0 else self.runs.length[~element]

    def tokens_of(self, element: Element) -> int:
        """The estimated tokens of an element's rows."""
        return self.nodes.tokens[element] if element >= 0 else self.runs.tokens(~element)

    def silent_of(self, element: Element) -> int:
        """How many of an element's rows are silent."""
        return self.nodes.silent(element) if element >= 0 else self.runs.silent(~element)

    def _presence(self, element: Element) -> tuple[int, int, int]:
        if element >= 0:
            return self.nodes.born[element], self.nodes.gone[element], 1
        run = ~element
        return self.runs.born[run], self.runs.gone[run], self.runs.length[run]

    # At the end of the surface.

    def wait(self, run: Element) -> None:
        """A run, made just now, enters behind all nodes made so far."""
        made = len(self.nodes.born)
        if self._placed_nodes < made:
            self._waiting.extend(range(self._placed_nodes, made))
            self._placed_nodes = made
        self._waiting.append(run)

    def note_left(self, elements: Sequence[Element], cursor: int) -> None:
        """Elements left whose stays are ended already."""
        self._left.extend(elements)
        self._left_at.extend(repeat(cursor, len(elements)))

    def left_at(self, cursor: int) -> list[int]:
        """The nodes that left at the cursor told last."""
        first = bisect_left(self._left_at, cursor)
        return [node for element in self._left[first:] for node in self.nodes_of(element)]

    def place(self) -> None:
        """Place what waits and what was made since, and count out what left."""
        nodes, waiting = self.nodes, self._waiting
        first, self._placed_nodes = self._placed_nodes, len(nodes)
        nodes.sum_up()
        if not waiting:
            self.order.append_nodes(first, nodes.born[first:])
        else:
            waiting.extend(range(first, len(nodes)))
            self._waiting = signed()
            born, carried = nodes.born, self.runs.born
            births = array("I", [born[one] if one >= 0 else carried[~one] for one in waiting])
            self.order.append_elements(waiting, births)
        if waiting or self._placed_left < len(self._left):
            self._count(waiting)

    def _count(self, entered: Column) -> None:
        """Count what left since the last time, and the rows of runs that entered or left."""
        left, at = self._left[self._placed_left :], self._left_at[self._placed_left :]
        self._placed_left += len(left)
        runs, tokens_of_node = self.runs, self.nodes.tokens
        self.order.leave_elements(left, at)
        born, length, tokens = runs.born, runs.length, runs.tokens
        carried = [~one for one in entered if one < 0]
        weights = {run: tokens(run) for run in carried}
        gone = [
            tokens_of_node[one] if one >= 0 else weights.get(~one) or tokens(~one) for one in left
        ]
        self._left_weights.extend(array("q", gone))
        changes = [(born[run], run, length[run]) for run in carried]
        changes += [(to, ~one, -length[~one]) for one, to in zip(left, at, strict=True) if one < 0]
        changes.sort(key=itemgetter(0))
        block_of = self.order.block_of_run
        for cursor, run, rows in changes:
            if rows > 0:
                self._add_extra(cursor, rows, weights[run])
                if rows > 1:
                    block_of(run).add_rows(cursor, rows - 1)
            elif rows < -1:
                self._add_extra(cursor, 1 + rows, 0)
                block_of(run).add_rows(cursor, 1 + rows)
        if self.nodes.silent_born:
            self._count_silent(entered, left, at)

    def _count_silent(self, entered: Column, left: Column, at: Column) -> None:
        changes = [(self.runs.born[~one], self.silent_of(one)) for one in entered if one < 0]
        changes += [(to, -self.silent_of(one)) for one, to in zip(left, at, strict=True)]
        changes.sort(key=itemgetter(0))
        for cursor, rows in changes:
            self._add_silent(cursor, rows)

    # Elsewhere; nothing may wait.

    def enter(self, element: Element, cursor: int, before: Element | None) -> None:
        """Place a new element before another, or a run at the end."""
        rows = self.rows_of(element)
        if element >= 0:
            self._placed_nodes = element + 1
            self.nodes.sum_up()
        else:
            self._add_extra(cursor, rows, self.tokens_of(element))
            self._add_silent(cursor, self.silent_of(element))
        if before is None:
            self.order.append_run(element, cursor, rows)
        else:
            self.order.insert(element, before, cursor, rows)

    def leave(self, element: Element, cursor: int, reason: Reason, cause: int) -> None:
        """End the stay of an element."""
        stays, number = (self.nodes, element) if element >= 0 else (self.runs, ~element)
        rows = self.rows_of(element)
        stays.leave(number, cursor, reason, cause)
        self.order.block_of(element).leave(cursor, rows)
        if element < 0:
            self._add_extra(cursor, 1 - rows, 0)
        self._left_weights.add(self.tokens_of(element))
        self._add_silent(cursor, -self.silent_of(element))
        self._left.append(element)
        self._left_at.append(cursor)
        self._placed_left += 1

    def leave_nodes(self, nodes: Sequence[int], cursor: int, reason: Reason, cause: int) -> None:
        """End the stay of many nodes, none of them in a run; what `leave` does for each."""
        table = self.nodes
        table.leave_all(nodes, cursor, reason, cause)
        self.order.leave_nodes(nodes, cursor)
        self._left_weights.extend(array("I", [table.tokens[node] for node in nodes]))
        if table.silent_born:
            self._add_silent(cursor, -sum(map(table.silent, nodes)))
        self.note_left(nodes, cursor)
        self._placed_left += len(nodes)

    def _add_extra(self, cursor: int, rows: int, tokens: int) -> None:
        """From a cursor on there are so many rows and tokens more than nodes and leavings tell."""
        at = len(self._extra_at) - 1
        if at >= 0:
            rows += self._extra_rows[at]
            tokens += self._extra_tokens[at]
            if self._extra_at[at] == cursor:
                self._extra_rows[at], self._extra_tokens[at] = rows, tokens
                return
        self._extra_rows.append(rows)
        self._extra_tokens.append(tokens)
        self._extra_at.append(cursor)

    def _add_silent(self, cursor: int, rows: int) -> None:
        """From a cursor on there are so many silent rows more than were born."""
        if rows:
            self._silent_rows.append((self._silent_rows[-1] if self._silent_rows else 0) + rows)
            self._silent_at.append(cursor)
