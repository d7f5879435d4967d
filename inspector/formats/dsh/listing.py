"""Where DeepSeek Harness keeps sessions, and what the ends of a log tell (format page 1 and 2)."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import orjson

from inspector.formats.dsh.dialect import dialect
from inspector.formats.dsh.effects.messages import is_human
from inspector.formats.dsh.heading import facts_of
from inspector.formats.dsh.judge import refused_type, unknown_type
from inspector.formats.dsh.packed import PackedRow, is_readable, is_record, is_row, measure, members
from inspector.formats.dsh.upcasting import RETIRED
from inspector.formats.ends import (
    Edges,
    bearing,
    edges,
    estimate,
    is_short,
    last_bearing,
    last_lines,
    last_record,
    last_records,
    record,
    title,
)
from inspector.formats.homes import folder_of, roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import items, mapping, natural, text, whole

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
    if "createdAt" in first or "delegationDepth" in first:
        return True
    # What is seen of a line that is cut tells only what stands in it.
    return None if looked.first_is_cut else "timestamp" not in first


def _of_log(ends: Ends, looked: Edges) -> Glance:
    """What the ends of a log tell that was recognised."""
    facts = facts_of(looked, ends.name)
    if not facts.readable:
        # Nothing of such a version is folded, but what it is may be told.
        said = record(looked.first)
        return Glance(
            id=text(said.get("id")) or None,
            project=text(said.get("cwd")) or None,
            started=natural(said.get("createdAt")),
            refusal=facts.refusal,
        )
    end, short = _last(looked), is_short(looked)
    events: int | None
    if short:
        events, estimated = _counted(looked, facts.headers)
    else:
        # Numbers count from 0 without a gap, unless the log is damaged.
        events = estimate(ends, looked, facts.headers) if end is None else end[0]
        estimated = True
    refusal = facts.refusal
    if refusal is None:
        refusal = _unknown(looked.head, facts.version)
        # What is wrong with records is found before that.
        if refusal is None and end is not None and not (estimated and short):
            refusal = facts.late_refusal
    return Glance(
        facts.id,
        _title(looked),
        facts.cwd,
        facts.created,
        None if end is None else end[1],
        events,
        estimated,
        facts.parent,
        facts.relation,
        refusal,
    )


# Events.


def _end(value: dict[str, Any]) -> tuple[int, int] | None:
    """The number behind a record's last one, and its time; None if it is no event."""
    if is_row(value):
        row = measure(value)
        if isinstance(row, PackedRow):
            return row.first + len(row.times), row.times[-1]
        return None
    number, time = natural(value.get("seq")), whole(value.get("time"))
    return None if number is None or time is None else (number + 1, time)


def _last(looked: Edges) -> tuple[int, int] | None:
    """The number behind that of the last event, and its time."""
    last = last_record(looked)
    if last is not None and (end := _end(last)) is not None:
        return end
    # The owner takes a last line only where it is ended.
    for value in last_records(looked, is_record, unended=False):
        end = _end(value)
        if end is not None:
            return end
    return None


def _counted(looked: Edges, headers: int) -> tuple[int, bool]:
    """The events of a log that is seen whole, one by one, and whether that is an estimate."""
    events, odd = 0, False
    for line in looked.tail.split(b"\n")[headers:-1]:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            odd = True
            continue
        row = type(value) is dict and is_row(value)
        sound = is_readable(value) if row else type(value) is dict and _is_numbered(value)
        odd = odd or not sound
        events += (members(value, packs=True) if row else 1) if sound else 0
    return events, odd


def _is_numbered(value: dict[str, Any]) -> bool:
    return "type" in value and natural(value.get("seq")) is not None


@lru_cache(maxsize=8)
def _known(version: float) -> frozenset[bytes]:
    return frozenset(kind.encode() for kind in dialect(version).known) | {_RENAMED}


def _unknown(head: bytes, version: float) -> str | None:
    """Why the owner refuses a type near the beginning, if what stands before it is in order."""
    known = _known(version)
    if known.issuperset(_TYPE.findall(head, 0, _FIRST)):
        return None
    head = head[:_FIRST]
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
    end = _end(record(last[0])) if last else None
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
