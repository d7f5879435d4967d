"""What two cursors of one tape have apart: entered, left, changed and moved, with their weight."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from inspector.timeline.sequences import longest_common
from inspector.timeline.surface import Departure, Row
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark, Reason, Role, SpanKind

NEW: Final = "new"
"""Why a row entered that replaced nothing."""

RETURNED: Final = "returned"
"""Why a row entered that was there before."""


class Arrival(NamedTuple):
    """A row that is there only at the later cursor, and the reason: a departure's, or one of ours.

    ``by`` is the position of the event that brought it.
    """

    row: Row
    reason: str
    by: int


class Change(NamedTuple):
    """A row that stands in another form than before: what left, and what is there for it."""

    left: Departure
    entered: Arrival


@dataclass(frozen=True, slots=True)
class Difference:
    """What cursor ``b`` has and ``a`` has not, and the other way round; ``a`` is not behind ``b``.

    Attributes:
        entered: rows only at ``b``, in surface order.
        left: rows only at ``a``, in the surface order of ``a``.
        changed: events whose row is there at both, in another form.
        kept: how many rows are at both.
        moved: nodes at ``b`` of rows that are at both, in another order or copied to another place.
        copied: of those that were copied, the row that left and the copy.
        tokens: the estimated tokens of the surface at ``a`` and at ``b``.
        by_reason: what each reason adds or takes away; together the difference of the tokens.
    """

    a: int
    b: int
    entered: tuple[Arrival, ...]
    left: tuple[Departure, ...]
    changed: tuple[Change, ...]
    kept: int
    moved: tuple[int, ...]
    copied: tuple[Change, ...]
    tokens: tuple[int, int]
    by_reason: dict[str, int]

    @property
    def rows_by_reason(self) -> dict[str, tuple[int, int, int]]:
        """How many rows entered, left and changed for each reason."""
        counted: dict[str, list[int]] = {}
        for at, reasons in enumerate(
            (
                (arrival.reason for arrival in self.entered),
                (departure.reason.label for departure in self.left),
                (change.left.reason.label for change in self.changed),
            )
        ):
            for reason, number in Counter(reasons).items():
                counted.setdefault(reason, [0, 0, 0])[at] = number
        return {reason: (into, out, other) for reason, (into, out, other) in counted.items()}


def difference(timeline: Timeline, a: int, b: int) -> Difference:
    """What happened to the surface between two cursors.

    Raises:
        ValueError: if ``a`` is behind ``b``.
    """
    if a > b:
        raise ValueError("the first cursor is behind the second")
    surface = timeline.surface
    changes = timeline.changes(a, b)
    arrived = {row.node: row for row in changes.entered}
    gone = {departure.node: departure for departure in changes.left}
    back = arrived.keys() & gone.keys()
    left = [departure for node, departure in gone.items() if node not in back]
    why = {departure.by: departure.reason for departure in changes.left}
    role, origin, of_branch = surface.nodes.role, surface.nodes.origin, timeline.sums_up_branch
    entered = [
        _arrival(row, why, summary=role(node) is Role.SUMMARY and not of_branch(origin(node)))
        for node, row in arrived.items()
        if node not in back
    ]
    entered, left, paired = _paired(timeline, entered, left)
    copied = [pair for pair in paired if _is_copy(timeline, *pair)]
    copies = {pair.entered.row.node for pair in copied}
    changed = [pair for pair in paired if pair.entered.row.node not in copies]
    return Difference(
        a,
        b,
        tuple(_in_order(timeline, entered, b)),
        tuple(_as_they_stood(timeline, left, a)),
        tuple(changed),
        surface.count(a) - len(left) - len(changed),
        _moved(timeline, a, b, copies) if back or copies else (),
        tuple(copied),
        (timeline.tokens(a), timeline.tokens(b)),
        _balance(timeline, entered, left, changed),
    )


def _arrival(row: Row, why: dict[int, Reason], *, summary: bool) -> Arrival:
    by = row.born - 1
    if row.carried:
        return Arrival(row, RETURNED, by)
    reason = why.get(by)
    if reason not in _STOOD_FOR:
        # A new message of another branch takes nobody's place.
        reason = None
    if reason is None and summary:
        # What it was made of came and left between the two cursors.
        reason = Reason.COMPACTED
    return Arrival(row, NEW if reason is None else reason.label, by)


_STOOD_FOR: Final = frozenset((Reason.COMPACTED, Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED))
"""Why rows leave for another one."""

_CHANGES: Final = frozenset((Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED))
"""Why a row leaves for another form of itself, which the event that does it brings."""


def _paired(
    timeline: Timeline, entered: list[Arrival], left: list[Departure]
) -> tuple[list[Arrival], list[Departure], list[Change]]:
    """A row that left and one that entered for it are one row that changed."""
    nodes = timeline.surface.nodes
    stands_for: dict[tuple[int, int], Arrival] = {}
    for arrival in entered:
        node = arrival.row.node
        for origin in _stands_for(timeline, arrival):
            stands_for.setdefault((origin, nodes.part(node)), arrival)
    changed: list[Change] = []
    staying: list[Departure] = []
    taken: set[int] = set()
    for departure in left:
        there: Arrival | None = None
        if departure.reason in _CHANGES or nodes.form(departure.node):
            there = stands_for.get((nodes.origin(departure.node), nodes.part(departure.node)))
        if there is None or there.row.node in taken:
            staying.append(departure)
        else:
            taken.add(there.row.node)
            changed.append(Change(departure, there))
    return [one for one in entered if one.row.node not in taken], staying, changed


def _stands_for(timeline: Timeline, arrival: Arrival) -> Iterator[int]:
    """The events whose rows a row may be there for: its own, those it was made from, and of one
    that was written anew again and again each earlier version.
    """
    nodes, node = timeline.surface.nodes, arrival.row.node
    own = nodes.origin(node)
    yield own
    sources = nodes.sources(node) if own == arrival.by else []
    yield from sources
    for _ in range(_VERSIONS):
        earlier = nodes.of_event(sources[0]) if len(sources) == 1 else None
        if earlier is None or nodes.role(earlier) is not nodes.role(node):
            return
        sources = nodes.sources(earlier)
        yield from sources


_VERSIONS: Final = 1_000
"""Versions of one row that are followed back."""


def _is_copy(timeline: Timeline, left: Departure, entered: Arrival) -> bool:
    """Whether a row says, at another place, what one said that left for it."""
    nodes, retellings = timeline.surface.nodes, timeline.retellings
    origin, weights = nodes.origin, nodes.tokens
    goal, told = origin(left.node), retellings.of(origin(entered.row.node))
    while told is not None and told > goal:
        told = retellings.of(told)
    return told == goal and weights[left.node] == weights[entered.row.node]


def _in_order(timeline: Timeline, arrivals: list[Arrival], cursor: int) -> list[Arrival]:
    ranks = _ranks(timeline, [arrival.row.node for arrival in arrivals], cursor)
    return sorted(arrivals, key=lambda arrival: ranks[arrival.row.node])


def _as_they_stood(timeline: Timeline, left: list[Departure], cursor: int) -> list[Departure]:
    ranks = _ranks(timeline, [departure.node for departure in left], cursor)
    return sorted(left, key=lambda departure: ranks[departure.node])


_FEW: Final = 8
"""Rows whose ranks are asked for one by one; of more, all of the surface is listed."""


def _ranks(timeline: Timeline, nodes: Sequence[int], cursor: int) -> dict[int, int]:
    if len(nodes) <= _FEW:
        surface = timeline.surface
        return {node: surface.rank(node, cursor) or 0 for node in nodes}
    return {row.node: rank for rank, row in enumerate(timeline.rows(cursor))}


def _moved(timeline: Timeline, a: int, b: int, copies: Collection[int]) -> tuple[int, ...]:
    """The nodes of both cursors that do not stand in one order, and copies, by place at ``b``."""
    before = [row.node for row in timeline.rows(a)]
    there = set(before)
    rows = [row.node for row in timeline.rows(b) if row.node in there or row.node in copies]
    in_order = set(longest_common(before, [node for node in rows if node in there]))
    return tuple(node for node in rows if node not in in_order)


def _balance(
    timeline: Timeline,
    entered: Iterable[Arrival],
    left: Iterable[Departure],
    changed: Iterable[Change],
) -> dict[str, int]:
    tokens = timeline.surface.nodes.tokens
    by_reason: Counter[str] = Counter()
    for arrival in entered:
        by_reason[arrival.reason] += tokens[arrival.row.node]
    for departure in left:
        by_reason[departure.reason.label] -= tokens[departure.node]
    for change in changed:
        gained = tokens[change.entered.row.node] - tokens[change.left.node]
        by_reason[change.left.reason.label] += gained
    return dict(by_reason)


def around(timeline: Timeline, event: int) -> tuple[int, int] | None:
    """The cursors around the compaction or prune that an event belongs to, or None.

    The first is before its span, the prunes just before a replacement included; the second just
    after its replacement.
    """
    spans = timeline.spans[SpanKind.COMPACTION]
    for number in _spans_over(timeline, event):
        span = spans[number]
        stop = timeline.events if span.closed is None else span.closed
        replaced = _replacements(timeline, span.opened - 1, stop)
        start = _before(timeline, span.opened - 1, _prunes)
        return start, (replaced[-1] + 1 if replaced else stop)
    stop = event
    if not _changes_rows(timeline, event) and not timeline.settled.at(event + 1):
        # What announces a prune stands before what does it.
        stop = min(event + 1, timeline.events - 1)
    if not _changes_rows(timeline, stop):
        return None
    return _before(timeline, event, _changes_rows), stop + 1


def _before(timeline: Timeline, start: int, does: Callable[[Timeline, int], bool]) -> int:
    """The cursor before the events just before another that do something, each with what
    announces it.
    """
    if start and not timeline.settled.at(start) and not does(timeline, start - 1):
        start -= 1
    while start and does(timeline, start - 1):
        start -= 1
        if start and not timeline.settled.at(start) and not does(timeline, start - 1):
            start -= 1
    return start


def _prunes(timeline: Timeline, event: int) -> bool:
    return timeline.is_replacement(event) and any(
        departure.reason in (Reason.PRUNED, Reason.CLEARED)
        for departure in timeline.changes(event, event + 1).left
    )


def _spans_over(timeline: Timeline, event: int) -> Iterable[int]:
    spans = timeline.spans[SpanKind.COMPACTION]
    last = spans.last(event + 1)
    if last is None:
        return ()
    closed = spans[last].closed
    return (last,) if closed is None or closed > event else ()


def _replacements(timeline: Timeline, start: int, stop: int) -> Sequence[int]:
    found = timeline.replacements
    return found[bisect_right(found, start - 1) : bisect_right(found, stop - 1)]


def _changes_rows(timeline: Timeline, event: int) -> bool:
    compactions = timeline.marks.events(Mark.COMPACTION)
    at = bisect_right(compactions, event)
    return timeline.is_replacement(event) or bool(at and compactions[at - 1] == event)
