"""Messages as the log has them: those of the OpenAI chat interface (format page 3.2)."""

from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.reina.vocabulary import IN_MEMORY_HEAD, USER, WATCHDOG_HEAD
from inspector.formats.shapes import items, mapping, text
from inspector.tape.jsonline import parse
from inspector.text.jsontext import json_text


class ToolCall(NamedTuple):
    """A call that a message makes.

    Attributes:
        id: None where it has none.
        name: of the tool.
        arguments: the text that should be JSON; it is kept where it is none.
    """

    id: str | None
    name: str
    arguments: str


def content_of(message: dict[str, Any]) -> str:
    """What a message says; of content in parts their texts, a line apart."""
    content = message.get("content")
    if type(content) is str:
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(_part, content)))
    return "" if content is None else json_text(content)


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    shape = mapping(part)
    if isinstance(shape.get("text"), str):
        return text(shape["text"])
    return f"[{text(shape.get('type')) or 'a part'}]"


def calls_of(message: dict[str, Any]) -> list[ToolCall]:
    """The calls that a message makes."""
    return [_call(mapping(call)) for call in items(message.get("tool_calls"))]


def _call(call: dict[str, Any]) -> ToolCall:
    function = mapping(call.get("function"))
    given = function.get("arguments")
    arguments = given if isinstance(given, str) else "" if given is None else json_text(given)
    return ToolCall(text(call.get("id")) or None, text(function.get("name")), arguments)


def is_json(arguments: str) -> bool:
    """Whether the arguments of a call can be read; none at all can."""
    if not arguments:
        return True
    try:
        orjson.loads(arguments)
    except ValueError:
        pass
    else:
        return True
    try:
        parse(arguments.encode("utf-8", "surrogatepass"))
    except ValueError:
        return False
    return True


def answers(message: dict[str, Any]) -> str | None:
    """The id of the call that a message of a tool answers, or None."""
    return text(message.get("tool_call_id")) or None


def is_summary(message: dict[str, Any]) -> bool:
    """Whether a message of the user is a summary by how it begins: a rule of the format."""
    return _begins(message, IN_MEMORY_HEAD)


def is_watchdogs(message: dict[str, Any]) -> bool:
    """Whether a message of the user was written by the watchdog, by how it begins."""
    return _begins(message, WATCHDOG_HEAD)


def _begins(message: dict[str, Any], head: str) -> bool:
    return message.get("role") == USER and content_of(message)[: len(head)] == head


SYNTHETIC: Final = (IN_MEMORY_HEAD, WATCHDOG_HEAD)
