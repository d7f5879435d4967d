"""Rows that are shown in another form from some record on (format page 1.9: micro-compaction)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from inspector.columns import Column
from inspector.formats.claude.tree.store import NONE
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.words import Form, Reason

CLEARED_TOKENS: Final = 12
"""What the placeholder of a cleared result weighs."""


class Forms:
    """Changes rows above a record: on branches that hold it they are others than elsewhere.

    The record comes to hang on members of its own that have all rows from the first changed one
    on. What hangs on a record above it keeps the rows as they were.

    Args:
        builder: takes the effects.
        forest: the members.
    """

    def __init__(self, builder: Builder, forest: Forest) -> None:
        self._builder = builder
        self._forest = forest
        self._again_of: dict[int, list[int]] = {}

    def change(self, member: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record changes the form of the rows of some events that stand above it.

        Args:
            member: that of the record, on the path, without a row.
            events: by position.
            form: from now on.
            reason: why the full row leaves.
        """
        forest, builder = self._forest, self._builder
        rows = forest.rows(member)
        there = {row: at for event in events for row, at in self._of(event, form, rows)}
        if not there:
            return
        if not forest.in_step:
            forest.move(forest.leaf, reason)
        for node, at in there.items():
            rows[at] = builder.reform(node, form, CLEARED_TOKENS, reason)
        above, behind = self._start(member, min(there.values()), len(rows))
        forest.relink(member, self._again(rows[behind:], above))
        forest.reach(forest.leaf)

    def _again(self, rows: Column, above: int) -> int:
        """Rows stand below a member once more, each on a member of its own; returns the last."""
        forest, made = self._forest, above
        origin = self._builder.timeline.surface.nodes.origin
        for node in rows:
            made = forest.add(None if made == NONE else made)
            forest.attach(node, made)
            self._again_of.setdefault(origin(node), []).append(made)
        return made

    def again(self, event: int) -> Sequence[int]:
        """The members that stand for the row of an event where others above it are changed."""
        return self._again_of.get(event, ())

    def _start(self, member: int, first: int, rows: int) -> tuple[int, int]:
        """The member behind which rows are changed, or `NONE`, and how many rows stand up to it.

        Short branches above are taken along, so that paths have few branches, however often rows
        are changed.
        """
        forest, behind = self._forest, rows
        above = member
        while above != NONE and behind > first:
            behind -= forest.rows_of(above)
            above = forest.parent(above)
        while above != NONE and forest.rows_in_branch(above) <= rows - behind:
            behind -= forest.rows_in_branch(above)
            above = forest.parent(forest.head(above))
        return above, behind

    def _of(self, event: int, form: Form, rows: Column) -> Iterator[tuple[int, int]]:
        """The row of an event that is there in another form, and its place among some."""
        nodes = self._builder.timeline.surface.nodes
        for node in nodes.all_of_event(event):
            if self._builder.is_live(node):
                if nodes.form(node) is not form:
                    with suppress(ValueError):
                        yield node, rows.index(node)
                return
