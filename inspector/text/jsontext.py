"""JSON text of any value that a tape can hold, however deep, long or odd.

A library writes nearly all of them; the rest (numbers beyond 64 bits, lone surrogates, more levels
than it allows) are written by a walk that uses no recursion.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import orjson

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_DEEPEST_INDENT: Final = 40
"""Levels that are indented; deeper ones stay at this, or a text would grow by the square."""


def json_text(value: Any, *, indent: bool = False, limit: int | None = None) -> str:
    """A value as JSON.

    Args:
        value: what a JSON reader made.
        indent: a line for each member, two blanks a level.
        limit: characters wanted at the most.
    """
    if limit is not None:
        text = "".join(islice(_pieces(value, indent=indent), limit))
        return text[:limit]
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:
        return "".join(_pieces(value, indent=indent))


def json_bytes(value: Any) -> bytes:
    """A value as JSON in UTF-8; what is no character is escaped, as only JSON can say it."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text(value)).encode()


def json_lines(value: Any, most: int) -> str:
    """A value as indented JSON; of one that a library cannot write, so many characters.

    A value of twenty thousand levels takes its square in indents.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:
        return json_text(value, indent=True, limit=most)


def json_length(value: Any) -> int:
    """How many bytes the compact JSON of a value has; characters, where a library cannot say."""
    try:
        return len(orjson.dumps(value))
    except TypeError:
        return sum(map(len, _pieces(value, indent=False)))


def _pieces(value: Any, *, indent: bool) -> Iterator[str]:
    """The text of a value in small pieces."""
    open_: list[tuple[Iterator[Any], str]] = []
    colon, comma = (": ", ",") if indent else (":", ",")
    while True:
        if isinstance(value, dict) and value:
            yield "{"
            open_.append((iter(value.items()), "}"))
            first = True
        elif isinstance(value, list) and value:
            yield "["
            open_.append((iter(value), "]"))
            first = True
        else:
            yield _scalar(value)
            first = False
        while open_:
            members, closing = open_[-1]
            member = next(members, _END)
            if member is not _END:
                if not first:
                    yield comma
                yield _line(len(open_), indent)
                if closing == "}":
                    key, value = member
                    yield _scalar(key)
                    yield colon
                else:
                    value = member
                break
            open_.pop()
            yield _line(len(open_), indent)
            yield closing
            first = False
        else:
            return


_END: Final[Any] = object()


def _line(level: int, indent: bool) -> str:
    return "\n" + "  " * min(level, _DEEPEST_INDENT) if indent else ""


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
