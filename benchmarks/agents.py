"""Invented sessions of other agents, of any length: their logs' lines, and one database's rows.

All have turns of a question, some calls with results and an answer, and compactions now and then.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.sessions import START, Event

SESSION: Final = "5a5a5a5a-0000-4000-8000-000000000003"

LENGTH: Final = 200_000
"""Events of a tape at the most."""

ENTRIES: Final = "SELECT entry_id, name, payload_json FROM deepchat_tape_entries ORDER BY entry_id"
"""All rows of the database's only session."""

_COMPACT_EVERY: Final = 500
"""Turns between two compactions."""

_BRANCH_EVERY: Final = 100
_SPARED: Final = 8
_TEXT: Final = "The assertion compares a wall clock with a frozen one; share the fixture. " * 6
_OUTPUT: Final = "tests/auth/test_session.py::test_expiry PASSED  [ 41%]  0.03s setup\n" * 12


def _time(number: int) -> str:
    moment = datetime.fromtimestamp((START + number * 7) / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


def zero() -> Iterator[Event]:
    """Events of Zero; its compactions list what they stand for."""
    listed: list[Event] = []
    through = 0
    numbers = count(1)

    def event(kind: str, payload: Event) -> Event:
        number = next(numbers)
        stub = {
            "id": f"{SESSION}:{number}",
            "sequence": number,
            "type": kind,
            "createdAt": _time(number),
        }
        listed.append(stub)
        return {**stub, "sessionId": SESSION, "payload": payload}

    for turn in count(1):
        yield event("message", {"role": "user", "content": f"{turn}: {_TEXT}"})
        for step in range(3):
            call = f"call-{turn}-{step}"
            arguments = orjson.dumps({"command": "pytest"}).decode()
            yield event("tool_call", {"id": call, "name": "bash", "arguments": arguments})
            result = {"toolCallId": call, "name": "bash", "status": "ok", "output": _OUTPUT}
            yield event("tool_result", result)
        yield event("message", {"role": "assistant", "content": _TEXT})
        if turn % _COMPACT_EVERY == 0:
            folded, kept = listed[through:-_SPARED], listed[-_SPARED:]
            through = len(listed) - _SPARED
            payload = {
                "summary": _TEXT,
                "preserveLast": _SPARED,
                "compactableCount": len(folded),
                "preservedCount": len(kept),
                "compactedThroughEventId": folded[-1]["id"],
                "compactedThroughSequence": folded[-1]["sequence"],
                "compactableEvents": list(folded),
                "preservedEvents": kept,
            }
            yield event("session_compaction", payload)


def claude() -> Iterator[Event]:
    """Records of Claude Code: a long line, a branch now and then, boundaries with summaries."""
    numbers = count(1)
    parent: str | None = None

    def record(kind: str, above: str | None, **more: Any) -> Event:
        number = next(numbers)
        return {
            "parentUuid": above,
            "isSidechain": False,
            "cwd": "/work/demo",
            "sessionId": SESSION,
            "version": "2.1.220",
            "type": kind,
            **more,
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "timestamp": _time(number),
        }

    for turn in count(1):
        forked = parent
        for branch in range(2 if turn % _BRANCH_EVERY == 0 else 1):
            parent = forked
            for line in _claude_turn(f"{turn}-{branch}"):
                made = record(line.pop("type"), parent, **line)
                parent = made["uuid"]
                yield made
        if turn % _COMPACT_EVERY == 0:
            about = {"trigger": "auto", "preTokens": 160_000}
            boundary = record(
                "system",
                None,
                subtype="compact_boundary",
                content="Conversation compacted",
                logicalParentUuid=parent,
                compactMetadata=about,
            )
            yield boundary
            words = {"role": "user", "content": f"This session is being continued. {_TEXT}"}
            made = record("user", boundary["uuid"], message=words, isCompactSummary=True)
            parent = made["uuid"]
            yield made


def _claude_turn(turn: str) -> Iterator[Event]:
    yield {"type": "user", "message": {"role": "user", "content": f"{turn}: {_TEXT}"}}
    for step in range(3):
        call = f"toolu_{turn}_{step}"
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "pytest"}}
        yield {"type": "assistant", "message": _claude_answer(f"{turn}-{step}", use)}
        result = {"type": "tool_result", "tool_use_id": call, "content": _OUTPUT}
        yield {"type": "user", "message": {"role": "user", "content": [result]}}
    said = {"type": "text", "text": _TEXT}
    yield {"type": "assistant", "message": _claude_answer(f"{turn}-last", said)}


def _claude_answer(name: str, block: Event) -> Event:
    return {
        "id": f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "model": "model",
        "content": [block],
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 9_000, "output_tokens": 80},
    }


