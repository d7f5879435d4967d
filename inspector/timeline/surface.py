"""The surface at every cursor: which rows are there, in order, what they weigh and what changed."""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final, NamedTuple

from inspector.columns import Column, after, before, holds, signed, unsigned, wide
from inspector.timeline.nodes import Element, NodeTable, RunTable
from inspector.timeline.order import Block, Order
from inspector.timeline.words import HIDDEN_BY_REASON, SHOWN_BY_FORM, Reason, Visibility

_CHECKPOINT: Final = 64


class Row(NamedTuple):
    """One row of the surface: a node, the cursor at which this stay of it began, and whether it
    was carried back rather than new.
    """

    node: int
    born: int
    carried: bool


class Departure(NamedTuple):
    """A node that left the surface, why, and by which event."""

    node: int
    reason: Reason
    by: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What two cursors have apart: rows only at the later one, and rows only at the earlier one."""

    entered: tuple[Row, ...]
    left: tuple[Departure, ...]


class _Weights:
    """Running sums of tokens along a log of entries, with a checkpoint every `_CHECKPOINT`."""

    def __init__(self) -> None:
        self._sums: Column = wide()
        self._total = 0
        self._entries = 0

    def add(self, tokens: int) -> None:
        if self._entries % _CHECKPOINT == 0:
            self._sums.append(self._total)
        self._total += tokens
        self._entries += 1

    def extend(self, tokens: Column) -> None:
        done = 0
        while done < len(tokens):
            if self._entries % _CHECKPOINT == 0:
                self._sums.append(self._total)
            share = tokens[done : done + _CHECKPOINT - self._entries % _CHECKPOINT]
            self._total += sum(share)
            self._entries += len(share)
            done += len(share)

    def checkpoint(self, entries: int) -> tuple[int, int]:
        """A sum and the entries it covers, at most `_CHECKPOINT` short of ``entries``."""
        at = min(entries // _CHECKPOINT, len(self._sums) - 1)
        return (self._sums[at], at * _CHECKPOINT) if at >= 0 else (0, 0)


class Surface:
    """Nodes, runs, their order, and the logs of what entered and left.

    `enter` and `leave` are for the builder; all else is a query, right for every published cursor
    while the builder goes on in another thread.
    """

    def __init__(self) -> None:
        self.nodes = NodeTable()
        self.runs = RunTable()
        self.order = Order(self._presence)
        self._left: Column = signed()
        self._left_at: Column = unsigned()
        self._extra_at: Column = unsigned()
        self._extra_rows: Column = wide()
        self._extra_tokens: Column = wide()
        self._node_weights = _Weights()
        self._left_weights = _Weights()
        self._silent_gone: Column = unsigned()

    # What the builder does.

    def _presence(self, element: Element) -> tuple[int, int, int]:
        if element >= 0:
            return self.nodes.born[element], self.nodes.gone[element], 1
        run = ~element
        return self.runs.born[run], self.runs.gone[run], self.runs.length[run]

    def append_nodes(self, first: int) -> None:
        """Place all nodes from ``first`` on, made but not placed yet, at the end."""
        nodes = self.nodes
        self._node_weights.extend(nodes.tokens[first:])
        self.order.append_nodes(first, nodes.born[first:])

    def enter(self, element: Element, cursor: int, before: Element | None) -> None:
        """Place a new element before another, or a run at the end."""
        rows = self.rows_of(element)
        tokens = self.tokens_of(element)
        if element >= 0:
            self._node_weights.add(tokens)
        else:
            self._add_extra(cursor, rows, tokens)
            self._add_silent(self.nodes.silent_born, element, cursor)
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
        self._add_silent(self._silent_gone, element, cursor)
        self._left.append(element)
        self._left_at.append(cursor)

    def leave_nodes(self, nodes: Sequence[int], cursor: int, reason: Reason, cause: int) -> None:
        """End the stay of many nodes, none of them in a run; what `leave` does for each."""
        table = self.nodes
        table.leave_all(nodes, cursor, reason, cause)
        self.order.leave_nodes(nodes, cursor)
        left = signed()
        left.extend(nodes)
        self._left_weights.extend(array("I", [table.tokens[node] for node in nodes]))
        if table.silent_born:
            self._silent_gone.extend(cursor for node in nodes if table.silent(node))
        self._left.extend(left)
        self._left_at.extend(repeat(cursor, len(nodes)))

    def _add_extra(self, cursor: int, rows: int, tokens: int) -> None:
        self._extra_rows.append((self._extra_rows[-1] if self._extra_rows else 0) + rows)
        self._extra_tokens.append((self._extra_tokens[-1] if self._extra_tokens else 0) + tokens)
        self._extra_at.append(cursor)

    def _add_silent(self, column: Column, element: Element, cursor: int) -> None:
        if self.nodes.silent_born:
            column.extend(cursor for node in self.nodes_of(element) if self.nodes.silent(node))

    # What an element is.

    def nodes_of(self, element: Element) -> range:
        """The nodes that an element shows."""
        if element >= 0:
            return range(element, element + 1)
        first = self.runs.first[~element]
        return range(first, first + self.runs.length[~element])

    def rows_of(self, element: Element) -> int:
        """How many rows an element shows."""
        return 1 if element >= 0 else self.runs.length[~element]

    def tokens_of(self, element: Element) -> int:
        """The estimated tokens of an element's rows."""
        if element >= 0:
            return self.nodes.tokens[element]
        nodes = self.nodes_of(element)
        return sum(self.nodes.tokens[nodes.start : nodes.stop])

    # The queries.

    def count(self, cursor: int) -> int:
        """How many rows the surface has."""
        present = bisect_right(self.nodes.born, cursor) - bisect_right(self._left_at, cursor)
        if self._extra_at:
            at = bisect_right(self._extra_at, cursor)
            if at:
                present += self._extra_rows[at - 1]
        return present

    def messages(self, cursor: int) -> int:
        """How many messages the owner derives from the surface: silent rows do not count."""
        silent = bisect_right(self.nodes.silent_born, cursor) - bisect_right(
            self._silent_gone, cursor
        )
        return self.count(cursor) - silent

    def hidden(self, cursor: int) -> int:
        """How many nodes were there before and are not now."""
        return bisect_right(self.nodes.born, cursor) - self.count(cursor)

    def tokens(self, cursor: int) -> int:
        """The estimated tokens of all rows."""
        born = bisect_right(self.nodes.born, cursor)
        total, covered = self._node_weights.checkpoint(born)
        total += sum(self.nodes.tokens[covered:born])
        gone = bisect_right(self._left_at, cursor)
        left, covered = self._left_weights.checkpoint(gone)
        total -= left + sum(self.tokens_of(element) for element in self._left[covered:gone])
        if self._extra_at:
            at = bisect_right(self._extra_at, cursor)
            if at:
                total += self._extra_tokens[at - 1]
        return total

    def rows(self, cursor: int, start: int = 0, stop: int | None = None) -> list[Row]:
        """The rows ``start`` to ``stop`` of the surface, in order."""
        total = self.count(cursor)
        stop = total if stop is None else min(stop, total)
        if start >= stop:
            return []
        skip, blocks = self._blocks_from(cursor, start, total)
        found: list[Row] = []
        for block in blocks:
            for row in self._rows_of_block(block, cursor):
                if skip:
                    skip -= 1
                    continue
                found.append(row)
                if len(found) == stop - start:
                    return found
        return found

    def _blocks_from(self, cursor: int, row: int, total: int) -> tuple[int, tuple[Block, ...]]:
        """The blocks from the one that holds a row, and the rows to skip in it."""
        blocks = self.order.blocks
        if row > total // 2:
            behind = total - row
            for at in range(len(blocks) - 1, -1, -1):
                here = blocks[at].count(cursor)
                if behind <= here:
                    return here - behind, blocks[at:]
                behind -= here
            return 0, blocks
        for at, block in enumerate(blocks):
            here = block.count(cursor)
            if row < here:
                return row, blocks[at:]
            row -= here
        return 0, ()

    def _rows_of_block(self, block: Block, cursor: int) -> Iterator[Row]:
        born, gone = self.nodes.born, self.nodes.gone
        # A copy, because the builder may insert into the block meanwhile.
        for element in block.elements[:]:
            if element >= 0:
                if born[element] <= cursor < gone[element]:
                    yield Row(element, born[element], carried=False)
            elif self.runs.born[~element] <= cursor < self.runs.gone[~element]:
                since = self.runs.born[~element]
                for node in self.nodes_of(element):
                    yield Row(node, since, carried=True)

    def rank(self, node: int, cursor: int) -> int | None:
        """The place of a node among the rows, or None if it is not there."""
        element = self._element_at(node, cursor)
        if element is None:
            return None
        block = self.order.block_of(element)
        rank = 0
        for other in self.order.blocks:
            if other is block:
                break
            rank += other.count(cursor)
        for row in self._rows_of_block(block, cursor):
            if row.node == node:
                return rank
            rank += 1
        return None

    def _element_at(self, node: int, cursor: int) -> Element | None:
        if self.nodes.born[node] <= cursor < self.nodes.gone[node]:
            return node
        run, _ = self.runs.covering(node, cursor)
        return None if run is None else ~run

    def is_there(self, node: int, cursor: int) -> bool:
        """Whether a node is among the rows."""
        return self._element_at(node, cursor) is not None

    def departure(self, node: int, cursor: int) -> Departure | None:
        """How a node left the surface for the last time; None if it is there or never was."""
        if self.is_there(node, cursor):
            return None
        _, last = self.runs.covering(node, cursor)
        if last is not None:
            return Departure(node, Reason(self.runs.reason[last]), self.runs.cause(last))
        born, gone = self.nodes.born[node], self.nodes.gone[node]
        if born > cursor or (born == gone and not holds(self.nodes.held, node)):
            return None
        return Departure(node, Reason(self.nodes.reason[node]), self.nodes.cause(node))

    def visibility(self, event: int, cursor: int) -> tuple[Visibility, int | None]:
        """What became of the nodes that an event made, and the event that hid them.

        An event is visible while any of its nodes is there, in whatever form; else the node made
        last tells. An event that made no node is log-only; whether it is folded at all, the
        timeline knows.
        """
        last: Departure | None = None
        for node in self.nodes.all_of_event(event):
            if self.is_there(node, cursor):
                return SHOWN_BY_FORM[self.nodes.form(node)], None
            last = last or self.departure(node, cursor)
        if last is None:
            return Visibility.LOG_ONLY, None
        return HIDDEN_BY_REASON[last.reason], last.by

    def changes(self, earlier: int, later: int) -> Changes:
        """What entered and left between two cursors, at a cost of what changed between them.

        A row that came and went in between is in neither list; one that left and was carried
        back is in both.
        """
        nodes, runs = self.nodes, self.runs
        entered: list[Row] = []
        start, stop = bisect_right(nodes.born, earlier), bisect_right(nodes.born, later)
        entered.extend(
            Row(node, nodes.born[node], carried=False)
            for node in range(start, stop)
            if nodes.gone[node] > later
        )
        for run in runs.born_within(earlier, later):
            if runs.gone[run] > later:
                entered.extend(
                    Row(node, runs.born[run], carried=True) for node in self.nodes_of(~run)
                )
        left: list[Departure] = []
        for element in self._left[
            bisect_right(self._left_at, earlier) : bisect_right(self._left_at, later)
        ]:
            stays, number = (nodes, element) if element >= 0 else (runs, ~element)
            if stays.born[number] <= earlier:
                reason, by = Reason(stays.reason[number]), stays.cause(number)
                left.extend(Departure(node, reason, by) for node in self.nodes_of(element))
        return Changes(tuple(entered), tuple(left))

    def next_change(self, cursor: int) -> int | None:
        """The first cursor after this one at which a row entered or left."""
        while True:
            found = min(
                (at for column in self._logs() if (at := after(column, cursor)) is not None),
                default=None,
            )
            if found is None or self._changes_at(found):
                return found
            cursor = found

    def previous_change(self, cursor: int) -> int | None:
        """The last cursor before this one at which a row entered or left."""
        while True:
            found = max(
                (at for column in self._logs() if (at := before(column, cursor)) is not None),
                default=None,
            )
            if found is None or self._changes_at(found):
                return found
            cursor = found

    def _logs(self) -> tuple[Column, ...]:
        return self.nodes.born, self._left_at, self._extra_at

    def _changes_at(self, cursor: int) -> bool:
        """Whether anything is left of what one event did, when what it undid itself is netted."""
        changes = self.changes(cursor - 1, cursor)
        return bool(changes.entered or changes.left)
