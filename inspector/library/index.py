"""Rows of a library by what they are called, and by whom they say to come from."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Final

from inspector.formats.relatives import comes_from
from inspector.library.row import Row

Place = tuple[str, str | None]
"""Where a session is: its path, whatever leads to it, and which of those it holds."""

_BOUND: Final = re.compile(r"[-_.]")
"""What stands before an id at the end of a file's name."""


class Index:
    """Rows as they are found; one at a place, whatever links lead to it.

    What is asked for one after the other of all members of a family costs as much as there is to
    tell of each, however many bear the same name.
    """

    def __init__(self) -> None:
        self._places: dict[Place, Row] = {}
        self._known: set[Place] = set()
        self._real: dict[str, str] = {}
        self._leading: dict[str, dict[str, None]] = defaultdict(dict)
        self._by_id: dict[str, list[Row]] = defaultdict(list)
        self._by_parent: dict[str, list[Row]] = defaultdict(list)
        self._by_file_of_parent: dict[str, list[Row]] = defaultdict(list)
        self._by_file: dict[str, list[Row]] = defaultdict(list)
        self._ids: set[tuple[str, str]] = set()
        self._unread: dict[str, Row] = {}

    def __len__(self) -> int:
        return len(self._places)

    def rows(self) -> Iterable[Row]:
        """All of them, in the order in which they were found."""
        return self._places.values()

    def place_of(self, path: Path, session: str | None = None) -> Place:
        """Where a session is: a file is one member, and not one for each link that leads to it."""
        return self._followed(os.path.abspath(path)), session  # noqa: PTH100 - followed here

    def _followed(self, text: str) -> str:
        """Where a path leads; links in folders are looked for once for each folder."""
        folder, name = os.path.split(text)
        real = self._real.get(folder)
        if real is None:
            real = self._real[folder] = os.path.realpath(folder)
        found = os.path.join(real, name)  # noqa: PTH118 - of thousands, and no object for each
        return os.path.realpath(found) if os.path.islink(found) else found  # noqa: PTH114 - as above

    def add(self, row: Row) -> bool:
        """Take in a row; False if one of its place is known."""
        text = os.path.abspath(row.place)  # noqa: PTH100 - links are followed beside it
        if (text, row.session) in self._known:
            return False
        place = self._followed(text), row.session
        known = self._places.setdefault(place, row)
        # By whatever path it is found, it may be named by that, and name what lies beside it.
        for way in dict.fromkeys((text, place[0], row.place)):
            if (way, row.session) not in self._known:
                self._known.add((way, row.session))
                self._leading[place[0]][way] = None
                self._put(known, way)
        if known is not row:
            return False
        if row.id is not None:
            self._by_id[row.id].append(row)
            self._ids.add((row.id, place[0]))
        elif row.problem is not None:
            for name in (*_ids_in(text), *_ids_in(place[0])):
                self._unread.setdefault(name, row)
        if row.parent is not None:
            self._by_parent[row.parent].append(row)
        return True

    def _put(self, row: Row, way: str) -> None:
        """Have a row be found by a path that leads to it, and by the one that it names beside."""
        self._by_file[way].append(row)
        file, folder = row.parent_file, os.path.dirname(way)  # noqa: PTH120 - of thousands
        if file is not None:
            for named in {_within(folder, _name(file)), file}:
                self._by_file_of_parent[named].append(row)
        elif row.parent is not None:
            self._by_file_of_parent[_within(folder, f"{row.parent}.jsonl")].append(row)

    def at(self, path: Path, session: str | None) -> Row | None:
        """The row of a place; of a source of one session, whether or not it is chosen by its id."""
        place = self.place_of(path, session)
        return self._places.get(place) or self._places.get((place[0], None))

    def unread(self, name: str) -> Row | None:
        """What cannot be read and bears an id in the name of its file or folder; or None."""
        return self._unread.get(name)

    def named(self, name: str) -> list[Row]:
        """The rows that bear an id, in the order in which they were found."""
        return self._by_id.get(name, [])

    def called(self, name: str, path: Path | None = None, file: str | None = None) -> list[Row]:
        """The rows that are meant by an id, or by a file.

        Some agents give the id that the name of a file should have.

        Args:
            name: the id.
            path: of the tape that says it, beside which such a file may lie.
            file: by which path the tape names it, where it names a file: then one of that name
                beside the tape is meant, else the one at that path, else the session that bears
                the id.
        """
        if file is not None and path is not None:
            return self._by_file.get(self._filed(file, path), []) or self.named(name)
        found = self.named(name)
        if found or path is None:
            return found
        beside = self._beside(f"{name}.jsonl", path)
        return next((self._by_file[way] for way in beside if way in self._by_file), [])

    def _filed(self, file: str, path: Path) -> str:
        """The path of the file of a name beside a tape, else the one that it names; empty if no row
        is there but its own.
        """
        itself = self.place_of(path)[0]
        for way in (*self._beside(_name(file), path), file):
            if way in self._by_file and self._followed(way) != itself:
                return way
        return ""

    def _beside(self, name: str, path: Path) -> list[str]:
        """The paths of a file in the folder of a tape, and in that to which a link on it leads."""
        return [_within(os.path.dirname(way), name) for way in self._ways(path)]  # noqa: PTH120

    def _ways(self, path: Path) -> Iterable[str]:
        """A path as it is named, and where it leads."""
        text = os.path.abspath(path)  # noqa: PTH100 - as it is named
        return dict.fromkeys((text, self._followed(text)))

    def children(self, name: str) -> list[Row]:
        """The rows that say to come from an id, in the order in which they were found."""
        return [
            row for row in self._by_parent.get(name, ()) if comes_from(row.parent, name, row.id)
        ]

    def children_of_file(self, name: str | None, path: Path) -> list[Row]:
        """The rows that mean the session at a path by its file, and do not name its id alone."""
        itself = self.place_of(path)[0]
        ways = dict.fromkeys((*self._ways(path), *self._leading.get(itself, {})))
        named = {id(row): row for way in ways for row in self._by_file_of_parent.get(way, ())}
        # Whoever names a file means it only where it is the one that would be found for it.
        return [
            row
            for row in named.values()
            if (row.parent_file is not None or row.parent != name) and self._means(row, itself)
        ]

    def _means(self, row: Row, place: str) -> bool:
        """Whether a row comes from what is at a place; see `called`."""
        if row.parent_file is not None:
            filed = self._filed(row.parent_file, row.path)
            if filed:
                return self._followed(filed) == place
        if row.parent in self._by_id:
            return (row.parent, place) in self._ids
        beside = self._beside(f"{row.parent}.jsonl", row.path)
        return row.parent_file is None and any(
            self._followed(way) == place for way in beside if way in self._by_file
        )

    def is_filed(self, row: Row) -> bool:
        """Whether a row names its parent by a file that is there: then no other is meant."""
        return row.parent_file is not None and bool(self._filed(row.parent_file, row.path))

    def is_sure(self, row: Row, name: str, file: str) -> bool:
        """Whether a row that was found for a file is surely the one that was meant."""
        is_there = file in self._by_file and self._followed(file) == self.place_of(row.path)[0]
        return row.id == name or is_there


def _name(file: str) -> str:
    """The last part of a path, of whatever system."""
    return PurePath(file.replace("\\", "/")).name


def _within(folder: str, name: str) -> str:
    """The path of a name in a folder; of what is no name one at which nothing is."""
    return os.path.join(folder, name) if "/" not in name else ""  # noqa: PTH118 - of thousands


def _ids_in(text: str) -> Iterator[str]:
    """The ids that the name of a file may end in, and the one of the folder of a session."""
    folder, name = os.path.split(text)
    stem = name.partition(".jsonl")[0]
    yield stem
    yield from (stem[found.end() :] for found in _BOUND.finditer(stem))
    if not _BOUND.search(stem) or name.startswith("session."):
        yield os.path.basename(folder)  # noqa: PTH119 - as above