def codex() -> Iterator[Event]:
    """Records of Codex behind its header; a compaction says what the history is from then on."""
    numbers = count()

    def record(kind: str, payload: Event) -> Event:
        return {"timestamp": _time(next(numbers)), "type": kind, "payload": payload}

    def message(role: str, text: str) -> Event:
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    about = {"id": SESSION, "timestamp": _time(0), "cwd": "/work/demo", "cli_version": "0.171.0"}
    yield record("session_meta", {**about, "originator": "codex_cli_rs", "source": "cli"})
    for turn in count(1):
        name = f"turn-{turn}"
        yield record("event_msg", {"type": "task_started", "turn_id": name})
        asked = message("user", f"{turn}: {_TEXT}")
        yield record("response_item", asked)
        for step in range(3):
            call = {"call_id": f"call-{turn}-{step}"}
            made = {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}'}
            yield record("response_item", {**made, **call})
            yield record(
                "response_item", {"type": "function_call_output", **call, "output": _OUTPUT}
            )
        yield record("response_item", message("assistant", _TEXT))
        if turn % _COMPACT_EVERY == 0:
            history = [asked, message("user", f"Another language model started. {_TEXT}")]
            yield record("compacted", {"message": _TEXT, "replacement_history": history})
        yield record("event_msg", {"type": "task_complete", "turn_id": name})


LOGS: Final[dict[str, tuple[Callable[[], Iterator[Event]], int]]] = {
    "zero": (zero, 0),
    "claude": (claude, 0),
    "codex": (codex, 1),
}
"""The lines of every log, and how many of its first are no events."""


def write_log(path: Path, name: str, events: int) -> None:
    """Write a log of so many events."""
    lines, before = LOGS[name]
    with path.open("wb") as file:
        for line in islice(lines(), before + events):
            file.write(orjson.dumps(line) + b"\n")


_SCHEMA: Final = """
CREATE TABLE new_sessions (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, title TEXT NOT NULL, project_dir TEXT,
    session_kind TEXT NOT NULL DEFAULT 'regular', parent_session_id TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE deepchat_sessions (
    id TEXT PRIMARY KEY, provider_id TEXT NOT NULL, model_id TEXT NOT NULL
);
CREATE TABLE deepchat_messages (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL, order_seq INTEGER NOT NULL, role TEXT NOT NULL,
    content TEXT NOT NULL, status TEXT DEFAULT 'pending', is_context_edge INTEGER DEFAULT 0,
    metadata TEXT DEFAULT '{}', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE deepchat_tape_entries (
    session_id TEXT NOT NULL, entry_id INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT,
    source_type TEXT, source_id TEXT, source_seq INTEGER, provenance_key TEXT,
    payload_json TEXT NOT NULL DEFAULT '{}', meta_json TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, entry_id)
);
CREATE TABLE schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL);
INSERT INTO schema_versions VALUES (64, 0);
"""


def write_database(path: Path, events: int) -> None:
    """Write a DeepChat database with one session of so many rows."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_SCHEMA)
        session = (SESSION, "deepchat", "Generated", "/work/demo", START, START)
        connection.execute(
            "INSERT INTO new_sessions VALUES (?, ?, ?, ?, 'regular', NULL, ?, ?)", session
        )
        connection.execute("INSERT INTO deepchat_sessions VALUES (?, 'openai', 'model')", [SESSION])
        connection.executemany(
            "INSERT INTO deepchat_tape_entries VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
            islice(_entries(), events),
        )
        connection.commit()


def _entries() -> Iterator[tuple[Any, ...]]:
    numbers = count(1)

    def row(kind: str, name: str, source: str, payload: Event, meta: Event) -> tuple[Any, ...]:
        number = next(numbers)
        told = (orjson.dumps(payload).decode(), orjson.dumps(meta).decode(), START + number * 7)
        return SESSION, number, kind, name, kind, source, f"{kind}:{number}", *told

    start = {"name": "session/start", "state": {"owner": "human"}}
    yield row("anchor", "session/start", SESSION, start, {})
    for order in count(1):
        role = "user" if order % 2 else "assistant"
        source = f"message-{order}"
        meta = {"source": "live", "orderSeq": order, "role": role, "status": "sent"}
        record = {
            "id": source,
            "sessionId": SESSION,
            "orderSeq": order,
            "role": role,
            "content": _content(role),
            "status": "sent",
            "isContextEdge": 0,
            "metadata": "{}",
            "createdAt": START + order * 7,
            "updatedAt": START + order * 7,
        }
        yield row("message", f"message/{role}", source, {"record": record}, meta)
        if order % (2 * _COMPACT_EVERY) == 0:
            state = {
                "summary": _TEXT,
                "cursorOrderSeq": order - _SPARED,
                "range": {"fromOrderSeq": 1, "toOrderSeq": order - _SPARED - 1},
                "sourceMessageIds": [],
            }
            payload = {"name": "compaction/auto", "state": state}
            yield row("anchor", "compaction/auto", f"compaction-{order}", payload, {})


def _content(role: str) -> str:
    """What a message says, which the owner keeps as JSON text."""
    if role == "user":
        return orjson.dumps({"text": _TEXT, "files": [], "links": []}).decode()
    call = {"id": "call", "name": "read", "params": "{}", "response": _OUTPUT}
    blocks = [
        {"type": "tool_call", "content": "", "status": "success", "tool_call": call},
        {"type": "content", "content": _TEXT, "status": "success"},
    ]
    return orjson.dumps(blocks).decode()
