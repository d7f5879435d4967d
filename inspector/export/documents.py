"""Documents for scripts; their keys are a contract that grows and never changes."""

from collections.abc import Iterator
from typing import Any

from inspector.columns import NEVER
from inspector.export import lives, oddities, pressure, tools
from inspector.export.kin import kin
from inspector.export.usage import usage
from inspector.export.wording import is_silent
from inspector.export.written import dump_list, dumps
from inspector.formats.contract import Place, Tape
from inspector.lenses.prices import Prices
from inspector.text.gate import clean_line
from inspector.text.labels import stamp
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.spans import Span
from inspector.timeline.surface import Row
from inspector.timeline.words import SpanKind, Visibility

__all__ = ["dump_list", "dumps"]

PREVIEW = 200
"""Characters of a preview."""

WORD = 60
"""Characters of the word for what an event is: of an unknown one it is the owner's."""


def tape(opened: Tape) -> dict[str, Any]:
    """What a tape is."""
    identity = opened.identity
    title = opened.timeline.registers.at("title", opened.timeline.events)
    return {
        "id": identity.id,
        "format": identity.format,
        "variant": identity.variant,
        "policy": identity.policy,
        "path": str(identity.path),
        "title": opened.value("title", title) if title else None,
        "events": opened.timeline.events,
        "parent": identity.parent,
        "inherited": identity.inherited,
        "how": identity.how,
        "workspace": identity.workspace,
        "archived": identity.archived,
        "beside": list(identity.beside),
    }


def standing(place: Place) -> dict[str, Any]:
    """Where a record stands; ``file`` only where that is another than the tape's own."""
    document: dict[str, Any] = {"line": place.line, "byte": place.byte, "row": place.row}
    if place.file is not None:
        document["file"] = place.file
    return document


def verdict(opened: Tape) -> dict[str, Any]:
    """What the tape's own agent would do with it."""
    found = opened.verdict()
    return {
        "owner": found.owner,
        "opens": found.opens,
        "reason": found.reason,
        "event": found.event,
    }


def node(opened: Tape, row: Row) -> dict[str, Any]:
    """One row of a surface."""
    nodes = opened.timeline.surface.nodes
    origin = nodes.origin(row.node)
    document: dict[str, Any] = {
        "node": f"{origin}.{nodes.part(row.node)}",
        "event": origin,
        "seq": opened.number(origin),
        "id": opened.message_id(origin),
        "group": opened.group(origin),
        "role": nodes.role(row.node).label,
        "kind": nodes.kind(row.node).label,
        "born": row.born,
        "carried": row.carried,
        "meta": nodes.meta(row.node),
        "silent": nodes.silent(row.node),
        "sources": nodes.sources(row.node),
        "tokens": nodes.tokens[row.node],
        "tokens_estimated": True,
        "preview": clean_line(opened.node_headline(row.node).text, PREVIEW),
    }
    form = nodes.form(row.node)
    if form:
        document["form"] = form.label
    return document


def show(opened: Tape, cursor: int, prices: Prices | None = None) -> dict[str, Any]:
    """Surface, preamble, registers and open spans at a cursor; a price file may tell the window."""
    timeline = opened.timeline
    tokens, estimated = timeline.context(cursor)
    return {
        "tape": tape(opened),
        "kin": kin(opened),
        "cursor": cursor,
        "settled": timeline.settled.at(cursor),
        "reliable_to": timeline.reliable_to,
        "generation": timeline.generation(cursor),
        "messages": timeline.surface.messages(cursor),
        "context": {"tokens": tokens, "tokens_estimated": estimated},
        "usage": usage(opened, cursor),
        "pressure": pressure.document(opened, cursor, prices),
        "surface": [
            {**node(opened, row), **_grounds(opened, row, cursor)} for row in timeline.rows(cursor)
        ],
        "preamble": [
            {
                "part": part.part,
                "event": part.event,
                "tokens": part.tokens,
                "tokens_estimated": True,
                **({"names": tools.names(part)} if part.part == "tools" else {}),
            }
            for part in opened.preamble(cursor)
        ],
        "replacements": list(_replacements(opened, cursor)),
        "state": {
            name: {"value": _value(opened, name, setting), "since": setting.since}
            for name, setting in timeline.registers.state(cursor).items()
            if name != "preamble"
        },
        "open": [
            span_entry(opened, span)
            for kind in SpanKind
            for span in timeline.spans[kind].open_at(cursor)
        ],
        "spans": _spans(opened, cursor),
        "lives": lives.document(opened, cursor),
        **_coverage(opened, cursor),
        "verdict": verdict(opened),
    }


def _grounds(opened: Tape, row: Row, cursor: int) -> dict[str, Any]:
    """On what it rests that a row was seen."""
    found = opened.grounds(opened.timeline.surface.nodes.origin(row.node), cursor)
    return {"evidence": found.grade, "evidence_by": found.by}


def _coverage(opened: Tape, cursor: int) -> dict[str, Any]:
    """How much of a tree the branch reaches; nothing where there are no branches."""
    found = opened.coverage(cursor)
    if found is None:
        return {}
    return {
        "coverage": {
            "records": found.records,
            "on_chain": found.on_chain,
            "visible": found.visible,
            "recovered": found.recovered,
        }
    }


