"""Secrets in texts that leave a tape: found by where they stand or by their shape, and hidden.

One list of rules, run one after the other. Nothing is hidden because it looks random: hashes, ids
and code stay as they are.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from inspector.text import secret_shapes as shapes
from inspector.text.secret_names import all_names, normal
from inspector.text.secret_shapes import MARK

__all__ = ["MARK", "RULES", "redacted"]

Rule = Callable[[str], str]


def redacted(text: str) -> str:
    """A text in which the mark stands for every secret that is told by its place or shape."""
    for rule in RULES:
        text = rule(text)
    return text


# Values that are no secrets.


def _spared(value: str) -> bool:
    """Whether a value under the name of a secret is code or a placeholder, or hidden already."""
    if value.startswith((MARK, "=", ">", "$", "%", "<", "{", "*")):
        return True
    return value.rstrip("),;:]}").lower() in _TYPES or _CODE.match(value) is not None


def _spared_in_prose(value: str, behind: str) -> bool:
    """The same of what stands behind a colon and in no quotes: types, and short words of prose."""
    if _spared(value):
        return True
    word = value.rstrip(".!?")
    is_type = word[:1].isupper() and behind.lstrip(" ")[:1] in (",", ")", "=", ";", "|")
    return word.isalpha() and (len(word) <= _WORD or is_type)


_TYPES: Final = frozenset(
    (
        *("str", "string", "text", "bytes", "int", "integer", "number", "float", "bool", "boolean"),
        *("any", "object", "none", "null", "nil", "undefined", "true", "false", "void", "optional"),
        *("required", "missing", "unset", "empty", "redacted"),
    )
)
_CODE: Final = re.compile(
    r"[A-Za-z_]\w{0,60}+(?:\.\w{1,60}+){0,8}+[(\[]"
    r"|(?:self|this|req|request|os|process|config|settings|env|args|ctx|options|props|params)\."
)
_WORD: Final = 4


# Rules.


def _cut_keys(text: str) -> str:
    """A block of a private key whose end is not there, or whose line ends are written out."""
    return _CUT_KEY.sub(MARK, text) if "PRIVATE KEY" in text else text


def _authorizations(text: str) -> str:
    """Headers of authorization; of a scheme with one word only that word."""
    if ":" not in text:
        return text
    text = _ONE_WORD.sub(rf"\1\2{MARK}", text)
    return _whole_lines(text)


def _whole_lines(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for found in _HEADER.finditer(text):
        if not found[2].startswith(MARK) and f" {MARK}" not in found[2]:
            pieces += (text[done : found.start()], f"{found[1]}: {MARK}")
            done = found.end()
    return "".join([*pieces, text[done:]])


def _members(text: str) -> str:
    """What stands behind a colon or an arrow under the name of a secret, in quotes or not.

    Numbers, null, single quotes, quotes that are escaped any number of times, and no quotes at all.
    """
    pieces: list[str] = []
    done = 0
    at = 0
    while (found := _MEMBER.search(text, at)) is not None:
        at = found.end()
        if not all_names(found[1]) or normal(found[1]) in _HEADERS:
            continue
        hidden = _value(text, at, found[2] or "")
        if hidden is None:
            continue
        stop, mark = hidden
        pieces += (text[done:at], mark)
        done = at = stop
    return "".join([*pieces, text[done:]])


def _value(text: str, at: int, of_name: str) -> tuple[int, str] | None:
    """Where a value ends that is to be hidden, and what stands for it; None if it is spared.

    Args:
        text: in which it is.
        at: where it begins.
        of_name: the quote behind its name, escapes included; empty if there is none.
    """
    quote = _QUOTE.match(text, at)
    if quote is not None:
        return _quoted(text, quote)
    begins = _BEGINS.match(text, at)
    if begins is None:
        return None
    if of_name:
        plain = _PLAIN.fullmatch(begins[0]) is not None
        return (begins.end(), f"{of_name}{MARK}{of_name}") if plain else None
    if _spared_in_prose(begins[0], text[begins.end() : begins.end() + 2]):
        return None
    # Only what is hidden is gone through to its end: what is spared may hold other members.
    word = _BARE.match(text, at) or begins
    return word.end(), MARK


def _quoted(text: str, quote: re.Match[str]) -> tuple[int, str] | None:
    opening, begins = quote[0], quote.end()
    if text.startswith((MARK, "$", "{", "<"), begins):
        return None
    ends = text.find("\n", begins)
    ends = len(text) if ends < 0 else ends
    for other in _QUOTE.finditer(text, begins, ends):
        if other[0][-1] == opening[-1] and len(other[0]) <= len(opening):
            return (other.start(), f"{opening}{MARK}") if other.start() > begins else None
    return ends, f"{opening}{MARK}"


def _addresses(text: str) -> str:
    """Passwords in addresses of any scheme."""
    return _ADDRESS.sub(_address, text) if "://" in text and "@" in text else text


def _address(found: re.Match[str]) -> str:
    return found[0] if _spared(found[2]) else f"://{found[1]}:{MARK}@"


def _options(text: str) -> str:
    """Options of commands: ``--password x``, ``-u name:password``."""
    if "-" not in text:
        return text
    return _LOGIN.sub(_login, _OPTION.sub(_option, text))


def _option(found: re.Match[str]) -> str:
    hidden = all_names(found[1]) and not _spared(found[3])
    return f"--{found[1]}{found[2]}{MARK}" if hidden else found[0]


def _login(found: re.Match[str]) -> str:
    # What a container runs as is two numbers.
    hidden = not found[2].isdigit() and not _spared(found[2])
    return f"{found[1]}{MARK}" if hidden else found[0]


def _bearers(text: str) -> str:
    """A bearer's token without the name of a header before it."""
    return _BEARER.sub(_bearer, text) if "earer" in text or "EARER" in text else text


