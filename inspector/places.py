"""Places on a tape, as people and scripts write them: one parser for screen and command line.

A *cursor* is a number of folded events; an *event* is named by its position or the owner's number.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, tzinfo
from typing import Final

from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.timeline.words import SpanKind

GRAMMAR: Final = (
    "N events folded · seq:N · id:ID · line:N · event:K · turn:N · turn:N.start · head · "
    "40% · 14:05:31 or an ISO time"
)
"""The grammar of a cursor in one line, for help texts."""

_LISTED: Final = 20
_WHOLE: Final = 100
"""Percent."""


class PlaceError(Exception):
    """A place that cannot be found, or not told apart; the message is one sentence."""


def cursor(text: str, tape: Tape, zone: tzinfo | None = UTC) -> int:
    """The cursor that a text names on a tape that is folded.

    Args:
        text: see `GRAMMAR`.
        tape: the tape, as far as it is folded.
        zone: in which a bare time of day is meant; None is the machine's own.

    Raises:
        PlaceError: if there is no such place, or more than one.
    """
    text = text.strip()
    events = tape.timeline.events
    if text == "head":
        return events
    if text.isdecimal():
        return _within(_number(text), events, text)
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)%", text)
    if percent:
        if float(percent[1]) > _WHOLE:
            raise PlaceError(f"{text} is beyond the head, {events}")
        return int(events * float(percent[1]) / _WHOLE)
    kind, colon, rest = text.partition(":")
    if colon and kind == "turn":
        return _turn(rest, tape)
    if colon and kind == "event" and rest.isdecimal():
        return _existing(_number(rest), tape) + 1
    if colon and kind in _BY:
        return _one(text, _BY[kind](rest, tape)) + 1
    moment = _moment(text, tape, zone)
    if moment is None:
        raise PlaceError(f"{clean_line(text, 80)!r} is no place; write {GRAMMAR}")
    return tape.timeline.table.first_later_than(moment)


def event(text: str, tape: Tape) -> int:
    """The position of the event that a text names: ``K``, ``seq:N``, ``id:ID`` or ``line:N``.

    Raises:
        PlaceError: if there is no such event, or more than one.
    """
    text = text.strip()
    if text.isdecimal():
        return _existing(_number(text), tape)
    kind, colon, rest = text.partition(":")
    if colon and kind == "event" and rest.isdecimal():
        return _existing(_number(rest), tape)
    if colon and kind in _BY:
        return _one(text, _BY[kind](rest, tape))
    raise PlaceError(
        f"{clean_line(text, 80)!r} names no event; write K for its position, seq:N, id:ID or line:N"
    )


def _number(digits: str) -> int:
    """Digits as a number, or one beyond every tape if they are too many to read."""
    return int(digits) if len(digits) < 18 else 10**18 - 1


def _within(number: int, events: int, said: str) -> int:
    if number > events:
        raise PlaceError(f"cursor {clean_line(said, 40)} is beyond the head, {events}")
    return number


def _existing(position: int, tape: Tape) -> int:
    events = tape.timeline.events
    if position >= events:
        raise PlaceError(f"there is no event at position {position}; the tape has {events}")
    return position


def _by_number(rest: str, tape: Tape) -> list[int]:
    return tape.numbered(_number(rest)) if rest.isdecimal() else []


def _by_line(rest: str, tape: Tape) -> list[int]:
    """All events of a line; the last one is meant, because the whole record was written at once."""
    line = _number(rest) if rest.isdecimal() else 0
    if not line:
        return []
    table = tape.timeline.table
    first = table.first_of_record(line - 1)
    return [] if first is None else [table.before_record(line) - 1]


def _by_id(rest: str, tape: Tape) -> list[int]:
    return tape.identified(rest)


_BY: Final[dict[str, Callable[[str, Tape], list[int]]]] = {
    "seq": _by_number,
    "line": _by_line,
    "id": _by_id,
}


def _one(text: str, found: list[int]) -> int:
    shown = clean_line(text, 80)
    if not found:
        raise PlaceError(f"{shown}: no such event")
    if len(found) > 1:
        more = " …" if len(found) > _LISTED else ""
        positions = ", ".join(f"event:{position}" for position in found[:_LISTED])
        raise PlaceError(f"{shown} occurs {len(found)} times: {positions}{more}")
    return found[0]


def _turn(rest: str, tape: Tape) -> int:
    """After the last event of a turn, or with ``.start`` before its first."""
    number, dot, word = rest.partition(".")
    if not number.isdecimal() or (dot and word != "start"):
        raise PlaceError(f"turn:{clean_line(rest, 80)} is no place; write turn:N or turn:N.start")
    turns = tape.timeline.spans[SpanKind.TURN]
    found = list(turns.numbered(_number(number)))
    if not found:
        raise PlaceError(f"turn:{number}: no such turn")
    if len(found) > 1:
        starts = ", ".join(f"event:{turns[turn].opened - 1}" for turn in found[:_LISTED])
        raise PlaceError(f"turn:{number} occurs {len(found)} times, beginning at {starts}")
    span = turns[found[0]]
    if dot:
        return span.opened - 1
    following = found[0] + 1
    if following < len(turns) and span.closed in (None, turns[following].opened):
        # Nothing but the next turn ended it.
        return turns[following].opened - 1
    return tape.timeline.events if span.closed is None else span.closed


def _moment(text: str, tape: Tape, zone: tzinfo | None) -> int | None:
    """A time in milliseconds since the epoch, or None if the text is none."""
    try:
        clock = time.fromisoformat(text) if ":" in text else None
    except ValueError:
        clock = None
    if clock is not None:
        day = _first_day(tape, zone)
        if day is None:
            raise PlaceError("the tape records no times")
        try:
            return _milliseconds(datetime.combine(day, clock), zone)
        except (ValueError, OverflowError, OSError):
            return None
    try:
        return _milliseconds(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError, OSError):
        return None


def _milliseconds(moment: datetime, zone: tzinfo | None) -> int:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()
    return int(moment.timestamp() * 1000)


def _first_day(tape: Tape, zone: tzinfo | None) -> date | None:
    """The day of the first event that has a time; a bare time of day is of that day."""
    table = tape.timeline.table
    times = map(table.time, range(len(table)))
    first = next((time for time in times if time is not None), None)
    if first is None:
        return None
    try:
        return datetime.fromtimestamp(first / 1000, zone).date()
    except (OverflowError, ValueError, OSError):
        return None
