"""Values as the owner's language has them: strict JSON, doubles, white space, UTF-16 (RULES B)."""

from typing import Any, Final, TypeGuard

import orjson

from inspector.tape.jsonline import parse

BLANK: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's ``trim`` takes for white space; Python's ``strip`` takes others."""

_INFINITY: Final = float("inf")

_NAMED: Final = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


def trim(text: str) -> str:
    """A text without white space at its ends."""
    return text.strip(BLANK)


def is_blank(text: str) -> bool:
    """Whether nothing is left of a text without white space at its ends."""
    return not (text[:1].isalnum() or text.strip(BLANK))


def not_utf8(value: Any) -> int | None:
    """The first byte of a text of a database that is no UTF-8; None if there is none."""
    if type(value) is not str or value.isascii():
        return None
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return len(value[: error.start].encode())
    return None


def mended(text: str) -> str:
    """A text of a database as the owner reads it: what is no UTF-8 is replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_json(text: str) -> Any:
    """The value of a JSON text, read strictly.

    Raises:
        ValueError: if it is no JSON.
    """
    try:
        return orjson.loads(text)
    except ValueError:
        return parse(text.encode("utf-8", "surrogateescape"))[0]


def read_object(text: str) -> tuple[dict[str, Any], str | None]:
    """The object of a JSON text, ``{}`` for everything else, and what is wrong with it then."""
    try:
        value = orjson.loads(text)
    except ValueError:
        try:
            value = read_json(text)
        except ValueError as error:
            return {}, f"not JSON: {error}"
    if type(value) is dict:
        return value, None
    return {}, f"JSON, but no object: {_NAMED.get(type(value), 'a number')}"


def object_of(value: Any) -> dict[str, Any]:
    """An object, also one that is kept as JSON text; ``{}`` for everything else."""
    if type(value) is str:
        return read_object(value)[0]
    return value if type(value) is dict else {}


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value is a number; a truth value is none."""
    return type(value) is int or type(value) is float


def double(value: float) -> float:
    """A number as the double that the owner compares."""
    try:
        return float(value)
    except OverflowError:
        return _INFINITY if value > 0 else -_INFINITY


def cursor_of(state: dict[str, Any]) -> float:
    """The place from which on an anchor keeps messages: whole, at least 1 (B).

    The second key counts only where the first is missing or null; a wrong type is 1, and so is
    what is not finite.
    """
    value = state.get("cursorOrderSeq")
    if value is None:
        value = state.get("summaryCursorOrderSeq")
    if not is_number(value):
        return 1.0
    number = double(value)
    if number in (_INFINITY, -_INFINITY):
        return 1.0
    return max(1.0, float(number // 1))


def order_bytes(identity: str) -> bytes:
    """What ids are ordered by: UTF-8, in which a lone surrogate counts as U+FFFD."""
    try:
        return identity.encode()
    except UnicodeEncodeError:
        pairs = identity.encode("utf-16-le", "surrogatepass")
        return pairs.decode("utf-16-le", "replace").encode()


def units(text: str) -> int:
    """The length of a text in UTF-16 units, as its owner counts offsets."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def slice_units(text: str, start: int, stop: int) -> str:
    """The part of a text between two offsets in UTF-16 units; half a character stays a half."""
    if text.isascii():
        return text[start:stop]
    data = text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * stop]
    return data.decode("utf-16-le", "surrogatepass")
