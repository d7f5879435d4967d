"""Reading JSON of any shape without a surprise: what is not of the wanted shape is empty."""

from typing import Any, Final

SAFE_INTEGER: Final = (1 << 53) - 1
"""The largest whole number that every JSON reader agrees on."""


def mapping(value: Any) -> dict[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """An array, or an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """A string, or an empty one."""
    return value if isinstance(value, str) else ""


def whole(value: Any) -> int | None:
    """A whole number within ±(2⁵³−1), however it is written (``7``, ``7.0``, ``-0``), or None."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and -SAFE_INTEGER <= value <= SAFE_INTEGER else None


def natural(value: Any) -> int | None:
    """A whole number from 0, or None."""
    if type(value) is int and 0 <= value <= SAFE_INTEGER:
        return value
    number = whole(value)
    return number if number is not None and number >= 0 else None
