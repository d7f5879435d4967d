"""Blocks of a message's content in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text

ROW: Final = 400
"""Characters of a text that a row may need."""

_NAME: Final = 80
_FILES: Final = {"image": "image", "document": "document"}


def short(value: Any) -> str:
    """The start of a value."""
    return value[:ROW] if isinstance(value, str) else json_text(value, limit=ROW)


def file_words(block: dict[str, Any]) -> str:
    """A picture or a document: what it is, and how large."""
    source = mapping(block.get("source"))
    kind = text(block.get("type"))
    media = text(source.get("media_type"))[:_NAME]
    data = source.get("data")
    if isinstance(data, str):
        size = len(data) * 3 // 4
        return f"[{kind} {media}, {len(data)} base64 characters = {size} bytes]"
    return f"[{kind} {media or text(source.get('url'))[:_NAME]}]"


def call_line(block: dict[str, Any]) -> str:
    """A call in one line: the tool and the values of its arguments."""
    name, values = text(block.get("name"))[:_NAME], block.get("input")
    if isinstance(values, dict):
        return " ".join([name, *(short(value) for value in list(values.values())[:6])])
    return f"{name} {short(values)}" if values is not None else name


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
        return call_line(block)
    if kind == "tool_result":
        return content_line(block.get("content")) or "(no output)"
    if kind in _FILES:
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
