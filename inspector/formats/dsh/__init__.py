"""DeepSeek Harness: append-only logs whose events say themselves what they do to the surface."""

from collections.abc import Collection, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import orjson

from inspector.formats.contract import (
    Annex,
    Certainty,
    Options,
    Recognition,
    SessionEntry,
    Tape,
)
from inspector.formats.defaults import InDatabases, NoPlaces, Stored
from inspector.formats.dsh.packed import is_record
from inspector.formats.dsh.sources import folders
from inspector.formats.heads import pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

if TYPE_CHECKING:
    from inspector.tape.database import Database

# What does not recognise is imported where it is needed: a screen is waiting.

_LINES: Final = 50
"""Lines looked at to tell a log whose first line is damaged or missing."""

_UNIT: Final = b'"unit"'
_BEGINNING: Final = 1_024
"""What stands in the first bytes of a storage domain."""


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.dsh import listing

    return listing


class DshFormat(InDatabases, NoPlaces):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "dsh"
    policies: Final = ("dsh",)

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes."""
        lines = head.split(b"\n", _LINES)[:_LINES]
        first = _record(lines[0])
        if first is not None and first.get("type") == "session":
            return _by_header(first)
        if _UNIT in head[:_BEGINNING]:
            from inspector.formats.dsh import stored

            if stored.is_domain(head):
                return Recognition(Certainty.NO, stored.DOMAIN)
        if any(_holds_event(line) for line in lines):
            return Recognition(Certainty.LIKELY)
        if first is None:
            return Recognition(Certainty.NO, "line 1 is not a JSON object")
        return Recognition(Certainty.NO, "line 1 is neither a session header nor an event")

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a log."""
        from inspector.formats.dsh.beside.surroundings import look_around
        from inspector.formats.dsh.reading import DshTape
        from inspector.formats.dsh.sources.container import container_of
        from inspector.formats.dsh.sources.text_log import TextLog

        return DshTape(TextLog(source, container_of(source)), options, look_around)

    def annexes_of_text(self, source: Source) -> list[Annex]:
        """What the owner keeps beside its sessions in a file."""
        from inspector.formats.dsh import stored

        return stored.of_text(source)

    def annexes_of_database(self, database: "Database") -> list[Annex]:
        """What the owner keeps in a database that holds no sessions."""
        from inspector.formats.dsh import stored

        return stored.of_database(database)

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps sessions."""
        found: list[Root] = _listing().all_roots(surroundings)
        return found

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a log tell."""
        head = ends.head
        # One of these stands in the head of every log.
        if b'"session"' not in head and b'"seq"' not in head and b'"seq0"' not in head:
            return None
        found: Glance | None = _listing().glance(ends, self._is_ours)
        return found

    def _is_ours(self, head: bytes) -> bool:
        """Whether a log begins with these bytes."""
        return self.recognise(head).certainty > Certainty.NO

    def in_folder(self, names: Collection[str]) -> str | None:
        """The newest generation of a session's folder."""
        return folders.current(names)

    def in_archive(self, names: Sequence[str]) -> list[tuple[str, SessionEntry]]:
        """The session of an export, and those of its subagents."""
        from inspector.formats.dsh.sources.archives import archive_sessions

        return [
            (found.member, SessionEntry(found.session_id or ""))
            for found in archive_sessions(names)
        ]

    def stored(self) -> Stored:
        """What reads the owner's databases."""
        from inspector.formats.dsh import stored

        return stored


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return next(iter(pieces(line, _is_ours)), None)
    return value if isinstance(value, dict) else None


def _is_ours(value: Any) -> bool:
    return is_record(value) or (isinstance(value, dict) and value.get("type") == "session")


def _by_header(header: dict[str, Any]) -> Recognition:
    if "createdAt" in header or "delegationDepth" in header:
        return Recognition(Certainty.SURE)
    if "timestamp" in header:
        return Recognition(Certainty.NO, "the header is that of another agent (timestamp)")
    return Recognition(Certainty.LIKELY)


def _holds_event(line: bytes) -> bool:
    record = _record(line)
    return record is not None and (
        {"type", "seq", "time", "data"} <= record.keys()
        or {"type", "seq0", "time0", "data"} <= record.keys()
    )


FORMAT: Final = DshFormat()
