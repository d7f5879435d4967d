"""What a record says as the person saw it: texts, reasoning, calls and results (page 1.4, 1.6)."""

from typing import Any, Final

from inspector.formats.claude.effects.texts import INTERRUPTED, content_of, first_text
from inspector.formats.parts import (
    Call,
    File,
    Part,
    Result,
    Said,
    Thought,
    answer,
    arguments_of,
    file_of,
)
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import short

_FILES: Final = frozenset({"image", "document"})
_HIDDEN: Final = "(the provider hid it)"


def parts(record: dict[str, Any]) -> list[Part] | None:
    """The parts of a record; None of one that is no message."""
    kind = record.get("type")
    if kind in ("user", "assistant"):
        return _content(content_of(record))
    attachment = mapping(record.get("attachment"))
    if kind == "attachment" and attachment.get("type") == "queued_command":
        return _content(attachment.get("prompt"))
    return None


def _content(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [Said(content)]
    return [_block(block) for block in items(content)]


def _block(block: Any) -> Part:
    if not isinstance(block, dict):
        return Said(block if isinstance(block, str) else short(block))
    kind = text(block.get("type"))
    if kind == "text":
        return Said(text(block.get("text")))
    if kind == "thinking":
        return Thought(text(block.get("thinking")))
    if kind == "redacted_thinking":
        return Thought(_HIDDEN)
    if kind == "tool_use":
        name, identity = text(block.get("name")), text(block.get("id")) or None
        return Call(identity, name, arguments_of(block.get("input")))
    if kind == "tool_result":
        return _result(block)
    if kind in _FILES:
        return _file(block)
    return Said(short(block))


def _result(block: dict[str, Any]) -> Result:
    content, failed = block.get("content"), block.get("is_error") is True
    # What the person refused and what was cut off are told apart by their words only.
    said = first_text(content) if failed else ""
    by_text = said.startswith((INTERRUPTED, "The user doesn't want to", "Permission prompt was"))
    call = text(block.get("tool_use_id")) or None
    if isinstance(content, str):
        return Result(call, content, failed, by_text)
    # A result holds texts and files; what is deeper is no result of ours.
    inner = [_inner(one) for one in items(content)]
    return answer(call, inner, failed, by_text)


def _inner(block: Any) -> Part:
    shape = mapping(block)
    kind = text(shape.get("type"))
    if kind in _FILES:
        return _file(shape)
    return Said(text(shape.get("text")) if kind == "text" else short(block))


def _file(block: dict[str, Any]) -> File:
    source, name = mapping(block.get("source")), text(block.get("title"))
    media = text(source.get("media_type")) or text(block.get("type"))
    data = source.get("data")
    if isinstance(data, str):
        return file_of(data, media, name)
    return File(name or text(source.get("url")), media, None)
