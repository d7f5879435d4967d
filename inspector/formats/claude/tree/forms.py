"""Rows that are shown in another form from some record on (format page 1.9: micro-compaction)."""

from array import array
from collections.abc import Iterable
from typing import Final, NamedTuple

from inspector.formats.claude.tree.store import NONE
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.words import Form, Reason

CLEARED_TOKENS: Final = 12
"""What the placeholder of a cleared result weighs."""


class _Change(NamedTuple):
    member: int
    made: int


class Forms:
    """Which node stands for another on branches that hold the record that says so."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._changes: dict[int, _Change] = {}

    def change(self, member: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record changes the form of the rows of some events.

        Args:
            member: the last row of the branch where the record says so, `NONE` for all branches.
            events: by position.
            form: from now on.
            reason: why the full row leaves.
        """
        nodes = self._builder.timeline.surface.nodes
        for event in events:
            node = nodes.of_event(event)
            if node is None or nodes.form(node) is form or not self._builder.is_live(node):
                continue
            made = self._builder.reform(node, form, CLEARED_TOKENS, reason)
            self._changes[node] = _Change(member, made)

    def renew(self, forest: Forest) -> None:
        """The surface is a path again: change the forms on it."""
        if not self._changes:
            return
        standing = {
            node: change.made
            for node, change in self._changes.items()
            if change.member == NONE or forest.on_path(change.member)
        }
        if standing:
            rows = array("i", [standing.get(node, node) for node in forest.rows(forest.leaf)])
            self._builder.resurface(rows, Reason.REWOUND)
            forest.take_up(forest.leaf)
