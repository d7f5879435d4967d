import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.timeline.builder import Builder
from inspector.timeline.marks import Marks, Pairs, Settled, Usage, UsageTable
from inspector.timeline.registers import IN_PAYLOAD, Registers, Setting
from inspector.timeline.spans import Span, Spans
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark, Outcome, SpanKind

# Registers.


def test_a_register_has_no_value_before_it_is_set() -> None:
    registers = Registers()
    assert registers.at("title", 9) is None
    registers.set("title", "one", 4)
    assert [registers.at("title", cursor) for cursor in (0, 3)] == [None, None]
    assert registers.at("title", 4) == registers.at("title", 9) == Setting("one", 4, 3)


def test_each_value_stands_until_the_next() -> None:
    registers = Registers()
    for cursor, value in ((2, "a"), (5, "b"), (9, None)):
        registers.set("mode", value, cursor)
    found = [registers.at("mode", cursor) for cursor in (2, 4, 5, 8, 9, 10)]
    assert [setting and setting[:2] for setting in found] == [
        ("a", 2),
        ("a", 2),
        ("b", 5),
        ("b", 5),
        (None, 9),
        (None, 9),
    ]


def test_a_value_said_again_is_no_change() -> None:
    registers = Registers()
    registers.set("model", "flash", 1)
    registers.set("model", "flash", 5)
    assert registers.at("model", 7) == Setting("flash", 1, 0)


def test_a_value_kept_in_its_payload_is_new_each_time() -> None:
    registers = Registers()
    registers.set("todo", IN_PAYLOAD, 1)
    registers.set("todo", IN_PAYLOAD, 5)
    assert registers.at("todo", 4) == Setting(IN_PAYLOAD, 1, 0)
    assert registers.at("todo", 5) == Setting(IN_PAYLOAD, 5, 4)


def test_of_two_values_at_one_cursor_the_last_counts() -> None:
    registers = Registers()
    registers.set("mode", "a", 3)
    registers.set("mode", "b", 3)
    assert registers.at("mode", 3) == Setting("b", 3, 2)


def test_a_value_that_comes_back_within_one_event_never_left() -> None:
    registers = Registers()
    registers.set("mode", "a", 1)
    registers.set("mode", "b", 3)
    registers.set("mode", "a", 3)
    assert registers.at("mode", 3) == Setting("a", 1, 0)


def test_the_state_is_what_is_set_in_the_order_of_first_settings() -> None:
    registers = Registers()
    registers.set("title", "one", 1)
    registers.set("model", "flash", 2)
    registers.set("title", "two", 3)
    assert registers.state(0) == {}
    assert list(registers.state(1).items()) == [("title", Setting("one", 1, 0))]
    assert list(registers.state(3).items()) == [
        ("title", Setting("two", 3, 2)),
        ("model", Setting("flash", 2, 1)),
    ]


# Spans.


def test_a_span_is_open_from_the_cursor_behind_its_event_to_that_behind_its_end() -> None:
    spans = Spans(SpanKind.TURN)
    number = spans.open(3, 7)
    running = Span(SpanKind.TURN, 7, 3, None, Outcome.RUNNING)
    assert spans[number] == running
    spans.close(number, 6, Outcome.FAILED)
    done = Span(SpanKind.TURN, 7, 3, 6, Outcome.FAILED)
    assert spans[number] == done
    assert [spans.at(number, cursor) for cursor in (3, 5, 6, 9)] == [running, running, done, done]
    assert [list(spans.open_at(cursor)) for cursor in (2, 3, 5, 6)] == [
        [],
        [running],
        [running],
        [],
    ]


def test_a_span_that_ends_where_it_began_is_open_at_no_cursor() -> None:
    spans = Spans(SpanKind.TOOL_CALL)
    spans.close(spans.open(3, None), 3, Outcome.UNKNOWN)
    assert [list(spans.open_at(cursor)) for cursor in (2, 3, 4)] == [[], [], []]


@pytest.mark.parametrize(
    ("number", "kept"),
    [(0, 0), (1, 1), ((1 << 31) - 1, (1 << 31) - 1), (1 << 31, None), (-1, None)],
)
def test_a_number_is_kept_if_it_is_an_ordinary_one(number: int, kept: int | None) -> None:
    spans = Spans(SpanKind.TURN)
    spans.open(1, number)
    assert spans[0].number == kept


def test_spans_are_found_by_event_by_cursor_and_by_number() -> None:
    spans = Spans(SpanKind.TURN)
    for cursor, number in ((2, 1), (5, 2), (5, 2), (9, 1)):
        spans.open(cursor, number)
    assert [spans.opened_by(event) for event in (0, 1, 4, 8, 9)] == [None, 0, 1, 3, None]
    assert [spans.last(cursor) for cursor in (0, 1, 2, 4, 5, 8, 9, 99)] == [
        None,
        None,
        0,
        0,
        2,
        2,
        3,
        3,
    ]
    assert [list(spans.numbered(number)) for number in (1, 2, 3, -1)] == [[0, 3], [1, 2], [], []]


