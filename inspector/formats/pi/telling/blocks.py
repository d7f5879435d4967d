"""Content in one line, as plain uncleaned text."""

from typing import Any

from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import NAME, ROW, call_line, file_size, short


def image_words(block: dict[str, Any]) -> str:
    """A picture: what it is, and how large."""
    media, data = text(block.get("mimeType"))[:NAME], block.get("data")
    size = f", {file_size(data)}" if isinstance(data, str) else ""
    return f"[image {media}{size}]"


def block_line(block: Any) -> str:
    """A block in one line."""
    shape = mapping(block)
    kind = shape.get("type")
    if kind == "text":
        return text(shape.get("text"))[:ROW]
    if kind == "thinking":
        return text(shape.get("thinking"))[:ROW]
    if kind == "toolCall":
        return call_line(text(shape.get("name")), shape.get("arguments"))
    return image_words(shape) if kind == "image" else short(block)


def content_line(content: Any) -> str:
    """The content of a message in one line."""
    if isinstance(content, str):
        return content[:ROW]
    said = (block_line(block) for block in items(content)[:8])
    return " ".join(filter(None, said))[: 2 * ROW]
