"""Where the relatives of a tape may lie near it, beside the places that agents keep.

A tape that was copied somewhere, or that an agent keeps in an unknown place, has its relatives
beside it: in its folder, in one that bears its name, in that of the session whose folder it lies
in, in those of other days. Nothing far is looked through.
"""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from inspector.formats import folders
from inspector.library.listed import DATABASES
from inspector.library.stored import COPIED
from inspector.tape.source import SourceError

_NAMES: Final = 5_000
"""Names of one folder that are looked at."""

_ABOVE: Final = 4
"""Folders above a tape that may be a session's own."""

_DEPTH: Final = 5
"""Folders within each other in a folder that bears a session's name."""

_WITHIN: Final = 500
"""Folders that are looked into there."""

_COPIED: Final = 1 << 30
"""Bytes of databases that are being written, which are copied to be looked into."""


class Own(NamedTuple):
    """What a session's own folder holds.

    Attributes:
        current: the name of the log that counts.
        names: all names in it.
    """

    current: str
    names: frozenset[str]


class Nearness:
    """What is near tapes; no folder is looked through twice, however many tapes lie around it.

    Attributes:
        uncopied: how many databases are not looked into: they are being written, and too large.
        refused: the folders that cannot be listed, and why.
    """

    def __init__(self) -> None:
        self._known: dict[Path, tuple[list[Path], list[Path]]] = {}
        self._owners: dict[Path, dict[str, Path]] = {}
        self._own: dict[Path, Own | None] = {}
        self._told: set[tuple[Path, bool]] = set()
        self._copied = 0
        self.uncopied = 0
        self.refused: dict[Path, str] = {}

    @property
    def folders(self) -> int:
        """How many folders were looked through for what lies beside tapes."""
        return len(self._told)

    def is_told(self, path: Path) -> bool:
        """Whether all that is beside a tape was told before."""
        return all(one in self._told for one in self._around(path))

    def beside(self, path: Path) -> Iterator[Path]:
        """Files that may be sessions beside a tape, in the folders of sessions beside its own, and
        those of the sessions in whose folder it lies; what was told before is left out.

        Args:
            path: absolute.
        """
        for folder, of_sessions in self._around(path):
            if (folder, of_sessions) not in self._told:
                self._told.add((folder, of_sessions))
                if of_sessions:
                    yield from self._sessions(folder)
                else:
                    yield from filter(self._may_be_copied, self._files(folder))
        for above in islice(path.parents, _ABOVE):
            owner = self._owner_of(above)
            if owner is not None:
                yield owner

    def _around(self, path: Path) -> list[tuple[Path, bool]]:
        """The folders beside a tape, each with whether those of sessions in it are meant.

        What else lies in a session's own folder is the session itself (see `generations`).
        """
        folder = path.parent
        if self.own(folder) is not None:
            return [(folder.parent, True)]
        return [(folder, False), (folder, True)]

    def looked_through(self, path: Path) -> list[Path]:
        """The folders that `beside` looks through, for whoever says where nothing was found."""
        folder = path.parent
        if self.own(folder) is not None:
            return [folder.parent]
        above = islice(path.parents, _ABOVE)
        own = [one.parent for one in above if self._owner_of(one) is not None]
        return [folder, *own]

    def below(self, path: Path) -> Iterator[Path]:
        """Files in the folder that bears a tape's name."""
        waiting = [(path.with_name(_stem(path)), 1)]
        looked = 0
        while waiting and looked < _WITHIN:
            folder, depth = waiting.pop()
            looked += 1
            if folder == path:
                continue
            files, within = _listed(folder)
            yield from files
            if depth < _DEPTH:
                waiting += [(one, depth + 1) for one in reversed(within)]

    def _owner_of(self, folder: Path) -> Path | None:
        """The session's log that stands beside a folder of its name, or None."""
        known = self._owners.get(folder.parent)
        if known is None:
            files = self._files(folder.parent)
            known = self._owners[folder.parent] = {_stem(one): one for one in reversed(files)}
        return known.get(folder.name)

    def _listing(self, folder: Path) -> tuple[list[Path], list[Path]]:
        known = self._known.get(folder)
        if known is None:
            known = self._known[folder] = _listed(folder)
        return known

    def _sessions(self, folder: Path) -> Iterator[Path]:
        """The logs of the sessions' folders in a folder."""
        for within in self._listing(folder)[1]:
            own = self.own(within)
            if own is not None:
                yield within / own.current

    def own(self, folder: Path) -> Own | None:
        """What a folder holds that is a session's own; None of any other. It is listed once."""
        if folder not in self._own:
            try:
                names = folders.names_in(folder)
                current = folders.current(names)
            except SourceError as error:
                self.refused[folder] = str(error)
                current = None
            self._own[folder] = None if current is None else Own(current, frozenset(names))
        return self._own[folder]

    def generations(self, path: Path) -> tuple[str, list[str]] | None:
        """The log that counts in a session's folder, and the names of the others; or None.

        They are the same for all of one `kind`.
        """
        own = self.own(path.parent)
        if own is None or path.name not in own.names:
            return None
        ends = kind(path.name)
        return own.current, [
            name
            for name in sorted(own.names)
            if name != own.current and (kind(name) == ".jsonl" or name.endswith(ends))
        ]

    def _files(self, folder: Path) -> list[Path]:
        """Logs and databases in a folder."""
        return [
            path
            for path in self._listing(folder)[0]
            if ".jsonl" in path.name or path.suffix in DATABASES
        ]

    def _may_be_copied(self, path: Path) -> bool:
        """Whether a file may be looked into: a database that is being written is read as a copy."""
        beside = path.with_name(f"{path.name}-wal")
        if path.suffix not in DATABASES or beside not in self._listing(path.parent)[0]:
            return True
        size = _size(path) + _size(beside)
        # A larger one is listed where it lies, without what is being written.
        cost = size if size <= COPIED else 0
        if self._copied + cost > _COPIED:
            self.uncopied += 1
            return False
        self._copied += cost
        return True


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def days(path: Path) -> Path | None:
    """The folder of the years, where a tape lies in one of a day of a month of a year."""
    above = path.parents
    if len(above) > 3 and all(part.isdecimal() for part in path.parent.parts[-3:]):
        return above[3]
    return None


