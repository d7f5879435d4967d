"""A payload in one line of a prompt, as the owner shapes it by type (format page 5, RULES 27).

Texts hold bytes that are no UTF-8 as half surrogates, since the owner counts and keeps these.
"""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from inspector.formats.zero import golang
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.planning import lines
from inspector.formats.zero.vocabulary import TOOL_CALL, TOOL_RESULT

BYTES: Final = 240
"""The most bytes of a payload, before the mark that it goes on."""

GOES_ON: Final = b"..."

Redaction = Callable[[str], str]
"""Hides secrets in a payload that is one line of JSON."""

_PERMISSIONS: Final = frozenset({"permission", "permission_request", "permission_decision"})
_OF_PERMISSIONS: Final = (
    *("action", "name", "toolName", "permission", "permissionMode", "sideEffect"),
    "grantMatched",
)
_OF_TOOLS: Final = {
    TOOL_CALL: ("id", "name", "toolName"),
    TOOL_RESULT: ("id", "name", "toolName", "status"),
}


def preview(kind: str, payload: bytes | None, redact: Redaction) -> bytes:
    """A payload in one line.

    Args:
        kind: the type of its event.
        payload: its text as it stands on the tape, or None.
        redact: hides secrets.
    """
    if payload is None or (kind not in _PERMISSIONS and kind not in _OF_TOOLS):
        return _plain(payload, redact)
    try:
        value = golang.read(golang.decoded(payload))[0]
        members = {} if value is None else value
        if not isinstance(members, dict) or _is_beyond(members):
            return _plain(payload, redact)
        shaped = _permission(members) if kind in _PERMISSIONS else _tool(members, _OF_TOOLS[kind])
        return _plain(_written(shaped), redact)
    except (RefusedError, RecursionError):
        return _plain(payload, redact)


def _plain(payload: bytes | None, redact: Redaction) -> bytes:
    if not payload:
        return b"{}"
    words = payload.decode("utf-8", "surrogateescape").translate(_SPACES).split(" ")
    said = redact(" ".join(word for word in words if word)).encode("utf-8", "surrogateescape")
    return cut(said, BYTES) + GOES_ON if len(said) > BYTES else said


def cut(text: bytes, most: int) -> bytes:
    """A text cut to so many bytes, without a piece of a character."""
    if len(text) <= most:
        return text
    while most > 0 and text[most] & 0xC0 == 0x80:
        most -= 1
    return text[:most]


_SPACES: Final = {ord(char): " " for char in golang.SPACE}


def _permission(value: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {key: value[key] for key in _OF_PERMISSIONS if key in value}
    risk = value.get("risk")
    if isinstance(risk, dict) and "level" in risk:
        found["riskLevel"] = risk["level"]
    return found


def _tool(value: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {key: value[key] for key in names if key in value} or {"payload": "redacted"}


def _is_beyond(value: Any) -> bool:
    """Whether a number in a value does not fit 64 bits, so that the owner decodes none of it."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, float) and math.isinf(one):
            return True
    return False


def _written(value: Any) -> bytes:
    """A value as Go's encoder writes it: keys in order, numbers as floats."""
    if isinstance(value, dict):
        members = (f"{lines.string(key)}:".encode() + _written(value[key]) for key in sorted(value))
        return b"{" + b",".join(members) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(_written, value)) + b"]"
    if isinstance(value, str):
        return lines.string(value).encode()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(float(value)).encode()
    return json.dumps(value).encode()


def _number(value: float) -> str:
    """A float as Go writes it: the fewest digits, and an exponent for the large and small only."""
    written = repr(value)
    if value and not 1e-6 <= abs(value) < 1e21:
        return written.replace("e-0", "e-")
    if "e" in written:
        written = format(Decimal(written), "f")
    return written.removesuffix(".0")
