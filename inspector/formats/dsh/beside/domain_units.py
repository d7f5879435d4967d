"""A storage unit taken out of its medium: what its global value and its records say.

The units that are known are read by name (format page 1.2); of any other only its name and version
are told. Nothing of a unit is trusted: what is not of the wanted shape is a fault and left out.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from inspector.formats.dsh.beside.domain import (
    CUT_SHORT,
    MALFORMED,
    REPAIRED,
    VERSION_MISMATCH,
    CachedSession,
    Domain,
    Faults,
    PendingMutation,
    Workspace,
    shown,
)
from inspector.formats.shapes import natural
from inspector.tape import jsonline

MOST_ENTRIES: Final = 250_000
"""Records and session ids that are read of one domain."""

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of one JSON text that are read."""

UNREADABLE: Final[Any] = object()
"""Stands for a JSON text that is none."""

_UNIT_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_BOM: Final = b"\xef\xbb\xbf"
_OPERATIONS: Final = ("create", "delete")

_Entry = TypeVar("_Entry")


class Known(NamedTuple):
    """A unit that this package reads: the version it knows, and its only table."""

    version: int
    table: str


WORKSPACE: Final = "workspace"
PROJECTION_CACHE: Final = "session_projcache"
MESSAGE_FEEDBACK: Final = "message_feedback"

KNOWN: Final = {
    WORKSPACE: Known(2, "workspaces"),
    PROJECTION_CACHE: Known(3, "sessions"),
    MESSAGE_FEEDBACK: Known(0, "sessions"),
}


class Contents(NamedTuple):
    """A unit in the words of its medium: its values, and where they stand there."""

    name: str | None
    version: float | None
    state: Any
    state_place: str
    records: Iterable[tuple[str, Any]]
    records_place: str


def json_value(data: bytes, place: str, faults: Faults) -> Any:
    """The value of a JSON text, or `UNREADABLE`; what is wrong with the text is a fault."""
    if len(data) > LONGEST:
        faults.add(CUT_SHORT, place, f"{len(data):,} bytes; more than {LONGEST:,} are not read")
        return UNREADABLE
    if not data.strip(b" \t\r\n"):
        faults.add(MALFORMED, place, f"empty ({len(data)} bytes)")
        return UNREADABLE
    if data.startswith(_BOM):
        faults.add(MALFORMED, place, "a byte order mark at byte 0")
        # Blanks keep every place that a later fault names.
        data = b" " * len(_BOM) + data[len(_BOM) :]
    try:
        value, mended = jsonline.parse(data)
    except ValueError as error:
        faults.add(MALFORMED, place, f"not JSON ({error})")
        return UNREADABLE
    if mended is not None:
        faults.add(REPAIRED, place, mended.replace(" of the line", ""))
    return value


