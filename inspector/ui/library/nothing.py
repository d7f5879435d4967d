"""The page of a library in which nothing was found: where was looked, and what one can do. Knows no
Textual.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from inspector.export.fitting import fit, width_of
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.wrapping import wrapped

_LONGEST: Final = 60
"""Columns that a place takes at the most, where what became of it stands behind it."""

_OWNERS: Final = 20
"""Columns for whose sessions are kept there."""


class Looked(NamedTuple):
    """A place where was looked.

    Attributes:
        owner: whose sessions are kept there; empty where a person named the place.
        path: the place, cleaned.
        said_by: the variable that names it, or None.
        found: what became of it: ``not there``, ``empty`` …
    """

    owner: str
    path: str
    said_by: str | None
    found: str


def nothing_lines(places: Sequence[Looked], width: int) -> Iterator[Line]:
    """That nothing was found, everywhere where was looked, and how to go on."""
    yield ()
    yield (Cell("No session was found.", "strong"),)
    yield ()
    yield from wrapped(
        "d or Enter opens the demo: a session that has one of everything.", width, "accent"
    )
    yield from wrapped(
        "inspector FOLDER lists the sessions of a folder, inspector FILE opens one.", width, "text"
    )
    yield ()
    yield (Cell("Looked in" if places else "There was no place to look in.", "dim"),)
    owners = [clean_line(place.owner, _OWNERS) for place in places]
    named = max(map(width_of, owners), default=0) + 2
    room = max(8, min(_LONGEST, width - named - 20))
    broad = min(room, max((width_of(place.path) for place in places), default=0))
    for place, owner in zip(places, owners, strict=True):
        yield _place(place, fit(owner, named), broad)
    yield ()
    yield from wrapped(
        "r looks again; what comes to be in these places appears by itself.", width, "dim"
    )


def _place(place: Looked, owner: str, room: int) -> Line:
    said = f"  named by {clean_line(place.said_by, 60)}" if place.said_by else ""
    path = place.path
    return (
        Cell(f"  {owner}", "assistant"),
        Cell(fit(path, room), "text"),
        Cell(f"  {place.found}", "notice"),
        Cell(said, "dim"),
    )
