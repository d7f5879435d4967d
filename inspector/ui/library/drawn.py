"""A page of the library as cells: its header, its columns, the rows. Knows no Textual.

The first frame and the screen draw the same lines.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from inspector.export.fitting import fit, width_of
from inspector.library.naming import UNTITLED, short_id
from inspector.library.row import Row
from inspector.library.shelf import Heading
from inspector.text.labels import count, plural, size
from inspector.ui.cells import Cell, Line, between, cut
from inspector.ui.library.words import (
    Standpoint,
    agent,
    ago,
    event_count,
    kin_words,
    path_words,
    project_words,
    verdict_word,
)

_GAP: Final = 2
"""Blanks between two columns."""

_INLINE: Final = 0.6
_INLINE_UNREADABLE: Final = 0.5
"""The part of a title's column that a verdict takes at the most, where it has none of its own."""


class Column(NamedTuple):
    """A column: its name, its width, and whether it stands at the right of it."""

    name: str
    width: int
    right: bool = False


_WIDE: Final = (
    Column("project", 28),
    Column("agent", 8),
    Column("size", 8, True),
    Column("events", 8, True),
    Column("last", 15),
    Column("family", 15),
    Column("verdict", 30),
)
_MIDDLE: Final = (
    Column("project", 18),
    Column("agent", 8),
    Column("size", 8, True),
    Column("events", 7, True),
    Column("last", 15),
    Column("family", 11),
)
_CLOSE: Final = (
    Column("project", 14),
    Column("agent", 8),
    Column("events", 7, True),
    Column("last", 15),
    Column("family", 11),
)
_NARROW: Final = (
    Column("agent", 8),
    Column("events", 6, True),
    Column("last", 15),
    Column("family", 10),
)
_SLIM: Final = (Column("last", 15),)

_LAYOUTS: Final = ((165, _WIDE), (100, _MIDDLE), (86, _CLOSE), (70, _NARROW), (0, _SLIM))
"""The columns of a width, behind that of titles."""


def columns(width: int) -> tuple[Column, ...]:
    """The columns that so many columns of a terminal have room for; the first is the title's."""
    rest = next(found for least, found in _LAYOUTS if width >= least)
    taken = sum(column.width + _GAP for column in rest)
    return (Column("title", max(8, width - taken)), *rest)


def column_names(width: int, above: Sequence[Heading] = ()) -> Line:
    """The line above the rows; in the place of the first name stand the headings that the first row
    is under, where they are out of sight.
    """
    first, *rest = columns(width)
    names = (" " * _GAP + fit(one.name, one.width, right=one.right) for one in rest)
    return (*_first_name(above, first), Cell("".join(names).rstrip(), "faint"))


def _first_name(above: Sequence[Heading], column: Column) -> Line:
    if not above:
        return (Cell(fit(column.name, column.width), "faint"),)
    text = " › ".join(heading.text for heading in above)
    return _padded(group_line(text, above[-1].rows, 0, column.width), column.width)


def row_line(row: Row, children: int, width: int, at: Standpoint) -> Line:
    """A session in ``width`` columns; ``children`` name it as the one that they come from."""
    shown = columns(width)
    texts = [_field(column, row, children, at) for column in shown[1:]]
    first, rest = shown[0].width, list(zip(shown[1:], texts, strict=True))
    if _is_bad(row):
        # What went wrong takes the room of what is not known because of it.
        while rest and not rest[0][1][0]:
            first += _GAP + rest.pop(0)[0].width
    has_verdict = bool(rest) and rest[-1][0].name == "verdict"
    cells = list(_title(row, first, at, inline=not has_verdict))
    for column, (text, tone) in rest:
        cells.append(Cell(" " * _GAP))
        cells.append(Cell(fit(text, column.width, right=column.right), tone))
    return tuple(cells)


def _is_bad(row: Row) -> bool:
    return row.problem is not None or row.opens is False


def _title(row: Row, width: int, at: Standpoint, *, inline: bool) -> Line:
    """What a session is called, and behind it the verdict where that has no column of its own."""
    verdict, tone = verdict_word(row)
    if not (inline and _is_bad(row)):
        return _padded(_name(row, width, at), width)
    most = _INLINE if row.problem is None else _INLINE_UNREADABLE
    least = max(width - width_of(verdict) - _GAP, int(width * (1 - most)))
    first = cut(_name(row, least, at), max(1, least))
    used = sum(width_of(cell.text) for cell in first)
    said = fit(verdict, width - used - _GAP).rstrip()
    return _padded((*first, Cell(" " * _GAP), Cell(said, tone)), width)


def _name(row: Row, width: int, at: Standpoint) -> Line:
    """The title of a session, or that it has none and its id; the path of what is no session."""
    if row.problem is not None and row.format is None:
        return (Cell(_place(path_words(row.path, at), width), "dim"),)
    if row.title:
        return (Cell(row.title, "dim" if _is_bad(row) else "text"),)
    return (Cell(f"{UNTITLED} ", "dim"), Cell(short_id(row), "faint"))


