"""Rows of a library by what they are called, and by whom they say to come from."""

import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePath

from inspector.formats.relatives import comes_from
from inspector.library.row import Row

Place = tuple[str, str | None]
"""Where a session is: its path from the root, and which of those it holds."""


def _place(path: Path, session: str | None) -> Place:
    """Where a session is, whatever its path begins at."""
    return os.path.abspath(path), session  # noqa: PTH100 - no link is followed


class Index:
    """Rows as they are found; one at a place."""

    def __init__(self) -> None:
        self._places: dict[Place, Row] = {}
        self._by_id: dict[str, list[Row]] = defaultdict(list)
        self._by_parent: dict[str, list[Row]] = defaultdict(list)
        self._by_parent_file: dict[str, list[Row]] = defaultdict(list)
        self._by_file: dict[str, list[Row]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._places)

    def rows(self) -> Iterable[Row]:
        """All of them, in the order in which they were found."""
        return self._places.values()

    def add(self, row: Row) -> bool:
        """Take in a row; False if one of its place is known."""
        place = _place(row.path, row.session)
        if place in self._places:
            return False
        self._places[place] = row
        if row.id is not None:
            self._by_id[row.id].append(row)
        if row.parent is not None:
            self._by_parent[row.parent].append(row)
        if row.parent_file is not None:
            self._by_parent_file[_name(row.parent_file)].append(row)
        self._by_file[row.path.name].append(row)
        return True

    def at(self, path: Path, session: str | None) -> Row | None:
        """The row of a place; of a source of one session, whether or not it is chosen by its id."""
        text = _place(path, session)[0]
        return self._places.get((text, session)) or self._places.get((text, None))

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
            return self._filed(file, path) or self._by_id.get(name, [])
        found = self._by_id.get(name, [])
        if found or path is None:
            return found
        return _beside(self._by_file.get(f"{name}.jsonl", []), path)

    def _filed(self, file: str, path: Path) -> list[Row]:
        itself = _place(path, None)[0]
        named = self._by_file.get(_name(file), [])
        others = [row for row in named if _place(row.path, None)[0] != itself]
        return _beside(others, path) or [row for row in others if str(row.path) == file]

    def children(self, name: str | None, path: Path | None) -> list[Row]:
        """The rows that say to come from an id, or from a file."""
        named = self._by_parent.get(name, []) if name is not None else []
        found = [row for row in named if comes_from(row.parent, name, row.id)]
        if path is None:
            return found
        # Whoever names a file means it only where it is the one that would be found for it.
        stem = path.name.removesuffix(".jsonl")
        filed = [*self._by_parent_file.get(path.name, []), *self._by_parent.get(stem, [])]
        itself = _place(path, None)[0]
        return [row for row in found if row.parent_file is None] + [
            row
            for row in {id(row): row for row in (*found, *filed)}.values()
            if row.parent_file is not None or row.parent == stem != name
            if any(_place(one.path, None)[0] == itself for one in self._meant(row))
        ]

    def _meant(self, row: Row) -> list[Row]:
        return self.called(row.parent or "", row.path, row.parent_file)


def _beside(rows: list[Row], path: Path) -> list[Row]:
    """Those that lie in the folder of a tape."""
    folder = os.path.dirname(_place(path, None)[0])  # noqa: PTH120 - no link is followed
    return [row for row in rows if os.path.dirname(_place(row.path, None)[0]) == folder]  # noqa: PTH120


def is_sure(row: Row, name: str, file: str) -> bool:
    """Whether a row that was found for a file is surely the one that was meant."""
    return row.id == name or str(row.path) == file


def _name(file: str) -> str:
    """The last part of a path, of whatever system."""
    return PurePath(file.replace("\\", "/")).name
