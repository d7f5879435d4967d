"""Where Claude Code keeps transcripts, and what the ends of one tell (format page 1.1 to 1.8)."""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from inspector.formats.claude.effects.texts import (
    INTERRUPTED,
    content_of,
    first_text,
    is_command,
    is_output,
    is_told,
)
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.ends import (
    Edges,
    bearing,
    edges,
    estimate,
    last_bearing,
    last_of,
    moment,
    objects,
    record,
    title,
)
from inspector.formats.homes import roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.shapes import items, mapping, natural, text

_OWNER: Final = "claude"

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_AGENT: Final = "agent-"
_SUBAGENTS: Final = "subagents"

_LINES: Final = 4
"""Lines at the beginning that are parsed for what the first record of the tree says."""

_PROMPTS: Final = 3
"""Messages that are parsed to find one of a person."""

_TITLES: Final = {"custom-title": "customTitle", "ai-title": "aiTitle"}
"""Records that name a session, and the keys of the names."""

_MEMBERS: Final = tuple(CHAIN)
_MEMBER: Final = b'{"parentUuid":'
"""How nearly every record of the tree begins."""

_PERSONS: Final = frozenset(
    {"", "human", "channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"}
)
"""Origins of what somebody said; all others are programs."""


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
    told = is_record(first) and b'"session_id"' not in ends.head
    return _of_transcript(ends, looked, first) if told or is_ours(looked.head) else None


def _of_transcript(ends: Ends, looked: Edges, head: dict[str, Any]) -> Glance:
    """What the ends of a transcript tell that was recognised, whose first line is ``head``."""
    first, created = _first(looked, head)
    lines = last_of(looked, _LINES)
    end, last = _end(looked, lines)
    events, estimated = _events(ends, looked)
    name = ends.path.name
    session = text(first.get("sessionId")) or None
    parent: str | None
    if name.startswith(_AGENT):
        identity: str | None = name.removesuffix(".jsonl")
        parent, relation = _of_folder(ends.path) or session, "subagent"
    else:
        stem = name.partition(".")[0]
        own = stem if _UUID.fullmatch(stem) else None
        identity = own or _session(lines, end) or session
        parent, relation = _origin(first, session, own)
        if parent is None and own is None and head.get("type") == "summary":
            # So begins what was taken up in a file of its own by old builds (format page 1.8).
            parent = session if session != identity else None
    return Glance(
        id=identity,
        title=_title(looked, first, lines),
        project=text(first.get("cwd")) or text(end.get("cwd")) or None,
        started=created,
        last=last,
        events=events,
        estimated=estimated,
        parent=parent,
        relation=relation if parent is not None else None,
    )


# Where it comes from.


def _session(lines: list[bytes], end: dict[str, Any]) -> str | None:
    """The session of the last record, which is that of a file whose name tells none."""
    for found in (end, *map(record, lines[:1])):
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
        # Only what tells a time, or is of the tree, is parsed.
        if data.startswith(_MEMBER, at) or b'"timestamp"' in data[at : data.find(b"\n", at)]:
            stop = data.find(b"\n", at)
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


def _end(looked: Edges, lines: list[bytes]) -> tuple[dict[str, Any], int | None]:
    """The last record that tells when it was written, as far as it was parsed, and that time."""
    for line in lines:
        if line[_STAMPED] == b'"timestamp":"' and line[-2:] == b'"}':
            time = moment(line[_STAMP].decode("ascii", "replace"))
            if time is not None:
                return {}, time
        if b'"timestamp"' in line:
            found = record(line)
            time = _time(found)
            if time is not None:
                return found, time
    for line in islice(last_bearing(looked.tail, b'"timestamp"'), 2):
        found = record(line)
        time = _time(found)
        if time is not None:
            return found, time
    return {}, None


_LENGTH: Final = len('2026-03-01T09:00:01.000Z"}')
_STAMP: Final = slice(-_LENGTH, -2)
_STAMPED: Final = slice(-_LENGTH - len('"timestamp":"'), -_LENGTH)
"""Where a time stands that is the last member of a record, and what stands before it."""


