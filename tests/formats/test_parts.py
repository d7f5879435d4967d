"""What a person saw of an event: arguments that are read, and bytes that are named."""

import time
from typing import Any

import pytest

from inspector.formats.parts import (
    File,
    Said,
    Thought,
    arguments_of,
    file_of,
    joined,
    without_bytes,
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"path":"a"}', {"path": "a"}),
        ("[1]", [1]),
        ('{"path":', '{"path":'),
        ("ls", "ls"),
        ("", ""),
        ({"path": "a"}, {"path": "a"}),
        (None, None),
    ],
)
def test_arguments_are_read_where_they_are_whole(written: Any, read: Any) -> None:
    assert arguments_of(written) == read


def test_arguments_of_any_depth_and_length_are_no_trouble() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    assert arguments_of(deep) == deep
    assert arguments_of("{" * 500_000) == "{" * 500_000


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (file_of("QUJD", "image/png", "a.png"), File("a.png", "image/png", 3)),
        (file_of("QUI=", "image/png"), File("", "image/png", 2)),
        (file_of("data:image/gif;base64,QUJD"), File("", "image/gif", 3)),
        (
            file_of("https://a.example/b.png", "image"),
            File("https://a.example/b.png", "image", None),
        ),
        (file_of(""), File("", "", 0)),
    ],
)
def test_a_file_is_told_by_its_bytes_or_its_address(file: File, told: File) -> None:
    assert file == told


def test_bytes_in_a_text_are_named_and_short_ones_stay() -> None:
    run = "QUJD" * 600
    assert without_bytes(f"a {run} b") == "a [1,800 bytes] b"
    assert without_bytes(f"a data:image/png;base64,{run}") == "a [image/png, 1,800 bytes]"
    assert without_bytes("QUJD " * 600) == "QUJD " * 600


@pytest.mark.parametrize("before", [0, 1, 2_047, 2_048, 2_049, 4_096])
@pytest.mark.parametrize(("length", "named"), [(2_047, False), (2_048, True), (4_097, True)])
def test_a_run_is_found_wherever_it_stands(before: int, length: int, named: bool) -> None:
    found = without_bytes(f"{'-' * before}{'A' * length} b")
    assert ("bytes]" in found) is named
    assert found.startswith("-" * before)


def test_a_text_of_runs_that_are_just_too_short_takes_no_longer_than_it_is() -> None:
    text = ("x" * 2_047 + "-") * 500
    started = time.perf_counter()
    assert without_bytes(text) == text
    assert time.perf_counter() - started < 1


def test_texts_of_one_kind_are_joined() -> None:
    parts = [Said("a"), Thought("b"), Said(""), Said("c")]
    assert joined(parts) == "a\nc"
    assert joined(parts, Thought) == "b"
