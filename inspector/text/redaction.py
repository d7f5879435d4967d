"""Secrets in texts that leave a tape: found by where they stand or by their shape, and hidden.

One list of rules, run one after the other. Nothing is hidden because it looks random: hashes, ids
and code stay as they are. What a value stands in stays: `inspector.text.secret_values`.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from inspector.text import secret_commands as commands
from inspector.text import secret_shapes as shapes
from inspector.text.secret_keys import key_blocks
from inspector.text.secret_names import all_names, normal
from inspector.text.secret_shapes import MARK
from inspector.text.secret_tokens import bearers, more_tokens
from inspector.text.secret_values import (
    QUOTE,
    Place,
    bare,
    bare_in_prose,
    covered,
    is_prose,
    quoted,
    spared,
    spared_in_quotes,
)

__all__ = ["MARK", "RULES", "redacted"]

Rule = Callable[[str], str]


def redacted(text: str) -> str:
    """A text in which the mark stands for every secret that is told by its place or shape."""
    for rule in RULES:
        text = rule(text)
    return text


# Rules.


def _is_member(name: str) -> bool:
    # What is between two strings of code is no name.
    return len(name) <= _LONGEST and _WORDS.fullmatch(name) is not None and all_names(name)


def _authorizations(text: str) -> str:
    """Headers of authorization and of cookies; of a scheme with one word only that word."""
    if ":" not in text:
        return text
    return _whole_lines(_ONE_WORD.sub(rf"\1\2{MARK}", text))


def _whole_lines(text: str) -> str:
    return covered(text, _header_values(text))


def _header_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _HEADER.search(text, at)) is not None:
        at = found.end()
        seen = text[at : at + _SEEN].partition("\n")[0]
        if _HIDDEN.match(seen) or QUOTE.match(text, at) or spared_in_quotes(seen):
            continue
        is_cookie = "cookie" in found[1].lower()
        if is_prose(seen) or (is_cookie and "=" not in seen and " " in seen.strip()):
            continue
        line = _LINE.match(text, at)
        if line is not None and line.end() > at:
            yield Place(at, line.end(), MARK)
            at = line.end()


def _members(text: str) -> str:
    """What stands behind a colon or an arrow under the name of a secret, in quotes or not.

    Numbers, lists, quotes that are escaped any number of times, and no quotes at all.
    """
    return covered(text, _member_values(text))


def _member_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _MEMBER.search(text, at)) is not None:
        at = found.end()
        if not all_names(found[1]):
            continue
        listed = _LISTED.match(text, at)
        if listed is not None:
            for place in _elements(text, listed.end()):
                yield place
                at = place.stop
            continue
        hidden = _value(text, found)
        if hidden is not None:
            yield hidden
            at = hidden.stop


def _elements(text: str, at: int) -> Iterator[Place]:
    """The strings of a list."""
    while (place := quoted(text, at)) is not None:
        yield place
        more = _COMMA.match(text, place.stop)
        if more is None:
            return
        at = more.end()


def _value(text: str, found: re.Match[str]) -> Place | None:
    """The value of a member, or None if it is to be spared."""
    name, of_name, at = found[1], found[2] or "", found.end()
    if QUOTE.match(text, at):
        return quoted(text, at)
    if found[3].startswith("]"):
        return None
    typed = _TYPED.match(text, at)
    if typed is not None:
        return quoted(text, typed.end())
    block = _BLOCK.match(text, at)
    if block is not None:
        return Place(block.end(1), block.end(), MARK)
    is_header = not of_name and normal(name) in _HEADERS
    if is_header or text.endswith("nexpected", 0, max(0, found.start() - 1)):
        return None
    if name == "PASS" and not of_name:
        # What a test that went well is told by.
        return None
    marked = of_name if of_name[-1:] in ('"', "'") else ""
    return bare_in_prose(text, at, name, marked)


def _spoken(text: str) -> str:
    """Names of more words than one, and of other languages than English."""
    return covered(text, _spoken_values(text))


def _spoken_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _SPOKEN.search(text, at)) is not None:
        at = found.end()
        place = quoted(text, at) if QUOTE.match(text, at) else bare_in_prose(text, at, "", "")
        if place is not None:
            yield place
            at = place.stop


def _assignments(text: str) -> str:
    """What is assigned by ``=``: a word, or anything in quotes, of several lines too."""
    return covered(text, _assigned_values(text))


def _assigned_values(text: str) -> Iterator[Place]:
    taken = 0
    at = text.find("=")
    while at >= 0:
        name = shapes.name_before(text, at, taken)
        taken = at + 1
        if name is not None and all_names(text[name[0] : name[1]]):
            after = _ASSIGNED.match(text, taken)
            begins = taken if after is None else after.end()
            if _SHUT.match(text, begins):
                place = None
            elif QUOTE.match(text, begins):
                place = quoted(text, begins, lines=True)
            else:
                place = bare(text, begins, text[name[0] : name[1]])
            if place is not None:
                yield place
                taken = place.stop
        at = text.find("=", taken)


def _pairs(text: str) -> str:
    """Values beside a name: ``"name": "API_KEY", "value": "x"``."""
    return covered(text, _paired_values(text)) if "alue" in text else text


def _paired_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _PAIR.search(text, at)) is not None:
        at = found.end()
        if all_names(found[1]):
            place = quoted(text, at) if QUOTE.match(text, at) else bare(text, at, found[1])
            if place is not None:
                yield place
                at = place.stop


def _tags(text: str) -> str:
    """What stands between tags: ``<password>x</password>``."""
    return _TAG.sub(_tag, text) if "</" in text else text


def _tag(found: re.Match[str]) -> str:
    hidden = all_names(found[2]) and not spared(found[3])
    return f"{found[1]}{MARK}" if hidden else found[0]


def _addresses(text: str) -> str:
    """Passwords in addresses of any scheme."""
    return _ADDRESS.sub(_address, text) if "://" in text and "@" in text else text


def _address(found: re.Match[str]) -> str:
    return found[0] if spared(found[2]) else f"://{found[1]}:{MARK}@"


def _is_parameter(name: str) -> bool:
    return normal(name) in _SIGNATURES or all_names(name)


_SEEN: Final = 200
"""Characters of a header that tell whether it is a sentence."""

_LONGEST: Final = 100
"""Characters of the name of a member."""

_WORDS: Final = re.compile(r"[\w .:/-]*+")
_ONE_WORD: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization[\t ]{0,8}:)"
    r"([\t ]{0,8}(?:bearer|basic|token|apikey|api-key|negotiate)[\t ]{1,8})"
    r"(?!\[REDACTED\]|\$[{(A-Za-z]|[<{%])[^\t\n\r \"'`\\]++"
)
_HEADER: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization|x-api-key|api-key|cookie|set-cookie)"
    r"[\t ]{0,8}:[\t ]{0,8}"
)
_HIDDEN: Final = re.compile(r"(?:[A-Za-z-]{1,30} {1,8})?\[REDACTED\]")
_LINE: Final = re.compile(
    # A parameter's quotes are part of a header; other quotes close what it stands in.
    r"(?:=\"[^\"\r\n]*+\"|=\\{1,15}\"[^\"\r\n]*+\"|[^\"'`\r\n\\]"
    r"|[\"'`](?![\t\n\f\r ,;:)\]}\\]|\Z)|\\(?!\\{0,14}(?:[\"'`nr]|u00))\\{0,14}+)*+"
)
_HEADERS: Final = frozenset(("authorization", "proxy_authorization", "cookie", "set_cookie"))
_MEMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_.-]{0,79}+)(\\{0,15}[\"'`]|\*{1,2}+)?"
    r"(\][\t ]{0,8}=(?![=~])|[\t ]{0,8}(?::=?|：|=>))\*{0,2}+[\t ]{0,8}(?:\x1b\[[0-9;]{0,20}m)?"
    r"(?![\t\n :])",
    re.ASCII,
)
_LISTED: Final = re.compile(r"[\[(][\t\n ]{0,200}(?=\\{0,15}[\"'`])")
_COMMA: Final = re.compile(r"\\{0,15}[\"'`][\t\n ]{0,200},[\t\n ]{0,200}(?=\\{0,15}[\"'`])")
_TYPED: Final = re.compile(r"[A-Za-z][A-Za-z_.|? \[\]]{0,40}=[\t ]{0,8}(?=\\{0,15}[\"'`])")
_BLOCK: Final = re.compile(r"[|>][+-]?\n([\t ]{1,40})[^\t\n ][^\n]*+(?:\n\1[^\n]*+)*+")
_SPOKEN: Final = re.compile(
    r"(?i)\b(?:(?:(?:api|private|secret|access|signing|encryption|master|license)[ ]"
    r"(?:access[ ])?key|pass phrase|seed phrase|recovery phrase|пароль|contraseña|mot de passe"
    r"|senha|密码|密碼|パスワード)(?:\*\*|[\"'`])?[\t ]{0,8}[:=：](?:\*\*)?[\t ]{0,8}(?![\t\n :])"
    r"|(?:identified by|with password|(?:password|token|key) is)[\t ]{1,8}(?=[\"'`]))"
)
_ASSIGNED: Final = re.compile(r"[\t\n\f\r ]*+(?:[fFrRbBuU](?=[\"']))?")
# The name was the end of a string of code.
_SHUT: Final = re.compile(r"[\"'](?:[\t ]{1,4}[+%][\t ]|[,)\]};][\t ]{0,4}(?:\n|\Z))")
_PAIR: Final = re.compile(
    r"\b(?:name|key|Name|Key)\\{0,15}[\"']?[\t ]{0,8}[:=][\t ]{0,8}\\{0,15}[\"']?"
    r"([A-Za-z_][A-Za-z0-9_.-]{0,79}+)\\{0,15}[\"']?[\t\n ,]{1,40}\\{0,15}[\"']?[Vv]alue"
    r"\\{0,15}[\"']?[\t ]{0,8}[:=][\t ]{0,8}"
)
_TAG: Final = re.compile(
    r"(<([A-Za-z_][A-Za-z0-9_.-]{0,79}+)(?: [^<>\n]{0,200}+)?>)([^<>]{1,400}+)(?=</)"
)
_ADDRESS: Final = re.compile(r"://([^\t\n\r /?#@:\"'<>\\]{0,200}):([^\t\n\r /?#\"'<>\\]{1,400})@")
_SIGNATURES: Final = frozenset(("sig", "signature", "x_amz_signature", "x_goog_signature"))
RULES: Final[tuple[Rule, ...]] = (
    key_blocks,
    partial(shapes.json_strings, names=_is_member, spares=spared_in_quotes),
    _authorizations,
    _members,
    _spoken,
    _assignments,
    _pairs,
    _tags,
    _addresses,
    partial(shapes.queries, names=_is_parameter),
    commands.options,
    commands.logins,
    commands.short_passwords,
    commands.net_files,
    bearers,
    shapes.sk_keys,
    shapes.known_tokens,
    more_tokens,
)
"""What is looked for, in order."""
