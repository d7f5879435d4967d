"""All that an open tape tells of its session, as plain values, whatever file it is kept in."""

from typing import Any

from inspector.formats.contract import Tape
from inspector.timeline.words import Mark, SpanKind


def of_events(tape: Tape) -> list[dict[str, Any]]:
    """Every event: what it is, what it holds and what became of it."""
    timeline = tape.timeline
    return [
        {
            "type": timeline.table.type(event),
            "time": timeline.table.time(event),
            "number": tape.number(event),
            "payload": tape.payload(event),
            "headline": tape.headline(event),
            "sections": tape.sections(event),
            "message": tape.message_id(event),
            "visibility": timeline.visibility(event, timeline.events),
            "rejected": timeline.is_rejected(event),
            "call": timeline.pairs.call_of(event),
        }
        for event in range(timeline.events)
    ]


def of_cursors(tape: Tape) -> list[dict[str, Any]]:
    """Every cursor: what stands there."""
    timeline = tape.timeline
    return [
        {
            "rows": timeline.rows(cursor),
            "count": timeline.count(cursor),
            "tokens": timeline.tokens(cursor),
            "messages": timeline.surface.messages(cursor),
            "generation": timeline.generation(cursor),
            "settled": timeline.settled.at(cursor),
            "context": timeline.context(cursor),
            "preamble": tape.preamble(cursor),
            "registers": {
                name: (tape.value(name, setting), setting.since)
                for name, setting in timeline.registers.state(cursor).items()
            },
        }
        for cursor in range(timeline.events + 1)
    ]


def of_session(tape: Tape) -> dict[str, Any]:
    """The session as a whole, but for the file and what is wrong with it as a file."""
    timeline = tape.timeline
    identity = tape.identity
    return {
        "identity": (identity.id, identity.created, identity.cwd, identity.parent),
        "inherited": identity.inherited,
        "events": timeline.events,
        "reliable": timeline.reliable_to,
        "stopped": timeline.stopped_at,
        "marks": {mark: list(timeline.marks.events(mark)) for mark in Mark},
        "spans": {
            kind: [(spans[at], tape.span_id(spans[at])) for at in range(len(spans))]
            for kind, spans in timeline.spans.items()
        },
        "kinds": set(timeline.spans) == set(SpanKind),
        "usage": [timeline.usage[at] for at in range(len(timeline.usage))],
        "side": [timeline.side_usage[at] for at in range(len(timeline.side_usage))],
        "kin": timeline.kin,
        "sources": [
            timeline.surface.nodes.sources(node) for node in range(len(timeline.surface.nodes))
        ],
    }


def same_session(one: Tape, other: Tape) -> None:
    """Assert that two tapes tell the same session."""
    left_session, right_session = of_session(one), of_session(other)
    for question, answer in left_session.items():
        assert answer == right_session[question], question
    for event, (left, right) in enumerate(zip(of_events(one), of_events(other), strict=True)):
        assert left == right, event
    for cursor, (left, right) in enumerate(zip(of_cursors(one), of_cursors(other), strict=True)):
        assert left == right, cursor
