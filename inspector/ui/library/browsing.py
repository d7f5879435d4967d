"""A visit to the library: what was found, and what the person has of it before them. Pure; knows no
Textual, and outlasts the screens that show it.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import Final, NamedTuple

from inspector.library.keeping_up import Gone
from inspector.library.roots import Place
from inspector.library.row import Row
from inspector.library.shelf import Days, Grouping, Heading, Identity, Shelf, identity
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.ui.library.drawn import Sought, Tally
from inspector.ui.library.nothing import Looked
from inspector.ui.library.strip import Kin
from inspector.ui.library.words import Standpoint, path_words, title

_MINUTE: Final = 60_000
_LONGEST: Final = 200
"""Characters of the words that are looked for."""

GROUPINGS: Final = {
    Grouping.ACTIVITY: "by last activity",
    Grouping.AGENT: "by agent and project",
    Grouping.PROJECT: "by project",
}
"""What is said of each grouping."""


class Facts(NamedTuple):
    """What the whole of a session tells that its ends do not.

    Attributes:
        bytes: of the session when it was read.
        last: of its row when it was read.
        events: how many there are; None where it cannot be read.
        opens: whether its owner would open it.
        reason: why it would not, or opens a part.
        problem: why it cannot be read.
        title: the owner's; None where it has none, or it cannot be read.
    """

    bytes: int | None
    last: int | None
    events: int | None
    opens: bool | None
    reason: str | None
    problem: str | None = None
    title: str | None = None

    def told_by(self, row: Row) -> Row:
        """A row with these facts."""
        events = self.events if self.events is not None else row.events
        return replace(
            row,
            title=self.title or row.title,
            events=events,
            estimated=row.estimated and self.events is None,
            opens=self.opens,
            reason=self.reason,
            problem=self.problem,
        )


class Browsing:
    """What was found, grouped, searched, and one row of it in hand.

    Attributes:
        shelf: what was found.
        places: where was looked.
        typing: whether the words to look for are being typed.
        top: the first line of the list that is shown.
        message: what is to be said when the library is shown again.
        demo: the tape that is opened where nothing is found.

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
        self._words = ""
        self._touched = False
        self._aside: Identity | None = None
        self._facts: dict[Identity, Facts] = {}

    # What is found.

    def take(self, changes: Iterable[Row | Gone]) -> str:
        """Have what was found, other than before or gone; a word of what is gone."""
        rows, gone = list[Row](), list[Gone]()
        for change in changes:
            if isinstance(change, Gone):
                gone.append(change)
            else:
                rows.append(self._known(change))
        said = ""
        if gone:
            said = self._let_go(gone)
        if rows:
            self.shelf.put(rows)
        if rows or gone:
            self._changed()
        return said

    def _known(self, row: Row) -> Row:
        """A row with the facts that are known of it, unless it changed since."""
        facts = self._facts.get(identity(row))
        if facts is None:
            return row
        if (facts.bytes, facts.last) != (row.bytes, row.last):
            del self._facts[identity(row)]
            return row
        return facts.told_by(row)

    def _let_go(self, gone: Sequence[Gone]) -> str:
        before = self.shelf.selected
        ids: list[Identity] = [(one.path, one.session) for one in gone]
        self.shelf.remove(ids)
        for one in ids:
            self._facts.pop(one, None)
        if before is not None and identity(before) in ids:
            return f"{clean_line(title(before), 80)} is gone"
        return f"{plural(len(ids), 'session')} gone"

    def learn(self, row: Row, facts: Facts) -> None:
        """Have facts of a row, if it is still as it was."""
        if (facts.bytes, facts.last) != (row.bytes, row.last):
            return
        self._facts[identity(row)] = facts
        self.shelf.put([facts.told_by(row)])
        self._changed()

    def knows(self, row: Row) -> bool:
        """Whether there are facts of a row."""
        return identity(row) in self._facts

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
        return Sought(clean_line(self._words), self.typing, self.shelf.counts.shown)

    @property
    def total(self) -> int:
        """Rows that there are, sessions or not."""
        counts = self.shelf.counts
        return counts.sessions + counts.unreadable

    @property
    def grouping(self) -> str:
        """How rows are grouped, in words."""
        return GROUPINGS[self.shelf.grouping]

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
                "empty" if place.there else "not there",
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
