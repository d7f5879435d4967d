"""The rows of a difference by what happened to them and why. Knows no Textual."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from inspector.lenses.difference import Difference
from inspector.timeline.words import Reason


class Change(Enum):
    """What happened to a row, as it is said of several."""

    LEFT = "left"
    CHANGED = "changed"
    ENTERED = "entered"
    MOVED = "moved"


SIGNS: Final = {
    Change.LEFT: ("-", "removed"),
    Change.CHANGED: ("~", "notice"),
    Change.ENTERED: ("+", "added"),
    Change.MOVED: ("»", "accent"),
}


class Item(NamedTuple):
    """One row.

    Attributes:
        node: what is there, or of a row that left, what was there.
        before: the node that it stands for, of a row that changed.
        by: the position of the event that did it, or None.
    """

    node: int
    before: int | None
    by: int | None


class Told(NamedTuple):
    """What happened to one row: what, why, and what that adds to the surface or takes away.

    Attributes:
        reason: why, in a word; empty where there is none.
        item: the row.
        tokens: what it adds, negative if it takes away.
        at_once: whether the rows to which one event did it are a group of their own.
        side: of which of two tapes the event is that did it; 0 where there is one tape.
    """

    change: Change
    reason: str
    item: Item
    tokens: int
    at_once: bool
    side: int = 0


@dataclass
class Group:
    """Rows to which the same happened for the same reason.

    Attributes:
        reason: why, in a word; empty where there is none.
        by: the position of the event that did it to all of them; None if several did, or none.
        side: of which of two tapes that is.
        items: the rows, in surface order.
        tokens: what they add to the surface, or take away if negative.
    """

    change: Change
    reason: str
    by: int | None
    side: int = 0
    items: list[Item] = field(default_factory=list)
    tokens: int = 0

    @property
    def weighs_pairs(self) -> bool:
        """Whether its rows have two weights."""
        return self.change is Change.CHANGED


AT_ONCE: Final = frozenset((Reason.COMPACTED, Reason.REWOUND, Reason.UNLINKED, Reason.RETRACTED))
"""Reasons for which one event does it to many rows."""

_AT_ONCE: Final = frozenset(reason.label for reason in AT_ONCE)


def grouped(rows: Iterable[Told]) -> list[Group]:
    """The rows by what happened and why, in the order in which each comes first."""
    made: dict[tuple[Change, str, int | None, int], Group] = {}
    for told in rows:
        by = told.item.by if told.at_once else None
        key = told.change, told.reason, by, told.side
        group = made.setdefault(key, Group(*key))
        group.items.append(told.item)
        group.tokens += told.tokens
    for group in made.values():
        if len({item.by for item in group.items}) == 1:
            group.by = group.items[0].by
    return list(made.values())


def groups(found: Difference, weights: Sequence[int]) -> list[Group]:
    """The rows that left, changed, entered and moved, each by reason, the earlier ones first.

    Args:
        found: the difference.
        weights: the tokens of each node.
    """
    return grouped(
        Told(change, reason, item, _weight(change, item, weights), reason in _AT_ONCE)
        for change, reason, item in _items(found)
    )


def _items(found: Difference) -> Iterator[tuple[Change, str, Item]]:
    for departure in found.left:
        reason = departure.reason.label
        yield Change.LEFT, reason, Item(departure.node, None, departure.by)
    for left, entered in found.changed:
        item = Item(entered.row.node, left.node, left.by)
        yield Change.CHANGED, left.reason.label, item
    for arrival in found.entered:
        yield Change.ENTERED, arrival.reason, Item(arrival.row.node, None, arrival.by)
    for node in found.moved:
        yield Change.MOVED, "", Item(node, None, None)


def _weight(change: Change, item: Item, weights: Sequence[int]) -> int:
    if change is Change.MOVED:
        return 0
    if change is Change.LEFT:
        return -weights[item.node]
    return weights[item.node] - (0 if item.before is None else weights[item.before])
