"""Times of records, which the owner writes as ISO 8601 in UTC."""

from datetime import UTC, datetime


class Clock:
    """Reads times; most records of a log share the second of the one before."""

    def __init__(self) -> None:
        self._second = ""
        self._milliseconds = 0

    def read(self, stamp: str) -> int | None:
        """Milliseconds since the epoch, or None if the text is no time."""
        # 2026-03-01T09:00:01.007Z
        if len(stamp) == 24 and stamp[19] == "." and stamp[23] == "Z":
            fraction = stamp[20:23]
            if fraction.isascii() and fraction.isdigit():
                if stamp[:19] != self._second:
                    whole = _parsed(stamp[:19] + "Z")
                    if whole is None:
                        return None
                    self._second, self._milliseconds = stamp[:19], whole
                return self._milliseconds + int(fraction)
        return _parsed(stamp)


def _parsed(stamp: str) -> int | None:
    try:
        moment = datetime.fromisoformat(stamp)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
