"""Texts in which other signs stand for line ends, quotes and signs: as in JSON, ANSI, addresses."""

import re
from collections.abc import Callable
from typing import Final

from inspector.text.secret_shapes import MARK

Hides = Callable[[str], str]
"""Hides the secrets of a text."""


def apart(text: str, hides: Hides) -> str:
    r"""Hides in a text in which words are apart from written line ends and colours before them.

    The ``n`` of ``\ntoken: x`` is no part of the name, and so is the ``m`` of a colour. A sign that
    the text does not hold stands between them meanwhile.
    """
    if "\\" not in text and "\x1b" not in text:
        return hides(text)
    sign = next((sign for sign in _SIGNS if sign not in text), None)
    if sign is None:
        return hides(text)
    return hides(_GLUED.sub(rf"\g<0>{sign}", text)).replace(sign, "")


def percents(text: str, hides: Hides) -> str:
    """Hides in words in which signs are written as in addresses: ``password%3Dhunter2``."""
    if not _SPELLED.search(text):
        return text

    def word(found: re.Match[str]) -> str:
        return found[0] if found[1] is None else _hidden(found[0], hides)

    return _WORD.sub(word, text)


def _hidden(word: str, hides: Hides) -> str:
    units = _UNIT.findall(word)
    plain = "".join(unit if len(unit) == 1 else chr(int(unit[1:], 16)) for unit in units)
    told = hides(plain)
    if told == plain:
        return word
    pieces = told.split(MARK)
    pieces = [pieces[0], *_between(plain, pieces), pieces[-1]]
    shown = []
    at = 0
    for piece in pieces[:-1]:
        at = plain.find(piece, at)
        shown.append("".join(units[at : at + len(piece)]))
        at += len(piece)
    last = len(units) - len(pieces[-1])
    return MARK.join([*shown, "".join(units[last:])])


def _between(plain: str, pieces: list[str]) -> list[str]:
    """The pieces between marks; none, if their places are not certain."""
    inner = pieces[1:-1]
    certain = len(inner) <= _MOST and MARK not in plain
    return inner if certain and all(plain.count(piece) == 1 for piece in inner) else []


_MOST: Final = 8
"""Pieces between marks that are looked for."""

_SIGNS: Final = ("\x00", "\x01", "\x02", "\x03", "\x04", "\ufdd0", "\ufdd1", "\ufdd2")
_GLUED: Final = re.compile(
    r"(?:\\(?:[nr]|t(?!oken))|(?:\x1b|\\u001b|\\x1b|\\033)\[[0-9;]{0,20}m)(?=[\w-])"
)
_SPELLED: Final = re.compile(r"%(?:3[ADad]|22)")
_WORD: Final = re.compile(
    r"(?:[^\t\n\r \"'<>`%]|%(?!3[ADad]|22))++(%(?:3[ADad]|22)[^\t\n\r \"'<>`]*+)?"
    r"|%(?:3[ADad]|22)[^\t\n\r \"'<>`]*+"
)
_UNIT: Final = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
