"""Words that a shell takes back as they were."""

import os
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.text import shell
from inspector.text.gate import clean_line


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain/a.jsonl", "plain/a.jsonl"),
        ("", "''"),
        ("it's $HOME", "'it'\"'\"'s $HOME'"),
        ("修复", "'修复'"),
        ("\x1b[31m", "$'\\033[31m'"),
        ("a\n1'\\", "$'a\\0121\\'\\\\'"),
        (os.fsdecode(b"\xff1"), "$'\\3771'"),
        ("\u202ea", "$'\\342\\200\\256a'"),
        ("\ud800", "$'\\077'"),
    ],
)
def test_a_word_is_quoted_as_far_as_it_must_be(text: str, written: str) -> None:
    assert shell.word(text) == written


@settings(max_examples=25)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
def test_a_line_of_words_shows_no_control_and_a_shell_reads_the_same_words(
    texts: list[str],
) -> None:
    line = shell.words(["printf", "%s\\0", "-", *texts])
    assert clean_line(line) == line
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[1:-1] == texts


def test_bytes_of_a_name_that_is_no_text_come_back() -> None:
    name = b"n\xff\xfe\x1b'1.jsonl"
    line = shell.words(["printf", "%s", os.fsdecode(name)])
    assert subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout == name
