"""Where two tapes part: how far they tell the same, and what each has beyond it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from inspector.formats.contract import Tape
from inspector.lenses.texts import said
from inspector.timeline.surface import Row

_LEFT_OUT: Final = 64
"""Events in a row that a copy may leave out of its original, or have of its own."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Two tapes up to where they part, and the surfaces at their heads.

    Attributes:
        a: the cursor of the first tape at which they part, just after the last event in common.
        b: the same of the second.
        pairs: the positions of the events in common, in the one and in the other, in order.
        only_a: the rows at the head of the first that the second has not, in surface order.
        only_b: the same of the second.
        kept: how many rows are at both heads.
    """

    a: int
    b: int
    pairs: tuple[tuple[int, int], ...]
    only_a: tuple[Row, ...]
    only_b: tuple[Row, ...]
    kept: int


def parting(one: Tape, other: Tape) -> Parting:
    """Where two folded tapes part.

    Events are the same where their records are, byte for byte, or where they bear one id of the
    owner and one time and say the same. What a fork says to have copied may be written anew, with
    other ids and times, and need only say the same; some of its original may be left out of it.

    Raises:
        SourceError: if a tape cannot be read any more.
    """
    pairs = tuple(_pairs(one, other))
    a, b = (pairs[-1][0] + 1, pairs[-1][1] + 1) if pairs else (0, 0)
    rows_of_one = _rows(one, {mine: at for at, (mine, _) in enumerate(pairs)})
    rows_of_other = _rows(other, {its: at for at, (_, its) in enumerate(pairs)})
    both = {key for key, _ in rows_of_one if key[0] >= 0} & {key for key, _ in rows_of_other}
    only_a, only_b = (
        tuple(row for key, row in rows if key not in both) for rows in (rows_of_one, rows_of_other)
    )
    return Parting(a, b, pairs, only_a, only_b, len(rows_of_one) - len(only_a))


def _rows(tape: Tape, common: dict[int, int]) -> list[tuple[tuple[int, int, int], Row]]:
    """The rows at the head, each with what it is in both tapes: event in common, part and form."""
    timeline = tape.timeline
    nodes = timeline.surface.nodes
    return [
        (
            (
                common.get(nodes.origin(row.node), -1),
                nodes.part(row.node),
                int(nodes.form(row.node)),
            ),
            row,
        )
        for row in timeline.rows(timeline.events)
    ]


def _pairs(one: Tape, other: Tape) -> Iterator[tuple[int, int]]:
    if one.identity.format != other.identity.format:
        return
    ends = one.timeline.events, other.timeline.events
    copied = one.timeline.lives.inherited, other.timeline.lives.inherited
    i = j = missed = 0
    while i < ends[0] and j < ends[1] and missed <= _LEFT_OUT:
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
    return one.headline(i) == other.headline(j) and said(one, i) == said(other, j)
