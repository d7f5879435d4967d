"""Secrets beside their names, with no sign between that gives a value to a name."""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import all_names
from inspector.text.secret_spared import dense, opaque
from inspector.text.secret_values import QUOTE, Place, bare, covered, quoted


def pairs(text: str) -> str:
    """Values beside a name: ``"name": "API_KEY", "value": "x"``, and ``"API_KEY", "x1y2z3"``."""
    if "alue" in text or "content=" in text:
        text = covered(text, _paired_values(text))
    return covered(text, _coupled_values(text)) if "," in text and _QUOTED.search(text) else text


def _paired_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _PAIR.search(text, at)) is not None:
        at = found.end()
        if all_names(found[1]):
            place = quoted(text, at) if QUOTE.match(text, at) else bare(text, at, found[1])
            if place is not None:
                yield place
                at = place.stop


def _coupled_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _COUPLE.search(text, at)) is not None:
        at = found.end()
        if not all_names(found[1]):
            continue
        place = quoted(text, at)
        if place is None:
            continue
        value = text[place.start : place.stop].lstrip("\\\"'`")
        if opaque(value, _LEAST) or dense(value):
            yield place
            at = place.stop


def logged_in(text: str) -> str:
    """What stands behind the name of a person who logs in: ``login("bob", "x")``."""
    lowered = text.lower()
    if not any(call in lowered for call in _CALLS):
        return text
    return covered(text, _logged_in_values(text))


def _logged_in_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _CALL.search(text, at)) is not None:
        at = found.end()
        place = quoted(text, at)
        if place is not None:
            yield place
            at = place.stop


def declared(text: str) -> str:
    """What names are set to without a sign before it: ``#define KEY "x"``, ``setPassword("x")``."""
    text = covered(text, _set_values(text))
    if any(word in text for word in _DECLARING):
        text = covered(text, _declared_values(text))
    return text


def _declared_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _DECLARED.search(text, at)) is not None:
        at = found.end()
        place = quoted(text, at) if all_names(found[1]) else None
        if place is not None:
            yield place
            at = place.stop


def _set_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _SET.search(text, at)) is not None:
        at = found.end()
        start = found.start()
        least = max(0, start - _LONGEST)
        while start > least and text[start - 1] in _NAME_CHARS:
            start -= 1
        name = text[start : found.end(1)]
        place = quoted(text, at) if _SETTER.match(name) and all_names(name) else None
        if place is None:
            continue
        if "pass" in found[1].lower() or opaque(text[place.start + 1 : place.stop]):
            yield place
            at = place.stop


_LEAST: Final = 8
"""Characters of a string behind a name in a list that is a secret."""

_LONGEST: Final = 100
"""Characters before the last word of a name."""

_NAME_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_PAIR: Final = re.compile(
    r"\b(?:name|key|Name|Key)\\{0,15}[\"']?[\t ]{0,8}[:=][\t ]{0,8}\\{0,15}[\"']?"
    r"([A-Za-z_][A-Za-z0-9_.-]{0,79}+)\\{0,15}[\"']?[\t\n ,]{1,40}\\{0,15}[\"']?"
    r"(?:[Vv]alue|content)"
    r"\\{0,15}[\"']?[\t ]{0,8}[:=][\t ]{0,8}"
)
_COUPLE: Final = re.compile(
    r"[\"']([A-Za-z_][A-Za-z0-9_.-]{0,79}+)\\{0,15}[\"'][\t\n ]{0,8},[\t\n ]{0,8}(?=\\{0,15}[\"'])"
)
_QUOTED: Final = re.compile(r"[\"'][\t\n ]{0,8},[\t\n ]{0,8}\\{0,15}[\"']")
_STRING: Final = r"[\t ]{0,8}[\"'][^\"'\n,()]{1,100}+[\"'][\t\n ]{0,8},[\t\n ]{0,8}"
_CALL: Final = re.compile(
    r"(?:[Ll]og_?[Ii]n|[Ss]ign_?[Ii]n|[Aa]uthenticate|[Bb]asic_?[Aa]uth"
    r"|\bauth[\t ]{0,4}=[\t ]{0,4})"
    rf"\({_STRING}(?=[\"'])|\b(?:mysqli?(?:_p?connect)?|PDO)\({_STRING}{_STRING}(?=[\"'])"
)
_CALLS: Final = (
    *("login(", "log_in(", "signin(", "sign_in(", "authenticate(", "basicauth(", "basic_auth("),
    *("auth=(", "auth = (", "mysql", "pdo("),
)
_DECLARING: Final = ("var ", "const ", "#define", "(setq ", "(def")
_DECLARED: Final = re.compile(
    r"(?:\b(?:var|const)[\t ]{1,4}(?=[A-Za-z0-9_]{1,80}[\t ]{1,4}\*?[A-Za-z.]{1,30}[\t ]{0,4}=)"
    r"|#define[\t ]{1,8}|\((?:setq|def|defvar|defparameter|define|defconst)[\t ]{1,4})"
    r"([A-Za-z_][A-Za-z0-9_-]{0,79}+)(?:[\t ]{1,4}\*?[A-Za-z.]{1,30}[\t ]{0,4}=)?"
    r"[\t ]{1,8}(?=[\"'`])"
)
_SET: Final = re.compile(
    r"([Pp]ass(?:word|wd|phrase|code)?|[Ss]ecret|[Tt]oken|[Kk]ey)\([\t ]{0,8}(?=[\"'`])"
)
_SETTER: Final = re.compile(r"[Ss]et|[Ww]ith|[^.]{0,100}+\.")