def archives(of_days: Path) -> list[Path]:
    """The folder of archived sessions beside that of the years, where there is one."""
    archived = of_days.with_name("archived_sessions")
    return [archived] if archived.is_dir() else []


def kind(name: str) -> str:
    """How the name of a log ends, whatever tells how it is packed or which of several it is."""
    if name.endswith(".jsonl") or ".jsonl." in name:
        return ".jsonl"
    return "".join(PurePath(name).suffixes[-1:]) or name


def unpacked(name: str) -> str:
    """The name of a log without what tells how it is packed."""
    return name.partition(".jsonl")[0] + ".jsonl" if ".jsonl" in name else name


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]


def _listed(folder: Path) -> tuple[list[Path], list[Path]]:
    """Files and folders in a folder, in order; nothing where it cannot be listed."""
    files: list[Path] = []
    within: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, _NAMES):
                if entry.name.startswith("."):
                    continue
                if _is(entry, os.DirEntry.is_dir, follow_links=False):
                    within.append(folder / entry.name)
                elif _is(entry, os.DirEntry.is_file, follow_links=True):
                    files.append(folder / entry.name)
    except OSError:
        return sorted(files), sorted(within)
    return sorted(files), sorted(within)


def _is(entry: "os.DirEntry[str]", what: Callable[..., bool], *, follow_links: bool) -> bool:
    """What an entry is; a link that leads nowhere, or in a circle, is nothing."""
    try:
        return what(entry, follow_symlinks=follow_links)
    except OSError:
        return False
