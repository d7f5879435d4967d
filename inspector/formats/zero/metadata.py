"""What the owner keeps of a session beside its events: ``metadata.json`` (format page 2)."""

import os
import stat
from pathlib import Path
from typing import Any, Final

import orjson

from inspector.formats.shapes import mapping, text
from inspector.formats.zero import golang
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.times import milliseconds
from inspector.tape.source import reason_of

NAME: Final = "metadata.json"
EVENTS: Final = "events.jsonl"

LONGEST: Final = 1024 * 1024
"""Bytes of a metadata file that are read; a real one has a few hundred."""

_KEPT: Final = 400
"""Characters of one of its texts that are kept."""

_RESUMABLE: Final = ("", "fork")
"""The kinds of sessions that the owner resumes."""

_REGISTERS: Final = {
    "title": "title",
    "model": "modelId",
    "provider": "provider",
    "cwd": "cwd",
    "kind": "sessionKind",
    "tag": "tag",
    "agent": "agentName",
    "task": "taskId",
}
"""Our registers, and the keys that set them from the beginning. What events tell of (goal, spec)
is not among them: the metadata only know how it ended."""

_FACTS: Final = {
    "rootSessionId": "root session",
    "forkedFromEventId": "forked from event",
    "spawnedFromEventId": "spawned from event",
    "specSourceSessionId": "spec of session",
    "specImplSessionId": "spec carried out in session",
}


class Metadata:
    """The facts of a metadata file; what is not there, or of another shape, is empty.

    Attributes:
        problem: why it cannot be used, as a clause; None where it can.
        missing: whether there is none at all.
        long: whether it is only too long to be read here.
    """

    def __init__(
        self,
        members: dict[str, Any],
        problem: str | None = None,
        *,
        missing: bool = False,
        long: bool = False,
    ) -> None:
        self._members = members
        self.problem = problem
        self.missing = missing
        self.long = long

    def _text(self, key: str) -> str:
        return text(self._members.get(key))[:_KEPT]

    def whole(self, key: str) -> str:
        """One of its texts, however long; empty if there is none."""
        return text(self._members.get(key))

    @property
    def is_of_session(self) -> bool:
        """Whether it is the file of a session, as far as it was read."""
        return self.long or is_metadata(self._members)

    @property
    def session(self) -> str | None:
        """The session's id."""
        return self._text("sessionId") or None

    @property
    def created(self) -> int | None:
        """When it was made, in milliseconds since the epoch."""
        return milliseconds(self._text("createdAt"))

    @property
    def cwd(self) -> str | None:
        """Where it works."""
        return self._text("cwd") or None

    @property
    def parent(self) -> str | None:
        """The session that it comes from."""
        return self._text("parentSessionId") or None

    @property
    def kind(self) -> str:
        """What kind of session it is; empty for an ordinary one."""
        return self._text("sessionKind")

    @property
    def count(self) -> int | None:
        """The last number, as the owner remembers it; it is no count (format page 2)."""
        found = self._members.get("eventCount")
        return found if type(found) is int else None

    @property
    def tag(self) -> str:
        """A free label."""
        return self._text("tag")

    def registers(self) -> dict[str, str]:
        """What is so before the first event, by our names."""
        found = {name: self._text(key) for name, key in _REGISTERS.items()}
        return {name: said for name, said in found.items() if said}

    def facts(self) -> tuple[str, ...]:
        """Further sentences about the session, uncleaned."""
        found = [f"{words} {said}" for key, words in _FACTS.items() if (said := self._text(key))]
        if self.kind not in _RESUMABLE:
            found.insert(0, f"a session of kind {self.kind}, which the owner does not resume")
        return tuple(found)


def is_metadata(value: Any) -> bool:
    """Whether a JSON value is the metadata of a session, and no event."""
    return (
        isinstance(value, dict)
        and {"sessionId", "createdAt", "eventCount"} <= value.keys()
        and "sequence" not in value
    )


def beside(events: Path) -> Metadata:
    """The metadata of the session whose events are at a path; reads one small file.

    A log under another name has none: what lies beside a copy is not its own.
    """
    if events.name != EVENTS:
        return Metadata({}, missing=True)
    return at(events.with_name(NAME))


def at(path: Path) -> Metadata:
    """The metadata at a path."""
    try:
        content = _content(path)
    except OSError as error:
        return unread(path, error)
    if len(content) > LONGEST:
        return Metadata({}, f"is longer than {LONGEST:,} bytes", long=True)
    return read(content)


def unread(path: Path, error: OSError) -> Metadata:
    """The metadata at a path that could not be read."""
    if isinstance(error, FileNotFoundError):
        return Metadata({}, missing=True)
    why = reason_of(path, error)
    return Metadata({}, why if why.startswith("is ") else f"cannot be read: {why}")


def read(content: bytes) -> Metadata:
    """The metadata in the text of a file."""
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        # The owner reads numbers and bytes that the fast reader refuses.
        try:
            value = golang.read(golang.decoded(content))[0]
        except RefusedError as refusal:
            return Metadata({}, f"is {refusal.problem}: {refusal.detail}")
    if not text(mapping(value).get("sessionId")):
        return Metadata({}, "names no session")
    return Metadata(mapping(value))


def _content(path: Path) -> bytes:
    # Whatever stands there: nothing that would be waited for, as a pipe is.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "is not a regular file")
        return os.read(descriptor, LONGEST + 1)
    finally:
        os.close(descriptor)
