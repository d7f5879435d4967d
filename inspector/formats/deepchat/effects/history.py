"""The effective messages, and which of them the model is shown: the fold of format page 4 and 5.

A message stands with its row of the highest rank, and of these with the last one; a retraction
takes it away, and a later row brings it back. The last reconstruction anchor alone says from which
place on messages are shown, and what stands before them.
"""

from array import array
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from inspector.columns import unsigned
from inspector.formats.deepchat.context.checkpoint import Checkpoint
from inspector.formats.deepchat.context.records import PENDING, Record
from inspector.formats.deepchat.effects.identities import Identities
from inspector.formats.deepchat.effects.shapes import Shape
from inspector.formats.deepchat.effects.standing import Standing
from inspector.formats.deepchat.effects.stretches import Stretches
from inspector.formats.logs.tokens import of_text
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.standing import Slice
from inspector.timeline.words import Kind, Mark, Reason, Role

_GONE: Final = 0
_FINAL: Final = 2

_FEW: Final = 4
_PIECES: Final = 5_000
_PIECES_PER_EVENT: Final = 1
"""Slices of messages that anchors may bring back beyond a few each: so many, and more for every
event. Where messages come in no order and cursors go back and forth, each anchor brings back a
slice for every few hundred messages."""

_LOOKS: Final = 100_000
_LOOKS_PER_EVENT: Final = 16
"""Blocks of messages that may be looked through for it."""


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
        self._nodes = unsigned()
        self._stretches = Stretches(self._nodes, builder.timeline.surface.runs.lanes)
        self._ranks = array("B")
        self._cursor = 1.0
        self._pieces = 0
        self._looked = 0
        self._anchor: int | None = None
        self._summary: int | None = None

    # Messages.

    def message(self, record: Record, shape: Shape, *, moves: bool = False) -> bool:
        """A valid message row; returns whether its id is a new one.

        Args:
            record: what it says.
            shape: how it looks.
            moves: whether it says what the row before it said, at another place.
        """
        rank = self._pending_rank if record.status == PENDING else _FINAL
        if rank == _GONE:
            return False
        known = self._identities.claim(record.id)
        if not known:
            self._enter_new(record, shape, rank)
            return True
        slot = self._slot(record.id, known)
        if slot is None:
            self._identities.add(record.id)
            self._enter_new(record, shape, rank)
            return True
        if self._ranks[slot] == _GONE:
            self._identities.move(record.id, slot)
            self._enter_new(record, shape, rank)
        elif rank < self._ranks[slot]:
            self._hold(shape, Reason.SUPERSEDED, self._event(slot))
        else:
            if moves:
                self._builder.retell(self._event(slot))
            self._replace(slot, record, shape)
            self._ranks[slot] = rank
        return False

    def retract(self, identity: str) -> bool:
        """A message is taken away; returns whether it stood."""
        slot = self._slot(identity, self._identities.slots(identity))
        if slot is None or self._ranks[slot] == _GONE:
            return False
        self._standing.take(slot)
        self._ranks[slot] = _GONE
        if self._shown(slot):
            self._builder.remove([self._nodes[slot]], Reason.RETRACTED)
        else:
            self._retell(slot, Reason.RETRACTED)
        return True

    def _enter_new(self, record: Record, shape: Shape, rank: int) -> None:
        order = record.order
        following = self._standing.enter(order, record.id)
        if following is None and not shape.silent and order >= self._cursor:
            role, kind, tokens, _, _ = shape
            self._nodes.append(self._builder.append(role, kind, tokens))
        else:
            self._nodes.append(self._enter(order, shape, following))
        self._ranks.append(rank)

    def _enter(
        self, order: float, shape: Shape, following: int | None, made_of: int | None = None
    ) -> int:
        """A node for a message whose place is known; where it is not shown it is held."""
        if order < self._cursor:
            if order < 1 or self._anchor is None:
                return self._hold(shape, Reason.UNLINKED, None, made_of)
            if not self._builder.timeline.is_replacement(self._anchor):
                self._builder.replaced(self._anchor)
            return self._hold(shape, Reason.COMPACTED, self._anchor, made_of)
        details = _details(shape, made_of)
        if following is None:
            return self._builder.append(shape.role, shape.kind, shape.tokens, details)
        return self._builder.insert(
            self._nodes[following], shape.role, shape.kind, shape.tokens, details
        )

    def _hold(
        self, shape: Shape, reason: Reason, cause: int | None, made_of: int | None = None
    ) -> int:
        details = _details(shape, made_of)
        return self._builder.hold(shape.role, shape.kind, shape.tokens, details, reason, cause)

    def _replace(self, slot: int, record: Record, shape: Shape) -> None:
        before, shown, event = self._nodes[slot], self._shown(slot), self._event(slot)
        behind, following = self._standing.move(slot, record.order)
        builder = self._builder
        if shown and behind == following and self._shown(slot):
            details = _details(shape, event)
            self._nodes[slot] = builder.replace(
                [before], Reason.SUPERSEDED, shape.role, shape.kind, shape.tokens, details
            )
            return
        if shown:
            builder.remove([before], Reason.SUPERSEDED)
        else:
            self._retell(slot, Reason.SUPERSEDED)
        self._nodes[slot] = self._enter(record.order, shape, following, event)

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

    def _slot(self, identity: str, candidates: list[int]) -> int | None:
        """The slot of a message; a hash that fits is confirmed by reading the record."""
        recent = self._identities.recent(identity) if candidates else None
        if recent is not None:
            return recent
        for slot in candidates:
            if (
                self._standing.begins_alike(slot, identity)
                and self._identity_of(self._event(slot)) == identity
            ):
                self._identities.remember(identity, slot)
                return slot
        return None

    # Anchors.

    @property
    def tired(self) -> bool:
        """Whether anchors have brought back more apart than can be followed."""
        event = self._builder.event
        most = _PIECES + _PIECES_PER_EVENT * event
        return self._pieces > most or self._looked > _LOOKS + _LOOKS_PER_EVENT * event

    def anchor(self, checkpoint: Checkpoint, sources: Iterable[str], *, rolling: bool) -> None:
        """A reconstruction anchor: from now on it alone decides what is shown.

        Args:
            checkpoint: what it decides.
            sources: the ids of the messages that it says its summary was made of.
            rolling: whether the summary before it went into its own.
        """
        builder = self._builder
        before, after, summary = self._cursor, checkpoint.cursor, self._summary
        if after < before:
            if summary is not None:
                builder.remove([summary], Reason.SUPERSEDED)
                summary = None
            builder.carry_slices(self._slices(after, before), self._node_from(before))
        self._cursor, self._anchor, self._summary = after, builder.event, None
        first = self._node_from(after)
        leaving = builder.leading(first) if before <= after else []
        text = checkpoint.text
        if text:
            made_of = self._sources(sources, leaving, None if rolling else summary)
            self._summary = self._summarise(of_text(text), first, made_of, replacing=bool(leaving))
        elif leaving:
            self._leave(first, summary)
        hides = len(leaving) > (summary is not None)
        if hides and not text:
            builder.replaced()
        if text or hides:
            builder.mark(Mark.COMPACTION)

    def _node_from(self, start: float) -> int | None:
        """The node of the first message from a place on."""
        slot = self._standing.first_from(start)
        return None if slot is None else self._nodes[slot]

    def _slices(self, start: float, stop: float) -> list[Slice]:
        """The nodes of the messages from one place to before another, as slices of lanes."""
        standing = self._standing
        blocks, first, last = standing.between(start, stop)
        found = self._stretches.of(islice(standing.blocks, blocks), first, last)
        self._looked += blocks
        self._pieces += max(0, len(found) - _FEW)
        return found

    def _summarise(
        self, tokens: int, first: int | None, sources: list[range], *, replacing: bool
    ) -> int:
        """A summary before the first message that is shown, perhaps in the place of others."""
        builder, what = self._builder, (Role.SUMMARY, Kind.SUMMARY, tokens)
        details: NodeDetails = {"sources": sources}
        if replacing:
            return builder.replace_before(first, Reason.COMPACTED, *what, details)
        if first is None:
            return builder.append(*what, details)
        return builder.insert(first, *what, details)

    def _leave(self, first: int | None, summary: int | None) -> None:
        """What stands before the first message that is shown leaves without a summary."""
        if summary is not None:
            self._builder.remove([summary], Reason.SUPERSEDED)
        self._builder.remove_before(first, Reason.COMPACTED)

    def _sources(
        self, named: Iterable[str], leaving: list[tuple[int, int]], without: int | None
    ) -> list[range]:
        """The events that a summary was made of: those named, else those that it hides.

        What was hidden before and came back is told from its first to its last event.
        """
        origin = self._builder.timeline.surface.nodes.origin
        events = [
            self._event(slot)
            for identity in named
            for slot in self._identities.slots(identity)
            if self._standing.begins_alike(slot, identity)
        ]
        hidden = [ends for ends in leaving if ends[0] != without]
        if events:
            earlier = [first for first, _ in hidden if self._is_summary(first)]
            return as_ranges([*map(origin, earlier), *events])
        found: list[range] = []
        for first, last in hidden:
            start, stop = sorted((origin(first), origin(last)))
            if found and found[-1].stop == start:
                start = found.pop().start
            found.append(range(start, stop + 1))
        return found

    def _is_summary(self, node: int) -> bool:
        return self._builder.timeline.surface.nodes.role(node) is Role.SUMMARY


def _details(shape: Shape, made_of: int | None) -> NodeDetails | None:
    """What a node says beside its look; a later version is made of the event of the one before."""
    details: NodeDetails = {}
    if shape.silent:
        details["silent"] = True
    if made_of is not None:
        details["sources"] = (range(made_of, made_of + 1),)
    return details or None


def as_ranges(events: list[int]) -> list[range]:
    """Positions as runs of consecutive ones, in the order told."""
    found: list[range] = []
    for event in events:
        if found and event == found[-1].stop:
            found[-1] = range(found[-1].start, event + 1)
        else:
            found.append(range(event, event + 1))
    return found
