"""By what the sessions of a shelf stand together, and under which words."""

from bisect import bisect_right
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from inspector.library.row import Row

NO_PROJECT: Final = "no project"
NO_AGENT: Final = "not readable"
NO_TIME: Final = "no time"

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Grouping(StrEnum):
    """The ways in which rows stand together."""

    ACTIVITY = "last activity"
    AGENT = "agent"
    PROJECT = "project"

    @property
    def next(self) -> "Grouping":
        """The one that follows, round and round."""
        ways = list(Grouping)
        return ways[(ways.index(self) + 1) % len(ways)]


class Heading(NamedTuple):
    """What stands above rows.

    Attributes:
        text: what they have in common; clean.
        rows: how many stand under it.
        level: 0, or 1 under another heading.
    """

    text: str
    rows: int
    level: int = 0


class Days(NamedTuple):
    """When what was is said to have been, seen from now.

    Attributes:
        begins: where each part of time begins, in milliseconds since the epoch, in order.
        words: of each: a year, a month of this or the last year, ``this month``, ``this week``,
            ``yesterday``, ``today``.
    """

    begins: tuple[int, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, now: int, zone: tzinfo | None = None) -> Self:
        """The days as of a time.

        Args:
            now: milliseconds since the epoch.
            zone: in which they begin at midnight; that of the machine unless told. Weeks begin on
                Mondays.
        """
        moment = datetime.fromtimestamp(now / 1000, zone)
        today = moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        year = today.year
        past = [
            (today.replace(year=one, month=1, day=1), str(one)) for one in range(1970, year - 1)
        ]
        months = [
            (today.replace(year=one, month=month, day=1), f"{_MONTHS[month - 1]} {one}")
            for one in (year - 1, year)
            for month in range(1, 13)
            if (one, month) < (year, today.month)
        ]
        # What is nearer is said: the month begins no later than the week, that no later than
        # yesterday.
        yesterday = today - timedelta(days=1)
        week = min(today - timedelta(days=today.weekday()), yesterday)
        month = min(today.replace(day=1), week)
        near = [(month, "this month"), (week, "this week"), (yesterday, "yesterday")]
        parts = [
            (int(begin.timestamp() * 1000), word)
            for begin, word in (*past, *months, *near, (today, "today"))
        ]
        return cls(tuple(begin for begin, _ in parts), tuple(word for _, word in parts))

    def word(self, milliseconds: int | None) -> str:
        """When a time was, in a word or two."""
        if milliseconds is None:
            return NO_TIME
        return self.words[max(0, bisect_right(self.begins, milliseconds) - 1)]


def order(row: Row, grouping: Grouping) -> tuple[Any, ...]:
    """What rows are sorted by: their groups, then the last activity; no two rows have the same."""
    late = (-(row.last or 0), str(row.path), row.session or "")
    if grouping is Grouping.AGENT:
        return row.format is None, row.format or "", *_project(row), *late
    if grouping is Grouping.PROJECT:
        return *_project(row), *late
    return late


def headings(row: Row, grouping: Grouping, days: Days) -> tuple[str, ...]:
    """The headings that a row stands under, the outermost first."""
    if grouping is Grouping.AGENT:
        return row.format or NO_AGENT, row.project or NO_PROJECT
    if grouping is Grouping.PROJECT:
        return (row.project or NO_PROJECT,)
    return (days.word(row.last),)


def _project(row: Row) -> tuple[bool, str, str]:
    """Projects in the order of the alphabet, those that are not known last."""
    project = row.project or ""
    return not project, project.casefold(), project
