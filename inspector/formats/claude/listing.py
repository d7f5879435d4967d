"""Where Claude Code keeps transcripts, and what the ends of one tell (format page 1.1 to 1.8)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from inspector.formats.claude.naming import title_of
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.ends import (
    Edges,
    bearing,
    counted,
    edges,
    last_of,
    last_record,
    last_records,
    moment,
    record,
)
from inspector.formats.homes import roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import mapping, natural, text

_OWNER: Final = "claude"

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_AGENT: Final = "agent-"
_SUBAGENTS: Final = "subagents"

_LINES: Final = 4
"""Lines at the beginning that are parsed for what the first record of the tree says."""

_MEMBERS: Final = tuple(CHAIN)
_MEMBER: Final = b'{"parentUuid":'
"""How nearly every record of the tree begins."""


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The projects in the owner's folder (format page 1.1)."""
    return list(roots(_OWNER, surroundings, "CLAUDE_CONFIG_DIR", ".claude", ("projects",)))


def glance(
    ends: Ends, is_record: Callable[[dict[str, Any]], bool], is_ours: Callable[[bytes], bool]
) -> Glance | None:
    """What the ends of a transcript tell, or None if it is none.

    Args:
        ends: of the text.
        is_record: whether a record can only be the owner's.
        is_ours: judges the first bytes of a text whose first line does not tell.
    """
    looked = edges(ends)
    first = record(looked.first)
    told = is_record(first) and ends.head.rfind(b'"session_id"') < 0
    return _of_transcript(ends, looked, first) if told or is_ours(looked.head) else None


def _of_transcript(ends: Ends, looked: Edges, head: dict[str, Any]) -> Glance:
    """What the ends of a transcript tell that was recognised, whose first line is ``head``."""
    first, created = _first(looked, head)
    end, last = _end(looked)
    events, estimated = counted(ends, looked, _is_record)
    name = ends.name
    session = text(first.get("sessionId")) or None
    parent: str | None
    if name.startswith(_AGENT):
        identity: str | None = name.removesuffix(".jsonl")
        relation: str | None = "subagent"
        parent = _of_folder(ends.path) or session
    else:
        stem = name.partition(".")[0]
        own = stem if _UUID.fullmatch(stem) else None
        identity = own or _session(looked, end) or session
        parent, relation = _origin(first, session, own)
        if parent is None and own is None and head.get("type") == "summary":
            # So begins what was taken up in a file of its own by old builds (format page 1.8).
            parent = session if session != identity else None
    named = title_of(looked, first)
    project = text(first.get("cwd")) or text(end.get("cwd")) or None
    relation = relation if parent is not None else None
    return Glance(identity, named, project, created, last, events, estimated, parent, relation)


# Where it comes from.


def _session(looked: Edges, end: dict[str, Any]) -> str | None:
    """The session of the last record, which is that of a file whose name tells none."""
    for found in (end, *map(record, last_of(looked, 1)[:1])):
        if text(found.get("sessionId")):
            return text(found.get("sessionId"))
    return None


def _of_folder(path: Path) -> str | None:
    """The session in whose folder the file of a subagent lies."""
    above = path.parts[-5:-1]
    return above[above.index(_SUBAGENTS) - 1] if _SUBAGENTS in above[1:] else None


def _origin(first: dict[str, Any], session: str | None, own: str | None) -> tuple[str | None, str]:
    """The session that the first record was copied from, and how (format page 1.8)."""
    forked = text(mapping(first.get("forkedFrom")).get("sessionId"))
    if forked:
        return forked, "fork"
    return (session if own is not None and session != own else None), "resume"


# Records.


def _first(looked: Edges, found: dict[str, Any]) -> tuple[dict[str, Any], int | None]:
    """The first record of the tree, and the first time; ``found`` is the first line."""
    created = _time(found)
    if found.get("type") in _MEMBERS:
        return found, created
    data, at = looked.head, 0
    for _ in range(_LINES):
        at = data.find(b"\n", at) + 1
        if not at:
            break
        stop = data.find(b"\n", at)
        # Only what tells a time, or is of the tree, is parsed.
        if data.startswith(_MEMBER, at) or data.find(b'"timestamp"', at, stop) >= 0:
            found = record(data[at:stop] if stop >= 0 else data[at:])
            created = _time(found) if created is None else created
            if found.get("type") in _MEMBERS:
                return found, created
    # It stands further down.
    for line in bearing(data, b'"parentUuid"'):
        found = record(line)
        return found, _time(found) if created is None else created
    return {}, created


def _time(found: dict[str, Any]) -> int | None:
    stamp = found.get("timestamp")
    return natural(stamp) if type(stamp) is int else moment(stamp)


def _end(looked: Edges) -> tuple[dict[str, Any], int | None]:
    """The last record that tells when it was written, and that time."""
    end = last_record(looked, b'"timestamp"')
    if end is not None and (time := _time(end)) is not None:
        return end, time
    for found in last_records(looked, _is_record, b'"timestamp"'):
        time = _time(found)
        if time is not None:
            return found, time
    return {}, None


def _is_record(value: Any) -> bool:
    """Whether an object in a damaged line is a record, and not a part of one."""
    typed = isinstance(value, dict) and type(value.get("type")) is str
    return typed and bool(value.keys() & _MARKS)


_MARKS: Final = {"uuid", "parentUuid", "sessionId", "leafUuid", "message", "messageId"}
"""Keys of which a record has one."""
