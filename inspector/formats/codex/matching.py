"""Which items of a compaction's new history are items of the old one (format page 2.9).

A compaction stores copies without a link. A copy is taken for the newest item of the history
before it of which the same is sent.
"""

from collections.abc import Sequence

from inspector.columns import Column, wide
from inspector.timeline.sequences import longest_rising


class Matching:
    """What is sent of every node, as a hash of 64 bits, by node; see `likeness`.

    The hash is keyed anew by every process, so no log can be written to make two texts alike.

    Attributes:
        likeness: the hash, by node.
    """

    def __init__(self) -> None:
        self.likeness: Column = wide()
        self.add = self.likeness.append
        """This is sent of the next node."""

    def match(self, history: Sequence[int], wanted: Sequence[int]) -> list[int | None]:
        """For every wanted likeness the place in the history of an item like it, or None.

        No item is taken twice, and the newest first by the last that wants it.
        """
        told = list(map(self.likeness.__getitem__, history))
        if len(set(wanted)) == len(wanted):
            newest = dict(zip(told, range(len(told)), strict=True))
            return list(map(newest.get, wanted))
        places: dict[int, list[int]] = {}
        for at, likeness in enumerate(wanted):
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
