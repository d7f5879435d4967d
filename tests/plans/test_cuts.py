"""Where a tape may be cut: masks of rules, the nearest cuts, and the ranges that spans forbid."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.columns import NEVER
from inspector.formats import cutting
from inspector.formats.planning import Cuts, Stop
from inspector.plans.checking import of_cut
from inspector.timeline.words import SpanKind
from tests.lenses.handmade import Handmade

STOPS = [Stop(f"rule {at}", f"why {at}", f"kept {at}") for at in range(8)]

ranges = st.lists(st.tuples(st.integers(-3, 25), st.sampled_from((0, 1, 4, 9, 30, NEVER))))
rules = st.lists(ranges, max_size=8)


def made(head: int, forbidden: list[list[tuple[int, int]]]) -> tuple[Cuts, list[list[bool]]]:
    """Cuts, and for each rule and cursor whether it forbids a cut there, told plainly."""
    spans = [[(start, start + size) for start, size in some] for some in forbidden]
    plain = [
        [any(start <= cursor < stop for start, stop in some) for cursor in range(head + 1)]
        for some in spans
    ]
    return Cuts(head, zip(STOPS, spans, strict=False)), plain


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 20), rules)
def test_every_cursor_is_told_as_the_rules_tell_it(
    head: int, forbidden: list[list[tuple[int, int]]]
) -> None:
    cuts, plain = made(head, forbidden)
    allowed = [cursor for cursor in range(head + 1) if not any(rule[cursor] for rule in plain)]
    for cursor in range(head + 1):
        stops = [STOPS[at] for at, rule in enumerate(plain) if rule[cursor]]
        assert cuts.stops(cursor) == stops
        assert cuts.legal(cursor) == (cursor in allowed)
        assert cuts.before(cursor) == max((one for one in allowed if one < cursor), default=None)
        assert cuts.after(cursor) == min((one for one in allowed if one > cursor), default=None)
        for stop in range(cursor, head + 2):
            inside = any(cursor <= one < stop for one in allowed)
            assert cuts.any_within(cursor, stop) == inside


def test_rules_that_forbid_nothing_are_told_too() -> None:
    cuts = Cuts(3, [(STOPS[0], []), (STOPS[1], [(5, 9), (2, 2)])])
    assert list(cuts.rules) == STOPS[:2]
    assert all(map(cuts.legal, range(4)))


def test_there_are_no_more_rules_than_bits() -> None:
    nine = [*STOPS, Stop("rule 8", "why", "kept")]
    with pytest.raises(ValueError, match="more rules"):
        Cuts(3, ((stop, []) for stop in nine))


# Ranges of spans.


def test_a_call_is_open_between_its_event_and_that_of_its_result() -> None:
    tape = Handmade()
    tape.human()
    tape.call("one", "two")
    tape.result("one")
    tape.result("two")
    tape.call("never")
    assert list(cutting.unanswered(tape.timeline)) == [(2, 3), (2, 4)]
    cuts = Cuts(5, [(cutting.CALL_WITHOUT_RESULT, cutting.unanswered(tape.timeline))])
    assert [cursor for cursor in range(6) if not cuts.legal(cursor)] == [2, 3]


def test_a_span_without_an_end_goes_on_for_ever() -> None:
    tape = Handmade()
    tape.opens(SpanKind.TURN, "one")
    tape.closes(SpanKind.TURN, "one")
    tape.opens(SpanKind.TURN, "two")
    timeline = tape.timeline
    assert list(cutting.within(timeline, SpanKind.TURN)) == [(1, 2), (3, NEVER)]
    assert list(cutting.within(timeline, SpanKind.TURN, ended_only=True)) == [(1, 2)]


def test_cursors_that_are_not_settled() -> None:
    tape = Handmade()
    for settled in (True, False, False, True, False):
        tape.builder.event = tape.timeline.events
        tape.builder.settle(settled)
        tape.nothing()
    assert list(cutting.unsettled(tape.timeline)) == [(2, 4), (5, NEVER)]


def settled_as(*settled: bool) -> Handmade:
    """A tape whose events are settled or not; a call is open from the second to the fourth."""
    tape = Handmade()
    for at, one in enumerate(settled):
        if at in (1, 3):
            (tape.opens if at == 1 else tape.closes)(SpanKind.TOOL_CALL, "one")
        else:
            tape.nothing()
        tape.builder.event = at
        tape.builder.settle(one)
    return tape


def test_a_running_call_is_told_from_a_write_that_is_half_done() -> None:
    timeline = settled_as(True, False, False, False, False, True).timeline
    cuts = Cuts(timeline.events, cutting.settling(timeline))
    whys = [[stop.why for stop in cuts.stops(at)] for at in range(7)]
    running, half = [cutting.WAITING.why], [cutting.HALF_WRITTEN.why]
    assert whys == [[], [], running, running, half, half, []]


def test_a_format_may_know_better_where_a_result_is_waited_for() -> None:
    timeline = settled_as(True, False, False, False, False, True).timeline
    cuts = Cuts(timeline.events, cutting.settling(timeline, [(0, 5)]))
    whys = [[stop.why for stop in cuts.stops(at)] for at in range(2, 6)]
    assert whys == [[cutting.WAITING.why]] * 3 + [[cutting.HALF_WRITTEN.why]]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 20), rules)
def test_the_cuts_by_one_rule_are_those_that_its_stops_forbid(
    head: int, forbidden: list[list[tuple[int, int]]]
) -> None:
    cuts, _ = made(head, forbidden)
    assert cuts.by("no such rule") is None
    for stop in cuts.rules:
        alone = cuts.by(stop.rule)
        assert alone is not None
        assert list(alone.rules) == [stop]
        assert [alone.legal(at) for at in range(head + 1)] == [
            stop not in cuts.stops(at) for at in range(head + 1)
        ]


def test_a_call_without_an_end_runs_as_long_as_nothing_is_settled() -> None:
    tape = Handmade()
    tape.opens(SpanKind.TOOL_CALL, "one")
    tape.builder.settle(False)
    tape.nothing()
    tape.nothing()
    cuts = Cuts(tape.timeline.events, cutting.settling(tape.timeline))
    assert [[stop.why for stop in cuts.stops(at)] for at in (1, 2, 3)] == [
        [cutting.WAITING.why]
    ] * 3


def test_a_rule_of_two_reasons_is_told_once_where_it_is_kept() -> None:
    timeline = settled_as(True, False, False, True).timeline
    cuts = Cuts(timeline.events, cutting.settling(timeline))
    assert [(check.ok, check.message) for check in of_cut(cuts, 0)] == [
        (True, cutting.WAITING.kept)
    ]
    assert [(check.ok, check.message) for check in of_cut(cuts, 2)] == [
        (False, cutting.WAITING.why)
    ]
