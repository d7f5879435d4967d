"""Where the relatives of a tape are looked for: near it, in its database, and in known places.

Only the ends of files are looked at, so that thousands may lie there.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.listing import Surroundings
from inspector.library import nearness, roots
from inspector.library.family import Looked
from inspector.library.finding import find
from inspector.library.index import Index, Place
from inspector.library.members import Member
from inspector.library.relations import GENERATION
from inspector.library.roots import Place as Root
from inspector.library.row import Row
from inspector.text.labels import plural

STREAM: Final = Path("-")
"""The path of a tape that was read from a stream: nothing is near it."""

_FOLDERS: Final = 20
"""Folders of members that are looked into, beside the places that agents keep."""

_TELL: Final = 256
"""Rows between two words about how far the search is."""


@dataclass(frozen=True, slots=True)
class Search:
    """How a family is looked for.

    Attributes:
        surroundings: what decides where agents keep their sessions.
        going: asked now and then; where it answers no the family is what was found until then.
        told: is told how far it is, in words.
    """

    surroundings: Surroundings
    going: Callable[[], bool] = lambda: True
    told: Callable[[str], None] = lambda _words: None


class Searched:
    """The rows that were found for a family, and where they were looked for.

    Args:
        search: how to look.

    Attributes:
        index: the rows.
        looked: where.
    """

    def __init__(self, search: Search) -> None:
        self.index = Index()
        self.looked: list[Looked] = []
        self._search = search
        self._covered: list[Path] = []
        self._folders: set[Path] = set()

    def look_around(self, tape: Tape) -> None:
        """List what is near a tape, in its database, and where its agent keeps sessions."""
        path = tape.identity.path
        if path == STREAM:
            self._look(self._roots(tape))
            return
        path = path.absolute()
        known = self._roots(tape)
        inside = any(root.there and _holds(root.path, path) for root in known)
        if not inside:
            self._near(path)
        self._look(known)
        if not inside:
            self._rows_of([path])

    def _roots(self, tape: Tape) -> list[Root]:
        owner = tape.identity.format
        return [root for root in roots.known(self._search.surroundings) if owner in root.owners]

    def _look(self, places: Sequence[Root]) -> None:
        for place in places:
            said = place.said_by[0] if place.said_by else None
            self.looked.append(Looked(place.path, place.there, said))
            if place.there:
                self._covered.append(place.path.absolute())
                self._take(find([place], going=self._search.going), place.path)

    def _near(self, path: Path) -> None:
        """What lies beside a tape that is in no known place."""
        of_days = nearness.days(path)
        if of_days is not None:
            self._look([Root(of_days, given=True)])
            self._look([Root(kept, given=True) for kept in nearness.archives(of_days)])
            return
        self.looked += map(Looked, nearness.looked_through(path))
        self._around(path)

    def _around(self, path: Path) -> None:
        """What lies in a tape's folder, once for each, and in the folder of its name."""
        if path.parent not in self._folders and len(self._folders) < _FOLDERS:
            self._folders.add(path.parent)
            self._rows_of(nearness.beside(path))
        self._rows_of(nearness.below(path))

    def _rows_of(self, paths: Iterable[Path]) -> None:
        self._take(find(roots.given(paths), going=self._search.going), None)

    def _take(self, rows: Iterable[Row], where: Path | None) -> None:
        for number, row in enumerate(rows):
            self.index.add(row)
            if number % _TELL == 0 and where is not None:
                self._search.told(f"looking in {where}: {plural(len(self.index), 'session')}")

    def look_around_member(self, member: Member) -> None:
        """List what lies around a member that is in no known place."""
        if member.path is None or member.path == STREAM:
            return
        path = member.path.absolute()
        if not any(_holds(covered, path) for covered in self._covered):
            self._around(path)

    # What was found.

    def row_of(self, tape: Tape, session: str | None) -> Row | None:
        """What the ends of the tape itself told, if it was found by whatever path."""
        identity = tape.identity
        found = self.index.at(identity.path, session)
        if found is None and identity.id is not None:
            mine = place_of(identity.path, session)
            same = self.index.called(identity.id)
            found = next((row for row in same if place_of(row.path, row.session) == mine), None)
        return found

    def generations(self, member: Member) -> list[tuple[Row, str | None]]:
        """The logs of a session in its folder, each with what it is to the one that counts.

        Nothing where it has no folder of its own.
        """
        if member.path is None or member.path == STREAM:
            return []
        path = member.path.absolute()
        known = nearness.generations(path)
        if known is None:
            return []
        current, others = known
        found: list[tuple[Row, str | None]] = []
        for row in find(roots.given([path.with_name(name) for name in (current, *others)])):
            if row.id == member.id and row.problem is None:
                self.index.add(row)
                found.append((row, None if row.path.name == current else GENERATION))
        return found


def place_of(path: Path, session: str | None) -> Place:
    """Where a session is, whatever leads to it: a file is one member, and not one for each link."""
    return os.path.realpath(path), session


def _holds(folder: Path, path: Path) -> bool:
    """Whether a path is within a folder, or is it."""
    return path == folder or folder in path.parents
