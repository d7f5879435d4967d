"""The branches of a tree: chains of members that were added one after the other, and their rows."""

from array import array
from collections.abc import Sequence
from typing import Final

from inspector.columns import Column, signed, unsigned
from inspector.timeline.lanes import BIRTHS, Lanes
from inspector.timeline.standing import Slice

NONE: Final = -1
"""The parent of a root."""


class Branches:
    """Members and the branches they are in, by number.

    A branch whose nodes are consecutive numbers keeps the first of them; only another one keeps
    its nodes, and only one that was ever carried back is a lane of its own.

    Args:
        lanes: where those are made.

    Attributes:
        of_member: the branch of each member.
        above: the member that each hangs on, or `NONE`.
        parent: the member that each branch hangs on, or `NONE`.
    """

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self.of_member: Column = unsigned()
        self.above: Column = signed()
        # Rows of its branch up to each member, that member's included, and what to take off: a
        # branch may have lost its start.
        self._rows_to: Column = unsigned()
        self._lost: dict[int, int] = {}
        self.parent: Column = signed()
        self._head: Column = unsigned()
        self._last: Column = unsigned()
        self._rows: Column = unsigned()
        self._first: Column = unsigned()
        self._scattered: dict[int, Column] = {}
        self._lane: dict[int, int] = {}
        self._cut_from: dict[int, int] = {}

    def add(self, parent: int) -> int:
        """A new member, the first of a branch or the next of its parent's."""
        member = len(self.of_member)
        branch = self.of_member[parent] if parent != NONE else NONE
        if branch == NONE or self._last[branch] != parent:
            branch = self._new(parent, member)
        self._last[branch] = member
        self.of_member.append(branch)
        self.above.append(parent)
        self._rows_to.append(self._rows[branch] + self._lost.get(branch, 0))
        return member

    def follow(self, parent: int, node: int) -> int:
        """What `add` and `attach` do for the next member of a branch whose nodes are consecutive.

        Returns:
            The member; `NONE`, and nothing is done, if it would be another one.
        """
        if parent == NONE:
            return NONE
        branch = self.of_member[parent]
        rows = self._rows[branch]
        if (
            self._last[branch] != parent
            or node != self._first[branch] + rows
            or branch in self._scattered
        ):
            return NONE
        member = len(self.of_member)
        self._last[branch] = member
        self._rows[branch] = rows + 1
        self.of_member.append(branch)
        self.above.append(parent)
        self._rows_to.append(rows + 1 + self._lost.get(branch, 0) if self._lost else rows + 1)
        return member

    def goes_on(self, parent: int, node: int) -> bool:
        """Whether `follow` would take a node below a member."""
        branch = self.of_member[parent]
        return (
            self._last[branch] == parent
            and node == self._first[branch] + self._rows[branch]
            and branch not in self._scattered
        )

    def follow_all(self, parent: int, count: int) -> int:
        """What `follow` does for so many members and nodes, of which it would take the first.

        Returns:
            The first member.
        """
        branch, member = self.of_member[parent], len(self.of_member)
        rows = self._rows[branch]
        self._last[branch] = member + count - 1
        self._rows[branch] = rows + count
        self.of_member.extend(array("I", [branch]) * count)
        self.above.append(parent)
        self.above.extend(range(member, member + count - 1))
        rows += 1 + self._lost.get(branch, 0)
        self._rows_to.extend(range(rows, rows + count))
        return member

    def _new(self, parent: int, head: int) -> int:
        self.parent.append(parent)
        self._head.append(head)
        self._last.append(head)
        self._rows.append(0)
        self._first.append(0)
        return len(self._rows) - 1

    def attach(self, node: int, member: int) -> None:
        """A node is the next row of a member.

        Raises:
            ValueError: if the member is not the last of its branch.
        """
        branch = self.of_member[member]
        if self._last[branch] != member:
            raise ValueError(f"member {member} has a child that continues its branch")
        rows, first = self._rows[branch], self._first[branch]
        scattered = self._scattered.get(branch)
        if scattered is not None:
            scattered.append(node)
        elif not rows:
            self._first[branch] = node
        elif node != first + rows:
            scattered = self._scattered[branch] = unsigned()
            scattered.extend(range(first, first + rows))
            scattered.append(node)
        self._rows[branch] = rows + 1
        self._rows_to[member] = rows + 1 + self._lost.get(branch, 0)

    # What rows a branch has.

    def node(self, branch: int, row: int) -> int:
        """The node of a row."""
        scattered = self._scattered.get(branch)
        return self._first[branch] + row if scattered is None else scattered[row]

    def head(self, branch: int) -> int:
        """The first member of a branch."""
        return self._head[branch]

    def slice(self, branch: int, start: int, stop: int) -> Slice:
        """Rows as a slice of a lane."""
        scattered = self._scattered.get(branch)
        if scattered is None:
            first = self._first[branch]
            return BIRTHS, first + start, first + stop
        lane = self._lane.get(branch)
        if lane is None:
            lane = self._lanes.make(scattered, self._cut_from.pop(branch, BIRTHS))
            self._lane[branch] = lane
        return lane, start, stop

    def nodes(self, branch: int, start: int, stop: int) -> Sequence[int]:
        """The nodes of rows."""
        scattered, first = self._scattered.get(branch), self._first[branch]
        return range(first + start, first + stop) if scattered is None else scattered[start:stop]

    def rows_to(self, member: int) -> int:
        """How many rows the branch of a member has up to it, its own included."""
        rows = self._rows_to[member]
        return rows - self._lost.get(self.of_member[member], 0) if self._lost else rows

    def rows_of(self, member: int) -> int:
        """How many rows a member has."""
        if member == self._head[self.of_member[member]]:
            return self.rows_to(member)
        return self._rows_to[member] - self._rows_to[self.above[member]]

    def rows(self, member: int) -> Column:
        """The nodes of all rows on the path to a member."""
        parts: list[tuple[int, int]] = []
        while member != NONE:
            branch = self.of_member[member]
            parts.append((branch, self.rows_to(member)))
            member = self.parent[branch]
        found = unsigned()
        for branch, stop in reversed(parts):
            found.extend(self.nodes(branch, 0, stop))
        return found

    def path(self, member: int) -> Column:
        """The members from a root to one."""
        found = signed()
        while member != NONE:
            found.append(member)
            member = self.above[member]
        found.reverse()
        return found

    # Other parents.

    def relink(self, member: int, parent: int) -> None:
        """A member hangs on another parent, and what follows in its branch with it."""
        branch = self.of_member[member]
        if member == self._head[branch]:
            self.parent[branch] = parent
        else:
            self._cut(branch, member, parent)
        self.above[member] = parent

    def _cut(self, branch: int, member: int, parent: int) -> None:
        """A branch is parted before a member, which hangs on another one from now on.

        The shorter part is the one that becomes a new branch.
        """
        before, rows = self.above[member], self._rows[branch]
        cut, head, last = self.rows_to(before), self._head[branch], self._last[branch]
        up, down = before, last
        while up != head and down != member:
            up, down = self.above[up], self.above[down]
        if down == member:
            made = self._new(parent, member)
            self._move_to(made, last, before)
            self._last[branch] = before
            self._lost[made] = self._lost.get(branch, 0) + cut
            start, end = branch, made
        else:
            made = self._new(self.parent[branch], head)
            self._move_to(made, before, self.above[head])
            self._lost[made] = self._lost.get(branch, 0)
            self._lost[branch] = self._lost.get(branch, 0) + cut
            self.parent[branch], self._head[branch] = parent, member
            self._last[branch] = last
            start, end = made, branch
        self._share(branch, start, end, cut)
        self._rows[start], self._rows[end] = cut, rows - cut

    def _move_to(self, branch: int, last: int, stop: int) -> None:
        """Members from one upwards, to another one that stays, are of a new branch."""
        self._last[branch] = last
        while last != stop:
            self.of_member[last] = branch
            last = self.above[last]

    def _share(self, branch: int, start: int, end: int, cut: int) -> None:
        """Of the rows of a branch those from ``cut`` on are those of one, the others of another."""
        first = self._first[branch]
        self._first[start], self._first[end] = first, first + cut
        scattered = self._scattered.pop(branch, None)
        if scattered is None:
            return
        # Runs that show a slice of the whole go on to do so: both parts are new columns.
        self._scattered[start], self._scattered[end] = scattered[:cut], scattered[cut:]
        lane = self._lane.pop(branch, self._cut_from.get(branch, BIRTHS))
        if lane != BIRTHS:
            self._cut_from[start] = self._cut_from[end] = lane
