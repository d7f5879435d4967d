"""Where Codex keeps logs, and what the ends of one tell (format page 2.1 to 2.7)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import orjson

from inspector.formats.codex import header as headers
from inspector.formats.codex.injected import is_context, is_instructions, is_told
from inspector.formats.codex.judge import Judge
from inspector.formats.codex.vocabulary import is_bare
from inspector.formats.ends import (
    MARK,
    Edges,
    bearing,
    beginning,
    counted,
    edges,
    last_bearing,
    last_record,
    last_records,
    moment,
    record,
    title,
)
from inspector.formats.heads import pieces
from inspector.formats.homes import roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import items, mapping, text

_OWNER: Final = "codex"

_PROMPTS: Final = 4
"""Messages that are parsed to find one of a person."""

_REQUEST: Final = "## My request for Codex:"
"""What stands between what an editor tells the model and what the person says."""

_NAMED: Final = b'"thread_name_updated"'
_ITEM: Final = b'"role":"user"'
_EVENT: Final = b'"user_message"'
"""What stands in a record that the person said something, of either kind."""

_ENVIRONMENT: Final = b'"<environment_context>'
_INSTRUCTIONS: Final = (b'"<user_instructions>', b'"# AGENTS.md instructions')
"""How the owner's own context begins, which is not parsed to see that."""

_PLAIN_MODES: Final = (None, "legacy", "paginated")
"""How the owner keeps a history that it reads; whether it takes any other its judge knows."""


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The logs by their days, and those that were archived (format page 2.1)."""
    within = ("sessions", "archived_sessions")
    return list(roots(_OWNER, surroundings, "CODEX_HOME", ".codex", within))


def glance(ends: Ends, is_ours: Callable[[bytes], bool]) -> Glance | None:
    """What the ends of a log tell, or None if it is none.

    Args:
        ends: of the text.
        is_ours: judges the first bytes of one whose first line does not tell.
    """
    looked = edges(ends)
    told = _is_headed(looked)
    if not told and not (_may_be_ours(looked) and is_ours(looked.head)):
        return None
    return _of_log(ends, looked)


def _is_headed(looked: Edges) -> bool:
    """Whether the first line is certainly a header of the owner."""
    if looked.first.find(_HEADED, 0, _SHORT) >= 0:
        return True
    line = looked.first[:_SHORT]
    return b'"session_meta"' in line and b'"payload"' in line and b'"id"' in line


def _may_be_ours(looked: Edges) -> bool:
    """Whether a text without such a first line is worth a closer look: it has records in the
    owner's shell, or a header of the older era is its first.
    """
    if b'"payload"' in looked.head:
        return True
    first = record(looked.first)
    return not first or is_bare(first)


_SHORT: Final = 400
"""Bytes of a first line in which its kind and the beginning of its payload stand."""

_HEADED: Final = b'"type":"session_meta","payload":{"id":'
"""The same as the owner writes it."""


def _of_log(ends: Ends, looked: Edges) -> Glance:
    """What the ends of a log tell that was recognised."""
    value, before = _header(looked)
    bare = "type" not in value
    meta = value if bare else mapping(value.get("payload"))
    identity = text(meta.get("id")) or None
    fork, parent, base = _origin(meta)
    events, estimated = counted(ends, looked, _is_record, 1 if value else 0)
    # What stands in the logs before this one belongs to it, and is not looked at.
    joined = base is not None
    own = base if base != identity else None
    return Glance(
        identity,
        _title(looked, bare=bool(value) and bare),
        text(meta.get("cwd")) or None,
        moment(meta.get("timestamp") or value.get("timestamp")),
        _last(looked),
        None if joined else events,
        estimated and not joined,
        fork or parent or own,
        _relation(fork or own, parent),
        _refusal(looked, value, before),
    )


def _origin(meta: dict[str, Any]) -> tuple[str | None, str | None, str | None]:
    """The threads that a log was forked from, that started it, and that its history begins in."""
    if _COMES.isdisjoint(meta) and type(meta.get("source")) is str:
        return None, None, None
    fork, parent = text(meta.get("forked_from_id")) or None, headers.spawned_by(meta)
    return fork, parent, text(mapping(meta.get("history_base")).get("thread_id")) or None


_COMES: Final = frozenset(("forked_from_id", "parent_thread_id", "history_base"))
"""Keys that tell where a log comes from; the source may too, where it is no word."""


def _relation(fork: str | None, parent: str | None) -> str | None:
    """What the log is to the one that it comes from: to that of its history first."""
    if fork is not None:
        return "fork"
    return "subagent" if parent is not None else None


# The header.


def _header(looked: Edges) -> tuple[dict[str, Any], list[bytes]]:
    """The record of the log's header, empty if none is seen, and the lines before it."""
    first = looked.first
    value = beginning(first) if looked.first_is_cut else _value(first)
    if value is not None and (headers.is_meta(value) or is_bare(value)):
        return value, []
    line = next(bearing(looked.head, b'"session_meta"'), b"")
    sound = _value(line)
    found = [sound] if sound is not None else pieces(line, headers.is_meta)
    if not found or not headers.is_meta(found[0]):
        return {}, []
    above = looked.head[: looked.head.find(line)].split(b"\n")[:-1]
    return found[0], above if sound is not None else [*above, line]


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if type(value) is dict else None


