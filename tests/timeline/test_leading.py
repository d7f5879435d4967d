"""The start of a surface that leaves as one, and comes back as slices of a lane."""

import pytest

from inspector.columns import codes, unsigned, wide
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role, Visibility


class Told:
    """A timeline of messages, told one event after the other."""

    def __init__(self, messages: int) -> None:
        self.builder = Builder(Timeline())
        self.timeline = self.builder.timeline
        self.nodes = unsigned()
        self.lane = self.timeline.surface.runs.lanes.make(self.nodes)
        for _ in range(messages):
            self.nodes.append(self.builder.append(Role.USER, Kind.MESSAGE, 1))
            self.done()

    def done(self) -> None:
        """The event is over."""
        records, types, times = unsigned(), codes(), wide()
        for column in (records, types, times):
            column.append(0)
        self.builder.publish(records, types, times)
        self.builder.event += 1

    def shown(self) -> list[int]:
        return [row.node for row in self.timeline.rows(self.builder.event)]


def test_what_stands_before_a_node_leaves_and_comes_back_as_one() -> None:
    told = Told(6)
    builder = told.builder
    assert builder.leading(4) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    builder.remove_before(4, Reason.COMPACTED)
    told.done()
    assert told.shown() == [4, 5]
    assert told.timeline.visibility(0, builder.event) == (Visibility.SHADOWED, 6)
    builder.carry_slices([(told.lane, 1, 4)], 4)
    told.done()
    assert told.shown() == [1, 2, 3, 4, 5]
    assert builder.leading(4) == [(1, 3)]
    assert builder.leading(None) == [(1, 3), (4, 4), (5, 5)]
    assert builder.leading(1) == []


def test_a_run_is_taken_apart_where_its_rows_do_not_leave_together() -> None:
    told = Told(6)
    builder = told.builder
    builder.remove_before(None, Reason.COMPACTED)
    told.done()
    assert told.shown() == []
    builder.carry_slices([(told.lane, 0, 6)], None)
    told.done()
    builder.remove_before(2, Reason.COMPACTED)
    told.done()
    assert told.shown() == [2, 3, 4, 5]
    assert builder.leading(5) == [(2, 4)]
    assert [row.node for row in told.timeline.rows(8)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("before", [3, None])
def test_a_new_node_stands_in_the_place_of_what_was_before(before: int | None) -> None:
    told = Told(5)
    made = told.builder.replace_before(
        before, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1, {"sources": [range(3)]}
    )
    told.done()
    assert told.shown() == [made, *([3, 4] if before else [])]
    assert list(told.timeline.replacements) == [5]
    assert told.timeline.surface.nodes.sources(made) == [0, 1, 2]


def test_no_slices_change_nothing() -> None:
    told = Told(2)
    told.builder.carry_slices([], 0)
    told.done()
    assert told.shown() == [0, 1]