def _events(ends: Ends, looked: Edges) -> tuple[int | None, bool]:
    """How many events there are, and whether that is an estimate: each line is one."""
    lines = objects(looked)
    if lines is None:
        return estimate(ends, looked), True
    if looked.rest:
        # A last line that nothing ends is read if it is whole.
        lines += 1 if _is_whole(looked.rest) else 0
    return lines, False


def _is_whole(rest: bytes) -> bool:
    import orjson

    try:
        return type(orjson.loads(rest)) is dict
    except orjson.JSONDecodeError:
        return False


# What it is called.


def _title(looked: Edges, first: dict[str, Any], lines: list[bytes]) -> str | None:
    """The owner's title; else what the person said first; else a summary (format page 1.8)."""
    named = _at_the_end(lines)
    if named is not None and b'"custom-title"' not in looked.tail:
        return named
    # Titles are written again and again, so that one stands near the end.
    named = _named(looked.tail)
    if named is None and not looked.whole:
        named = _named(looked.head)
    if named is not None:
        return named
    summary = _summary(looked)
    if summary is not None and summary[1]:
        return summary[0]
    return _asked(looked.head, first) or (summary and summary[0])


def _at_the_end(lines: list[bytes]) -> str | None:
    """The title on one of the last lines."""
    titles = [line for line in lines if line.startswith(_TITLED)]
    return _named(b"\n".join(reversed(titles))) if titles else None


_TITLED: Final = (b'{"type":"ai-title"', b'{"type":"custom-title"')


def _named(data: bytes) -> str | None:
    """The last title that the person gave, else that which the owner found."""
    found: str | None = None
    # Both names of titles end so.
    for line in last_bearing(data, b'-title"'):
        told = record(line)
        key = _TITLES.get(text(told.get("type")), "")
        named = title(told.get(key))
        if key == "customTitle" and named is not None:
            return named
        found = found or named
    return found


def _asked(head: bytes, first: dict[str, Any]) -> str | None:
    """What the person said first."""
    side = first.get("isSidechain") is True
    if first.get("type") == "user":
        # Mostly it is the very first record.
        said = _prompt(first, side=side)
        if said is not None:
            return said
    prompts = 0
    for line in bearing(head, b'"user"'):
        if b'"tool_use_id"' in line:
            continue
        found = record(line)
        if found.get("type") != "user":
            continue
        said = _prompt(found, side=side)
        prompts += 1
        if said is not None or prompts == _PROMPTS:
            return said
    return None


def _summary(looked: Edges) -> tuple[str, bool] | None:
    """The last summary of the beginning or the end, and whether it is of a record that is seen:
    it may be of another session in the folder (format page 1.9).
    """
    best: tuple[str, bool] | None = None
    for data in (looked.tail,) if looked.whole else (looked.tail, looked.head):
        for line in last_bearing(data, b'"summary"'):
            found = record(line)
            said = title(found.get("summary"))
            leaf = text(found.get("leafUuid"))
            if found.get("type") != "summary" or said is None or not leaf:
                continue
            named = f'"uuid":"{leaf}"'.encode("utf-8", "surrogatepass")
            if named in looked.head or named in looked.tail:
                return said, True
            best = best or (said, False)
    return best


def _prompt(found: dict[str, Any], *, side: bool) -> str | None:
    """What a message of the user says, if a person said it (format page 1.4, rules page R7)."""
    if found.get("isMeta") or found.get("isCompactSummary"):
        return None
    if bool(found.get("isSidechain")) is not side:
        return None
    content = content_of(found)
    if any(mapping(block).get("type") == "tool_result" for block in items(content)):
        return None
    said = first_text(content)
    if said.startswith(INTERRUPTED) or is_output(said) or is_command(said) or is_told(content):
        return None
    if text(mapping(found.get("origin")).get("kind")) not in _PERSONS:
        return None
    return title(said)
