import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.library import shelf as module
from inspector.library.grouping import headings, order
from inspector.library.row import Row
from inspector.library.shelf import Days, Grouping, Heading, Shelf, identity

NOW = int(datetime(2026, 11, 18, 15, 30, tzinfo=UTC).timestamp() * 1000)
"""A Wednesday."""

DAYS = Days.of(NOW, UTC)
HOUR = 3_600_000


def row(name: str, **more: object) -> Row:
    facts: dict[str, object] = {"format": "dsh", "id": name, "title": f"title {name}", "last": NOW}
    return Row(f"/s/{name}.jsonl", **(facts | more))  # type: ignore[arg-type]


def shelf(*rows: Row, grouping: Grouping = Grouping.ACTIVITY) -> Shelf:
    made = Shelf(DAYS, grouping)
    made.put(rows)
    return made


def lines(made: Shelf) -> list[str]:
    """What stands on it, a heading with how many are under it."""
    return [
        f"{'#' * (line.level + 1)} {line.text} {line.rows}"
        if isinstance(line, Heading)
        else line.path.stem
        for line in made.window(0, len(made))
    ]


# Days.


def test_a_time_is_told_by_the_days_that_begin_at_midnight() -> None:
    words = {
        NOW + HOUR: "today",
        NOW: "today",
        NOW - 15 * HOUR: "today",
        NOW - 16 * HOUR: "yesterday",
        NOW - 39 * HOUR: "yesterday",
        NOW - 40 * HOUR: "this week",
        NOW - 63 * HOUR: "this week",
        NOW - 64 * HOUR: "this month",
        NOW - 24 * 17 * HOUR: "this month",
        NOW - 24 * 18 * HOUR: "October 2026",
        None: "no time",
    }
    assert {time: DAYS.word(time) for time in words} == words


def test_what_is_long_past_is_told_by_its_month_then_by_its_year() -> None:
    def word(year: int, month: int, day: int) -> str:
        return DAYS.word(int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000))

    assert word(2026, 10, 31) == "October 2026"
    assert word(2026, 1, 1) == "January 2026"
    assert word(2025, 12, 31) == "December 2025"
    assert word(2025, 1, 1) == "January 2025"
    assert word(2024, 12, 31) == "2024"
    assert word(1971, 1, 1) == "1971"


@settings(max_examples=50)
@given(
    st.integers(0, 366 * 60).map(lambda day: NOW - 24 * HOUR * day),
    st.lists(st.integers(0, 800 * 24).map(lambda hours: hours * HOUR), max_size=50),
)
def test_no_word_is_said_of_times_on_both_sides_of_another(now: int, before: list[int]) -> None:
    days = Days.of(now, UTC)
    said = [days.word(now - one) for one in sorted(before)]
    groups = [word for at, word in enumerate(said) if not at or said[at - 1] != word]
    assert len(groups) == len(set(groups))


def test_days_begin_where_the_zone_says() -> None:
    east = Days.of(NOW, timezone(timedelta(hours=9)))
    # There it is past midnight already.
    assert east.word(NOW - HOUR) == "yesterday"
    assert DAYS.word(NOW - HOUR) == "today"


# Groups.


def test_by_activity_the_latest_stands_first_under_its_day() -> None:
    made = shelf(
        row("old", last=NOW - 5_000 * HOUR),
        row("b", last=NOW - 20 * HOUR),
        row("a", last=NOW - 2),
        row("none", last=None),
        row("c", last=NOW - 1),
    )
    assert lines(made) == [
        *("# today 2", "c", "a", "# yesterday 1", "b"),
        *("# April 2026 1", "old", "# no time 1", "none"),
    ]


