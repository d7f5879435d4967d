"""One line as JSON, tolerant: what a reader of doubles takes, whatever its depth."""

import json
import re
from typing import Any, Final, Never

import orjson

JSON_SPACE: Final = b" \t\r"
"""White space of JSON, but for the line feed, which ends a line."""


def parse(line: bytes) -> tuple[Any, str | None]:
    """The JSON value of a line, and what had to be mended to read it, or None.

    Bytes that are no UTF-8 are replaced, lone surrogates stay, numbers of any length pass; NaN and
    Infinity do not.

    Raises:
        ValueError: if it is no JSON; the message says what and where.
    """
    try:
        return orjson.loads(line), None
    except orjson.JSONDecodeError as error:
        return mend(line, error)


def mend(line: bytes, error: ValueError) -> tuple[Any, str | None]:
    """As `parse`, for a line that the fast reader refused with ``error``.

    Raises:
        ValueError: if it is no JSON; the message is that of ``error``.
    """
    try:
        text = line.decode("utf-8")
        mended = None
    except UnicodeDecodeError as broken:
        text = line.decode("utf-8", "replace")
        mended = f"byte {broken.start} of the line is not UTF-8; replaced"
    try:
        return _READER.decode(text), mended
    except RecursionError:
        return deep(text), mended
    except ValueError:
        raise ValueError(str(error)) from error


def lenient(text: str) -> Any:
    """The JSON value of a text of any depth, with raw control characters, NaN and Infinity.

    Raises:
        ValueError: if it is no JSON even so.
    """
    try:
        return _LENIENT.decode(text)
    except RecursionError:
        return deep(text, _LENIENT)


def deep(text: str, reader: json.JSONDecoder | None = None) -> Any:
    """The JSON value of a text of any depth, read without recursion.

    Args:
        text: the whole text.
        reader: reads the scalars; the one of `parse` unless another is given.

    Raises:
        ValueError: if it is no JSON.
    """
    reader = reader or _READER
    place = _space(text, 0)
    open_: list[tuple[Any, str | None]] = []
    value: Any = None
    while True:
        opening = text[place : place + 1]
        if opening in ("{", "["):
            value = {} if opening == "{" else []
            place = _space(text, place + 1)
            if text[place : place + 1] == _CLOSING[opening]:
                place += 1
            else:
                key, place = _key(text, place, reader) if opening == "{" else (None, place)
                open_.append((value, key))
                continue
        elif opening and opening in _SCALARS:
            value, place = reader.raw_decode(text, place)
        else:
            raise ValueError(f"no JSON value at character {place}")
        while open_:
            container, key = open_[-1]
            if key is None:
                container.append(value)
            else:
                container[key] = value
            place = _space(text, place)
            closing = text[place : place + 1]
            if closing == ",":
                place = _space(text, place + 1)
                if key is not None:
                    key, place = _key(text, place, reader)
                    open_[-1] = (container, key)
                break
            if closing != ("]" if key is None else "}"):
                raise ValueError(f"no end of a value at character {place}")
            value, place = open_.pop()[0], place + 1
        else:
            if _space(text, place) != len(text):
                raise ValueError(f"more than one value, at character {place}")
            return value


def _space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _key(text: str, place: int, reader: json.JSONDecoder) -> tuple[str, int]:
    if text[place : place + 1] != '"':
        raise ValueError(f"no key at character {place}")
    key, place = reader.raw_decode(text, place)
    place = _space(text, place)
    if text[place : place + 1] != ":":
        raise ValueError(f"no colon at character {place}")
    return key, _space(text, place + 1)


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _double(digits: str) -> int | float:
    return int(digits) if len(digits) < 300 else float(digits)


_READER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_int=_double)
_LENIENT: Final = json.JSONDecoder(strict=False, parse_int=_double)
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_CLOSING: Final = {"{": "}", "[": "]"}
_SCALARS: Final = '"-0123456789tfnNI'
