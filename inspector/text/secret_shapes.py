"""Secrets told by where they stand or by what they look like, as rules that a redaction is made of.

Every rule takes a text and gives it back with the mark in the place of secrets. None takes longer
than in proportion to the text, whatever that holds: no expression is tried from many places over
one stretch. Word boundaries and white space are those of ASCII.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from inspector.text.secret_names import Names

MARK: Final = "[REDACTED]"
"""What stands for a secret."""

Spares = Callable[[str], bool]
"""Whether a value under the name of a secret is none: empty, a placeholder, a mark."""

SPACE: Final = r"[\t\n\f\r ]"


def private_keys(text: str) -> str:
    """Blocks of private keys, from their first line to their last."""
    if "-----BEGIN " not in text or "PRIVATE KEY" not in text:
        return text
    pieces: list[str] = []
    done = 0
    while (begins := _KEY_BEGINS.search(text, done)) is not None:
        ends = _KEY_ENDS.search(text, begins.end())
        if ends is None:
            break
        pieces += (text[done : begins.start()], MARK)
        done = ends.end()
    return "".join([*pieces, text[done:]])


def json_strings(text: str, names: Names, spares: Spares | None = None) -> str:
    """Strings of JSON under names of secrets.

    A member is sought from every quote on, escaped ones too, as an expression would that knows of
    strings but not whether it is in one.
    """
    if ":" not in text or '"' not in text:
        return text
    pieces: list[str] = []
    done = 0
    for start, stop, value in _members(text):
        if names(text[start + 1 : stop]) and not (
            spares is not None and spares(text[value.start + 1 : value.stop - 1])
        ):
            pieces += (text[done : value.start], f'"{MARK}"')
            done = value.stop
    return "".join([*pieces, text[done:]])


def _members(text: str) -> Iterator[tuple[int, int, range]]:
    """The first and the last quote of each name, and where its string is with its quotes."""
    name: int | None = None
    ended: int | None = None
    value: int | None = None
    for found in _QUOTES.finditer(text):
        at, what = found.start(), found[0]
        if what == "\\":
            # A string cannot go on here.
            name = ended = value = None
        elif what != '"':
            if name is None and what[1] == '"':
                name = at + 1
        elif name is None:
            name = at
        elif ended is None:
            if _NAMES.match(text, at + 1):
                ended = at
            else:
                name = at
        elif value is None:
            value = at
        else:
            yield name, ended, range(value, at + 1)
            name = ended = value = None


def assignments(text: str, names: Names) -> str:
    """What is assigned to names of secrets by ``=``: a word, or anything in quotes."""
    pieces: list[str] = []
    done = taken = 0
    at = text.find("=")
    while at >= 0:
        name = name_before(text, at, taken)
        value = None if name is None else _VALUE.match(text, at + 1)
        if name is None or value is None:
            at = text.find("=", at + 1)
            continue
        begins = value.start(1)
        quote = value[1]
        closed = text.find(quote, begins + 1) if quote in "\"'" else -1
        # Only a word without a closed quote is gone through to its end: each character once.
        taken = closed + 1 if closed >= 0 else _word_end(text, begins)
        if names(text[name[0] : name[1]]):
            kept = quote if closed > begins + 1 else ""
            pieces += (text[done:begins], kept, MARK, kept)
            done = taken
        at = text.find("=", taken)
    return "".join([*pieces, text[done:]])


def _word_end(text: str, at: int) -> int:
    found = _WORD.match(text, at)
    return at if found is None else found.end()


def name_before(text: str, at: int, taken: int) -> tuple[int, int] | None:
    """The name that ends before an equals sign: the longest that begins at a word's beginning."""
    stop = at
    while stop > taken and text[stop - 1] in "\t\n\f\r ":
        stop -= 1
    start = stop
    while start > taken and text[start - 1] in _NAME_CHARS:
        start -= 1
    found = _NAME.search(text, start, stop)
    return None if found is None else (found.start(), stop)


def headers(text: str) -> str:
    """What stands behind ``Authorization:`` up to the end of the line; its scheme is kept."""
    if ":" not in text or "authorization" not in text.lower():
        return text
    return _AUTHORIZATION.sub(_header, text)


