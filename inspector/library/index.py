"""Rows of a library by what they are called, and by whom they say to come from."""

import os
from collections import defaultdict
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
        self._by_file: dict[str, list[Row]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._places)

    def add(self, row: Row) -> bool:
        """Take in a row; False if one of its place is known."""
        place = _place(row.path, row.session)
        if place in self._places:
            return False
        self._places[place] = row
        if row.id is not None:
            self._by_id[row.id].append(row)
        if row.parent is not None:
            self._by_parent[_name(row.parent)].append(row)
        self._by_file[row.path.name].append(row)
        return True

    def at(self, path: Path, session: str | None) -> Row | None:
        """The row of a place; of a source of one session, whether or not it is chosen by its id."""
        text = _place(path, session)[0]
        return self._places.get((text, session)) or self._places.get((text, None))

    def called(self, name: str, path: Path | None = None) -> list[Row]:
        """The rows that are meant by an id.

        Some agents give a file for an id, or the id that its name should have.

        Args:
            name: the id.
            path: of the tape that says it, beside which such a file may lie.
        """
        found = self._by_id.get(name, [])
        if found:
            return found
        if _is_path(name):
            same = self._by_file.get(_name(name), [])
            return [row for row in same if str(row.path) == name] or same
        if path is None:
            return []
        folder = path.absolute().parent
        named = self._by_file.get(f"{name}.jsonl", [])
        return [row for row in named if row.path.absolute().parent == folder]

    def children(self, name: str | None, path: Path | None) -> list[Row]:
        """The rows that say to come from an id, or from a file."""
        named = self._by_parent.get(name, []) if name is not None else []
        found = [row for row in named if comes_from(row.parent, name, row.id)]
        if path is not None:
            filed = self._by_parent.get(path.name, [])
            found += [row for row in filed if _is_path(row.parent or "") and row.path != path]
        return found


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name


def _name(parent: str) -> str:
    """What a parent is known by: its id, or the name of its file."""
    return PurePath(parent.replace("\\", "/")).name if _is_path(parent) else parent
