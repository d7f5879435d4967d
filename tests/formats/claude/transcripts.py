"""Transcripts made by hand: records one after the other, and tapes opened over them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from tests.folding import fold_on, keep

Record = dict[str, Any]

SESSION = "11111111-2222-4333-8444-555555555555"


def record(kind: str, uuid: str, parent: str | None, **more: Any) -> Record:
    """A record of the tree."""
    envelope = {"parentUuid": parent, "isSidechain": False, "cwd": "/w", "sessionId": SESSION}
    return {**envelope, "type": kind, "uuid": uuid, **more}


def user(uuid: str, parent: str | None, said: Any = "a question", **more: Any) -> Record:
    return record("user", uuid, parent, message={"role": "user", "content": said}, **more)


def answer(uuid: str, parent: str | None, *blocks: Record, of: str = "", **more: Any) -> Record:
    message: Record = {"id": of or f"msg_{uuid}", "role": "assistant", "model": "model-x"}
    message["content"] = list(blocks) or [text("an answer")]
    for key in ("usage", "stop_reason", "model"):
        if key in more:
            message[key] = more.pop(key)
    return record("assistant", uuid, parent, message=message, **more)


def text(said: str) -> Record:
    return {"type": "text", "text": said}


def call(name: str, tool: str = "Bash", **values: Any) -> Record:
    return {"type": "tool_use", "id": name, "name": tool, "input": values or {"command": "ls"}}


def result(uuid: str, parent: str | None, *names: str, error: str = "", **more: Any) -> Record:
    blocks = [
        {
            "type": "tool_result",
            "tool_use_id": name,
            "content": error or "done",
            **({"is_error": True} if error else {}),
        }
        for name in names
    ]
    return user(uuid, parent, blocks, **more)


def boundary(uuid: str, parent: str | None = None, **metadata: Any) -> Record:
    more = {"subtype": "compact_boundary", "content": "Conversation compacted"}
    return record("system", uuid, parent, compactMetadata={"trigger": "auto", **metadata}, **more)


def summary(uuid: str, parent: str, said: str = "All of it in short.") -> Record:
    return user(uuid, parent, said, isCompactSummary=True)


def attachment(uuid: str, parent: str | None, kind: str, **more: Any) -> Record:
    return record("attachment", uuid, parent, attachment={"type": kind, **more})


def notice(uuid: str, parent: str | None, subtype: str, **more: Any) -> Record:
    return record("system", uuid, parent, subtype=subtype, **more)


def beside(kind: str, **more: Any) -> Record:
    return {"type": kind, "sessionId": SESSION, **more}


def written(records: Iterable[Record]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def held(path: Path, policy: str = "sdk-js") -> ClaudeTape:
    """A tape over a file, folded."""
    return fold_on(keep(ClaudeTape(FileSource(path), Options(policy=policy))))


def folded(folder: Path, records: Iterable[Record], policy: str = "sdk-js") -> ClaudeTape:
    """A transcript of its own with these records, folded."""
    path = folder / "transcript.jsonl"
    path.write_bytes(written(records))
    return held(path, policy)


def ids(tape: ClaudeTape, cursor: int | None = None) -> list[str | None]:
    """The uuids of the surface, in order."""
    nodes = tape.timeline.surface.nodes
    at = tape.timeline.events if cursor is None else cursor
    return [tape.message_id(nodes.origin(row.node)) for row in tape.timeline.rows(at)]


def line(tape: ClaudeTape, cursor: int | None = None) -> str:
    """The same in one line of text."""
    return " ".join(str(uuid) for uuid in ids(tape, cursor))


def seen(tape: ClaudeTape, cursor: int | None = None) -> list[str]:
    """What became of every event before a cursor."""
    at = tape.timeline.events if cursor is None else cursor
    return [tape.timeline.visibility(event, at)[0].label for event in range(at)]


def codes(tape: ClaudeTape) -> list[str]:
    """The codes of all findings."""
    return [finding.kind.code for finding in tape.findings()]
