"""What stands on the surface: the messages, and summaries in the place of those that they hide.

Both readings of the indexes are kept up; the one that is followed is told to the builder, and where
the other comes to another list the cursor is noted.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from inspector.columns import Column, unsigned
from inspector.formats.logs.folding import Folding
from inspector.formats.reina import rules
from inspector.formats.reina.claims import Claims
from inspector.formats.reina.comparing import Comparison
from inspector.formats.reina.hiding import Hiding, Moved
from inspector.formats.reina.splices import (
    Block,
    Change,
    Exercise,
    OverworkedError,
    Rewrite,
    Sequential,
    Splice,
)
from inspector.formats.reina.vocabulary import EXERCISE, POLICIES, SEQUENTIAL
from inspector.text.labels import plural
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Mark, Outcome, Reason, Role, SpanKind

Shape: TypeAlias = tuple[Role, Kind, int]
"""What node a message makes: who speaks, what it is, and its estimated tokens."""

_NAMED: Final = 4
"""Compactions that are named where several hold at once."""

LATE: Final = "late"
"""Under which a compaction begins and ends that holds by a later message."""

_MAKES: Final[dict[str, Callable[[int], "Exercise | Sequential"]]] = {
    EXERCISE: Exercise,
    SEQUENTIAL: Sequential,
}


class Surface:
    """Tells the builder of messages and compactions.

    Args:
        folding: of the log.
        policy: the reading that is followed.

    Attributes:
        messages: how many there are so far.
        counts: whether there is a compaction for which it matters that a message comes.
        compactions: the events of all compactions that the owner reads, holding or not.
        revised: whether a compaction ever changed what another one hides.
    """

    def __init__(self, folding: Folding, policy: str) -> None:
        self._folding = folding
        self._builder = folding.builder
        self._nodes = folding.builder.timeline.surface.nodes
        self.policy = policy
        self.messages = 0
        self.counts = False
        self.compactions: Column = unsigned()
        self.revised = False
        self._weights: Column = unsigned()
        self._summaries: dict[int, int] = {}
        # How many messages there were when the node of a summary was made, for each in order.
        self._made_at: Column = unsigned()
        self._hiding = Hiding()
        # Of summaries that held once, the event by which they do not.
        self._superseded: dict[int, int] = {}
        self._followed: Exercise | Sequential | None = None
        self._other: Exercise | Sequential | None = None
        self._claims = Claims()
        self._comparison = Comparison(folding, policy, self.compactions)
        self._overlap = False

    # What comes.

    def arrives(self, number: int, record: int) -> None:
        """A message with a number came, whose node was made, behind a compaction.

        Raises:
            OverworkedError: if what compactions hide cannot be followed any more.
        """
        change = self._begun().message(number)
        told = False
        if self._other is not None:
            told = self._aside(self._other.message, number)
        if change is not None:
            moved = self._change(change)
            told |= moved is None or not moved.nothing
            if moved is not None and moved.came:
                self._tell_late(moved.came, record)
            if moved is not None and moved.ceased:
                self._tell_rewrite(record)
        if told:
            self._compare(record)

    def foresee(self, last: int) -> tuple[tuple[int, int] | None, bool]:
        """Whether a compaction of 0 to some index that comes now may be undone by later messages.

        Returns:
            The event of the compaction that was passed over and holds first, with how many messages
            it does; None where none waits. And whether the very next message undoes the new one.
        """
        for one in (self._followed, self._other):
            if isinstance(one, Exercise):
                found, holds = one.foresee(last)
                waiting = None if found is None else (self.compactions[~found[0]], found[1])
                return waiting, not holds
        return None, False

    def skipped(self, tokens: int) -> None:
        """A compaction comes whose range can never hold."""
        self._number(tokens)

    def compact(self, first: int, last: int, tokens: int, record: int) -> str | None:
        """A compaction comes, whose range begins at 0 or later and is not empty.

        Args:
            first: the first index that it hides.
            last: the last one.
            tokens: the estimated ones of its summary.
            record: that carries it.

        Returns:
            Why it hides nothing, for now at least; None if it does.

        Raises:
            OverworkedError: if what compactions hide cannot be followed any more.
        """
        followed = self._begun()
        summary = ~self._number(tokens)
        self._tell_overlap(first, last, record)
        change = followed.compact(summary, first, last)
        if self._other is not None:
            self._aside(self._other.compact, summary, first, last)
        holds = isinstance(change, Splice)
        if change is not None:
            moved = self._change(change)
            if isinstance(change, Rewrite):
                holds = any(one == summary for one, _ in change.hidden)
            if moved is not None and not moved.nothing:
                self._tell_rewrite(record)
        self._compare(record)
        return None if holds else f"{first} to {last} ends behind the last message"

    def _begun(self) -> Exercise | Sequential:
        """The list that is followed; before the first compaction there is none."""
        if self._followed is None:
            other = next(name for name in POLICIES if name != self.policy)
            self.counts = True
            self._followed = _MAKES[self.policy](self.messages)
            self._other = _MAKES[other](self.messages)
        return self._followed

    def _number(self, tokens: int) -> int:
        number = len(self.compactions)
        self.compactions.append(self._builder.event)
        self._weights.append(min(tokens, 0xFFFF_FFFF))
        return number

    def _aside(self, told: Callable[..., Change], *what: int) -> bool:
        """Keep up the reading that is not followed; whether it changed what it hides."""
        try:
            return told(*what) is not None
        except OverworkedError:
            self._other = None
            message = "the other reading of the indexes would take too much work"
            event = self._builder.event
            self._builder.find(rules.NOT_COMPARED, message, record=None, event=event)
            return False

    # The builder.

    def _change(self, change: Splice | Rewrite) -> Moved | None:
        """Tell a change; gives what became of the summaries where all are gone through anew."""
        if isinstance(change, Splice):
            self._hiding.add(change.summary, change.hidden)
            nodes = [self._node(element) for element in change.hidden]
            shape = self._shape(change.summary)
            details = self._details(change.summary, nodes)
            made = self._builder.replace(nodes, Reason.COMPACTED, *shape, details)
            self._keep(change.summary, made)
            return None
        moved, stood = self._hiding.become(change.hidden), frozenset(change.before)
        if moved.nothing:
            return moved
        self.revised |= bool(moved.ceased or moved.hidden)
        self._rewrite(change)
        self._hold(moved.came, change.hidden)
        self._cease(moved, stood)
        for block, summary in moved.hidden:
            for again in self._nodes_of(block):
                self._builder.rehide(again, Reason.COMPACTED, self.compactions[~summary])
        for summary in moved.came:
            event = self.compactions[~summary]
            if summary in moved.again:
                self._builder.redo(event)
            if event != self._builder.event:
                self._builder.replaced(event)
        return moved

    def _hold(self, came: list[int], hidden: list[tuple[int, list[Block]]]) -> None:
        """The nodes of summaries that came and never stood: another one hid them at once."""
        new = [summary for summary in came if summary not in self._summaries]
        if not new:
            return
        blocks = dict(hidden)
        by = {block.start: one for one, of in hidden for block in of if block.start < 0}
        for summary in new:
            made = [
                n for block in blocks[summary] for nodes in self._nodes_of(block) for n in nodes
            ]
            details = self._details(summary, made)
            cause = self.compactions[~by[summary]]
            shape = self._shape(summary)
            node = self._builder.hold(*shape, details, Reason.COMPACTED, cause)
            self._keep(summary, node)
            if self.compactions[~summary] == self._builder.event:
                self._builder.replaced()

    def _cease(self, moved: Moved, stood: frozenset[int]) -> None:
        """Summaries do not hold any more: this event takes their place, and that of what they did.

        Args:
            moved: what is another.
            stood: the elements that stood there before.
        """
        event, gone = self._builder.event, {self.compactions[~one] for one in moved.ceased}
        for summary in moved.again:
            self._superseded.pop(summary, None)
        for summary, by in self._superseded.items():
            if by in gone:
                self._supersede(summary)
        for summary in moved.ceased:
            self._builder.undo(self.compactions[~summary])
            if summary not in stood:
                self._supersede(summary)
            self._superseded[summary] = event

    def _supersede(self, summary: int) -> None:
        """A summary that stands nowhere any more is told to be gone by this event."""
        for nodes in self._nodes_of(range(summary, summary + 1)):
            self._builder.rehide(nodes, Reason.SUPERSEDED, self._builder.event)
        self._superseded[summary] = self._builder.event

    def _rewrite(self, change: Rewrite) -> None:
        """The surface becomes another list: what leaves, what is new, what comes back."""
        builder, before = self._builder, change.before
        followed = self._begun()
        after = followed.elements
        stays = set(after)
        leaving = [element for element in before if element not in stays]
        for summary, nodes, reason in self._by_cause(leaving, change):
            cause = None if summary is None else self.compactions[~summary]
            builder.remove(nodes, reason, cause)
            if cause is not None and self._nodes.born[nodes[-1]] == builder.event + 1:
                # The message that made a range hold is a part of it.
                builder.hidden_at_once(nodes[-1], cause)
        hides = dict(change.hidden)
        live = set(before) & stays
        following: int | None = None
        comes_back = False
        for element in reversed(after):
            if element not in live and (element >= 0 or element in self._summaries):
                comes_back = True
                continue
            if element not in live:
                self._enter(element, [n for block in hides[element] for n in block], following)
            following = self._node(element)
        if comes_back:
            builder.resurface([self._node(element) for element in after], Reason.SUPERSEDED)

    def _by_cause(
        self, leaving: list[int], change: Rewrite
    ) -> Iterable[tuple[int | None, list[int], Reason]]:
        """The nodes that leave, by the summary that hides them; None for what does not hold."""
        hidden_by = {
            element: summary
            for summary, blocks in change.hidden
            for block in blocks
            for element in block
        }
        groups: dict[int | None, list[int]] = {}
        for element in leaving:
            groups.setdefault(hidden_by.get(element), []).append(self._node(element))
        for summary, nodes in groups.items():
            yield summary, nodes, Reason.SUPERSEDED if summary is None else Reason.COMPACTED

    def _enter(self, summary: int, hidden: list[int], following: int | None) -> None:
        """The node of a summary that holds for the first time."""
        made_before = [one for one in hidden if one >= 0 or one in self._summaries]
        details = self._details(summary, list(map(self._node, made_before)))
        shape = self._shape(summary)
        if following is None:
            made = self._builder.append(*shape, details)
        else:
            made = self._builder.insert(following, *shape, details)
        self._keep(summary, made)
        if self.compactions[~summary] == self._builder.event:
            self._builder.replaced()

    def _shape(self, summary: int) -> Shape:
        return Role.SUMMARY, Kind.SUMMARY, self._weights[~summary]

    def _details(self, summary: int, hidden: list[int]) -> NodeDetails:
        return {
            "origin": self.compactions[~summary],
            "sources": _stretches(sorted(map(self._nodes.origin, hidden))),
        }

    def _keep(self, summary: int, node: int) -> None:
        self._summaries[summary] = node
        self._made_at.append(self.messages)

    def _node(self, element: int) -> int:
        """The node of a message or a summary: those of messages are numbered with the others."""
        if element < 0:
            return self._summaries[element]
        return element + bisect_right(self._made_at, element)

    def _nodes_of(self, block: Block) -> Iterator[range]:
        """The nodes of messages, or of a summary if it ever had one, as stretches."""
        if block.start < 0:
            if block.start in self._summaries:
                node = self._summaries[block.start]
                yield range(node, node + 1)
            return
        start = block.start
        while start < block.stop:
            before = bisect_right(self._made_at, start)
            stop = self._made_at[before] if before < len(self._made_at) else block.stop
            stop = min(stop, block.stop)
            yield range(start + before, stop + before)
            start = stop

    # What is told.

    def _tell_overlap(self, first: int, last: int, record: int) -> None:
        other = self._claims.add(first, last, self._builder.event)
        if other is not None:
            kind = rules.OVERLAP_AGAIN if self._overlap else rules.OVERLAP
            self._overlap = True
            what = f"messages {first} to {last} are" if first < last else f"message {first} is"
            some = "of these some" if first < last else "that"
            message = f"{what} claimed, and {some} by the compaction of event {other} already"
            self._folding.found_at_event(kind, message, record)

    def _tell_late(self, came: list[int], record: int) -> None:
        builder = self._builder
        builder.mark(Mark.COMPACTION)
        for summary in came:
            event = self.compactions[~summary]
            builder.open(SpanKind.COMPACTION, LATE)
            builder.close(SpanKind.COMPACTION, LATE, Outcome.OK, f"#{event}, whose range holds now")
        which = ", ".join(f"#{self.compactions[~one]}" for one in came[:_NAMED])
        those = f"the range of {which} holds" if len(came) == 1 else f"ranges hold ({which})"
        message = f"with {plural(self.messages, 'message')} {those}, skipped before"
        self._folding.found_at_event(rules.LATE_COMPACTION, message, record)

    def _tell_rewrite(self, record: int) -> None:
        message = "the owner comes to it before others, whose indexes then mean other messages"
        self._folding.found_at_event(rules.REVISED_COMPACTION, message, record)

    # Where the readings differ.

    def _compare(self, record: int) -> None:
        if self._followed is not None and self._other is not None:
            self._comparison.compare(self._followed.elements, self._other.elements, record)

    def differ(self, cursor: int) -> bool:
        """Whether the readings come to different lists at a cursor."""
        return self._comparison.differ(cursor)

    @property
    def compared(self) -> bool:
        """Whether it is known where the readings differ."""
        return not self.counts or self._other is not None


def _stretches(positions: Iterable[int]) -> list[range]:
    """Sorted positions as stretches."""
    found: list[range] = []
    start = stop = -1
    for at in positions:
        if at != stop:
            if start < stop:
                found.append(range(start, stop))
            start = at
        stop = at + 1
    if start < stop:
        found.append(range(start, stop))
    return found
