"""Blocks of a message's content in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import NAME, ROW, call_line, file_size, short

_FILES: Final = {"image": "image", "document": "document"}


def file_words(block: dict[str, Any]) -> str:
    """A picture or a document: what it is, and how large."""
    source = mapping(block.get("source"))
    kind = text(block.get("type"))
    media = text(source.get("media_type"))[:NAME]
    data = source.get("data")
    if isinstance(data, str):
        return f"[{kind} {media}, {file_size(data)}]"
    return f"[{kind} {media or text(source.get('url'))[:NAME]}]"


def block_line(block: Any) -> str:
    """A block in one line."""
    if not isinstance(block, dict):
        return short(block)
    kind = block.get("type")
    if kind == "text":
        return text(block.get("text"))[:ROW]
    if kind == "thinking":
        return text(block.get("thinking"))[:ROW]
    if kind == "tool_use":
        return call_line(text(block.get("name")), block.get("input"))
    if kind == "tool_result":
        return content_line(block.get("content")) or "(no output)"
    if text(kind) in _FILES:
        return file_words(block)
    if kind == "redacted_thinking":
        return "(hidden reasoning)"
    return f"{short(kind)} {short(block)}"


def content_line(content: Any) -> str:
    """The content of a message or a result in one line."""
    if isinstance(content, str):
        return content[:ROW]
    parts = [block_line(block) for block in items(content)[:8]]
    return " ".join(part for part in parts if part)[: 2 * ROW]
