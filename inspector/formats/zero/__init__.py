"""Zero: append-only session logs whose compactions say which events they stand for."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases, NoListing
from inspector.formats.heads import pieces
from inspector.tape.source import Source

# What only an opened log needs is imported where it is needed: a screen is waiting.

_LINES: Final = 50
"""Lines looked at: the first may be damaged, and hand-written ones may say little."""

_EVENT: Final = {"id", "sessionid", "sequence", "type"}
_METADATA: Final = {"sessionId", "createdAt", "updatedAt", "eventCount"}
_MARKS: Final = (b"equence", b"EQUENCE")


class ZeroFormat(NoAnnexes, NoContainers, NoDatabases, NoListing):
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

    def in_folder(self, names: Collection[str]) -> str | None:
        """The events of a session's folder; its metadata where there are none (RULES, case 127)."""
        if "events.jsonl" in names:
            return "events.jsonl"
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
    if not isinstance(value, dict):
        return Certainty.NO
    members = {key.lower(): held for key, held in value.items()}
    if not members.keys() >= _EVENT:
        return Certainty.NO
    own = f"{members['sessionid']}:{members['sequence']}"
    return Certainty.SURE if members["id"] == own else Certainty.LIKELY


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and {key.lower() for key in value} >= _EVENT


def _is_metadata(head: bytes) -> bool:
    try:
        value = orjson.loads(head)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and value.keys() >= _METADATA


FORMAT: Final = ZeroFormat()
