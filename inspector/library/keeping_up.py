"""What changed in places since they were looked through: asks the file system, reads what changed.

A look asks for the times of the folders that are known and of files: of those that changed last
each time, of the others in turns, so that its cost has a bound however many there are. A folder is
listed again where its times changed, a file read again where its size, its inode or its times did:
those that tell of who may read it among them.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.contract import Format
from inspector.library.ends import Stamp, is_there
from inspector.library.finding import Owned, Walk, below, not_listed
from inspector.library.listed import DATABASES, Listed, listed
from inspector.library.roots import Place, installed
from inspector.library.row import Row
from inspector.library.telling import problem

NEWEST: Final = 1_000
"""Files that are asked for their times at every look: those that changed last."""

IN_TURN: Final = 2_000
"""Files and folders of all others that are asked at one look."""

_TICK: Final = 2_000_000_000
"""Nanoseconds: what changed so shortly before it was listed may change again at the same time."""

_REST: Final = 10
"""Times as long as reading a file took, it is not read again however often it changes."""


class Gone(NamedTuple):
    """A row that is not there any more: its path, and which session of that."""

    path: Path
    session: str | None


@dataclass(slots=True)
class _Folder:
    """A folder that was listed; what changes with what is in it, and what it held.

    Of a session's own folder the first file is the one that is opened. ``times`` is None where it
    is to be listed again whatever they are.
    """

    times: tuple[int, int] | None
    key: tuple[int, int]
    owned: Owned
    own: bool
    files: tuple[str, ...]
    odd: tuple[str, ...]
    folders: set[str]

    def rows_of(self) -> list[str]:
        """The names that have rows."""
        return [*(self.files[:1] if self.own else self.files), *self.odd]


@dataclass(slots=True)
class _File:
    """A file that was looked at; of a database ``wal`` is the stamp of what it has beside it."""

    stamp: Stamp | None
    owned: Owned
    rows: Sequence[Row]
    database: bool = False
    wal: Stamp | None = None
    not_before: float = 0.0


class KeepingUp:
    """Places that are looked through, and looked at again. One thread at a time.

    Args:
        places: where to look.
        formats: those that are known; all that are installed unless told.
    """

    def __init__(self, places: Iterable[Place], *, formats: Iterable[Format] | None = None) -> None:
        self.places = list(places)
        self._walk = Walk(installed() if formats is None else formats, memory=self)
        self._folders: dict[str, _Folder] = {}
        self._files: dict[str, _File] = {}
        self._given = {os.fspath(place.path) for place in self.places if place.given}
        self._news: list[Row | Gone] = []
        self._often: tuple[list[str], list[str]] | None = None
        self._turn = 0

    def find(self, going: Callable[[], bool] = lambda: True) -> Iterator[Row]:
        """All that is there, as `finding.find` tells it; to be taken to its end."""
        self._walk.going = going
        for row in self._walk.places(self.places):
            self._news.clear()
            yield row
        self._news.clear()

    def again(self, going: Callable[[], bool] = lambda: True) -> Iterator[Row | Gone]:
        """Rows that are new or other ones than before, and those that are gone.

        To be taken to its end: what was told is not told again.
        """
        self._walk.going = going
        folders, files = self._asked()
        for step in (self._look_at_folders(folders), self._look_at_files(files), self._begin()):
            for _ in step:
                if not going():
                    return
                yield from self._told()
            yield from self._told()

    def _told(self) -> list[Row | Gone]:
        news, self._news = self._news, []
        return news

    # What a walk says.

    def folder(self, text: str, status: os.stat_result, found: Listed, owned: Owned) -> None:
        """Keep what a folder held."""
        self._lose(text)
        fresh = _is_fresh(max(_times(status)))
        before = self._folders.get(text)
        kept = set() if before is None else before.folders
        self._folders[text] = _Folder(
            None if fresh else _times(status),
            (status.st_dev, status.st_ino),
            owned,
            found.own,
            tuple(found.files),
            tuple(name for name, _ in found.odd),
            kept.union(found.folders),
        )
        self._often = None
        if before is not None:
            for name in set(before.rows_of()) - set(self._folders[text].rows_of()):
                self._lose(below(text, name))

    def file(self, text: str, stamp: Stamp | None, rows: Sequence[Row], owned: Owned) -> None:
        """Keep what a file was, and tell what is other than before."""
        before = self._files.get(text)
        database = text.endswith(DATABASES) or any(row.session is not None for row in rows)
        wal = _stamp(f"{text}-wal") if database else None
        self._files[text] = _File(stamp, owned, tuple(rows), database, wal)
        if before is None:
            self._often = None
            self._news += rows
            return
        old = {(row.path, row.session): row for row in before.rows}
        for row in rows:
            if old.pop((row.path, row.session), None) != row:
                self._news.append(row)
        self._news += [Gone(path, session) for path, session in old]

    # Looking again.

    def _asked(self) -> tuple[list[str], list[str]]:
        """The folders and the files that are asked now."""
        if self._often is None:
            # New sessions come to be in folders that are no session's.
            folders = [text for text, one in self._folders.items() if not one.own]
            newest = nlargest(NEWEST, self._files.items(), key=_changed_last)
            self._often = folders, [text for text, _ in newest]
        folders, files = self._often
        often = {*folders, *files}
        rest = [text for text in (*self._folders, *self._files) if text not in often]
        if len(rest) > IN_TURN:
            start = self._turn % len(rest)
            self._turn = start + IN_TURN
            rest = (rest + rest[:IN_TURN])[start : start + IN_TURN]
        own = [text for text in rest if text in self._folders]
        return [*folders, *own], [*files, *(text for text in rest if text in self._files)]

    def _look_at_folders(self, texts: Sequence[str]) -> Iterator[None]:
        changed: list[str] = []
        for text in texts:
            try:
                status = os.stat(text)  # noqa: PTH116 - many folders, and no object for each
            except OSError as error:
                self._cannot_list(text, error)
                yield
                continue
            known = self._folders.get(text)
            if known is not None and _times(status) != known.times:
                changed.append(text)
        for text in changed:
            if text in self._folders:
                yield from self._list_again(text)

    def _list_again(self, text: str) -> Iterator[None]:
        """What came to be in a folder, and what went."""
        before = self._folders[text]
        for name in [name for name in before.folders if not is_there(below(text, name))]:
            self._drop(below(text, name))
            before.folders.discard(name)
        owned, walk = before.owned, self._walk
        try:
            status = os.stat(text)  # noqa: PTH116 - as above
            found = listed(text, owned.currents, walk.seen, status.st_dev)
        except OSError as error:
            self._cannot_list(text, error)
            yield
            return
        self.folder(text, status, found, owned)
        path = Path(text)
        for name, why in found.odd:
            self.file(below(text, name), None, [problem(path / name, why)], owned)
        if found.own:
            walk.current(text, found.files, owned)
            yield
        else:
            for name in found.files:
                if below(text, name) not in self._files:
                    walk.file(below(text, name), owned)
                    yield
        for name in found.folders:
            for _ in walk.folder(below(text, name), owned):
                yield

    def _look_at_files(self, texts: Sequence[str]) -> Iterator[None]:
        for text in texts:
            known = self._files.get(text)
            if known is None:
                continue
            stamp = _stamp(text)
            if stamp is None and text not in self._given and not is_there(text):
                self._lose(text)
                yield
                continue
            if stamp is None and self._is_hidden(text.rpartition("/")[0]):
                # It may lie there as before.
                yield
                continue
            if stamp == known.stamp and not (known.database and known.wal != _stamp(f"{text}-wal")):
                continue
            if known.not_before > (begun := time.monotonic()):
                continue
            self._read_again(text, known)
            again = self._files.get(text)
            if again is not None and again.stamp is None and stamp is not None:
                # It cannot be read, and is not tried again before it changes.
                again.stamp = None if _is_fresh(stamp.changed) else stamp
            if again is not None:
                # One that is written to all the time costs a share of the time, not all of it.
                again.not_before = begun + (_REST + 1) * (time.monotonic() - begun)
            yield

    def _cannot_list(self, text: str, error: OSError) -> None:
        """A folder is gone, or what is in it cannot be seen: then that is not gone."""
        known = self._folders.get(text)
        if known is None or not is_there(text):
            self._drop(text)
            return
        # Its time says nothing of whether it may be listed.
        known.times = None
        if not self._is_hidden(text.rpartition("/")[0]):
            self.file(text, None, [problem(Path(text), not_listed(error))], known.owned)

    def _is_hidden(self, folder: str) -> bool:
        """Whether what is in a folder cannot be seen now; that is told of the topmost of them."""
        if folder in self._files:
            return True
        if folder not in self._folders:
            return False
        try:
            with os.scandir(folder):
                return False
        except OSError as error:
            self._cannot_list(folder, error)
        return folder in self._folders

    def _read_again(self, text: str, known: _File) -> None:
        folder, _, name = text.rpartition("/")
        around = self._folders.get(folder)
        if around is not None and name in around.odd:
            return
        if around is not None and around.own:
            self._walk.current(folder, around.files, known.owned)
        elif Path(text).is_dir():
            for _ in self._walk.folder(text, known.owned):
                pass
        else:
            self._walk.file(text, known.owned)

    def _begin(self) -> Iterator[None]:
        """Places that were not there."""
        for place in self.places:
            text = os.fspath(place.path)
            known = self._files.get(text)
            if text not in self._folders and (known is None or known.stamp is None):
                for _ in self._walk.place(place):
                    yield

    # What is gone.

    def _drop(self, text: str) -> None:
        """A folder is gone, and all that was in it."""
        waiting = [text]
        while waiting:
            one = waiting.pop()
            folder = self._folders.pop(one, None)
            self._often = None
            if folder is None:
                # One that could not be listed has a row of its own.
                self._lose(one)
                continue
            self._walk.seen.discard(folder.key)
            for name in folder.rows_of():
                self._lose(below(one, name))
            waiting += [below(one, name) for name in folder.folders]

    def _lose(self, text: str) -> None:
        known = self._files.pop(text, None)
        if known is not None:
            self._often = None
            self._news += [Gone(row.path, row.session) for row in known.rows]


def _changed_last(one: tuple[str, _File]) -> int:
    stamp = one[1].stamp
    return 0 if stamp is None else stamp.modified


def _is_fresh(changed: int) -> bool:
    """Whether something changed just now: then it may change again and show the same time."""
    return time.time_ns() - changed < _TICK


def _times(status: os.stat_result) -> tuple[int, int]:
    """When what is in it changed, and when anything of it did: who may look into it as well."""
    return status.st_mtime_ns, status.st_ctime_ns


def _stamp(text: str) -> Stamp | None:
    try:
        status = os.stat(text)  # noqa: PTH116 - many files, and no object for each
    except OSError:
        return None
    return Stamp(status.st_size, status.st_ino, *_times(status))
