"""The surface: the context at the last entry, brought there by as little as can be.

What hangs on the last entry is appended. Another leaf below the same compaction and the same edits
costs the branches in which the two differ (see `tree.trunk`); a compaction behind the last entry
takes away what stands before the first row that it keeps. In every other case the context is read
anew from the path, and the surface becomes it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from inspector.columns import Column, signed
from inspector.formats.pi.effects.exchange import ROOT, Exchange, Turn
from inspector.formats.pi.effects.in_force import InForce
from inspector.formats.pi.effects.retold import Retold
from inspector.formats.pi.effects.rows import Rows, details_of, ranges
from inspector.formats.pi.effects.shapes import Row
from inspector.formats.pi.tree.context import Context, context_of
from inspector.formats.pi.tree.store import (
    COMPACTS,
    EDITS,
    IS_SYSTEM,
    NONE,
    Placed,
    Tree,
)
from inspector.formats.pi.tree.trunk import Trunk
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Reason, Role

_SUMMARY: Final = Role.SUMMARY

_PIECES: Final = 32
_RUN: Final = 24
"""How much more work than a row a stretch between two compactions is, and rows carried back."""

_CITED: Final = 10_000
"""The most entries of a branch that was left that its summary names."""


class History:
    """Brings the surface to the context of every entry that comes, which is the leaf then.

    Args:
        builder: takes the effects of the event begun last.
        tree: the entries, of which the one that comes is the last.

    Attributes:
        leaf: the entry at which the surface ends, or `NONE`.
        circle: the path to it never ends.
    """

    def __init__(self, builder: Builder, tree: Tree) -> None:
        self._builder = builder
        self._nodes = builder.timeline.surface.nodes
        self._tree = tree
        self._trunk = Trunk(builder)
        self._rows = Rows(builder, tree)
        self._exchange = Exchange(builder, self._trunk, tree, self._rows.of)
        self.leaf = NONE
        self.circle = False
        self._turns: dict[int, Turn] = {}
        self._force = InForce(builder, tree)
        self._retold = Retold(builder, tree, self._rows)
        # Whether the path was left in this event; and what compactions hide that counted again.
        self._has_switched = False
        self._hidden: dict[int, list[range]] = {}
        # By what is edited, the edits that counted when the context was read last.
        self._edits: dict[int, int] = {}
        # The last entry above each, itself included, that has a turn.
        self._turned: Column = signed()

    def turn(self, event: int) -> Turn:
        """What was decided last above an entry, which may be `NONE`."""
        turned = self._turned[event] if event != NONE else NONE
        return ROOT if turned == NONE else self._turns[turned]

    def _decide(self, event: int, turn: Turn) -> None:
        self._turns[event] = turn
        self._turned[event] = event
        self._force.comes(event)

    # An entry comes.

    def enter(self, event: int, placed: Placed, rows: Sequence[Row]) -> None:
        """An entry comes, the flags of which are known to the tree."""
        tree, parent, flags = self._tree, placed.parent, self._tree.flags[event]
        self._turned.append(NONE if parent == NONE else self._turned[parent])
        self._has_switched = False
        left = self.leaf
        anew = self._is_new(event, placed) if tree.is_loose(event) else tree.is_loose(left)
        if tree.is_loose(event):
            self._trunk.add(None)
            if anew:
                self._anew(event, rows)
            else:
                for row in rows:
                    tree.node[event] = self._append(row, None)
        else:
            if parent != left:
                self._switch(parent)
            self._grow(event, parent, rows, left)
            if flags & IS_SYSTEM:
                self._decide(event, self.turn(parent)._replace(systems=True, spoken=True))
        self.leaf = event
        if anew:
            path, back = tree.path(event)[0], self._force.back
            self._retold.settle(tree.path_before(left), path, self._context(event), back)

    def follow(self, event: int, role: Role, kind: Kind, tokens: int) -> None:
        """What `enter` does for an entry with one plain row that hangs on the leaf."""
        self._turned.append(self._turned[-1])
        self._tree.node[event] = node = self._builder.append(role, kind, tokens)
        self._trunk.follow(node)
        self.leaf = event

    def pass_over(self) -> None:
        """An entry comes that the owner does not read: it hangs nowhere, and is no leaf."""
        self._turned.append(NONE)
        self._trunk.add(None)

    def _is_new(self, event: int, placed: Placed) -> bool:
        """Whether the context of a loose entry cannot be told from the one that is there."""
        turns = self._tree.flags[event] & (COMPACTS | EDITS)
        return bool(turns) or placed.again or placed.named or placed.parent != self.leaf

    def _grow(self, event: int, parent: int, rows: Sequence[Row], left: int) -> None:
        """The surface is the context of the parent, and the entry is its child."""
        tree, trunk, flags = self._tree, self._trunk, self._tree.flags[event]
        if len(rows) == 1 and not flags & COMPACTS and left == parent != NONE:
            tree.node[event] = node = self._append(rows[0], None)
            trunk.follow(node)
            return
        trunk.grow(None if parent == NONE else parent, Reason.REWOUND)
        if flags & COMPACTS:
            self._compact(event, parent, rows)
        elif flags & EDITS:
            self._edit(event, parent)
        for row in () if flags & COMPACTS else rows:
            sources = self._left(left, parent) if row.role is _SUMMARY else None
            tree.node[event] = node = self._append(row, sources)
            trunk.attach(node)

    def _append(self, row: Row, sources: list[range] | None) -> int:
        details = details_of(row) if row.silent or row.meta else None
        return self._builder.append(row.role, row.kind, row.tokens, details, sources)

    def _left(self, left: int, parent: int) -> list[range] | None:
        """The entries of the branch that is left: of the entry above, as far as it is not on the
        path (format page 4.3).
        """
        if left == parent or self._tree.is_loose(left):
            return None
        found: list[int] = []
        while left != NONE and not self._trunk.on_path(left) and len(found) < _CITED:
            found.append(left)
            left = self._tree.above(left)
        self._tree.work += len(found)
        return ranges(reversed(found))

    def _switch(self, parent: int) -> None:
        """The surface becomes the context of another entry."""
        old, new = self.turn(self.leaf), self.turn(parent)
        self._force.switch(self._turns_above(parent))
        self._has_switched = True
        was_loose = self._tree.is_loose(self.leaf)
        if was_loose:
            self._become(parent)
        elif old.base == new.base:
            self._trunk.switch(parent)
        elif old.edits or new.edits or old.spoken or new.spoken:
            self._become(parent)
        else:
            compactions = self._compactions(parent, new)
            self._exchange.go(self.leaf, parent, (old, new), compactions)
            self._edits = {}
        if new.compaction != NONE and (was_loose or old.compaction != new.compaction):
            self._force.hide(self._hidden_by(new), new.compaction)

    def _hide_anew(self, nodes: Iterable[int], compaction: int) -> None:
        """What was carried back in the event in which a compaction comes is hidden by that.

        It was not there in between at any cursor.
        """
        if self._has_switched:
            self._force.hide(ranges(self._force.absent(nodes)), compaction)

    def _hidden_by(self, turn: Turn) -> list[range]:
        """The rows of the path that a compaction does not show: the same wherever it counts.

        They may have left by anything while it did not count.
        """
        compaction, tree, trunk = turn.compaction, self._tree, self._trunk
        found = self._hidden.get(compaction)
        if found is None:
            pieces = trunk.rows_before(trunk.stretch(NONE, turn.start), turn.start)
            nodes = list(chain.from_iterable(trunk.nodes(pieces)))
            tree.work += len(nodes)
            at = compaction if turn.start == compaction else tree.above(compaction)
            while at not in (NONE, compaction) and at >= turn.start:
                if tree.flags[at] & (COMPACTS | IS_SYSTEM):
                    nodes += self._rows.of(at)
                at = tree.above(at)
                tree.work += 1
            self._hidden[compaction] = found = ranges(nodes)
        return found

    def _turns_above(self, leaf: int) -> Iterator[int]:
        """The entries on the path to one at which something was decided, the last first."""
        at = self._turned[leaf] if leaf != NONE else NONE
        while at != NONE:
            yield at
            above = self._tree.above(at)
            at = self._turned[above] if above != NONE else NONE

    def _compactions(self, leaf: int, turn: Turn) -> list[int]:
        """The compactions on the path to an entry, up to the first that it keeps."""
        found: list[int] = []
        at = self._turned[leaf] if leaf != NONE else NONE
        while at != NONE and (turn.start == NONE or at >= turn.start):
            found.append(at)
            above = self._tree.above(at)
            at = self._turned[above] if above != NONE else NONE
        self._tree.work += _PIECES * len(found)
        return found

    # Compactions.

    def _compact(self, event: int, parent: int, rows: Sequence[Row]) -> None:
        """A compaction behind the last entry."""
        keeps = self._tree.owner(self._tree.kept[event])
        if keeps in (event, NONE) or not self._trunk.on_path(keeps):
            keeps = NONE
        before = self.turn(parent)
        self._decide(event, Turn(event, event, keeps, spoken=before.spoken))
        if keeps != NONE and (before.edits or before.systems or not self._within(keeps, before)):
            self._anew(event, rows)
            return
        first = None
        if keeps != NONE:
            first = self._exchange.first_row(self._trunk.stretch(keeps, event))
        hidden = self._builder.leading(first)
        origin = self._nodes.origin
        # On a path rows stand in the order in which they were made, however runs are cut.
        told = [one for ends in hidden for one in self._standing(*ends)]
        self._summarise(event, rows, first, ranges(map(origin, told)), hides=bool(hidden))
        self._hide_anew(told, event)
        self._rows.forget()
        self._edits = {}

    def _standing(self, first: int, last: int) -> Iterator[int]:
        """The rows on the surface that were made between two of it."""
        is_live = self._builder.is_live
        made = range(min(first, last), max(first, last) + 1)
        return (node for node in made if is_live(node))

    def _put_summary(
        self, first: int | None, row: Row, sources: list[range], part: int, *, hides: bool
    ) -> int:
        """A summary in the place of what stands before a row; of everything for None."""
        builder, details = self._builder, details_of(row, sources, part)
        if hides:
            why = Reason.COMPACTED
            return builder.replace_before(first, why, row.role, row.kind, row.tokens, details)
        builder.replaced()
        if first is None:
            return builder.append(row.role, row.kind, row.tokens, details)
        return builder.insert(first, row.role, row.kind, row.tokens, details)

    def _within(self, keeps: int, turn: Turn) -> bool:
        """Whether all rows from an entry on stand there, the compaction above it keeping them."""
        if turn.compaction == NONE:
            return True
        return self._trunk.is_above(turn.start, keeps)

    # Edits.

    def _edit(self, event: int, parent: int) -> None:
        """An edit behind the last entry (rules page P5)."""
        target = self._tree.owner(self._tree.edits[event].target)
        if target == NONE or not self._trunk.on_path(target):
            return
        self._decide(event, self.turn(parent)._replace(base=event, edits=True))
        if not self._rows.is_edited(target):
            self._rows.edit(event, target)
        elif not self._rows.edit_again(event, target, self._edits.get(target, NONE)):
            self._become(event)
            return
        self._trunk.stands()
        if self._rows.is_edited(target):
            self._edits[target] = event
            self._tell_edited(target, event)

    def _told_edited(self, edits: dict[int, int]) -> None:
        """Rows that edits which count now took or changed may have left by something before."""
        counted = {one: edit for one, edit in edits.items() if self._rows.is_edited(one)}
        before, self._edits = self._edits, counted
        for target, edit in counted.items():
            if before.get(target) != edit:
                self._tell_edited(target, edit)

    def _tell_edited(self, target: int, edit: int) -> None:
        removed = self._tree.edits[edit].form == "removed"
        why = Reason.CLEARED if removed else Reason.SUPERSEDED
        self._force.edited(self._rows.of(target), edit, why)

    # Everything else.

    def _anew(self, event: int, rows: Sequence[Row]) -> None:
        """An entry comes for which the context is read from its path."""
        tree, builder = self._tree, self._builder
        before, compacts = list(builder.sequence()), tree.flags[event] & COMPACTS
        if tree.is_loose(event):
            self._turn_loose(event)
        wanted, edits = self._become(event)
        if event in edits:
            # Such an edit stands above what it is about.
            for part, row in enumerate(rows):
                node = builder.hold(row.role, row.kind, row.tokens, details_of(row, None, part))
                tree.node[event] = node - part
            self._become(event)
        elif compacts:
            stay, origin = set(wanted), self._nodes.origin
            gone = [node for node in before if node not in stay]
            told, first = ranges(map(origin, gone)), wanted[0] if wanted else None
            self._summarise(event, rows, first, told, hides=False)
            self._hide_anew(gone, event)
        else:
            for row in rows:
                tree.node[event] = self._append(row, None)

    def _turn_loose(self, event: int) -> None:
        """What holds is another thing, at an entry whose path is read anew."""
        tree = self._tree
        path = tree.path(event)[0]
        tree.work += len(path)
        left = self._force.switch(one for one in path if tree.flags[one] & (COMPACTS | EDITS))
        compaction = next((one for one in path if tree.flags[one] & COMPACTS), NONE)
        if left and compaction != NONE:
            nodes = chain.from_iterable(map(self._rows.of, path))
            self._force.hide(self._force.hidden(nodes, left), compaction)

    def _summarise(
        self,
        event: int,
        rows: Sequence[Row],
        first: int | None,
        sources: list[range],
        *,
        hides: bool,
    ) -> None:
        """The rows of a compaction enter before the first that it keeps."""
        trunk, row = self._trunk, rows[-1]
        summary = self._put_summary(first, row, sources, len(rows) - 1, hides=hides)
        self._tree.node[event] = summary
        for other in rows[:-1]:
            self._builder.insert(summary, other.role, other.kind, other.tokens, details_of(other))
        if not self._tree.is_loose(event):
            for node in self._rows.of(event):
                trunk.attach(node)
        trunk.stands()

    def _context(self, leaf: int) -> Context:
        return context_of(self._tree, leaf, self.turn(leaf).keeps)

    def context(self) -> Context:
        """The context at the leaf."""
        return self._context(self.leaf)

    def _become(self, leaf: int) -> tuple[Column, dict[int, int]]:
        """The surface becomes the context at a leaf, which may be `NONE`.

        Returns:
            The rows, and the edits that count.
        """
        tree, builder, context = self._tree, self._builder, self._context(leaf)
        tree.work += builder.rows + len(context.kept) + len(context.after)
        self.circle = context.circle
        wanted, edits = self._rows.wanted(context)
        is_loose = tree.is_loose(leaf)
        if not is_loose:
            self._trunk.brought(leaf)
            if leaf in self._turns:
                told = any(tree.flags[one] & EDITS for one in context.entries())
                self._turns[leaf] = self._turns[leaf]._replace(edits=told)
        path = set(tree.path(leaf)[0]) if is_loose else None
        tree.work += 2 * len(path or ())
        is_above = self._trunk.on_path if path is None else path.__contains__
        self._rows.leave(context, edits, wanted, is_above)
        runs = builder.timeline.surface.runs.born
        before = len(runs)
        builder.resurface(wanted, Reason.REWOUND)
        tree.work += _RUN * (len(runs) - before)
        self._trunk.stands()
        self._told_edited(edits)
        return wanted, edits