def _header(found: re.Match[str]) -> str:
    scheme = f"{found[2]} " if found[2] else ""
    return f"{found[1]}: {scheme}{MARK}"


def secret_headers(text: str) -> str:
    """What stands behind other headers that carry secrets, up to the end of the line."""
    return _SECRET_HEADER.sub(rf"\1: {MARK}", text) if ":" in text else text


def queries(text: str, names: Names, spares: Spares | None = None) -> str:
    """Parameters of addresses under names of secrets."""
    if "?" not in text and "&" not in text:
        return text

    def parameter(found: re.Match[str]) -> str:
        if found[2] is None or not names(found[2]):
            return found[0]
        value = found[0][len(found[1]) + len(found[2]) + 1 :]
        if spares is not None and spares(value):
            return found[0]
        return f"{found[1]}{found[2]}={MARK}"

    return _QUERY.sub(parameter, text)


def sk_keys(text: str) -> str:
    """Keys that begin with ``sk-``, but for names with hyphens and without a digit."""
    return _SK.sub(_sk_key, text) if "sk-" in text else text


def _sk_key(found: re.Match[str]) -> str:
    key = found[0]
    certain = key.startswith(("sk-proj-", "sk-svcacct-", "sk-admin-"))
    name = not certain and "-" in key[3:] and not _DIGIT.search(key)
    return key if name else MARK


def known_tokens(text: str) -> str:
    """Tokens of well-known makers, by their beginnings."""
    text = _TOKENS.sub(MARK, text)
    if "eyJ" in text:
        for shape in (_STRICT_JWT, _JWT):
            text = shape.sub(_jwt, text)
    return text


def _jwt(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else MARK


_KEY_BEGINS: Final = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_KEY_ENDS: Final = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")

_QUOTES: Final = re.compile(r'"|\\[^\n]?')
_NAMES: Final = re.compile(rf'{SPACE}*:{SPACE}*"')

_NAME_CHARS: Final = frozenset(
    chain("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789_.-")
)
_NAME: Final = re.compile(r"\b[A-Za-z_]", re.ASCII)
_VALUE: Final = re.compile(rf"{SPACE}*+([^&\t\n\f\r ])")
_WORD: Final = re.compile(r"[^&\t\n\f\r ]*+")

_AUTHORIZATION: Final = re.compile(
    rf"(?i)(?<![0-9A-Za-z_])(authorization|proxy-authorization){SPACE}*:{SPACE}*"
    r"(?:(bearer|basic|token|apikey|api-key|digest|negotiate|oauth|aws4-hmac-sha256)"
    rf"{SPACE}+)?([^\r\n]+)"
)
_SECRET_HEADER: Final = re.compile(
    rf"(?i)(?<![0-9A-Za-z_])(x-api-key|api-key|cookie|set-cookie){SPACE}*:{SPACE}*([^\r\n]+)"
)

# A stretch without a parameter is passed over as a whole.
_QUERY: Final = re.compile(r"([?&])([^=&#\t\n\f\r ]++)=[^&#\t\n\f\r ]++|[?&][^=&#\t\n\f\r ]*+")

_SK: Final = re.compile(r"\bsk-[A-Za-z0-9_-]{20,}", re.ASCII)
_DIGIT: Final = re.compile(r"[0-9]")
_TOKENS: Final = re.compile(
    r"\b(?:sk-ant-[A-Za-z0-9_-]{20,}|github_pat_[A-Za-z0-9_]{22,}|gh[pousr]_[A-Za-z0-9]{36,}"
    r"|glpat-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{35,}|xox[baprs]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16})",
    re.ASCII,
)
_PART: Final = r"[A-Za-z0-9_-]{10,}+"
# A first part without the others is passed over as a whole.
_STRICT_JWT: Final = re.compile(rf"\beyJ{_PART}(\.eyJ{_PART}\.{_PART})?", re.ASCII)
_JWT: Final = re.compile(rf"\beyJ{_PART}(\.{_PART}\.{_PART})?", re.ASCII)
