"""Zero sessions made by hand: events one after the other, and tapes opened over them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector.formats.contract import Options
from inspector.formats.zero.opening import opened as open_session
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import FileSource
from inspector.timeline.words import SpanKind
from tests.folding import fold_on, keep

Json = dict[str, Any]
Draft = tuple[str, Json | None]
"""The type and the payload of an event."""


def event(number: int, kind: str, payload: Any = None, session: str = "s", **more: Any) -> Json:
    value = {
        "id": f"{session}:{number}",
        "sessionId": session,
        "sequence": number,
        "type": kind,
        "createdAt": f"2026-08-22T09:{number // 60 % 60:02}:{number % 60:02}Z",
    }
    return {**value, **({} if payload is None else {"payload": payload}), **more}


def line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def written(values: Iterable[Any]) -> bytes:
    return b"".join(line(value) + b"\n" for value in values)


def log(*drafts: Draft) -> bytes:
    """Events that count up from 1."""
    return written(event(at, *draft) for at, draft in enumerate(drafts, 1))


def user(text: str = "hi", **more: Any) -> Draft:
    return "message", {"role": "user", "content": text, **more}


def answer(text: str = "done") -> Draft:
    return "message", {"role": "assistant", "content": text}


def call(identity: str = "c1", name: str = "bash", **more: Any) -> Draft:
    return "tool_call", {"id": identity, "name": name, "arguments": json.dumps(more)}


def result(identity: str = "c1", output: str = "fine", **more: Any) -> Draft:
    return "tool_result", {"toolCallId": identity, "name": "bash", "output": output, **more}


def compaction(*ids: str, **more: Any) -> Draft:
    refs = [{"id": identity} for identity in ids]
    return "session_compaction", {"summary": "short", "compactableEvents": refs, **more}


def session(content: bytes, folder: Path, policy: str | None = None, **metadata: Any) -> ZeroTape:
    """A session's folder with this log, folded; with metadata if some are told."""
    path = folder / "events.jsonl"
    path.write_bytes(content)
    if metadata:
        (folder / "metadata.json").write_text(json.dumps({"sessionId": "s", **metadata}))
    return held(path, policy)


def held(path: Path, policy: str | None = None) -> ZeroTape:
    """The session at a path, folded."""
    tape = open_session(FileSource(path), Options(policy=policy))
    assert isinstance(tape, ZeroTape)
    return fold_on(keep(tape))


def surface(tape: ZeroTape, cursor: int | None = None) -> list[int]:
    """The positions of the events on the surface at a cursor, or the head."""
    nodes = tape.timeline.surface.nodes
    at = tape.timeline.events if cursor is None else cursor
    return [nodes.origin(row.node) for row in tape.timeline.rows(at)]


def codes(tape: ZeroTape) -> list[str]:
    return [found.kind.code for found in tape.findings()]


def messages(tape: ZeroTape, code: str) -> list[str]:
    return [found.message for found in tape.findings() if found.kind.code == code]


def spans(tape: ZeroTape, kind: SpanKind) -> list[tuple[Any, ...]]:
    """Opened, closed, outcome and word of each."""
    table = tape.timeline.spans[kind]
    found = [table[at] for at in range(len(table))]
    return [(span.opened, span.closed, span.outcome.label, span.word) for span in found]


def value(tape: ZeroTape, register: str, cursor: int | None = None) -> Any:
    """The value of a register at a cursor, or the head; None if it was never set."""
    at = tape.timeline.events if cursor is None else cursor
    setting = tape.timeline.registers.at(register, at)
    return None if setting is None else tape.value(register, setting)