def number(value: Any) -> float | None:
    """A JSON number, or None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def name_problem(name: str) -> str | None:
    """Why a text cannot name a unit (format page 8.2), or None."""
    if _UNIT_NAME.fullmatch(name):
        return None
    return f"'{shown(name)}' is no unit name: not of the form {_UNIT_NAME.pattern}"


def read_unit(contents: Contents, faults: Faults) -> Domain:
    """What a unit says, with all faults found so far and here."""
    known = KNOWN.get(contents.name or "")
    if known is not None and contents.version not in (None, known.version):
        stored = shown(str(contents.version))
        message = f"stored version {stored}, known version {known.version}"
        faults.add(VERSION_MISMATCH, f"unit {contents.name}", message)
    reader = _Reader(contents, faults)
    if contents.name == WORKSPACE:
        return reader.workspaces()
    if contents.name == PROJECTION_CACHE:
        return reader.cache()
    if contents.name == MESSAGE_FEEDBACK:
        return reader.feedback()
    return Domain(contents.name, contents.version, faults=faults.told())


class _Reader:
    """Reads one unit and counts what it has read."""

    def __init__(self, contents: Contents, faults: Faults) -> None:
        self._contents = contents
        self._faults = faults
        self._left = MOST_ENTRIES
        self._complete = True

    def workspaces(self) -> Domain:
        """The workspaces, the archive and the change that was begun."""
        archived, pending = self._state()
        found = tuple(self._workspace(*record) for record in self._records())
        owners: dict[str, Workspace] = {}
        for workspace in found:
            for session in workspace.sessions:
                owners.setdefault(session, workspace)
        return Domain(
            self._contents.name,
            self._contents.version,
            workspaces=found,
            owners=owners,
            archived=archived,
            pending=pending,
            complete=self._complete,
            faults=self._faults.told(),
        )

    def cache(self) -> Domain:
        """The sessions that the projection cache knows; its rows are only a cache."""
        found = tuple(self._cached(*record) for record in self._records())
        return Domain(
            self._contents.name,
            self._contents.version,
            cached=found,
            complete=self._complete,
            faults=self._faults.told(),
        )

    def feedback(self) -> Domain:
        """How many messages were rated: each session's record lists its own."""
        rated = 0
        for key, record in self._records():
            items = record.get("items")
            if isinstance(items, list):
                rated += len(items)
            else:
                self._malformed(self._place(key, "items"), "is not an array")
        return Domain(
            self._contents.name,
            self._contents.version,
            feedback=rated,
            complete=self._complete,
            faults=self._faults.told(),
        )

    def _state(self) -> tuple[frozenset[str] | None, PendingMutation | None]:
        state, place = self._contents.state, self._contents.state_place
        if state is UNREADABLE:
            return None, None
        if state is None:
            return self._unsaid(), None
        if not isinstance(state, dict):
            self._malformed(place, "is not an object")
            return None, None
        if not isinstance(state.get("initialized"), bool):
            self._malformed(f"{place}.initialized", "is not true or false")
        if not isinstance(state.get("workspaceIds"), list):
            self._malformed(f"{place}.workspaceIds", "is not an array")
        return self._archived(state, place), self._pending(state, place)

    def _unsaid(self) -> frozenset[str] | None:
        """An archive that is not written is empty, if the version is one that writes it here."""
        known = self._contents.version == KNOWN[WORKSPACE].version
        return frozenset() if known else None

    def _archived(self, state: dict[str, Any], place: str) -> frozenset[str] | None:
        if "archivedSessionIds" not in state:
            return self._unsaid()
        ids = self._texts(state["archivedSessionIds"], f"{place}.archivedSessionIds")
        return None if ids is None else frozenset(ids)

    def _pending(self, state: dict[str, Any], place: str) -> PendingMutation | None:
        if "pendingMutation" not in state:
            return None
        pending, place = state["pendingMutation"], f"{place}.pendingMutation"
        if not isinstance(pending, dict):
            self._malformed(place, "is not an object")
            return None
        operation, workspace = pending.get("operation"), pending.get("workspaceId")
        if operation not in _OPERATIONS:
            self._malformed(f"{place}.operation", "is neither create nor delete")
        if not isinstance(workspace, str):
            self._malformed(f"{place}.workspaceId", "is not a string")
        if isinstance(operation, str) and isinstance(workspace, str):
            return PendingMutation(operation, workspace)
        return None

    def _workspace(self, key: str, record: dict[str, Any]) -> Workspace:
        sessions = self._texts(record.get("sessionIds"), self._place(key, "sessionIds"))
        return Workspace(
            id=key,
            path=self._text(key, record, "path"),
            title=self._text(key, record, "title"),
            sessions=tuple(sessions or ()),
            created=self._text(key, record, "createdAt"),
            updated=self._text(key, record, "updatedAt"),
        )

    def _cached(self, key: str, record: dict[str, Any]) -> CachedSession:
        identity = record.get("identity")
        if not isinstance(identity, dict):
            self._malformed(self._place(key, "identity"), "is not an object")
            return CachedSession(key, None, None)
        created = natural(identity.get("createdAt"))
        if created is None:
            self._malformed(self._place(key, "identity.createdAt"), "is not a whole number from 0")
        cwd = identity.get("cwd")
        if not isinstance(cwd, str):
            if "cwd" in identity:
                self._malformed(self._place(key, "identity.cwd"), "is not a string")
            cwd = None
        return CachedSession(key, created, cwd)

    def _records(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The records of the unit's table that are objects."""
        for key, record in self._within(self._contents.records, self._contents.records_place):
            if isinstance(record, dict):
                yield key, record
            else:
                self._malformed(self._place(key), "is not an object")

    def _texts(self, value: Any, place: str) -> list[str] | None:
        if not isinstance(value, list):
            self._malformed(place, "is not an array")
            return None
        found: list[str] = []
        for at, entry in enumerate(self._within(value, place)):
            if isinstance(entry, str):
                found.append(entry)
            else:
                self._malformed(f"{place}[{at}]", "is not a string")
        return found

    def _text(self, key: str, record: dict[str, Any], name: str) -> str | None:
        value = record.get(name)
        if isinstance(value, str):
            return value
        self._malformed(self._place(key, name), "is not a string")
        return None

    def _within(self, entries: Iterable[_Entry], place: str) -> Iterator[_Entry]:
        """The entries as far as the unit may have more of them."""
        for entry in entries:
            if not self._left:
                self._complete = False
                message = f"{MOST_ENTRIES:,} entries are read; the rest from here are not"
                self._faults.add(CUT_SHORT, place, message)
                return
            self._left -= 1
            yield entry

    def _place(self, key: str, name: str | None = None) -> str:
        record = f"{self._contents.records_place}.{shown(key)}"
        return record if name is None else f"{record}.{name}"

    def _malformed(self, where: str, message: str) -> None:
        self._faults.add(MALFORMED, where, message)
