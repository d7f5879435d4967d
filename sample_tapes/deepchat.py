"""A database as DeepChat keeps it: a tape with a bit of everything, and what belongs to it.

The columns are those that a reader needs; the tables of caches and settings are left out.
"""

import hashlib
import json
import sqlite3
from contextlib import closing
from typing import Any, Final

_SCHEMA: Final = """
CREATE TABLE schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL);
CREATE TABLE new_sessions (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, title TEXT NOT NULL, project_dir TEXT,
    session_kind TEXT NOT NULL DEFAULT 'regular', parent_session_id TEXT, subagent_meta_json TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE deepchat_sessions (
    id TEXT PRIMARY KEY, provider_id TEXT NOT NULL, model_id TEXT NOT NULL,
    permission_mode TEXT NOT NULL DEFAULT 'full_access', system_prompt TEXT,
    context_length INTEGER, summary_text TEXT, summary_cursor_order_seq INTEGER NOT NULL DEFAULT 1,
    summary_updated_at INTEGER
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
INSERT INTO schema_versions VALUES (64, 1786000000000);
"""

_START: Final = 1_786_435_200_000
_MAIN: Final = "sample-orchard"
_FORK: Final = f"{_MAIN}::fork::weekly"
_CHILD: Final = "sample-frost"
_OLD: Final = "sample-old-chat"

