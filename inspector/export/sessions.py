"""The sessions that were found: a document for scripts, and a table for people."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from inspector.export.fitting import fit, width_of
from inspector.library.naming import UNTITLED, short_id
from inspector.library.row import Row
from inspector.text.gate import clean_line
from inspector.text.labels import count, size, stamp

NARROW: Final = 100
"""Columns below which the project is left out, and the year."""

_PROJECT: Final = 20
_TITLE: Final = 48
"""Columns of a project, and up to which titles are padded where no terminal says how many fit."""


def document(row: Row) -> dict[str, Any]:
    """A row for scripts; times are UTC."""
    verdict = None
    if row.format is not None:
        verdict = {"owner": row.format, "opens": row.opens, "reason": row.reason, "event": None}
    return {
        "path": str(row.path),
        "session": row.session,
        "format": row.format,
        "id": row.id,
        "title": row.title or None,
        "project": row.project,
        "started": stamp(row.started),
        "last": stamp(row.last),
        "bytes": row.bytes,
        "events": row.events,
        "events_estimated": row.estimated,
        "parent": row.parent,
        "relation": row.relation,
        "verdict": verdict,
        "problem": row.problem,
    }


def newest_first(rows: Iterable[Row]) -> list[Row]:
    """Rows by their last activity."""
    return sorted(rows, key=lambda row: (-(row.last or 0), str(row.path), row.session or ""))


def table(
    rows: Sequence[Row],
    columns: int | None,
    home: Path | None = None,
    zone: tzinfo | None = None,
) -> Iterator[str]:
    """Rows in columns: last activity, agent, events, bytes, project, title, path.

    Each is one line. Where a terminal has few columns the project is left out, then the bytes, the
    events, the agent, the path and the time; what a session is about stays.

    Args:
        rows: in order.
        columns: of the terminal; None where nothing is cut.
        home: of the person: written as ``~``.
        zone: of the times; that of the machine unless told.
    """
    narrow = columns is not None and columns < NARROW
    lines = [_cells(row, home, zone, narrow=narrow) for row in rows]
    widths = [max(map(width_of, cells), default=0) for cells in zip(*lines, strict=True)]
    if not widths:
        return
    if columns is None:
        yield from (_uncut(cells, widths) for cells in lines)
        return
    left = _drop(widths, columns, narrow=narrow)
    for row, cells in zip(rows, lines, strict=True):
        shown = [
            fit(cell, width, right=at in _RIGHT)
            for at, (cell, width) in enumerate(zip(cells[:_AT_TITLE], widths, strict=False))
            if width
        ]
        shown += _about(row, cells, widths, left)
        yield "  ".join(shown).rstrip()


_AT_TIME, _AT_AGENT, _AT_EVENTS, _AT_BYTES, _AT_PROJECT, _AT_TITLE, _AT_PATH = range(7)
"""The places of columns."""

_RIGHT: Final = frozenset({_AT_EVENTS, _AT_BYTES})
_DROPPED: Final = (_AT_PROJECT, _AT_BYTES, _AT_EVENTS, _AT_AGENT, _AT_PATH, _AT_TIME)
"""Columns that align right, and those that are left out where there is no room, in this order."""

_ROOM: Final = 32
_ALONE: Final = 16
"""Columns that a title and a path take at the least, and a title without one."""


def _uncut(cells: Sequence[str], widths: Sequence[int]) -> str:
    """A line that goes elsewhere than to a terminal."""
    most = {_AT_PROJECT: _PROJECT, _AT_TITLE: _TITLE}
    shown = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (min(width, most.get(at, width)) - width_of(cell))
        shown.append(blanks + cell if at in _RIGHT else cell + blanks)
    return "  ".join(each for each, width in zip(shown, widths, strict=True) if width).rstrip()


def _drop(widths: list[int], columns: int, *, narrow: bool) -> int:
    """Leave out columns until there is room for what sessions are about.

    Returns:
        The columns for titles and paths.
    """
    widths[_AT_PROJECT] = 0 if narrow else min(widths[_AT_PROJECT], _PROJECT)
    for at in _DROPPED:
        left = columns - sum(width + 2 for width in widths[:_AT_TITLE] if width)
        wanted = widths[_AT_TITLE] + 2 + widths[_AT_PATH]
        if left >= min(_ROOM if widths[_AT_PATH] else _ALONE, wanted):
            return left
        widths[at] = 0
    return columns


def _about(row: Row, cells: Sequence[str], widths: Sequence[int], left: int) -> list[str]:
    """Title and path in so many columns."""
    title, path = cells[_AT_TITLE:]
    if not widths[_AT_PATH]:
        return [fit(title, left)]
    # What cannot be read is named by as much of its path as can be, and aligned with nothing.
    alone = row.problem is not None
    first, last = (
        (width_of(title), width_of(path)) if alone else (widths[_AT_TITLE], widths[_AT_PATH])
    )
    left -= 2
    share = left // 2 if alone else 2 * left // 5
    last = min(last, max(share, left - first))
    return [fit(title, min(first, left - last)), _end_of(path, last)]


def _cells(row: Row, home: Path | None, zone: tzinfo | None, *, narrow: bool) -> list[str]:
    return [
        _time(row.last, zone, narrow=narrow),
        clean_line(row.format or "-", 20),
        "" if row.events is None else f"{'~' if row.estimated else ''}{count(row.events)}",
        "" if row.bytes is None else size(row.bytes),
        _project(row.project),
        _said(row),
        path_words(row, home),
    ]


def _time(milliseconds: int | None, zone: tzinfo | None, *, narrow: bool) -> str:
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds / 1000, zone)
    return moment.strftime("%m-%d %H:%M" if narrow else "%Y-%m-%d %H:%M")


def _project(project: str | None) -> str:
    """The last name of a folder: what is before it says little."""
    return "" if project is None else project.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def _said(row: Row) -> str:
    """What a session is about; of what cannot be read, or would not be opened, why."""
    if row.problem is not None:
        return f"unreadable: {row.problem}"
    title = row.title or f"{UNTITLED} {short_id(row)}"
    if row.parent is not None or row.relation is not None:
        title = f"↳ {row.relation or 'child'}: {title}"
    if row.opens is False:
        return f"refused: {row.reason}; {title}"
    return f"{row.reason}; {title}" if row.reason else title


def path_words(row: Row, home: Path | None) -> str:
    """Where a session lies, the home of the person as ``~``; which one of a database behind it."""
    text = str(row.path)
    if home is not None and home != Path("/") and text.startswith(f"{home}/"):
        text = f"~{text[len(str(home)) :]}"
    session = "" if row.session is None else f" --session {row.session}"
    return clean_line(text + session)


def _end_of(text: str, width: int) -> str:
    """A text whose end is shown where it is too long: a path ends in what tells it from others."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[max(1, (width_of(text) - width + 1) // 2) :]
    return f"…{text}" if width > 0 else ""
