"""Calls, commands and the parts of messages in words."""

from typing import Any, Final

from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import ROW, call_line, listed, pretty, said, short

_TYPE: Final = frozenset({"type"})


def members(payload: dict[str, Any]) -> str:
    """Keys and values of a record; its type is what the row is called."""
    return listed(payload, _TYPE)


def content_line(content: Any) -> str:
    """The start of what the parts of a message say."""
    parts: list[str] = []
    room = ROW
    for part in items(content)[:50]:
        shape = mapping(part)
        said_here = shape.get("text")
        line = said_here if isinstance(said_here, str) else f"[{said(shape.get('type')) or 'part'}]"
        parts.append(line[:room])
        room -= len(parts[-1])
        if room <= 0:
            break
    return " ".join(part for part in parts if part)


def called(name: Any, arguments: Any) -> str:
    """A call in one line; a command among its arguments as one types it."""
    return call_line(name, arguments, _words).strip()


def command_line(command: Any) -> str:
    """A command as one types it; a shell that only runs a script is left out."""
    if isinstance(command, str):
        return command[:ROW]
    words = [word for word in items(command) if isinstance(word, str)]
    if len(words) == 3 and words[1] in ("-c", "-lc"):
        return words[2][:ROW]
    return " ".join(word[:ROW] for word in words[:50])[:ROW]


def _words(value: Any) -> str:
    """A value in a row; a command without the marks of JSON."""
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value[:50]):
        return command_line(value)
    return "" if value is None else short(value)


def content_text(content: Any) -> str:
    """All that the parts of a message say; a part without a text as its JSON."""
    return "\n".join(_part(part) for part in items(content))


def _part(part: Any) -> str:
    shape = mapping(part)
    if isinstance(shape.get("text"), str):
        return text(shape["text"])
    if "image" in text(shape.get("type")):
        return f"[{text(shape['type'])}] {pretty(shape.get('image_url') or shape.get('url'))}"
    return pretty(part)