def test_by_agent_projects_stand_under_each() -> None:
    made = shelf(
        row("a", project="/w/two", last=1),
        row("b", project="/w/one", last=2),
        row("c", project="/w/one", last=3),
        row("d", format="claude"),
        row("e", format=None, id=None, problem="empty"),
        grouping=Grouping.AGENT,
    )
    assert lines(made) == [
        *("# claude 1", "## no project 1", "d"),
        *("# dsh 3", "## /w/one 2", "c", "b", "## /w/two 1", "a"),
        *("# not readable 1", "## no project 1", "e"),
    ]


def test_by_project_agents_stand_together() -> None:
    made = shelf(
        row("a", project="/w/x", last=1),
        row("b", project="/w/x", format="codex", last=2),
        row("c", project=None),
        grouping=Grouping.PROJECT,
    )
    assert lines(made) == ["# /w/x 2", "b", "a", "# no project 1", "c"]


def test_groupings_follow_each_other_round() -> None:
    ways = [Grouping.ACTIVITY]
    for _ in Grouping:
        ways.append(ways[-1].next)
    assert set(ways) == set(Grouping)
    assert ways[0] is ways[-1]


def test_another_day_moves_headings_and_no_row() -> None:
    made = shelf(row("a"), row("b", last=NOW - 20 * HOUR))
    made.clock(Days.of(NOW + 24 * HOUR, UTC))
    assert lines(made) == ["# yesterday 1", "a", "# this week 1", "b"]


# Rows come and go.


def test_a_row_of_the_same_session_takes_the_place_of_the_one_before() -> None:
    made = shelf(row("a", last=1), row("b", last=2))
    made.put([row("a", last=3, title="new")])
    assert [one.title for one in made.rows()] == ["new", "title b"]
    version = made.version
    made.put([row("a", last=3, title="new")])
    assert made.version == version


def test_sessions_of_one_database_are_rows_of_their_own() -> None:
    made = shelf(row("db", session="1"), row("db", session="2"))
    made.remove([(Path("/s/db.jsonl"), "1")])
    assert [one.session for one in made.rows()] == ["2"]


def test_what_is_not_there_is_taken_away_in_silence() -> None:
    made = shelf(row("a"))
    version = made.version
    made.remove([(Path("/gone"), None)])
    assert (made.version, lines(made)) == (version, ["# today 1", "a"])


def test_counts_tell_sessions_and_what_cannot_be_read() -> None:
    made = shelf(
        row("a", project="/x"),
        row("b", project="/y", format="codex"),
        row("c", format=None, id=None, problem="empty"),
    )
    assert made.counts == (2, 3, 1, 2, 2, 1)
    made.search("title")
    assert made.counts == (2, 3, 1, 2, 2, 1)
    made.search("title a")
    assert (made.counts.shown, made.counts.shown_unreadable) == (1, 0)
    made.search("empty")
    assert (made.counts.shown, made.counts.shown_unreadable) == (1, 1)
    made.search("title a")
    made.remove([identity(row("b"))])
    assert made.counts == (1, 1, 1, 1, 1, 0)


def test_a_line_stands_under_headings_and_a_heading_under_none() -> None:
    made = shelf(
        row("a", project="/x", format="claude"),
        row("b", project="/y", format="claude"),
        row("c", project="/y", format="codex"),
        grouping=Grouping.AGENT,
    )
    above = [[heading.text for heading in made.above(at)] for at in range(len(made))]
    assert above == [[], [], ["claude", "/x"], [], ["claude", "/y"], [], [], ["codex", "/y"]]
    made.regroup(Grouping.ACTIVITY)
    assert [heading.text for heading in made.above(2)] == ["today"]


def test_a_row_is_there_whether_it_is_shown_or_not() -> None:
    made = shelf(row("a"))
    made.search("nothing of it")
    assert made.row(identity(row("a"))) == row("a")
    assert made.row(identity(row("b"))) is None


