"""Databases as DeepChat keeps them, with rows that a test chooses."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.timeline.words import SpanKind
from tests.folding import fold_on

SCHEMA = """
CREATE TABLE schema_versions(version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL);
INSERT INTO schema_versions VALUES (64, 1786435200000);
CREATE TABLE new_sessions (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, title TEXT NOT NULL,
  project_dir TEXT, session_kind TEXT NOT NULL DEFAULT 'regular', parent_session_id TEXT,
  subagent_meta_json TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE deepchat_sessions (id TEXT PRIMARY KEY, provider_id TEXT NOT NULL,
  model_id TEXT NOT NULL, permission_mode TEXT NOT NULL DEFAULT 'full_access', system_prompt TEXT,
  context_length INTEGER, summary_text TEXT, summary_cursor_order_seq INTEGER NOT NULL DEFAULT 1,
  summary_updated_at INTEGER);
CREATE TABLE deepchat_messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
  order_seq INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
  status TEXT DEFAULT 'pending', is_context_edge INTEGER DEFAULT 0, metadata TEXT DEFAULT '{}',
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE deepchat_assistant_blocks (message_id TEXT NOT NULL, block_index INTEGER NOT NULL,
  block_type TEXT NOT NULL, status TEXT NOT NULL, text_content TEXT, tool_call_id TEXT,
  tool_name TEXT, tool_params TEXT, tool_response TEXT, updated_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, block_index));
CREATE TABLE deepchat_tape_entries (
  session_id TEXT NOT NULL, entry_id INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT,
  source_type TEXT, source_id TEXT, source_seq INTEGER, provenance_key TEXT,
  payload_json TEXT NOT NULL DEFAULT '{}', meta_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL, PRIMARY KEY (session_id, entry_id));
"""

KINDS = ("anchor", "event", "message", "tool_call", "tool_result")

SESSION = "s"
START = 1_786_435_200_000

Folded = Callable[..., Tape]
"""Makes a tape of rows, with a policy as a second argument perhaps."""


class Entry(NamedTuple):
    """A row of the tape without its place; ``payload`` and ``meta`` are JSON texts."""

    kind: str
    name: str | None
    payload: str
    meta: str = "{}"
    source: tuple[str | None, str | None, int | None] = (None, None, None)


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def message(
    identity: str,
    order: float,
    text: str = "",
    *,
    role: str = "user",
    status: str = "sent",
    metadata: Any = "{}",
    **meta: Any,
) -> Entry:
    """A message of one text, as its role keeps it."""
    content: Any = {"text": text} if role == "user" else [{"type": "content", "content": text}]
    return record(identity, order, written(content), role, status, metadata, **meta)


def record(
    identity: Any,
    order: Any,
    content: Any,
    role: str = "assistant",
    status: Any = "sent",
    metadata: Any = "{}",
    **meta: Any,
) -> Entry:
    """A message with this content."""
    value = {
        "id": identity,
        "sessionId": SESSION,
        "orderSeq": order,
        "role": role,
        "content": content,
        "status": status,
        "metadata": metadata,
        "createdAt": START,
        "updatedAt": START,
    }
    payload = written({"record": value})
    return Entry("message", f"message/{role}", payload, written(meta), ("message", identity, 0))


def event(name: str, data: Any = None, **meta: Any) -> Entry:
    return Entry("event", name, written({"name": name, "data": data or {}}), written(meta))


def anchor(name: str, **state: Any) -> Entry:
    return Entry("anchor", name, written({"name": name, "state": state}))


def retracted(identity: str) -> Entry:
    return event("message/retracted", {"messageId": identity, "reason": "message_deleted"})


def call(of: str, identity: str, tool: str = "read", status: str = "success") -> Entry:
    said = {"id": identity, "name": tool, "params": '{"path":"a.py"}'}
    payload = {"messageId": of, "orderSeq": 1, "toolCall": said}
    return Entry("tool_call", tool, written(payload), written({"status": status}))


def result(of: str, identity: str, response: str = "done", status: str = "success") -> Entry:
    payload = {"messageId": of, "orderSeq": 1, "toolCallId": identity, "response": response}
    return Entry("tool_result", "read", written(payload), written({"status": status}))


def append(path: Path, entries: Iterable[Entry], session: str = SESSION, first: int = 1) -> None:
    """Write rows behind those that are there, with the number ``first`` where there are none."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        (last,) = connection.execute(
            "SELECT max(entry_id) FROM deepchat_tape_entries WHERE session_id = ?", (session,)
        ).fetchone()
        number = first if last is None else last + 1
        connection.executemany(
            "INSERT INTO deepchat_tape_entries VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            [
                (
                    *(session, at, entry.kind, entry.name, *entry.source, None),
                    *(entry.payload, entry.meta, START + 1_000 * at),
                )
                for at, entry in enumerate(entries, number)
            ],
        )
    connection.close()


def made(path: Path, entries: Iterable[Entry] = (), session: str = SESSION, first: int = 1) -> Path:
    """A database with one tape."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.executescript(SCHEMA)
    connection.close()
    append(path, entries, session, first)
    return path


def execute(path: Path, sql: str, *parameters: Any) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(sql, parameters)
    connection.close()


def fold(path: Path, session: str | None = None, policy: str | None = None) -> Tape:
    tape = open_tape(path, Options(session=session, policy=policy))
    return fold_on(tape)


# What a tape says, for comparing.


def surface(tape: Tape, cursor: int) -> list[int]:
    """The events of the surface at a cursor."""
    nodes = tape.timeline.surface.nodes
    return [nodes.origin(row.node) for row in tape.timeline.rows(cursor)]


def visibilities(tape: Tape, cursor: int | None = None) -> list[str]:
    upto = tape.timeline.events if cursor is None else cursor
    return [tape.timeline.visibility(event, upto)[0].label for event in range(upto)]


def codes(tape: Tape) -> list[str]:
    return [finding.kind.code for finding in tape.findings()]


def spans(tape: Tape, kind: SpanKind) -> list[tuple[int, int | None, str, str | None]]:
    """Opened, closed, outcome and the owner's word."""
    table = tape.timeline.spans[kind]
    found = [table[number] for number in range(len(table))]
    return [(span.opened, span.closed, span.outcome.label, span.word) for span in found]
