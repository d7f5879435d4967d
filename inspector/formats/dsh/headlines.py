"""Events for people in one line each, as plain uncleaned text.

Texts of a row are cut before anything else happens to them: a row costs the same whatever stands in
the record.
"""

from typing import Any, Final

import orjson

from inspector.formats.contract import Headline
from inspector.formats.dsh.fold import is_checkpoint, is_human, result_block
from inspector.formats.dsh.vocabulary import WORDS
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text
from inspector.text.labels import plural

_ROW: Final = 400
"""Characters of a text that a row may need."""

_DEEPEST: Final = 4
"""Results within results that a row looks into."""


def headline(event: dict[str, Any], name: str) -> Headline:
    """An event in one line; ``name`` is its type, which a damaged payload may not tell."""
    data = mapping(event.get("data"))
    word = WORDS.get(name, name[:_ROW])
    if name == "user/message":
        return _user_headline(data)
    if name == "assistant/message":
        return _assistant_headline(data)
    if name == "tool/result":
        block = result_block(data)
        return Headline(
            word, "tool", blocks_line(items(block.get("content"))), block.get("isError") is True
        )
    if name == "assistant/chunk":
        kind, line, error = chunk_line(mapping(data.get("chunk")))
        return Headline(kind, None, line, error)
    reason = mapping(data.get("reason"))
    failed = (name == "turn/end" and reason.get("kind") == "error") or (
        name == "compaction/end" and "error" in data
    )
    return Headline(word, None, _line(name, data), failed or name == "llm/retry")


def _user_headline(data: dict[str, Any]) -> Headline:
    line = blocks_line(items(data.get("content")))
    if is_checkpoint(data):
        return Headline("summary", "summary", _after_marker(line))
    if is_human(data):
        return Headline("user", "user", line)
    source = mapping(data.get("source"))
    origin = text(source.get("plugin")) or text(source.get("kind")) or "injected"
    return Headline("context", "user", f"[{origin[:40]}] {line}")


def _after_marker(line: str) -> str:
    """The summary itself, which stands behind the owner's preamble (format page 7.4)."""
    _, marker, rest = line.partition("<compacted-summary>")
    return rest.removesuffix("</compacted-summary>").strip() if marker else line


def _assistant_headline(data: dict[str, Any]) -> Headline:
    blocks = items(mapping(data.get("message")).get("content"))
    line = blocks_line(blocks)
    if data.get("interrupted") is True:
        line = f"(interrupted) {line}"
    return Headline("assistant", "assistant", line or "(empty)")


def blocks_line(blocks: list[Any], depth: int = 0) -> str:
    """The start of a message: its texts, then its calls; reasoning only where there is no text."""
    parts: list[str] = []
    thoughts: list[str] = []
    room = _ROW
    for block in blocks[:50]:
        shape = mapping(block)
        kind = shape.get("type")
        if kind == "reasoning":
            thoughts.append(text(shape.get("text"))[:room])
            continue
        part = _block_line(shape, depth)[:room]
        parts.append(part)
        room -= len(part)
        if room <= 0:
            break
    if not parts and thoughts:
        return f"(thinking) {thoughts[0]}"
    return " ".join(part for part in parts if part)


def _block_line(block: dict[str, Any], depth: int) -> str:
    kind = block.get("type")
    if kind == "text":
        return text(block.get("text"))[: 3 * _ROW]
    if kind == "tool-call":
        return f"→ {call_line(text(block.get('name')), block.get('arguments'))}"
    if kind == "image":
        return f"[image {text(mapping(block.get('attachment')).get('mediaType'))[:80]}]"
    if kind == "tool-result" and depth < _DEEPEST:
        return blocks_line(items(block.get("content")), depth + 1)
    return f"[{text(kind)[:80] or 'block'}]"


def call_line(name: str, arguments: Any) -> str:
    """A call in one line: the tool and the values of its arguments, the longest last."""
    values = arguments
    if isinstance(arguments, str):
        if len(arguments) > 20_000:
            return f"{name[:80]} {arguments[:_ROW]}"
        try:
            values = orjson.loads(arguments)
        except orjson.JSONDecodeError:
            return f"{name[:80]} {arguments[:_ROW]}"
    if not isinstance(values, dict):
        return f"{name[:80]} {short(values)}"
    return " ".join([name[:80], *(short(value) for value in list(values.values())[:6])])


def short(value: Any) -> str:
    """The start of a value."""
    if isinstance(value, str):
        return value[:_ROW]
    return json_text(value, limit=_ROW)


