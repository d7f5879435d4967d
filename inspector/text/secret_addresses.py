"""Secrets in headers and in addresses: what one who asks for something sends with it."""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import all_names, normal
from inspector.text.secret_shapes import MARK, queries
from inspector.text.secret_spared import dense, is_prose, spared, spared_in_quotes
from inspector.text.secret_values import QUOTE, Place, covered


def authorizations(text: str) -> str:
    """Headers of authorization and of cookies; of a scheme with one word only that word."""
    lowered = text.lower()
    if not any(name in lowered for name in _NAMES):
        return text
    text = _ONE_WORD.sub(_one_word, text)
    return covered(text, _header_values(text))


def _one_word(found: re.Match[str]) -> str:
    return found[0] if spared(found[3]) else f"{found[1]}{found[2]}{MARK}"


def _header_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _HEADER.search(text, at)) is not None:
        at = found.end()
        seen = text[at : at + _SEEN].partition("\n")[0]
        if _HIDDEN.match(seen) or QUOTE.match(text, at) or spared_in_quotes(seen):
            continue
        is_cookie = "cookie" in found[1].lower()
        if (
            is_prose(seen)
            or _CALL.match(seen)
            or (is_cookie and "=" not in seen and " " in seen.strip())
        ):
            continue
        line = _LINE.match(text, at)
        if line is not None and line.end() > at:
            yield Place(at, line.end(), MARK)
            at = line.end()


def addresses(text: str) -> str:
    """Passwords in addresses of any scheme, and what has no name there but is a token."""
    if "@" not in text:
        return text
    text = _ORACLE.sub(rf"\1{MARK}", text)
    if "://" not in text:
        return text
    return _USER.sub(_user, _ADDRESS.sub(_address, text))


def _address(found: re.Match[str]) -> str:
    return found[0] if spared(found[2]) else f"://{found[1]}:{MARK}@"


def _user(found: re.Match[str]) -> str:
    return f"://{MARK}@" if dense(found[1]) else found[0]


def parameters(text: str) -> str:
    """Parameters of addresses under names of secrets, and codes and keys that look like one."""
    if "?" not in text and "&" not in text:
        return text
    return _CODE.sub(_code, queries(text, _is_parameter, spared))


def _is_parameter(name: str) -> bool:
    return normal(name) in _SIGNATURES or all_names(name)


def _code(found: re.Match[str]) -> str:
    return f"{found[1]}{MARK}" if dense(found[2]) else found[0]


_SEEN: Final = 200
"""Characters of a header that tell whether it is a sentence."""

_NAMES: Final = ("authorization", "api-key", "cookie")
_ONE_WORD: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization[\t ]{0,8}:)"
    r"([\t ]{0,8}(?:bearer|basic|token|apikey|api-key|negotiate)(?:\r?\n)?[\t ]{1,8})"
    r"(?!\[REDACTED\](?![A-Za-z0-9])|\$[{(A-Za-z]|[<{%])([^\t\n\r \"'`\\]++)"
)
_HEADER: Final = re.compile(
    r"(?i)(?<![0-9A-Za-z_])((?:proxy-)?authorization|x-api-key|api-key|cookie|set-cookie)"
    r"[\t ]{0,8}:[\t ]{0,8}"
)
_HIDDEN: Final = re.compile(
    r"(?:[A-Za-z-]{1,30} {1,8})?(?:\[REDACTED\]|\.{3}|[A-Z]{2,20}(?:_[A-Z]{2,20}){1,8}\Z)"
)
_CALL: Final = re.compile(r"[A-Za-z_]\w{0,60}+(?:\.\w{1,60}+){1,8}[(\[]")
_LINE: Final = re.compile(
    # A parameter's quotes are part of a header; other quotes close what it stands in.
    r"(?:=\"[^\"\r\n]*+\"|=\\{1,15}\"[^\"\r\n]*+\"|[^\"'`\r\n\\]"
    r"|[\"'`](?![\t\n\f\r ,;:)\]}\\]|\Z)|\\(?!\\{0,14}(?:[\"'`nr]|u00))\\{0,14}+)*+"
)
_ADDRESS: Final = re.compile(r"://([^\t\n\r /?#@:\"'<>\\]{0,200}):([^\t\n\r /?#\"'<>\\]{1,400})@")
_ORACLE: Final = re.compile(
    r"(\b(?:sqlplus[\t ]{1,4}|jdbc:oracle:[a-z]{2,8}:)[A-Za-z_][A-Za-z0-9_]{0,60}+/)"
    r"[^\t\n\r \"'@/\\]{1,200}+(?=@)"
)
_USER: Final = re.compile(r"://([A-Za-z0-9_~.-]{16,200}+)@")
_CODE: Final = re.compile(
    r"([?&#](?:key|code|sid|sessionid|auth|hash|k|api)=)([^&#\t\n\r \"'<>\\]{16,}+)"
)
_SIGNATURES: Final = frozenset(("sig", "signature", "x_amz_signature", "x_goog_signature"))
