"""Secrets in texts of JSON: each string is read, hidden in, and written anew.

So no escape keeps a secret from being found, and no secret is hidden beyond its string. What is
between the strings stays to the byte, and so does a string without a secret.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from inspector.text.redaction import redacted
from inspector.text.secret_names import all_names
from inspector.text.secret_shapes import MARK
from inspector.text.secret_values import spared_in_quotes

Writer = Callable[[str], str]
"""Writes a string with its quotes."""


def redacted_json(text: str, writes: Writer | None = None, depth: int = 0) -> str:
    """A text of JSON in which the mark stands for every secret.

    Args:
        text: one or several values; anything else is taken for a plain text.
        writes: writes a string in which something was hidden.
        depth: the number of strings that it is in.
    """
    if depth > _DEEPEST or not _JSON.fullmatch(text):
        return redacted(text)
    return "".join(_tokens(text, writes or _written, depth))


def _written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _tokens(text: str, writes: Writer, depth: int) -> Iterator[str]:
    """The tokens, one after the other, with what was hidden in them.

    A value is a secret by the name before it, in a list by that of the list or by the string before
    it (``"--token", "x"``), and beside a name (``"name": "API_KEY", "value": "x"``).
    """
    key = label = before = ""
    listed = False
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece[0] == '"':
            said = _read(piece)
            if said is None:
                yield redacted(piece)
                continue
            if found[1]:
                key, listed, before = said, False, ""
                hidden = redacted(said)
            else:
                under = label if key in ("value", "Value") else key
                hidden = _hidden(said, under, before, depth)
                label = said if key in _LABELS else label
                before = said
                key = key if listed else ""
            yield piece if hidden == said else writes(hidden) + (found[1] or "")
        elif piece == "[":
            listed, before = bool(key), ""
            yield piece
        elif piece in "{}]":
            key = before = ""
            listed = False
            label = label if piece == "]" else ""
            yield piece
        elif piece[0] in "-0123456789" and key and all_names(key) and not listed:
            key = ""
            yield writes(MARK)
        else:
            if piece[0].isalnum():
                key = key if listed else ""
                before = ""
            yield piece


def _read(piece: str) -> str | None:
    """The string that a piece with its colon holds, or None: it is none."""
    try:
        said = json.loads(piece.rstrip(" \t\n\r:"), strict=False)
    except ValueError:
        return None
    return said if isinstance(said, str) else None


def _hidden(said: str, name: str, before: str, depth: int) -> str:
    if name and all_names(name):
        return said if spared_in_quotes(said) else MARK
    if before.startswith("-"):
        # An option of a command tells what its value is.
        lead = f"{before} "
        told = redacted(lead + said)
        if told.startswith(lead):
            return told[len(lead) :]
    return redacted_json(said, None, depth + 1)


_DEEPEST: Final = 3
"""Strings in strings that are read; a deeper one is a plain text."""

_LABELS: Final = frozenset({"name", "key", "Name", "Key"})
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_OTHER: Final = r"[\t\n\r ,]++|[{}\[\]:]|true|false|null|-?[0-9][0-9.eE+-]*+"
_TOKEN: Final = re.compile(rf"{_STRING}([\t\n\r ]*+:)?+|{_OTHER}", re.DOTALL)
_JSON: Final = re.compile(rf"(?=[\t\n\r ]*+[\[{{\"])(?:{_STRING}|{_OTHER})*+", re.DOTALL)
