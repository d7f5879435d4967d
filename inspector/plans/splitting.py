"""Where we divide a surface for a compaction: no call is cut from its result."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from inspector.formats.viewing import Named, by_position
from inspector.lenses.holding import holder_of
from inspector.lenses.summaries import summary_node
from inspector.text.labels import plural
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role

KEEP_LAST: Final = 8
"""Rows that we keep unless told otherwise."""

FEWEST: Final = 12
"""Rows of a surface below which a compaction is not worth it."""

_PARTS: Final = 64
"""Rows before a split among which parts of a message are looked for that is kept."""

QUOTED: Final = 40_000
"""Characters of the launching message that a summary quotes word for word."""


NOT_SAID: Final = frozenset(("command", "command output", "context", "interruption"))
"""What headlines call a message that a person did not write: it stands for a command that was
typed, or for what such a one put out, a program tells something, or the model was stopped."""


class SafeSplit(NamedTuple):
    """How many rows from the first on are summarised.

    Attributes:
        rows: how many; 0 where it is not worth it.
        moved_because: why that is less than the rows asked for leave, a sentence each.
        not_worth: why nothing should be compacted; empty if something should.
    """

    rows: int
    moved_because: tuple[str, ...]
    not_worth: str


def safe_split(
    timeline: Timeline,
    nodes: tuple[int, ...],
    keep_last: int,
    group: Callable[[int], str | None] = lambda _event: None,
    named: Named = by_position,
) -> SafeSplit:
    """Our split of a surface: as far back as calls and results stand together.

    Args:
        timeline: whose surface.
        nodes: its rows, in order.
        keep_last: how many rows are kept at least.
        group: the owner's id of the API message that the rows of an event are part of, or None.
        named: how people are told of an event.
    """
    count = len(nodes)
    if count < FEWEST:
        return SafeSplit(0, (), f"nothing worth it: {plural(count, 'row')}, fewer than {FEWEST}")
    wanted = max(0, count - max(1, keep_last))
    rows, moved = _together(timeline, nodes, wanted, named)
    if keep_last < 1:
        moved = (f"{keep_last} rows cannot be kept: the last one always is", *moved)
    rows, moved = _with_messages(timeline, nodes, (rows, moved), group, named)
    if rows <= 1:
        return SafeSplit(0, moved, f"nothing worth it: a split behind row {rows}")
    told = len(summarised(timeline, nodes, rows))
    if told <= 1:
        why = f"of the first {rows} rows {told} would be summarised, the others are the system's"
        return SafeSplit(0, moved, f"nothing worth it: {why}")
    return SafeSplit(rows, moved, "")


def summarised(timeline: Timeline, nodes: Sequence[int], rows: int) -> tuple[int, ...]:
    """Those of the first so many rows for which a summary stands: what the system says is kept."""
    role = timeline.surface.nodes.role
    return tuple(node for node in nodes[:rows] if role(node) is not Role.SYSTEM)


def _together(
    timeline: Timeline, nodes: tuple[int, ...], wanted: int, named: Named
) -> tuple[int, tuple[str, ...]]:
    """The last split up to one that cuts no call from its result and no message of one event."""
    table, pairs = timeline.surface.nodes, timeline.pairs
    place: dict[int, int] = {}
    for at, node in enumerate(nodes):
        place.setdefault(table.origin(node), at)
    moved: list[str] = []
    split = wanted
    at = len(nodes) - 1
    while at >= split > 0:
        event = table.origin(nodes[at])
        first = place[event]
        why = f"{named(event)} is one message"
        if table.kind(nodes[at]) is Kind.TOOL_RESULT:
            call = pairs.call_of(event)
            holder = None if call is None else holder_of(timeline, call)
            if holder is not None and place.get(holder, first) < first:
                first, why = place[holder], f"{named(event)} answers a call of {named(holder)}"
        elif table.kind(nodes[at]) is Kind.TOOL_CALL:
            answer = pairs.result_of(event)
            if answer is not None and place.get(answer, first) < first:
                first, why = place[answer], f"{named(answer)} answers a call of {named(event)}"
        if first < split:
            split = first
            moved.append(f"moved back to row {first}: {why}")
        at -= 1
    return split, tuple(moved)


def _with_messages(
    timeline: Timeline,
    nodes: tuple[int, ...],
    found: tuple[int, tuple[str, ...]],
    group: Callable[[int], str | None],
    named: Named,
) -> tuple[int, tuple[str, ...]]:
    """The last split up to one that cuts no message of the API that several events make up."""
    origin = timeline.surface.nodes.origin
    split, moved = found
    kept: set[str | None] = {group(origin(node)) for node in nodes[split:]}
    kept.discard(None)
    while 0 < split < len(nodes):
        first = split
        for at in range(split - 1, max(-1, split - 1 - _PARTS), -1):
            if group(origin(nodes[at])) in kept:
                first = at
        if first == split:
            break
        again, why = _together(timeline, nodes, first, named)
        event = origin(nodes[first])
        moved = (*moved, f"moved back to row {first}: {named(event)} is part of a message", *why)
        kept.update(name for node in nodes[again:split] if (name := group(origin(node))))
        split = again
    return split, moved


def launching(
    timeline: Timeline,
    nodes: tuple[int, ...],
    told_as: Callable[[int], str] = lambda _event: "",
) -> int | None:
    """The first row that a person wrote: no context, no summary, nothing hidden from them.

    Args:
        timeline: whose surface.
        nodes: its rows, in order.
        told_as: what an event is in the headline, which may tell that no person wrote it.
    """
    table = timeline.surface.nodes
    for node in nodes:
        if (
            table.role(node) is Role.USER
            and table.kind(node) is Kind.MESSAGE
            and not table.meta(node)
            and summary_node(timeline, table.origin(node)) is None
            and told_as(table.origin(node)) not in NOT_SAID
        ):
            return node
    return None
