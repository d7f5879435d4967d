"""Lines with nothing odd in them, which a fast reader reads as the owner does.

Such a reader refuses most of what the owner reads otherwise. What it does not refuse, but reads
otherwise, is an object that has a key twice: it drops the first. A dropped member has a key, whose
quotes are then missing in what it makes of the line.
"""

from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.zero.event import KEYS, Event, event_of
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.ids import split

_ESCAPED_QUOTE: Final = b"\\u0022"
"""A quote that is written otherwise than a JSON writer does."""

_PAYLOAD: Final = b'"payload":'
_HEAD: Final = frozenset(KEYS) - {"payload"}
_QUOTES: Final = 18
"""Quotes in what stands before the payload: of five keys, and of four values that are strings."""


def plain_event(line: bytes) -> Event | None:
    """The event of a line, or None if the line needs care.

    Nothing is dropped from it: where the payload is an object, its members are all that there are.
    """
    try:
        value = orjson.loads(line)
    except ValueError:
        return None
    if type(value) is not dict or _ESCAPED_QUOTE in line:
        return None
    try:
        if line.count(b'"') != orjson.dumps(value).count(b'"'):
            return None
        return event_of(list(value.items()))
    except (RefusedError, TypeError):
        # It writes fewer levels than it reads.
        return None


class Layout(NamedTuple):
    """How a line is written up to its payload, which ends the line but for a brace.

    Attributes:
        start: what stands before the type, with ``%d`` for the number, in the id and alone.
        middle: what stands between type and time.
        end: what stands between the time and the payload.
    """

    start: bytes
    middle: bytes
    end: bytes


UNKNOWN: Final = Layout(b"\xff%d%d", b"\xff", b"\xff")
"""That of no line."""


def layout_of(line: bytes) -> Layout:
    """How a line is written; `UNKNOWN` if it is not by the owner's keys, or its id is odd.

    Whoever writes one line so writes them all so, with other numbers, types and times.
    """
    head = line.partition(_PAYLOAD)[0]
    pieces = head.split(b'"')
    if len(pieces) != _QUOTES + 1 or b"\\" in head:
        return UNKNOWN
    try:
        value = orjson.loads(head.rstrip().removesuffix(b",") + b"}")
    except ValueError:
        return UNKNOWN
    if value.keys() != _HEAD or not _is_own(value) or not line.startswith(_PAYLOAD, len(head)):
        return UNKNOWN
    return _laid_out(pieces, value)


def _is_own(value: dict[str, Any]) -> bool:
    """Whether the id of an event ends in its number."""
    number, identity = value["sequence"], value["id"]
    return (type(number) is int and type(identity) is str and number >= 0) and split(identity)[
        1
    ] == number


def _laid_out(pieces: list[bytes], value: dict[str, Any]) -> Layout:
    """The layout of a head that was taken apart at its quotes, so that every other piece is text.

    Args:
        pieces: of the head.
        value: what it says.
    """
    places: dict[bytes, int] = {}
    at = 1
    while at < len(pieces):
        key = pieces[at]
        places[key] = at + (1 if key == b"sequence" else 2)
        at += 2 if key == b"sequence" else 4
    kind, time = places[b"type"], places[b"createdAt"]
    if not places[b"id"] < kind < time or places[b"sequence"] > kind:
        return UNKNOWN
    written = str(value["sequence"]).encode()
    laid = [piece.replace(b"%", b"%%") for piece in pieces[:kind]]
    own = laid[places[b"id"]]
    laid[places[b"id"]] = own[: len(own) - len(written)] + b"%d"
    laid[places[b"sequence"]] = laid[places[b"sequence"]].replace(written, b"%d")
    return Layout(
        b'"'.join([*laid, b""]),
        b'"'.join([b"", *pieces[kind + 1 : time], b""]),
        b'"'.join([b"", *pieces[time + 1 :]]) + _PAYLOAD,
    )
