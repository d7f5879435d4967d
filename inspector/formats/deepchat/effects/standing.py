"""The effective messages in the owner's order: by place, then by the bytes of the id (4, B)."""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from inspector.formats.deepchat.effects.places import Places
from inspector.formats.deepchat.effects.stretches import Block
from inspector.formats.deepchat.values import order_bytes

_LONGEST: Final = 256
"""Slots of a block before it is split."""
_KEPT: Final = 1_024
"""Ids kept that had to be read to order messages whose ids begin alike."""
_PREFIX: Final = 4


class Standing:
    """Slots in order; inserting costs the same wherever it is.

    A slot is a number that its owner gives to a message as long as it stands. Messages that have
    the same place and the same id in bytes keep the order of their slots.

    Args:
        identity_of: reads the id of the message of a slot.
    """

    def __init__(self, identity_of: Callable[[int], str]) -> None:
        self._identity_of = identity_of
        self.order = Places()
        self._prefix = array("I")
        self.blocks: list[Block] = []
        self._read: OrderedDict[int, bytes] = OrderedDict()
        self._newest = (-1, "")

    def enter(self, order: float, identity: str) -> int | None:
        """A new slot for a message that stands from now on; the slot behind it, or None.

        Slots are numbered from 0.
        """
        orders, head = self.order, identity[:_PREFIX]
        slot = len(orders)
        orders.append(order)
        if len(head) == _PREFIX and head.isascii():
            self._prefix.append(int.from_bytes(head.encode(), "big"))
        else:
            self._prefix.append(_prefix_of(identity))
        if self.blocks:
            slots = self.blocks[-1].slots
            if order > orders[slots[-1]] and len(slots) < _LONGEST:
                slots.append(slot)
                return None
        # Its record cannot be read by its slot yet.
        self._newest = slot, identity
        return self.put(slot)

    def begins_alike(self, slot: int, identity: str) -> bool:
        """Whether the id of a slot begins as this one does."""
        return self._prefix[slot] == _prefix_of(identity)

    def put(self, slot: int) -> int | None:
        """A slot that stood nowhere stands; the slot behind it, or None if it is the last."""
        blocks = self.blocks
        if not blocks or self._before(blocks[-1].slots[-1], slot):
            if not blocks or len(blocks[-1].slots) >= _LONGEST:
                blocks.append(Block(array("I")))
            blocks[-1].slots.append(slot)
            return None
        number, at = self._find(slot)
        slots = blocks[number].slots
        following = slots[at]
        slots.insert(at, slot)
        blocks[number].forget()
        if len(slots) > _LONGEST:
            blocks[number : number + 1] = blocks[number].halves()
        return following

    def take(self, slot: int) -> int | None:
        """A slot stands no longer; the slot that stood behind it."""
        number, at = self._find(slot)
        block = self.blocks[number]
        del block.slots[at]
        block.forget()
        if at < len(block.slots):
            return block.slots[at]
        if not block.slots:
            del self.blocks[number]
            number -= 1
        return self.blocks[number + 1].slots[0] if number + 1 < len(self.blocks) else None

    def move(self, slot: int, order: float) -> tuple[int | None, int | None]:
        """A slot goes to another place; what stood behind it, and what stands behind it now."""
        if order == self.order[slot]:
            number, at = self._find(slot)
            block = self.blocks[number]
            block.forget()
            if at + 1 < len(block.slots):
                following: int | None = block.slots[at + 1]
            else:
                more = number + 1 < len(self.blocks)
                following = self.blocks[number + 1].slots[0] if more else None
            return following, following
        behind = self.take(slot)
        self.order[slot] = order
        return behind, self.put(slot)

    def between(self, start: float, stop: float) -> tuple[int, int, int]:
        """Where the slots with ``start <= order < stop`` are.

        Returns:
            How many blocks there are up to the last of them, and how many slots stand before the
            first and up to the last of them.
        """
        first, last = self._place_of(start), self._place_of(stop)
        sizes = [len(block.slots) for block in self.blocks[: last[0] + 1]]
        return len(sizes), sum(sizes[: first[0]]) + first[1], sum(sizes[: last[0]]) + last[1]

    def first_from(self, start: float) -> int | None:
        """The first slot with ``order >= start``."""
        number, at = self._place_of(start)
        return self.blocks[number].slots[at] if number < len(self.blocks) else None

    def _place_of(self, start: float) -> tuple[int, int]:
        """The block and the place of the first slot with ``order >= start``, or what is behind."""
        order = self.order
        number = bisect_left(self.blocks, start, key=lambda block: order[block.slots[-1]])
        if number == len(self.blocks):
            return number, 0
        return number, bisect_left(self.blocks[number].slots, start, key=order.__getitem__)

    def _find(self, slot: int) -> tuple[int, int]:
        """The block and the place where a slot stands, or is to stand before another."""
        key = _Key(self, slot)
        number = bisect_left(self.blocks, key, key=self._last_of)
        return number, bisect_left(self.blocks[number].slots, key, key=self._key)

    def _last_of(self, block: Block) -> "_Key":
        return _Key(self, block.slots[-1])

    def _key(self, slot: int) -> "_Key":
        return _Key(self, slot)

    def _before(self, slot: int, other: int) -> bool:
        """Whether a slot stands before another."""
        one, two = self.order[slot], self.order[other]
        if one != two:
            return one < two
        if self._prefix[slot] != self._prefix[other]:
            return self._prefix[slot] < self._prefix[other]
        whole, whole_other = self._whole(slot), self._whole(other)
        return whole < whole_other if whole != whole_other else slot < other

    def _whole(self, slot: int) -> bytes:
        known = self._read.get(slot)
        if known is None:
            newest, identity = self._newest
            said = identity if slot == newest else self._identity_of(slot)
            known = self._read[slot] = order_bytes(said)
            if len(self._read) > _KEPT:
                self._read.popitem(last=False)
        return known


class _Key:
    """A slot that compares with others as it stands."""

    __slots__ = ("slot", "standing")

    def __init__(self, standing: Standing, slot: int) -> None:
        self.standing = standing
        self.slot = slot

    def __lt__(self, other: "_Key") -> bool:
        return self.standing._before(self.slot, other.slot)


def _prefix_of(identity: str) -> int:
    """The first bytes of an id as a number that orders as they do."""
    start = order_bytes(identity[:_PREFIX])
    return int.from_bytes(start[:_PREFIX].ljust(_PREFIX, b"\0"), "big")
