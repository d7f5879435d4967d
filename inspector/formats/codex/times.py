"""Times of records, which the owner writes as ISO 8601 in UTC."""

from datetime import UTC, datetime
from typing import Final

SECOND: Final = 20
"""Characters of a time up to its milliseconds: ``2026-03-01T09:00:01.``."""

MILLISECONDS: Final = {f"{number:03}Z": number for number in range(1_000)}
"""What stands behind them."""


_MINUTE: Final = 17
"""Characters of a time up to its seconds."""

_SECONDS: Final = {f"{number:02}.": number * 1_000 for number in range(60)}
"""What stands behind them, in milliseconds."""


class Clock:
    """Reads times; most records of a log share the second of the one before, or its minute.

    Attributes:
        second: the first `SECOND` characters of the last time.
        milliseconds: since the epoch, at that second.
    """

    def __init__(self) -> None:
        self.second = ""
        self.milliseconds = 0
        self._minute = ""
        self._minutes = 0

    def read(self, stamp: str) -> int | None:
        """Milliseconds since the epoch, or None if the text is no time."""
        try:
            return self.plain(stamp)
        except KeyError:
            return _parsed(stamp)

    def plain(self, stamp: str) -> int:
        """The same of a time as the owner writes it.

        Raises:
            KeyError: if it is another text.
            TypeError: if it is no text.
        """
        fraction = MILLISECONDS[stamp[SECOND:]]
        second = stamp[:SECOND]
        if second != self.second:
            since = _SECONDS[second[_MINUTE:]]
            minute = second[:_MINUTE]
            if minute != self._minute:
                whole = _parsed(f"{minute}00Z")
                if whole is None:
                    raise KeyError(stamp)
                self._minute, self._minutes = minute, whole
            self.second, self.milliseconds = second, self._minutes + since
        return self.milliseconds + fraction


def _parsed(stamp: str) -> int | None:
    try:
        moment = datetime.fromisoformat(stamp)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
