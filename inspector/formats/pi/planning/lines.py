"""The text of entries that are copied: members are exchanged, and all others stay as they stand."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from inspector.tape.jsonmembers import joined
from inspector.tape.jsonmembers import members as members_of
from inspector.text.jsontext import json_bytes

GONE: Final = object()
"""The value of a member that is left out."""


def line_of(entry: Mapping[str, Any]) -> bytes:
    """An entry as a line, without its newline and without members that are `GONE`."""
    return json_bytes({name: value for name, value in entry.items() if value is not GONE})


def exchanged(line: bytes, members: Mapping[str, Any]) -> bytes:
    """A line with other members; new ones come last, and all others stay as they stand.

    Args:
        line: an object of JSON.
        members: by name; `GONE` for one that is left out.
    """
    value = _plain(line)
    if value is not None:
        return line_of(value | dict(members))
    # What is no UTF-8 is read as the owner reads it.
    found = members_of(line.decode(errors="replace").encode())
    for name, one in members.items():
        if one is GONE:
            found.pop(name, None)
        else:
            found[name] = json_bytes(one)
    return joined(found)


def _plain(line: bytes) -> dict[str, Any] | None:
    """The object of a line that a library writes as it stands; None of any other line."""
    try:
        value = orjson.loads(line)
        return value if orjson.dumps(value) == line and type(value) is dict else None
    except (orjson.JSONDecodeError, TypeError):
        return None


def stamp(time: int) -> str:
    """A time of so many milliseconds since the epoch, as the owner writes it."""
    moment = datetime.fromtimestamp(time // 1000, UTC) + timedelta(milliseconds=time % 1000)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
