"""Values and calls in one line, cut before anything else happens to them: a row costs the same
whatever stands in the record.
"""

import re
from typing import Any, Final

import orjson

from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_lines, json_text

ROW: Final = 400
"""Characters of a text that a row may need."""
NAME: Final = 80
"""Characters of a name within a sentence."""
_LONG: Final = 20_000
"""Characters of arguments that are read as JSON for a row."""
_MOST: Final = 100_000
"""Characters of a value that are laid out: more of one nobody reads as JSON."""

_FILE: Final = re.compile(r"((?:data:[\w/+.;=-]{1,80},)?)([A-Za-z0-9+/]{2048,}={0,2})")
"""A file in the text of a record, as base64: nobody reads it, and laying it out takes seconds."""


def short(value: Any) -> str:
    """The start of a value."""
    return value[:ROW] if isinstance(value, str) else json_text(value, limit=ROW)


def said(value: Any) -> str:
    """A name or a number within a sentence; nothing for what is not there."""
    return "" if value is None else short(value)[:NAME]


def joined(*parts: str) -> str:
    """The parts that say something, with a dot between them."""
    return " · ".join(part for part in parts if part)


def behind(head: str, tail: str, mark: str = ": ") -> str:
    """What is said of something, if anything is: ``shell: exit 1``."""
    return f"{head}{mark}{tail}" if head and tail else head or tail


def listed(payload: dict[str, Any]) -> str:
    """Keys and values, of a record of which nothing else is known."""
    return ", ".join(
        f"{key[:40]} {short(value)}"
        for key, value in list(payload.items())[:8]
        if value not in (None, "") and key != "type"
    )[: 2 * ROW]


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


def call_line(name: Any, arguments: Any) -> str:
    """A call in one line: the tool and the values of its arguments."""
    values = arguments
    if isinstance(arguments, str):
        values = None
        if len(arguments) <= _LONG and arguments[:1] in ("{", "["):
            values = _parsed(arguments)
        if values is None:
            return f"{said(name)} {arguments[:ROW]}".strip()
    if isinstance(values, dict):
        shown = [_words(value) for value in list(values.values())[:6]]
        return " ".join([said(name), *shown])[: 2 * ROW].strip()
    return f"{said(name)} {_words(values)}".strip()


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


def _parsed(arguments: str) -> Any:
    try:
        return orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return None


def pretty(value: Any) -> str:
    """A value as indented JSON; a string that holds JSON as what it holds, a file by its size."""
    if isinstance(value, str):
        held = _parsed(value) if value[:1] in ("{", "[") else None
        if held is None:
            return _FILE.sub(_file, value)
        value = held
    shown = _FILE.sub(_file, json_lines(value, _MOST))
    if len(shown) < _MOST:
        return shown
    return f"{shown[:_MOST]}\n… the first {_MOST:,} characters; r shows the record"


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


def _file(found: re.Match[str]) -> str:
    length = len(found[2])
    return f"{found[1]}[{length:,} base64 characters = {length * 3 // 4:,} bytes; r shows them]"
