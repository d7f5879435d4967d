"""Times as this format writes them, in milliseconds since the epoch."""

from datetime import UTC, datetime
from typing import Any, Final

from inspector.text.labels import duration

_MINUTE: Final = len("2026-01-01T00:00:")
_SECOND: Final = len("2026-01-01T00:00:00.")
_PLAIN: Final = len("2026-01-01T00:00:00.000Z")
_MINUTES_KEPT: Final = 512
_SECONDS: Final = {f"{second:02}.": 1_000 * second for second in range(60)}
THOUSANDTHS: Final = {f"{number:03}Z": number for number in range(1_000)}
"""What stands behind the minute, and behind the second, of a plain time, in milliseconds."""

_DAYS: Final = 2 * 86_400_000
"""Milliseconds from which a length of time is told in days."""

_LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""


def length_of(milliseconds: int) -> str:
    """A length of time in words."""
    if milliseconds >= _DAYS:
        return f"{milliseconds / 86_400_000:,.0f} days"
    return duration(milliseconds).lstrip("+")


class Clock:
    """Reads times; those of one minute are read in one go."""

    def __init__(self) -> None:
        self._minutes: dict[str, int] = {}

    def read(self, value: Any) -> int | None:
        """A time, or None where there is none: ISO 8601, UTC unless it says, or milliseconds."""
        if type(value) is str and len(value) == _PLAIN:
            minute = self._minutes.get(value[:_MINUTE])
            if minute is not None:
                seconds = _SECONDS.get(value[_MINUTE:_SECOND])
                thousandths = THOUSANDTHS.get(value[_SECOND:])
                if seconds is not None and thousandths is not None:
                    return minute + seconds + thousandths
        return self._slowly(value)

    def second(self, value: str, time: int) -> tuple[str, int]:
        """How times of the same second begin as one does that ends in `THOUSANDTHS`.

        Args:
            value: the time as it is written.
            time: what was read.

        Returns:
            What they begin with, empty if that does not tell; and the time of the second.
        """
        if value[_SECOND - 1] != ".":
            return "", 0
        return value[:_SECOND], time - THOUSANDTHS[value[_SECOND:]]

    def _slowly(self, value: Any) -> int | None:
        if type(value) is int:
            return value if 0 <= value <= _LATEST else None
        if type(value) is not str:
            return None
        time = _parsed(value)
        if time is not None and len(value) == _PLAIN and value[-1] == "Z" and value[16] == ":":
            if len(self._minutes) >= _MINUTES_KEPT:
                self._minutes.clear()
            self._minutes[value[:_MINUTE]] = time - time % 60_000
        return time


def _parsed(value: str) -> int | None:
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    try:
        since = found - _EPOCH
    except OverflowError:
        return None
    return since.days * 86_400_000 + since.seconds * 1_000 + since.microseconds // 1_000


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
