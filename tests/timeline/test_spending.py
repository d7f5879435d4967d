"""What requests cost: each once, the tape's own against those that it inherited."""

from random import Random
from typing import Any

import pytest

from inspector.timeline.builder import Builder
from inspector.timeline.marks import Usage, UsageTable
from inspector.timeline.spending import Spent, spending
from inspector.timeline.timeline import Timeline


def a_fork() -> Timeline:
    """Two requests of the parent, one of them aside; then a request that is told twice."""
    builder = Builder(Timeline())
    builder.spend(cached=1, uncached=10, written=2, output=5)
    builder.event = 1
    builder.spend(cached=0, uncached=7, written=0, output=3, aside=True)
    builder.inherit(2)
    builder.event = 4
    first = builder.spend(cached=100, uncached=20, written=30, output=1)
    builder.event = 5
    builder.spend(cached=100, uncached=20, written=30, output=9, of=first)
    return builder.timeline


def test_what_was_copied_is_told_apart_from_what_is_the_tapes_own() -> None:
    found = spending(a_fork(), 6)
    assert found.inherited == Spent(2, 1, input=17, cache_read=1, cache_write=2, output=8)
    assert found.own == Spent(1, 0, input=20, cache_read=100, cache_write=30, output=9)
    assert (found.own.sent, found.inherited.sent) == (150, 20)


def test_a_cursor_knows_no_more_than_was_reported_by_then() -> None:
    timeline = a_fork()
    assert spending(timeline, 0) == (Spent(), Spent())
    assert [spending(timeline, at).inherited.requests for at in (1, 2, 5)] == [1, 2, 2]
    assert [spending(timeline, at).own.output for at in (2, 4, 5, 6)] == [0, 0, 1, 9]


def test_a_tape_that_inherited_nothing_spent_everything_itself() -> None:
    timeline = a_fork()
    timeline.lives.inherited = 0
    assert spending(timeline, 6).inherited == Spent()
    assert spending(timeline, 6).own.requests == 3


@pytest.mark.parametrize("seed", range(5))
def test_totals_are_plain_sums_across_all_that_is_kept_of_them(seed: int) -> None:
    throw = Random(seed)  # noqa: S311 - it guards nothing
    outputs = [throw.randrange(40) for _ in range(2_200)]
    usage, numbers, known = UsageTable(), dict[int, int](), dict[int, int]()
    wanted = [(0, 0)]
    for event, output in enumerate(outputs):
        # A third of the reports tell of a request that was told before, perhaps long ago.
        request = event if event % 3 else event // 2
        numbers[request] = usage.add(Usage(event, 1, 0, 0, output), numbers.get(request))
        known[request] = output
        wanted.append((len(known), sum(known.values())))
    for cursor in (*range(0, len(outputs), 97), 1_023, 1_024, 1_025, len(outputs)):
        total = usage.total(cursor)
        assert (total.input, total.output) == wanted[cursor]
        assert usage.count(cursor) == wanted[cursor][0]


class Counted(list[int]):
    """A column that counts what is read of it."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.read += len(found) if isinstance(at, slice) else 1
        return found


def test_a_total_reads_the_reports_since_the_last_sum_and_no_more() -> None:
    usage = UsageTable()
    for event in range(5_000):
        usage.add(Usage(event, 1, 0, 0, 2))
    columns = tuple(Counted(column) for column in usage._columns)
    usage._columns = columns  # type: ignore[assignment]
    assert usage.total(4_999).output == 2 * 4_999
    assert sum(column.read for column in columns) <= 4 * 1_024
