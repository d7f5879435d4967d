"""What a session says when all of it is read, in the place of what its ends let one guess. Knows no
Textual.
"""

from collections.abc import Callable
from contextlib import closing
from typing import Final

from inspector.formats.contract import OptionError, Options, Tape
from inspector.formats.opening import open_tape
from inspector.library.row import Row
from inspector.tape.source import SourceError
from inspector.tape.stopping import Stopped, stoppable
from inspector.text.gate import clean_line
from inspector.ui.library.browsing import Facts

LARGEST: Final = 8 << 20
"""Bytes of a session that are read for a row."""

_LONGEST: Final = 300
"""Characters of a reason."""

_TITLE: Final = 200
"""Characters of a title."""


def is_worth_reading(row: Row) -> bool:
    """Whether reading all of a session tells more than its row does, in little time."""
    unknown = row.estimated or row.events is None or row.opens is None
    return unknown and row.problem is None and row.bytes is not None and row.bytes <= LARGEST


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
            reason = None if verdict.reason is None else clean_line(verdict.reason, _LONGEST)
            if verdict.opens == "partly":
                reason = f"in part: {reason or 'not all of it'}"
            opens = verdict.opens is not False
            return Facts(row.bytes, row.last, events, opens, reason, None, _title(tape))
    except Stopped:
        return None
    except (SourceError, OptionError) as error:
        problem = clean_line(str(error), _LONGEST)
        return Facts(row.bytes, row.last, None, None, None, problem)


def _title(tape: Tape) -> str | None:
    """The owner's title at the head, cleaned."""
    timeline = tape.timeline
    at = timeline.registers.at("title", timeline.events)
    found = tape.value("title", at) if at else None
    return clean_line(found, _TITLE) if isinstance(found, str) and found else None
