"""What an entry says as the person saw it: texts, reasoning, calls and results."""

from typing import Any

from inspector.formats.parts import Call, File, Part, Result, Said, Thought, answer, file_of
from inspector.formats.pi.entry import message_of, role_of
from inspector.formats.pi.vocabulary import BASH, CUSTOM_MESSAGE, MESSAGE, TOOL_RESULT
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import short


def parts(entry: dict[str, Any]) -> list[Part] | None:
    """The parts of an entry; None of one that is no message."""
    if entry.get("type") == CUSTOM_MESSAGE:
        return _content(entry.get("content"))
    if entry.get("type") != MESSAGE:
        return None
    message = message_of(entry)
    role = role_of(message)
    if role == BASH:
        return [Said(f"$ {text(message.get('command'))}"), Said(text(message.get("output")))]
    found = _content(message.get("content"))
    if role == TOOL_RESULT:
        return [_result(message, found)]
    told = text(message.get("errorMessage"))
    return [*found, Said(told)] if told else found


def _content(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [Said(content)]
    return [_block(block) for block in items(content)]


def _block(block: Any) -> Part:
    shape = mapping(block)
    kind = shape.get("type")
    if kind == "text":
        return Said(text(shape.get("text")))
    if kind == "thinking":
        return Thought(text(shape.get("thinking")))
    if kind == "toolCall":
        name, identity = text(shape.get("name")), text(shape.get("id")) or None
        return Call(identity, name, shape.get("arguments"))
    if kind == "image":
        return _image(shape)
    return Said(block if isinstance(block, str) else short(block))


def _image(block: dict[str, Any]) -> File:
    data, media = block.get("data"), text(block.get("mimeType"))
    return file_of(data, media) if isinstance(data, str) else File("", media or "image", None)


def _result(message: dict[str, Any], found: list[Part]) -> Result:
    failed = message.get("isError")
    call = text(message.get("toolCallId")) or None
    return answer(call, found, failed if isinstance(failed, bool) else None)
