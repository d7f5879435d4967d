"""The session in hand in full, below the list. Knows no Textual."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from inspector.library.naming import name
from inspector.library.row import Row
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, size
from inspector.ui.cells import Cell, Line, broken
from inspector.ui.library.words import (
    Standpoint,
    agent,
    ago,
    dated,
    events_in_words,
    path_words,
    project_words,
    relation_word,
    verdict_word,
)

_NAMED: Final = 3
"""Children that are named."""

_NAME: Final = 48
"""Characters of its title."""

_HEIGHTS: Final = ((36, 7), (28, 6), (22, 5), (16, 3), (13, 1), (0, 0))
"""Lines of the strip on a terminal of so many lines."""


class Kin(NamedTuple):
    """What of the family of a session is in the library.

    Attributes:
        parent: the session that it comes from, where it is there.
        children: those that come from it.
    """

    parent: Row | None = None
    children: Sequence[Row] = ()


def height(lines: int) -> int:
    """Lines that the strip takes of a terminal of so many."""
    return next(taken for least, taken in _HEIGHTS if lines >= least)


def strip_lines(
    row: Row | None,
    kin: Kin,
    width: int,
    most: int,
    at: Standpoint,
    as_of: int | None = None,
) -> list[Line]:
    """The session in hand in at most so many lines, the most telling first; always that many.

    Args:
        row: the session.
        kin: its family.
        width: of the screen.
        most: lines.
        at: from where it is looked at.
        as_of: the events up to which it was read, where it grew since.
    """
    found: list[Line] = []
    if row is not None:
        for line, lines in _told(row, kin, at, as_of):
            room = most - len(found)
            if room <= 0:
                break
            # Where there is room for little, nothing takes a second line of it.
            broad = 1 if most < 6 else lines
            found += [(Cell(" "), *part) for part in broken(line, width - 2, min(broad, room))]
    return found + [()] * (most - len(found))


def _told(row: Row, kin: Kin, at: Standpoint, as_of: int | None) -> Iterator[tuple[Line, int]]:
    """What there is to say, and how many lines each may take."""
    verdict, tone = verdict_word(row)
    if verdict and (row.opens is not True or row.reason):
        yield (Cell(verdict, tone),), 2
    if row.problem is None:
        yield (Cell(name(row), "strong" if row.title else "dim"),), 1
    where: Line = (Cell(path_words(row.path, at), "text"),)
    if row.session is not None:
        where = (*where, Cell(f"  session {clean_line(row.session, 120)}", "dim"))
    yield where, 2
    facts = _facts(row, at, as_of)
    if facts:
        yield (Cell(" · ".join(facts), "dim"),), 1
    family = _family(row, kin)
    if family:
        yield family, 1
    times = _times(row, at)
    if times:
        yield (Cell(times, "dim"),), 1


def _facts(row: Row, at: Standpoint, as_of: int | None) -> list[str]:
    project = project_words(row.project, at)
    return [
        *([agent(row)] if row.format else []),
        *([events_in_words(row)] if row.events is not None else []),
        *([size(row.bytes)] if row.bytes is not None else []),
        *(["opens"] if row.opens and not row.reason else []),
        *([f"read up to {plural(as_of, 'event')}"] if as_of is not None else []),
        *([f"in {project}"] if project else []),
        *([f"id {clean_line(row.id, 80)}"] if row.id else []),
    ]


def _times(row: Row, at: Standpoint) -> str:
    started, last = dated(row.started, at.zone), dated(row.last, at.zone)
    when = ago(row.last, at)
    about = f" ({when})" if when and when != "just now" else ""
    if started and last:
        return f"{started} – {last}{about}"
    if last:
        return f"last {last}{about}"
    return f"started {started}" if started else ""


def _family(row: Row, kin: Kin) -> Line:
    cells: list[Cell] = []
    word = relation_word(row)
    if word:
        cells.append(Cell(f"↳ {word}", "summary"))
        if kin.parent is not None:
            cells.append(Cell(f" of {name(kin.parent)}", "text"))
        elif row.parent is not None:
            named = clean_line(row.parent, 60)
            cells.append(Cell(f" of {named}, which is not here", "dim"))
    if kin.children:
        named = ", ".join(_child(child) for child in kin.children[:_NAMED])
        more = len(kin.children) - _NAMED
        rest = f" and {count(more)} more" if more > 0 else ""
        words = plural(len(kin.children), "child", "children")
        cells.append(Cell(f"{'  ' if cells else ''}{words}: ", "summary"))
        cells.append(Cell(f"{named}{rest}", "text"))
    return tuple(cells)


def _child(row: Row) -> str:
    called = name(row)
    short = called if len(called) <= _NAME else f"{called[: _NAME - 1]}…"
    return f"{relation_word(row)} {short}"
