"""Which events a compaction leaves out, and in which order the others stand (format page 5)."""

from typing import NamedTuple

from inspector.formats.zero.compaction import Compaction
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.stretches import Stretches, joined, without


class Coverage(NamedTuple):
    """Positions of events that a compaction leaves out.

    Attributes:
        covered: those that it stands for; it stands where the first of them stood, or before
            everything if there are none.
        same: those that bear its own id (RULES 21).
    """

    covered: Stretches
    same: Stretches

    @property
    def hidden(self) -> Stretches:
        """All of them."""
        return joined([*self.covered, *self.same])


def coverage(
    numbering: Numbering, ids: Ids, same: Stretches, compaction: Compaction, events: int
) -> Coverage:
    """What a compaction leaves out of the first so many events.

    Args:
        numbering: what the events are called.
        ids: those that it names.
        same: the positions of the events that bear its own id.
        compaction: what it covers else.
        events: how many events there are.
    """
    if ids:
        covered = numbering.of(ids, events)
    elif compaction.through > 0:
        covered = numbering.up_to(compaction.through, events)
    else:
        covered = []
    return Coverage(without(covered, same), same)


def order(found: Coverage, position: int, events: int) -> list[range]:
    """The positions of the rehydrated events, in order.

    Args:
        found: what the compaction leaves out.
        position: of the compaction.
        events: how many events there are.
    """
    hidden = joined([*found.hidden, range(position, position + 1)])
    place = found.covered[0].start if found.covered else 0
    return [
        *without([range(place)], hidden),
        range(position, position + 1),
        *without([range(place, events)], hidden),
    ]
