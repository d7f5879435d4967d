"""What an entry says, whatever shape it has (format page 4.2, rules page P4)."""

from typing import Any, Final

import orjson

from inspector.formats.pi.vocabulary import ASSISTANT, BASH, CUSTOM_ROLE, HOOK
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import short

_IMAGE: Final = 1_200
"""Tokens of a picture by the owner's estimate."""


def type_of(entry: dict[str, Any]) -> str:
    """The type of an entry; empty if it has none."""
    return text(entry.get("type"))


def message_of(entry: dict[str, Any]) -> dict[str, Any]:
    """The message of an entry, or an empty one."""
    return mapping(entry.get("message"))


def role_of(message: dict[str, Any]) -> str:
    """Who speaks, in the owner's words of version 3."""
    role = text(message.get("role"))
    return CUSTOM_ROLE if role == HOOK else role


def content_of(entry: dict[str, Any]) -> Any:
    """The content of a message, or of what goes to the model as one."""
    message = entry.get("message")
    return message.get("content") if isinstance(message, dict) else entry.get("content")


def texts_of(content: Any) -> str:
    """The texts of some content, a line apart."""
    if isinstance(content, str):
        return content
    found = (text(mapping(block).get("text")) for block in items(content))
    return "\n".join(filter(None, found))


def calls_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that an assistant's message makes."""
    if message.get("role") != ASSISTANT:
        return []
    found = [mapping(block) for block in items(message.get("content"))]
    return [block for block in found if block.get("type") == "toolCall"]


def call_ids(message: dict[str, Any]) -> list[str]:
    """Their ids, of those that have one."""
    return [name for call in calls_of(message) if (name := text(call.get("id")))]


def summary_of(entry: dict[str, Any]) -> str:
    """The summary of a compaction or a branch; as JSON where it is no text; empty if there is
    none.
    """
    summary = entry.get("summary")
    return summary if isinstance(summary, str) else short(summary) if summary is not None else ""


def systems_message(entry: dict[str, Any]) -> dict[str, Any] | None:
    """The message that a compaction brings before its summary, or None."""
    found = entry.get("systemMessage")
    return found if isinstance(found, dict) else None


# How much it weighs: the owner's estimate, characters by four.


def weight_of(message: dict[str, Any], role: str) -> int:
    """The tokens of a message, by the owner's estimate."""
    if role == BASH:
        return tokens_of(text(message.get("command")) + text(message.get("output")))
    return tokens_of(message.get("content"))


def tokens_of(content: Any) -> int:
    """The tokens of some content."""
    if isinstance(content, str):
        return (len(content) + 3) // 4
    characters = 0
    for block in items(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "text":
            characters += len(text(block.get("text")))
        elif kind == "thinking":
            characters += len(text(block.get("thinking")))
        elif kind == "toolCall":
            characters += len(text(block.get("name"))) + _length(block.get("arguments"))
        elif kind == "image":
            characters += 4 * _IMAGE
    return (characters + 3) // 4


def _length(value: Any) -> int:
    """The characters of a value as JSON; none of one that is too odd to be written."""
    try:
        return len(orjson.dumps(value))
    except (orjson.JSONEncodeError, RecursionError):
        return 0


def figure(value: Any) -> int:
    """A number of tokens; none where there is no number."""
    return natural(value) or 0
