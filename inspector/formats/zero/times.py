"""The owner's times: RFC 3339, whole seconds where it wrote them itself (format page 3)."""

from datetime import datetime
from typing import Final

_MINUTE: Final = len("2026-08-22T09:00:")
_SECONDS: Final = {b"%02dZ" % second: second * 1000 for second in range(60)}

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
    """Reads times as the owner writes them, many of which are in one minute."""

    def __init__(self) -> None:
        self._minute = b""
        self._begins = 0

    def read(self, written: bytes) -> int | None:
        """A time of ASCII in milliseconds since the epoch, or None."""
        seconds = _SECONDS.get(written[_MINUTE:])
        if seconds is None:
            return milliseconds(written.decode())
        minute = written[:_MINUTE]
        if minute != self._minute:
            begins = milliseconds(minute.decode() + "00Z")
            if begins is None:
                return None
            self._minute, self._begins = minute, begins
        return self._begins + seconds
