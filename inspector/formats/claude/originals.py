"""The file of another session beside a transcript: what a copied prefix is recognised by."""

import re
from pathlib import Path
from typing import Any, Final

import orjson

from inspector.formats.shapes import mapping, text

_SESSION: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BYTES: Final = 64 * 1024 * 1024
_IDS: Final = 200_000
"""Bytes and ids of another file that are looked at."""


class Originals:
    """Finds out whether records are copies of those of another session's file.

    Args:
        file: the transcript, beside which the other session's lies.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: tuple[str, frozenset[str]] = ("", frozenset())

    def holds(self, session: str, record: dict[str, Any]) -> bool:
        """Whether a session has a record, by its uuid or else by its message (page 1.8)."""
        known, ids = self._known
        if known != session:
            ids = self._read(session)
            self._known = (session, ids)
        message = text(mapping(record.get("message")).get("id"))
        return record.get("uuid") in ids or (message != "" and message in ids)

    def forget(self) -> None:
        """Nobody asks any more."""
        self._known = ("", frozenset())

    def _read(self, session: str) -> frozenset[str]:
        """The uuids and message ids of a session; none if its file is not there."""
        name = f"{session}.jsonl"
        if not _SESSION.fullmatch(session) or name == self._file.name:
            return frozenset()
        found: set[str] = set()
        try:
            with self._file.with_name(name).open("rb") as lines:
                left = _BYTES
                while left > 0 and len(found) < _IDS and (line := lines.readline(left)):
                    left -= len(line)
                    found.update(_ids(line))
        except OSError:
            return frozenset()
        return frozenset(found)


def _ids(line: bytes) -> list[str]:
    try:
        record = mapping(orjson.loads(line))
    except orjson.JSONDecodeError:
        return []
    ids = (text(record.get("uuid")), text(mapping(record.get("message")).get("id")))
    return [one for one in ids if one]