def plain_open(spans: list[tuple[int, int | None]], cursor: int) -> list[int]:
    """The slow way: which spans are open, latest first."""
    return [
        opened
        for opened, closed in reversed(spans)
        if opened <= cursor and (closed is None or closed > cursor)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_many_spans_over_several_groups_are_found_at_every_cursor(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    spans = Spans(SpanKind.TOOL_CALL)
    plain: list[tuple[int, int | None]] = []
    running: list[int] = []
    last = 1_500
    for cursor in range(1, last):
        while running and chance.random() < 0.3 + 0.2 * seed:
            number = running.pop(chance.randrange(len(running)))
            spans.close(number, cursor, Outcome.OK)
            plain[number] = (plain[number][0], cursor)
        if chance.random() < 0.8:
            running.append(spans.open(cursor, None))
            plain.append((cursor, None))
    assert len(spans) == len(plain) > 4 * 256
    for cursor in range(0, last + 10, 7):
        assert [span.opened for span in spans.open_at(cursor)] == plain_open(plain, cursor)


def test_one_span_that_stays_open_is_found_behind_many_that_are_done() -> None:
    spans = Spans(SpanKind.COMPACTION)
    spans.open(1, None)
    for cursor in range(2, 3_000):
        spans.close(spans.open(cursor, None), cursor + 1, Outcome.OK)
    assert [span.opened for span in spans.open_at(3_000)] == [1]
    assert [span.opened for span in spans.open_at(1_000)] == [1_000, 1]


def test_a_span_opened_again_under_its_name_ends_the_one_before() -> None:
    builder = Builder(Timeline())
    for event in range(3):
        builder.event = event
        builder.open(SpanKind.TURN, "1")
    builder.event = 3
    assert builder.close(SpanKind.TURN, "1", Outcome.OK) is True
    assert builder.close(SpanKind.TURN, "1", Outcome.OK) is False
    turns = builder.timeline.spans[SpanKind.TURN]
    assert [turns[at][2:5] for at in range(3)] == [
        (1, 2, Outcome.UNKNOWN),
        (2, 3, Outcome.UNKNOWN),
        (3, 4, Outcome.OK),
    ]


def test_kinds_of_spans_do_not_mix() -> None:
    builder = Builder(Timeline())
    builder.open(SpanKind.TURN, "1")
    builder.event = 1
    builder.open(SpanKind.STEP, "1")
    builder.event = 2
    builder.close_all(SpanKind.STEP, Outcome.INTERRUPTED)
    spans = builder.timeline.spans
    assert spans[SpanKind.TURN][0].closed is None
    assert spans[SpanKind.STEP][0] == Span(SpanKind.STEP, None, 2, 3, Outcome.INTERRUPTED)


# Usage.


def test_the_last_report_of_the_events_folded() -> None:
    usage = UsageTable()
    assert usage.last(5) is None
    first, second = Usage(2, 1, 2, 3, 4), Usage(6, 10, 20, 30, 40)
    usage.add(first)
    usage.add(second)
    assert (len(usage), usage[0], usage[1]) == (2, first, second)
    assert [usage.last(cursor) for cursor in (0, 2, 3, 6, 7, 99)] == [
        None,
        None,
        first,
        first,
        second,
        second,
    ]
    assert (first.context, second.context) == (6, 60)


def test_a_request_reported_more_fully_counts_once_and_as_it_was_known() -> None:
    builder = Builder(Timeline())
    usage = builder.timeline.usage
    first = builder.spend(cached=5, uncached=10, written=1, output=1)
    builder.event = 3
    other = builder.spend(cached=0, uncached=7, written=0, output=2)
    builder.event = 4
    fuller = builder.spend(cached=5, uncached=10, written=1, output=40, of=first)
    builder.event = 6
    builder.spend(cached=5, uncached=10, written=1, output=90, of=fuller)
    assert [usage.total(cursor) for cursor in (0, 1, 4, 5, 7)] == [
        Usage(-1, 0, 0, 0, 0),
        Usage(0, 10, 5, 1, 1),
        Usage(3, 17, 5, 1, 3),
        Usage(4, 17, 5, 1, 42),
        Usage(6, 17, 5, 1, 92),
    ]
    assert [[told.output for told in usage.requests(cursor)] for cursor in (1, 4, 5, 7)] == [
        [1],
        [1, 2],
        [2, 40],
        [2, 90],
    ]
    assert (usage[other].event, usage.last(7)) == (3, Usage(6, 10, 5, 1, 90))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 9)), max_size=30))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_totals_are_the_sums_of_the_latest_reports(script: list[tuple[int, int, int]]) -> None:
    usage, event = UsageTable(), 0
    numbers: dict[int, int] = {}
    reports: list[tuple[int, int, int]] = []
    for request, later, output in script:
        event += later
        told = Usage(event, 1, 2, 3, output)
        numbers[request] = usage.add(told, numbers.get(request))
        reports.append((event, request, output))
    for cursor in range(event + 2):
        known = {request: output for at, request, output in reports if at < cursor}
        found = list(usage.requests(cursor))
        assert sorted(told.output for told in found) == sorted(known.values())
        total = usage.total(cursor)
        assert (total.input, total.output) == (len(known), sum(known.values()))


