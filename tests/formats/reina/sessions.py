"""Reina logs made by hand: records one after the other, and tapes opened over them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector.formats.contract import Options
from inspector.formats.reina.reading import ReinaTape
from inspector.tape.source import FileSource
from inspector.timeline.words import SpanKind
from tests.folding import fold_on, keep

Json = dict[str, Any]


def stamp(number: int) -> str:
    return f"2026-05-01T10:{number // 60 % 60:02}:{number % 60:02}.000Z"


def meta(**more: Any) -> Json:
    told = {"id": "ses_mf0abc_k3x9", "model": "demo", "createdAt": stamp(0)}
    return {"type": "session_meta", "meta": {**told, **more}}


def message(role: str, content: Any = None, **more: Any) -> Json:
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def user(content: Any = "hi") -> Json:
    return message("user", content)


def answer(content: Any = "done") -> Json:
    return message("assistant", content)


def call(*ids: Any, name: str = "bash", arguments: Any = "{}", content: Any = None) -> Json:
    function = {"name": name, "arguments": arguments}
    made = [{"id": one, "type": "function", "function": function} for one in ids]
    return message("assistant", content, tool_calls=made)


def result(identity: Any = "c1", content: Any = "fine") -> Json:
    return message("tool", content, tool_call_id=identity)


def status(identity: Any = "c1", word: Any = "completed", **more: Any) -> Json:
    record = {"id": identity, "name": "bash", "input": {}, "status": word, **more}
    return {"type": "tool_call", "record": record}


def compacted(first: Any, last: Any, summary: Any = "short", **more: Any) -> Json:
    record = {"fromIndex": first, "toIndex": last, "summary": summary, **more}
    return {"type": "compacted", "record": record}


def line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def written(records: Iterable[Any]) -> bytes:
    """Records as lines, each with the time at which it was appended."""
    stamped = ({"ts": stamp(at), **record} for at, record in enumerate(records))
    return b"".join(line(value) + b"\n" for value in stamped)


def log(*records: Json) -> bytes:
    """A log with its header."""
    return written([meta(), *records])


def session(content: bytes, folder: Path, policy: str | None = None) -> ReinaTape:
    """A file with this log, folded."""
    path = folder / "ses_mf0abc_k3x9.jsonl"
    path.write_bytes(content)
    return held(path, policy)


def held(path: Path, policy: str | None = None) -> ReinaTape:
    return fold_on(keep(ReinaTape(FileSource(path), Options(policy=policy))))


def surface(tape: ReinaTape, cursor: int | None = None) -> list[int]:
    """The positions of the events on the surface at a cursor, or the head."""
    nodes = tape.timeline.surface.nodes
    at = tape.timeline.events if cursor is None else cursor
    return [nodes.origin(row.node) for row in tape.timeline.rows(at)]


def codes(tape: ReinaTape) -> list[str]:
    return [found.kind.code for found in tape.findings()]


def messages(tape: ReinaTape, code: str) -> list[str]:
    return [found.message for found in tape.findings() if found.kind.code == code]


def spans(tape: ReinaTape, kind: SpanKind) -> list[tuple[Any, ...]]:
    """Opened, closed, outcome and word of each."""
    table = tape.timeline.spans[kind]
    found = [table[at] for at in range(len(table))]
    return [(span.opened, span.closed, span.outcome.label, span.word) for span in found]


def value(tape: ReinaTape, register: str, cursor: int | None = None) -> Any:
    """The value of a register at a cursor, or the head; None if it was never set."""
    at = tape.timeline.events if cursor is None else cursor
    setting = tape.timeline.registers.at(register, at)
    return None if setting is None else tape.value(register, setting)
