"""Short labels: counts, tokens, bytes, times and durations, the same on the screen and in print."""

from datetime import UTC, datetime, tzinfo
from typing import Final

TODO_MARKS: Final = {"completed": "✓", "in_progress": "▸", "pending": "·"}
"""How far an item of a todo list is, by the status that agents write."""


def count(number: int) -> str:
    """A whole number with thousands apart: ``1,204``."""
    return f"{number:,}"


def plural(number: int, noun: str, many: str = "") -> str:
    """A count with its noun: ``1 turn``, ``38 turns``; ``many`` where an s does not make many."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {many or f'{noun}s'}"


def event_words(event: int, number: int | None) -> str:
    """An event as people name it: ``@n`` by the owner's number, else ``#k`` by position."""
    return f"#{event}" if number is None else f"@{number}"


def tokens(number: int) -> str:
    """Tokens in thousands, one decimal: ``0.4k``, ``41.2k``, ``1.2M``; below 50 as they are."""
    if number < 50:
        return str(number)
    if number < 999_950:
        return f"{number / 1000:.1f}k"
    return f"{number / 1_000_000:.1f}M"


def token_words(number: int) -> str:
    """As `tokens`, with the noun: ``1 token``, ``41.2k tokens``."""
    return f"{tokens(number)} token{'' if number == 1 else 's'}"


def percent(part: float) -> str:
    """A part of 1 in per cent: ``48 %``, and ``99.7 %`` where it is nearly all, or nearly none."""
    hundredths = 100 * part
    if 0 < hundredths < 0.05:
        return "under 0.1 %"
    if 99.95 <= hundredths < 100:
        return "over 99.9 %"
    near = 0 < hundredths < 1 or 99 < hundredths < 100
    return f"{hundredths:.1f} %" if near else f"{hundredths:.0f} %"


def size(number: int) -> str:
    """Bytes in the unit that keeps the number short: ``962 B``, ``40.1 MB``."""
    if number < 1000:
        return f"{number} B"
    value = float(number)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"


def clock(milliseconds: int | None, zone: tzinfo | None = UTC) -> str:
    """The time of day of an epoch in milliseconds, ``14:05:31``; empty if there is none."""
    moment = _moment(milliseconds, zone)
    return moment.strftime("%H:%M:%S") if moment else ""


def stamp(milliseconds: int | None, zone: tzinfo | None = UTC) -> str | None:
    """An epoch in milliseconds as ISO 8601 with its zone, or None where it is no date."""
    moment = _moment(milliseconds, zone)
    return moment.isoformat(timespec="milliseconds") if moment else None


def duration(milliseconds: int) -> str:
    """A signed length of time: ``+38 ms``, ``+4.2 s``, ``+00:12:08``."""
    sign = "-" if milliseconds < 0 else "+"
    length = abs(milliseconds)
    if length < 1000:
        return f"{sign}{length} ms"
    if length < 59_950:
        return f"{sign}{length / 1000:.1f} s"
    seconds = round(length / 1000)
    return f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _moment(milliseconds: int | None, zone: tzinfo | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, zone)
    except (OverflowError, ValueError, OSError):
        return None
