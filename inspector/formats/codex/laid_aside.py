"""Histories that were laid aside and are taken up again, so that doing so often costs little."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from inspector.columns import Column, unsigned
from inspector.formats.codex.stack import Stack
from inspector.timeline.lanes import BIRTHS, Lanes

_LANES: Final = 16
"""Lanes that are made: each more makes looking for a node dearer, and no owner needs several."""


SUMMARISE: Final = -1
"""Among the turns of rollbacks: a compaction that does not say what the history becomes."""


class Written(NamedTuple):
    """What a history is rebuilt from; not to be changed.

    Attributes:
        traits: by node, what the owner's rules see in it.
        at: the events of rollbacks, and of compactions of the older kind.
        turns: how many turns each of them rolls back; `SUMMARISE` of a compaction.
        summaries: by the event of such a compaction, the node of its summary.
    """

    traits: bytearray
    at: Column
    turns: Column
    summaries: Mapping[int, int]


class LaidAside(NamedTuple):
    """The history of a base as it was after the record at ``until``."""

    stack: Stack
    until: int


class Shelves:
    """The histories of bases that are not rebuilt from now.

    Nodes that are not born one after the other come back to the surface as so many runs. A history
    that is taken up is made a lane of, of which it is one slice whatever grew in between.

    Args:
        lanes: of the timeline.
    """

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._shelves: dict[int, LaidAside] = {}
        self._rows: dict[int, tuple[int, Column]] = {}
        self._made = 0

    def lay(self, base: int, stack: Stack, until: int) -> None:
        """A history is laid aside."""
        self._shelves[base] = LaidAside(stack, until)

    def take(self, base: int) -> LaidAside | None:
        """A history that was laid aside, or None."""
        return self._shelves.pop(base, None)

    def look(self, base: int) -> LaidAside | None:
        """The same, left where it is; not to be changed."""
        return self._shelves.get(base)

    def gather(self, base: int, stack: Stack) -> None:
        """What is taken up and brought up to now is to be a slice of one lane."""
        nodes = stack.nodes
        lane, rows = self._rows.get(base, (BIRTHS, unsigned()))
        if not rows or nodes[: len(rows)] != rows:
            if self._made == _LANES:
                return
            self._made += 1
            rows = unsigned()
            lane = self._lanes.make(rows, lane)
            self._rows[base] = lane, rows
        rows.extend(nodes[len(rows) :])
        self._lanes.take_in(lane, len(rows))
