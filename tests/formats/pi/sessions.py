"""Sessions of Pi for tests, an entry in a line, and what is asked of them."""

import json
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import Options
from inspector.formats.pi import FORMAT
from inspector.formats.pi.reading import PiTape
from inspector.tape.source import FileSource
from tests.folding import fold_on, keep

Json = dict[str, Any]

SESSION: Final = "22222222-3333-4444-8555-666666666666"
NAME: Final = f"2026-07-01T07-00-00-000Z_{SESSION}.jsonl"


def header(**more: Any) -> Json:
    return {
        "type": "session",
        "version": 3,
        "id": SESSION,
        "timestamp": "2026-07-01T07:00:00.000Z",
        "cwd": "/work/demo",
        **more,
    }


def entry(kind: str, identity: str, parent: str | None, **more: Any) -> Json:
    stamp = "2026-07-01T07:00:01.000Z"
    return {"type": kind, "id": identity, "parentId": parent, "timestamp": stamp, **more}


def message(identity: str, parent: str | None, role: str, content: Any, **more: Any) -> Json:
    return entry("message", identity, parent, message={"role": role, "content": content, **more})


def user(identity: str, parent: str | None, said: str = "") -> Json:
    return message(identity, parent, "user", said or f"user {identity}")


def answer(identity: str, parent: str | None, *calls: str, stop: str = "", **more: Any) -> Json:
    """An assistant's message with a text and calls."""
    content: list[Json] = [{"type": "text", "text": f"answer {identity}"}]
    for call in calls:
        given = {"command": "ls"}
        content.append({"type": "toolCall", "id": call, "name": "bash", "arguments": given})
    told = {
        "provider": "anthropic",
        "model": "model-x",
        "stopReason": stop or ("toolUse" if calls else "stop"),
        **more,
    }
    return message(identity, parent, "assistant", content, **told)


def result(identity: str, parent: str | None, call: str, *, failed: bool = False) -> Json:
    content = [{"type": "text", "text": f"result {identity}"}]
    told = {"toolCallId": call, "toolName": "bash", "isError": failed}
    return message(identity, parent, "toolResult", content, **told)


def compaction(identity: str, parent: str | None, kept: str | None = None, **more: Any) -> Json:
    told = {"summary": f"summary {identity}", "tokensBefore": 1_000, **more}
    if kept is not None:
        told["firstKeptEntryId"] = kept
    return entry("compaction", identity, parent, **told)


def branch_summary(identity: str, parent: str | None, summary: str = "left") -> Json:
    return entry("branch_summary", identity, parent, fromId=parent or "root", summary=summary)


def edit(identity: str, parent: str | None, target: str, content: Any = None) -> Json:
    """An edit that removes, or replaces the content."""
    replacement = None if content is None else {"content": content}
    return entry("context_edit", identity, parent, targetId=target, replacement=replacement)


def label(identity: str, parent: str | None, target: str, name: str = "here") -> Json:
    return entry("label", identity, parent, targetId=target, label=name)


def text_of(entries: list[Json], head: Json | None = None) -> bytes:
    """A file of a header and entries."""
    lines = [header() if head is None else head, *entries]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def opened(content: bytes, folder: Path, name: str = NAME) -> PiTape:
    """A file with this content, folded."""
    path = folder / name
    path.write_bytes(content)
    tape = FORMAT.open(FileSource(path), Options())
    assert isinstance(tape, PiTape)
    return fold_on(keep(tape))


def folded(folder: Path, *entries: Json, head: Json | None = None) -> PiTape:
    return opened(text_of(list(entries), head), folder)


def surface(tape: PiTape, cursor: int | None = None) -> list[str]:
    """The ids of the entries of the rows at a cursor; of a row with other content with a star."""
    timeline = tape.timeline
    nodes = timeline.surface.nodes
    rows = [row.node for row in timeline.rows(timeline.events if cursor is None else cursor)]
    return [
        str(tape.payload(nodes.origin(node)).get("id"))
        + ("*" if nodes.form(node).label == "rebuilt" else "")
        for node in rows
    ]


def codes(tape: PiTape) -> list[str]:
    return [finding.kind.code for finding in tape.findings()]
