"""Which slices of lanes the messages in order make up, so that many of them cost what one does."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from inspector.columns import Column, unsigned
from inspector.timeline.lanes import BIRTHS, Lanes
from inspector.timeline.standing import Slice

_MANY: Final = 4
"""Slices of a block that are worth a lane of its own."""


class Block:
    """Some slots one after the other.

    Attributes:
        slots: in order.
        slices: of the nodes of its first slots, so many of them as are ``known``.
        lane: the last one that was made of its nodes alone, or none.
    """

    __slots__ = ("known", "lane", "slices", "slots")

    def __init__(self, slots: Column, lane: int = BIRTHS) -> None:
        self.slots = slots
        self.lane = lane
        self.forget()

    def forget(self) -> None:
        """The slots are others, or the nodes of them."""
        self.known = 0
        self.slices: list[Slice] = []

    def halves(self) -> tuple["Block", "Block"]:
        """Two blocks in the place of this one."""
        middle = len(self.slots) // 2
        one, other = self.slots[:middle], self.slots[middle:]
        return Block(one, self.lane), Block(other, self.lane)


class Stretches:
    """The lane of the messages that came in order, and the slices of it.

    A message that came later than one behind it, or in the place of another, is not in that lane
    and is a slice of its own. A block of many such has a lane of its own, and another one when it
    changed: what is asked here costs a slice for each such block.

    Args:
        nodes: the node of each slot.
        lanes: of the timeline.
    """

    def __init__(self, nodes: Column, lanes: Lanes) -> None:
        self._nodes = nodes
        self._lanes = lanes
        self._rows = unsigned()
        self._lane = BIRTHS

    def of(self, blocks: Iterable[Block], start: int, stop: int) -> list[Slice]:
        """The slices of consecutive blocks of slots.

        Args:
            blocks: all blocks up to the last one that is wanted.
            start: the first slot, counted from the start of the first block.
            stop: the slot behind the last one, counted in the same way.
        """
        found: list[Slice] = []
        for block in blocks:
            # Those before the first one are taken in too: the lane is in the order of birth.
            self._know(block)
            size = len(block.slots)
            if start < min(size, stop):
                for lane, first, end in _part(block.slices, max(0, start), min(size, stop)):
                    if found and found[-1][0] == lane and found[-1][2] == first:
                        found[-1] = lane, found[-1][1], end
                    else:
                        found.append((lane, first, end))
            start, stop = start - size, stop - size
        return found

    def _know(self, block: Block) -> None:
        slots = block.slots
        if block.known == len(slots):
            return
        if self._lane == BIRTHS:
            self._lane = self._lanes.make(self._rows)
        rows, slices = self._rows, block.slices
        for slot in slots[block.known :]:
            node = self._nodes[slot]
            lane, place = self._lane, len(rows)
            if not rows or node > rows[-1]:
                rows.append(node)
            else:
                place = bisect_left(rows, node)
                if rows[place] != node:
                    lane, place = BIRTHS, node
            if slices and slices[-1][0] == lane and slices[-1][2] == place:
                slices[-1] = lane, slices[-1][1], place + 1
            else:
                slices.append((lane, place, place + 1))
        block.known = len(slots)
        if len(slices) > _MANY:
            self._set_apart(block)

    def _set_apart(self, block: Block) -> None:
        """Make a lane of the nodes of a block."""
        rows = unsigned()
        rows.extend(self._nodes[slot] for slot in block.slots)
        # All of its nodes that are in other lanes are in those of this block or in the common one.
        block.lane = self._lanes.make(rows, self._lane if block.lane == BIRTHS else block.lane)
        block.slices = [(block.lane, 0, len(rows))]


def _part(slices: Iterable[Slice], start: int, stop: int) -> Iterable[Slice]:
    """What slices are from one of their places to another, counted from the first."""
    for lane, first, end in slices:
        size = end - first
        if start < min(size, stop) and stop > 0:
            yield lane, first + max(0, start), first + min(size, stop)
        start, stop = start - size, stop - size
