"""One line as JSON, as leniently as the owner reads it (rules page C)."""

from typing import Any

import orjson

from inspector.tape.jsonline import JSON_SPACE, deep, mend

__all__ = ["JSON_SPACE", "deep", "parse"]


def parse(line: bytes) -> tuple[Any, str | None]:
    """The JSON value of a line, and what had to be mended to read it, or None.

    The owner reads what a JSON reader of doubles reads: bytes that are no UTF-8 are replaced, lone
    surrogates stay, numbers of any length pass; NaN and Infinity do not (rules page C).

    Raises:
        ValueError: if it is no JSON; the message says what and where.
    """
    try:
        return orjson.loads(line), None
    except orjson.JSONDecodeError as error:
        return mend(line, error)
