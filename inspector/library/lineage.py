"""Who hangs on whom: from what sessions say of themselves and of each other.

Who comes from whom, the child says; where it is silent, the parent. Nothing that tapes say of each
other makes this go in circles, and it is the same in whatever order they were found.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from inspector.formats.relatives import comes_from
from inspector.library.members import Member, Named
from inspector.library.relations import CHILD, SUBAGENT, TWIN, surer
from inspector.text.gate import clean_line

_ID: Final = 80
"""Characters of an id in a sentence."""

_NEVER: Final = 1 << 62


def ends_with(whole: str | None, end: str) -> bool:
    """Whether a parent may call a child so: by the last word of its id."""
    return whole is not None and bool(end) and whole.endswith(f"-{end}")


class Node:
    """A member while it is put in its place."""

    __slots__ = ("above", "boundary", "children", "member", "notes", "relation", "status")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.above: int | None = None
        self.children: list[int] = []
        self.relation: str | None = member.relation
        self.status: str | None = None
        self.boundary = member.boundary
        self.notes: list[str] = list(member.notes)


class Lineage:
    """Members at their places, by numbers.

    Args:
        members: sessions.
        here: the one that is asked of, which is number 0.
        absent: the member of an id that none of them has.

    Attributes:
        nodes: the members, those included that are only named.
        odd: what is odd about them as a whole, a sentence each, clean.
        others: of whom somebody says to come from as well: who says it, and the other.
    """

    def __init__(
        self,
        members: Sequence[Member],
        here: Member,
        absent: Callable[[str], Member] = Member,
    ) -> None:
        self._absent = absent
        told: dict[tuple[Path | None, str | None], Member] = {}
        for member in (here, *members):
            if member.path is not None:
                told.setdefault(member.place, member)
        self.nodes = [Node(member) for member in told.values()]
        self.odd: list[str] = []
        if here.path is None:
            self.nodes.insert(0, Node(here))
        self._by_id: dict[str, int] = {}
        self._twins: set[int] = set()
        self._hung: dict[int, list[int]] = defaultdict(list)
        self.others: list[tuple[int, int]] = []

    # Who hangs on whom.

    def settle(self) -> None:
        """Find everybody's place."""
        self._gather_twins()
        for number in range(len(self.nodes)):
            self._hang_by_own_word(number)
        # Of two that name the same one the older counts, in whatever order they were found.
        for number in sorted(range(len(self.nodes)), key=self.order):
            for named in self.nodes[number].member.names:
                self._hang_by_another(number, named)
        for number in range(len(self.nodes)):
            for other in self.nodes[number].member.others:
                self._also_from(number, other)
        self._cut_circles()
        for number, node in enumerate(self.nodes):
            if node.above is not None:
                self.nodes[node.above].children.append(number)
                node.relation = node.relation or CHILD
                self._tell_unknown_call(node, self.nodes[node.above])
        for node in self.nodes:
            node.children.sort(key=self.order)

    def _tell_unknown_call(self, node: Node, parent: Node) -> None:
        read = node.member.read and parent.member.read
        if node.relation == SUBAGENT and node.boundary is None and read:
            node.notes.append("which call started it is not known")

    def _gather_twins(self) -> None:
        """Of several files of one session one counts, and the others hang on it."""
        claimed: dict[str, list[int]] = defaultdict(list)
        for number, node in enumerate(self.nodes):
            if node.member.id is not None:
                claimed[node.member.id].append(number)
        for name, numbers in claimed.items():
            first = min(numbers, key=self._rank)
            self._by_id[name] = first
            for number in numbers:
                if number != first:
                    self._twins.add(number)
                    self._hang(number, first)
                    self.nodes[number].relation = self.nodes[number].member.twin or TWIN
                    self.nodes[number].boundary = None
            if len(numbers) > 1:
                self.nodes[first].notes.append(f"{len(numbers)} files say that they are it")
        self._gather_renamed()

    def _gather_renamed(self) -> None:
        """A log of a session's folder that bears another id than the one that counts."""
        for number, node in enumerate(self.nodes):
            counts = node.member.twin_of
            first = None if counts is None else self._by_id.get(counts)
            if counts == node.member.id or first is None or number in self._twins:
                continue
            self._twins.add(number)
            self._hang(number, first)
            node.relation, node.boundary = node.member.twin or TWIN, None
            node.notes.append("it lies in the same folder, and bears another id")

    def _rank(self, number: int) -> tuple[bool, bool, bool, int, str]:
        """The lower, the more it counts among the files of one session."""
        member = self.nodes[number].member
        return (
            member.twin is not None,
            number != 0,
            member.problem is not None,
            -(member.last or member.started or 0),
            str(member.path),
        )

    def _hang_by_own_word(self, number: int) -> None:
        node = self.nodes[number]
        if number in self._twins:
            # Another file of the session says the same, or counts less.
            return
        parent = node.member.parent
        if parent is None:
            return
        if not comes_from(parent, parent, node.member.id):
            node.notes.append("names itself as where it comes from")
            return
        self._hang(number, self._number(parent))

    def _hang(self, number: int, above: int) -> None:
        self.nodes[number].above = above
        self._hung[above].append(number)

    def _also_from(self, number: int, name: str) -> None:
        """It names more than one that it comes from: it hangs on one, and says so of the other."""
        node, other = self.nodes[number], self._by_id.get(name)
        if number in self._twins or name in (node.member.id, node.member.parent):
            return
        lost = other is None or self.nodes[other].member.missing
        found = ", which is not found" if lost else ""
        node.notes.append(f"also comes from {clean_line(name, _ID)}{found}")
        if other is not None:
            self.others.append((number, other))

    def _number(self, name: str) -> int:
        """The node of an id, made where nobody has that id."""
        number = self._by_id.get(name)
        if number is None:
            number = self._by_id[name] = len(self.nodes)
            self.nodes.append(Node(self._absent(name)))
        return number

    def _hang_by_another(self, number: int, named: Named) -> None:
        """A tape names one that came from it."""
        teller = self.nodes[number]
        if number in self._twins or named.id == teller.member.id:
            return
        child = self._called(number, named.id)
        if child is None:
            child = self._number(named.id)
            self._hang(child, number)
        node = self.nodes[child]
        if node.above is None and not self._stands_above(child, number):
            self._hang(child, number)
            said = clean_line(teller.member.id or "", _ID)
            node.notes.append(f"only {said} tells that it comes from there")
        if node.above == number:
            node.relation = surer(node.relation, named.relation)
            node.status = named.status or node.status
            if node.boundary is None:
                node.boundary = named.at
        elif named.status is not None or not self._is_related(child, number):
            said = clean_line(teller.member.id or "", _ID)
            status = "" if named.status is None else f", {named.status}"
            what = clean_line(named.relation, _ID)
            node.notes.append(f"{said} names it as its {what} too{status}")
            self.others.append((child, number))

    def _is_related(self, one: int, other: int) -> bool:
        """Whether one of two hangs on the other, however far below."""
        return self._stands_above(one, other) or self._stands_above(other, one)

    def _called(self, number: int, name: str) -> int | None:
        """The node that a tape names: by its id, or by the end of that of one of its own."""
        found = self._by_id.get(name)
        if found is not None:
            return found
        # Of its own come first, then theirs: one that it names may be that of another of them.
        level, seen = self._hung[number], {number}
        while level:
            level = [one for one in level if one not in seen]
            seen.update(level)
            called = (one for one in level if ends_with(self.nodes[one].member.id, name))
            first = min(called, key=self.order, default=None)
            if first is not None:
                return first
            level = [below for one in level for below in self._hung[one]]
        return None

    def _stands_above(self, above: int, number: int) -> bool:
        """Whether a node is another one, or that hangs on it."""
        seen: set[int] = set()
        at: int | None = number
        while at is not None and at not in seen:
            if at == above:
                return True
            seen.add(at)
            at = self.nodes[at].above
        return False

    # No circles.

    def _cut_circles(self) -> None:
        """Where each comes from the next all around, the oldest comes from nobody."""
        known: dict[int, int] = {}
        for start in range(len(self.nodes)):
            at: int | None = start
            path: list[int] = []
            while at is not None and at not in known:
                known[at] = start
                path.append(at)
                at = self.nodes[at].above
            if at is not None and known[at] == start:
                self._cut(path[path.index(at) :])

    def _cut(self, circle: list[int]) -> None:
        oldest = min(circle, key=self.order)
        at = circle.index(oldest)
        circle = circle[at:] + circle[:at]
        names = ", ".join(
            clean_line(self.nodes[number].member.id or "one without an id", _ID)
            for number in circle[:4]
        )
        more = f" and {len(circle) - 4} more" if len(circle) > 4 else ""
        self.odd.append(f"each comes from the next, all around: {names}{more}")
        self.nodes[oldest].above = None

    def order(self, number: int) -> tuple[int, int, str, str]:
        """By time; whatever has none comes last."""
        member = self.nodes[number].member
        started = member.started if member.started is not None else member.last
        return (
            member.path is None,
            _NEVER if started is None else started,
            member.id or "",
            str(member.path),
        )

    def root(self, number: int) -> int:
        """The oldest of those above a node, or the node itself."""
        at = number
        while (above := self.nodes[at].above) is not None:
            at = above
        return at
