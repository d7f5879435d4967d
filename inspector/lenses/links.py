"""What an event has to do with others beside the surface: the message that holds it, its copies."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Result
from inspector.lenses.audit import summary_at
from inspector.lenses.difference import around
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Role, SpanKind

_LOOKED_AT: Final = 64
"""Rows, or spans of calls, on each side that are looked through."""

_READ: Final = 6
"""Messages on each side that are read."""


@dataclass(frozen=True, slots=True)
class Links:
    """The events to which one leads.

    Attributes:
        inside: whose message holds the call or the result that the event tells of apart from it.
        is_result: whether that is a result.
        calls: the events that tell apart of the calls which its message makes.
        tells_again: the earlier event that told the same, word for word.
        told_again: the later events that tell the same.
        compaction: what brought the summary, or the shorter form, of the compaction or prune that
            it is a part of and does not do itself.
    """

    inside: int | None = None
    is_result: bool = False
    calls: tuple[int, ...] = ()
    tells_again: int | None = None
    told_again: tuple[int, ...] = ()
    compaction: int | None = None


def links(tape: Tape, event: int, cursor: int) -> Links:
    """The events to which one that is folded at a cursor leads.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = tape.timeline
    again = timeline.retellings
    made = timeline.surface.nodes.of_event(event)
    inside, is_result = (None, False) if made is not None else _holder(tape, event, cursor)
    done = _done_by(timeline, event) if made is None and inside is None else None
    return Links(
        inside,
        is_result,
        () if made is None else tuple(_calls(tape, event, cursor)),
        again.of(event),
        tuple(one for one in again.all_of(event) if one < cursor),
        done if done is not None and done < cursor else None,
    )


def _done_by(timeline: Timeline, event: int) -> int | None:
    """The event that does what this one begins, announces or ends; None if it does that itself."""
    summary = summary_at(timeline, event)
    if summary is None:
        span = around(timeline, event)
        if span is not None and timeline.is_replacement(span[1] - 1):
            summary = span[1] - 1
    return None if summary == event else summary


def _holder(tape: Tape, event: int, cursor: int) -> tuple[int | None, bool]:
    """The message of the assistant near an event that holds the call or the result it tells of."""
    parts = tape.parts(event)
    calls = {part.id for part in parts if isinstance(part, Call) and part.id is not None}
    results = {part.call for part in parts if isinstance(part, Result) and part.call is not None}
    if not (calls or results):
        return None, False
    for message in _messages(tape, event, cursor):
        held = tape.parts(message)
        if calls & {part.id for part in held if isinstance(part, Call)}:
            return message, False
        if results & {part.call for part in held if isinstance(part, Result)}:
            return message, True
    return None, False


def _messages(tape: Tape, event: int, cursor: int) -> Iterator[int]:
    """The messages of the assistant around an event, those before it first, the nearest first."""
    nodes = tape.timeline.surface.nodes
    node = bisect_right(nodes.born, event + 1)
    for side in (
        range(node - 1, max(-1, node - 1 - _LOOKED_AT), -1),
        range(node, min(len(nodes), node + _LOOKED_AT)),
    ):
        found = dict.fromkeys(
            nodes.origin(one)
            for one in side
            if nodes.role(one) is Role.ASSISTANT and nodes.born[one] <= cursor
        )
        yield from list(found)[:_READ]


def _calls(tape: Tape, event: int, cursor: int) -> Iterator[int]:
    """The events without a row that tell of the calls which a message makes."""
    nodes, spans = tape.timeline.surface.nodes, tape.timeline.spans[SpanKind.TOOL_CALL]
    node = nodes.of_event(event)
    if not len(spans) or node is None or nodes.role(node) is not Role.ASSISTANT:
        return
    wanted = {part.id for part in tape.parts(event) if isinstance(part, Call)} - {None}
    last = spans.last(event + 1)
    start = 0 if last is None else last + 1
    if not wanted:
        return
    for number in range(max(0, start - _LOOKED_AT), min(len(spans), start + _LOOKED_AT)):
        span = spans[number]
        told = span.opened - 1
        if span.opened > cursor or nodes.of_event(told) is not None:
            continue
        if tape.span_id(span) in wanted:
            yield told
