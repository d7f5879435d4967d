"""Logs whose records name their parents: the tree, and the path of it that the surface shows.

A *member* is a record of the tree; it has a parent or none, and any number of rows. Members that
were added one after the other as children of each other form a *branch*, whose rows stand in a
lane (see `inspector.timeline.lanes`). The path from a root to a member is the start of some
branches, so a switch to another path costs the branches in which the two differ, and not rows.
"""

from inspector.columns import Column, signed, unsigned
from inspector.timeline.branches import NONE, Branches
from inspector.timeline.builder import Builder
from inspector.timeline.standing import Slice
from inspector.timeline.words import Reason

_UNKNOWN = -1
_ABOVE = 1 << 29
"""How many branches may come to stand above a path."""


class Forest:
    """The members of a log and the one at which the surface ends, the *leaf*.

    A format adds members in any order that its log has. What hangs on the leaf and is written to
    the surface it grows; what is not on the surface it adds, with rows made by `Builder.hold`::

        forest.grow(parent, Reason.REWOUND)     forest.add(parent)
        node = builder.append(...)              node = builder.hold(...)
        forest.attach(node)                     forest.attach(node)

    Whatever else the builder is told of the surface (`Builder.reform`, `Builder.resurface`, rows
    that belong to no member) stays as it is until a `move`, which makes the surface the path again.
    That one costs as much as `Builder.resurface`.

    Args:
        builder: takes the effects of the event begun last.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._branches = Branches(builder.timeline.surface.runs.lanes)
        self._leaf = NONE
        # The last member of each branch that the path goes through, and where a branch is there.
        self._path: Column = unsigned()
        self._path_branches: Column = unsigned()
        self._depth: Column = signed()
        # What `_depth` says of the branch at the top of the path.
        self._first = _ABOVE
        self._rows = 0
        self._seen = 0

    def __len__(self) -> int:
        """How many members there are; they are numbered from 0 as they were added."""
        return len(self._branches.of_member)

    @property
    def leaf(self) -> int | None:
        """The member at which the surface ends, or None: at none, and no member is on it."""
        return None if self._leaf == NONE else self._leaf

    @property
    def in_step(self) -> bool:
        """Whether the surface is exactly the path to the leaf, as far as is known."""
        return self._seen == self._builder.alterations and self._rows == self._builder.rows

    # The tree.

    def add(self, parent: int | None) -> int:
        """A new member that is not on the surface.

        Args:
            parent: a member, or None for a root.

        Returns:
            The member's number.
        """
        return self._branches.add(NONE if parent is None else parent)

    def grow(self, parent: int | None, reason: Reason, cause: int | None = None) -> int:
        """A new member at which the surface ends from now on; its rows are appended next.

        Where ``parent`` is not the leaf, the surface first becomes the path to it, as by `move`.

        Returns:
            The member's number.
        """
        above = NONE if parent is None else parent
        if above != self._leaf:
            self.move(parent, reason, cause)
        self._leaf = member = self._branches.add(above)
        if self._seen == _UNKNOWN:
            return member
        branch = self._branches.of_member[member]
        if self._path and self._path_branches[-1] == branch:
            self._path[-1] = member
        else:
            self._push(branch, member)
        return member

    def follow(self, node: int) -> int:
        """A new member below the leaf, with one row that was appended just now.

        What `grow` and `attach` do, for the many members that are added so.

        Returns:
            The member's number.
        """
        member = self._branches.follow(self._leaf, node) if self._seen != _UNKNOWN else NONE
        if member == NONE:
            member = self.grow(self.leaf, Reason.REWOUND)
            self.attach(node)
            return member
        self._leaf = self._path[-1] = member
        self._rows += 1
        return member

    def goes_on(self, node: int) -> bool:
        """Whether a node that is made next is the row of a member by `follow_all`."""
        if self._leaf == NONE or self._seen == _UNKNOWN:
            return False
        return self._branches.goes_on(self._leaf, node)

    def follow_all(self, count: int) -> int:
        """So many nodes were appended, the first of which goes on; `follow` for all of them.

        Returns:
            The first member of as many.
        """
        first = self._branches.follow_all(self._leaf, count)
        self._leaf = self._path[-1] = first + count - 1
        self._rows += count
        return first

    def precede(self, node: int) -> int:
        """A new member above the whole path, with one row that was inserted before all others
        just now; nothing else is on the surface but the path.

        Returns:
            The member's number.
        """
        branches = self._branches
        member = branches.add(NONE)
        branches.attach(node, member)
        branches.relink(branches.head(self._path_branches[0]), member)
        self._path.insert(0, member)
        branch = branches.of_member[member]
        self._path_branches.insert(0, branch)
        self._first -= 1
        while branch >= len(self._depth):
            self._depth.append(NONE)
        self._depth[branch] = self._first
        self._rows += 1
        self._seen = self._builder.alterations
        return member

    def attach(self, node: int, member: int | None = None) -> None:
        """A node is the last row so far of a member, of the one added last unless told.

        The node is on the surface, at its end, if the member is the leaf; else it is not.

        Raises:
            ValueError: if the member has a child that continues its branch.
        """
        if member is None:
            member = len(self._branches.of_member) - 1
        self._branches.attach(node, member)
        if member == self._leaf:
            self._rows += 1
        elif self.on_path(member):
            self._seen = _UNKNOWN

    def relink(self, member: int, parent: int | None) -> None:
        """A member hangs on another parent from now on, with everything below it.

        The surface stays as it is: where the path to the leaf is another one now, the format
        says so by `move`, or by other effects and `take_up`.

        Raises:
            ValueError: if the member is the new parent, or above it.
        """
        if parent is not None and self.is_above(member, parent):
            raise ValueError(f"member {parent} is below member {member}")
        branches, branch = self._branches, self._branches.of_member[member]
        if self.on_path(member):
            self._seen = _UNKNOWN
        branches.relink(member, NONE if parent is None else parent)
        if self._seen != _UNKNOWN:
            self._rename(branch)

    def _rename(self, branch: int) -> None:
        """A branch was parted: the part of it that is on the path may have a new number."""
        known = self._depth[branch] if branch < len(self._depth) else NONE
        if known == NONE:
            return
        depth = known - self._first
        now = self._branches.of_member[self._path[depth]]
        if now == branch:
            return
        self._depth[branch] = NONE
        while now >= len(self._depth):
            self._depth.append(NONE)
        self._depth[now], self._path_branches[depth] = known, now

    def is_above(self, member: int, other: int) -> bool:
        """Whether a member is on the path from a root to another one, which may be itself."""
        branches, branch = self._branches, self._branches.of_member[member]
        while other != NONE:
            here = branches.of_member[other]
            if here == branch and member <= other:
                return True
            other = branches.parent[here]
        return False

    def parent(self, member: int) -> int:
        """The member that a member hangs on; `NONE` if it is a root."""
        return self._branches.above[member]

    def rows_of(self, member: int) -> int:
        """How many rows a member has."""
        return self._branches.rows_of(member)

    def rows_in_branch(self, member: int) -> int:
        """How many rows the branch of a member has up to it."""
        return self._branches.rows_to(member)

    def head(self, member: int) -> int:
        """The first member of the branch of one."""
        return self._branches.head(self._branches.of_member[member])

    def path(self, member: int | None) -> Column:
        """The members from a root to one, itself included; none of them for None."""
        return self._branches.path(NONE if member is None else member)

    def rows(self, member: int | None) -> Column:
        """The nodes of all rows on the path from a root to a member."""
        return self._branches.rows(NONE if member is None else member)

    # The surface.

    def on_path(self, member: int) -> bool:
        """Whether a member is on the path to the leaf."""
        if self._seen == _UNKNOWN:
            return self._leaf != NONE and self.is_above(member, self._leaf)
        branch = self._branches.of_member[member]
        depth = self._depth[branch] if branch < len(self._depth) else NONE
        return depth != NONE and member <= self._path[depth - self._first]

    def move(self, leaf: int | None, reason: Reason, cause: int | None = None) -> None:
        """The surface becomes the rows of the path from a root to a member.

        Args:
            leaf: the member at which it ends; None empties the surface.
            reason: why the rows leave that are not on the path.
            cause: the event that made them leave, by position; this one unless told.
        """
        builder, member = self._builder, NONE if leaf is None else leaf
        if not self.in_step:
            builder.resurface(self._branches.rows(member), reason, cause)
            self._follow(member)
            self._seen = builder.alterations
            return
        first, slices = self._switch(member)
        if first is not None or slices:
            builder.turn(first, slices, reason, cause)

    def behind(self, member: int | None) -> Column:
        """The nodes of all rows on the path to the leaf, behind those of a member on it."""
        branches, parts = self._branches, []
        above = self._leaf
        while above != NONE:
            branch = branches.of_member[above]
            if member is not None and branches.of_member[member] == branch:
                parts.append((branch, branches.rows_to(member), branches.rows_to(above)))
                break
            parts.append((branch, 0, branches.rows_to(above)))
            above = branches.parent[branch]
        found = unsigned()
        for branch, start, stop in reversed(parts):
            found.extend(branches.nodes(branch, start, stop))
        return found

    def reach(self, leaf: int | None) -> None:
        """The surface was brought by other effects to exactly the path to a member.

        Costs what `move` does, and nothing changes on the surface.
        """
        member = NONE if leaf is None else leaf
        if self._seen == _UNKNOWN:
            self._follow(member)
        else:
            self._switch(member)
        self._seen = self._builder.alterations

    def take_up(self, leaf: int | None) -> None:
        """The surface was brought to a member by other effects; nothing changes on it.

        Children of this member are appended to whatever is there. Where the surface is exactly
        the path, later moves cost no more than if it had been brought there by `move`.
        """
        member = NONE if leaf is None else leaf
        self._follow(member)
        in_step = self._builder.sequence() == self._branches.rows(member)
        self._seen = self._builder.alterations if in_step else _UNKNOWN

    def _switch(self, leaf: int) -> tuple[int | None, list[Slice]]:
        """Take another path: the first node that leaves, and what enters behind what stays."""
        branches, depths = self._branches, self._depth
        entering: list[tuple[int, int]] = []
        member, depth = leaf, NONE
        while member != NONE:
            branch = branches.of_member[member]
            depth = depths[branch] if branch < len(depths) else NONE
            if depth != NONE:
                depth -= self._first
                break
            entering.append((branch, member))
            member = branches.parent[branch]
        first = self._leave_below(depth)
        slices: list[Slice] = []
        if depth != NONE and member != self._path[depth]:
            first = self._end_at(depth, member, slices, first)
        rows_to = branches.rows_to
        for branch, member in reversed(entering):
            rows = rows_to(member)
            if rows:
                slices.append(branches.slice(branch, 0, rows))
                self._rows += rows
            self._push(branch, member)
        self._leaf = leaf
        return first, slices

    def _leave_below(self, depth: int) -> int | None:
        """The branches further down leave the path; the first node of their rows."""
        branches, path, of_path = self._branches, self._path, self._path_branches
        first = None
        for _ in range(len(path) - depth - 1):
            branch = of_path.pop()
            rows = branches.rows_to(path.pop())
            self._depth[branch] = NONE
            if rows:
                first = branches.node(branch, 0)
                self._rows -= rows
        return first

    def _end_at(
        self, depth: int, member: int, slices: list[Slice], first: int | None
    ) -> int | None:
        """The branch ``depth`` down is followed to another member; the first node that leaves."""
        branches, branch = self._branches, self._path_branches[depth]
        old, new = branches.rows_to(self._path[depth]), branches.rows_to(member)
        self._path[depth] = member
        self._rows += new - old
        if new < old:
            return branches.node(branch, new)
        if new > old:
            slices.append(branches.slice(branch, old, new))
        return first

    def _follow(self, leaf: int) -> None:
        """Know the path to a member anew."""
        branches = self._branches
        for branch in self._path_branches:
            self._depth[branch] = NONE
        del self._path[:], self._path_branches[:]
        self._leaf, self._rows = leaf, 0
        above: list[int] = []
        while leaf != NONE:
            above.append(leaf)
            self._rows += branches.rows_to(leaf)
            leaf = branches.parent[branches.of_member[leaf]]
        for member in reversed(above):
            self._push(branches.of_member[member], member)

    def _push(self, branch: int, member: int) -> None:
        while branch >= len(self._depth):
            self._depth.append(NONE)
        self._depth[branch] = self._first + len(self._path)
        self._path.append(member)
        self._path_branches.append(branch)
