"""Which row of a surface holds a call: some agents log it apart from the message that makes it."""

from bisect import bisect_right
from typing import Final

from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Role

_LOOKED_AT: Final = 256
"""Rows before a call that are looked through for the message that makes it."""


def holder_of(timeline: Timeline, call: int) -> int | None:
    """The event whose row holds the call that an event tells of, or None if none does.

    That is the event itself where it makes a row, else the last message of the assistant before it.
    """
    nodes = timeline.surface.nodes
    if nodes.of_event(call) is not None:
        return call
    node = bisect_right(nodes.born, call + 1) - 1
    for one in range(node, max(-1, node - _LOOKED_AT), -1):
        if nodes.role(one) is Role.ASSISTANT and nodes.origin(one) < call:
            return nodes.origin(one)
    return None
