"""The tokens of one JSON value that begins anywhere in a line, without recursion or values.

The grammar is JSON with three licences, which a broken writer takes: raw control characters in
strings, bytes that are no UTF-8 in strings, and NaN and Infinity as numbers.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, TypeAlias

OBJECT: Final = ord("{")
"""The byte with which an object opens."""


class Kind(IntEnum):
    """What a token is. A string that names a member is a key, any other is a scalar."""

    OPEN = 0
    CLOSE = 1
    KEY = 2
    SCALAR = 3


Token: TypeAlias = tuple[Kind, int, int]
"""A token: its kind, its first byte in the line and the byte behind it; quotes are in it."""


class NotJsonError(ValueError):
    """No JSON value goes on here. ``place`` is the byte of the line."""

    def __init__(self, place: int) -> None:
        super().__init__(f"no JSON at byte {place}")
        self.place = place


def tokens(line: bytes, place: int) -> Iterator[Token]:
    """The tokens of the value that begins at a byte, up to its end and no further.

    Raises:
        NotJsonError: where the value breaks; the tokens before were given out.
    """
    opened, closed, named, scalar = Kind.OPEN, Kind.CLOSE, Kind.KEY, Kind.SCALAR
    closings = bytearray()
    while True:
        closing = _CLOSING.get(line[place : place + 1])
        if closing is None:
            stop = _scalar_end(line, place)
            yield scalar, place, stop
            place = stop
        else:
            yield opened, place, place + 1
            closings += closing
            place = skip_space(line, place + 1)
            if line[place : place + 1] != closing:
                if closing == b"}":
                    stop = string_end(line, place)
                    yield named, place, stop
                    place = _behind_colon(line, stop)
                continue
        while closings:
            mark = _MARK.match(line, place)
            if mark is None:
                raise NotJsonError(place)
            place = mark.end()
            if mark[1] == b",":
                if closings[-1] == _END_OF_OBJECT:
                    stop = string_end(line, place)
                    yield named, place, stop
                    place = _behind_colon(line, stop)
                break
            at = mark.start(1)
            if line[at] != closings[-1]:
                raise NotJsonError(at)
            closings.pop()
            yield closed, at, at + 1
            place = at + 1
        else:
            return


def skip_space(line: bytes, place: int) -> int:
    """The first byte from ``place`` that is no white space of JSON."""
    found = _SPACE.match(line, place)
    return found.end() if found else place


def string_end(line: bytes, place: int) -> int:
    """The byte behind the string whose opening quote is at ``place``.

    Raises:
        NotJsonError: if it does not end, or holds what is no escape.
    """
    found = _STRING.match(line, place)
    while found:
        stop = found.end()
        if line[stop : stop + 1] == b'"':
            return stop + 1
        found = _STRING_GOES_ON.match(line, stop)
    raise NotJsonError(place)


def _behind_colon(line: bytes, place: int) -> int:
    found = _COLON.match(line, place)
    if not found:
        raise NotJsonError(place)
    return found.end()


def _scalar_end(line: bytes, place: int) -> int:
    if line[place : place + 1] == b'"':
        return string_end(line, place)
    found = _WORD.match(line, place)
    if not found:
        raise NotJsonError(place)
    return found.end()


_CLOSING: Final = {b"{": b"}", b"[": b"]"}
_END_OF_OBJECT: Final = ord("}")

_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_MARK: Final = re.compile(rb"[ \t\r\n]*+([,}\]])[ \t\r\n]*+")
_COLON: Final = re.compile(rb"[ \t\r\n]*+:[ \t\r\n]*+")
_WORD: Final = re.compile(
    rb"-?Infinity|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null|NaN"
)

# The engine remembers every turn of a group, so a string goes on in pieces of so many escapes.
_ESCAPED: Final = rb'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)'
_STRING: Final = re.compile(rb'"[^"\\]*+' + _ESCAPED + rb"{0,200}")
_STRING_GOES_ON: Final = re.compile(_ESCAPED + rb"{1,200}")
