"""The effects folded the slow way: one plain list, copied after every event.

Nothing of this is fast and nothing of it comes from the inspector; words are plain strings. Nodes
are numbered in the order in which they are made, as the builder does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

HIDDEN = {
    "compacted": "shadowed",
    "pruned": "pruned",
    "cleared": "cleared",
    "superseded": "superseded",
    "retracted": "retracted",
    "rewound": "rewound",
    "unlinked": "unlinked",
}
"""The word for an event whose node left, by the reason."""

SHOWN = {"full": "visible", "cut": "pruned", "cleared": "cleared", "rebuilt": "visible"}
"""The word for an event whose node is there, by its form."""


class Row(NamedTuple):
    """One stay of a node: since which cursor, and whether it was carried back."""

    node: int
    born: int
    carried: bool


class Gone(NamedTuple):
    """How a stay ended."""

    node: int
    reason: str
    by: int


@dataclass(frozen=True)
class Node:
    """What a node is, whether it is there or not."""

    origin: int
    role: str
    kind: str
    tokens: int
    part: int = 0
    form: str = "full"
    silent: bool = False
    meta: bool = False
    sources: tuple[range, ...] = ()
    sources_of: int | None = None


class Reference:
    """Takes the calls that a builder takes, and `end` after each event."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.made: list[int] = []
        self.rows: list[Row] = []
        self.ended: dict[Row, tuple[int, Gone]] = {}
        self.surfaces: list[list[Row]] = [[]]
        self.replaced: list[int] = []
        self.beside: list[int] = []

    @property
    def event(self) -> int:
        """The position of the event that is being folded."""
        return len(self.surfaces) - 1

    @property
    def current(self) -> list[int]:
        """The nodes that are there now."""
        return [row.node for row in self.rows]

    def end(self) -> None:
        """The event is folded."""
        self.surfaces.append(list(self.rows))

    # Effects.

    def append(self, node: Node) -> int:
        self.rows.append(self._new(node))
        return self.rows[-1].node

    def hold(self, node: Node, reason: str, cause: int | None = None) -> int:
        row = self._new(node)
        gone = Gone(row.node, reason, self.event if cause is None else cause)
        self.ended[row] = (self.event + 1, gone)
        return row.node

    def aside(self) -> None:
        self.beside.append(self.event)

    def insert(self, before: int, node: Node) -> int:
        row = self._new(node)
        self.rows.insert(self.current.index(before), row)
        return row.node

    def replace(self, nodes: Sequence[int], reason: str, node: Node) -> int:
        self.replaced.append(self.event)
        made = self.insert(nodes[0], node)
        self.remove(nodes, reason)
        return made

    def reform(self, node: int, form: str, tokens: int, reason: str) -> int:
        made = self.insert(
            node, replace(self.nodes[node], form=form, tokens=tokens, sources=(), sources_of=None)
        )
        self.remove([node], reason)
        return made

    def remove(self, nodes: Iterable[int], reason: str, cause: int | None = None) -> None:
        for node in nodes:
            row = self.rows.pop(self.current.index(node))
            # What came and went within one event was never there.
            if row.born <= self.event:
                gone = Gone(node, reason, self.event if cause is None else cause)
                self.ended[row] = (self.event + 1, gone)

    def carry(self, nodes: Sequence[int], before: int | None) -> None:
        at = len(self.rows) if before is None else self.current.index(before)
        self.rows[at:at] = [Row(node, self.event + 1, True) for node in nodes]

    def resurface(
        self, sequence: Sequence[int], reason: str, cause: int | None, kept: set[int]
    ) -> None:
        """The surface becomes this sequence; ``kept`` are the nodes that are said to stay.

        Which of several longest common subsequences stays is free, but a longest one it must be.
        """
        here = self.current
        assert len(kept) == longest_common(here, sequence), "more rows could have stayed"
        in_order = [node for node in sequence if node in kept]
        assert [node for node in here if node in kept] == in_order
        self.remove([node for node in here if node not in kept], reason, cause)
        staying = {row.node: row for row in self.rows}
        self.rows = [staying.get(node, Row(node, self.event + 1, True)) for node in sequence]

    def _new(self, node: Node) -> Row:
        self.nodes.append(node)
        self.made.append(self.event)
        return Row(len(self.nodes) - 1, self.event + 1, False)

    # Questions.

    def count(self, cursor: int) -> int:
        return len(self.surfaces[cursor])

    def messages(self, cursor: int) -> int:
        return sum(not self.nodes[row.node].silent for row in self.surfaces[cursor])

    def tokens(self, cursor: int) -> int:
        return sum(self.nodes[row.node].tokens for row in self.surfaces[cursor])

    def rank(self, node: int, cursor: int) -> int | None:
        here = [row.node for row in self.surfaces[cursor]]
        return here.index(node) if node in here else None

    def generation(self, cursor: int) -> int:
        return sum(event < cursor for event in self.replaced)

    def departure(self, node: int, cursor: int) -> Gone | None:
        """The end of a node's last stay before a cursor; None if it is there or never was."""
        found = self.ending(node, cursor)
        return None if found is None else found[1]

    def ending(self, node: int, cursor: int) -> tuple[int, Gone] | None:
        """The same, and the cursor at which it left."""
        if self.rank(node, cursor) is not None:
            return None
        ends = [end for row, end in self.ended.items() if row.node == node and end[0] <= cursor]
        return max(ends) if ends else None

    def cited(self, node: int) -> list[int]:
        """What a node was made from: what another one was, and what it names itself."""
        found = self.nodes[node]
        before = [] if found.sources_of is None else self.cited(found.sources_of)
        return [*before, *(event for span in found.sources for event in span)]

    def changes(self, earlier: int, later: int) -> tuple[set[Row], set[Gone]]:
        """What is only at the later cursor, and what is only at the earlier one."""
        before, after = set(self.surfaces[earlier]), set(self.surfaces[later])
        return after - before, {self.ended[row][1] for row in before - after}

    def visibility(self, event: int, cursor: int) -> tuple[str, int | None]:
        """What became of an event: a node that is there tells, else the one that left last."""
        if event >= cursor:
            return "not-yet", None
        own = [number for number, node in enumerate(self.nodes) if node.origin == event]
        for number in reversed(own):
            if self.rank(number, cursor) is not None:
                shown, by = SHOWN[self.nodes[number].form], self.made[number]
                return shown, None if shown == "visible" or by == event else by
        ends = [end for number in own if (end := self.ending(number, cursor)) is not None]
        if ends:
            _, gone = max(ends, key=lambda end: (end[0], end[1].node))
            return HIDDEN[gone.reason], gone.by
        return "aside" if event in self.beside else "log-only", None

    def changing(self) -> list[int]:
        """The cursors at which a row entered or left."""
        return [
            cursor
            for cursor in range(1, len(self.surfaces))
            if self.surfaces[cursor] != self.surfaces[cursor - 1]
        ]


class PlainTree:
    """Members that name their parents, the rows of each, and the member called the leaf."""

    def __init__(self) -> None:
        self.parents: list[int | None] = []
        self.rows: list[list[int]] = []
        self.leaf: int | None = None

    def add(self, parent: int | None) -> int:
        self.parents.append(parent)
        self.rows.append([])
        return len(self.parents) - 1

    def path(self, member: int | None) -> list[int]:
        found: list[int] = []
        while member is not None:
            found.insert(0, member)
            member = self.parents[member]
        return found

    def rows_to(self, member: int | None) -> list[int]:
        return [row for other in self.path(member) for row in self.rows[other]]


def longest_common(one: Sequence[int], other: Sequence[int]) -> int:
    """The length of the longest common subsequence."""
    lengths = [0] * (len(other) + 1)
    for left in one:
        above = 0
        for at, right in enumerate(other, 1):
            above, lengths[at] = (
                lengths[at],
                above + 1 if left == right else max(lengths[at], lengths[at - 1]),
            )
    return lengths[-1]
