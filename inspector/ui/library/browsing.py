"""A visit to the library: what was found, and what the person has of it before them. Pure; knows no
Textual, and outlasts the screens that show it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Final, NamedTuple

from inspector.library.keeping_up import Gone
from inspector.library.naming import name
from inspector.library.roots import Place
from inspector.library.row import Row
from inspector.library.shelf import Days, Grouping, Heading, Identity, Shelf, identity
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.ui.library.drawn import Sought, Tally
from inspector.ui.library.learned import Facts, Learned
from inspector.ui.library.nothing import Looked
from inspector.ui.library.strip import Kin
from inspector.ui.library.words import Standpoint, path_words

_MINUTE: Final = 60_000
_SAID: Final = 6_000
"""Milliseconds for which it is said that something is gone."""

_LONGEST: Final = 200
"""Characters of the words that are looked for."""

GROUPINGS: Final = {
    Grouping.ACTIVITY: "by last activity",
    Grouping.AGENT: "by agent and project",
    Grouping.PROJECT: "by project",
}
"""What is said of each grouping."""


class _Lost(NamedTuple):
    """What is said of what is gone, what that is, and when it was said."""

    words: str
    what: frozenset[Identity]
    said: int


class Browsing:
    """What was found, grouped, searched, and one row of it in hand.

    Attributes:
        shelf: what was found.
        places: where was looked.
        typing: whether the words to look for are being typed.
        top: the first line of the list that is shown.
        message: what is to be said when the library is shown again.
        demo: the tape that is opened where nothing is found.
        found_there: by place, what was there at the last look: ``empty``, ``not there`` …

    Args:
        places: where is looked.
        now: the clock, in milliseconds since the epoch.
        zone: of the times shown; None is the machine's own.
        home: the person's folder.
        demo: the tape that is opened where nothing is found.
    """

    def __init__(
        self,
        places: Sequence[Place],
        now: Callable[[], int],
        zone: tzinfo | None,
        home: Path | None,
        demo: Path,
    ) -> None:
        self._now, self._zone, self._home = now, zone, home
        self.at = Standpoint(now(), zone, home)
        self.shelf = Shelf(Days.of(self.at.now, zone))
        self.places = places
        self.demo = demo
        self.typing = False
        self.top = 0
        self.message = ""
        self.looking: Path | None = None
        self.done = False
        self.trouble = ""
        self.found_there: Mapping[Path, str] = {}
        self._gone: _Lost | None = None
        self._words = ""
        self._touched = False
        self._aside: Identity | None = None
        self._learned = Learned()

    # What is found.

    def take(self, changes: Iterable[Row | Gone]) -> str:
        """Have what was found, other than before or gone; a word of the sessions that are gone."""
        # Of what came and went meanwhile only what became of it counts.
        last = {(change.path, change.session): change for change in changes}
        gone = [change for change in last.values() if isinstance(change, Gone)]
        rows = [self._learned.told(change) for change in last.values() if isinstance(change, Row)]
        said = self._let_go(gone) if gone else ""
        if rows:
            self.shelf.put(rows)
        if rows or gone:
            self._changed()
        return said

    def _let_go(self, gone: Sequence[Gone]) -> str:
        before = self.shelf.selected
        ids: list[Identity] = [(one.path, one.session) for one in gone]
        sessions = frozenset(one for one in ids if _is_session(self.shelf.row(one)))
        self.shelf.remove(ids)
        for one in ids:
            self._learned.forget(one)
        if len(sessions) < len(ids):
            # A folder may be listed by now, and what is in it read.
            self.forget_problems()
        if before is not None and identity(before) in ids:
            what = frozenset({identity(before)})
            # What could not be read may be there still, and be read.
            became = "gone" if _is_session(before) else "not listed any more"
            said = f"{clean_line(name(before), 80)} is {became}"
        elif sessions:
            what, said = sessions, f"{plural(len(sessions), 'session')} gone"
        else:
            return ""
        self._gone = _Lost(said, what, self._now())
        return said

    def is_over(self, message: str) -> bool:
        """Whether a message is one of what is gone, and that is there again, or was said for some
        seconds.
        """
        gone = self._gone
        if gone is None or message != gone.words:
            return False
        return self._now() - gone.said >= _SAID or any(map(self.shelf.row, gone.what))

    def learn(self, row: Row, facts: Facts) -> None:
        """Have facts of a row as it was when it was read, unless it is another one by now."""
        shown = self.shelf.row(identity(row))
        told = None if shown is None else self._learned.learn(row, facts, shown)
        if told is not None:
            self.shelf.put([told])
            self._changed()

    def forget_problems(self) -> int:
        """Have what could not be read as it was found, as it may be read by now; how many rows."""
        found = self._learned.forget_problems()
        there = [row for row in found if self.shelf.row(identity(row)) is not None]
        if there:
            self.shelf.put(there)
            self._changed()
        return len(there)

    def found(self, row: Row) -> Row:
        """A row as it was found, whatever was learned of it since."""
        return self._learned.found(row)

    def knows(self, row: Row) -> bool:
        """Whether there are facts of a row as it is; why it could not be read is none."""
        return self._learned.knows(row)

    def as_of(self, row: Row) -> int | None:
        """The events up to which a row that grew since was read; None of any other."""
        return self._learned.as_of(row)

    def _changed(self) -> None:
        """Have a row in hand: the first one until the person takes another."""
        if not self._touched or self.shelf.selected is None:
            self.shelf.select_line(0)

    def pass_time(self) -> None:
        """Have the time that it is now; days go on as well."""
        now = self._now()
        if now // _MINUTE != self.at.now // _MINUTE:
            self.at = self.at._replace(now=now)
            self.shelf.clock(Days.of(now, self._zone))

    # What is shown.

    @property
    def state(self) -> Hashable:
        """What the rows depend on."""
        return self.shelf.version, self.at.now // _MINUTE

    @property
    def lines(self) -> int:
        """How many lines the list has."""
        return len(self.shelf)

    @property
    def line(self) -> int | None:
        """The line of the row in hand; None where none is."""
        row = self.shelf.selected
        return None if row is None else self.shelf.line_of(identity(row))

    @property
    def nothing(self) -> bool:
        """Whether all was looked at and nothing is there."""
        counts = self.shelf.counts
        return self.done and not counts.sessions and not counts.unreadable

    @property
    def tally(self) -> Tally:
        """How much was found."""
        counts = self.shelf.counts
        looking = None
        if not self.done:
            looking = "" if self.looking is None else self._place_of(self.looking)
        return Tally(counts.sessions, counts.agents, counts.unreadable, looking, self.trouble)

    def _place_of(self, path: Path) -> str:
        """The place in which a path was found."""
        holding = (place.path for place in self.places if path.is_relative_to(place.path))
        return path_words(next(holding, path.parent), self.at)

    @property
    def sought(self) -> Sought:
        """What is looked for."""
        counts = self.shelf.counts
        bad = counts.shown_unreadable
        return Sought(clean_line(self._words), self.typing, counts.shown - bad, bad)

    @property
    def grouping(self) -> str:
        """How rows are grouped, in words."""
        return GROUPINGS[self.shelf.grouping]

    def above(self, line: int) -> list[Heading]:
        """The headings out of sight that a line of the list stands under."""
        return self.shelf.above(line) if 0 < line < self.lines else []

    def kin(self, row: Row) -> Kin:
        """What of the family of a row is there."""
        return Kin(self.shelf.parent(row), self.shelf.children(row))

    @property
    def looked(self) -> list[Looked]:
        """Where was looked, and what is there."""
        return [
            Looked(
                ", ".join(place.owners) or "given",
                path_words(place.path, self.at),
                ", ".join(place.said_by) or None,
                self.found_there.get(place.path, "empty" if place.there else "not there"),
            )
            for place in self.places
        ]

    # What the person does.

    def move(self, rows: int) -> None:
        """Take the row in hand that is so many rows further."""
        self._touch()
        self.shelf.step(rows)

    def edge(self, end: int) -> None:
        """Take the first or the last row in hand."""
        self.move(self.lines if end else -self.lines)

    def pick(self, line: int) -> bool:
        """Take the row of a line in hand; False of a heading."""
        if line >= self.lines or isinstance(self.shelf.line(line), Heading):
            return False
        self._touch()
        self.shelf.select_line(line)
        return True

    def _touch(self) -> None:
        self._touched, self._aside = True, None

    def heading(self, direction: int) -> bool:
        """Take the first row of the next or previous group in hand; False if there is none."""
        at = self.line
        if at is None:
            return False
        if direction < 0:
            # The heading of this group is no other one.
            at = self._heading_from(at, -1) or 0
        found = self._heading_from(at, direction)
        if found is None:
            return False
        self._touch()
        self.shelf.select_line(found)
        return True

    def _heading_from(self, line: int, direction: int) -> int | None:
        stop = self.lines if direction > 0 else -1
        for at in range(line + direction, stop, direction):
            if isinstance(self.shelf.line(at), Heading):
                return at
        return None

    def regroup(self, direction: int) -> None:
        """Group in the next way, or in the one before."""
        ways = list(GROUPINGS)
        at = ways.index(self.shelf.grouping) + direction
        self.shelf.regroup(ways[at % len(ways)])
        self._changed()

    def write(self, text: str) -> None:
        """Look for these words as well."""
        self._search((self._words + text)[:_LONGEST])

    def erase(self, how: str) -> None:
        """Take a letter, a word or all of what was written."""
        words = self._words
        if how == "letter":
            words = words[:-1]
        elif how == "word":
            words = words.rstrip().rpartition(" ")[0]
            words = f"{words} " if words else ""
        else:
            words = ""
        self._search(words)

    def clear(self) -> bool:
        """Look for nothing any more; False if nothing was looked for."""
        was = self.typing or bool(self._words)
        self.typing = False
        self._search("")
        return was

    def _search(self, words: str) -> None:
        if words == self._words:
            return
        before = self.shelf.selected
        if before is not None and not self._words and self._touched:
            self._aside = identity(before)
        self._words = words
        self.shelf.search(words)
        if not words and self._aside is not None:
            # Whoever only looked finds the list as it was.
            self.shelf.select(self._aside)
        self._changed()


def _is_session(row: Row | None) -> bool:
    """Whether a row is one of a session; one that came and went was never seen."""
    return row is None or row.problem is None or row.format is not None
