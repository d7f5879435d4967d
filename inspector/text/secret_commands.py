"""Secrets that are handed to commands, on a command line or in a list of arguments."""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import all_names
from inspector.text.secret_shapes import MARK
from inspector.text.secret_values import (
    QUOTE,
    Place,
    covered,
    quoted,
    spared,
    spared_in_prose,
)

_LOOKED_BACK: Final = 200
"""Characters before an option that may hold the name of its command."""


def options(text: str) -> str:
    """Values of options with the name of a secret: ``--password x``, ``"--token", "x"``."""
    if "--" not in text:
        return text
    return covered(text, _option_values(text))


def _option_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _OPTION.search(text, at)) is not None:
        at = found.end()
        if not all_names(found[1]):
            continue
        place = quoted(text, at) if QUOTE.match(text, at) else _word(text, at)
        if place is not None:
            yield place
            at = place.stop


def _word(text: str, at: int) -> Place | None:
    seen = text[at : at + _LOOKED_BACK].split(None, 1)
    if not seen or seen[0].startswith("-") or spared_in_prose(seen[0], ""):
        return None
    word = _WORD.match(text, at)
    return None if word is None else Place(at, word.end(), MARK)


def logins(text: str) -> str:
    """Passwords behind a name: ``-u name:password``, but for commands that have no such option."""
    if "-u" not in text or ":" not in text:
        return text
    return _LOGIN.sub(_login, text)


def _login(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _LOOKED_BACK) : found.start()]
    # What a container runs as is two numbers or two names.
    hidden = not found[3].isdigit() and not spared(found[3]) and not _NO_LOGINS.search(before)
    return f"{found[1]}{MARK}" if hidden else found[0]


def short_passwords(text: str) -> str:
    """Passwords behind ``-p`` of the commands that take one there."""
    return _SHORT.sub(_short, text) if "-p" in text else text


def _short(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _LOOKED_BACK) : found.start()]
    command = _GLUED if not found[2] else _APART
    if not command.search(before) or spared(found[3]):
        return found[0]
    return f"{found[1]}{found[2]}{MARK}"


def net_files(text: str) -> str:
    """Passwords in a file of machines and logins."""
    return _NET_FILE.sub(rf"\1{MARK}", text) if "login" in text else text


# Between two arguments of a list are a comma and two quotes.
_BETWEEN: Final = r"(?:\\{0,15}[\"'][\t\n ]{0,8},[\t\n ]{0,8}(?=\\{0,15}[\"'])|[\t ]{1,8})"
_OPTION: Final = re.compile(
    rf"(?<![A-Za-z0-9_-])--([A-Za-z][A-Za-z0-9-]{{0,60}}+)(?:{_BETWEEN}|=(?=[\"']))"
)
_WORD: Final = re.compile(r"[^\t\n\r \"'\\]++")
_LOGIN: Final = re.compile(
    r"(?<![A-Za-z0-9_-])((?:-u|--user)(?:\\{0,15}[\"'],[\t ]{0,8}(?=\\{0,15}[\"'])|[= \t]{0,4})"
    r"(\\{0,15}[\"'])?[^\t\n\r \"':=\\/]{1,100}:)"
    r"((?(2)[^\n\r\"'\\]{1,200}|[^\t\n\r \"'\\/]{1,200}))"
)
_NO_LOGINS: Final = re.compile(
    r"\b(?:docker|podman|chown|rsync|git|ssh|sudo|kubectl)\b[^\n;&|]{0,200}\Z"
)
_SHORT: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(-p)(\\{0,15}[\"'],[\t ]{0,8}\\{0,15}[\"']|[\t ]{1,8}\\{0,15}[\"']?|)"
    r"([^\t\n\r \"'\\]{1,200})"
)
_GLUED: Final = re.compile(
    r"\b(?:mysql\w{0,20}|mariadb[\w-]{0,20}|sshpass|7z)[\"']?[\t ,\"'][^\n;&|]{0,200}\Z"
)
_APART: Final = re.compile(r"\b(?:sshpass|login)[\"']?[\t ,\"'][^\n;&|]{0,200}\Z")
_NET_FILE: Final = re.compile(
    r"((?:\bmachine[\t\n ]{1,8}[^\t\n\r ]{1,200}|\bdefault)[\t\n ]{1,8}login[\t\n ]{1,8}"
    r"[^\t\n\r ]{1,200}[\t\n ]{1,8}password[\t\n ]{1,8})[^\t\n\r \"'\\]++"
)