def _value(opened: Tape, name: str, setting: Setting) -> Any:
    value = opened.value(name, setting)
    return list(value) if isinstance(value, tuple) else value


def span_entry(opened: Tape, span: Span) -> dict[str, Any]:
    """A span; ``word`` is its outcome in the owner's words."""
    return {
        "kind": span.kind.label,
        "id": opened.span_id(span),
        "outcome": span.outcome.label,
        "word": span.word,
        "since": span.opened,
    }


def _spans(opened: Tape, cursor: int) -> dict[str, Any]:
    """How many spans ended, by kind and outcome, and the last of those that are worth a look."""
    ended = {
        kind.label: {outcome.label: number for outcome, number in found.items()}
        for kind, spans in opened.timeline.spans.items()
        if (found := spans.ended(cursor))
    }
    last = {
        f"last_{kind.label}": _last(opened, kind, cursor)
        for kind in (SpanKind.COMPACTION, SpanKind.OVERFLOW_RECOVERY)
    }
    return {"ended": ended, **last}


def _last(opened: Tape, kind: SpanKind, cursor: int) -> dict[str, Any] | None:
    spans = opened.timeline.spans[kind]
    last = spans.last(cursor)
    if last is None:
        return None
    span = spans.at(last, cursor)
    entry = {**span_entry(opened, span), "until": span.closed}
    undone = opened.timeline.surface.undone.by(span.opened - 1, cursor)
    return entry if undone is None else {**entry, "word": f"undone by #{undone}"}


def _replacements(opened: Tape, cursor: int) -> Iterator[dict[str, Any]]:
    """What hides what, in the owner's numbers; in positions where the owner numbers nothing.

    A replacement that was undone, or that hides nothing any more of what it hid, is none.
    """
    timeline = opened.timeline
    nodes = timeline.surface.nodes
    for event in timeline.replacing(cursor):
        if not timeline.holds(event, cursor):
            continue
        left = timeline.hides(event, cursor)
        positions = [event, *(nodes.origin(departure.node) for departure in left)]
        numbers = [opened.number(position) for position in positions]
        numbered = None not in numbers
        by, *hidden = numbers if numbered else positions
        yield {
            "event": by,
            "start": hidden[0] if hidden else None,
            "end": hidden[-1] if hidden else None,
            "hidden": hidden,
            "numbered": numbered,
        }


def event(opened: Tape, position: int, cursor: int) -> dict[str, Any]:
    """One event row as of a cursor; ``span`` is the first that the event opened, else ended."""
    timeline = opened.timeline
    headline = opened.headline(position)
    visibility, by = timeline.visibility(position, cursor)
    record = timeline.table.record(position)
    place = opened.place(record)
    made = timeline.surface.nodes.of_event(position)
    spans = timeline.spans_of(position, cursor)
    return {
        "event": position,
        "seq": opened.number(position),
        "id": opened.message_id(position),
        "time": stamp(timeline.table.time(position)),
        "type": timeline.table.type(position),
        "kind": headline.kind if made is None else timeline.surface.nodes.kind(made).label,
        "role": None if made is None else timeline.surface.nodes.role(made).label,
        "word": clean_line(headline.kind, WORD),
        "visibility": visibility.label,
        "by": by,
        "by_seq": None if by is None else opened.number(by),
        "silent": is_silent(timeline, position),
        **standing(place),
        "life": timeline.life(position, cursor).label,
        "span": span_entry(opened, spans[0]) if spans else None,
        "preview": clean_line(headline.text, PREVIEW),
    }


def events(
    opened: Tape,
    start: int,
    stop: int,
    cursor: int,
    kind: str | None = None,
    visibility: Visibility | None = None,
) -> Iterator[dict[str, Any]]:
    """The event rows between two cursors, as of a third, of one type or visibility if told."""
    timeline = opened.timeline
    for position in range(start, stop):
        if kind is not None and timeline.table.type(position) != kind:
            continue
        if visibility is not None and timeline.visibility(position, cursor)[0] is not visibility:
            continue
        yield event(opened, position, cursor)


def finding(opened: Tape, found: Finding) -> dict[str, Any]:
    """One finding with its place."""
    place = Place(None, None, None)
    record = found.record
    if record is None and found.event is not None and found.event != NEVER:
        record = opened.timeline.table.record(found.event)
    if record is not None:
        place = opened.place(record)
    return {
        "code": found.kind.code,
        "severity": found.kind.severity.value,
        **standing(place),
        "event": found.event,
        "message": clean_line(found.message, 1_000),
        "effect": found.kind.effect,
    }


def check(opened: Tape) -> dict[str, Any]:
    """Findings, sums and verdict; reads the tape once more, for what readers lose in silence."""
    return {
        "path": str(opened.identity.path),
        "tape": tape(opened),
        "kin": kin(opened),
        "reliable_to": opened.timeline.reliable_to,
        "sums": opened.sums().as_dict(),
        "findings": [
            *(finding(opened, found) for found in opened.findings()),
            *oddities.findings(opened),
        ],
        "verdict": verdict(opened),
    }
