"""Secrets that are handed to commands, on a command line or in a list of arguments."""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import all_names
from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import dense, spared, spared_in_prose
from inspector.text.secret_values import QUOTE, Place, covered, quoted

_LOOKED_BACK: Final = 200
"""Characters before an option that may hold the name of its command."""


def arguments(text: str) -> str:
    """Secrets in what a command was given, with spaces between."""
    for rule in (options, logins, short_passwords, settings):
        text = rule(text)
    return text


def options(text: str) -> str:
    """Values of options with the name of a secret: ``--password x``, ``"--token", "x"``."""
    return covered(text, _option_values(text)) if "-" in text else text


def _option_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _OPTION.search(text, at)) is not None:
        at = found.end()
        if not all_names(found[1]):
            continue
        place = quoted(text, at) if QUOTE.match(text, at) else _word(text, at, found[1])
        if place is not None:
            yield place
            at = place.stop


def settings(text: str) -> str:
    """Values that commands set a name to: ``setx NAME x``, ``ENV NAME x``, ``set -x NAME x``."""
    return _SETTING.sub(_setting, text)


def _setting(found: re.Match[str]) -> str:
    hidden = all_names(found[2]) and not spared(found[3], found[2])
    return f"{found[1]}{MARK}" if hidden else found[0]


def told(text: str) -> str:
    """Secrets behind words that take nothing else: ``requirepass x``, ``/user:name x``."""
    return _TOLD.sub(_pipe, text) if any(word in text for word in _TELLING) else text


def piped(text: str) -> str:
    """What is handed to a command that reads a secret: ``echo x | ... --password-stdin``."""
    return _PIPED.sub(_pipe, text) if "|" in text or "<<<" in text else text


def _pipe(found: re.Match[str]) -> str:
    return found[0] if spared(found[2]) else f"{found[1]}{MARK}"


def _word(text: str, at: int, name: str) -> Place | None:
    seen = text[at : at + _LOOKED_BACK].split(None, 1)
    if not seen or seen[0].startswith(("-", "<")) or spared_in_prose(seen[0], "", name):
        return None
    word = _WORD.match(text, at)
    return None if word is None else Place(at, word.end(), MARK)


def _command(text: str, stop: int) -> str:
    """What stands before an option in its command."""
    before = text[max(0, stop - _LOOKED_BACK) : stop]
    return before[max(map(before.rfind, "\n;&|")) + 1 :]


def logins(text: str) -> str:
    """Passwords behind a name: ``-u name:password``, but for commands that have no such option."""
    if "-u" not in text or ":" not in text:
        return text
    return _LOGIN.sub(_login, text)


def _login(found: re.Match[str]) -> str:
    # What a container runs as is two numbers or two names.
    hidden = (
        not found[3].isdigit()
        and not spared(found[3])
        and not _NO_LOGINS.search(_command(found.string, found.start()))
    )
    return f"{found[1]}{MARK}" if hidden else found[0]


def short_passwords(text: str) -> str:
    """Passwords behind ``-p`` and the like of the commands that take one there."""
    return _SHORT.sub(_short, text) if "-" in text else text


def _short(found: re.Match[str]) -> str:
    option, between, value = found[1], found[2], found[3]
    before = _command(found.string, found.start())
    if option == "-p" and not between:
        told = _GLUED.search(before) is not None
    else:
        told = (bool(between) and _APART[option].search(before) is not None) or (
            option == "-p" and dense(value) and "/" not in value
        )
    if not told or spared(value) or (option in _PARTED and _PARTED[option] not in value):
        return found[0]
    return f"{option}{between}{MARK}"


def net_files(text: str) -> str:
    """Passwords in a file of machines and logins."""
    return _NET_FILE.sub(_pipe, text) if "login" in text else text


