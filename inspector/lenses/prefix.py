"""What two requests have in common from their beginning on, and what broke it."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from inspector.formats.contract import PreamblePart
from inspector.timeline.timeline import Timeline


class Part(Enum):
    """The parts of a request, in the order in which a provider reads them."""

    SYSTEM = "system"
    TOOLS = "tools"
    MESSAGE = "message"


class Break(NamedTuple):
    """Where a request stops to repeat the one before.

    Attributes:
        part: of the request.
        row: which of its messages, from 0; None in the preamble.
        event: the position of the event that says what stands there now, or None if nothing does.
        offset: the first character that is another one; None where texts are not compared.
        was: the position of the event that says what stood there before, or None.
    """

    part: Part
    row: int | None
    event: int | None
    offset: int | None
    was: int | None = None


class Prefix(NamedTuple):
    """The common beginning of two requests, in estimated tokens and whole rows."""

    tokens: int
    rows: int
    broken: Break | None


Preamble = Callable[[int], Sequence[PreamblePart]]
"""System prompt and tools at a cursor."""

TextOf = Callable[[int], str]
"""What an event says, by its position."""


def prefix(
    timeline: Timeline, before: int, now: int, preamble: Preamble, text_of: TextOf
) -> Prefix:
    """What the request at one cursor repeats of an earlier one.

    A request that only goes on behind the earlier one is not broken.

    Args:
        timeline: folded at least up to ``now``.
        before: the cursor of the context of the earlier request.
        now: that of the later one.
        preamble: system prompt and tools at a cursor.
        text_of: what events say; asked for at most two.
    """
    parts: dict[str, PreamblePart] = {part.part: part for part in preamble(now)}
    earlier: dict[str, PreamblePart] = {part.part: part for part in preamble(before)}
    tokens = 0
    for part, name in _PREAMBLE:
        one, other = earlier.get(name), parts.get(name)
        old, new = "" if one is None else one.text, "" if other is None else other.text
        if old != new:
            at = first_difference(old, new)
            event = None if other is None else other.event
            was = None if one is None else one.event
            return Prefix(tokens, 0, Break(part, None, event, at, was))
        tokens += 0 if other is None else other.tokens
    rows = common_rows(timeline, before, now)
    if rows == timeline.count(before):
        return Prefix(tokens + timeline.tokens(before), rows, None)
    tokens += _tokens_of_first(timeline, now, rows)
    return Prefix(tokens, rows, _break_at(timeline, before, now, rows, text_of))


def _tokens_of_first(timeline: Timeline, cursor: int, rows: int) -> int:
    """What the first rows of a surface weigh; the shorter side of it is looked at."""
    weights, count = timeline.surface.nodes.tokens, timeline.count(cursor)
    if rows <= count // 2:
        return sum(weights[row.node] for row in timeline.rows(cursor, 0, rows))
    behind = timeline.last_rows(cursor, count - rows)
    return timeline.tokens(cursor) - sum(weights[row.node] for row in behind)


_PREAMBLE: Final = ((Part.SYSTEM, "system"), (Part.TOOLS, "tools"))
"""The parts in front of the messages, as a format names them."""


def _break_at(timeline: Timeline, before: int, now: int, row: int, text_of: TextOf) -> Break:
    origin = timeline.surface.nodes.origin
    here = timeline.rows(now, row, row + 1)
    there = origin(timeline.rows(before, row, row + 1)[0].node)
    if not here:
        return Break(Part.MESSAGE, row, None, None, there)
    event = origin(here[0].node)
    offset = None if there == event else first_difference(text_of(there), text_of(event))
    return Break(Part.MESSAGE, row, event, offset, there)


def common_rows(timeline: Timeline, before: int, now: int) -> int:
    """How many rows the surfaces of two cursors have in common from their beginning on."""
    changes = timeline.changes(before, now)
    left = {departure.node for departure in changes.left}
    entered = {row.node for row in changes.entered}
    count = timeline.count(now)
    if not left and entered == {row.node for row in timeline.last_rows(now, len(entered))}:
        # Nearly every request only goes on behind the one before.
        return count - len(entered)
    if len(left) > _FEW or len(entered) > _FEW or left & entered:
        return _compared(timeline, before, now)
    rank = timeline.surface.rank
    places = [
        *(rank(node, before) for node in left),
        *(rank(node, now) for node in entered),
    ]
    return min([timeline.count(before), *(place for place in places if place is not None)])


_FEW: Final = 64
"""Rows whose places are asked for one by one; of more, both surfaces are listed."""


def _compared(timeline: Timeline, before: int, now: int) -> int:
    same = 0
    for one, other in zip(timeline.rows(before), timeline.rows(now), strict=False):
        if one.node != other.node:
            break
        same += 1
    return same


def first_difference(one: str, other: str) -> int:
    """How many characters two texts have in common from their beginning on."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