def chunk_line(chunk: dict[str, Any]) -> tuple[str, str, bool]:
    """A stream chunk: what it is, the start of what it says, and whether it is an error."""
    kind = text(chunk.get("type"))
    if kind in ("text-delta", "reasoning-delta"):
        word = "text" if kind == "text-delta" else "thinking"
        return f"· {word}", text(chunk.get("text"))[:_ROW], False
    if kind == "tool-call-delta":
        name = text(chunk.get("name"))[:80]
        return "· arguments", f"{name} {text(chunk.get('argumentsDelta'))[:_ROW]}".strip(), False
    if kind == "block-start":
        return "· block", f"{text(chunk.get('blockType'))[:80]} begins", False
    if kind == "block-end":
        return "· block end", text(mapping(chunk.get("block")).get("type"))[:80], False
    if kind == "usage":
        return "· usage", usage_line(mapping(chunk.get("usage"))), False
    if kind == "finish":
        reason = mapping(chunk.get("reason"))
        failure = mapping(reason.get("failure"))
        message = text(failure.get("message"))[:_ROW]
        line = f"{text(reason.get('kind'))[:80]} {message}".strip()
        return "· finish", line, reason.get("kind") == "error"
    return "· chunk", kind[:_ROW], False


def usage_line(usage: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    words = {
        "inputTokens": "input",
        "cacheReadTokens": "cache read",
        "cacheWriteTokens": "cache write",
        "outputTokens": "output",
        "reasoningTokens": "reasoning",
    }
    return " · ".join(f"{words[key]} {short(usage[key])}" for key in words if key in usage)


def _line(name: str, data: dict[str, Any]) -> str:
    """The one line of an event that is no message."""
    match name:
        case "turn/start":
            return f"turn {short(data.get('turn'))}"
        case "turn/end":
            return _turn_end_line(data)
        case "step/start" | "step/end":
            return f"turn {short(data.get('turn'))} step {short(data.get('step'))}"
        case "tool/call":
            return call_line(text(data.get("name")), data.get("arguments"))
        case "request/header":
            header = mapping(data.get("header"))
            config = mapping(header.get("config"))
            tools = len(items(header.get("tools")))
            return f"{text(config.get('model'))[:80]} · {tools} tools · {short(data.get('reason'))}"
        case "request/context":
            window = data.get("contextWindow")
            tail = f" · window {short(window)}" if window is not None else ""
            return f"{text(data.get('provider'))[:80]} {text(data.get('model'))[:80]}{tail}"
        case "session/title":
            return text(data.get("title"))[:_ROW]
        case "todo/write":
            return _todo_line(items(data.get("todos")))
        case "compaction/start":
            turn = data.get("turn")
            where = "outside a turn" if turn is None else f"in turn {short(turn)}"
            return f"begins {where}"
        case "compaction/summary":
            hidden = len(items(data.get("shadowedSeqs")))
            return f"hides {hidden} · {blocks_line(items(data.get('summary')))}"
        case "compaction/end":
            return f"failed: {short(data['error'])}" if "error" in data else "done"
        case "compaction/prune":
            return f"cuts {plural(len(items(data.get('shadowedSeqs'))), 'tool result')}"
        case "llm/retry":
            failure = mapping(data.get("failure"))
            return f"retry {short(data.get('retry'))}: {text(failure.get('message'))[:_ROW]}"
        case "agent/inbox/spliced":
            return _inbox_line(data)
    return ", ".join(
        f"{key[:40]} {short(value)}" for key, value in list(data.items())[:8] if value is not None
    )[: 2 * _ROW]


def _turn_end_line(data: dict[str, Any]) -> str:
    reason = mapping(data.get("reason"))
    kind = (text(reason.get("kind")) or text(data.get("kind")))[:80]
    detail = mapping(reason.get("error")).get("message") or mapping(reason.get("reason")).get(
        "kind"
    )
    return f"{kind}: {short(detail)}" if detail else kind


def _todo_line(todos: list[Any]) -> str:
    done = sum(mapping(todo).get("status") == "completed" for todo in todos)
    current = [
        text(mapping(todo).get("content"))
        for todo in todos
        if mapping(todo).get("status") == "in_progress"
    ]
    tail = f" · now: {current[0][:_ROW]}" if current else ""
    return f"{done} of {len(todos)} done{tail}"


def _inbox_line(data: dict[str, Any]) -> str:
    inserted = items(data.get("inserted"))
    if inserted:
        return f"+{len(inserted)} {blocks_line(items(mapping(inserted[0]).get('content')))}"
    return f"−{short(data.get('removedCount'))} {short(data.get('target'))}"
