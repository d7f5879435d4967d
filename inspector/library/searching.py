"""Where the relatives of a tape are looked for: near it, in its database, and in known places.

Only the ends of files are looked at, so that thousands may lie there.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.formats.listing import Surroundings
from inspector.formats.opening import database_tellers
from inspector.library import nearness, roots
from inspector.library.family import Looked
from inspector.library.finding import find
from inspector.library.index import Index, Place
from inspector.library.listed import DATABASES
from inspector.library.members import Member
from inspector.library.relations import GENERATION
from inspector.library.roots import Place as Root
from inspector.library.row import Row
from inspector.library.stored import COPIED
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import plural

STREAM: Final = Path("-")
"""The path of a tape that was read from a stream: nothing is near it."""

_FOLDERS: Final = 40
"""Folders of members that are looked into, beside the places that agents keep."""

_SESSIONS: Final = 5_000
"""Folders of sessions in which older logs are looked for."""

_NAME: Final = 80

_TELL: Final = 256
"""Rows between two words about how far the search is."""


class Twin(NamedTuple):
    """What a file is to the one that counts of a session, and the id of that; None where it is as
    good as any other of that id.
    """

    relation: str | None = None
    id: str | None = None


NO_TWIN: Final = Twin()


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
        unlooked: how many members lie in folders that were not looked through.
        unread: what of databases near them is not read, a sentence each, clean.
    """

    def __init__(self, search: Search) -> None:
        self.index = Index()
        self.looked: list[Looked] = []
        self.unlooked = 0
        self.unread: dict[str, None] = {}
        self._tellers: dict[Path, dict[str, list[str]]] = {}
        self._older: dict[str, list[Row]] | None = None
        self._twins: dict[tuple[Path, str], dict[Place, tuple[Row, Twin]]] = {}
        self._denied: dict[str, None] = {}
        self._search = search
        self._covered: list[Path] = []
        self._near_by = nearness.Nearness()

    def look_around(self, tape: Tape) -> None:
        """List what is near a tape, in its database, and where its agent keeps sessions."""
        path = tape.identity.path
        if path == STREAM:
            self._look(self._roots(tape))
            return
        known = self._roots(tape)
        outside = [
            one
            for one in _paths(path)
            if not any(root.there and _holds(root.path, one) for root in known)
        ]
        for one in outside:
            self._near(one)
        self._look(known)
        if outside:
            self._rows_of([path.absolute()])

    def _roots(self, tape: Tape) -> list[Root]:
        owner = tape.identity.format
        return [root for root in roots.known(self._search.surroundings) if owner in root.owners]

    def _look(self, places: Sequence[Root]) -> None:
        for place in places:
            said = place.said_by[0] if place.said_by else None
            self.looked.append(Looked(place.path, place.there, said))
            if place.there:
                self._covered.append(place.path.absolute())
                at = len(self.looked) - 1
                self._take(find([place], going=self._search.going), place.path)
                if os.path.abspath(place.path) in self._denied:  # noqa: PTH100 - as above
                    self.looked[at] = self.looked[at]._replace(denied=True)

    def _near(self, path: Path) -> None:
        """What lies beside a tape that is in no known place."""
        of_days = nearness.days(path)
        if of_days is not None:
            self._look([Root(of_days, given=True)])
            self._look([Root(kept, given=True) for kept in nearness.archives(of_days)])
            return
        through = self._near_by.looked_through(path)
        self._around(path)
        refused = self._refused()
        found = [Looked(folder, denied=folder in refused) for folder in through]
        self.looked += (one for one in found if one not in self.looked)

    def _around(self, path: Path) -> None:
        """What lies in a tape's folder, once for each, and in the folder of its name."""
        near = self._near_by
        if near.folders < _FOLDERS:
            self._rows_of(near.beside(path))
        elif not near.is_told(path):
            self.unlooked += 1
        self._rows_of(near.below(path))

    def _rows_of(self, paths: Iterable[Path]) -> None:
        places = roots.given(paths)
        if places:
            self._take(find(places, going=self._search.going), None)

    def _take(self, rows: Iterable[Row], where: Path | None) -> None:
        for number, row in enumerate(rows):
            self.index.add(row)
            self._mind(row)
            if number % _TELL == 0 and where is not None:
                self._search.told(f"looking in {where}: {plural(len(self.index), 'session')}")

    def _mind(self, row: Row) -> None:
        """Remember what a row says of what is not read, and may hold relatives."""
        if row.problem is None:
            return
        if is_denied(row.problem):
            self._denied[os.path.abspath(row.place)] = None  # noqa: PTH100 - as it is named
        elif _is_written(row.path):
            self.unread[f"{clean_line(row.path.name, _NAME)}: {row.problem}"] = None

    def look_around_member(self, member: Member) -> None:
        """List what lies around a member that is in no known place."""
        if member.path is None or member.path == STREAM:
            return
        for path in _paths(member.path):
            if not any(_holds(covered, path) for covered in self._covered):
                self._around(path)

    # What was found.

    @property
    def uncopied(self) -> int:
        """How many databases are not looked into: they are being written, and too large."""
        return self._near_by.uncopied

    @property
    def denied(self) -> int:
        """How many files and folders may not be read."""
        return len({*self._denied, *map(os.fspath, self._refused())})

    def _refused(self) -> list[Path]:
        return [path for path, why in self._near_by.refused.items() if is_denied(why)]

    def row_of(self, tape: Tape, session: str | None) -> Row | None:
        """What the ends of the tape itself tell, whatever path leads to it; of a log that does not
        count in its folder, and is in no list, as well.
        """
        path = tape.identity.path
        if path == STREAM:
            return None
        if self.index.at(path, session) is None:
            self._rows_of([path.absolute()])
        return self.index.at(path, session)

    def older(self, name: str) -> list[Row]:
        """The logs of an id that do not count in the folders of their sessions.

        They are looked for only where no log that counts is of that id.
        """
        if self._older is None:
            self._older = defaultdict(list)
            current = {row.path.absolute() for row in self.index.rows() if row.session is None}
            files = [
                path.with_name(name)
                for path in islice(sorted(current), _SESSIONS)
                for name in (self._near_by.generations(path) or ("", []))[1]
            ]
            for row in find(roots.given(files), going=self._search.going):
                if row.id is not None and row.problem is None:
                    self._older[row.id].append(row)
        found = self._older.get(name, [])
        for row in found:
            self.index.add(row)
        return found

    def tellers(self, member: Member) -> list[Row]:
        """The sessions of a member's database that tell of it, whatever it says of them."""
        if member.session is None or member.id is None or member.path is None:
            return []
        path = Path(os.path.realpath(member.path))
        told = self._tellers.get(path)
        if told is None:
            told = self._tellers[path] = {}
            with suppress(SourceError):
                for teller, other in database_tellers(path, COPIED):
                    told.setdefault(other, []).append(teller)
        return [
            row
            for teller in dict.fromkeys(told.get(member.id, ()))
            for row in self.index.called(teller)
            if self.index.place_of(row.path, row.session) == (os.fspath(path), teller)
        ]

    def generations(self, member: Member) -> dict[Place, tuple[Row, Twin]]:
        """The logs of a session in its folder, each with what it is to the one that counts.

        Nothing where it has no folder of its own. It is the same for all that lie in one.
        """
        if member.path is None or member.path == STREAM:
            return {}
        path = member.path.absolute()
        key = path.parent, nearness.kind(path.name)
        found = self._twins.get(key)
        if found is None:
            found = self._twins[key] = {
                self.index.place_of(row.path, row.session): (row, twin)
                for row, twin in self._generations(path)
            }
        return found

    def _generations(self, path: Path) -> Iterator[tuple[Row, Twin]]:
        current, others = self._near_by.generations(path) or ("", [])
        if not others:
            return
        files = [path.with_name(name) for name in (current, *others)]
        rows = []
        for row in find(roots.given(files)):
            self._mind(row)
            if row.problem is None:
                rows.append(row)
        counts = next((row.id for row in rows if row.path.name == current), None)
        for row in rows:
            if row.id != counts and (counts is None or row.id is None):
                continue
            self.index.add(row)
            same = nearness.unpacked(row.path.name) == nearness.unpacked(current)
            yield row, NO_TWIN if same else Twin(GENERATION, counts)


def is_denied(problem: str) -> bool:
    """Whether a file or folder is there and may not be read, by the reason that its row gives."""
    return "permission denied" in problem.casefold()


def _paths(path: Path) -> list[Path]:
    """Where a tape lies: by the path that leads to it, and where a link on it leads."""
    return list(dict.fromkeys((path.absolute(), Path(os.path.realpath(path)))))


def _is_written(path: Path) -> bool:
    """Whether a path is a database that is being written, or was when its agent ended."""
    return path.suffix in DATABASES and os.path.lexists(f"{path}-wal")


def _holds(folder: Path, path: Path) -> bool:
    """Whether a path is within a folder, or is it."""
    return path == folder or folder in path.parents
