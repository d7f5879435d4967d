"""Where Zero keeps sessions, and what the ends of a log and its metadata tell (format page 1-3)."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from inspector.formats.ends import (
    Edges,
    bearing,
    counted,
    edges,
    last_bearing,
    last_record,
    last_records,
    moment,
    record,
    title,
)
from inspector.formats.homes import roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import mapping, text
from inspector.formats.zero import metadata
from inspector.formats.zero.event import KEYS, event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.judge import Judge
from inspector.formats.zero.metadata import Metadata
from inspector.formats.zero.vocabulary import CROSS_SESSION, MESSAGE, USER

_OWNER: Final = "zero"

_LONGEST: Final = 64 * 1024
"""Bytes of a metadata file that are read; one that is longer tells nothing here."""

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

_PROMPTS: Final = 3
"""Messages that are parsed to find one of a person."""

_RELATIONS: Final = {
    "fork": "fork",
    "side": "side",
    "child": "subagent",
    "spec-draft": "spec draft",
    "spec-impl": "spec",
}
"""What a session of a kind is to its parent (format page 2 and 7)."""

_NAMES: Final = {key.lower(): key for key in KEYS}


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The owner's sessions, on every platform alike (format page 1)."""
    default = ".local/share"
    return list(roots(_OWNER, surroundings, "XDG_DATA_HOME", default, ("zero/sessions",)))


def glance(
    ends: Ends, is_event: Callable[[dict[str, Any]], bool], is_ours: Callable[[bytes], bool]
) -> Glance | None:
    """What the ends of a log and its metadata tell, or None if it is none.

    Reads the metadata file beside a log: one small file.

    Args:
        ends: of the text.
        is_event: whether an object can only be the owner's.
        is_ours: judges the first bytes of a text whose first line does not tell.
    """
    looked = edges(ends)
    of_session = ends.name == metadata.EVENTS
    first = _event(looked.first if looked.first.strip() else _below_blank(looked.head))
    ours = is_event(first) or is_ours(looked.head)
    if ours and not of_session and ends.head.lstrip()[:2] in (b"{\n", b"{\r"):
        return _of_metadata(looked)
    known = _beside(ends.place) if of_session else _none()
    # What is in a session's folder is its own: empty at first, or of odd lines.
    if ours or known.is_of_session:
        return _of_log(looked, ends, known, first)
    return None


_EVENT: Final = frozenset(("id", "sessionId", "sequence", "type"))


def _of_log(looked: Edges, ends: Ends, known: Metadata, first: dict[str, Any]) -> Glance:
    own = known.session
    session = own or text(first.get("sessionId")) or None
    end, last = _end(looked)
    events, estimated = _events(ends, looked, first, end)
    parent = known.parent or (known.whole("specSourceSessionId") or None)
    relation = _RELATIONS.get(known.kind) if parent is not None else None
    unread = None
    if own is None:
        parent, relation = _comes_from(looked, session)
        unread = None if known.problem is None else f"{metadata.NAME} {known.problem}"
    return Glance(
        session,
        title(known.whole("title")) or _asked(looked.head),
        known.cwd,
        known.created or moment(first.get("createdAt")),
        last,
        events,
        estimated,
        parent,
        relation,
        _refusal(looked, first, session or ends.path.parent.name),
        None,
        unread,
    )


def _comes_from(looked: Edges, session: str | None) -> tuple[str | None, str | None]:
    """The parent by an event that stands in the session that was made, and what it is to that.

    A fork tells it behind what it copied, which may hold the same of its parent: the last counts.
    """
    for line in last_bearing(looked.tail, _FORK):
        event = _event(line)
        parent = text(mapping(event.get("payload")).get("parentSessionId"))
        if event.get("type") == "session_fork" and parent:
            return parent, "fork"
    for line in bearing(looked.head, _CHILD):
        event = _event(line)
        payload = mapping(event.get("payload"))
        parent = text(payload.get("parentSessionId"))
        if parent and event.get("type") == "session_child":
            if text(payload.get("childSessionId")) == session:
                return parent, "subagent"
            break
    return None, None


_FORK: Final = b'"session_fork"'
_CHILD: Final = b'"session_child"'


