"""The owner's second pass, kept up forwards: what the history is after every record (RULES R2).

The history is rebuilt from a *base*, a compaction that says what it becomes, by replaying what
stands behind it. Which compaction that is, `segments` knows. When it changes, the history of the
old base is laid aside as it is: a rollback may bring it back, and then only what was written
meanwhile is replayed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from inspector.columns import Column, unsigned, wide
from inspector.formats.codex.call_nodes import CallNodes
from inspector.formats.codex.items import BOUNDARY, Item
from inspector.formats.codex.keeping import Keeping
from inspector.formats.codex.laid_aside import SUMMARISE, LaidAside, Shelves, Written
from inspector.formats.codex.matching import Matching, staying
from inspector.formats.codex.replacements import Replacement
from inspector.formats.codex.segments import WHOLE, Segments
from inspector.formats.codex.stack import Stack
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Reason, Role

_META: Final[NodeDetails] = {"meta": True}

OF_LOG: Final = 16
"""A trait: the node is an item of the log, not one that a compaction makes."""

_WORK: Final = 1_000_000
_WORK_PER_EVENT: Final = 16
"""Items that may be moved, in all and for every event: rollbacks that undo compactions one after
the other cost the square of the log, which no owner writes and a hostile log may."""

_OF_RUN: Final = 100
"""Items that cost as much as one run of them that is carried back, which is looked for later on."""


class OverworkedError(Exception):
    """A log asks for more replaying than any log of the owner does."""


class History:
    """Tells the builder what the history becomes.

    Args:
        builder: whose surface it is.
        replacement: what the compaction at a position says, read again.
        text: what a node says that is an item, read again.

    Attributes:
        segments: finds the base.
        base: the compaction that the surface is rebuilt from, or `WHOLE`.
        keeping: what is kept in another form.
        left_at: the last event by which anything may have left.

    Raises:
        OverworkedError: from what replays; the surface is as it was then.
    """

    def __init__(
        self,
        builder: Builder,
        replacement: Callable[[int], Replacement],
        text: Callable[[int], str],
    ) -> None:
        self._builder = builder
        self._nodes = builder.timeline.surface.nodes
        self._replacement = replacement
        self._traits = bytearray()
        self._matching = Matching()
        self._calls = CallNodes()
        self._add_traits = self._traits.append
        self._add_likeness = self._matching.add
        self.keeping = Keeping(builder, self._traits, self._matching, text)
        self.segments = Segments()
        self.base = WHOLE
        self.left_at = -1
        self._stack = Stack(self._traits)
        self._shelves = Shelves(builder.timeline.surface.runs.lanes)
        self._summaries: dict[int, int] = {}
        # Compactions that say what the history becomes: those that count, the newest last, and
        # those that did.
        self._in_force: Column = unsigned()
        self._undone: set[int] = set()
        # What is no item, by the event: turns rolled back, or a compaction to be done again.
        self._at: Column = unsigned()
        self._turns: Column = wide()
        self._work = 0

    @property
    def boundaries(self) -> int:
        """How many items a rollback could count now."""
        return self._stack.counted

    def written(self) -> Written:
        """What the history is rebuilt from, for who wants to know what else it could be."""
        return Written(self._traits, self._at, self._turns, self._summaries)

    def rebuilt_from(self, base: int) -> LaidAside | None:
        """The history of a base, as far as it was followed; None if it was never rebuilt from it.

        Not to be changed.
        """
        if base == self.base:
            return LaidAside(self._stack, self._builder.timeline.events - 1)
        return self._shelves.look(base)

    # What is there.

    def asks(self, event: int, answer: int) -> bool:
        """Whether the last node of an event is there and is a call that this would answer."""
        node = self._nodes.of_event(event)
        return node is not None and self._calls.asks(node, answer) and self._builder.is_live(node)

    def asker(self, answer: int) -> int | None:
        """The event of the first call that is there and that this would answer; looks at all."""
        found = next(filter(self._builder.is_live, self._calls.asking(answer)), None)
        return None if found is None else self._nodes.origin(found)

    def has(self, event: int) -> bool:
        """Whether the last node of an event is there."""
        node = self._nodes.of_event(event)
        return node is not None and self._builder.is_live(node)

    # Records.

    def append(self, item: Item, sources: Sequence[range] | None = None) -> int:
        """An item of the log enters; its node."""
        return self.enter(*item, sources)

    def enter(
        self,
        role: Role,
        kind: Kind,
        tokens: int,
        likeness: int,
        traits: int = 0,
        meta: bool = False,
        asks: int = 0,
        sources: Sequence[range] | None = None,
    ) -> int:
        """The same, told without an `Item`: nearly every record of a log is one."""
        details = _META if meta else None
        node = self._builder.append(role, kind, tokens, details, sources)
        self._add_traits(traits | OF_LOG)
        self._add_likeness(likeness)
        if asks:
            self._calls.add(node, asks)
        stack = self._stack
        if traits & BOUNDARY:
            stack.boundaries.append(len(stack.nodes))
        stack.nodes.append(node)
        return node

    def roll(self, turns: int) -> int:
        """A rollback; how many nodes it cuts off what is rebuilt so far, or -1 if more changes.

        More changes if the history is rebuilt from an older compaction by it.
        """
        self.left_at = self._builder.event
        self._at.append(self.left_at)
        self._turns.append(turns)
        leaving = self._stack.cut(turns)
        self.segments.roll(turns)
        if self.segments.base != self.base:
            self.follow()
            return -1
        self._builder.remove(leaving, Reason.REWOUND)
        return len(leaving)

    def replace(self, replacement: Replacement) -> bool:
        """A compaction that says what the history becomes; whether it does anything.

        It does nothing where a rollback in the same segment asks for more turns (RULES R1.6).
        """
        event = self.left_at = self._builder.event
        self.segments.compacted(event)
        if self.segments.base != event:
            self.follow()
            return False
        self._lay_aside()
        if self._adopt(event, replacement):
            self._builder.replaced()
        self._in_force.append(event)
        return True

    def summarise(self, summary: Item) -> None:
        """A compaction that does not: the person's messages stay, and the summary follows them."""
        builder, stack, event = self._builder, self._stack, self._builder.event
        self.left_at = event
        self._at.append(event)
        self._turns.append(SUMMARISE)
        hidden = self.keeping.keep(stack, live=True)
        node = self._new(summary, None, {"sources": self._origins(hidden)})
        self._summaries[event] = node
        stack.push(node)
        builder.remove(hidden, Reason.COMPACTED)
        if hidden:
            builder.replaced()

    def follow(self) -> bool:
        """Be rebuilt from another compaction, if the first pass finds another now; whether so."""
        base = self.segments.base
        if base == self.base:
            return False
        if self._work >= _WORK + _WORK_PER_EVENT * self._builder.event:
            raise OverworkedError
        self.left_at = self._builder.event
        shelf = self._shelves.take(base)
        self._lay_aside()
        if shelf is None:
            # A rollback stood in the way when the compaction was read, and does no more.
            self._adopt(base, self._replacement(base))
            until = base
        else:
            self._stack, until = shelf
        self.base = base
        self._tell_undone(base)
        self._replay(until)
        self._shelves.gather(base, self._stack)
        runs = self._builder.timeline.surface.runs.born
        before = len(runs)
        self._builder.resurface(self._stack.living(), Reason.REWOUND)
        self._work += len(self._stack) + _OF_RUN * (len(runs) - before)
        return True

    def _tell_undone(self, base: int) -> None:
        """Tell which compactions do not count any more, and that one does that was undone."""
        in_force = self._in_force
        while in_force and in_force[-1] > base:
            event = in_force.pop()
            self._builder.undo(event)
            self._undone.add(event)
        if base != WHOLE and (not in_force or in_force[-1] != base):
            in_force.append(base)
            if base in self._undone:
                self._undone.remove(base)
                self._builder.redo(base)

    # Replaying.

    def _lay_aside(self) -> None:
        self._shelves.lay(self.base, self._stack, self._builder.event)

    def _replay(self, until: int) -> None:
        """Bring a history up to now that was laid aside after the record at ``until``."""
        born = self._nodes.born
        node = bisect_right(born, until + 1)
        for at in range(bisect_right(self._at, until), len(self._at)):
            event = self._at[at]
            stop = bisect_left(born, event + 1, node)
            self._put(node, stop)
            node = stop
            if self._turns[at] == SUMMARISE:
                self.keeping.keep(self._stack, live=False)
                self._stack.push(self._summaries[event])
            else:
                self._stack.cut(self._turns[at])
        self._put(node, len(self._traits))

    def _put(self, first: int, stop: int) -> None:
        self._work += stop - first + 1
        traits = self._traits
        self._stack.extend(node for node in range(first, stop) if traits[node] & OF_LOG)

    # Compactions.

    def _adopt(self, event: int, replacement: Replacement) -> bool:
        """The history becomes that of a compaction; whether that hides anything.

        What it has of the history before stays.
        """
        items, before = replacement.items, self._stack.living()
        places = self._matching.match(before, [item.likeness for item in items])
        stay = staying(places)
        taken = {before[place] for place in places if place is not None}
        hidden = self._origins([node for node in before if node not in taken])
        following: list[int | None] = []
        next_one: int | None = None
        for at in range(len(items) - 1, -1, -1):
            following.append(next_one)
            place = places[at]
            if at in stay and place is not None:
                next_one = before[place]
        stack = Stack(self._traits)
        for at, item in enumerate(items):
            place, behind = places[at], following[-1 - at]
            if place is not None:
                stack.push(before[place])
                continue
            details: NodeDetails = {"origin": event, "part": at, "meta": item.meta}
            if at == replacement.summary:
                details["sources"] = hidden
            stack.push(self._new(item, behind, details))
        self.base, self._stack = event, stack
        self._builder.resurface(stack.nodes, Reason.COMPACTED, event)
        return bool(hidden)

    def _new(self, item: Item, before: int | None, details: NodeDetails) -> int:
        builder = self._builder
        if before is None:
            node = builder.append(item.role, item.kind, item.tokens, details)
        else:
            node = builder.insert(before, item.role, item.kind, item.tokens, details)
        self._traits.append(item.traits)
        self._matching.add(item.likeness)
        if item.asks:
            self._calls.add(node, item.asks)
        return node

    def _origins(self, nodes: Sequence[int]) -> list[range]:
        """The events of nodes, as ranges in rising order."""
        found: list[range] = []
        for event in sorted(set(map(self._nodes.origin, nodes))):
            if found and found[-1].stop == event:
                found[-1] = range(found[-1].start, event + 1)
            else:
                found.append(range(event, event + 1))
        return found
