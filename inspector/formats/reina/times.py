"""Times of records: when each was appended, ISO 8601 in UTC (format page 3.1)."""

from datetime import UTC, datetime
from typing import Any, Final

from inspector.columns import NO_TIME

_MINUTE: Final = len("2026-05-01T10:00:")
_SECOND: Final = len("2026-05-01T10:00:01.")
_SECONDS: Final = {f"{number:02}.": number * 1_000 for number in range(60)}
_MILLISECONDS: Final = {f"{number:03}Z": number for number in range(1_000)}
_LONGEST: Final = 40
"""Characters of a time; more are none."""


def milliseconds(written: Any) -> int | None:
    """A time in milliseconds since the epoch, or None where a value is none."""
    if type(written) is not str or not written or len(written) > _LONGEST:
        return None
    try:
        moment = datetime.fromisoformat(written)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


class Clock:
    """Reads times, many of which are in the minute of the one before."""

    def __init__(self) -> None:
        self._minute = ""
        self._begins = 0

    def read(self, written: Any) -> int:
        """A time in milliseconds since the epoch; `NO_TIME` where a value is none."""
        if type(written) is not str:
            return NO_TIME
        part = _MILLISECONDS.get(written[_SECOND:])
        second = _SECONDS.get(written[_MINUTE:_SECOND])
        if part is None or second is None:
            return _or_none(milliseconds(written))
        minute = written[:_MINUTE]
        if minute != self._minute:
            begins = milliseconds(f"{minute}00Z")
            if begins is None:
                return NO_TIME
            self._minute, self._begins = minute, begins
        return self._begins + second + part


def _or_none(time: int | None) -> int:
    return NO_TIME if time is None else time
