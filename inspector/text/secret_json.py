"""Secrets in texts of JSON: each string is read, hidden in, and written anew.

So no escape keeps a secret from being found, and no secret is hidden beyond its string. What is
between the strings stays to the byte, and so does a string without a secret.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from inspector.text.secret_commands import arguments
from inspector.text.secret_names import all_names, some_names
from inspector.text.secret_rules import redacted_plain
from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import dense, opaque, spared_in_quotes

Writer = Callable[[str], str]
"""Writes a string with its quotes."""


def redacted_json(text: str, writes: Writer | None = None, depth: int = 0) -> str:
    """A text of JSON in which the mark stands for every secret.

    Args:
        text: one or several values; anything else is taken for a plain text.
        writes: writes a string in which something was hidden.
        depth: the number of strings that it is in.
    """
    writes = writes or _written
    if depth > _DEEPEST:
        return redacted_plain(text)
    if _JSON.fullmatch(text):
        return "".join(_tokens(text, writes, depth))
    return redacted_plain(_INSIDE.sub(lambda found: _inside(found[0], writes, depth), text))


def _inside(text: str, writes: Writer, depth: int) -> str:
    """What stands inside of a plain text and may be the beginning of a value."""
    if '"' not in text or not _SOME.search(text):
        return text
    return "".join(_tokens(text, writes, depth))


def _written(text: str) -> str:
    """A string of JSON; what is no character is escaped, as it was."""
    told = json.dumps(text, ensure_ascii=False)
    return told if told.isascii() else _SURROGATE.sub(lambda it: f"\\u{ord(it[0]):04x}", told)


def _tokens(text: str, writes: Writer, depth: int) -> Iterator[str]:
    """The tokens, one after the other, with what was hidden in them.

    A value is a secret by the name before it, in a list by that of the list or by the string before
    it (``"--token", "x"``), beside a name (``"name": "API_KEY", "value": "x"``), and in an object
    by that of the object (``"password": {"value": "x"}``).
    """
    key = label = around = ""
    line: list[str] = []
    opened: list[str] = []
    listed = False
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece[0] == '"':
            said = _read(piece)
            if said is None:
                yield redacted_plain(piece)
                continue
            if found[1]:
                key, listed, line = said, False, []
                hidden = redacted_plain(said)
            else:
                under = label if key in ("value", "Value") else key
                held = _is_held(said, key, around)
                hidden = MARK if held else _hidden(said, under, line, depth)
                label = said if key in _LABELS else label
                line = [*line[:_FIRST], hidden[-_LOOKED_BACK:]] if listed or not key else []
                key = key if listed else ""
            yield piece if hidden == said else writes(hidden) + (found[1] or "")
        elif piece == "[":
            listed, line = bool(key), []
            yield piece
        elif piece in "{}]":
            if piece == "{":
                opened.append(around)
                around = key if key and all_names(key) else ""
            elif piece == "}" and opened:
                around = opened.pop()
            key, line = "", []
            listed = False
            label = label if piece == "]" else ""
            yield piece
        elif piece[0] in "-0123456789" and key and _is_number(key) and not listed:
            key = ""
            yield writes(MARK)
        else:
            if piece[0].isalnum():
                key = key if listed else ""
                line = []
            yield piece


def _read(piece: str) -> str | None:
    """The string that a piece with its colon holds, or None: it is none."""
    string = piece.rstrip(" \t\n\r:")
    if "\\" not in string:
        return string[1:-1]
    try:
        said = _DECODER.decode(string)
    except ValueError:
        return None
    return said if isinstance(said, str) else None


def _is_number(name: str) -> bool:
    """Whether a number under a name is a secret; that of tests which went well is none."""
    return all_names(name) and name.lower() != "pass"


def _is_held(said: str, key: str, around: str) -> bool:
    """Whether a string is the value of an object under the name of a secret; a token has a text."""
    if not around or spared_in_quotes(said):
        return False
    if around.lower() == "token":
        return dense(said)
    return key in _VALUES or opaque(said, _LEAST)


def _hidden(said: str, name: str, line: list[str], depth: int) -> str:
    """A string with what is hidden in it, behind others of a list that may be a command's."""
    if name and all_names(name):
        return said if spared_in_quotes(said) else MARK
    if name and dense(said) and some_names(name) and " " not in said:
        return MARK
    if line:
        # An option of a command tells what its value is, and so does a name.
        before = line[-1]
        if opaque(said, _LEAST) and all_names(before):
            return MARK
        if before.startswith("-") or said.startswith("-") or before.isupper():
            lead = f"{' '.join(line)} "
            told = arguments(lead + said)
            if told.startswith(lead) and told != lead + said:
                return told[len(lead) :]
    return redacted_json(said, None, depth + 1)


_DEEPEST: Final = 3
"""Strings in strings that are read; a deeper one is a plain text."""

_LABELS: Final = frozenset({"name", "key", "Name", "Key"})
_VALUES: Final = frozenset({"value", "plaintext", "plain", "raw", "current", "text"})
"""Names of values in an object that has the name."""

_LEAST: Final = 8
"""Characters of another string of it that is a secret."""

_DECODER: Final = json.JSONDecoder(strict=False)

_FIRST: Final = 4
"""Strings of a list of arguments that may hold the name of its command."""

_LOOKED_BACK: Final = 60
"""Characters of a string before another that may be an option."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SOME: Final = re.compile(r"(?i)\\|pass|pw|secret|token|key|cred|auth|cookie|value|-")
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_OTHER: Final = r"[\t\n\r ,]++|[{}\[\]:]|true|false|null|-?[0-9][0-9.eE+-]*+"
_TOKEN: Final = re.compile(rf"{_STRING}([\t\n\r ]*+:)?+|{_OTHER}", re.DOTALL)
_JSON: Final = re.compile(rf"(?=[\t\n\r ]*+[\[{{\"])(?:{_STRING}|{_OTHER})*+", re.DOTALL)
_ON_A_LINE: Final = r'"(?:[^"\\\n]|\\[^\n])*+"'
_INSIDE: Final = re.compile(rf"[\[{{](?:{_ON_A_LINE}|{_OTHER})*+")
