"""Which calls and results of a surface stand apart, told by pairs and intervals first."""

from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Result
from inspector.lenses.holding import holder_of
from inspector.plans.views import is_summary
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Outcome, Role, SpanKind

_LOOKED_AT: Final = 256
"""Rows behind a call that are looked through for its result."""


class Apart(NamedTuple):
    """The nodes that lack the other half.

    Attributes:
        orphans: results whose call is on the tape, and not on the surface; by an owner's own rule
            all that answer no call of the surface.
        strays: results of a call that nobody made.
        dangling: those that make a call whose result is not on the surface.
    """

    orphans: list[int]
    strays: list[int]
    dangling: list[int]


def apart(tape: Tape, nodes: Sequence[int]) -> Apart:
    """What of a surface is not paired.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    own = tape.planner().unpaired(nodes) if nodes else None
    if own is not None:
        return Apart(own.results, [], own.calls)
    places = _places(tape.timeline, nodes)
    orphans, strays = _alone(tape.timeline, nodes, places)
    suspects = sorted(_suspects(tape.timeline, nodes, places))
    dangling = [nodes[at] for at in suspects if _is_dangling(tape, nodes, at, places)]
    return Apart(orphans, strays, dangling)


def _places(timeline: Timeline, nodes: Sequence[int]) -> dict[int, int]:
    """Where each event that a surface tells of stands first."""
    places: dict[int, int] = {}
    for at, node in enumerate(nodes):
        for event in _tells(timeline, node):
            places.setdefault(event, at)
    return places


def _tells(timeline: Timeline, node: int) -> list[int]:
    """The events that a node tells of: its origin, and those that it shows in another form.

    A result may name the call that it answers, and does not show it.
    """
    table, pairs = timeline.surface.nodes, timeline.pairs
    named = table.sources(node)
    if named and is_summary(timeline, node):
        named = []
    elif table.kind(node) is Kind.TOOL_RESULT:
        named = [event for event in named if pairs.result_of(event) is None]
    return [table.origin(node), *named]


def orphans_of(tape: Tape, nodes: Sequence[int]) -> list[int]:
    """The orphans of a surface, see `Apart`."""
    own = tape.planner().unpaired(nodes) if nodes else None
    if own is not None:
        return own.results
    return _alone(tape.timeline, nodes, _places(tape.timeline, nodes))[0]


def _alone(
    timeline: Timeline, nodes: Sequence[int], places: dict[int, int]
) -> tuple[list[int], list[int]]:
    table, pairs = timeline.surface.nodes, timeline.pairs
    orphans: list[int] = []
    strays: list[int] = []
    for node in nodes:
        if table.kind(node) is not Kind.TOOL_RESULT:
            continue
        calls = [
            call for event in _tells(timeline, node) if (call := pairs.call_of(event)) is not None
        ]
        if not calls:
            strays.append(node)
        elif not any(holder_of(timeline, call) in places for call in calls):
            orphans.append(node)
    return orphans, strays


def _suspects(timeline: Timeline, nodes: Sequence[int], places: dict[int, int]) -> set[int]:
    """The places of rows that may make a call without a result on the surface.

    Those whose calls are not over or ended without a row, and the last answer: where a writer
    stopped, its calls may not have been told apart from it yet.
    """
    table = timeline.surface.nodes
    found: set[int] = set()
    spans = timeline.spans[SpanKind.TOOL_CALL]
    for span in map(spans.__getitem__, range(len(spans))):
        answer = None if span.closed is None else span.closed - 1
        if answer is None or (answer not in places and _has_row(timeline, answer, span.outcome)):
            holder = holder_of(timeline, span.opened - 1)
            if holder in places:
                found.add(places[holder])
    for at in range(len(nodes) - 1, -1, -1):
        if table.role(nodes[at]) is Role.ASSISTANT:
            found.add(at)
            break
    for at, node in enumerate(nodes):
        if table.kind(node) is Kind.TOOL_CALL:
            answer = timeline.pairs.result_of(table.origin(node))
            if answer is None or answer not in places:
                found.add(at)
    return found


def _has_row(timeline: Timeline, answer: int, outcome: Outcome) -> bool:
    """Whether a call that is over should have its answer on the surface.

    Some agents tell of the end of a call in an event that makes no row.
    """
    return outcome is Outcome.INTERRUPTED or timeline.surface.nodes.of_event(answer) is not None


def _is_dangling(tape: Tape, nodes: Sequence[int], at: int, places: dict[int, int]) -> bool:
    """Whether a row makes a call that neither it nor the rows behind it answer.

    A result may stand before its call, where the format pairs the two.
    """
    timeline = tape.timeline
    table = timeline.surface.nodes
    event = table.origin(nodes[at])
    parts = tape.parts(event)
    waiting = {part.id for part in parts if isinstance(part, Call)}
    waiting -= {part.call for part in parts if isinstance(part, Result)}
    early = timeline.pairs.result_of(event)
    if early is not None and early < event and early in places:
        waiting -= {part.call for part in tape.parts(early) if isinstance(part, Result)}
    for node in nodes[at + 1 : at + 1 + _LOOKED_AT]:
        if not waiting:
            return False
        if table.kind(node) is Kind.TOOL_RESULT:
            for answer in _tells(timeline, node):
                told = {part.call for part in tape.parts(answer) if isinstance(part, Result)}
                if not _is_anothers(tape, answer, event, waiting & told):
                    waiting -= told
    return bool(waiting)


def _is_anothers(tape: Tape, answer: int, event: int, names: Set[str | None]) -> bool:
    """Whether an answer is that of a later call, which bears the id of an earlier one too."""
    call = tape.timeline.pairs.call_of(answer) if names else None
    holder = None if call is None else holder_of(tape.timeline, call)
    if holder is None or holder <= event:
        return False
    return any(isinstance(part, Call) and part.id in names for part in tape.parts(holder))
