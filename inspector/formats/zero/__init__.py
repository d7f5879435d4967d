"""Zero: append-only session logs whose compactions say which events they stand for."""

from collections.abc import Collection
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases
from inspector.formats.heads import pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

# What only an opened log needs is imported where it is needed: a screen is waiting.

_LINES: Final = 50
"""Lines looked at: the first may be damaged, and hand-written ones may say little."""

_EVENTS: Final = "events.jsonl"
"""The name of a log in its session's folder."""

_EVENT: Final = {"id", "sessionid", "sequence", "type"}
_PLAIN: Final = {"id", "sessionId", "sequence", "type", "createdAt", "payload"}
"""The keys of nearly every event, as the owner writes them."""

_METADATA: Final = {"sessionId", "createdAt", "updatedAt", "eventCount"}
_MARKS: Final = (b"equence", b"EQUENCE")


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.zero import listing

    return listing


class ZeroFormat(NoAnnexes, NoContainers, NoDatabases):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "zero"
    policies: Final = ("exec", "tui")

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes.

        An event has id, sessionId, sequence and type (format page 3); one whose id is made of its
        session and sequence is certainly the owner's. So is its metadata file.
        """
        best = Certainty.NO
        for line in head.split(b"\n", _LINES)[:_LINES]:
            best = max(best, _certainty(line))
            if best is Certainty.SURE:
                return Recognition(best)
        if best is Certainty.NO and _is_metadata(head):
            return Recognition(Certainty.SURE)
        why = "" if best else "no line is an event with id, sessionId, sequence and type"
        return Recognition(best, why)

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a session."""
        from inspector.formats.zero.opening import opened

        return opened(source, options)

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps sessions."""
        found: list[Root] = _listing().all_roots(surroundings)
        return found

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a log tell, and its metadata."""
        head = ends.head
        told = b"equence" in head or b"EQUENCE" in head or b'"eventCount"' in head
        if not told and ends.path.name != _EVENTS:
            return None
        found: Glance | None = _listing().glance(ends, _is_sure, self._is_ours)
        return found

    def _is_ours(self, head: bytes) -> bool:
        """Whether a log begins with these bytes."""
        return self.recognise(head).certainty > Certainty.NO

    def in_folder(self, names: Collection[str]) -> str | None:
        """The events of a session's folder; its metadata where there are none (RULES, case 127)."""
        if _EVENTS in names:
            return _EVENTS
        return "metadata.json" if {"metadata.json", "session.lock"} <= set(names) else None

    def knows_place(self, path: Path) -> bool:
        """The log beside a session's metadata is its own: empty at first, or of odd lines."""
        from inspector.formats.zero.metadata import EVENTS, beside

        return path.name == EVENTS and beside(path).is_of_session


def _certainty(line: bytes) -> Certainty:
    """How sure one line makes."""
    if not any(mark in line for mark in _MARKS):
        return Certainty.NO
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return Certainty.LIKELY if pieces(line, _is_event) else Certainty.NO
    return _certainty_of(value) if isinstance(value, dict) else Certainty.NO


def _certainty_of(value: dict[str, Any]) -> Certainty:
    """How sure an object makes."""
    members = {key.lower(): held for key, held in value.items()}
    if not members.keys() >= _EVENT:
        return Certainty.NO
    own = f"{members['sessionid']}:{members['sequence']}"
    return Certainty.SURE if members["id"] == own else Certainty.LIKELY


def _is_sure(value: dict[str, Any]) -> bool:
    if value.keys() == _PLAIN:
        return bool(value["id"] == f"{value['sessionId']}:{value['sequence']}")
    return _certainty_of(value) is Certainty.SURE


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and {key.lower() for key in value} >= _EVENT


def _is_metadata(head: bytes) -> bool:
    try:
        value = orjson.loads(head)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and value.keys() >= _METADATA


FORMAT: Final = ZeroFormat()