def test_reports_of_requests_that_are_not_of_the_surface_stand_aside() -> None:
    builder = Builder(Timeline())
    builder.spend(cached=1, uncached=2, written=3, output=4)
    builder.spend(cached=5, uncached=6, written=7, output=8, aside=True)
    assert builder.timeline.usage[0] == Usage(0, 2, 1, 3, 4)
    assert builder.timeline.side_usage[0] == Usage(0, 6, 5, 7, 8)


# Pairs.


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=12))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_pairs_are_found_from_both_sides(told: list[tuple[int, int]]) -> None:
    """Each call and each result is told once at most, in the order of the later of the two."""
    calls: dict[int, int] = {}
    results: dict[int, int] = {}
    pairs = Pairs()
    for call, result in sorted(told, key=max):
        if call not in calls and result not in results:
            calls[call], results[result] = result, call
            pairs.add(call, result)
    for event in range(13):
        assert pairs.call_of(event) == results.get(event)
        assert pairs.result_of(event) == calls.get(event)


# Marks.


def test_an_event_is_marked_once_per_class() -> None:
    marks = Marks()
    for event in (1, 1, 4, 9):
        marks.add(Mark.ERROR, event)
    marks.add(Mark.USER, 4)
    assert list(marks.events(Mark.ERROR)) == [1, 4, 9]
    assert list(marks.events(Mark.USER)) == [4]
    assert list(marks.events(Mark.DAMAGE)) == []


def test_marks_are_counted_in_half_open_ranges() -> None:
    marks = Marks()
    for event in (1, 4, 9):
        marks.add(Mark.ERROR, event)
    assert [
        marks.within(Mark.ERROR, start, stop)
        for start, stop in ((0, 10), (1, 4), (1, 5), (2, 4), (4, 4), (9, 9), (9, 10), (10, 99))
    ] == [3, 1, 2, 0, 0, 0, 1, 0]


def test_the_lower_number_wins_a_shared_cell() -> None:
    assert sorted(Mark) == [
        Mark.DAMAGE,
        Mark.ERROR,
        Mark.COMPACTION,
        Mark.USER,
        Mark.TOOL_CALL,
        Mark.TURN,
    ]


# Settled cursors.


def test_every_cursor_is_settled_until_told() -> None:
    settled = Settled()
    assert [settled.at(cursor) for cursor in (0, 1, 99)] == [True, True, True]


def test_from_a_change_to_the_next() -> None:
    settled = Settled()
    for cursor, is_settled in ((3, False), (5, False), (7, True), (7, True), (9, False)):
        settled.set(cursor, is_settled)
    assert [settled.at(cursor) for cursor in range(11)] == [
        *[True] * 3,
        *[False] * 4,
        *[True] * 2,
        *[False] * 2,
    ]


def test_of_two_changes_at_one_cursor_the_last_counts() -> None:
    settled = Settled()
    settled.set(3, False)
    settled.set(3, True)
    assert all(settled.at(cursor) for cursor in range(6))
    settled.set(4, False)
    settled.set(5, True)
    settled.set(5, False)
    assert [settled.at(cursor) for cursor in range(3, 7)] == [True, False, False, False]


# The event table.


def test_a_tape_whose_events_have_no_time_or_go_back_in_time() -> None:
    timeline = Timeline()
    builder = Builder(timeline)
    builder.publish(array("I", [1, 2, 2]), array("H", [0, 0, 0]), array("q", [50, -(1 << 63), 30]))
    builder.publish(array("I", [4]), array("H", [0]), array("q", [90]))
    table = timeline.table
    assert [table.time(event) for event in range(4)] == [50, None, 30, 90]
    assert [table.first_later_than(time) for time in (29, 49, 50, 89, 90)] == [0, 0, 3, 3, 4]


def test_events_and_records_are_found_from_each_other() -> None:
    timeline = Timeline()
    columns = (array("I", [1, 2, 2, 2, 5]), array("H", [0] * 5), array("q", [0] * 5))
    Builder(timeline).publish(*columns)
    table = timeline.table
    assert [table.record(event) for event in range(5)] == [1, 2, 2, 2, 5]
    assert [table.member(event) for event in range(5)] == [0, 0, 1, 2, 0]
    assert [table.first_of_record(record) for record in range(7)] == [
        None,
        0,
        1,
        None,
        None,
        4,
        None,
    ]
    assert [table.before_record(record) for record in range(7)] == [0, 0, 1, 4, 4, 4, 5]


def test_a_tape_that_invents_types_without_end_shares_the_last_number() -> None:
    types = Timeline().table.types
    numbers = [types.number(f"type {at}") for at in range(65_002)]
    assert numbers[:3] == [0, 1, 2]
    assert numbers[-1] == numbers[-2] == 64_999
    assert max(numbers) < 1 << 16
    assert (types.number("type 7"), types.known("type 7"), types[7]) == (7, 7, "type 7")
    assert types.known("type 65001") is None