# Between two arguments of a list are a comma and two quotes.
_BETWEEN: Final = r"(?:\\{0,15}[\"'][\t\n ]{0,8},[\t\n ]{0,8}(?=\\{0,15}[\"'])|[\t ]{1,8})"
_OPTION: Final = re.compile(
    rf"(?<![A-Za-z0-9_-])(?:--|-(?=[A-Za-z]{{4}}))([A-Za-z][A-Za-z0-9_-]{{0,60}}+)"
    rf"(?:{_BETWEEN}|=(?=[\"']))"
)
_WORD: Final = re.compile(r"[^\t\n\r \"'\\]++")
_LOGIN: Final = re.compile(
    r"(?<![A-Za-z0-9_-])((?:-u|--user|--proxy-user)"
    r"(?:\\{0,15}[\"'],[\t ]{0,8}(?=\\{0,15}[\"'])|[= \t]{0,4})"
    r"(\\{0,15}[\"'])?[^\t\n\r \"':=\\/]{1,100}:)"
    r"((?(2)[^\n\r\"'\\]{1,200}|[^\t\n\r \"'\\/]{1,200}))"
)
_NO_LOGINS: Final = re.compile(
    r"\b(?:docker|podman|chown|rsync|git|ssh|sudo|kubectl|sort|useradd|usermod|date)\b"
)
_SHORT: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(-[abpPUw])"
    r"(\\{0,15}[\"'],[\t ]{0,8}\\{0,15}[\"']|[\t ]{1,8}\\{0,15}[\"']?|)"
    r"([^\t\n\r \"'\\]{1,200})"
)
_GLUED: Final = re.compile(r"\b(?:mysql\w{0,20}|mariadb[\w-]{0,20}|sshpass|7z)[\"']?[\t ,\"']")
_ITS_WORDS: Final = r"[\"']?[\t ,\"']"
_APART: Final = {
    "-p": re.compile(rf"\b(?:sshpass|login|mongo\w{{0,20}}){_ITS_WORDS}"),
    "-a": re.compile(rf"\b(?:redis-cli|https?|xh){_ITS_WORDS}"),
    "-b": re.compile(rf"\bcurl{_ITS_WORDS}"),
    "-U": re.compile(rf"\b(?:smbclient|rpcclient|winexe){_ITS_WORDS}"),
    "-P": re.compile(rf"\bmosquitto_\w{{3}}{_ITS_WORDS}"),
    "-w": re.compile(rf"\bldap\w{{3,10}}{_ITS_WORDS}"),
}
_PARTED: Final = {"-b": "=", "-U": "%"}
"""What parts a name and a secret behind options that may have a name alone."""

_SETTING: Final = re.compile(
    r"((?:\bsetx|\bsetenv|\bENV|\bARG|\bset -[a-zA-Z]{1,4}|\bconfig(?:ure)? set)[\t ]{1,8}"
    r"([A-Za-z_/:][A-Za-z0-9_.:/-]{0,79}+)[\t ]{1,8}[\"']?)([^\t\n\r \"'\\]{1,200}+)"
)
_TELLING: Final = ("requirepass", "SecureString", "/user:", "<<<")
_TOLD: Final = re.compile(
    r"((?:\brequirepass|\bConvertTo-SecureString(?: -String)?"
    r"|(?<![A-Za-z0-9_/])/user:[^\t\n\r \"']{1,60}+"
    r"|(?:-stdin|--with-token)[\t ]{1,4}<<<)[\t ]{1,8}[\"']?)([^\t\n\r \"'\\]{1,200}+)"
)
_PIPED: Final = re.compile(
    r"(\b(?:echo|printf)[\t ]{1,4}(?:(?:-[ne]|[\"']?%s(?:\\n)?[\"']?)[\t ]{1,4})?[\"']?)"
    r"([^\t\n\r \"'\\|]{1,400}+)(?=[\"']?[\t ]{0,8}\|[^\n|]{0,200}?"
    r"(?:--(?:[a-z-]{0,20}-stdin|with-token)|\bsudo -S))"
)
_NET_FILE: Final = re.compile(
    r"((?:\bmachine[\t\n ]{1,8}[^\t\n\r ]{1,200}|\bdefault)[\t\n ]{1,8}login[\t\n ]{1,8}"
    r"[^\t\n\r ]{1,200}[\t\n ]{1,8}password[\t\n ]{1,8})([^\t\n\r \"'\\]++)"
)
