from dataclasses import replace
from pathlib import Path

import pytest

from inspector.library.row import Row
from inspector.ui.library.words import (
    ago,
    dated,
    event_count,
    kin_words,
    path_words,
    verdict_word,
)
from tests.ui.library.shelves import AT, ROWS, time


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("2026-11-30T17:59:30", "just now"),
        ("2026-11-30T17:55", "5 min"),
        ("2026-11-30T17:00:01", "59 min"),
        ("2026-11-30T17:00", "17:00"),
        ("2026-11-30T00:00", "00:00"),
        ("2026-11-29T14:05", "yesterday 14:05"),
        ("2026-11-28T09:00", "Sat 09:00"),
        ("2026-11-24T09:00", "Tue 09:00"),
        ("2026-11-23T09:00", "23 Nov"),
        ("2025-11-30T09:00", "30 Nov 2025"),
        ("2026-12-01T09:00", "1 Dec 2026"),
    ],
)
def test_when_something_was_is_told_from_where_one_stands(then: str, words: str) -> None:
    assert ago(time(then), AT) == words


@pytest.mark.parametrize("then", [None, 10**18, -(10**18)])
def test_a_time_that_is_none_is_not_told(then: int | None) -> None:
    assert (ago(then, AT), dated(then, AT.zone)) == ("", "")


@pytest.mark.parametrize(
    ("events", "estimated", "words"),
    [
        (None, False, ""),
        (0, False, "0"),
        (1_204, False, "1,204"),
        (2_345_678, False, "2.3M"),
        (120, True, "~120"),
        (1_204, True, "~1.2k"),
    ],
)
def test_an_estimate_of_events_says_that_it_is_one(
    events: int | None, estimated: bool, words: str
) -> None:
    assert event_count(events, estimated) == words


@pytest.mark.parametrize(
    ("relation", "children", "width", "words"),
    [
        (None, 0, 15, ""),
        (None, 1, 15, "1 child"),
        (None, 12, 15, "12 children"),
        (None, 12, 11, "12 children"),
        (None, 1_204, 11, "1,204 below"),
        ("fork", 0, 15, "↳ fork"),
        ("fork", 3, 15, "↳ fork +3"),
        ("subagent", 0, 11, "↳ subagent"),
        ("subagent", 3, 11, "subagent +3"),
        ("subagent", 1_204, 11, "subagent +1,204"),
        ("side", 0, 15, "↳ side session"),
        ("side", 3, 11, "↳ side +3"),
    ],
)
def test_the_family_is_told_as_far_as_there_is_room(
    relation: str | None, children: int, width: int, words: str
) -> None:
    row = Row("a.jsonl", parent=relation and "p", relation=relation)
    assert kin_words(row, children, width) == words


def test_the_verdict_is_in_words_and_nothing_is_said_where_nobody_knows() -> None:
    row = ROWS[0]
    assert verdict_word(row) == ("", "faint")
    assert verdict_word(replace(row, opens=True))[0] == "opens"
    assert verdict_word(replace(row, opens=True, reason="in part: to 3"))[0] == (
        "opens, in part: to 3"
    )
    assert verdict_word(replace(row, opens=False, reason="too new"))[0] == "refused: too new"
    assert verdict_word(replace(row, problem="empty"))[0] == "unreadable: empty"


def test_the_home_stands_as_a_tilde_and_nothing_else_does() -> None:
    assert path_words(Path("/home/mara/a"), AT) == "~/a"
    assert path_words(Path("/home/mara"), AT) == "~"
    assert path_words(Path("/home/maras/a"), AT) == "/home/maras/a"
    assert path_words(Path("/home/mara/a\x1b]0;x\x07\n"), AT) == "~/a␛]0;x␇⏎"
