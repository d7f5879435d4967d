"""Where DeepSeek Harness keeps sessions, and what the ends of a log tell (format page 1 and 2)."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.dsh import header as headers
from inspector.formats.dsh.dialect import dialect
from inspector.formats.dsh.effects.messages import is_human
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import refused_type, unknown_type
from inspector.formats.dsh.packed import PackedRow, is_readable, is_row, measure, members
from inspector.formats.dsh.upcasting import RETIRED
from inspector.formats.ends import (
    Edges,
    bearing,
    beginning,
    edges,
    estimate,
    last_bearing,
    last_lines,
    record,
    title,
)
from inspector.formats.homes import folder_of, roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import SAFE_INTEGER, items, mapping, natural, text, whole

_OWNER: Final = "dsh"

_TYPE: Final = re.compile(rb'\n(?=\{"type":"([^"\\]{1,80})")')
"""How the events of a log begin, as the owner writes them; what is looked for is one byte."""

_HEADER: Final = b'{"type":"session",'

_FIRST: Final = 1_024
"""Bytes at the beginning in which types are looked at that the owner may not know."""

_RENAMED: Final = b"steering/message"
"""A type of old logs that is read as another one (format page 1.9)."""

_PROMPTS: Final = 3
"""Messages that are parsed to find one of a person."""


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The owner's sessions, those of its examples, and a database (format page 1.1 and 2.1)."""
    found = list(roots(_OWNER, surroundings, "DSH_HOME", ".dsh", ("sessions",)))
    named = folder_of(surroundings, "DSH_SESSION_ROOT")
    if named is not None:
        found.append(Root(_OWNER, named, "DSH_SESSION_ROOT"))
    found.append(Root(_OWNER, surroundings.folder / ".sessions"))
    if surroundings.home is not None:
        found.append(Root(_OWNER, surroundings.home / ".dsh-cc" / "sessions.sqlite"))
    return found


def glance(ends: Ends, is_ours: Callable[[bytes], bool]) -> Glance | None:
    """What the ends of a log tell, or None if it is none.

    Args:
        ends: of the text.
        is_ours: judges the first bytes of one whose first line does not tell.
    """
    looked = edges(ends)
    ours = _is_headed(looked)
    if ours is None:
        ours = is_ours(looked.head)
    return _of_log(ends, looked) if ours else None


def _is_headed(looked: Edges) -> bool | None:
    """Whether the first line is a header and not that of another agent; None where it may be
    anything else of the owner.
    """
    line = looked.first
    if line.startswith(_HEADER) and (b'"delegationDepth":' in line or b'"createdAt":' in line):
        return True
    if b'"session"' not in line:
        return None
    first = record(line)
    if first.get("type") != "session":
        return None
    return "createdAt" in first or "delegationDepth" in first or "timestamp" not in first


def _of_log(ends: Ends, looked: Edges) -> Glance:
    """What the ends of a log tell that was recognised."""
    facts = _plain(looked, ends.path.name) or _of_header(*_header(looked, ends.path.name))
    if not facts.readable:
        # Nothing of such a version is folded, but what it is may be told.
        said = record(looked.first)
        return Glance(
            id=text(said.get("id")) or None,
            project=text(said.get("cwd")) or None,
            started=natural(said.get("createdAt")),
            refusal=facts.refusal,
        )
    end = None
    for line in last_lines(looked.tail, 2):
        end = _end(line)
        if end is not None:
            break
    events, estimated = _events(ends, looked, end, facts.headers)
    refusal = facts.refusal
    if refusal is None:
        refusal = _unknown(looked.head, facts.version)
        # What is wrong with records is found before that.
        if refusal is None and end is not None and not estimated:
            refusal = facts.late_refusal
    return Glance(
        id=facts.id,
        title=_title(looked),
        project=facts.cwd,
        started=facts.created,
        last=None if end is None else end[1],
        events=events,
        estimated=estimated,
        parent=facts.parent,
        relation=facts.relation,
        refusal=refusal,
    )


# The header.


class _Facts(NamedTuple):
    """What the header says, and why the owner refuses it, at once or later than for a type."""

    version: float = 0
    id: str | None = None
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    relation: str | None = None
    headers: int = 0
    readable: bool = True
    refusal: str | None = None
    late_refusal: str | None = None


def _plain(looked: Edges, name: str) -> _Facts | None:
    """What a header says that has only what the owner writes; it refuses none of these."""
    if not looked.tail:
        return None
    try:
        value = orjson.loads(looked.first)
        version, created, depth = value["version"], value["createdAt"], value["delegationDepth"]
        identity, cwd, more = value["id"], value["cwd"], value.keys() - _PLAIN
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    numbers = type(version) is type(created) is type(depth) is int
    if not numbers or type(identity) is not str or type(cwd) is not str:
        return None
    if not (0 <= version <= headers.NEWEST and 0 < created <= SAFE_INTEGER >= depth >= 0):
        return None
    inherits = False
    for key in more:
        held, wanted = value[key], _MORE.get(key)
        if type(held) is not wanted or (key == "seedLength" and natural(held) is None):
            return None
        inherits = inherits or held is True or key == "seedLength"
    wrong = cwd[:1] != "/" or not identity or value.get("origin", "subagent") != "subagent"
    if wrong or ("isSeeded" in more) is not (version > 1) or ("seedLength" in more and version > 1):
        return None
    parent, refusal = value.get("parentSession") or None, _misnamed(name, version)
    relation = None if parent is None else "fork" if inherits else "subagent"
    return _Facts(version, identity, created, cwd, parent, relation, 1, True, refusal)


