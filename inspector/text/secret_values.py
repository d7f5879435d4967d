"""What stands under the name of a secret: whether it is one, and where it ends.

A value in quotes ends at its quote. A bare one ends where what it stands in goes on: at white
space, at another name with its value, or where a string of JSON or an argument is closed, so that
nothing but the value is hidden.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from inspector.text.secret_names import all_names, normal
from inspector.text.secret_shapes import MARK


class Place(NamedTuple):
    """A value that is to be hidden.

    Attributes:
        start: where it begins.
        stop: where it ends.
        mark: what stands for it.
    """

    start: int
    stop: int
    mark: str


def covered(text: str, places: Iterable[Place]) -> str:
    """A text with marks in some places, which are in order and apart."""
    pieces: list[str] = []
    done = 0
    for start, stop, mark in places:
        pieces += (text[done:start], mark)
        done = stop
    return "".join([*pieces, text[done:]])


_SEEN: Final = 200
"""Characters of a value that tell whether it is a secret."""

_WORD: Final = 4
"""Letters of a word that is prose behind a colon."""


def spared(value: str, name: str = "") -> bool:
    """Whether a value under the name of a secret is code or a placeholder, or hidden already."""
    if value.startswith((MARK, "=", ">", "{")) or _PLACEHOLDER.match(value):
        return True
    word = value.rstrip(".,;:!?)]}").removeprefix("&")
    if not any(map(str.isalnum, value)):
        return len(value) < _WORD or set(value) == {"*"}
    if word.lower() in _TYPES or _CODE.match(value):
        return True
    return bool(name) and (_is_name(word) or _is_of(normal(name), word))


def _is_name(word: str) -> bool:
    """Whether a value is itself the name of a secret: a variable that is handed on."""
    last = word.rpartition(".")[2]
    return last == "key" or (last.replace("_", "").isalpha() and all_names(last))


def _is_of(name: str, word: str) -> bool:
    """Whether a value is no secret under just this name: a place, a count, a kind of token."""
    if name in ("pwd", "oldpwd"):
        return word[:1] in ("/", "~", ".", "\\") or word[1:3] in (":\\", ":/")
    if name == "pass":
        return word.isdigit()
    is_word = word.replace("_", "").replace(".", "").isalpha()
    return name.endswith("token") and is_word and (word.isupper() or "." in word)


def spared_in_prose(value: str, behind: str, name: str = "") -> bool:
    """The same of what stands behind a colon and in no quotes: types, and short words of prose."""
    if spared(value, name):
        return True
    word = value.rstrip(".!?")
    is_type = word[:1].isupper() and behind.lstrip(" ")[:1] in (",", ")", "=", ";", "|")
    return word.isalpha() and (len(word) <= _WORD or is_type)


def spared_in_quotes(value: str) -> bool:
    """The same of what stands in quotes, where nothing is code but what is filled in."""
    if not any(map(str.isalnum, value)):
        return len(value) < _WORD or set(value) <= {"*", "."}
    return value.lower() in _TYPES or _FILLED.match(value) is not None


def quoted(text: str, at: int, *, lines: bool = False) -> Place | None:
    """A value in quotes from here on, or None: there is no quote, or it is no secret.

    Args:
        text: in which it is.
        at: where it begins.
        lines: whether it may be of more lines than one.
    """
    quote = QUOTE.match(text, at)
    if quote is None:
        return None
    opening, begins = quote[0], quote.end()
    threefold = opening * 3
    if text.startswith(threefold, at):
        last = text.find(threefold, at + len(threefold))
        if last > 0:
            return Place(at, last, f"{threefold}{MARK}")
    # What is spared is not gone through to its end: it may hold other values.
    seen = min(len(text), begins + _SEEN)
    ends = _closed(text, begins, opening, seen, lines=lines)
    if ends == begins or spared_in_quotes(text[begins : seen if ends is None else ends]):
        return None
    if ends is None and seen < len(text):
        ends = _closed(text, begins, opening, len(text), lines=lines)
    if ends is None:
        word = _BARE.match(text, begins)
        ends = begins if word is None else word.end()
    return Place(at, ends, f"{opening}{MARK}") if ends > begins else None


def _closed(text: str, begins: int, opening: str, stop: int, *, lines: bool) -> int | None:
    """Where a string is closed, before a place, and on its line if it may have but one."""
    inside = (_IN_LINES if lines else _IN_LINE)[opening[-1]]
    at = begins
    while True:
        gone = inside.match(text, at, stop)
        at = at if gone is None else gone.end()
        found = QUOTE.match(text, at, stop)
        if found is None:
            return None
        double = found[0] == "'" and text.startswith("'", found.end()) and at > begins
        if len(found[0]) <= len(opening) and not double:
            return at
        at = found.end() + double


def bare(text: str, at: int, name: str) -> Place | None:
    """A value that is assigned and stands in no quotes, or None: there is none, or no secret."""
    seen = _BEGINS.match(text, at)
    if seen is None or _OTHER.match(text, at) or spared(seen[0], name):
        return None
    word = _BARE.match(text, at)
    return None if word is None or word.end() == at else Place(at, word.end(), MARK)


def bare_in_prose(text: str, at: int, name: str, of_name: str) -> Place | None:
    """The same of a value behind a colon.

    Args:
        text: in which it is.
        at: where it begins.
        name: whose value it is.
        of_name: the quote behind its name, escapes included; empty if there is none.
    """
    seen = _BEGINS.match(text, at)
    if seen is None or _OTHER.match(text, at):
        return None
    if of_name:
        plain = _NUMBER.match(seen[0])
        mark = f"{of_name}{MARK}{of_name}"
        return Place(at, at + plain.end(), mark) if plain and normal(name) != "pass" else None
    if spared_in_prose(seen[0], text[seen.end() : seen.end() + 2], name):
        return None
    word = _BARE.match(text, at)
    return None if word is None or word.end() == at else Place(at, word.end(), MARK)


def is_prose(value: str) -> bool:
    """Whether what stands behind the name of a header is a sentence."""
    return _PROSE.match(value) is not None


QUOTE: Final = re.compile(r"(?<!\\)\\{0,15}[\"'`]")

# Up to the next quote of one kind with its escapes.
_IN_LINE: Final = {
    quote: re.compile(rf"(?:[^\\\n{quote}]|\\(?!\\{{0,14}}{quote})\\{{0,14}}+)*+")
    for quote in "\"'`"
}
_IN_LINES: Final = {
    quote: re.compile(rf"(?:[^\\{quote}]|\\(?!\\{{0,14}}{quote})\\{{0,14}}+)*+") for quote in "\"'`"
}

# A mark that may close a string or an argument is in a value if the value goes on behind it.
_BARE: Final = re.compile(
    r"(?:\[REDACTED\]|[^\t\n\f\r \"'`\\,;&)\]}<>]|[<>](?![/A-Za-z])"
    r"|[\"'`,&)\]}](?![\t\n\f\r .,;:&)\]}\"'`\\]|amp;|[A-Za-z_][A-Za-z0-9_.-]{0,60}+=|\Z)"
    r"|\\(?!\\{0,14}(?:[\"'`nrt]|u00))\\{0,14}+)*+"
)
_BEGINS: Final = re.compile(r"[^\t\n\f\r ,;\"'`\\)\]}]{1,100}+")
_OTHER: Final = re.compile(r"\[|</|<[A-Za-z][^<>\n\"']{0,60}+>")
_FILLED: Final = re.compile(
    r"\[REDACTED\]|(?:[A-Za-z]{1,20}+ )?(?:\$[{(]|\$[A-Za-z_]{1,60}+\Z|\{\{"
    r"|%[(s]|%[A-Z_]{1,60}+%\Z|\{[A-Za-z_][A-Za-z0-9_.]{0,60}+[}!:]|<[A-Za-z /_-]{1,60}+>)"
)
_NUMBER: Final = re.compile(r"-?[0-9][0-9.eE+-]*+")
_PROSE: Final = re.compile(r"[a-z]{1,20}+,? [A-Za-z]{1,20}+[.,;]?(?: [A-Za-z(]|\Z)")
_PLACEHOLDER: Final = re.compile(
    r"\$[{(]|\$[A-Z_][A-Z0-9_]{0,60}+(?![A-Za-z0-9])|\$[a-z_]{1,60}+(?![A-Za-z0-9])"
    r"|%[A-Za-z_]{1,60}+%|%\(|%[sdrqv](?![A-Za-z0-9])|\*{3}|\*[A-Za-z_]{1,60}+(?![A-Za-z0-9])"
)
_CODE: Final = re.compile(
    r"[A-Za-z_]\w{0,60}+(?:\.\w{1,60}+){0,8}+[(\[]"
    r"|(?:self|this|req|request|os|process|config|settings|env|args|ctx|options|props|params)\."
)
_TYPES: Final = frozenset(
    (
        *("str", "string", "text", "bytes", "int", "integer", "number", "float", "bool", "boolean"),
        *("any", "object", "none", "null", "nil", "undefined", "true", "false", "void", "optional"),
        *("required", "missing", "unset", "empty", "redacted", "include", "omit", "inherit"),
        *("same-origin", "await", "async", "new", "yield", "lambda", "function", "not"),
    )
)
