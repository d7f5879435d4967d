"""What a session is called where it has no title."""

import pytest

from inspector.library.naming import name, short_id
from inspector.library.row import Row
from inspector.library.telling import title_of

ROW = Row("/s/7c1d.jsonl", format="dsh", id="7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31")


def test_a_session_is_called_by_its_title_else_by_its_id_else_as_its_file_is() -> None:
    row = Row("/s/a\x1b.jsonl", format="dsh", title="Fix the login", id="x")
    assert name(row) == "Fix the login"
    assert name(ROW) == "(no title) 7c1d0a52-3b8e"
    assert name(Row(row.place, format="dsh")) == "(no title) a␛.jsonl"


def test_an_id_is_shortened_and_clean() -> None:
    assert short_id(ROW) == "7c1d0a52-3b8e"
    assert short_id(Row(ROW.place, id="short")) == "short"
    assert short_id(Row(ROW.place, id="\x1b[5mid")) == "␛[5mid"


def test_what_cannot_be_read_is_called_by_the_end_of_its_path() -> None:
    problem = "permission denied"
    assert name(Row("/home/mara/.codex/sessions", problem=problem)) == ".codex/sessions"
    assert name(Row("/x", problem=problem)) == "/x"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (None, ""),
        ("", ""),
        ("   \n\t ", ""),
        (" one\r\ntwo\x85three\u2028four\x0bfive ", "one two three four five"),
        (f"{' ' * 5_000}late", "late"),
        ("\x1b[31mred", "␛[31mred"),
        ("x" * 5_000, "x" * 200),
    ],
)
def test_a_title_is_a_line_of_words_however_it_was_written(title: str | None, shown: str) -> None:
    assert title_of(title) == shown
