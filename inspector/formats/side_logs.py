"""Logs that agents keep beside their sessions, told by the keys of their first record."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.contract import Annex
from inspector.tape.source import Source

_HEAD: Final = 64 * 1024


class SideLog(NamedTuple):
    """A kind of log that is no session.

    Attributes:
        what: what it is, in words.
        keys: those that each of its records has.
        never: those that none has: a record with one of them may be a session's.
    """

    what: str
    keys: Collection[str]
    never: Collection[str] = ()


def annexes(source: Source, kinds: Collection[SideLog]) -> list[Annex]:
    """What a text is, if it is one of these logs.

    Raises:
        SourceError: if it cannot be read.
    """
    first = _first(source.read(0, _HEAD))
    return [
        Annex(kind.what, (), ())
        for kind in kinds
        if first.keys() >= set(kind.keys) and not first.keys() & set(kind.never)
    ][:1]


def _first(head: bytes) -> dict[str, Any]:
    """The first record of a log; nothing of what is no object."""
    for line in head.split(b"\n", 3)[:3]:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        return value if isinstance(value, dict) else {}
    return {}
