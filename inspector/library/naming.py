"""What a session without a title is called, wherever it is listed."""

from typing import Final

from inspector.library.row import Row
from inspector.text.gate import clean_line

UNTITLED: Final = "(no title)"

_SHORT: Final = 13
"""Characters of an id: those of UUIDs that begin with the time differ in the last four of them."""

_NAMED: Final = 2
"""Parts of its path that an unreadable file or folder is called by."""


def short_id(row: Row) -> str:
    """The beginning of the id of a session, cleaned; the name of its file where it has none."""
    if not row.id:
        return clean_line(row.path.name, 120)
    return clean_line(row.id[:_SHORT])


def name(row: Row) -> str:
    """What a session is called where one can be named in a sentence; clean."""
    if row.problem is not None and row.format is None:
        return clean_line("/".join(row.path.parts[-_NAMED:]).replace("//", "/"), 160)
    return row.title or f"{UNTITLED} {short_id(row)}"