Json = dict[str, Any]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _Writer:
    """Writes the rows of one tape, a second apart."""

    def __init__(self, connection: sqlite3.Connection, session: str) -> None:
        self._connection = connection
        self.session = session
        self.entry = 0

    def row(
        self,
        kind: str,
        name: str | None,
        payload: Json,
        meta: Json,
        source: tuple[str, str, int] | None = None,
        key: str | None = None,
    ) -> None:
        self.entry += 1
        if source is not None and key is None:
            key = ":".join(map(str, (*source, kind, name)))
        self._connection.execute(
            "INSERT INTO deepchat_tape_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(self.session, self.entry, kind, name),
                *(source or (None, None, None)),
                *(key, _json(payload), _json(meta), _START + 1_000 * self.entry),
            ),
        )

    def start(self, incarnation: str) -> None:
        self.anchor(
            "session/start",
            {"owner": "human"},
            {"tapeIncarnationId": incarnation},
            ("session", self.session, 0),
        )

    def anchor(
        self, name: str, state: Json, meta: Json, source: tuple[str, str, int] | None = None
    ) -> None:
        self.row("anchor", name, {"name": name, "state": state}, meta, source)

    def event(self, name: str, data: Json, source: tuple[str, str, int], meta: Json) -> None:
        self.row("event", name, {"name": name, "data": data}, meta, source)

    def message(
        self,
        identity: str,
        place: int,
        content: Json | list[Json],
        status: str = "sent",
        metadata: Json | None = None,
        reason: str | None = None,
    ) -> None:
        role = "assistant" if isinstance(content, list) else "user"
        now = _START + 1_000 * (self.entry + 1)
        record = {
            "id": identity,
            "sessionId": self.session,
            "orderSeq": place,
            "role": role,
            "content": _json(content),
            "status": status,
            "isContextEdge": 0,
            "metadata": _json(metadata or {}),
            "traceCount": 0,
            "createdAt": now,
            "updatedAt": now,
        }
        meta: Json = {"source": "live", "orderSeq": place, "role": role, "status": status}
        key = None
        if reason is not None:
            meta |= {"correction": True, "reason": reason}
            key = f"message:{identity}:revision:{now}:order_seq:{place}"
        source = ("message", identity, 0 if reason is None else now)
        self.row("message", f"message/{role}", {"record": record}, meta, source, key)

    def tool(self, message: str, place: int, call: str, tool: str, params: Json, got: str) -> None:
        """A call, and what came back."""
        source = ("tool_call", f"{message}:{call}", 0)
        about = {"source": "live", "role": "assistant", "status": "success", "reason": "tool_loop"}
        said = {"id": call, "name": tool, "params": _json(params), "serverName": "files"}
        of = {"messageId": message, "orderSeq": place}
        self.row("tool_call", tool, {**of, "toolCall": said}, about, source)
        answer = {**of, "toolCallId": call, "response": got}
        self.row("tool_result", tool, answer, about, ("tool_result", f"{message}:{call}", 0))

    def run(self, name: str, run: str, message: str, more: Json) -> None:
        """A fact of the execution journal."""
        data = {"protocolVersion": 1, "runId": run, "messageId": message, **more}
        meta = {"factFamily": "execution_journal", "protocolVersion": 1}
        sequence = more.get("operation", {}).get("requestSeq", 0)
        self.event(f"execution/{name}", data, ("runtime_event", run, sequence), meta)

    def view(self, message: str, sequence: int, included: list[Json], excluded: list[Json]) -> None:
        manifest: Json = {
            "schemaVersion": 4,
            "hashVersion": 2,
            "sessionId": self.session,
            "messageId": message,
            "requestSeq": sequence,
            "taskType": "chat" if sequence == 1 else "tool_loop",
            "policy": "cache_aware_context_v1",
            "policyVersion": 1,
            "contextBuilderVersion": "cache-aware-v1",
            "latestEntryId": self.entry,
            "anchorEntryIds": [1],
            "reconstructionAnchorEntryId": None,
            "included": included,
            "excluded": excluded,
            "tokenBudget": {"contextLength": 64_000, "estimatedPromptTokens": 420},
            "hashes": {"promptHash": "a" * 64, "toolDefinitionsHash": "b" * 64},
            "meta": {"providerId": "sample", "modelId": "plum-2", "summaryCursorOrderSeq": 1},
        }
        written = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        digest = hashlib.sha256(written.encode()).hexdigest()
        manifest["hashes"]["manifestHash"] = digest
        manifest |= {"viewId": f"view_{digest[:16]}", "assembledAt": _START + 1_000 * self.entry}
        meta = {"viewId": manifest["viewId"], "requestSeq": sequence}
        source = ("runtime_event", message, sequence)
        self.event("view/assembled", {"manifest": manifest}, source, meta)

    def attempt(self, message: str, sequence: int, physical: int, status: str, more: Json) -> None:
        data = {
            "schemaVersion": 2,
            "messageId": message,
            "logicalRound": sequence,
            "requestSeq": sequence,
            "physicalAttempt": physical,
            "requestOrigin": "chat",
            "attemptOrigin": "initial" if physical == 1 else "transient_retry",
            "providerId": "sample",
            "modelId": "plum-2",
            "status": status,
            "stopReason": None,
            "failureClassification": None,
            "retryDecision": "none",
            "usage": None,
            **more,
        }
        key = f"provider-attempt:{self.session}:{message}:{sequence}:{physical}"
        payload = {"name": "provider/attempt_completed", "data": data}
        source = ("runtime_event", message, sequence)
        self.row("event", "provider/attempt_completed", payload, {}, source, key)

    def retract(self, message: str, place: int, role: str) -> None:
        reason = "messages_deleted_from_order_seq"
        data = {"messageId": message, "orderSeq": place, "role": role, "reason": reason}
        payload = {"name": "message/retracted", "data": data}
        meta = {"source": "live", "correction": True}
        self.row("event", "message/retracted", payload, meta)

    def indicator(self, message: str, place: int, status: str) -> None:
        data = {"messageId": message, "orderSeq": place, "status": status, "metadata": {}}
        source = ("message", message, self.entry)
        meta = {"source": "live"}
        self.event("message/compaction_indicator", data, source, meta)


def _said(text: str) -> Json:
    return {"text": text, "files": [], "links": [], "search": False, "think": False}


def _text(text: str) -> Json:
    return {"type": "content", "content": text, "status": "success", "timestamp": _START}


def _call(call: str, tool: str, params: Json, response: str) -> Json:
    return {
        "type": "tool_call",
        "content": "",
        "status": "success",
        "timestamp": _START,
        "tool_call": {"id": call, "name": tool, "params": _json(params), "response": response},
    }


_TREES: Final = "row,tree,planted\n1,plum,2019\n2,quince,2021\n3,medlar,\n"
_PLAN: Final = {"path": "trees.csv"}


