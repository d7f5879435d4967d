"""What stands under the name of a secret: where it is, and where it ends.

A value in quotes ends at its quote. A bare one ends where what it stands in goes on: at white
space, at another name with its value, or where a string of JSON or an argument is closed, so that
nothing but the value is hidden.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from inspector.text.secret_names import normal
from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import dense, spared, spared_in_prose, spared_in_quotes


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
    if opening[-1] not in _IN_LINE:
        return _spelled(text, at, opening, begins)
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


def _spelled(text: str, at: int, opening: str, begins: int) -> Place | None:
    """The same, in quotes that are written as numbers or by name."""
    ends = text.find(opening, begins, begins + _SEEN)
    if ends <= begins or spared_in_quotes(text[begins:ends]):
        return None
    return Place(at, ends, f"{opening}{MARK}")


def _closed(text: str, begins: int, opening: str, stop: int, *, lines: bool) -> int | None:
    """Where a string is closed, before a place, and on its line if it may have but one."""
    inside = (_IN_LINES if lines else _IN_LINE)[opening[-1]]
    at = begins
    while True:
        gone = inside.match(text, at, stop)
        at = at if gone is None else gone.end()
        found = _PLAIN_QUOTE.match(text, at, stop)
        if found is None:
            return None
        double = found[0] == "'" and text.startswith("'", found.end()) and at > begins
        if len(found[0]) <= len(opening) and not double:
            return at
        at = found.end() + double


def bare(text: str, at: int, name: str) -> Place | None:
    """A value that is assigned and stands in no quotes, or None: there is none, or no secret."""
    if text.startswith(MARK, at):
        return _rest(text, at)
    seen = _BEGINS.match(text, at)
    if seen is None or _OTHER.match(text, at) or spared(seen[0], name):
        return None
    return _bare_word(text, at)


def _bare_word(text: str, at: int) -> Place | None:
    begins = at + 1 if text.startswith("<", at) else at
    word = _BARE.match(text, begins)
    if word is None or word.end() == begins:
        return None
    if text.startswith("(", at) and not dense(text[at : word.end()]):
        # What is in brackets is code.
        return None
    return Place(at, word.end(), MARK)


def _rest(text: str, at: int) -> Place | None:
    """What goes on behind a mark."""
    word = _BARE.match(text, at)
    goes_on = word is not None and word.end() > at + len(MARK)
    return Place(at, word.end(), MARK) if goes_on and word is not None else None


def bare_in_prose(text: str, at: int, name: str, of_name: str) -> Place | None:
    """The same of a value behind a colon.

    Args:
        text: in which it is.
        at: where it begins.
        name: whose value it is.
        of_name: the quote behind its name, escapes included; empty if there is none.
    """
    if text.startswith(MARK, at):
        return _rest(text, at)
    seen = _BEGINS.match(text, at)
    if seen is None or _OTHER.match(text, at):
        return None
    if of_name:
        plain = _NUMBER.match(seen[0])
        mark = f"{of_name}{MARK}{of_name}"
        return Place(at, at + plain.end(), mark) if plain and normal(name) != "pass" else None
    place = _bare_word(text, at)
    if place is None:
        return None
    behind = text[seen.end() : seen.end() + _ARGUMENTS]
    goes_on = behind[:1] in ("'", '"') and place.stop > seen.end() and seen[0][-1].isalnum()
    return None if not goes_on and spared_in_prose(seen[0], behind, name) else place


_ARGUMENTS: Final = 80
"""Characters behind a type that tell whether it is one of an argument."""

_PLAIN_QUOTE: Final = re.compile(r"(?<!\\)\\{0,15}[\"'`]")
QUOTE: Final = re.compile(
    r"(?<!\\)\\{0,15}[\"'`]|\\{1,15}u002[27]|&(?:quot|apos|#34|#39|#x22|#x27);"
)

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
    r"|[\"'`,&)\]}](?![\t\n\f\r .,;:&)\]}\"'`\\]"
    r"|(?:amp|quot|apos|lt|gt|#x?[0-9]{2});|[A-Za-z_][A-Za-z0-9_.-]{0,60}+=|\Z)"
    r"|\\(?!\\{0,14}(?:[\"'`nrt]|u00))\\{0,14}+)*+"
)
_BEGINS: Final = re.compile(r"[^\t\n\f\r ,;\"'`\\)\]}]{1,100}+")
_OTHER: Final = re.compile(r"\[|[a-z]{2,10}:`|</|<[A-Za-z][^<>\n\"']{0,60}+>")
_NUMBER: Final = re.compile(r"-?[0-9][0-9.eE+-]*+")
