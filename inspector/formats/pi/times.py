"""Times as Pi writes them, in milliseconds since the epoch."""

from datetime import UTC, datetime
from typing import Any, Final

_SECOND: Final = len("2026-01-01T00:00:00.")
_THOUSANDTHS: Final = {f"{number:03}Z": number for number in range(1_000)}
"""What stands behind the second of a plain time, in milliseconds."""

_KEPT: Final = 512

_LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Clock:
    """Reads times; those of one second are read in one go."""

    def __init__(self) -> None:
        self._seconds: dict[str, int] = {}

    def read(self, value: Any) -> int | None:
        """A time, or None where there is none: ISO 8601, UTC unless it says, or milliseconds."""
        if type(value) is not str:
            plain = type(value) is int and 0 <= value <= _LATEST
            return value if plain else None
        second = self._seconds.get(value[:_SECOND])
        if second is not None:
            thousandths = _THOUSANDTHS.get(value[_SECOND:])
            if thousandths is not None:
                return second + thousandths
        return self._slowly(value)

    def _slowly(self, value: str) -> int | None:
        try:
            found = datetime.fromisoformat(value)
            since = (found if found.tzinfo else found.replace(tzinfo=UTC)) - _EPOCH
        except (ValueError, OverflowError):
            return None
        time = since.days * 86_400_000 + since.seconds * 1_000 + since.microseconds // 1_000
        thousandths = _THOUSANDTHS.get(value[_SECOND:])
        if thousandths is not None and value[_SECOND - 1] == ".":
            if len(self._seconds) >= _KEPT:
                self._seconds.clear()
            self._seconds[value[:_SECOND]] = time - thousandths
        return time
