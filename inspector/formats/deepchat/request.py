"""What the owner would send as history: every row of the surface, and what becomes of it (C)."""

from collections.abc import Callable, Iterator
from typing import Any

from inspector.formats.contract import RequestEntry
from inspector.formats.deepchat.context.checkpoint import Checkpoint, checkpoint_of
from inspector.formats.deepchat.context.messages import BuildBreaks, Sent, messages_of
from inspector.formats.deepchat.context.records import (
    Record,
    left_out,
    metadata_of,
    record_of,
)
from inspector.formats.deepchat.vocabulary import ANCHOR
from inspector.timeline.timeline import Timeline

_QUOTED = "quoted as a message of the user"


def request(
    timeline: Timeline,
    cursor: int,
    payload: Callable[[int], dict[str, Any]],
    beside: Checkpoint | None,
) -> list[RequestEntry]:
    """The request at a cursor.

    Args:
        timeline: of the tape.
        cursor: which.
        payload: reads the row of an event.
        beside: a summary that is not on the tape and counts as long as no anchor is.
    """
    nodes = timeline.surface.nodes
    rows = [(row.node, payload(nodes.origin(row.node))) for row in timeline.rows(cursor)]
    if timeline.registers.at("checkpoint", cursor) is not None:
        beside = None
    try:
        return list(_entries(rows, beside))
    except BuildBreaks as breaks:
        return [_unsent(node, row, breaks) for node, row in rows]


def _entries(
    rows: list[tuple[int, dict[str, Any]]], beside: Checkpoint | None
) -> Iterator[RequestEntry]:
    if beside is not None and beside.text:
        why = "the summary stands in deepchat_sessions, not on the tape"
        yield RequestEntry(None, "added", "message", "user", beside.text, None, why)
    for node, row in rows:
        record = record_of(row.get("payload", {}))
        if isinstance(record, str):
            yield from _checkpoint(node, row)
        elif beside is not None and record.order < beside.cursor:
            why = "it stands before the summary in deepchat_sessions"
            yield RequestEntry(node, "dropped", role=record.role, why=why)
        else:
            yield from _message(node, record)


def _checkpoint(node: int, row: dict[str, Any]) -> Iterator[RequestEntry]:
    payload = row.get("payload", {})
    if row.get("kind") == ANCHOR:
        found = checkpoint_of(row.get("name") or "", payload)
    else:
        found = of_settings(payload)
    yield RequestEntry(node, "altered", "message", "user", found.text, None, _QUOTED)


def of_settings(column: dict[str, Any]) -> Checkpoint:
    """What the columns of ``deepchat_sessions`` decide where no anchor does."""
    state = {
        "cursorOrderSeq": column.get("summary_cursor_order_seq"),
        "summary": column.get("summary_text"),
    }
    return checkpoint_of("", {"state": state})


def _message(node: int, record: Record) -> Iterator[RequestEntry]:
    why = left_out(record, metadata_of(record))
    if why is not None:
        yield RequestEntry(node, "dropped", role=record.role, why=why)
        return
    sent = messages_of(record)
    if not sent:
        yield RequestEntry(node, "dropped", role=record.role, why="it has nothing to say")
    for message in sent:
        yield from _sent(node, message)


def _sent(node: int, message: Sent) -> Iterator[RequestEntry]:
    kind = "message" if message.call_id is None else "tool_result"
    yield RequestEntry(node, None, kind, message.role, message.text, message.call_id)
    for call in message.calls:
        text = f"{call.name} {call.arguments}"
        yield RequestEntry(node, None, "tool_call", message.role, text, call.id)


def _unsent(node: int, row: dict[str, Any], breaks: BuildBreaks) -> RequestEntry:
    """A row of a context that cannot be built."""
    record = record_of(row.get("payload", {}))
    why = f"no request can be built: {breaks} of another message"
    role = None
    if not isinstance(record, str):
        role = record.role
        try:
            if left_out(record, metadata_of(record)) is None:
                messages_of(record)
        except BuildBreaks as own:
            why = f"no request can be built: {own}"
    return RequestEntry(node, "dropped", role=role, why=why)
