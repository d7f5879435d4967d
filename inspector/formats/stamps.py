"""Times as the agents of most formats write them."""

from datetime import UTC, datetime, timedelta


def moment(time: int) -> datetime:
    """The moment of so many milliseconds since the epoch, in UTC."""
    return datetime.fromtimestamp(time // 1000, UTC) + timedelta(milliseconds=time % 1000)


def stamp(time: int) -> str:
    """A time of so many milliseconds since the epoch, as ``2026-01-02T03:04:05.678Z``."""
    at = moment(time)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"
