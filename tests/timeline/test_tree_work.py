"""What a tree costs, counted and not timed."""

import sys
from array import array
from collections.abc import Callable
from types import FrameType

import pytest

from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

APPENDS = 64


class Writers:
    """Writers that append in turn to one tree, each to a branch of its own."""

    def __init__(self, trunk: int, writers: int) -> None:
        self.timeline = Timeline()
        self.builder = Builder(self.timeline)
        self.forest = Forest(self.builder)
        leaf: int | None = None
        for _ in range(trunk):
            leaf = self.append(leaf)
        self.leaves = [leaf] * writers
        self.turns = 0

    def append(self, parent: int | None) -> int:
        leaf = self.forest.grow(parent, Reason.REWOUND)
        self.forest.attach(self.builder.append(Role.USER, Kind.MESSAGE, 1))
        self.builder.event += 1
        return leaf

    def take_turns(self, appends: int) -> None:
        for _ in range(appends):
            self.turns += 1
            writer = self.turns % len(self.leaves)
            self.leaves[writer] = self.append(self.leaves[writer])

    def publish(self) -> None:
        events = self.builder.event - self.timeline.events
        self.builder.publish(*(array(code, [0] * events) for code in "IHq"))


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, those written in C included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("before", [200, 4_000])
@pytest.mark.parametrize("writers", [2, 3])
def test_a_switch_moves_one_run_and_what_came_since(before: int, writers: int) -> None:
    both = Writers(100, writers)
    both.take_turns(before)
    both.publish()
    runs, left = both.timeline.surface.runs, both.timeline.surface._left
    there, gone = len(runs), len(left)
    both.take_turns(APPENDS)
    assert len(runs) - there == APPENDS
    assert len(left) - gone <= 2 * APPENDS


def test_a_switch_costs_the_same_however_long_the_branches_are() -> None:
    both = Writers(100, 2)
    both.take_turns(100)
    both.publish()
    short = calls_of(lambda: both.take_turns(APPENDS))
    both.take_turns(8_000)
    both.publish()
    long = calls_of(lambda: both.take_turns(APPENDS))
    assert long <= short + APPENDS
    assert short <= 120 * APPENDS


def test_a_child_of_the_leaf_is_an_append() -> None:
    both = Writers(2_000, 1)
    both.publish()
    assert calls_of(lambda: both.take_turns(APPENDS)) <= 30 * APPENDS
    assert (len(both.timeline.surface.runs), len(both.timeline.surface._left)) == (0, 0)


def test_a_row_that_left_long_ago_is_told_without_going_through_all_runs() -> None:
    both = Writers(3_000, 1)
    forest, builder = both.forest, both.builder
    for at in range(10_000):
        builder.event += 1
        forest.move(2_990 + at % 2 * 5, Reason.REWOUND)
    builder.event += 1
    builder.remove([1_000], Reason.PRUNED)
    builder.event += 1
    both.publish()
    timeline = both.timeline
    assert len(timeline.surface.runs) >= 5_000
    cursor = timeline.events
    assert calls_of(lambda: timeline.visibility(1_000, cursor)) <= 400
    assert timeline.visibility(1_000, cursor)[0].label == "pruned"


@pytest.mark.parametrize("cursor_from_end", [0, 1, 5_000])
def test_what_became_of_a_row_is_a_few_looks_among_many_runs(cursor_from_end: int) -> None:
    both = Writers(100, 2)
    both.take_turns(10_000)
    both.publish()
    timeline = both.timeline
    cursor = timeline.events - cursor_from_end
    for event in (0, 99, 100, 101, 4_000, 4_001, cursor - 1, cursor - 2):
        assert calls_of(lambda event=event: timeline.visibility(event, cursor)) <= 400
