"""The text of records that are copied: members are exchanged, and all others stay as they stand."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from inspector.tape.jsonmembers import joined
from inspector.tape.jsonmembers import members as members_of
from inspector.text.jsontext import json_bytes

GONE: Final = object()
"""The value of a member that is left out."""


def line_of(record: Mapping[str, Any]) -> bytes:
    """A record as a line, without its newline and without members that are `GONE`."""
    return json_bytes({name: one for name, one in record.items() if one is not GONE})


def plain(line: bytes) -> dict[str, Any] | None:
    """The object of a line that a library writes as it stands; None for any other line."""
    try:
        value = orjson.loads(line)
        return value if orjson.dumps(value) == line and type(value) is dict else None
    except (orjson.JSONDecodeError, TypeError):
        return None


def exchanged(line: bytes, members: Mapping[str, Any]) -> bytes:
    """A line with other members; new ones come last, and all others stay as they stand.

    Args:
        line: an object of JSON.
        members: by name; `GONE` for one that is left out.
    """
    value = plain(line)
    return _slow(line, members) if value is None else line_of(value | dict(members))


def _slow(line: bytes, members: Mapping[str, Any]) -> bytes:
    found = members_of(line)
    for name, value in members.items():
        if value is GONE:
            found.pop(name, None)
        else:
            found[name] = json_bytes(value)
    return joined(found)
