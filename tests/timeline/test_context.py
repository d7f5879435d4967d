from array import array
from collections.abc import Callable

import pytest

from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

Deed = Callable[[Builder], object]


def append(tokens: int) -> Deed:
    return lambda builder: builder.append(Role.USER, Kind.MESSAGE, tokens)


def replace(first: int, last: int, tokens: int) -> Deed:
    nodes = list(range(first, last + 1))
    return lambda builder: builder.replace(
        nodes, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, tokens
    )


def remove(node: int) -> Deed:
    return lambda builder: builder.remove([node], Reason.PRUNED)


def report(uncached: int, cached: int = 0, written: int = 0, *, aside: bool = False) -> Deed:
    return lambda builder: builder.spend(cached, uncached, written, 7, aside=aside)


def answer(tokens: int, uncached: int) -> Deed:
    """A message and, with it, the report of the request that it answers."""

    def done(builder: Builder) -> None:
        report(uncached)(builder)
        append(tokens)(builder)

    return done


def told(*deeds: Deed) -> Timeline:
    """A timeline with one deed per event."""
    builder = Builder(Timeline())
    for event, deed in enumerate(deeds):
        builder.event = event
        deed(builder)
    builder.publish(*(array(code, [0] * len(deeds)) for code in "IHq"))
    return builder.timeline


def contexts(*deeds: Deed) -> list[tuple[int, bool]]:
    timeline = told(*deeds)
    return [timeline.context(cursor) for cursor in range(len(deeds) + 1)]


def test_an_empty_tape_holds_nothing() -> None:
    assert contexts() == [(0, True)]


def test_without_a_report_the_surface_is_estimated() -> None:
    assert contexts(append(10), append(5), remove(0)) == [
        (0, True),
        (10, True),
        (15, True),
        (5, True),
    ]


def test_just_behind_a_report_it_is_what_the_provider_said() -> None:
    assert contexts(append(10), answer(5, 1000)) == [(0, True), (10, True), (1000, False)]


def test_a_report_counts_cached_and_written_tokens() -> None:
    assert contexts(append(10), report(100, cached=20, written=3))[-1] == (123, False)


def test_what_changes_nothing_leaves_it_as_the_provider_said() -> None:
    assert contexts(append(10), report(1000), append(0))[-1] == (1000, False)


def test_what_comes_behind_a_report_is_added_by_its_estimate() -> None:
    assert contexts(append(10), report(1000), append(30), append(2))[-2:] == [
        (1030, True),
        (1032, True),
    ]


def test_a_later_report_counts_anew() -> None:
    assert contexts(append(10), report(1000), append(30), report(2000))[-1] == (2000, False)


def test_what_leaves_is_taken_away_in_proportion() -> None:
    assert contexts(append(60), append(40), report(1000), remove(0))[-1] == (400, True)


def test_a_compaction_shrinks_it_in_proportion() -> None:
    assert contexts(append(60), append(40), report(1000), replace(0, 1, 10))[-1] == (100, True)


def test_a_proportion_is_rounded_down() -> None:
    assert contexts(append(2), append(1), report(100), remove(0))[-1] == (33, True)


def test_a_surface_that_shrinks_to_nothing_holds_nothing() -> None:
    assert contexts(append(60), report(1000), remove(0))[-1] == (0, True)


def test_what_came_and_left_again_leaves_it_as_the_provider_said() -> None:
    assert contexts(append(60), report(1000), append(5), remove(1))[-1] == (1000, False)


def test_a_report_on_an_empty_surface_is_the_preamble() -> None:
    assert contexts(report(900), append(10)) == [(0, True), (900, False), (910, True)]


def test_a_report_of_another_kind_of_request_does_not_count() -> None:
    assert contexts(append(10), report(5000, aside=True))[-1] == (10, True)


@pytest.mark.parametrize("cursor", [0, 1, 2, 3, 4])
def test_the_context_at_a_cursor_is_that_of_the_tape_so_far(cursor: int) -> None:
    deeds = [append(10), report(1000), append(30), remove(0)]
    assert told(*deeds).context(cursor) == told(*deeds[:cursor]).context(cursor)
