"""Finds sessions: goes through places and tells what lies there, a row at a time.

The work is one look at each file that may be a session (`ends`), and one at each folder. What
cannot be read is a row with the reason, and nothing stops the list.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from inspector.formats.contract import Format
from inspector.library.ends import Looked, Stamp, is_there, look, why_not
from inspector.library.listed import DATABASES, Currents, Listed, listed
from inspector.library.roots import Place, installed
from inspector.library.row import Row
from inspector.library.telling import by_opening, problem, told
from inspector.tape.packing import Packing
from inspector.tape.stopping import Stopped

_AT_A_TIME: Final = 64
"""Files that are looked at before they are told."""

_FAULT: Final = "cannot be listed, a fault of this program: {}"


class Owned(NamedTuple):
    """Who is asked of what lies in a place: those whose place it is, and all others."""

    owners: tuple[Format, ...]
    others: tuple[Format, ...]
    currents: Currents


class Memory(Protocol):
    """Keeps what a walk saw, for whoever looks again later."""

    def folder(self, text: str, status: os.stat_result, found: Listed, owned: Owned) -> None:
        """A folder was listed; ``status`` is what it was just before that."""

    def file(self, text: str, stamp: Stamp | None, rows: Sequence[Row], owned: Owned) -> None:
        """A file was looked at, or something that cannot be; these are its rows."""


def find(
    places: Iterable[Place],
    *,
    formats: Iterable[Format] | None = None,
    going: Callable[[], bool] = lambda: True,
) -> Iterator[Row]:
    """The sessions in places, as they are found, and what could not be read there.

    The order is the same whenever the same is there: place by place, the folders that changed last
    first.

    Args:
        places: where to look; of known ones that are not there nothing is told.
        formats: those that are known; all that are installed unless told.
        going: asked now and then; the walk ends where it answers no.
    """
    yield from Walk(installed() if formats is None else formats, going).places(places)


def below(folder: str, name: str) -> str:
    """The path of a name in a folder."""
    return folder + name if folder.endswith("/") else f"{folder}/{name}"


class Walk:
    """One walk through places: no folder twice, whatever leads to it.

    Args:
        formats: those that are known.
        going: asked now and then.
        memory: is told what was seen; None where nobody looks again.

    Attributes:
        seen: devices and inodes of the folders that were listed, or wait for it.
    """

    def __init__(
        self,
        formats: Iterable[Format],
        going: Callable[[], bool] = lambda: True,
        memory: Memory | None = None,
    ) -> None:
        self.formats = tuple(formats)
        self.going = going
        self._memory = memory
        self.seen: set[tuple[int, int]] = set()

    def owned(self, place: Place) -> Owned:
        """Who is asked of what lies in a place."""
        owners = tuple(format_ for format_ in self.formats if format_.name in place.owners)
        others = tuple(format_ for format_ in self.formats if format_.name not in place.owners)
        return Owned(owners, others, Currents(owners + others))

    def places(self, places: Iterable[Place]) -> Iterator[Row]:
        """What is found in places."""
        for place in places:
            if not self.going():
                return
            yield from self.place(place)

    def place(self, place: Place) -> Iterator[Row]:
        """What is found in one."""
        text, owned = os.fspath(place.path), self.owned(place)
        try:
            status = os.stat(text)  # noqa: PTH116 - as the walk names paths
        except (OSError, ValueError) as error:
            if place.given or is_there(text):
                yield from self._ended(_Unread(text, _reason(text, error)), owned)
            return
        if not stat.S_ISDIR(status.st_mode):
            yield from self.file(text, owned, named=place.given)
        elif (status.st_dev, status.st_ino) not in self.seen:
            self.seen.add((status.st_dev, status.st_ino))
            yield from self.folder(text, owned, status.st_dev)

    def folder(self, text: str, owned: Owned, device: int | None = None) -> Iterator[Row]:
        """What is found in a folder and in those below it.

        Args:
            text: its path.
            owned: who is asked.
            device: that it is on, where that is known.
        """
        # A processor goes from one kind of work to another at a price: files are looked at some
        # at a time, and then told. The first row waits for one file alone.
        batch: list[_Found] = []
        most = 1
        for one in self._below(text, owned, device):
            batch.append(one)
            if len(batch) >= most:
                for each in batch:
                    yield from self._ended(each, owned)
                batch.clear()
                most = min(_AT_A_TIME, 2 * most)
        for each in batch:
            yield from self._ended(each, owned)

    def _below(self, text: str, owned: Owned, device: int | None) -> "Iterator[_Found]":
        """The files in a folder and in those below it, looked at."""
        waiting = [(text, device)]
        currents, memory = owned.currents, self._memory
        while waiting and self.going():
            folder, device = waiting.pop()
            try:
                status = None
                if device is None or memory is not None:
                    status = os.stat(folder)  # noqa: PTH116 - many folders, no object for each
                    device = status.st_dev
                found = listed(folder, currents, self.seen, device)
            except OSError as error:
                yield _Unread(folder, not_listed(error))
                continue
            if memory is not None and status is not None:
                memory.folder(folder, status, found, owned)
            for name, why in found.odd:
                yield _Unread(below(folder, name), why)
            if found.own:
                yield self._own(folder, found.files)
            elif found.files:
                before = below(folder, "")
                for name in found.files:
                    if not self.going():
                        return
                    yield self._look(before + name)
            if not found.folders:
                continue
            # A link may lead to another device.
            links = found.links
            waiting += [
                (below(folder, name), None if name in links else device)
                for name in reversed(found.folders)
            ]

    def _own(self, folder: str, names: Sequence[str]) -> "_Found":
        """The log of a session's folder, looked at."""
        before = below(folder, "")
        first = self._look(before + names[0])
        return _Own(first, [before + name for name in names[1:]]) if len(names) > 1 else first

    def _look(self, text: str) -> "Looked | _Unread":
        try:
            return look(text)
        except (OSError, ValueError) as error:
            return _Unread(text, _reason(text, error))

    def current(self, folder: str, names: Sequence[str], owned: Owned) -> Sequence[Row]:
        """The log of a session's folder; while nothing is written in it, the only other one.

        Args:
            folder: which.
            names: of its files, the one to open first.
            owned: who is asked.
        """
        return self._ended(self._own(folder, names), owned)

    def file(self, text: str, owned: Owned, *, named: bool = False) -> Sequence[Row]:
        """What a file is: the row of a session, those of a database, none of what is neither.

        Args:
            text: its path as the system takes it.
            owned: who is asked.
            named: whether a person named it: then what is no session is told.
        """
        return self._ended(self._look(text), owned, named=named)

    def _ended(self, one: "_Found", owned: Owned, *, named: bool = False) -> Sequence[Row]:
        """The rows of what was found."""
        others: Sequence[str] = ()
        if isinstance(one, _Own):
            one, others = one
        rows = self._rows(one, owned, named)
        if others and _says_nothing(rows):
            rows = self._instead(others, owned) or rows
        if self._memory is not None:
            if isinstance(one, Looked):
                self._memory.file(one.ends.place, one.stamp, rows, owned)
            else:
                self._memory.file(one.text, None, rows, owned)
        return rows

    def _instead(self, texts: Sequence[str], owned: Owned) -> Sequence[Row]:
        """The rows of the only one of some files that can be read; none where more can."""
        found = [self._rows(self._look(text), owned, False) for text in texts]
        readable = [each for each in found if each and each[0].problem is None]
        return readable[0] if len(readable) == 1 else ()

    def _rows(self, one: "Looked | _Unread", owned: Owned, named: bool) -> Sequence[Row]:
        """What a file is; a fault of this program costs the row, not the list."""
        if isinstance(one, _Unread):
            return [problem(Path(one.text), one.why)]
        ends = one.ends
        text = ends.place
        try:
            if ends.head and not text.endswith(DATABASES):
                row = told(ends, owned.owners, owned.others)
                if row is not None:
                    return (row,)
            return self._others(text, one, named)
        except OSError as error:
            why = _reason(text, error)
        except Stopped:
            raise
        except Exception as fault:  # noqa: BLE001 - one file must not hide what the others are
            why = _FAULT.format(type(fault).__name__)
        return [problem(Path(text), why, ends)]

    def _others(self, text: str, looked: Looked, named: bool) -> Sequence[Row]:
        """What a file is whose ends no format knows."""
        path = Path(text)
        if looked.database or (looked.packing is None and text.endswith(DATABASES)):
            from inspector.library.stored import stored  # only for databases

            return list(stored(path, looked.ends))
        row = by_opening(path, looked.ends)
        if row is None or (row.problem and looked.packing is Packing.ZIP and not named):
            return ()
        return (row,)


class _Unread(NamedTuple):
    """What cannot be looked at: its path as the system takes it, and the reason."""

    text: str
    why: str


class _Own(NamedTuple):
    """The log of a session's folder, and the paths of the files that may be opened instead."""

    first: Looked | _Unread
    others: list[str]


_Found = Looked | _Unread | _Own
"""What a walk finds, looked at."""


def _says_nothing(rows: Sequence[Row]) -> bool:
    """Whether a log holds nothing that tells of a session."""
    return bool(rows) and (rows[0].problem is not None or not rows[0].bytes)


def not_listed(error: OSError) -> str:
    """Why a folder cannot be looked into."""
    return f"is a directory that cannot be listed: {error.strerror}"


def _reason(text: str, error: OSError | ValueError) -> str:
    return why_not(Path(text), error) if isinstance(error, OSError) else "not a path"
