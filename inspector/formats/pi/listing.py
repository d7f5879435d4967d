"""Where Pi keeps sessions, and what the ends of one tell (format page 4.1 to 4.3)."""

from collections.abc import Callable
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
from inspector.formats.heads import pieces
from inspector.formats.homes import roots
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.pi.beside import named_by, session_of
from inspector.formats.pi.entry import message_of, texts_of
from inspector.formats.pi.judge import Judge
from inspector.formats.pi.vocabulary import MESSAGE, SESSION, SESSION_INFO, TITLE, USER
from inspector.formats.shapes import text

_OWNER: Final = "pi"

_HEADER: Final = b'{"type":"session"'
"""How a header begins, as the owner writes it."""

_NAMED: Final = b'"session_info"'
"""What stands in a record of the session's name."""

_PROMPTS: Final = 3
"""Messages that are parsed to find one of a person."""


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The sessions in the owner's folder (format page 4.1)."""
    default = ".pi/agent"
    return list(roots(_OWNER, surroundings, "PI_CODING_AGENT_DIR", default, ("sessions",)))


def glance(
    ends: Ends, is_record: Callable[[dict[str, Any]], bool], is_ours: Callable[[bytes], bool]
) -> Glance | None:
    """What the ends of a session tell, or None if it is none.

    Args:
        ends: of the text.
        is_record: whether an object can only be the owner's header.
        is_ours: judges the first bytes of a text whose first line does not tell.
    """
    looked = edges(ends)
    first = record(looked.first)
    if not is_record(first) and not is_ours(looked.head):
        return None
    header = first if first.get("type") == SESSION else _header(looked.head)
    end, last = _end(looked)
    named = first.get("type") == TITLE
    events, estimated = counted(ends, looked, _is_entry, bool(header) + named)
    # A second header is no event either.
    estimated = estimated or looked.head.find(_HEADER, len(looked.first)) >= 0
    told = named_by(header)
    parent = session_of(told) if told else None
    identity = text(header.get("id")) or None
    return Glance(
        identity,
        title(first.get("title")) if named else _title(looked),
        text(header.get("cwd")) or None,
        moment(header.get("timestamp")),
        last if end.get("type") != SESSION else None,
        events,
        estimated,
        parent,
        "fork" if parent is not None else None,
        None if header is first and identity is not None else _refusal(looked, first),
        told or None,
    )


def _header(head: bytes) -> dict[str, Any]:
    """The header where lines stand before it; empty if none is seen."""
    line = next(bearing(head, b'"session"'), b"")
    found = record(line) or next(iter(pieces(line, _is_header)), {})
    return found if _is_header(found) else {}


def _is_header(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == SESSION


def _refusal(looked: Edges, first: dict[str, Any]) -> str | None:
    """Why the owner refuses a session whose first entry is no header (rules page P1).

    What it cannot read may stand before a header, so only an entry that can be read tells.
    """
    if looked.first_is_cut or not looked.first.rstrip().endswith(b"}") or not first:
        return None
    judge = Judge()
    return judge.verdict(circle=None, broken=None, unended=False, empty=False).reason


def _end(looked: Edges) -> tuple[dict[str, Any], int | None]:
    """The last entry that tells when it was written, and that time."""
    end = last_record(looked)
    if end is not None and (time := moment(end.get("timestamp"))) is not None:
        return end, time
    for found in last_records(looked, _is_entry):
        time = moment(found.get("timestamp"))
        if time is not None:
            return found, time
    return {}, None


def _is_entry(value: Any) -> bool:
    """Whether an object in a damaged line is an entry, and not a part of one."""
    return isinstance(value, dict) and type(value.get("type")) is str and "id" in value


def _title(looked: Edges) -> str | None:
    """The person's last name for the session; else what the person said first."""
    for data in (looked.tail,) if looked.whole else (looked.tail, looked.head):
        # Mostly there is none.
        for line in last_bearing(data, _NAMED) if data.rfind(_NAMED) >= 0 else ():
            found = record(line)
            if found.get("type") == SESSION_INFO:
                # An empty one takes the name back.
                named = title(found.get("name"))
                return named if named is not None else _asked(looked.head)
    return _asked(looked.head)


def _asked(head: bytes) -> str | None:
    for at, line in enumerate(bearing(head, b'"user"')):
        if at == _PROMPTS:
            break
        found = record(line)
        message = message_of(found)
        named = title(texts_of(message.get("content")))
        if found.get("type") == MESSAGE and message.get("role") == USER and named is not None:
            return named
    return None
