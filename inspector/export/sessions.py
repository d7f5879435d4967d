"""The sessions that were found: a document for scripts, and a table for people."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from inspector.export.fitting import fit, width_of
from inspector.library.row import Row
from inspector.text.gate import clean_line
from inspector.text.labels import count, size, stamp

NARROW: Final = 100
"""Columns below which the project is left out, and the year."""

_PROJECT: Final = 20
_TITLE: Final = 48
"""Columns of a project, and of a title where no terminal says how many there are."""

_UNTITLED: Final = "(no title)"


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

    Args:
        rows: in order.
        columns: of the terminal; None where no line is cut, but for long titles.
        home: of the person: written as ``~``.
        zone: of the times; that of the machine unless told.
    """
    narrow = columns is not None and columns < NARROW
    lines = [_cells(row, home, zone, narrow=narrow) for row in rows]
    widths = [max(map(width_of, cells), default=0) for cells in zip(*lines, strict=True)]
    if not widths:
        return
    widths[_AT_PROJECT] = 0 if narrow else min(widths[_AT_PROJECT], _PROJECT)
    if columns is None:
        widths[-2] = min(widths[-2], _TITLE)
    else:
        left = columns - sum(width + 2 for width in widths[:-2] if width) - 2
        widths[-1] = min(widths[-1], max(left // 2, left - widths[-2]))
        widths[-2] = min(widths[-2], left - widths[-1])
    for cells in lines:
        *most, path = cells
        shown = [
            fit(cell, width, right=at in _RIGHT)
            for at, (cell, width) in enumerate(zip(most, widths, strict=False))
            if width
        ]
        yield "  ".join([*shown, _end_of(path, widths[-1])]).rstrip()


_AT_PROJECT: Final = 4
_RIGHT: Final = frozenset({2, 3})
"""The places of columns: the project, and those that align right."""


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
    title = row.title or _UNTITLED
    if row.parent is not None or row.relation is not None:
        title = f"↳ {row.relation or 'child'}: {title}"
    return title if row.opens is not False else f"refused: {row.reason}; {title}"


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
