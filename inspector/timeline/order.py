"""One total order of elements that is right for every cursor, in blocks that can be counted fast.

A new element is placed relative to elements that are there, and those never change places; so the
surface at a cursor is the order with everything left out that is not there at that cursor. A
block keeps the sorted cursors at which its elements entered and left, and counts with two bisects.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, repeat
from typing import Final

from inspector.columns import NEVER, Column, signed, unsigned, wide
from inspector.timeline.nodes import Element

BLOCK: Final = 1_024


class Block:
    """Up to `BLOCK` neighbours in the order."""

    __slots__ = ("elements", "entered", "extra_cursor", "extra_rows", "left", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.elements: Column = signed()
        self.entered: Column = unsigned()
        self.left: Column = unsigned()
        self.extra_cursor: Column = unsigned()
        self.extra_rows: Column = wide()

    def count(self, cursor: int) -> int:
        """Rows of this block that are on the surface at ``cursor``."""
        entered, left = self.entered, self.left
        if not entered or entered[0] > cursor:
            return 0
        present = len(entered) if entered[-1] <= cursor else bisect_right(entered, cursor)
        if left and left[0] <= cursor:
            present -= len(left) if left[-1] <= cursor else bisect_right(left, cursor)
        if self.extra_cursor:
            at = bisect_right(self.extra_cursor, cursor)
            if at:
                present += self.extra_rows[at - 1]
        return present

    def enter(self, cursor: int, rows: int) -> None:
        """Count an element of so many rows in, at a cursor not before any counted yet."""
        self.entered.append(cursor)
        self._add_extra(cursor, rows - 1)

    def leave(self, cursor: int, rows: int) -> None:
        """Count an element of so many rows out, at a cursor not before any counted yet."""
        self.left.append(cursor)
        self._add_extra(cursor, 1 - rows)

    def _add_extra(self, cursor: int, rows: int) -> None:
        if rows:
            total = self.extra_rows[-1] if self.extra_rows else 0
            self.extra_cursor.append(cursor)
            self.extra_rows.append(total + rows)


Presence = Callable[[Element], tuple[int, int, int]]
"""Born, gone and rows of an element; gone is `NEVER` while it is there."""


class Order:
    """The blocks, published as one tuple whenever their number changes.

    Args:
        presence: tells the stay of an element, for when a block is rebuilt.
    """

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self.blocks: tuple[Block, ...] = (Block(0),)
        self._by_number: list[Block] = [self.blocks[0]]
        self._block_of_node: Column = unsigned()
        self._block_of_run: Column = unsigned()

    def block_of(self, element: Element) -> Block:
        """The block in which an element stands."""
        if element >= 0:
            return self._by_number[self._block_of_node[element]]
        return self._by_number[self._block_of_run[~element]]

    def _set_block(self, element: Element, block: Block) -> None:
        if element >= 0:
            column, number = self._block_of_node, element
        else:
            column, number = self._block_of_run, ~element
        while number >= len(column):
            column.append(0)
        column[number] = block.number

    def append_nodes(self, first: int, born: Column) -> None:
        """Place nodes from ``first`` on at the end; ``born`` are their cursors."""
        done = 0
        while done < len(born):
            block = self.blocks[-1]
            room = BLOCK - len(block.elements)
            if not room:
                block = self._new_block()
                self.blocks = (*self.blocks, block)
                continue
            share = born[done : done + room]
            start = first + done
            self._set_blocks(start, len(share), block)
            block.elements.extend(range(start, start + len(share)))
            block.entered.extend(share)
            done += len(share)

    def leave_nodes(self, nodes: Sequence[int], cursor: int) -> None:
        """Count many nodes out, none of them in a run, at a cursor not before any counted yet."""
        numbers = self._block_of_node
        for number, neighbours in groupby(nodes, numbers.__getitem__):
            self._by_number[number].left.extend(repeat(cursor, sum(1 for _ in neighbours)))

    def _set_blocks(self, first: int, nodes: int, block: Block) -> None:
        column = self._block_of_node
        if first > len(column):
            column.frombytes(bytes((first - len(column)) * column.itemsize))
        column.extend(repeat(block.number, nodes))

    def append_run(self, run: Element, cursor: int, rows: int) -> None:
        """Place a run at the end."""
        block = self.blocks[-1]
        if len(block.elements) >= BLOCK:
            block = self._new_block()
            self.blocks = (*self.blocks, block)
        self._set_block(run, block)
        block.elements.append(run)
        block.enter(cursor, rows)

    def insert(self, element: Element, before: Element, cursor: int, rows: int) -> None:
        """Place a new element before one that is there."""
        block = self.block_of(before)
        at = block.elements.index(before)
        block.elements.insert(at, element)
        self._set_block(element, block)
        block.enter(cursor, rows)
        if len(block.elements) > BLOCK:
            self._rebuild(block, block.elements)

    def substitute(self, element: Element, pieces: Iterable[Element]) -> None:
        """Put pieces that stand for an element in its place."""
        block = self.block_of(element)
        at = block.elements.index(element)
        elements = block.elements[:at]
        elements.extend(pieces)
        elements.extend(block.elements[at + 1 :])
        self._rebuild(block, elements)

    def _new_block(self) -> Block:
        block = Block(len(self._by_number))
        self._by_number.append(block)
        return block

    def _rebuild(self, block: Block, elements: Column) -> None:
        """Publish new blocks with these elements in the place of an old one."""
        step = len(elements) if len(elements) <= BLOCK else (len(elements) + 1) // 2
        made = [
            self._filled(elements[start : start + step])
            for start in range(0, len(elements), max(step, 1))
        ]
        at = self.blocks.index(block)
        self.blocks = (*self.blocks[:at], *made, *self.blocks[at + 1 :])

    def _filled(self, elements: Column) -> Block:
        block = self._new_block()
        block.elements = elements
        moves: list[tuple[int, bool, int]] = []
        for element in elements:
            self._set_block(element, block)
            born, gone, rows = self._presence(element)
            moves.append((born, True, rows))
            if gone != NEVER:
                moves.append((gone, False, rows))
        for cursor, entering, rows in sorted(moves):
            (block.enter if entering else block.leave)(cursor, rows)
        return block

    def precedes(self, first: Element, second: Element) -> bool:
        """Whether one element stands before another."""
        one, two = self.block_of(first), self.block_of(second)
        if one is two:
            return one.elements.index(first) < one.elements.index(second)
        return self.blocks.index(one) < self.blocks.index(two)

    def __iter__(self) -> Iterator[Element]:
        for block in self.blocks:
            yield from block.elements
