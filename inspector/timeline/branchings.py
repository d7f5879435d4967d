"""Where a tape branches: what leads to other tapes, and where it goes back behind itself."""

from bisect import bisect_left
from typing import Final

from inspector.columns import Column, unsigned

_TAPES: Final = 1_000
"""Tapes that events tell of and that are kept."""


class Branchings:
    """The events at which a tape has to do with another, or with an older state of its own.

    Attributes:
        events: their positions, sorted: those that tell of another tape, and those that rewind.
    """

    def __init__(self) -> None:
        self.events: Column = unsigned()
        self._told: dict[int, list[str]] = {}
        self._tellers: dict[str, int] = {}
        self._pairs = 0

    def add(self, event: int) -> None:
        """The tape branches at an event."""
        events = self.events
        if not events or event > events[-1]:
            events.append(event)
            return
        at = bisect_left(events, event)
        if events[at] != event:
            events.insert(at, event)

    def tell(self, event: int, tape: str) -> None:
        """An event tells of another tape, by its id; no more than a thousand are kept."""
        told = self._told.get(event, [])
        if tape in told or self._pairs >= _TAPES:
            return
        self._pairs += 1
        self._told[event] = [*told, tape]
        self._tellers.setdefault(tape, event)
        self.add(event)

    def tapes(self, event: int) -> tuple[str, ...]:
        """The ids of the tapes that an event tells of."""
        return tuple(self._told.get(event, ()))

    def teller(self, tape: str) -> int | None:
        """The first event that tells of a tape, or None."""
        return self._tellers.get(tape)
