"""The path of a tree that the surface shows, against a plain list of the rows on it."""

from array import array
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role, Visibility
from tests.timeline.reference import PlainTree
from tests.timeline.telling import (
    LAW,
    Both,
    Event,
    batches,
    details_of,
    digits,
    reason_of,
    same_changes,
    same_departures,
    same_rows,
    same_visibility,
    small_tables,
    so_many,
    words_of,
)

ALONE: Final = (*("grow",) * 5, "add", *("move",) * 3)
"""Deeds between which no other effect comes."""

MIXED: Final = (
    *ALONE,
    "relink",
    "take_up",
    "append",
    "hold",
    "aside",
    "remove",
    "replace",
    "insert",
    "reform",
    "carry",
    "resurface",
)


def scripts_of(names: tuple[str, ...]) -> st.SearchStrategy[list[Event]]:
    """Events of up to three deeds each."""
    deed = st.builds(
        lambda name, some, more: (name, some + more), st.sampled_from(names), digits, digits
    )
    return so_many(so_many(deed, 3), 24)


class Growing(Both):
    """A builder and its forest beside the reference and a plain tree, told the same."""

    def __init__(self) -> None:
        super().__init__()
        self.forest = Forest(self.builder)
        self.tree = PlainTree()

    def _grow(self, numbers: list[int]) -> None:
        parent = self._member(numbers)
        reason, cause = reason_of(numbers[3]), self.cause(numbers[4])
        if parent != self.tree.leaf and not self._may_turn():
            return
        before, in_step = set(self.reference.rows), self._in_step()
        member = self.tree.add(parent)
        assert self.forest.grow(parent, reason, cause) == member
        if parent != self.tree.leaf:
            self._turned(self.tree.rows_to(parent), before, in_step, (reason, cause))
        self.tree.leaf = member
        for at in range((0, 1, 1, 2)[numbers[1] % 4]):
            node = self.node(numbers[at:], None)
            made = self.reference.append(node)
            details = details_of(node, self.reference.event)
            assert self.builder.append(*words_of(node), details) == made
            self.forest.attach(made)
            self.tree.rows[member].append(made)

    def _add(self, numbers: list[int]) -> None:
        parent = self._member(numbers)
        member = self.tree.add(parent)
        assert self.forest.add(parent) == member
        for at in range((0, 1, 1, 2)[numbers[1] % 4]):
            made = self._hold(numbers[at:])
            self.forest.attach(made, member if numbers[2] % 2 else None)
            self.tree.rows[member].append(made)

    def _move(self, numbers: list[int]) -> None:
        if not self._may_turn():
            return
        leaf, reason, cause = self._member(numbers), reason_of(numbers[3]), self.cause(numbers[4])
        before, in_step = set(self.reference.rows), self._in_step()
        self.forest.move(leaf, reason, cause)
        self.tree.leaf = leaf
        self._turned(self.tree.rows_to(leaf), before, in_step, (reason, cause))

    def _relink(self, numbers: list[int]) -> None:
        if not self.tree.parents:
            return
        member, parent = numbers[1] % len(self.tree.parents), self._member(numbers)
        if member in self.tree.path(parent):
            with pytest.raises(ValueError, match="below"):
                self.forest.relink(member, parent)
            return
        self.forest.relink(member, parent)
        self.tree.parents[member] = parent

    def _take_up(self, numbers: list[int]) -> None:
        """The surface is brought to a path by another effect, or is none and is taken up so."""
        leaf = self._member(numbers)
        rows = self.tree.rows_to(leaf)
        if numbers[2] % 2 and not self.resurfaced:
            self.resurface(rows, reason_of(numbers[3]), self.cause(numbers[4]))
        self.forest.take_up(leaf)
        self.tree.leaf = leaf

    def _member(self, numbers: list[int]) -> int | None:
        """The leaf, a member, or now and then none."""
        members = len(self.tree.parents)
        if numbers[0] % 3 == 0:
            return self.tree.leaf
        return None if not members or numbers[0] == 1 else numbers[0] % members

    def _in_step(self) -> bool:
        return self.reference.current == self.tree.rows_to(self.tree.leaf)

    def _may_turn(self) -> bool:
        return self._in_step() or not self.resurfaced

    def _turned(
        self, wanted: list[int], before: set[object], in_step: bool, why: tuple[Reason, int | None]
    ) -> None:
        """The surface became the rows of a path; two paths have only their start in common."""
        self.resurfaced = True
        here = self.reference.current
        if in_step:
            kept = {one for one, other in zip(here, wanted, strict=False) if one == other}
        else:
            self.place()
            rows = self.timeline.surface.rows(self.reference.event + 1)
            kept = {row.node for row in rows if row in before}
        reason, cause = why
        self.reference.resurface(wanted, reason.label, cause, kept)


def grown(script: list[Event], sizes: list[int], *, look: bool = False) -> Growing:
    """Fold a script in batches of the given sizes; looking asks all questions after each event."""
    both = Growing()
    left = sizes[0]
    for at, event in enumerate(script):
        both.fold(event)
        left -= 1
        if not left or at == len(script) - 1:
            both.publish()
            left = sizes[(at + 1) % len(sizes)]
        same_tree(both)
        if look:
            for cursor in range(both.timeline.events + 1):
                same_rows(both, cursor)
            same_visibility(both, both.reference.event * 7 % (both.timeline.events + 1))
    return both


