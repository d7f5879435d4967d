"""What a session says when all of it is read, in the place of what its ends let one guess. Knows no
Textual.
"""

from collections.abc import Callable
from contextlib import closing
from typing import Final

from inspector.formats.containers import HOLES, KINDS
from inspector.formats.contract import OptionError, Options, Tape, Verdict
from inspector.formats.logs.rules import DATABASE, UNREADABLE_ROWS
from inspector.formats.opening import open_tape
from inspector.library.row import Row
from inspector.library.telling import title_of
from inspector.tape.source import SourceError
from inspector.tape.stopping import Stopped, stoppable
from inspector.tape.troubles import TroubleCode
from inspector.text.gate import clean_line
from inspector.ui.library.learned import Facts

LARGEST: Final = 8 << 20
"""Bytes of a session that are read for a row."""

_LONGEST: Final = 300
"""Characters of a reason."""

MISSING: Final = frozenset(
    {KINDS[code].code for code in (*HOLES, TroubleCode.TORN_STREAM)}
    | {kind.code for kind in (UNREADABLE_ROWS, *DATABASE.values())}
)
"""Codes of findings that say that not all of a session was read."""


def can_be_read(row: Row) -> bool:
    """Whether all of a session can be read in little time."""
    return row.problem is None and row.bytes is not None and row.bytes <= LARGEST


def is_worth_reading(row: Row) -> bool:
    """Whether reading all of a session tells more than its row does, in little time."""
    unknown = row.estimated or row.events is None or row.opens is None
    return unknown and can_be_read(row)


def facts_of(row: Row, how: Options, going: Callable[[], bool]) -> Facts | None:
    """What the whole of a session tells; None if nobody waits for it any more.

    Args:
        row: the session.
        how: how far tapes are unpacked; each is read by its owner's first reader.
        going: whether to go on; asked often.
    """
    try:
        with (
            stoppable(lambda: not going()),
            closing(open_tape(row.path, Options(row.session, unpacked=how.unpacked))) as tape,
        ):
            while going() and tape.advance():
                pass
            if not going():
                return None
            verdict = tape.verdict()
            events = tape.timeline.events
            unread = _unread(tape)
            reason = _reason(verdict, unread)
            opens = verdict.opens is not False
            return Facts(
                row.bytes, row.last, events, opens, reason, None, _title(tape), unread is not None
            )
    except Stopped:
        return None
    except (SourceError, OptionError) as error:
        problem = clean_line(str(error), _LONGEST)
        return Facts(row.bytes, row.last, None, None, None, problem)


def _reason(verdict: Verdict, unread: str | None) -> str | None:
    """Why the owner would not open a session or all of it, and why not all of it was read here."""
    said = None if verdict.reason is None else clean_line(verdict.reason, _LONGEST)
    if verdict.opens == "partly":
        said = f"in part: {said or 'not all of it'}"
    if unread is None:
        return said
    read = f"read in part: {unread}"
    return read if said is None else f"{said}; {read}"


def _unread(tape: Tape) -> str | None:
    """Why only a part of a session was read, cleaned; None of one that was read to its end."""
    missing = (found for found in tape.findings() if found.kind.code in MISSING)
    found = next(missing, None)
    return None if found is None else clean_line(found.message or found.kind.code, _LONGEST)


def _title(tape: Tape) -> str | None:
    """The owner's title at the head, as rows have it."""
    timeline = tape.timeline
    at = timeline.registers.at("title", timeline.events)
    found = tape.value("title", at) if at else None
    return (title_of(found) or None) if isinstance(found, str) else None
