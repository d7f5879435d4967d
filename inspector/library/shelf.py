"""The sessions of a list as they stand: in groups, searched as one types, one of them selected.

Rows come in any order and any number of times. Work is in proportion to the rows that are new, but
for one pass over those that are shown, of some milliseconds for twenty thousand, when somebody
looks after a change.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from inspector.library.grouping import Days, Grouping, Heading, headings, order
from inspector.library.row import Row

Identity = tuple[Path, str | None]
"""What a row is of: the path, and which session in it."""

_Key = tuple[Any, ...]

__all__ = ["Counts", "Days", "Grouping", "Heading", "Identity", "Shelf", "identity"]


def identity(row: Row) -> Identity:
    """What a row is of."""
    return row.path, row.session


class Counts(NamedTuple):
    """How much there is: sessions that can be read, rows shown, rows that cannot be read, projects
    and agents, and how many of the rows shown cannot be read.
    """

    sessions: int
    shown: int
    unreadable: int
    projects: int
    agents: int
    shown_unreadable: int = 0


class _Held:
    """A row on the shelf."""

    __slots__ = ("folded", "key", "row")

    def __init__(self, row: Row, key: _Key) -> None:
        self.row = row
        self.key = key
        self.folded: str | None = None

    def holds(self, words: Sequence[str]) -> bool:
        """Whether all words stand in what is known of the row."""
        if self.folded is None:
            row = self.row
            said = (row.title, row.project, row.id, row.session, row.format, str(row.path))
            self.folded = "\n".join(part for part in (*said, row.problem) if part).casefold()
        folded = self.folded
        return all(word in folded for word in words)


class Shelf:
    """The sessions of a list.

    Attributes:
        grouping: by what they stand together.
        words: what is searched for; all must stand in a row, in any case.
        version: another number whenever what is shown may be another.

    Args:
        days: as of now.
        grouping: by what rows stand together.
    """

    def __init__(self, days: Days, grouping: Grouping = Grouping.ACTIVITY) -> None:
        self.grouping = grouping
        self.words = ""
        self.version = 0
        self._days = days
        self._wanted: list[str] = []
        self._held: dict[Identity, _Held] = {}
        self._sorted: list[tuple[_Key, _Held]] = []
        self._fresh: list[tuple[_Key, _Held]] = []
        self._stale = False
        self._selected: Identity | None = None
        self._children: dict[tuple[str | None, str], dict[Identity, None]] = {}
        self._named: dict[tuple[str | None, str], dict[Identity, None]] = {}
        self._projects: Counter[str] = Counter()
        self._agents: Counter[str] = Counter()
        self._unreadable = 0
        self._found_bad = (-1, 0)
        self._laid: tuple[list[int], list[Heading]] | None = None

    # What stands on it.

    def put(self, rows: Iterable[Row]) -> None:
        """Add rows; one of the same path and session takes the place of the one before."""
        for row in rows:
            known = self._held.get(one := identity(row))
            if known is not None:
                if known.row == row:
                    continue
                self._forget(known.row)
                self._stale = True
            held = self._held[one] = _Held(row, order(row, self.grouping))
            self._know(row)
            if not self._wanted or held.holds(self._wanted):
                self._fresh.append((held.key, held))
            self._changed()

    def remove(self, identities: Iterable[Identity]) -> None:
        """Take rows away; the one that follows is selected where the selected one is among them."""
        gone = {one for one in identities if one in self._held}
        if not gone:
            return
        follows = self._row_of(self._selected) if self._selected in gone else None
        behind = [] if follows is None else self._shown[follows:] + self._shown[:follows][::-1]
        for one in gone:
            self._forget(self._held.pop(one).row)
        self._stale = True
        if follows is not None:
            left = (identity(held.row) for _, held in behind if self._stands(held))
            self._selected = next(left, None)
        self._changed()

    @property
    def _shown(self) -> list[tuple[_Key, _Held]]:
        """The rows that are shown, in order; what came or went since is settled now."""
        if self._stale:
            self._sorted = [each for each in self._sorted if self._stands(each[1])]
            self._fresh = [each for each in self._fresh if self._stands(each[1])]
            self._stale = False
        if self._fresh:
            self._sorted += self._fresh
            self._sorted.sort()
            self._fresh = []
        return self._sorted

    def _stands(self, held: _Held) -> bool:
        return self._held.get(identity(held.row)) is held

    def _know(self, row: Row) -> None:
        one = identity(row)
        if row.problem is not None:
            self._unreadable += 1
        if row.format is not None:
            self._agents[row.format] += 1
        if row.project is not None:
            self._projects[row.project] += 1
        if row.id is not None:
            self._named.setdefault((row.format, row.id), {})[one] = None
        if row.parent is not None:
            self._children.setdefault((row.format, row.parent), {})[one] = None

    def _forget(self, row: Row) -> None:
        one = identity(row)
        self._unreadable -= row.problem is not None
        if row.format is not None:
            _less(self._agents, row.format)
        if row.project is not None:
            _less(self._projects, row.project)
        if row.id is not None:
            self._named[row.format, row.id].pop(one, None)
        if row.parent is not None:
            self._children[row.format, row.parent].pop(one, None)

    # How it stands.

    def regroup(self, grouping: Grouping) -> None:
        """Stand the rows together by something else."""
        if grouping is self.grouping:
            return
        self.grouping = grouping
        shown = self._shown
        for held in self._held.values():
            held.key = order(held.row, grouping)
        self._sorted = sorted((held.key, held) for _, held in shown)
        self._changed()

    def search(self, words: str) -> None:
        """Show only rows in which all words stand; all rows where there is no word."""
        self.words = words
        wanted = words.casefold().split()
        if wanted == self._wanted:
            return
        narrower = all(any(word in one for one in wanted) for word in self._wanted)
        before, self._wanted = self._wanted, wanted
        if before and narrower:
            self._sorted = [each for each in self._shown if each[1].holds(wanted)]
        else:
            found = (held for held in self._held.values() if held.holds(wanted))
            self._sorted = sorted((held.key, held) for held in found)
            self._fresh, self._stale = [], False
        self._changed()

    def clock(self, days: Days) -> None:
        """Another day began, or the same goes on."""
        if days != self._days:
            self._days = days
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._laid = None

    # What is shown: lines, each a heading or a row.

    def __len__(self) -> int:
        return len(self._shown) + len(self._layout()[0])

    def line(self, at: int) -> Heading | Row:
        """What a line is.

        Raises:
            IndexError: if there is no such line.
        """
        lines, heads = self._layout()
        before = bisect_right(lines, at)
        if before and lines[before - 1] == at:
            return heads[before - 1]
        if not 0 <= at - before < len(self._shown):
            raise IndexError(at)
        return self._shown[at - before][1].row

    def above(self, at: int) -> list[Heading]:
        """The headings that a line stands under, the outermost first; none of a heading."""
        lines, heads = self._layout()
        before = bisect_right(lines, at)
        if not before or lines[before - 1] == at:
            return []
        found = [heads[before - 1]]
        while found[0].level:
            before -= 1
            if heads[before - 1].level < found[0].level:
                found.insert(0, heads[before - 1])
        return found

    def window(self, start: int, stop: int) -> list[Heading | Row]:
        """Some lines in order, as far as there are so many."""
        return [self.line(at) for at in range(max(0, start), min(stop, len(self)))]

    def line_of(self, one: Identity | None) -> int | None:
        """The line of a row, or None if it is not shown."""
        row = self._row_of(one)
        return None if row is None else self._line(row)

    def _line(self, row: int) -> int:
        """The line of the row that is shown as the so-many-th."""
        lines = self._layout()[0]
        # A heading that is the nth stands above the row whose line would be that less n.
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high) // 2
            if lines[middle] - middle <= row:
                low = middle + 1
            else:
                high = middle
        return row + low

    def _row_of(self, one: Identity | None) -> int | None:
        held = None if one is None else self._held.get(one)
        if held is None:
            return None
        shown = self._shown
        at = bisect_left(shown, held.key, key=lambda each: each[0])
        return at if at < len(shown) and shown[at][1] is held else None

    def _layout(self) -> tuple[list[int], list[Heading]]:
        """The lines of the headings, and what they say."""
        if self._laid is not None:
            return self._laid
        grouping, days, shown = self.grouping, self._days, self._shown
        lines: list[int] = []
        heads: list[Heading] = []
        open_: list[int] = []
        said: tuple[str, ...] = ()
        begun: list[int] = []
        for at, (_, held) in enumerate(shown):
            words = headings(held.row, grouping, days)
            if words == said:
                continue
            same = 0
            while same < len(said) and words[same] == said[same]:
                same += 1
            for level in range(same, len(open_)):
                heads[open_[level]] = heads[open_[level]]._replace(rows=at - begun[level])
            del open_[same:], begun[same:]
            for level in range(same, len(words)):
                lines.append(at + len(lines))
                open_.append(len(heads))
                begun.append(at)
                heads.append(Heading(words[level], 0, level))
            said = words
        for head, start in zip(open_, begun, strict=True):
            heads[head] = heads[head]._replace(rows=len(shown) - start)
        self._laid = lines, heads
        return self._laid

    # The selected row.

    @property
    def selected(self) -> Row | None:
        """The selected row, if it is shown: one that a search leaves out is selected again behind
        it.
        """
        row = self._row_of(self._selected)
        return None if row is None else self._shown[row][1].row

    def select(self, one: Identity | None) -> None:
        """Select a row by what it is of."""
        self._selected = one

    def select_line(self, at: int) -> None:
        """Select the row of a line; of a heading the first one under it."""
        if not self._shown:
            return
        at = min(max(at, 0), len(self) - 1)
        while isinstance(found := self.line(at), Heading):
            at += 1
        self._selected = identity(found)

    def step(self, by: int) -> None:
        """Select a row so many further down, or the last one there; the first if none is."""
        if not self._shown:
            return
        row = self._row_of(self._selected)
        at = 0 if row is None else min(max(row + by, 0), len(self._shown) - 1)
        self._selected = identity(self._shown[at][1].row)

    # What it holds.

    @property
    def counts(self) -> Counts:
        """How much there is."""
        return Counts(
            len(self._held) - self._unreadable,
            len(self._shown),
            self._unreadable,
            len(self._projects),
            len(self._agents),
            self._shown_unreadable(),
        )

    def _shown_unreadable(self) -> int:
        if not self._unreadable or len(self._shown) == len(self._held):
            return self._unreadable
        if self._found_bad[0] != self.version:
            bad = sum(held.row.problem is not None for _, held in self._shown)
            self._found_bad = self.version, bad
        return self._found_bad[1]

    def row(self, one: Identity) -> Row | None:
        """The row of what it is of, shown or not; None if it is not here."""
        held = self._held.get(one)
        return None if held is None else held.row

    def rows(self) -> list[Row]:
        """All rows that are shown, in order."""
        return [held.row for _, held in self._shown]

    def parent(self, row: Row) -> Row | None:
        """The row that a row comes from, if it is here."""
        if row.parent is None:
            return None
        found = self._named.get((row.format, row.parent), {})
        return next((self._held[one].row for one in found if one != identity(row)), None)

    def children(self, row: Row) -> list[Row]:
        """The rows that come from a row, the latest last."""
        if row.id is None:
            return []
        found = self._children.get((row.format, row.id), {})
        rows = [self._held[one].row for one in found if one != identity(row)]
        return sorted(rows, key=lambda child: (child.started or child.last or 0, str(child.path)))

    def child_count(self, row: Row) -> int:
        """How many rows come from a row."""
        if row.id is None:
            return 0
        found = self._children.get((row.format, row.id), {})
        return len(found) - (identity(row) in found)


def _less(counter: Counter[str], what: str) -> None:
    """One less of something; what is not there any more is not counted as a kind."""
    counter[what] -= 1
    if not counter[what]:
        del counter[what]
