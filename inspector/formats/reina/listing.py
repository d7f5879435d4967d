"""Where Reina keeps logs, and what the ends of one tell (format page 3.1 and 3.4)."""

from collections.abc import Callable
from typing import Any, Final

import orjson

from inspector.formats.ends import (
    MARK,
    Edges,
    bearing,
    beginning,
    counted,
    edges,
    last_record,
    last_records,
    record,
    title,
)
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.formats.reina import header as headers
from inspector.formats.reina.judge import Judge
from inspector.formats.reina.messages import SYNTHETIC, content_of
from inspector.formats.reina.times import milliseconds
from inspector.formats.reina.vocabulary import MESSAGE, META, USER
from inspector.formats.shapes import mapping, text

_OWNER: Final = "reina"
_WITHIN: Final = ((".reina", "sessions"), (".sessions",))
"""Where the product and the lessons keep logs, below the working folder."""

_SHORT: Final = 400
"""Bytes of a first line in which its kind and the beginning of its body stand."""

_PROMPTS: Final = 4
"""Messages that are parsed to find one of a person."""


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The folders of the product and of the lessons."""
    return [Root(_OWNER, surroundings.folder.joinpath(*within)) for within in _WITHIN]


def glance(ends: Ends, is_ours: Callable[[bytes], bool]) -> Glance | None:
    """What the ends of a log tell, or None if it is none.

    Args:
        ends: of the text.
        is_ours: judges the first bytes of one whose first line does not tell.
    """
    looked = edges(ends)
    return _of_log(ends, looked) if _is_headed(looked) or is_ours(looked.head) else None


def _is_headed(looked: Edges) -> bool:
    """Whether the first line is certainly a header of the owner."""
    line = looked.first[:_SHORT]
    own = line.startswith(b'{"ts":') and b'"type":"session_meta","meta":{' in line
    own = own or (b'"session_meta"' in line and b'"ts"' in line and b'"meta":{' in line)
    return own and b'"payload"' not in line


def _of_log(ends: Ends, looked: Edges) -> Glance:
    """What the ends of a log tell that was recognised."""
    value = _header(looked)
    header = headers.of_record(value) if headers.is_header(value) else None
    events, estimated = counted(ends, looked, _is_record, 0 if header is None else 1)
    identity, started, refusal = None, None, None
    if header is None:
        refusal = _refusal(looked, value)
    else:
        identity, started = header.id, header.created or milliseconds(value.get("ts"))
    named, last = _title(looked), _last(looked)
    return Glance(identity, named, None, started, last, events, estimated, None, None, refusal)


def _header(looked: Edges) -> dict[str, Any]:
    """The first ``session_meta`` that is seen, empty if none is."""
    first = looked.first.removeprefix(MARK)
    value = beginning(first) if looked.first_is_cut else _value(first)
    if value is not None and value.get("type") == META:
        return value
    for line in bearing(looked.head, b'"session_meta"'):
        found = _value(line)
        if found is not None and found.get("type") == META:
            return found
    return {}


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if type(value) is dict else None


def _refusal(looked: Edges, value: dict[str, Any]) -> str | None:
    """Why the owner has no session of a log without a header, as far as its beginning tells."""
    if not value and not looked.whole:
        # It may stand further down.
        return None
    judge = Judge()
    if value:
        judge.unheaded = headers.WITHOUT_META
    return judge.verdict().reason


def _last(looked: Edges) -> int | None:
    """The time of the last record."""
    end = last_record(looked)
    if end is not None and (time := milliseconds(end.get("ts"))) is not None:
        return time
    for found in last_records(looked, _is_record):
        time = milliseconds(found.get("ts"))
        if time is not None:
            return time
    return None


def _is_record(value: Any) -> bool:
    """Whether an object in a damaged line is a record, and not a part of one."""
    return isinstance(value, dict) and type(value.get("type")) is str and "ts" in value


def _title(looked: Edges) -> str | None:
    """What the person said first."""
    for at, line in enumerate(bearing(looked.head, b'"user"')):
        if at == _PROMPTS:
            break
        found = record(line)
        message = mapping(found.get("message"))
        if text(found.get("type")) != MESSAGE or message.get("role") != USER:
            continue
        said = content_of(message)
        if not said.startswith(SYNTHETIC) and (named := title(said)) is not None:
            return named
    return None
