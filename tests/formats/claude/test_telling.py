"""Records in words."""

from pathlib import Path

import pytest

from tests.formats.claude.transcripts import (
    Record,
    answer,
    boundary,
    call,
    folded,
    notice,
    result,
    text,
    user,
)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (user("u1", None, "what is this?"), "what is this?"),
        (answer("a1", None, text("an answer")), "an answer"),
        (answer("a1", None, call("c1", "Bash", command="ls -l")), "ls -l"),
        (result("r1", None, "c1"), "done"),
        (boundary("b1"), "auto"),
        (notice("n1", None, "informational", content="so it is"), "so it is"),
    ],
)
def test_a_headline_says_what_a_record_says(record: Record, said: str, tmp_path: Path) -> None:
    tape = folded(tmp_path, [record])
    assert said in tape.headline(0).text
    assert "\n" not in tape.headline(0).text


def test_an_error_is_told_as_one(tmp_path: Path) -> None:
    records = [answer("a1", None, call("c1")), result("r1", "a1", "c1", error="no such file")]
    tape = folded(tmp_path, records)
    assert tape.headline(1).error
    assert "no such file" in tape.headline(1).text


def test_every_block_of_a_message_is_a_section(tmp_path: Path) -> None:
    tape = folded(tmp_path, [answer("a1", None, text("first"), call("c1", "Bash", command="ls"))])
    told = [section.text for section in tape.sections(0)]
    assert any("first" in one for one in told)
    assert any("ls" in one for one in told)