def _place(path: str, width: int) -> str:
    """A path by its last names, as many as there is room for: alike ones are told apart by them."""
    if width_of(path) <= width:
        return path
    *folders, shown = path.split("/")
    if width_of(shown) + width_of(_BEFORE) > width:
        return shown
    while folders and width_of(folders[-1]) + 1 + width_of(shown) + width_of(_BEFORE) <= width:
        shown = f"{folders.pop()}/{shown}"
    return f"{_BEFORE}{shown}"


_BEFORE: Final = "…/"
"""What stands for the names that a path begins with."""


def _padded(line: Line, width: int) -> Line:
    shown = cut(line, width)
    gap = width - sum(width_of(cell.text) for cell in shown)
    return (*shown, Cell(" " * gap)) if gap > 0 else shown


def _field(column: Column, row: Row, children: int, at: Standpoint) -> tuple[str, str]:
    match column.name:
        case "project":
            return _tail(project_words(row.project, at), column.width), "dim"
        case "agent":
            return agent(row), "assistant"
        case "size":
            return ("" if row.bytes is None else size(row.bytes)), "faint"
        case "events":
            return event_count(row.events, row.estimated), "dim" if row.estimated else "text"
        case "last":
            return ago(row.last, at), "dim"
        case "family":
            return kin_words(row, children, column.width), "summary"
    return verdict_word(row)


def _tail(path: str, width: int) -> str:
    """The end of a path: it says more than its beginning."""
    if width_of(path) <= width:
        return path
    while path and width_of(path) > width - 1:
        path = path[max(1, len(path) - width) :] if len(path) > width else path[1:]
    return f"…{path}"


def group_line(name: str, sessions: int, level: int, width: int) -> Line:
    """The heading of a group, and how many sessions it holds."""
    number = f"  {count(sessions)}"
    shown = cut((Cell(f"{'  ' * level}{name}", "accent" if level else "strong"),), width - 10)
    return (*shown, Cell(number, "faint"))


class Tally(NamedTuple):
    """What the header says of the whole library.

    Attributes:
        sessions: rows that are sessions.
        agents: formats that they are of.
        unreadable: rows that are none.
        looking: where is looked at the moment; None where all was looked at.
        trouble: what went wrong with looking; empty where nothing did.
    """

    sessions: int
    agents: int
    unreadable: int
    looking: str | None = None
    trouble: str = ""


def header(tally: Tally, grouping: str, width: int) -> Line:
    """The first line: how much was found, and whether that is all."""
    right = (Cell(f"{grouping} ", "dim"),)
    for brief in range(_BRIEFEST + 1):
        left = _found(tally, brief)
        if sum(width_of(cell.text) for cell in (*left, *right)) < width:
            return between(left, right, width)
    return cut(left, width)


_BRIEFEST: Final = 3
"""How often the header may be told in fewer words."""


def _found(tally: Tally, brief: int) -> Line:
    """How much was found, in fewer words the briefer it must be."""
    agents = f" · {plural(tally.agents, 'agent')}" if tally.agents and brief < 2 else ""
    cells = [Cell(" LIBRARY ", "head"), Cell(f" {plural(tally.sessions, 'session')}{agents}")]
    if tally.unreadable:
        cells.append(Cell(f" · {count(tally.unreadable)} unreadable", "notice"))
    if tally.trouble:
        cells.append(Cell(f" · {tally.trouble}", "error"))
    if tally.looking is not None:
        where = f" in {tally.looking}" if tally.looking and not brief else ""
        cells.append(Cell(f" · looking{where} …" if brief < _BRIEFEST else " …", "notice"))
    return tuple(cells)


class Sought(NamedTuple):
    """What is looked for: the words, whether they are still typed, how many sessions say them, and
    how many of what cannot be read.
    """

    words: str = ""
    typing: bool = False
    found: int = 0
    unreadable: int = 0


def search_line(sought: Sought, tally: Tally, width: int) -> Line | None:
    """The words that are looked for, and how many say them of those that the header counts; None
    where none are.
    """
    if not (sought.typing or sought.words):
        return None
    caret = (Cell(" ", "head"),) if sought.typing else ()
    hint = "type words; Enter keeps them, Esc clears" if sought.typing else "Esc clears"
    found = _matches(sought, tally, width)
    room = max(4, width - len(found) - 4)
    words = sought.words
    while width_of(words) > room - 3:
        words = words[1:]
    left: Line = (Cell(" /", "accent"), Cell(words, "strong"), *caret)
    if width > width_of(words) + len(found) + len(hint) + 10:
        left = (*left, Cell(f"   {hint}", "faint"))
    tone = "accent" if sought.found or sought.unreadable else "notice"
    return between(left, (Cell(f"{found} ", tone),), width)


def _matches(sought: Sought, tally: Tally, width: int) -> str:
    """How many say the words, in the terms of the header."""
    found = f"{count(sought.found)} of {plural(tally.sessions, 'session')}"
    if sought.unreadable:
        found = f"{found} · {count(sought.unreadable)} of {count(tally.unreadable)} unreadable"
    return found if len(found) <= width // 2 else f"{count(sought.found + sought.unreadable)} found"
