"""The rows of the sessions in a database, opened with the care that any database is opened with."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from inspector.formats.contract import SessionEntry
from inspector.formats.listing import Ends
from inspector.formats.opening import database_sessions
from inspector.library.row import Row
from inspector.library.telling import is_annex, problem, shown, time_of, title_of
from inspector.tape.source import SourceError

COPIED: Final = 256 << 20
"""The most bytes that are copied to list what a database holds: with a larger -wal it is listed
without that, and a row says so."""

_WORD: Final = 40
_PROJECT: Final = 400


def stored(path: Path, ends: Ends) -> Iterator[Row]:
    """A row for each session of a database, and one for what of it cannot be read."""
    try:
        found = database_sessions(path, COPIED)
    except SourceError as error:
        if not is_annex(path):
            yield problem(path, str(error), ends)
        return
    for entry in found.entries:
        yield _row(ends, found.format, entry)
    for reason in found.not_read:
        yield problem(path, reason, ends)


def _row(ends: Ends, format_: str, entry: SessionEntry) -> Row:
    project, relation = entry.cwd, entry.relation
    return Row(
        ends.place,
        entry.id,
        format_,
        entry.id,
        title_of(entry.title),
        None if project is None else shown(project, _PROJECT),
        time_of(entry.created),
        time_of(entry.last) or time_of(entry.created) or ends.modified,
        entry.bytes,
        entry.events,
        entry.estimated,
        entry.parent,
        None if relation is None else shown(relation, _WORD),
    )
