"""The owner's export of a session and its subagents as a ZIP archive (format page 1.2)."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_ROOT: Final = "session.jsonl"
_SUBAGENT: Final = re.compile(r"subagents/([^/]+)/session\.jsonl")
_MEDIUM: Final = re.compile(r"media/[^/]+")


class ArchiveSession(NamedTuple):
    """A log in an archive; the root's id stands in its header only."""

    member: str
    session_id: str | None
    is_root: bool


def archive_sessions(names: Iterable[str]) -> list[ArchiveSession]:
    """The logs among the names of an archive: the root first, then subagents as they stand."""
    found: list[ArchiveSession] = []
    # An archive may give one name twice; a reader gets the same member for both.
    for name in dict.fromkeys(names):
        subagent = _SUBAGENT.fullmatch(name)
        if name == _ROOT:
            found.insert(0, ArchiveSession(name, None, is_root=True))
        elif subagent is not None:
            found.append(ArchiveSession(name, subagent[1], is_root=False))
    return found


def archive_media(names: Iterable[str]) -> int:
    """How many attachments an archive holds."""
    return sum(_MEDIUM.fullmatch(name) is not None for name in set(names))
