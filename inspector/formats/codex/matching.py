"""Which items of a compaction's new history are items of the old one (format page 2.9).

A compaction stores copies without a link. A copy is taken for the newest item of the history
before it that says the same in the same role.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from inspector.columns import Column, wide

UNLIKE: Final = 0
"""The likeness of what is like nothing else."""


class Matching:
    """What every node says, as a hash of 64 bits, by node.

    The hash is keyed anew by every process, so no log can be written to make two texts alike.
    """

    def __init__(self) -> None:
        self._likeness: Column = wide()
        self.add = self._likeness.append
        """The next node says this."""

    def match(self, history: Sequence[int], wanted: Sequence[int]) -> list[int | None]:
        """For every wanted likeness the place in the history of an item like it, or None.

        No item is taken twice, and the newest first by the last that wants it.
        """
        told = list(map(self._likeness.__getitem__, history))
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
    ends: list[int] = []
    chain: list[int] = []
    before: dict[int, int] = {}
    for at, place in enumerate(places):
        if place is None:
            continue
        length = bisect_left(ends, place)
        if length == len(ends):
            ends.append(place)
            chain.append(at)
        else:
            ends[length] = place
            chain[length] = at
        before[at] = chain[length - 1] if length else -1
    found: set[int] = set()
    at = chain[-1] if chain else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found
