"""The lines of the library, without a screen."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.export.fitting import width_of
from inspector.library.row import Row
from inspector.library.shelf import Heading
from inspector.ui.cells import Line
from inspector.ui.library.drawn import (
    Sought,
    Tally,
    column_names,
    columns,
    header,
    row_line,
    search_line,
)
from inspector.ui.library.nothing import Looked, nothing_lines
from inspector.ui.library.strip import Kin, height, strip_lines
from tests.hostile import INVISIBLE
from tests.ui.library.shelves import AT, HOME, ROWS

CONTROL = re.compile(f"[\x00-\x1f\x7f-\x9f{INVISIBLE}]")


def plain(line: Line) -> str:
    return "".join(cell.text for cell in line)


@settings(max_examples=50)
@given(
    row=st.sampled_from(ROWS),
    title=st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=80),
    children=st.integers(0, 10_000),
    width=st.integers(37, 220),
)
def test_a_row_takes_exactly_its_columns(row: Row, title: str, children: int, width: int) -> None:
    line = row_line(replace(row, title=title), children, width, AT)
    assert width_of(plain(line)) == width


@pytest.mark.parametrize(
    ("width", "names"),
    [
        (197, "title project agent size events last family verdict"),
        (117, "title project agent size events last family"),
        (97, "title project agent events last family"),
        (77, "title agent events last family"),
        (50, "title last"),
    ],
)
def test_fewer_columns_stand_where_there_is_less_room(width: int, names: str) -> None:
    assert [column.name for column in columns(width)] == names.split()
    title = columns(width)[0].width
    assert title >= 30
    assert width_of(plain(column_names(width))) <= width


def test_a_row_says_what_is_known_of_a_session() -> None:
    line = plain(row_line(ROWS[0], 1, 160, AT))
    for words in ("Fix the flaky login suite", "~/lantern", "claude", "9.1 MB", "~12.4k", "5 min"):
        assert words in line
    assert "1 child" in line


@pytest.mark.parametrize("width", [60, 77, 117, 197])
def test_an_unreadable_row_says_why_and_nothing_that_is_not_known(width: int) -> None:
    line = plain(row_line(ROWS[4], 0, width, AT))
    assert "rollout-torn.js" in line
    assert "unreadable: " in line
    assert "claude" not in line


@pytest.mark.parametrize("width", [60, 77, 117, 197])
def test_unreadable_folders_of_one_name_are_told_apart_by_their_paths(width: int) -> None:
    said = [
        plain(
            row_line(Row(str(HOME / path / "sessions"), problem="permission denied"), 0, width, AT)
        )
        for path in (".codex", ".dsh", "work/deep/down/below/another/one/.reina")
    ]
    for line, owner in zip(said, (".codex", ".dsh", ".reina"), strict=True):
        assert f"{owner}/sessions" in line
        assert "unreadable: perm" in line
    assert said[0].startswith("~/.codex/sessions")


def test_a_session_without_a_title_says_so_and_which_it_is() -> None:
    row = replace(ROWS[0], title="", id="7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31")
    first, second, *_ = row_line(row, 0, 117, AT)
    assert (first.text, first.tone) == ("(no title) ", "dim")
    assert (second.text, second.tone) == ("7c1d0a52-3b8e", "faint")


def test_the_headings_out_of_sight_stand_where_the_first_name_does() -> None:
    above = [Heading("claude", 12, 0), Heading("~/lantern", 1_204, 1)]
    for width in (197, 117, 77, 50):
        line = plain(column_names(width, above))
        assert line.startswith("claude › ~/lantern  1,204  ")
        assert line.index("last") == plain(column_names(width)).index("last")
    hostile = plain(column_names(77, [Heading("x" * 200, 3)]))
    assert "x…  3" in hostile


@pytest.mark.parametrize("width", [60, 77, 117, 197])
def test_a_refused_row_says_so_at_every_width(width: int) -> None:
    line = plain(row_line(ROWS[3], 0, width, AT))
    assert "Prepare" in line
    assert "refused: " in line


def test_the_end_of_a_path_is_what_is_shown_of_it() -> None:
    assert "…ery/deep/signpost  codex" in plain(row_line(ROWS[2], 0, 117, AT))


def test_the_header_says_how_much_there_is_and_where_is_looked() -> None:
    tally = Tally(1_204, 3, 2, "~/.codex/sessions")
    said = plain(header(tally, "by last activity", 120))
    assert said.strip().startswith(
        "LIBRARY  1,204 sessions · 3 agents · 2 unreadable · looking in ~/.codex/sessions …"
    )
    assert said.endswith("by last activity ")
    assert "looking" not in plain(header(tally._replace(looking=None), "", 120))


@pytest.mark.parametrize("width", range(40, 121, 5))
def test_what_is_most_needed_of_the_header_is_told_however_narrow_it_is(width: int) -> None:
    said = plain(header(Tally(1_204, 3, 2, "~/.codex/sessions"), "by last activity", width))
    assert "1,204 sessions" in said
    assert "2 unre" in said
    assert "…" in said
    assert width_of(said) <= width


def test_the_words_that_are_looked_for_stay_in_sight() -> None:
    tally = Tally(1_204, 3, 2)
    assert search_line(Sought(), tally, 80) is None
    typing = plain(search_line(Sought("login fix", True, 12), tally, 80) or ())
    assert typing.startswith(" /login fix")
    assert typing.rstrip().endswith("12 of 1,204 sessions")
    kept = plain(search_line(Sought("x" * 100 + "end", False, 0), tally, 40) or ())
    assert "xend" in kept
    assert width_of(kept) <= 40


def test_what_is_found_adds_up_with_what_the_header_counts() -> None:
    tally = Tally(1_204, 3, 2)
    both = plain(search_line(Sought("a", False, 12, 1), tally, 120) or ())
    assert both.rstrip().endswith("12 of 1,204 sessions · 1 of 2 unreadable")
    little = plain(search_line(Sought("a", False, 12, 1), tally, 60) or ())
    assert little.rstrip().endswith("13 found")


@pytest.mark.parametrize(("lines", "most"), [(50, 7), (40, 7), (30, 6), (24, 5), (16, 3), (10, 0)])
def test_the_strip_takes_what_the_terminal_can_spare(lines: int, most: int) -> None:
    assert height(lines) == most


def test_the_strip_tells_the_session_in_full() -> None:
    said = [plain(line) for line in strip_lines(ROWS[0], Kin(None, ROWS[1:2]), 118, 7, AT)]
    assert said[0] == " Fix the flaky login suite"
    assert said[1] == " ~/.claude/projects/-home-mara-lantern/7c1d.jsonl"
    assert said[2] == " claude · about 12,400 events · 9.1 MB · in ~/lantern · id 7c1d"
    assert said[3] == " 1 child: subagent Look for clocks that are not faked"
    assert said[4] == " 2026-11-30 15:00:00 – 2026-11-30 17:55:00 (5 min)"
    assert len(said) == 7


def test_the_strip_begins_with_the_exact_reason() -> None:
    refused, problem = ROWS[3], ROWS[4]
    said = [plain(line) for line in strip_lines(refused, Kin(), 118, 5, AT)]
    assert said[0] == " refused: format version 99 is newer than the supported 0 to 5"
    assert said[4] == " ↳ fork of gone-parent, which is not here"
    said = [plain(line) for line in strip_lines(problem, Kin(), 118, 5, AT)]
    assert said[0] == " unreadable: no format knows it: a file of 12 bytes without a line end"
    assert said[1] == " ~/.codex/sessions/2026/11/02/rollout-torn.jsonl"


def test_the_strip_names_the_parent_where_it_is_there() -> None:
    said = [plain(line) for line in strip_lines(ROWS[1], Kin(ROWS[0]), 118, 7, AT)]
    assert " ↳ subagent of Fix the flaky login suite" in said


def test_the_page_of_nothing_says_everywhere_where_was_looked() -> None:
    places = [
        Looked("codex", "~/.codex/sessions", None, "not there"),
        Looked("claude", "/data/claude/projects", "CLAUDE_CONFIG_DIR", "empty"),
    ]
    said = [plain(line) for line in nothing_lines(places, 78)]
    assert "No session was found." in said
    assert any("opens the demo" in line for line in said)
    assert any("inspector FOLDER" in line for line in said)
    assert "  codex   ~/.codex/sessions      not there" in said
    assert "  claude  /data/claude/projects  empty  named by CLAUDE_CONFIG_DIR" in said


HOSTILE = "a\x1b]52;c;aGk=\x07b\u202ec\u200bd\x9b31m\nforged  row\te[/red]"


def test_hostile_names_reach_no_line_as_they_are() -> None:
    row = Row(
        f"/made/{HOSTILE.replace('/', '')}",
        session=HOSTILE,
        format="dsh",
        id=HOSTILE,
        parent=HOSTILE,
        relation=HOSTILE,
        project=f"/{HOSTILE}",
        reason=HOSTILE,
        opens=False,
    )
    bare = replace(row, id=None, problem=HOSTILE)
    for one in (row, bare):
        lines = [
            row_line(one, 3, 160, AT),
            row_line(one, 3, 78, AT),
            *strip_lines(one, Kin(None, [one]), 160, 7, AT),
            *nothing_lines([Looked(HOSTILE, "x", HOSTILE, "empty")], 80),
        ]
        for line in lines:
            assert not CONTROL.search(plain(line))
