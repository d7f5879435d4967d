"""Where a tape branches: at events that tell of other tapes, and at those that rewind."""

import pytest

from inspector.timeline.branchings import Branchings
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role


def test_events_are_sorted_and_each_stands_once_in_whatever_order_they_come() -> None:
    branchings = Branchings()
    for event in (5, 9, 9, 2, 5, 7):
        branchings.add(event)
    assert list(branchings.events) == [2, 5, 7, 9]


def test_an_event_may_tell_of_several_tapes_and_a_tape_be_told_of_by_several_events() -> None:
    branchings = Branchings()
    branchings.tell(4, "a")
    branchings.tell(4, "b")
    branchings.tell(4, "a")
    branchings.tell(6, "a")
    assert [branchings.tapes(event) for event in (3, 4, 6)] == [(), ("a", "b"), ("a",)]
    assert [branchings.teller(tape) for tape in ("a", "b", "c")] == [4, 4, None]
    assert list(branchings.events) == [4, 6]


def test_no_more_than_a_thousand_are_kept() -> None:
    branchings = Branchings()
    for at in range(1_200):
        branchings.tell(at, f"t{at}")
    assert len(branchings.events) == 1_000


def test_what_is_told_before_all_events_is_told_by_none() -> None:
    builder = Builder(Timeline())
    builder.event = -1
    builder.kin("fork", "parent", None, origin=True)
    builder.event = 0
    builder.kin("subagent", "beside", None)
    builder.event = 3
    builder.kin("subagent", "child", None)
    builder.event = 4
    builder.tell_of("beside")
    timeline = builder.timeline
    assert list(timeline.branchings.events) == [3, 4]
    assert timeline.branchings.tapes(4) == ("beside",)
    assert timeline.origins == ["parent"]


@pytest.mark.parametrize(
    ("reason", "branches"), [(Reason.REWOUND, [2]), (Reason.COMPACTED, []), (Reason.PRUNED, [])]
)
@pytest.mark.parametrize("how", ["remove", "resurface"])
def test_only_what_rewinds_branches(how: str, reason: Reason, branches: list[int]) -> None:
    builder = Builder(Timeline())
    nodes = []
    for builder.event in range(2):
        nodes.append(builder.append(Role.USER, Kind.MESSAGE, 1))
    builder.event = 2
    if how == "remove":
        builder.remove(nodes[1:], reason)
    else:
        builder.resurface(nodes[:1], reason)
    assert list(builder.timeline.branchings.events) == branches
