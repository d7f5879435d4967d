"""Which items of a compaction's new history are items of the old one (format page 2.9).

A compaction stores copies without a link. A copy is taken for the newest item of the history
before it that says the same in the same role.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.columns import Column, wide
from inspector.timeline.sequences import longest_rising

UNLIKE: Final = 0
"""The likeness of what is like nothing else."""


class Matching:
    """What every node says, as a hash of 64 bits, by node.

    The hash is keyed anew by every process, so no log can be written to make two texts alike.

    Attributes:
        likeness: the hash, by node.
    """

    def __init__(self) -> None:
        self.likeness: Column = wide()
        self.add = self.likeness.append
        """The next node says this."""

    def alike(self, likeness: int) -> Iterator[int]:
        """The nodes that say this, the oldest first."""
        at = 0
        while True:
            try:
                at = self.likeness.index(likeness, at) + 1
            except ValueError:
                return
            yield at - 1

    def match(self, history: Sequence[int], wanted: Sequence[int]) -> list[int | None]:
        """For every wanted likeness the place in the history of an item like it, or None.

        No item is taken twice, and the newest first by the last that wants it.
        """
        told = list(map(self.likeness.__getitem__, history))
        if len(set(wanted)) == len(wanted):
            newest = dict(zip(told, range(len(told)), strict=True))
            newest.pop(UNLIKE, None)
            return list(map(newest.get, wanted))
        places: dict[int, list[int]] = {}
        for at, likeness in enumerate(wanted):
            if likeness != UNLIKE:
                places.setdefault(likeness, []).append(at)
        found: list[int | None] = [None] * len(wanted)
        for place in range(len(history) - 1, -1, -1):
            if not places:
                break
            likeness = told[place]
            waiting = places.get(likeness)
            if waiting is not None:
                found[waiting.pop()] = place
                if not waiting:
                    del places[likeness]
        return found


def staying(places: Sequence[int | None]) -> set[int]:
    """Which of the places can stay where they are: the longest rising ones, by their index."""
    held = [(at, place) for at, place in enumerate(places) if place is not None]
    return {held[at][0] for at in longest_rising([place for _, place in held])}