# Search.


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("", "abc"),
        ("lantern", "ab"),
        ("LANTERN Oil", "a"),
        ("oil lan", "a"),
        ("codex", "b"),
        ("/s/c", "c"),
        ("garden", "c"),
        ("straße", "b"),
        ("nothing", ""),
        ("  ", "abc"),
        ("unreadable-reason", "c"),
    ],
)
def test_all_words_must_stand_in_a_row_in_any_case(words: str, shown: str) -> None:
    made = shelf(
        row("a", title="Fill the Lantern with oil"),
        row("b", title="Lantern of the STRASSE", format="codex"),
        row("c", project="/work/Garden", problem="unreadable-reason"),
    )
    made.search(words)
    assert "".join(sorted(one.path.stem for one in made.rows())) == shown


def test_new_rows_are_searched_as_they_come() -> None:
    made = shelf(row("a"), row("b"))
    made.search("title c")
    made.put([row("c"), row("d")])
    assert [one.path.stem for one in made.rows()] == ["c"]
    made.search("title")
    assert len(made.rows()) == 4


@pytest.fixture
def tests_of_words(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The rows that were searched, in order."""
    tested: list[str] = []
    real = module._Held.holds

    def holds(held: module._Held, words: list[str]) -> bool:
        tested.append(held.row.path.stem)
        return real(held, words)

    monkeypatch.setattr(module._Held, "holds", holds)
    return tested


def test_of_a_longer_word_only_what_was_shown_is_searched(tests_of_words: list[str]) -> None:
    made = shelf(*(row(f"{at:02}") for at in range(20)))
    made.search("title 1")
    assert len(tests_of_words) == 20
    tests_of_words.clear()
    made.search("title 1 ti")
    made.search("title 19")
    assert len(tests_of_words) == 22
    tests_of_words.clear()
    made.put([row("new")])
    assert tests_of_words == ["new"]


# The selected row.


def test_the_selected_row_stays_however_rows_come_and_stand() -> None:
    made = shelf(row("a", last=NOW), row("b", last=NOW - 1), row("c", last=NOW - 2))
    made.select(identity(row("b")))
    made.put([row("z", last=NOW + 5), row("a", last=NOW - 9)])
    made.regroup(Grouping.PROJECT)
    assert made.selected is not None
    assert made.selected.path.stem == "b"
    at = made.line_of(identity(row("b")))
    assert at is not None
    assert made.line(at) == made.selected


def test_a_row_that_a_search_leaves_out_is_selected_again_behind_it() -> None:
    made = shelf(row("a"), row("b"))
    made.select(identity(row("b")))
    made.search("title a")
    assert made.selected is None
    assert made.line_of(identity(row("b"))) is None
    made.search("")
    assert made.selected == row("b")


@pytest.mark.parametrize(("gone", "then"), [("a", "b"), ("b", "c"), ("c", "b"), ("abc", None)])
def test_where_the_selected_row_goes_the_next_one_is_selected(gone: str, then: str | None) -> None:
    made = shelf(*(row(name, last=NOW - at) for at, name in enumerate("abc")))
    made.select(identity(row(gone[-1])))
    made.remove([identity(row(name)) for name in gone])
    assert (made.selected and made.selected.path.stem) == then


def test_steps_go_over_rows_and_never_to_a_heading() -> None:
    made = shelf(row("a"), row("b", last=NOW - 20 * HOUR), row("c", last=1))
    seen = []
    for by in (1, 1, 1, 1, -1, -9):
        made.step(by)
        assert made.selected is not None
        seen.append(made.selected.path.stem)
    assert seen == ["a", "b", "c", "c", "b", "a"]
    made.select_line(2)
    assert made.selected.path.stem == "b"
    made.select_line(99)
    assert made.selected.path.stem == "c"


def test_an_empty_shelf_has_no_line_and_nothing_to_select() -> None:
    made = shelf()
    made.step(1)
    made.select_line(0)
    assert (len(made), made.selected, made.window(0, 9)) == (0, None, [])
    with pytest.raises(IndexError):
        made.line(0)


# Families.


def test_children_are_found_by_the_id_of_their_parent() -> None:
    parent = row("p")
    late, early = row("2", parent="p", started=2), row("1", parent="p", started=1)
    made = shelf(late, parent, early, row("x", parent="p", format="codex"), row("y", parent="q"))
    assert made.children(parent) == [early, late]
    assert made.child_count(parent) == 2
    assert made.parent(early) == parent
    assert made.parent(parent) is None
    assert made.parent(row("y", parent="q")) is None
    made.remove([identity(early)])
    assert made.children(parent) == [late]


def test_a_session_that_names_itself_is_not_its_own_child() -> None:
    one = row("a", parent="a")
    made = shelf(one)
    assert (made.children(one), made.child_count(one), made.parent(one)) == ([], 0, None)


# Laws.

_ROWS = st.builds(
    lambda name, last, format_, project, title: row(
        name, last=last, format=format_, project=project, title=title
    ),
    st.sampled_from("abcdefgh"),
    st.sampled_from([None, 1, NOW, NOW - HOUR, NOW - 20 * HOUR, NOW - 24 * 40 * HOUR]),
    st.sampled_from(["dsh", "codex", None]),
    st.sampled_from([None, "/a", "/B", "/b"]),
    st.sampled_from(["one two", "two", ""]),
)
_DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(_ROWS, max_size=4)),
        st.tuples(st.just("remove"), st.lists(_ROWS, max_size=2)),
        st.tuples(st.just("search"), st.sampled_from(["", "two", "two on", "one"])),
        st.tuples(st.just("regroup"), st.sampled_from(list(Grouping))),
        st.tuples(st.just("look"), st.none()),
    ),
    max_size=14,
)


@settings(max_examples=50)
@given(_DEEDS)
def test_whatever_is_done_the_lines_are_those_of_all_rows_sorted_anew(deeds: list[tuple]) -> None:  # type: ignore[type-arg]
    made = Shelf(DAYS)
    rows: dict[object, Row] = {}
    for what, told in deeds:
        if what == "put":
            made.put(told)
            rows |= {identity(one): one for one in told}
        elif what == "remove":
            made.remove([identity(one) for one in told])
            for one in told:
                rows.pop(identity(one), None)
        elif what == "look":
            len(made)
        else:
            getattr(made, what)(told)
    wanted = [
        one
        for one in rows.values()
        if all(
            any(word in text.casefold() for text in (one.title, str(one.path), one.format or ""))
            or word in (one.project or "").casefold()
            for word in made.words.split()
        )
    ]
    wanted.sort(key=lambda one: order(one, made.grouping))
    assert made.rows() == wanted
    expected: list[object] = []
    said: tuple[str, ...] = ()
    for one in wanted:
        words = headings(one, made.grouping, DAYS)
        for level in range(len(words)):
            if words[: level + 1] != said[: level + 1]:
                under = [
                    each
                    for each in wanted
                    if headings(each, made.grouping, DAYS)[: level + 1] == words[: level + 1]
                ]
                expected.append(Heading(words[level], len(under), level))
        said = words
        expected.append(one)
    assert made.window(0, len(made)) == expected
    for one in wanted:
        at = made.line_of(identity(one))
        assert at is not None
        assert made.line(at) == one
    assert made.counts.sessions + made.counts.unreadable == len(rows)
    assert made.counts.projects == len({one.project for one in rows.values()} - {None})


def test_twenty_thousand_rows_one_at_a_time_take_no_square_of_it() -> None:
    rows = [row(f"{at}", last=NOW - at * 7_919 % 10**9) for at in range(20_000)]
    made = Shelf(DAYS)
    before = time.perf_counter()
    for one in rows:
        made.put([one])
    for one in rows[:5_000]:
        made.put([replace(one, title="again")])
    for one in rows[5_000:6_000]:
        made.remove([identity(one)])
    made.window(0, 40)
    # A pass over all rows for each of these would take minutes.
    assert time.perf_counter() - before < 5
    assert len(made.rows()) == 19_000
