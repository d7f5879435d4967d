"""What of a folder is looked at: files that may be sessions, folders, and what is neither."""

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.contract import Format
from inspector.formats.listing import Surroundings
from inspector.tape.source import reason_of

DATABASES: Final = (".db", ".sqlite", ".sqlite3")
"""How the names of databases end."""

SUFFIXES: Final = (".jsonl", ".jsonl.zst", ".jsonl.zstd", ".jsonl.gz", *DATABASES)
"""How the names of files end that are looked at. A file of another name is passed over."""

ARCHIVE: Final = ".zip"
"""How the names of archives end: they are listed where a format knows what is in them."""

_LOOKED_AT: Final = (*SUFFIXES, ARCHIVE)
_LAST_PARTS: Final = frozenset(suffix.rpartition(".")[2] for suffix in _LOOKED_AT)
"""Behind the last dot of a name that is looked at stands one of these."""

_ALIKE: Final = 4
"""Names in a folder up to which it is remembered what is opened of them."""

_ORDERED: Final = 256
"""Folders of a folder that are asked for their times, so that the newest comes first."""


class Listed(NamedTuple):
    """What of a folder is looked at.

    Attributes:
        files: the names of what may be sessions, the last in the alphabet first, as most agents
            name them by their time.
        folders: the names of the folders in it, those that changed last first.
        odd: names that end as those of sessions and are no files, and why they cannot be read.
        links: those of the folders that are links.
        own: whether it is a session's folder: then ``files`` is what to open, and those to open
            instead where nothing is written in that yet.
    """

    files: list[str]
    folders: list[str]
    odd: list[tuple[str, str]]
    own: bool
    links: Collection[str] = ()


class Currents:
    """Which file of a folder is opened, by the names in it: many sessions' folders look alike.

    Args:
        formats: those that are asked.

    Attributes:
        hidden: the hidden folders of a project in which agents keep sessions.
    """

    def __init__(self, formats: Sequence[Format]) -> None:
        self.hidden = _hidden(formats)
        self._ask = [format_.in_folder for format_ in formats]
        self._known: dict[tuple[str, ...], str | None] = {}

    def of(self, names: Sequence[str]) -> str | None:
        """The file to open of a session's folder; None of any other."""
        if len(names) > _ALIKE:
            return self._asked(names)
        key = tuple(names)
        if key not in self._known:
            self._known[key] = self._asked(names)
        return self._known[key]

    def _asked(self, names: Sequence[str]) -> str | None:
        for ask in self._ask:
            current = ask(names)
            if current is not None:
                return current
        return None


def _hidden(formats: Sequence[Format]) -> frozenset[str]:
    project = Path("/project")
    around = Surroundings({}, project, sys.platform)
    roots = (root.path for format_ in formats for root in format_.roots(around))
    names = (path.relative_to(project).parts[0] for path in roots if path.is_relative_to(project))
    return frozenset(name for name in names if name.startswith("."))


def listed(text: str, currents: Currents, seen: set[tuple[int, int]], device: int) -> Listed:
    """List a folder; hidden names are left out, but those of agents in a project.

    Args:
        text: its path.
        currents: tells whether it is a session's folder.
        seen: devices and inodes of the folders that are looked through already, to which those in
            this one are added; a link does not lead to one of them again.
        device: of the folder.

    Raises:
        OSError: if it cannot be listed.
    """
    names: list[str] = []
    files: list[str] = []
    within: list[str] = []
    odd: list[tuple[str, str]] = []
    links: list[str] = []
    hidden = currents.hidden
    with os.scandir(text) as entries:
        for entry in entries:
            name = entry.name
            names.append(name)
            looked_at = name.rpartition(".")[2] in _LAST_PARTS and name.endswith(_LOOKED_AT)
            if name[0] == "." and name not in hidden:
                continue
            try:
                if looked_at and entry.is_file():
                    files.append(name)
                elif entry.is_dir():
                    if entry.is_symlink():
                        links.append(name)
                        key = _led_to(entry)
                    else:
                        key = device, entry.inode()
                    # Not looked through yet, by whatever name.
                    if key not in seen:
                        seen.add(key)
                        within.append(name)
                elif looked_at:
                    odd.append((name, _what(entry)))
            except OSError as error:
                if looked_at:
                    odd.append((name, reason_of(Path(entry.path), error)))
    current = currents.of(names)
    if len(files) > 1:
        files.sort(reverse=True)
    if current is not None:
        files = [current, *(name for name in files if name != current)]
    if len(within) > 1:
        within = _newest_first(text, within)
    odd.sort()
    return Listed(files, within, odd, current is not None, links)


def _led_to(entry: "os.DirEntry[str]") -> tuple[int, int]:
    """Device and inode of what a link leads to."""
    status = entry.stat()
    return status.st_dev, status.st_ino


def _what(entry: "os.DirEntry[str]") -> str:
    """What is no file and no folder."""
    if entry.is_symlink():
        try:
            entry.stat()
        except OSError as error:
            return reason_of(Path(entry.path), error)
    return "is not a regular file"


def _newest_first(text: str, names: list[str]) -> list[str]:
    names.sort(reverse=True)
    if len(names) <= _ORDERED:
        times = {name: _modified(f"{text}/{name}") for name in names}
        names.sort(key=times.__getitem__, reverse=True)
    return names


def _modified(text: str) -> int:
    try:
        return os.stat(text).st_mtime_ns  # noqa: PTH116 - many folders, and no object for each
    except OSError:
        return 0
