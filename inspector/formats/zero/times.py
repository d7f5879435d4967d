"""The owner's times: RFC 3339, whole seconds where it wrote them itself (format page 3)."""

from datetime import datetime
from typing import Final

from inspector.columns import NO_TIME

_MINUTE: Final = len("2026-08-22T09:00:")
SECOND: Final = _MINUTE + 2
"""Characters up to the fraction of a second."""

_SECONDS: Final = {b"%02d" % second: second * 1000 for second in range(60)}
FRACTIONS: Final = {
    b"Z": 0,
    **{b".%03dZ" % part: part for part in range(1_000)},
}
"""What may stand behind the seconds, and its milliseconds."""

_LONGEST: Final = 40
"""Characters of a time; more are none."""


def milliseconds(written: str) -> int | None:
    """A time in milliseconds since the epoch, or None where a text is none with a zone."""
    if not written or len(written) > _LONGEST:
        return None
    try:
        moment = datetime.fromisoformat(written)
        return None if moment.tzinfo is None else round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


class Clock:
    """Reads times as the owner writes them, many of which are in one second.

    Attributes:
        second: the one read last, as it is written up to its fraction; none is in it at first.
        begins: its milliseconds since the epoch.
    """

    def __init__(self) -> None:
        self.second = b"\xff"
        self.begins = 0
        self._minute = b""
        self._minute_begins = 0

    def read(self, written: bytes) -> int:
        """A time in milliseconds since the epoch; `NO_TIME` if it is none, or written otherwise."""
        seconds = _SECONDS.get(written[_MINUTE:SECOND])
        fraction = FRACTIONS.get(written[SECOND:])
        if seconds is None or fraction is None:
            return NO_TIME
        minute = written[:_MINUTE]
        if minute != self._minute:
            if minute[10:11] != b"T" or not minute.isascii():
                return NO_TIME
            begins = milliseconds(minute.decode() + "00Z")
            if begins is None:
                return NO_TIME
            self._minute, self._minute_begins = minute, begins
        self.second, self.begins = written[:SECOND], self._minute_begins + seconds
        return self.begins + fraction
