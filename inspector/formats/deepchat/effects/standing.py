"""The effective messages in the owner's order: by place, then by the bytes of the id (4, B)."""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final

from inspector.formats.deepchat.values import order_bytes

_LONGEST: Final = 1_024
"""Slots of a block before it is split."""
_KEPT: Final = 1_024
"""Ids kept that had to be read to order messages whose ids begin alike."""
_PREFIX: Final = 8


class Standing:
    """Slots in order; inserting costs the same wherever it is.

    A slot is a number that its owner gives to a message as long as it stands. Messages that have
    the same place and the same id in bytes keep the order of their slots.

    Args:
        identity_of: reads the id of the message of a slot.
    """

    def __init__(self, identity_of: Callable[[int], str]) -> None:
        self._identity_of = identity_of
        self.order = array("d")
        self._prefix = array("Q")
        self._blocks: list[array[int]] = []
        self._read: OrderedDict[int, bytes] = OrderedDict()
        self._newest = (-1, "")

    def new(self, order: float, identity: str) -> int:
        """A slot for a message that does not stand anywhere yet."""
        self.order.append(order)
        self._prefix.append(_prefix_of(identity))
        # Its record cannot be read by its slot yet.
        self._newest = (len(self.order) - 1, identity)
        return len(self.order) - 1

    def begins_alike(self, slot: int, identity: str) -> bool:
        """Whether the id of a slot begins as this one does."""
        return self._prefix[slot] == _prefix_of(identity)

    def put(self, slot: int) -> int | None:
        """A slot stands; the slot behind it, or None if it is the last."""
        if not self._blocks or self._before(self._blocks[-1][-1], slot):
            self._append(slot)
            return None
        key = _Key(self, slot)
        number = bisect_left(self._blocks, key, key=self._last_of)
        block = self._blocks[number]
        at = bisect_left(block, key, key=self._key)
        following = block[at]
        block.insert(at, slot)
        if len(block) > _LONGEST:
            self._blocks[number : number + 1] = [block[: _LONGEST // 2], block[_LONGEST // 2 :]]
        return following

    def take(self, slot: int) -> int | None:
        """A slot stands no longer; the slot that stood behind it."""
        key = _Key(self, slot)
        number = bisect_left(self._blocks, key, key=self._last_of)
        block = self._blocks[number]
        at = bisect_left(block, key, key=self._key)
        del block[at]
        if at < len(block):
            return block[at]
        if not block:
            del self._blocks[number]
            number -= 1
        return self._blocks[number + 1][0] if number + 1 < len(self._blocks) else None

    def move(self, slot: int, order: float) -> tuple[int | None, int | None]:
        """A slot goes to another place; what stood behind it, and what stands behind it now."""
        behind = self.take(slot)
        self.order[slot] = order
        return behind, self.put(slot)

    def between(self, start: float, stop: float | None = None) -> Iterator[int]:
        """The slots with ``start <= order < stop``, in order; to the last one without ``stop``."""
        order = self.order
        number = bisect_left(self._blocks, start, key=lambda block: order[block[-1]])
        for block in self._blocks[number:]:
            at = bisect_left(block, start, key=order.__getitem__)
            for slot in block[at:]:
                if stop is not None and order[slot] >= stop:
                    return
                yield slot

    def first_from(self, start: float) -> int | None:
        """The first slot with ``order >= start``."""
        return next(self.between(start), None)

    def _append(self, slot: int) -> None:
        if not self._blocks or len(self._blocks[-1]) >= _LONGEST:
            self._blocks.append(array("I"))
        self._blocks[-1].append(slot)

    def _last_of(self, block: "array[int]") -> "_Key":
        return _Key(self, block[-1])

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