def _refusal(looked: Edges, value: dict[str, Any], before: list[bytes]) -> str | None:
    """Why the owner refuses the log, as far as its beginning tells."""
    if not value and not looked.whole:
        # It may stand further down.
        return None
    meta = mapping(value.get("payload"))
    if not before and meta.get("id") and meta.get("history_mode") in _PLAIN_MODES:
        return None
    if not meta.get("id") and looked.first_is_cut:
        return None
    judge = Judge()
    judge.header = headers.of_record(value) if value else None
    for line in before:
        if line.strip() and _value(line) is None:
            judge.before_header(mark=line.startswith(MARK))
    verdict = judge.verdict(items=1, events=1, reports=0)
    return None if verdict.opens else verdict.reason


# Events.


def _last(looked: Edges) -> int | None:
    """The time of the last record."""
    end = last_record(looked)
    if end is not None and (time := moment(end.get("timestamp"))) is not None:
        return time
    for found in last_records(looked, _is_record):
        time = moment(found.get("timestamp"))
        if time is not None:
            return time
    return None


def _is_record(value: Any) -> bool:
    """Whether an object in a damaged line is a record, and not a part of one."""
    whole = isinstance(value, dict) and type(value.get("type")) is str and "timestamp" in value
    return whole and type(value.get("payload")) is dict


# What it is called.


def _title(looked: Edges, *, bare: bool) -> str | None:
    """The owner's name for the thread; else what the person said first (format page 2.7)."""
    for data in (looked.tail,) if looked.whole else (looked.tail, looked.head):
        # Mostly there is none.
        for line in last_bearing(data, _NAMED) if data.rfind(_NAMED) >= 0 else ():
            payload = mapping(record(line).get("payload"))
            named = title(payload.get("thread_name"))
            if payload.get("type") == "thread_name_updated" and named is not None:
                return named
    for at, line in enumerate(_spoken(looked.head)):
        if at == _PROMPTS:
            break
        found = record(line)
        for said in _said(found if bare else mapping(found.get("payload"))):
            named = None if _is_injected(said) else title(said.rpartition(_REQUEST)[2])
            if named is not None:
                return named
    return None


def _spoken(head: bytes) -> Iterator[bytes]:
    """The lines in which the person may say something, in order, but for the owner's context."""
    item, behind = head.find(_ITEM), 0
    while True:
        # A short way is looked along for the other kind.
        event = head.find(_EVENT, behind, item if item >= 0 else len(head))
        place = event if event >= 0 else item
        if place < 0:
            return
        start, stop = head.rfind(b"\n", 0, place) + 1, head.find(b"\n", place)
        end = stop if stop >= 0 else len(head)
        if not _is_context(head, start, min(end, start + _SHORT)):
            yield head[start:end]
        if stop < 0:
            return
        item, behind = head.find(_ITEM, stop) if 0 <= item < stop else item, stop


def _is_context(head: bytes, start: int, stop: int) -> bool:
    """Whether the owner's own context begins in a part of the head."""
    find = head.find
    if find(_ENVIRONMENT, start, stop) >= 0:
        return True
    instructions, agents = _INSTRUCTIONS
    return find(instructions, start, stop) >= 0 or find(agents, start, stop) >= 0


def _said(payload: dict[str, Any]) -> Iterator[str]:
    """What the person says in a record, as far as its shape tells."""
    kind = payload.get("type")
    if kind == "user_message":
        yield text(payload.get("message"))
    elif payload.get("role") == "user" and kind in ("message", None):
        for part in items(payload.get("content")):
            if type(part) is dict and part.get("type") == "input_text":
                yield text(part.get("text"))


def _is_injected(said: str) -> bool:
    """Whether a program wrote a text."""
    first = said[:1]
    if first.isalnum() and first not in _OWNERS:
        # The owner's own words begin with these, or stand in tags.
        return False
    return is_context(said) or is_instructions(said) or is_told(said)


_OWNERS: Final = ("A", "W")
