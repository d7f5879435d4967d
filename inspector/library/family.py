"""A family of sessions: from what each says of itself and of others to one tree.

Who comes from whom, the child says; where it is silent, the parent. What is named and not there is
a member without a place. Nothing that tapes say of each other makes this go in circles.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from inspector.library.lineage import Lineage, Node, ends_with
from inspector.library.members import Member
from inspector.library.relations import FORK, OPEN


class Looked(NamedTuple):
    """Where relatives were looked for.

    Attributes:
        path: a folder, or a database.
        there: whether anything is there.
        said_by: the variable of the environment that names it, or None.
        denied: whether it may not be read: nothing is known of what is in it.
    """

    path: Path
    there: bool = True
    said_by: str | None = None
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A member at its place in the tree.

    Attributes:
        member: which.
        depth: how many stand above it, 0 of the oldest.
        above: the number of the branch that it hangs on, or None.
        last: whether no sibling comes behind it.
        relation: what it is to the one above; of the oldest what it is to one that is not shown.
        status: merged, discarded, open …; None where nobody says.
        boundary: as `Member.boundary`, by whoever tells it.
        children: the numbers of those that hang on it.
        notes: what else is to be known of it, a sentence each, clean.
    """

    member: Member
    depth: int
    above: int | None
    last: bool
    relation: str | None
    status: str | None
    boundary: int | None
    children: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Family:
    """All that belong to a session, in the order in which a tree is read.

    Attributes:
        branches: the tree of the session first; behind it those of others that it names.
        here: the number of the branch of the session itself.
        looked: where relatives were looked for.
        notes: what is odd about the family as a whole, a sentence each, clean.
    """

    branches: tuple[Branch, ...]
    here: int
    looked: tuple[Looked, ...] = ()
    notes: tuple[str, ...] = ()

    def parent(self) -> Branch | None:
        """The one that the session comes from, or None."""
        above = self.branches[self.here].above
        return None if above is None else self.branches[above]

    def of(self, name: str) -> int | None:
        """The number of the branch of an id, or of what a parent calls by the end of an id."""
        for number, branch in enumerate(self.branches):
            if branch.member.id == name:
                return number
        level = self.branches[self.here].children
        while level:
            for number in level:
                if ends_with(self.branches[number].member.id, name):
                    return number
            level = tuple(below for one in level for below in self.branches[one].children)
        return None

    def missing(self) -> list[Branch]:
        """Those that are named and not to be found."""
        return [branch for branch in self.branches if branch.member.missing]


def family_of(
    members: Sequence[Member],
    here: Member,
    looked: Iterable[Looked] = (),
    notes: Iterable[str] = (),
    absent: Callable[[str], Member] = Member,
) -> Family:
    """The family of one of some sessions.

    Args:
        members: sessions, the one itself among them; more than belong together do no harm.
        here: the one that is asked of.
        looked: where they come from.
        notes: what is to be told besides; asked for when the tree stands.
        absent: the member of an id that is named and that none of them has.
    """
    lineage = Lineage(members, here, absent)
    lineage.settle()
    branches, number = _Drawing(lineage).drawn()
    return Family(branches, number, tuple(looked), (*notes, *lineage.odd))


class _Drawing:
    """A lineage in the order in which a tree is read."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._nodes = lineage.nodes

    def drawn(self) -> tuple[tuple[Branch, ...], int]:
        """The branches of the family, and the number of the one that is asked of."""
        order: list[tuple[int, int, int | None, bool]] = []
        at: dict[int, int] = {}
        for root in self._roots():
            waiting: list[tuple[int, int, int | None, bool]] = [(root, 0, None, True)]
            while waiting:
                number, depth, above, last = waiting.pop()
                at[number] = len(order)
                order.append((number, depth, above, last))
                children = self._nodes[number].children
                waiting += [
                    (child, depth + 1, at[number], child == children[-1])
                    for child in reversed(children)
                ]
        branches = tuple(self._branch(*one, at) for one in order)
        return branches, at[0]

    def _roots(self) -> list[int]:
        """The oldest of the family, then the oldest of those that it says to come from as well."""
        linked: dict[int, set[int]] = defaultdict(set)
        for one, other in self._lineage.others:
            linked[self._lineage.root(one)].add(self._lineage.root(other))
            linked[self._lineage.root(other)].add(self._lineage.root(one))
        roots = [self._lineage.root(0)]
        for root in roots:
            further = sorted(linked[root], key=self._lineage.order)
            roots += [other for other in further if other not in roots]
        return roots

    def _branch(
        self, number: int, depth: int, above: int | None, last: bool, at: dict[int, int]
    ) -> Branch:
        node = self._nodes[number]
        status = node.status
        if status is None and node.relation == FORK and self._is_told_of_merging(node):
            status = OPEN
        return Branch(
            node.member,
            depth,
            above,
            last,
            node.relation if node.above is not None else None,
            status,
            node.boundary,
            tuple(at[child] for child in node.children),
            tuple(node.notes),
        )

    def _is_told_of_merging(self, node: Node) -> bool:
        """Whether the parent tells what becomes of its forks."""
        if node.above is None or node.member.path is None:
            return False
        return any(named.status is not None for named in self._nodes[node.above].member.names)