def _bearer(found: re.Match[str]) -> str:
    token = found[2]
    word = token.rstrip(".").lower()
    prose = token.isalpha() and (word in _OF_BEARERS or not found[1].startswith("Bearer"))
    return found[0] if prose else f"{found[1]}{MARK}"


def _more_tokens(text: str) -> str:
    """Tokens of other makers, by their beginnings."""
    return _MORE_TOKENS.sub(MARK, text)


_CUT_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[\t\n\r ]|\\{1,15}[nr])*+[A-Za-z0-9+/=]{20,}+)*+"
)
_ONE_WORD: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization[\t ]{0,8}:)"
    r"([\t ]{0,8}(?:bearer|basic|token|apikey|api-key|negotiate)[\t ]{1,8})"
    r"(?!\[REDACTED\])[^\t\n\r \"'\\]++"
)
_HEADER: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization|x-api-key|api-key|cookie|set-cookie)"
    r"[\t ]{0,8}:[\t ]{0,8}([^\r\n]++)"
)
_HEADERS: Final = frozenset(("authorization", "proxy_authorization", "cookie", "set_cookie"))
_MEMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_.-]{0,79}+)(\\{0,15}[\"'])?[\t ]{0,8}(?::|=>)[\t ]{0,8}"
    r"(?![\t\n :])",
    re.ASCII,
)
_QUOTE: Final = re.compile(r"(?<!\\)\\{0,15}[\"']")
_BARE: Final = re.compile(r"[^\t\n\f\r ,;&\"'<>(){}\[\]\\]++")
_BEGINS: Final = re.compile(r"[^\t\n\f\r ,;&\"'<>(){}\[\]\\]{1,100}+[(\[]?")
_PLAIN: Final = re.compile(r"-?[0-9][0-9.eE+-]*+|null|None|nil")
_ADDRESS: Final = re.compile(r"://([^\t\n\r /?#@:\"'<>\\]{0,200}):([^\t\n\r /?#\"'<>\\]{1,400})@")
_OPTION: Final = re.compile(
    r"(?<![A-Za-z0-9_-])--([A-Za-z][A-Za-z0-9-]{0,60}+)([\t ]{1,8}[\"']?)"
    r"([^\t\n\r \"'\\-][^\t\n\r \"'\\]*+)"
)
_LOGIN: Final = re.compile(
    r"(?<![A-Za-z0-9_-])((?:-u|--user)[= \t]{1,4}[\"']?[^\t\n\r \"':=\\/]{1,100}:)"
    r"([^\t\n\r \"'\\/]{1,200})"
)
_BEARER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([Bb](?:earer|EARER)[\t ]{1,8})([A-Za-z0-9._~+/=-]{6,}+)", re.ASCII
)
_OF_BEARERS: Final = frozenset(
    (
        *("token", "tokens", "scheme", "schemes", "authentication", "authorization", "header"),
        *("headers", "string", "strings", "credential", "credentials", "format", "prefix"),
        *("value", "values", "bonds"),
    )
)
_MORE_TOKENS: Final = re.compile(
    r"\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}|xapp-[0-9]-[A-Za-z0-9-]{20,}"
    r"|xox[a-z]-[A-Za-z0-9.-]{10,}|npm_[A-Za-z0-9]{36,}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}"
    r"|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{35,}"
    r"|nvapi-[A-Za-z0-9_-]{40,}|dop_v1_[a-f0-9]{60,}|dckr_pat_[A-Za-z0-9_-]{20,}"
    r"|lin_api_[A-Za-z0-9]{30,}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32,}|GOCSPX-[A-Za-z0-9_-]{20,}"
    r"|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"
    r"|gl(?:rt|dt|ptt|oas)-[A-Za-z0-9_-]{16,}|hv[sbr]\.[A-Za-z0-9_-]{20,}|ATATT[A-Za-z0-9_=-]{40,}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{50,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"
    r"|hooks\.slack\.com/services/[A-Za-z0-9/]{20,})",
    re.ASCII,
)

RULES: Final[tuple[Rule, ...]] = (
    shapes.private_keys,
    _cut_keys,
    partial(shapes.json_strings, names=all_names),
    _authorizations,
    _members,
    partial(shapes.assignments, names=all_names, spares=_spared),
    _addresses,
    partial(shapes.queries, names=all_names),
    _options,
    _bearers,
    shapes.sk_keys,
    shapes.known_tokens,
    _more_tokens,
)
"""What is looked for, in order."""