def deepchat() -> bytes:
    """A tape, a fork of it, a subagent, and a chat that has no tape."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(_SCHEMA)
        _sessions(connection)
        main = _Writer(connection, _MAIN)
        _tool_loop(main)
        _corrected(main)
        _fork(connection)
        _compacted(main)
        _end(main)
        _subagent(connection)
        _transcript(connection)
        connection.execute("VACUUM")
        return connection.serialize()


def _sessions(connection: sqlite3.Connection) -> None:
    listed = (
        (_MAIN, "A plan for the orchard", "/work/orchard", "regular", None),
        (_CHILD, "Frost dates", "/work/orchard", "subagent", _MAIN),
        (_OLD, "An old chat", None, "regular", None),
    )
    for at, (identity, title, folder, kind, parent) in enumerate(listed):
        connection.execute(
            "INSERT INTO new_sessions VALUES (?, 'deepchat', ?, ?, ?, ?, NULL, ?, ?)",
            (identity, title, folder, kind, parent, _START + at, _START + at),
        )
        connection.execute(
            "INSERT INTO deepchat_sessions VALUES (?, 'sample', 'plum-2', 'default', ?, 64000, "
            "?, ?, NULL)",
            (
                identity,
                "You help with a garden.",
                "They grow beans." if identity == _OLD else None,
                3 if identity == _OLD else 1,
            ),
        )


def _tool_loop(tape: _Writer) -> None:
    """A question that takes a tool, and a provider that is busy at first."""
    tape.start("0b5c1f7e-0000-4000-8000-000000000001")
    tape.message("ask-prune", 1, _said("Which trees need pruning this winter?"))
    tape.run("run_started", "run-1", "tell-prune", {"runKind": "loop"})
    asked = {"entryId": 2, "messageId": "ask-prune", "orderSeq": 1, "role": "user"}
    prompt = {"entryId": None, "messageId": None, "role": "system", "source": "synthetic"}
    tape.view(
        "tell-prune",
        1,
        [
            {**prompt, "reason": "system_prompt"},
            {**asked, "source": "tape", "reason": "new_user_input"},
        ],
        [],
    )
    busy: Json = {
        "failureClassification": "transient",
        "retryDecision": "retry_scheduled",
        "httpStatus": 529,
        "errorCode": "overloaded",
        "retryDelayMs": 400,
    }
    tape.attempt("tell-prune", 1, 1, "error", busy)
    usage = {"inputTokens": 410, "outputTokens": 24, "totalTokens": 434, "cacheReadTokens": 256}
    tape.attempt("tell-prune", 1, 2, "completed", {"stopReason": "tool_use", "usage": usage})
    operation = {"runId": "run-1", "requestSeq": 1, "providerToolCallId": "call-1"}
    target = {"operation": operation, "toolName": "read", "toolSource": "mcp"}
    where = {"argumentsHash": "c" * 64, "target": {"serverName": "files"}}
    tape.run("dispatch_committed", "run-1", "tell-prune", {**target, **where})
    tape.tool("tell-prune", 2, "call-1", "read", _PLAN, _TREES)
    outcome = {"operation": operation, "responseHash": "d" * 64, "isError": False}
    tape.run("tool_outcome", "run-1", "tell-prune", outcome)
    usage = {"inputTokens": 470, "outputTokens": 31, "totalTokens": 501, "cacheReadTokens": 384}
    tape.attempt("tell-prune", 2, 1, "completed", {"stopReason": "complete", "usage": usage})
    blocks = [
        {"type": "reasoning_content", "content": "The list has the planting years."},
        _call("call-1", "read", _PLAN, _TREES),
        _text("Prune the quince. Leave the plum until summer."),
    ]
    spent = {"provider": "sample", "model": "plum-2", "inputTokens": 880, "outputTokens": 55}
    tape.message("tell-prune", 2, blocks, metadata=spent)
    done = {"outcome": "completed", "stopReason": "complete"}
    tape.run("run_terminal", "run-1", "tell-prune", done)


def _corrected(tape: _Writer) -> None:
    """A message that is edited, an answer that is taken back, and another one in its place."""
    tape.message("ask-medlar", 3, _said("And the medler?"))
    edited = "message_content_updated"
    tape.message("ask-medlar", 3, _said("And the medlar?"), reason=edited)
    tape.message("tell-medlar", 4, [_text("Medlars are a kind of pear. Shall I go on?")])
    tape.retract("tell-medlar", 4, "assistant")
    tape.message("tell-medlar-2", 4, [_text("It is young: only tie it to a stake.")])


def _fork(connection: sqlite3.Connection) -> None:
    """Another way to go on, on a tape of its own that begins with the rows of the first."""
    tape = _Writer(connection, _FORK)
    tape.start("0b5c1f7e-0000-4000-8000-000000000002")
    state = {"parentSessionId": _MAIN, "parentHeadEntryId": 13, "parentLastAnchorEntryId": 1}
    tape.anchor("fork/start", state, {}, ("fork", "weekly", 0))
    tape.message("ask-week", 3, _said("Make it a plan by weeks."))
    tape.message("tell-week", 4, [_text("Week 1: sharpen the saw. Week 2: the quince.")])


def _compacted(tape: _Writer) -> None:
    """A compaction: an indicator takes a place, and what stands behind it moves by one."""
    shift = "compaction_order_shifted"
    tape.message("ask-tools", 5, _said("What do I need for that?"))
    tape.message("tell-tools", 6, [_text("A saw, a stake, and soft twine.")])
    tape.message("ask-tools", 6, _said("What do I need for that?"), reason=shift)
    tape.message("tell-tools", 7, [_text("A saw, a stake, and soft twine.")], reason=shift)
    tape.indicator("compaction-1", 5, "compacting")
    named = ["ask-prune", "tell-prune", "ask-medlar", "tell-medlar-2"]
    state: Json = {
        "summary": "They plan the winter work: prune the quince, stake the medlar.",
        "cursorOrderSeq": 5,
        "range": {"fromOrderSeq": 1, "toOrderSeq": 4},
        "sourceMessageIds": named,
        "previousSummaryUpdatedAt": None,
    }
    tape.anchor("compaction/manual", state, {"providerId": "sample", "modelId": "plum-2"})
    tape.indicator("compaction-1", 5, "compacted")


def _end(tape: _Writer) -> None:
    """What later versions write, a subagent, a run that was cut off, and a message that waits."""
    skill = {"schemaVersion": 3, "skillName": "pruning", "effectiveContent": "# Pruning\n…"}
    tape.row("context", "skill/materialized", skill, {})
    tape.message("ask-frost", 8, _said("When is the last frost here?"))
    child = {
        "linkVersion": 2,
        "childSessionId": _CHILD,
        "childHeadEntryId": 3,
        "childEntryCount": 3,
        "taskTitle": "Find the last frost",
        "outcome": "completed",
        "resultSummary": "The middle of May.",
    }
    tape.event("subagent/tape_linked", child, ("subagent", _CHILD, 3), {})
    tape.run("run_started", "run-2", "tell-frost", {"runKind": "loop"})
    operation = {"runId": "run-2", "requestSeq": 1, "providerToolCallId": "call-2"}
    target = {"operation": operation, "toolName": "calendar", "toolSource": "agent"}
    tape.run("dispatch_committed", "run-2", "tell-frost", {**target, "argumentsHash": "e" * 64})
    tape.message("steer", 9, _said("Use last year's dates."), status="pending")


def _subagent(connection: sqlite3.Connection) -> None:
    tape = _Writer(connection, _CHILD)
    tape.start("0b5c1f7e-0000-4000-8000-000000000003")
    tape.message("task-frost", 1, _said("Find the last frost."))
    tape.message("answer-frost", 2, [_text("The middle of May.")])


def _transcript(connection: sqlite3.Connection) -> None:
    rows = (
        ("old-1", 1, "user", _said("What may I sow in March?")),
        ("old-2", 2, "assistant", [_text("Broad beans.")]),
        ("old-3", 3, "user", _said("And how deep?")),
        ("old-4", 4, "assistant", [_text("Five centimetres.")]),
    )
    connection.executemany(
        "INSERT INTO deepchat_messages VALUES (?, ?, ?, ?, ?, 'sent', 0, '{}', ?, ?)",
        [
            (identity, _OLD, place, role, _json(content), _START, _START)
            for identity, place, role, content in rows
        ],
    )
