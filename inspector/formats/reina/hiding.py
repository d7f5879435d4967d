"""Which summary hides what: another one may, where all compactions are gone through anew."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from inspector.columns import Column
from inspector.formats.reina.splices import Block, blocks_of


class Moved(NamedTuple):
    """What is another.

    Attributes:
        came: the summaries that hold now and did not before.
        again: those of them that held once.
        ceased: the summaries that do not hold any more.
        hidden: stretches that another summary hides than before, and that one; summaries that hold
            again are told where one hides them.
    """

    came: list[int]
    again: frozenset[int]
    ceased: list[int]
    hidden: list[tuple[Block, int]]

    @property
    def nothing(self) -> bool:
        """Whether all summaries hide what they did."""
        return not (self.came or self.ceased or self.hidden)


class Hiding:
    """What each summary hides that holds now."""

    def __init__(self) -> None:
        self._hidden: list[tuple[int, list[Block]]] = []
        self._ceased: set[int] = set()

    def add(self, summary: int, elements: Column) -> None:
        """A summary holds, and hides elements that follow each other."""
        self._hidden.append((summary, blocks_of(elements, len(elements))[0]))

    def become(self, hidden: list[tuple[int, list[Block]]]) -> Moved:
        """What the summaries hide is this from now on."""
        before, self._hidden = self._hidden, hidden
        held, holds = ({summary for summary, _ in one} for one in (before, hidden))
        came = [summary for summary, _ in hidden if summary not in held]
        ceased = [summary for summary, _ in before if summary not in holds]
        again = frozenset(came) & self._ceased
        self._ceased = (self._ceased | set(ceased)) - again
        back = [(one, by) for by, blocks in hidden for one in blocks if one.start in again]
        return Moved(came, again, ceased, [*_moved(before, hidden), *back])


def _moved(
    before: list[tuple[int, list[Block]]], after: list[tuple[int, list[Block]]]
) -> Iterator[tuple[Block, int]]:
    """The stretches that were hidden by another summary before."""
    known = sorted((one.start, one.stop, by) for by, blocks in before for one in blocks)
    starts = [start for start, _, _ in known]
    for by, blocks in after:
        for block in blocks:
            at = max(0, bisect_right(starts, block.start) - 1)
            while at < len(known) and known[at][0] < block.stop:
                start, stop, other = known[at]
                part = range(max(start, block.start), min(stop, block.stop))
                if part and other != by:
                    yield part, by
                at += 1
