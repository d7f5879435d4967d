"""Which events are listed: filters, the column of those that pass, and the rows made of it."""

from array import array
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import filters
from inspector.filters import Filter, Listed, Passing, Seen, Shown, bears, names_of, state
from inspector.formats.contract import Tape
from tests.folding import opened
from tests.ui.driving import path_of


@pytest.fixture(scope="module")
def demo() -> Iterator[Tape]:
    with opened(path_of("demo")) as tape:
        yield tape


def seen(tape: Tape, cursor: int, chosen: Filter, hits: list[int] | None = None) -> Seen:
    column = None if hits is None else array("I", hits)
    return Seen(0, chosen, cursor, tape.timeline.events, column, 0 if hits is None else len(hits))


def plainly(tape: Tape, wanted: Seen) -> list[int]:
    """The events that pass, asked one by one."""
    chosen = wanted.filter
    return [
        event
        for event in range(wanted.head)
        if (wanted.hits is None or event in wanted.hits)
        and (not chosen.words or bears(tape, event, chosen.words))
        and (
            chosen.shown is Shown.ALL or state(tape.timeline, event, wanted.cursor) is chosen.shown
        )
    ]


FILTERS = [
    Filter(Shown.VISIBLE),
    Filter(Shown.HIDDEN),
    Filter(Shown.LOG_ONLY),
    Filter(words=("user",)),
    Filter(Shown.HIDDEN, words=("bash", "-error")),
    Filter(Shown.HIDDEN, only_hits=True),
]


@pytest.mark.parametrize("chosen", FILTERS)
@given(cursors=st.lists(st.integers(0, 434), min_size=1, max_size=8))
@settings(max_examples=15, deadline=None)
def test_the_column_follows_the_cursor_as_if_it_was_made_there(
    demo: Tape, chosen: Filter, cursors: list[int]
) -> None:
    hits = list(range(0, 434, 3)) if chosen.only_hits else None
    passing = Passing(seen(demo, cursors[0], chosen, hits))
    for cursor in cursors:
        wanted = seen(demo, cursor, chosen, hits)
        assert passing.become(demo, wanted)
        assert list(passing.events) == plainly(demo, wanted)


def test_a_column_that_grows_with_the_tape_is_the_one_of_the_whole(demo: Tape) -> None:
    for chosen in FILTERS[:5]:
        passing = Passing(seen(demo, 400, chosen)._replace(head=0, cursor=0))
        for head in (10, 50, 434):
            passing.become(demo, Seen(0, chosen, min(head, 400), head))
        assert list(passing.events) == plainly(demo, seen(demo, 400, chosen))


def test_one_step_of_the_cursor_asks_about_what_changed_and_no_more(
    demo: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Filter(Shown.VISIBLE)
    passing = Passing(seen(demo, 300, chosen))
    passing.become(demo, seen(demo, 300, chosen))
    asked: list[int] = []
    plain = filters.state

    def counted(timeline: object, event: int, cursor: int) -> Shown | None:
        asked.append(event)
        return plain(demo.timeline, event, cursor)

    monkeypatch.setattr(filters, "state", counted)
    passing.become(demo, seen(demo, 301, chosen))
    assert len(asked) <= 3
    asked.clear()
    passing.become(demo, seen(demo, 300, chosen))
    assert len(asked) <= 3


def test_words_are_asked_once_an_event_whatever_the_cursor(
    demo: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    plain = filters.bears

    def counted(tape: Tape, event: int, words: tuple[str, ...]) -> bool:
        asked.append(event)
        return plain(tape, event, words)

    monkeypatch.setattr(filters, "bears", counted)
    chosen = Filter(Shown.HIDDEN, words=("tool",))
    passing = Passing(seen(demo, 0, chosen))
    for cursor in (434, 5, 200, 199):
        passing.become(demo, seen(demo, cursor, chosen))
    assert asked == list(range(434))


def test_it_can_be_stopped(demo: Tape) -> None:
    chosen = Filter(Shown.VISIBLE)
    wanted = seen(demo, 434, chosen)
    assert not Passing(wanted).become(demo, wanted, lambda: True)


def test_an_event_is_known_by_kind_role_type_and_tool(demo: Tape) -> None:
    call = next(event for event in range(434) if demo.headline(event).kind == "tool call")
    names = names_of(demo, call)
    assert {"tool-call", "tool", "call"} <= names
    result = demo.timeline.pairs.result_of(call)
    assert result is not None
    assert {"tool-result", "tool"} <= names_of(demo, result)


def test_words_are_written_as_one_likes() -> None:
    assert Filter().of_words("Tool_Call, bash  -error bash - ").words == (
        "tool-call",
        "bash",
        "-error",
    )
    assert not Filter().of_words("  ").active


def test_only_leaving_out_lists_all_others(demo: Tape) -> None:
    chosen = Filter().of_words("-user -assistant")
    passing = Passing(seen(demo, 434, chosen))
    passing.become(demo, seen(demo, 434, chosen))
    kinds = {demo.headline(event).kind for event in passing.events}
    assert kinds
    assert not kinds & {"user", "assistant"}


# Rows.


def test_a_row_for_each_event_that_passes_and_each_that_must_be_named() -> None:
    listed = Listed(array("I", [2, 5, 8]), 10, (6, 5, None))
    assert [listed.event(row) for row in range(listed.count())] == [2, 5, 6, 8]
    assert [listed.row(event) for event in (2, 5, 6, 8)] == [0, 1, 2, 3]
    assert [listed.passes(event) for event in (2, 5, 6)] == [True, True, False]
    assert listed.row(7) == 2
    assert listed.row(0) == 0


def test_what_must_be_named_has_a_row_where_nothing_passes() -> None:
    listed = Listed(array("I"), 10, (9, 0))
    assert [listed.event(row) for row in range(listed.count())] == [0, 9]


def test_without_a_filter_every_event_is_its_row() -> None:
    listed = Listed(None, 10, (3,))
    assert (listed.count(), listed.event(4), listed.row(4)) == (10, 4, 4)
    assert listed.left_out == ()
