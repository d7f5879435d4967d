"""Where two tapes part: how far they tell the same, and what each has beyond it."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.columns import Column, unsigned
from inspector.formats.contract import Tape
from inspector.lenses.texts import said
from inspector.timeline.surface import Row

_LEFT_OUT: Final = 64
"""Events in a row that a copy may leave out of its original, or have of its own."""


class Pairs:
    """The events that two tapes have in common: their positions in the one and in the other."""

    def __init__(self) -> None:
        self._ones: Column = unsigned()
        self._others: Column = unsigned()

    def add(self, one: int, other: int) -> None:
        """Two events are the same; both stand behind those of the pair before."""
        self._ones.append(one)
        self._others.append(other)

    def __len__(self) -> int:
        return len(self._ones)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._ones, self._others, strict=True)

    def ends(self) -> tuple[int, int]:
        """The cursors just after the last pair; 0 and 0 without any."""
        return (self._ones[-1] + 1, self._others[-1] + 1) if len(self) else (0, 0)

    def of_one(self, event: int) -> int | None:
        """The event of the other tape that is the same as one of the first, or None."""
        at = _place(self._ones, event)
        return None if at is None else self._others[at]

    def of_other(self, event: int) -> int | None:
        """The event of the first tape that is the same as one of the other, or None."""
        at = _place(self._others, event)
        return None if at is None else self._ones[at]


def _place(column: Column, value: int) -> int | None:
    at = bisect_left(column, value)
    return at if at < len(column) and column[at] == value else None


@dataclass(frozen=True, slots=True)
class Parting:
    """Two tapes up to where they part, and the surfaces at their heads.

    Attributes:
        a: the cursor of the first tape at which they part, just after the last event in common.
        b: the same of the second.
        heads: the cursors up to which they were compared.
        pairs: the events in common.
        only_a: the rows at the head of the first that the second has not, in surface order.
        only_b: the same of the second.
        kept: how many rows are at both heads.
    """

    a: int
    b: int
    heads: tuple[int, int]
    pairs: Pairs
    only_a: tuple[Row, ...]
    only_b: tuple[Row, ...]
    kept: int


def parting(one: Tape, other: Tape) -> Parting:
    """Where two folded tapes part.

    Raises:
        SourceError: if a tape cannot be read any more.
    """
    heads = one.timeline.events, other.timeline.events
    found = Pairs()
    for pair in same_events(one, other, heads):
        found.add(*pair)
    return parted(one, other, heads, found)


def same_events(one: Tape, other: Tape, heads: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The events that two tapes have in common up to two cursors, in order.

    Events are the same where their records are, byte for byte, or where they bear one id of the
    owner and one time and say the same. What a fork says to have copied may be written anew, with
    other ids and times, and need only say the same; some of its original may be left out of it.

    Raises:
        SourceError: if a tape cannot be read any more.
    """
    if one.identity.format != other.identity.format:
        return
    copied = one.timeline.lives.inherited, other.timeline.lives.inherited
    i = j = missed = 0
    while i < heads[0] and j < heads[1] and missed <= _LEFT_OUT:
        inherited = i < copied[0], j < copied[1]
        if _same(one, i, other, j, loosely=any(inherited)):
            yield i, j
            i, j, missed = i + 1, j + 1, 0
        elif not any(inherited):
            return
        else:
            skipped = _skipped(one, i, other, j, inherited)
            if skipped is None:
                # A record that the fork itself wrote among its copies.
                missed += 1
                i, j = (i, j + 1) if inherited[1] else (i + 1, j)
            else:
                i, j = skipped


def parted(one: Tape, other: Tape, heads: tuple[int, int], pairs: Pairs) -> Parting:
    """Where two tapes part that have these events in common, and what their heads have apart."""
    a, b = pairs.ends()
    in_one = _rows(one, heads[0], lambda event: None if pairs.of_one(event) is None else event)
    in_other = _rows(other, heads[1], pairs.of_other)
    both = {key for key, _ in in_one if key[0] is not None} & {key for key, _ in in_other}
    only_a, only_b = (
        tuple(row for key, row in rows if key not in both) for rows in (in_one, in_other)
    )
    return Parting(a, b, heads, pairs, only_a, only_b, len(in_one) - len(only_a))


def _rows(
    tape: Tape, cursor: int, in_common: Callable[[int], int | None]
) -> list[tuple[tuple[int | None, int, int], Row]]:
    """The rows at a cursor, each with what it is in both tapes: the event of the first one that
    they have in common, or None, then its part and its form.
    """
    timeline = tape.timeline
    nodes = timeline.surface.nodes
    return [
        (
            (in_common(nodes.origin(row.node)), nodes.part(row.node), int(nodes.form(row.node))),
            row,
        )
        for row in timeline.rows(cursor)
    ]


def _skipped(
    one: Tape, i: int, other: Tape, j: int, inherited: tuple[bool, bool]
) -> tuple[int, int] | None:
    """The nearest two that are the same, if what stands before them is left out of a copy."""
    for step in range(1, _LEFT_OUT + 1):
        if (
            inherited[1]
            and i + step < one.timeline.events
            and _same(one, i + step, other, j, loosely=True)
        ):
            return i + step, j
        if (
            inherited[0]
            and j + step < other.timeline.events
            and _same(one, i, other, j + step, loosely=True)
        ):
            return i, j + step
    return None


def _same(one: Tape, i: int, other: Tape, j: int, *, loosely: bool) -> bool:
    mine, its = one.timeline.table, other.timeline.table
    if mine.type(i) != its.type(j):
        return False
    if mine.member(i) == its.member(j) and one.raw(i) == other.raw(j):
        return True
    if not loosely:
        identity = one.message_id(i) if mine.time(i) == its.time(j) else None
        if identity is None or identity != other.message_id(j):
            return False
    if one.headline(i) != other.headline(j):
        return False
    mine_said, its_said = said(one, i), said(other, j)
    # Who writes a record anew may write its keys in another order.
    return mine_said == its_said or (
        loosely and sorted(mine_said.split("\n")) == sorted(its_said.split("\n"))
    )
