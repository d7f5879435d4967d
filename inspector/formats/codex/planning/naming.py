"""Where the owner keeps a log, and how it writes a time (format page 2.1 and 2.2)."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from inspector.formats.codex.header import Header
from inspector.formats.stamps import moment

_NAMED: Final = re.compile(r"rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-.+")
_QUARTER: Final = 15 * 60
_NEAR: Final = 60
"""Seconds between the name of a log and the time in its header."""
_FURTHEST: Final = 14 * 3_600
"""Seconds between local time and that of Greenwich."""


def target(path: Path, header: Header, thread: str, time: int) -> Path:
    """The file of a new log beside another one.

    Folders and names bear local time; which that is, is told by the name of the other log.

    Args:
        path: of the other log.
        header: of the other log.
        thread: the id of the new one.
        time: when it is made, in milliseconds.
    """
    local = moment(time) + timedelta(seconds=ahead(path, header))
    name = f"rollout-{local:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"
    home = home_of(path)
    if home is None:
        return path.parent / name
    return home / "sessions" / f"{local:%Y}" / f"{local:%m}" / f"{local:%d}" / name


def home_of(path: Path) -> Path | None:
    """The owner's folder, if a log lies where the owner keeps logs."""
    folder = path.parent
    if folder.name == "archived_sessions":
        return folder.parent
    days = folder.parts[-3:]
    if len(days) == 3 and all(part.isdecimal() for part in days):
        sessions = folder.parents[2]
        return sessions.parent if sessions.name == "sessions" else None
    return None


def ahead(path: Path, header: Header) -> int:
    """The seconds by which local time was ahead of Greenwich where a log was begun; 0 if untold."""
    found = _NAMED.match(path.name)
    if found is None or header.created is None:
        return 0
    try:
        named = datetime.strptime(f"{found[1]}+0000", "%Y-%m-%dT%H-%M-%S%z")
    except ValueError:
        return 0
    seconds = named.timestamp() - header.created / 1000
    quarters = round(seconds / _QUARTER) * _QUARTER
    return quarters if abs(quarters) <= _FURTHEST and abs(seconds - quarters) <= _NEAR else 0
