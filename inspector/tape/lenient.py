"""One whole object that breaks rules of JSON which do not hide what it says."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from inspector.tape.jsonline import deep, lenient
from inspector.tape.jsontokens import string_end
from inspector.tape.notes import Note

RAW_CONTROL: Final = "raw-control"
NOT_UTF8: Final = "not-utf8"
NOT_A_NUMBER: Final = "not-a-number"


def read(piece: bytes) -> Any:
    """The value of a piece whose tokens are whole, with control characters as they stand.

    Bytes that are no UTF-8 are replaced; NaN and Infinity are the doubles of these names.

    Raises:
        ValueError: if its tokens are not whole.
    """
    return lenient(piece.decode("utf-8", "replace"))


def broken_rules(piece: bytes) -> Iterator[Note]:
    """The rules that such a piece breaks, each once, at the first byte that does."""
    broken = _not_utf8(piece)
    if broken is not None:
        yield Note(NOT_UTF8, broken, f"byte 0x{piece[broken]:02X} is not UTF-8; replaced")
    control = _raw_control(piece)
    if control is not None:
        message = f"raw control character 0x{piece[control]:02X} in a string"
        yield Note(RAW_CONTROL, control, message)
    constant = _constant(piece)
    if constant is not None:
        yield Note(NOT_A_NUMBER, constant.start(), f"{constant[0].decode()} is no number of JSON")


def _not_utf8(piece: bytes) -> int | None:
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def _raw_control(piece: bytes) -> int | None:
    if not _CONTROL.search(piece):
        return None
    # A character for a byte, so that the place of one is the place of the other.
    text = piece.decode("latin-1")
    try:
        try:
            _STRICT.decode(text)
        except RecursionError:
            deep(text, _STRICT)
    except json.JSONDecodeError as error:
        return error.pos
    return None


def _constant(piece: bytes) -> re.Match[bytes] | None:
    if not _CONSTANT.search(piece):
        return None
    place = 0
    while found := _QUOTE_OR_CONSTANT.search(piece, place):
        if found[0] != b'"':
            return found
        place = string_end(piece, found.start())
    return None


_STRICT: Final = json.JSONDecoder(parse_int=float)
_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
_CONSTANT: Final = re.compile(rb"NaN|-?Infinity")
_QUOTE_OR_CONSTANT: Final = re.compile(rb'"|NaN|-?Infinity')