def same_tree(both: Growing) -> None:
    forest, tree = both.forest, both.tree
    assert (len(forest), forest.leaf) == (len(tree.parents), tree.leaf)
    path = tree.path(tree.leaf)
    assert list(forest.path(forest.leaf)) == path
    assert [forest.on_path(member) for member in range(len(forest))] == [
        member in path for member in range(len(forest))
    ]
    assert both.builder.rows == len(both.reference.rows)


either = st.one_of(scripts_of(ALONE), scripts_of(MIXED))


@given(either, batches)
@LAW
def test_every_cursor_shows_the_path(script: list[Event], sizes: list[int]) -> None:
    with small_tables():
        both = grown(script, sizes)
        for cursor in range(len(script) + 1):
            same_rows(both, cursor)
            same_visibility(both, cursor)


@given(either, batches)
@LAW
def test_a_reader_stays_right_while_the_tree_grows(script: list[Event], sizes: list[int]) -> None:
    with small_tables():
        grown(script, sizes, look=True)


@given(either)
@LAW
def test_changes_are_the_branches_that_two_paths_have_apart(script: list[Event]) -> None:
    with small_tables():
        both = grown(script, [2, 5])
        for later in range(len(script) + 1):
            for earlier in range(later + 1):
                same_changes(both, earlier, later)


@given(either)
@LAW
def test_a_row_off_the_path_tells_why(script: list[Event]) -> None:
    with small_tables():
        both = grown(script, [1, 4])
        for cursor in range(len(script) + 1):
            same_departures(both, cursor)
            for node in range(len(both.reference.nodes)):
                rank = both.timeline.surface.rank(node, cursor)
                assert rank == both.reference.rank(node, cursor)


@given(either)
@LAW
def test_the_tree_is_what_was_told(script: list[Event]) -> None:
    with small_tables():
        both = grown(script, [3])
        forest, tree = both.forest, both.tree
        for member in range(len(tree.parents)):
            assert list(forest.path(member)) == tree.path(member)
            assert list(forest.rows(member)) == tree.rows_to(member)
            for other in range(len(tree.parents)):
                assert forest.is_above(other, member) == (other in tree.path(member))
        assert list(both.builder.sequence()) == both.reference.current
        for node in range(len(both.reference.nodes)):
            assert both.builder.is_live(node) == (node in both.reference.current)


def test_a_row_of_a_branch_that_was_cut_is_found_in_whichever_run_shows_it() -> None:
    script: list[Event] = [
        [("grow", [50, 54, 11, 40, 40, 1])],
        [("grow", [40, 38, 23, 16, 63, 39]), ("grow", [35, 27, 62, 38, 16, 17])],
        [("grow", [18, 10, 2, 63, 18, 16])],
        [("reform", [56, 48, 53, 14, 41, 1]), ("add", [59, 26, 11, 39, 26, 35])],
        [
            ("add", [18, 3, 11, 22, 56, 62]),
            ("add", [27, 15, 20, 2, 62, 32]),
            ("grow", [57, 22, 33, 15, 44, 2]),
        ],
        [("grow", [1, 20, 33, 63, 7, 30])],
        [
            ("grow", [51, 3, 17, 0, 48, 23]),
            ("grow", [41, 28, 56, 7, 18, 59]),
            ("relink", [52, 25, 5, 46, 29, 14]),
        ],
        [("grow", [47, 46, 41, 13, 37, 50])],
        [("reform", [56, 7, 42, 37, 18, 13]), ("grow", [4, 13, 54, 28, 2, 48])],
    ]
    with small_tables():
        both = grown(script, [5])
        assert len(both.timeline.surface.runs) == 3
        for cursor in range(len(script) + 1):
            same_rows(both, cursor)
            same_visibility(both, cursor)


def test_a_switch_back_carries_the_rows_of_a_branch_as_one_run() -> None:
    builder = Builder(timeline := Timeline())
    forest = Forest(builder)
    root = forest.grow(None, Reason.REWOUND)
    forest.attach(builder.append(Role.USER, Kind.MESSAGE, 1))
    ends = [root, root]
    for event in range(1, 5):
        builder.event = event
        ends[event % 2] = forest.grow(ends[event % 2], Reason.REWOUND)
        forest.attach(builder.append(Role.ASSISTANT, Kind.MESSAGE, 1))
    builder.event = 5
    forest.move(ends[1], Reason.SUPERSEDED, 2)
    builder.publish(array("I", [0] * 6), array("H", [0] * 6), array("q", [0] * 6))
    assert timeline.rows(6) == [(0, 1, False), (1, 6, True), (3, 6, True)]
    assert timeline.visibility(2, 6) == timeline.visibility(4, 6) == (Visibility.SUPERSEDED, 2)
    assert [row.node for row in timeline.rows(3)] == [0, 2]


def test_rows_are_attached_to_the_end_of_a_branch_only() -> None:
    builder = Builder(Timeline())
    forest = Forest(builder)
    first = forest.grow(None, Reason.REWOUND)
    forest.grow(first, Reason.REWOUND)
    with pytest.raises(ValueError, match="has a child"):
        forest.attach(builder.append(Role.USER, Kind.MESSAGE, 1), first)
