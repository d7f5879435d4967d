"""From the ends of a file to the row that the list shows of it."""

from collections.abc import Sequence
from os import fspath
from pathlib import Path
from typing import Final

from inspector.formats.contract import Format, OptionError, Options
from inspector.formats.listing import Ends, Glance
from inspector.formats.opening import annexes, open_tape
from inspector.library.row import Row
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line

_TITLE: Final = 200
_PROJECT: Final = 400
_WORD: Final = 40
_REASON: Final = 400
"""Characters that are shown."""

_LATEST: Final = 253_402_300_800_000
"""The end of the year 9999 in milliseconds since the epoch."""


def told(ends: Ends, owners: Sequence[Format], formats: Sequence[Format]) -> Row | None:
    """The row of a text; None where no format takes its ends for those of a session.

    Args:
        ends: of the text.
        owners: the formats whose agents keep sessions where it lies: the first that knows it has
            it.
        formats: all others. Where several know it, it is the one's that is surest.
    """
    for format_ in owners:
        glance = format_.glance(ends)
        if glance is not None:
            return row_of(format_.name, ends, glance)
    found = [
        (format_, glance) for format_ in formats if (glance := format_.glance(ends)) is not None
    ]
    if not found:
        return None
    if len(found) > 1:
        found.sort(key=lambda one: one[0].recognise(ends.head).certainty, reverse=True)
    format_, glance = found[0]
    return row_of(format_.name, ends, glance)


def row_of(name: str, ends: Ends, glance: Glance) -> Row:
    """The row of a session by what a format tells of its ends."""
    refusal, project, relation = glance.refusal, glance.project, glance.relation
    started, last, title = glance.started, glance.last, glance.title
    why = refusal or glance.unread
    return Row(
        ends.place,
        None,
        name,
        glance.id,
        title_of(title) if title else "",
        None if project is None else shown(project, _PROJECT),
        started if started is not None and 0 < started < _LATEST else None,
        last if last is not None and 0 < last < _LATEST else ends.modified,
        ends.size,
        glance.events,
        glance.estimated,
        glance.parent,
        None if relation is None else shown(relation, _WORD),
        None if refusal is None else False,
        None if why is None else shown(why, _REASON),
        None,
        glance.parent_file,
    )


def title_of(title: str | None) -> str:
    """A title as it is shown, whoever read it: its first words on a line; empty if it has none."""
    if not title:
        return ""
    first = title[:_TITLE]
    if first[0] != " " and first.isascii() and first.isprintable() and "  " not in first:
        # So are most of thousands.
        return first.rstrip(" ")
    return shown(" ".join(title.lstrip()[:_TITLE].split()), _TITLE)


def shown(text: str, most: int) -> str:
    """A text that is safe on a line, of so many characters at the most, the ellipsis included."""
    if len(text) <= most and text.isascii() and text.isprintable():
        return text
    clean = clean_line(text, most)
    # What cannot be seen is written out, and longer then.
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"


def time_of(milliseconds: int | None) -> int | None:
    """A time that a clock can show, or None."""
    return milliseconds if milliseconds is not None and 0 < milliseconds < _LATEST else None


def problem(path: Path, why: str, ends: Ends | None = None, session: str | None = None) -> Row:
    """The row of what cannot be read, with the reason."""
    size, modified = (None, None) if ends is None else (ends.size, ends.modified)
    return Row(fspath(path), session, last=modified, bytes=size, problem=shown(why, _REASON))


def by_opening(path: Path, ends: Ends) -> Row | None:
    """The row of a text whose ends no format knows: what opening it says.

    Returns:
        None if it is no session, but something that an agent keeps beside them.
    """
    try:
        tape = open_tape(path, Options())
    except OptionError as error:
        return problem(path, str(error), ends)
    except SourceError as error:
        return None if is_annex(path) else problem(path, str(error), ends)
    identity = tape.identity
    tape.close()
    glance = Glance(
        identity.id, project=identity.cwd, started=identity.created, parent=identity.parent
    )
    return row_of(identity.format, ends, glance)


def is_annex(path: Path) -> bool:
    """Whether a file is what an agent keeps beside its sessions."""
    try:
        return bool(annexes(path))
    except SourceError:
        return False
