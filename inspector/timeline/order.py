"""One total order of elements that is right for every cursor, in blocks that can be counted fast.

A new element is placed relative to elements that are there, and those never change places; so the
surface at a cursor is the order with everything left out that is not there at that cursor. A
block keeps the sorted cursors at which its elements entered and left, and counts with two bisects.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, repeat
from typing import Final

from inspector.columns import NEVER, Column, signed, unsigned
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
        self.extra_rows: Column = signed()

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
        self.add_rows(cursor, rows - 1)

    def leave(self, cursor: int, rows: int) -> None:
        """Count an element of so many rows out, at a cursor not before any counted yet."""
        self.left.append(cursor)
        self.add_rows(cursor, 1 - rows)

    def add_rows(self, cursor: int, rows: int) -> None:
        """From a cursor on, not before any counted yet, there are so many rows more."""
        if not rows:
            return
        total = self.extra_rows[-1] if self.extra_rows else 0
        if self.extra_cursor and self.extra_cursor[-1] == cursor:
            self.extra_rows[-1] = total + rows
        else:
            self.extra_cursor.append(cursor)
            self.extra_rows.append(total + rows)

    def with_pieces(self, elements: Column, born: int, more: int) -> "Block":
        """The block with ``more`` elements in it, of as many rows, there since a cursor."""
        made = Block(self.number)
        made.elements = elements
        made.entered = self.entered[:]
        made.left = self.left[:]
        made.extra_cursor = self.extra_cursor[:]
        made.extra_rows = self.extra_rows[:]
        at = bisect_left(made.entered, born)
        for _ in range(more):
            made.entered.insert(at, born)
        for at in range(bisect_left(made.extra_cursor, born), len(made.extra_cursor)):
            made.extra_rows[at] -= more
        return made


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

    def append_elements(self, elements: Column, born: Column) -> None:
        """Place nodes and runs at the end, each kind in the order of its numbers.

        Their rows beyond one each are for `Block.add_rows`.
        """
        done = 0
        while done < len(elements):
            block = self.blocks[-1]
            room = BLOCK - len(block.elements)
            if not room:
                self.blocks = (*self.blocks, self._new_block())
                continue
            share = elements[done : done + room]
            nodes = [element for element in share if element >= 0]
            if nodes:
                self._set_blocks(nodes[0], len(nodes), block)
            if len(nodes) < len(share):
                for element in share:
                    if element < 0:
                        self._set_block(element, block)
            block.elements.extend(share)
            block.entered.extend(born[done : done + room])
            done += len(share)

    def leave_elements(self, elements: Column, cursors: Column) -> None:
        """Count elements out, at cursors not before any counted yet, but not their further rows."""
        blocks, of_node, of_run = self._by_number, self._block_of_node, self._block_of_run
        for element, cursor in zip(elements, cursors, strict=True):
            number = of_node[element] if element >= 0 else of_run[~element]
            blocks[number].left.append(cursor)

    def block_of_run(self, run: int) -> Block:
        """The block in which a run stands, told by its number."""
        return self._by_number[self._block_of_run[run]]

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

    def substitute(self, element: Element, pieces: Sequence[Element]) -> None:
        """Put pieces that stand for a run in its place."""
        block = self.block_of(element)
        at = block.elements.index(element)
        elements = block.elements[:at]
        elements.extend(pieces)
        elements.extend(block.elements[at + 1 :])
        if len(elements) > BLOCK:
            self._rebuild(block, elements)
            return
        born, _, _ = self._presence(element)
        made = block.with_pieces(elements, born, len(pieces) - 1)
        for piece in pieces:
            self._set_block(piece, made)
        self._by_number[block.number] = made
        self._publish(block, (made,))

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
        self._publish(block, made)

    def _publish(self, block: Block, made: Sequence[Block]) -> None:
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
