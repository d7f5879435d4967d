"""The effective messages, and which of them the model is shown: the fold of format page 4 and 5.

A message stands with its row of the highest rank, and of these with the last one; a retraction
takes it away, and a later row brings it back. The last reconstruction anchor alone says from which
place on messages are shown, and what stands before them.
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Final

from inspector.formats.deepchat.context.checkpoint import Checkpoint
from inspector.formats.deepchat.context.records import PENDING, Record
from inspector.formats.deepchat.effects.identities import Identities
from inspector.formats.deepchat.effects.shapes import Shape
from inspector.formats.deepchat.effects.standing import Standing
from inspector.formats.logs.tokens import of_text
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Mark, Reason, Role

_GONE: Final = 0
_FINAL: Final = 2


class History:
    """Tells the builder what a message, a retraction and an anchor do to the surface.

    Args:
        builder: takes the effects.
        identity_of: reads the id of the message that an event holds.
        pending_counts: whether a pending row takes part, as it does in the model's history.
    """

    def __init__(
        self, builder: Builder, identity_of: Callable[[int], str], *, pending_counts: bool
    ) -> None:
        self._builder = builder
        self._identity_of = identity_of
        self._pending_rank = 1 if pending_counts else _GONE
        self._identities = Identities()
        self._standing = Standing(lambda slot: identity_of(self._event(slot)))
        self._nodes = array("I")
        self._ranks = array("B")
        self._cursor = 1.0
        self._anchor: int | None = None
        self._summary: int | None = None

    # Messages.

    def message(self, record: Record, shape: Shape) -> bool:
        """A valid message row; returns whether its id is a new one."""
        rank = self._pending_rank if record.status == PENDING else _FINAL
        if rank == _GONE:
            return False
        slot = self._slot(record.id)
        if slot is None:
            self._enter_new(record, shape, rank)
            return True
        if self._ranks[slot] == _GONE:
            self._identities.move(record.id, slot, self._enter_new(record, shape, rank, known=True))
        elif rank < self._ranks[slot]:
            self._hold(shape, Reason.SUPERSEDED, self._event(slot))
        else:
            self._replace(slot, record, shape)
            self._ranks[slot] = rank
        return False

    def retract(self, identity: str) -> bool:
        """A message is taken away; returns whether it stood."""
        slot = self._slot(identity)
        if slot is None or self._ranks[slot] == _GONE:
            return False
        self._standing.take(slot)
        self._ranks[slot] = _GONE
        if self._shown(slot):
            self._builder.remove([self._nodes[slot]], Reason.RETRACTED)
        else:
            self._retell(slot, Reason.RETRACTED)
        return True

    def _enter_new(self, record: Record, shape: Shape, rank: int, *, known: bool = False) -> int:
        slot = self._standing.new(record.order, record.id)
        self._nodes.append(self._enter(record.order, shape, self._standing.put(slot)))
        self._ranks.append(rank)
        if not known:
            self._identities.add(record.id, slot)
        return slot

    def _enter(self, order: float, shape: Shape, following: int | None) -> int:
        """A node for a message whose place is known; where it is not shown it is held."""
        if order < self._cursor:
            if order < 1 or self._anchor is None:
                return self._hold(shape, Reason.UNLINKED, None)
            return self._hold(shape, Reason.COMPACTED, self._anchor)
        details: NodeDetails | None = {"silent": True} if shape.silent else None
        if following is None:
            return self._builder.append(shape.role, shape.kind, shape.tokens, details)
        return self._builder.insert(
            self._nodes[following], shape.role, shape.kind, shape.tokens, details
        )

    def _hold(self, shape: Shape, reason: Reason, cause: int | None) -> int:
        details: NodeDetails | None = {"silent": True} if shape.silent else None
        return self._builder.hold(shape.role, shape.kind, shape.tokens, details, reason, cause)

    def _replace(self, slot: int, record: Record, shape: Shape) -> None:
        before, shown = self._nodes[slot], self._shown(slot)
        behind, following = self._standing.move(slot, record.order)
        builder = self._builder
        if shown and behind == following and self._shown(slot):
            details: NodeDetails = {"silent": shape.silent}
            self._nodes[slot] = builder.replace(
                [before], Reason.SUPERSEDED, shape.role, shape.kind, shape.tokens, details
            )
            return
        if shown:
            builder.remove([before], Reason.SUPERSEDED)
        else:
            self._retell(slot, Reason.SUPERSEDED)
        self._nodes[slot] = self._enter(record.order, shape, following)

    def _retell(self, slot: int, reason: Reason) -> None:
        """A message that is not shown is hidden by this event too, and for another reason."""
        nodes = self._builder.timeline.surface.nodes
        node = self._nodes[slot]
        details: NodeDetails = {"origin": self._event(slot), "silent": nodes.silent(node)}
        self._builder.hold(nodes.role(node), nodes.kind(node), nodes.tokens[node], details, reason)

    def _shown(self, slot: int) -> bool:
        return self._standing.order[slot] >= self._cursor

    def _event(self, slot: int) -> int:
        """The event of the row with which a message stands, or stood last."""
        return self._builder.timeline.surface.nodes.origin(self._nodes[slot])

    def _slot(self, identity: str) -> int | None:
        """The slot of a message; a hash that fits is confirmed by reading the record."""
        recent = self._identities.recent(identity)
        if recent is not None:
            return recent
        for slot in self._identities.slots(identity):
            if (
                self._standing.begins_alike(slot, identity)
                and self._identity_of(self._event(slot)) == identity
            ):
                return slot
        return None

    # Anchors.

    def anchor(self, checkpoint: Checkpoint, sources: Iterable[str], *, rolling: bool) -> None:
        """A reconstruction anchor: from now on it alone decides what is shown.

        Args:
            checkpoint: what it decides.
            sources: the ids of the messages that it says its summary was made of.
            rolling: whether the summary before it went into its own.
        """
        builder, standing = self._builder, self._standing
        before, after = self._cursor, checkpoint.cursor
        leaving = [self._nodes[slot] for slot in standing.between(before, after)]
        hidden = [] if self._summary is None else [self._summary]
        text = checkpoint.text
        made_of = self._sources(sources, leaving, hidden if rolling else []) if text else []
        if after < before:
            shown = [self._nodes[slot] for slot in standing.between(after)]
            builder.resurface(shown, Reason.SUPERSEDED)
            hidden = []
        self._cursor, self._anchor, self._summary = after, builder.event, None
        if text:
            self._summary = self._summarise(of_text(text), [*hidden, *leaving], made_of)
        else:
            builder.remove(hidden, Reason.SUPERSEDED)
            builder.remove(leaving, Reason.COMPACTED)
        if text or leaving:
            builder.mark(Mark.COMPACTION)

    def _summarise(self, tokens: int, hidden: list[int], sources: list[range]) -> int:
        builder = self._builder
        details: NodeDetails = {"sources": sources}
        if hidden:
            return builder.replace(
                hidden, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, tokens, details
            )
        first = self._standing.first_from(self._cursor)
        if first is None:
            return builder.append(Role.SUMMARY, Kind.SUMMARY, tokens, details)
        return builder.insert(self._nodes[first], Role.SUMMARY, Kind.SUMMARY, tokens, details)

    def _sources(self, named: Iterable[str], leaving: list[int], earlier: list[int]) -> list[range]:
        """The events that a summary was made of: those named, else those that it hides."""
        events = [
            self._event(slot)
            for identity in named
            for slot in self._identities.slots(identity)
            if self._standing.begins_alike(slot, identity)
        ]
        origin = self._builder.timeline.surface.nodes.origin
        events = [*map(origin, earlier), *(events or map(origin, leaving))]
        return as_ranges(events)


def as_ranges(events: list[int]) -> list[range]:
    """Positions as runs of consecutive ones, in the order told."""
    found: list[range] = []
    for event in events:
        if found and event == found[-1].stop:
            found[-1] = range(found[-1].start, event + 1)
        else:
            found.append(range(event, event + 1))
    return found
