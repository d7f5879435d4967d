"""What stands on the surface: the messages, and summaries in the place of those that they hide.

Both readings of the indexes are kept up; the one that is followed is told to the builder, and where
the other comes to another list the cursor is noted.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from inspector.columns import Column, unsigned
from inspector.formats.logs.folding import Folding
from inspector.formats.reina import rules
from inspector.formats.reina.claims import Claims
from inspector.formats.reina.splices import (
    Change,
    Exercise,
    OverworkedError,
    Rewrite,
    Sequential,
    Splice,
    blocks_of,
)
from inspector.formats.reina.vocabulary import EXERCISE, POLICIES, SEQUENTIAL
from inspector.text.labels import plural
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Reason, Role

Shape: TypeAlias = tuple[Role, Kind, int]
"""What node a message makes: who speaks, what it is, and its estimated tokens."""

_BLOCKS: Final = 4
"""Stretches of a list that are named."""

_DESCRIBED: Final = 100
"""Times that both readings are laid out; later ones only count."""

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
        revised: whether a compaction ever came in force late, or changed what another one hides.
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
        self._followed: Exercise | Sequential | None = None
        self._other: Exercise | Sequential | None = None
        self._claims = Claims()
        self._differs_at: Column = unsigned()
        self._described = 0
        self._overlap = False

    # What comes.

    def arrives(self, number: int, record: int) -> None:
        """A message with a number came, whose node was made, behind a compaction.

        Raises:
            OverworkedError: if what compactions hide cannot be followed any more.
        """
        change = self._begun().message(number)
        told = change is not None
        if self._other is not None:
            told |= self._aside(self._other.message, number)
        if change is not None:
            self._change(change)
            self._tell_late(record)
        if told:
            self._compare(record)

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
            self._change(change)
            if isinstance(change, Rewrite):
                holds = any(one == summary for one, _ in change.hidden)
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

    def _change(self, change: Splice | Rewrite) -> None:
        if isinstance(change, Splice):
            nodes = [self._node(element) for element in change.hidden]
            shape = self._shape(change.summary)
            details = self._details(change.summary, nodes)
            made = self._builder.replace(nodes, Reason.COMPACTED, *shape, details)
            self._keep(change.summary, made)
        else:
            self.revised = True
            self._rewrite(change)

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

    # What is told.

    def _tell_overlap(self, first: int, last: int, record: int) -> None:
        other = self._claims.add(first, last, self._builder.event)
        if other is not None:
            kind = rules.OVERLAP_AGAIN if self._overlap else rules.OVERLAP
            self._overlap = True
            message = (
                f"messages {first} to {last} are claimed, and of these some by the compaction of "
                f"event {other} already"
            )
            self._folding.found_at_event(kind, message, record)

    def _tell_late(self, record: int) -> None:
        message = f"with {plural(self.messages, 'message')} a range holds that was skipped before"
        self._folding.found_at_event(rules.LATE_COMPACTION, message, record)

    def _tell_rewrite(self, record: int) -> None:
        message = "the owner comes to it before others, whose indexes then mean other messages"
        self._folding.found_at_event(rules.REVISED_COMPACTION, message, record)

    # Where the readings differ.

    def _compare(self, record: int) -> None:
        """Note whether both readings come to the same list, and tell it if not."""
        followed, other = self._followed, self._other
        if followed is None or other is None:
            return
        differ = followed.elements != other.elements
        if differ != bool(len(self._differs_at) % 2):
            self._differs_at.append(self._builder.event + 1)
        if differ:
            kind = rules.STILL_AMBIGUOUS if self._described else rules.AMBIGUOUS
            self._folding.found_at_event(kind, self._both(followed, other), record)

    def differ(self, cursor: int) -> bool:
        """Whether the readings come to different lists at a cursor."""
        return bool(bisect_right(self._differs_at, cursor) % 2)

    @property
    def compared(self) -> bool:
        """Whether it is known where the readings differ."""
        return not self.counts or self._other is not None

    def _both(self, followed: Exercise | Sequential, other: Exercise | Sequential) -> str:
        """Both outcomes in words."""
        self._described += 1
        names = (self.policy, next(name for name in POLICIES if name != self.policy))
        told = (
            f"{name} leaves {self._outcome(one.elements)}"
            for name, one in zip(names, (followed, other), strict=True)
        )
        return "; ".join(told)

    def _outcome(self, elements: Column) -> str:
        rows = plural(len(elements), "row")
        if self._described > _DESCRIBED:
            return rows
        found, more = blocks_of(elements, _BLOCKS)
        words = [self._block(block) for block in found]
        return f"{rows} ({', '.join([*words, '…'] if more else words)})"

    def _block(self, block: range) -> str:
        if block.start < 0:
            return f"the summary of event {self.compactions[~block.start]}"
        if len(block) == 1:
            return f"message {block.start}"
        return f"messages {block.start} to {block[-1]}"


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