def _of_metadata(looked: Edges) -> Glance | None:
    """A session of which there are only metadata (RULES, case 127)."""
    said = record(looked.head)
    if not metadata.is_metadata(said):
        return None
    known = Metadata(said)
    parent = known.parent
    return Glance(
        id=known.session,
        title=title(known.whole("title")),
        project=known.cwd,
        started=known.created,
        last=moment(said.get("updatedAt")),
        events=0,
        parent=parent,
        relation=_RELATIONS.get(known.kind) if parent is not None else None,
    )


# What lies beside the log.


def _none() -> Metadata:
    return Metadata({}, missing=True)


def _beside(events: str) -> Metadata:
    """The metadata of a log, as far as they are small."""
    try:
        # Of thousands of logs no path is taken apart.
        folder = events.removesuffix(metadata.EVENTS)
        descriptor = os.open(f"{folder}{metadata.NAME}", _FLAGS)
    except OSError as error:
        return metadata.unread(Path(events).with_name(metadata.NAME), error)
    try:
        content = os.read(descriptor, _LONGEST + 1)
    except OSError as error:
        return metadata.unread(Path(events).with_name(metadata.NAME), error)
    finally:
        os.close(descriptor)
    if not content:
        return Metadata({}, "is empty")
    return metadata.read(content) if len(content) <= _LONGEST else _none()


# Events.


def _event(line: bytes) -> dict[str, Any]:
    """The members of a line under the owner's keys, which it reads whatever their case."""
    return _named(record(line))


def _below_blank(head: bytes) -> bytes:
    """The first line that is not blank."""
    return head.lstrip().partition(b"\n")[0]


def _named(found: dict[str, Any]) -> dict[str, Any]:
    """The same of an object."""
    if found.keys() >= _EVENT:
        return found
    return {_NAMES.get(key.lower(), key): value for key, value in found.items()}


def _end(looked: Edges) -> tuple[dict[str, Any], int | None]:
    """The last event that tells when it was, and that time; one that nothing ends counts too
    (RULES A3).
    """
    found = _named(last_record(looked) or {})
    if type(found.get("sequence")) is int and (time := moment(found.get("createdAt"))) is not None:
        return found, time
    for value in last_records(looked, _is_found):
        found = _named(value)
        time = moment(found.get("createdAt"))
        if type(found.get("sequence")) is int and time is not None:
            return found, time
    return {}, None


def _is_found(value: Any) -> bool:
    """Whether an object in a damaged line is an event."""
    from inspector.formats.zero.salvage import looks_like_event  # seldom needed

    return looks_like_event(value)


def _events(
    ends: Ends, looked: Edges, first: dict[str, Any], end: dict[str, Any]
) -> tuple[int | None, bool]:
    """How many events there are, and whether that is an estimate: numbers count from 1, and
    seldom leave one out.
    """
    if not looked.whole:
        last = end.get("sequence")
        if type(last) is int and last > 0 and first.get("sequence") == 1:
            return last, True
    return counted(ends, looked, _is_found)


def _is_plain(first: dict[str, Any]) -> bool:
    """Whether the members of an event are of the types that its owner takes (RULES B)."""
    texts = type(first.get("id")) is type(first.get("sessionId")) is type(first.get("type")) is str
    return texts and type(first.get("sequence")) is int


def _refusal(looked: Edges, first: dict[str, Any], session: str) -> str | None:
    """Why the owner refuses the session for its first line."""
    line = looked.first
    # What begins so is taken nearly always; whether it is only all of its reader tells.
    if looked.first_is_cut or (first and line[-1:] == b"}" and _is_plain(first)):
        return None
    if looked.whole and not looked.tail:
        # It drops what nothing ends and what is no event.
        return None
    judge = Judge()
    try:
        event_of_line(line)
    except RefusedError as refusal:
        judge.refused(0, 0, refusal)
        judge.written = 0 if not looked.head[len(line) :].strip() else 1
    verdict = judge.verdict(session, looked.rest if looked.whole else b"")
    return None if verdict.opens else verdict.reason


# What it is called.


def _asked(head: bytes) -> str | None:
    """What the person said first."""
    for at, line in enumerate(bearing(head, b'"user"')):
        if at == _PROMPTS:
            break
        found = _event(line)
        payload = mapping(found.get("payload"))
        if found.get("type") != MESSAGE or payload.get("role") != USER:
            continue
        named = title(payload.get("content"))
        if named is not None and payload.get("origin") != CROSS_SESSION:
            return named
    return None