_PLAIN: Final = frozenset(("type", "version", "id", "createdAt", "cwd", "delegationDepth"))
"""The keys of every header that is looked at no closer (format page 1.4)."""

_MORE: Final[dict[str, type]] = {
    "parentSession": str,
    "agentPreset": str,
    "origin": str,
    "seedLength": int,
    "isSeeded": bool,
}
"""Keys that it may have beside these, and what they hold."""


def _of_header(header: Header | None, refusal: str | None) -> _Facts:
    if header is None:
        return _Facts(refusal=refusal)
    relation = None
    if header.parent is not None:
        # Only a fork inherits anything (format page 4.1).
        inherits = header.seeded or header.seed_length is not None
        relation = "fork" if inherits else "subagent"
    return _Facts(
        header.version,
        header.id,
        header.created,
        header.cwd,
        header.parent,
        relation,
        1,
        header.readable,
        refusal,
        header.lineage_problem,
    )


def _header(looked: Edges, name: str) -> tuple[Header | None, str | None]:
    """The header as far as it is seen, and why the owner refuses it, as far as that is seen."""
    line = looked.first
    if looked.first_is_cut:
        header = headers.of_record(beginning(line))
        # What it lacks may come.
        return header, None if header is None or header.readable else header.problem
    if not looked.tail and looked.whole:
        return headers.parse(line), "empty or header-less session log"
    header, is_json = headers.read(line)
    if header is not None:
        return header, _misnamed(name, header.version) or header.problem
    if is_json:
        return None, "first line is not a session header"
    from inspector.formats.dsh.sources.lines import mended_header  # seldom needed

    found = mended_header(line)
    header = None if found is None else headers.mended(found.pieces[0].value)
    return header, "header line is not valid JSON"


@lru_cache(maxsize=64)
def _misnamed(name: str, version: float) -> str | None:
    return headers.name_problem(Header(version=version), name)


# Events.


def _end(line: bytes) -> tuple[int, int] | None:
    """The number behind a record's last one, and its time; None if it is no event."""
    value = record(line)
    if is_row(value):
        row = measure(value)
        if isinstance(row, PackedRow):
            return row.first + len(row.times), row.times[-1]
        return None
    number, time = natural(value.get("seq")), whole(value.get("time"))
    return None if number is None or time is None else (number + 1, time)


def _events(
    ends: Ends, looked: Edges, end: tuple[int, int] | None, headers: int
) -> tuple[int | None, bool]:
    """How many events there are, and whether that is an estimate: numbers count from 0 without a
    gap, unless the log is damaged.
    """
    if end is not None:
        return end[0], False
    if not looked.whole:
        return estimate(ends, looked, headers), True
    return _counted(looked, headers)


def _counted(looked: Edges, headers: int) -> tuple[int, bool]:
    """The events of a log that is seen whole, one by one."""
    events, odd = 0, False
    for line in looked.tail.split(b"\n")[headers:-1]:
        value = record(line)
        known = natural(value.get("seq")) is not None or is_row(value)
        sound = "type" in value and known and is_readable(value)
        odd = odd or not sound or line[-1:] not in (b"}", b"\r")
        events += members(value, packs=True) if sound else 0
    return events, odd


@lru_cache(maxsize=8)
def _known(version: float) -> frozenset[bytes]:
    return frozenset(kind.encode() for kind in dialect(version).known) | {_RENAMED}


def _unknown(head: bytes, version: float) -> str | None:
    """Why the owner refuses a type near the beginning, if what stands before it is in order."""
    known = _known(version)
    head = head[:_FIRST]
    if known.issuperset(_TYPE.findall(head)):
        return None
    for found in _TYPE.finditer(head):
        if found[1] in known:
            continue
        start, stop = found.start() + 1, head.find(b"\n", found.start() + 1)
        event = record(head[start:stop]) if stop >= 0 else {}
        if is_row(event):
            continue
        kind, number = text(event.get("type")), natural(event.get("seq"))
        if number is None or not _in_order(head[:start], number):
            return None
        if kind in RETIRED:
            return refused_type(kind)
        if event.get("ignorable") is not True:
            return unknown_type(number, kind)
    return None


def _in_order(above: bytes, number: int) -> bool:
    """Whether what stands above an event brings its number about."""
    last = last_lines(above, 1)
    end = _end(last[0]) if last else None
    return number == (0 if end is None else end[0])


# What it is called.


def _title(looked: Edges) -> str | None:
    """The owner's last title; else what the person said first, also while it waited to be sent."""
    for data in (looked.tail,) if looked.whole else (looked.tail, looked.head):
        for line in last_bearing(data, b'"session/title"'):
            event = record(line)
            named = title(mapping(event.get("data")).get("title"))
            if event.get("type") == "session/title" and named is not None:
                return named
    for mark, messages in ((b'"user/message"', _message), (b'"inserted"', _waiting)):
        for at, line in enumerate(bearing(looked.head, mark)):
            if at == _PROMPTS:
                break
            for message in messages(record(line)):
                named = title(_said(message)) if is_human(message) else None
                if named is not None:
                    return named
    return None


def _message(event: dict[str, Any]) -> list[dict[str, Any]]:
    return [mapping(event.get("data"))] if event.get("type") == "user/message" else []


def _waiting(event: dict[str, Any]) -> list[dict[str, Any]]:
    if event.get("type") != "agent/inbox/spliced":
        return []
    return [mapping(message) for message in items(mapping(event.get("data")).get("inserted"))]


def _said(data: dict[str, Any]) -> str:
    """The first text of a message."""
    for block in items(data.get("content")):
        said = text(mapping(block).get("text"))
        if mapping(block).get("type") == "text" and said:
            return said
    return ""
