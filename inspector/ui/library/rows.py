"""The lines of the library's page by a visit to it. Knows no Textual."""

from collections.abc import Iterator
from pathlib import Path

from inspector.actions import LIBRARY_SCREEN, by_id
from inspector.library.shelf import Heading
from inspector.ui import footing
from inspector.ui.cells import Cell, Line
from inspector.ui.library import drawn
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.nothing import nothing_lines
from inspector.ui.library.strip import Kin, strip_lines
from inspector.ui.library.words import path_words

SIDE = 3
"""Columns beside a row: the bar of the one in hand, a blank, the scrollbar."""


class LibraryRows:
    """The rows and headings of a visit, and a word where no row says what is looked for."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing

    def count(self) -> int:
        """How many lines there are."""
        return self._browsing.lines or bool(self._browsing.sought.words)

    def line(self, row: int, width: int) -> Line:
        """One of them in ``width`` columns."""
        browsing = self._browsing
        if row >= browsing.lines:
            return (Cell("no session says these words; Esc clears them", "dim"),)
        found = browsing.shelf.line(row)
        if isinstance(found, Heading):
            said = _said(browsing, found)
            return drawn.group_line(said.text, said.rows, said.level, width)
        return drawn.row_line(found, browsing.shelf.child_count(found), width, browsing.at)


def _said(browsing: Browsing, heading: Heading) -> Heading:
    """A heading as a person says it."""
    text = heading.text
    if not text.startswith("/"):
        return heading
    return heading._replace(text=path_words(Path(text), browsing.at))


def top(browsing: Browsing, width: int, first: int | None = None) -> list[Line]:
    """What stands above the list: how much was found, what is looked for, names of columns.

    Args:
        browsing: the visit.
        width: of the screen.
        first: the first line of the list that is shown; that of the visit unless told.
    """
    grouping = "" if browsing.nothing else browsing.grouping
    lines = [drawn.header(browsing.tally, grouping, width)]
    sought = drawn.search_line(browsing.sought, browsing.tally, width)
    if sought is not None:
        lines.append(sought)
    if not browsing.nothing:
        above = browsing.above(browsing.top if first is None else first)
        under = [_said(browsing, heading) for heading in above]
        lines.append((Cell(" "), *drawn.column_names(width - SIDE, under)))
    return lines


def bottom(browsing: Browsing, width: int, most: int) -> list[Line]:
    """The session in hand in full, in so many lines."""
    row = browsing.shelf.selected
    kin = Kin() if row is None else browsing.kin(row)
    as_of = None if row is None else browsing.as_of(row)
    return strip_lines(row, kin, width, most, browsing.at, as_of)


def nothing(browsing: Browsing, width: int) -> Iterator[Line]:
    """The page of a library with nothing in it."""
    return nothing_lines(browsing.looked, width)


_OF_NOTHING = ("library.demo", "library.again", "library.help", "library.quit")
"""Keys that do something where nothing is."""


def footer(browsing: Browsing, width: int, message: str) -> list[Line]:
    """What there is to say, else the keys worth knowing."""
    if message:
        return footing.told(message, (), width)
    if browsing.nothing:
        return [footing.keys(map(by_id, _OF_NOTHING), width)]
    return [footing.keys(LIBRARY_SCREEN, width, ("library.help", "library.quit"))]
