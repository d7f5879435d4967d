"""Codex logs made by hand: records one after the other, and tapes opened over them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector.formats.codex.reading import CodexTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from tests.folding import fold_on, keep

Record = dict[str, Any]

THREAD = "01900000-0000-7000-8000-000000000001"
PREFIX = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. You also have access to the state of the tools that were used by that language "
    "model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this "
    "summary to assist with your own analysis:\n"
)


def meta(**more: Any) -> Record:
    payload = {"id": THREAD, "timestamp": "2026-03-01T09:00:00.000Z", "cwd": "/w", **more}
    return {"type": "session_meta", "payload": payload}


def item(kind: str, **more: Any) -> Record:
    return {"type": "response_item", "payload": {"type": kind, **more}}


def event(kind: str, **more: Any) -> Record:
    return {"type": "event_msg", "payload": {"type": kind, **more}}


def part(text: str, kind: str = "input_text") -> dict[str, str]:
    return {"type": kind, "text": text}


def message(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [part(text, kind) for text in texts]}


def said(role: str, *texts: str) -> Record:
    return {"type": "response_item", "payload": message(role, *texts)}


def user(*texts: str) -> Record:
    return said("user", *texts)


def heard(text: str) -> Record:
    return event("user_message", message=text, images=[])


def answer(text: str) -> Record:
    return said("assistant", text)


def call(name: str, command: str = "ls") -> Record:
    return item("function_call", name="shell", arguments=json.dumps([command]), call_id=name)


def output(name: str, text: str = "done") -> Record:
    return item("function_call_output", call_id=name, output=text)


def started(name: str) -> Record:
    return event("task_started", turn_id=name, model_context_window=200_000)


def done(name: str) -> Record:
    return event("task_complete", turn_id=name, last_agent_message=None)


def aborted(name: str, reason: str = "interrupted") -> Record:
    return event("turn_aborted", turn_id=name, reason=reason)


def rolled_back(turns: Any) -> Record:
    return event("thread_rolled_back", num_turns=turns)


def context(name: str, **more: Any) -> Record:
    policy = {"type": "read-only"}
    payload = {
        "turn_id": name,
        "cwd": "/w",
        "approval_policy": "never",
        "sandbox_policy": policy,
        "model": "m-1",
        "summary": "auto",
        **more,
    }
    return {"type": "turn_context", "payload": payload}


def compacted(*history: dict[str, Any], message: str = "") -> Record:
    payload = {"message": message, "replacement_history": list(history)}
    return {"type": "compacted", "payload": payload}


def summarised(message: str) -> Record:
    """A compaction of the older kind."""
    return {"type": "compacted", "payload": {"message": message}}


def turn(name: str, *records: Record) -> list[Record]:
    return [started(name), *records, done(name)]


def lines(records: Iterable[Record]) -> list[bytes]:
    """Records as the owner writes them, a second apart."""
    written = []
    for second, record in enumerate(records):
        stamp = f"2026-03-01T09:{second // 60 % 60:02}:{second % 60:02}.007Z"
        written.append(json.dumps({"timestamp": stamp, **record}).encode())
    return written


def text(records: Iterable[Record]) -> bytes:
    return b"".join(line + b"\n" for line in lines(records))


def over(path: Path, data: bytes) -> CodexTape:
    """A tape over a file that is written first, not folded yet."""
    path.write_bytes(data)
    return keep(CodexTape(FileSource(path), Options()))


def folded(folder: Path, *records: Record, header: Record | None = None) -> CodexTape:
    """A tape over a log of a header and these records, folded to its end."""
    everything = text([meta() if header is None else header, *records])
    return fold_on(over(folder / "rollout.jsonl", everything))


def texts(tape: CodexTape, cursor: int | None = None) -> list[str]:
    """What the rows of a surface say."""
    rows = tape.timeline.rows(tape.timeline.events if cursor is None else cursor)
    return [_said(tape.item(row.node)) for row in rows]


def _said(stored: dict[str, Any]) -> str:
    parts = stored.get("content") or []
    joined = "\n".join(piece["text"] for piece in parts if "text" in piece)
    return joined or stored.get("output") or stored.get("call_id") or stored["type"]


def codes(tape: CodexTape) -> list[str]:
    return [finding.kind.code for finding in tape.findings()]
