"""Compactions that are written into another log: start, summary, checkpoint, end (page 7.4).

Of brackets behind a cut only what the owner needs is copied: not the turn and the command that they
were written in, nor what their request cost, which is told in their own log, and no unknown keys.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from inspector.formats.dsh.planning.copying import record_texts, replacing
from inspector.formats.dsh.planning.kept import Kept
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.texts import event_line, value_of
from inspector.formats.dsh.telling.triggers import bracket_around
from inspector.formats.viewing import compacted
from inspector.tape.jsonmembers import Members, joined, members
from inspector.text.jsontext import json_bytes
from inspector.timeline.timeline import Timeline

SUMMARY: Final = "compaction/summary"

_OF_SUMMARY: Final = ("compactionId", "summary", "provider", "model", "maxTokens")
_OF_CHECKPOINT: Final = ("id", "role", "content", "source")
_OF_SOURCE: Final = ("kind", "plugin", "compactionId")
"""Keys that travel (page 7.4). Those of the request and of a command are in the log that is copied
from; what the owner does not know may tell of what is behind the cut.
"""

_NEAR: Final = 1_000
"""Events before a checkpoint among which its summary is looked for; it is written just before."""


class Bracket(NamedTuple):
    """A compaction to be written.

    Attributes:
        identity: its id, as JSON.
        hidden: the numbers of the rows that it takes the place of, in order.
        tokens: how many they have.
        summary: data of the summary but for what it hides; None where there is no such event.
        checkpoint: data of the message that stands there instead.
    """

    identity: bytes
    hidden: Sequence[int]
    tokens: int
    summary: Members | None
    checkpoint: bytes


def bracket_lines(bracket: Bracket, number: int, time: int, version: int) -> list[bytes]:
    """The events of a compaction outside a turn, from a number on."""
    names = {"compactionId": bracket.identity}
    edge = joined({**names, "turn": b"null"})
    lines = [event_line("compaction/start", number, time, edge)]
    if bracket.summary is not None:
        shadows = {
            "shadowedRange": {"start": bracket.hidden[0], "end": bracket.hidden[-1]},
            "shadowedSeqs": list(bracket.hidden),
            "shadowedTokenCount": bracket.tokens,
        }
        told = {**names, **bracket.summary}
        told |= {name: json_bytes(value) for name, value in shadows.items()}
        lines.append(event_line(SUMMARY, number + 1, time, joined(told)))
    checkpoint = number + len(lines)
    sources = [*range(number, checkpoint), *bracket.hidden]
    lines.append(
        event_line(
            "user/message",
            checkpoint,
            time,
            bracket.checkpoint,
            sourceEventSeqs=json_bytes(sources),
            surfaceOp=json_bytes(replacing(bracket.hidden, version)),
        )
    )
    lines.append(event_line("compaction/end", checkpoint + 1, time, edge))
    return lines


def later_brackets(material: Material, kept: Kept) -> Iterator[Bracket]:
    """The compactions behind a cut whose summaries stand on the surface of the head before it.

    Their rows are those that they come to in the end: what an earlier one of them summarised is
    hidden as it was.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = material.timeline
    taken = compacted(timeline, kept.cut)
    if isinstance(taken, str):
        return
    nodes = timeline.surface.nodes
    rows = [row.node for row in timeline.rows(kept.cut)]
    place = {node: at for at, node in enumerate(rows)}
    for node in taken:
        if nodes.origin(node) < kept.cut:
            continue
        covered = sorted(_leaves(timeline, node, place))
        hidden = rows[covered[0] : covered[-1] + 1]
        numbers = [kept.number(nodes.origin(row)) for row in hidden]
        tokens = sum(nodes.tokens[row] for row in hidden)
        yield _copied(material, nodes.origin(node), numbers, tokens)


def _leaves(timeline: Timeline, node: int, place: dict[int, int]) -> Iterator[int]:
    """Where the rows of a cut stood that a node took the place of, through others."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if found in place:
            yield place[found]
            continue
        event = timeline.surface.nodes.origin(found)
        waiting += (left.node for left in timeline.changes(event, event + 1).left)


def _copied(material: Material, event: int, hidden: Sequence[int], tokens: int) -> Bracket:
    checkpoint = _data(material, event)
    source = _only(members(checkpoint["source"]), _OF_SOURCE)
    start = bracket_around(material.timeline, event)
    opening = {} if start is None else _data(material, start)
    identity = source.get("compactionId") or opening.get("compactionId")
    summary = None
    if start is not None and identity is not None:
        summary = _summary_of(material, range(max(start, event - _NEAR), event), value_of(identity))
    return Bracket(
        json_bytes(f"compaction-of-{event}") if identity is None else identity,
        hidden,
        tokens,
        None if summary is None else _only(summary, _OF_SUMMARY),
        joined({**_only(checkpoint, _OF_CHECKPOINT), "source": joined(source)}),
    )


def _only(found: Members, names: Sequence[str]) -> Members:
    return {name: value for name, value in found.items() if name in names}


def _summary_of(material: Material, events: range, identity: object) -> Members | None:
    """The data of the last summary of a compaction among some events, or None."""
    for event in reversed(events):
        if material.timeline.table.type(event) == SUMMARY:
            data = _data(material, event)
            if value_of(data.get("compactionId", b"null")) == identity:
                return data
    return None


def _data(material: Material, event: int) -> Members:
    """The members of an event's data, as they are kept."""
    table = material.timeline.table
    texts = record_texts(material, table.record(event))
    return members(texts[table.member(event)].get("data", b"null"))
