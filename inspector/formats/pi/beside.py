"""The session that a fork came from: its name, and its entries where its file is there.

A header names the file of the parent (format page 4.1), which may lie on another machine. Only a
file of that name beside the session is looked at.
"""

import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from stat import S_ISREG
from typing import Any, Final

import orjson

from inspector.formats.pi.tree.ids import key_of
from inspector.formats.shapes import text

_SESSION: Final = re.compile(
    r"_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl", re.IGNORECASE
)
_BYTES: Final = 64 * 1024 * 1024
_IDS: Final = 200_000
"""Bytes and ids of another file that are looked at."""


def named_by(header: dict[str, Any]) -> str:
    """The file that a header names as that of the session it was made of; empty if it names none.

    Old builds call it ``branchedFrom`` (format page 4.1).
    """
    return text(header.get("parentSession")) or text(header.get("branchedFrom"))


def file_name(told: str) -> str:
    """The last part of a path, of whatever system."""
    return PureWindowsPath(told).name if "\\" in told else PurePosixPath(told).name


def session_of(told: str) -> str | None:
    """The session that a path names: the id in its name, else the name; None if it has none."""
    name = file_name(told)
    found = _SESSION.search(name)
    return (found[1] if found else name.removesuffix(".jsonl")) or None


def ids_of(told: str, file: Path) -> frozenset[str]:
    """The ids of the entries of a session whose file lies beside another one; none if it does not.

    Args:
        told: the path that names it.
        file: of the session itself.
    """
    name = file_name(told)
    if not name.endswith(".jsonl") or name == file.name or "\0" in name:
        return frozenset()
    found: set[str] = set()
    try:
        path = file.with_name(name)
        if not S_ISREG(path.stat().st_mode):
            return frozenset()
        with path.open("rb") as lines:
            left = _BYTES
            while left > 0 and len(found) < _IDS and (line := lines.readline(left)):
                left -= len(line)
                identity = _id(line)
                if identity is not None:
                    found.add(identity)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(found)


def _id(line: bytes) -> str | None:
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(entry, dict) or entry.get("type") == "session":
        return None
    return key_of(entry.get("id"))
