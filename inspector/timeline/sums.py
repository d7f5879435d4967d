"""Running sums along a log of numbers, with a checkpoint every few entries."""

from typing import Final

from inspector.columns import Column, wide

CHECKPOINT: Final = 64


class Sums:
    """The sums of the entries so far at every `CHECKPOINT` entries; the entries are elsewhere."""

    def __init__(self) -> None:
        self._sums: Column = wide()
        self._total = 0
        self._entries = 0

    def add(self, number: int) -> None:
        """Add one entry."""
        if self._entries % CHECKPOINT == 0:
            self._sums.append(self._total)
        self._total += number
        self._entries += 1

    def extend(self, numbers: Column) -> None:
        """Add entries."""
        done = 0
        while done < len(numbers):
            if self._entries % CHECKPOINT == 0:
                self._sums.append(self._total)
            share = numbers[done : done + CHECKPOINT - self._entries % CHECKPOINT]
            self._total += sum(share)
            self._entries += len(share)
            done += len(share)

    def checkpoint(self, entries: int) -> tuple[int, int]:
        """A sum and the entries it covers, at most `CHECKPOINT` short of ``entries``."""
        at = min(entries // CHECKPOINT, len(self._sums) - 1)
        return (self._sums[at], at * CHECKPOINT) if at >= 0 else (0, 0)
