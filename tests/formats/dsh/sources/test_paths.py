import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.sources.paths import (
    is_project_folder,
    path_problems,
    project_slug,
    session_segment,
)

ROOT = Path("/home/.dsh/sessions")


@pytest.mark.parametrize(
    ("cwd", "slug"),
    [
        ("/work/demo", "--work-demo--"),
        ("/home/x/my proj", "--home-x-my~0020proj--"),
        ("C:\\Users\\x", "--C-Users-x--"),
        ("a//b:\\\\c", "--a-b-c--"),
        ("/a/", "--a---"),
        ("/", "--root--"),
        ("", "--root--"),
        ("/-x", "--x--"),
        ("/a~b", "--a~007Eb--"),
        ("/用户", "--~7528~6237--"),
        ("/é", "--~00E9--"),
        ("/\U0001f511", "--~D83D~DD11--"),
        ("/\ud83d", "--~D83D--"),
        ("/a\x00b", "--a~0000b--"),
        ("/A.b_c-9", "--A.b_c-9--"),
    ],
)
def test_the_slug_of_a_directory(cwd: str, slug: str) -> None:
    assert project_slug(cwd) == slug


def test_a_long_slug_is_cut() -> None:
    assert project_slug("/" + "x" * 400) == "--" + "x" * 251 + "--"
    assert project_slug("/" + "x" * 249 + "é") == "--" + "x" * 249 + "~0--"


@pytest.mark.parametrize(
    ("identity", "segment"),
    [
        ("018f2a64-9d3f-7cde-8123-9a4f2b6c0f01", "018f2a64-9d3f-7cde-8123-9a4f2b6c0f01"),
        ("a/b", "a~002Fb"),
        (".", "~002E"),
        ("..", "~002E~002E"),
        ("...", "..."),
        ("a//b", "a~002F~002Fb"),
        ("~", "~007E"),
        ("\U0001f511", "~D83D~DD11"),
        ("\udd11", "~DD11"),
    ],
)
def test_the_folder_of_an_id(identity: str, segment: str) -> None:
    assert session_segment(identity) == segment


def test_the_empty_id_has_no_folder() -> None:
    with pytest.raises(ValueError, match="the empty id has no folder"):
        session_segment("")


TEXT = st.text(st.characters(exclude_categories=[]), min_size=1, max_size=8)


@settings(max_examples=50, deadline=None)
@given(TEXT)
def test_an_id_can_be_told_from_its_folder(identity: str) -> None:
    segment = session_segment(identity)
    units = re.sub(r"~([0-9A-F]{4})", lambda unit: chr(int(unit[1], 16)), segment)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", segment)
    assert units.encode("utf-16", "surrogatepass") == identity.encode("utf-16", "surrogatepass")


@settings(max_examples=50, deadline=None)
@given(TEXT)
def test_a_slug_is_a_project_folder(cwd: str) -> None:
    assert is_project_folder(project_slug(cwd))


@pytest.mark.parametrize("name", ["", "work", "----", "--a b--", "--a/b--", "no-cwd"])
def test_another_folder_is_no_project_folder(name: str) -> None:
    assert not is_project_folder(name)


@pytest.mark.parametrize(
    ("path", "identity", "cwd"),
    [
        (ROOT / "--work-demo--" / "s1" / "session.jsonl.zstd", "s1", "/work/demo"),
        (ROOT / "--work-demo--" / "a~002Fb" / "session.v4.jsonl", "a/b", "/work/demo"),
        (ROOT / "_no-cwd" / "s1" / "session.jsonl", "s1", None),
        (ROOT / "--work-demo--" / "--x--" / "session.jsonl", "--x--", "/work/demo"),
        (ROOT / "--work-demo--" / "s2" / "session.jsonl", None, None),
        (ROOT / "--work-demo--" / "s2" / "session.jsonl", "", "/work/demo"),
        (ROOT / "--work-demo--" / "s2" / "copy.jsonl", "s1", "/x"),
        (ROOT / "--work-demo--" / "2026_s1.jsonl", "s1", "/x"),
        (Path("/tmp/s2/session.jsonl"), "s1", "/x"),  # noqa: S108 - only a name
        (Path("session.jsonl"), "s1", "/x"),
        (Path(), "s1", "/x"),
    ],
)
def test_a_log_in_its_place_or_in_no_tree_has_no_problem(
    path: Path, identity: str | None, cwd: str | None
) -> None:
    assert path_problems(path, identity, cwd) == []


@pytest.mark.parametrize(
    ("place", "identity", "cwd", "problems"),
    [
        (
            "--work-demo--/s2/session.jsonl",
            "s1",
            "/work/demo",
            ["the session folder is s2, but the header says id s1, which belongs in s1"],
        ),
        (
            "--v--/s1/session.jsonl",
            "s1",
            "/w",
            ["the project folder is --v--, but the header says cwd /w, which belongs in --w--"],
        ),
        (
            "_no-cwd/s1/session.jsonl",
            "s1",
            "/w",
            ["the project folder is _no-cwd, but the header says cwd /w, which belongs in --w--"],
        ),
        (
            "--w--/s1/session.jsonl",
            "s1",
            None,
            ["the project folder is --w--, but the header says no cwd, which belongs in _no-cwd"],
        ),
        (
            "--work-demo--/s1.jsonl.zstd",
            "s1",
            "/work/demo",
            ["stands in the old flat layout, which the owner refuses: a session has a folder"],
        ),
    ],
)
def test_a_log_in_a_wrong_place_is_told(
    place: str, identity: str, cwd: str | None, problems: list[str]
) -> None:
    assert path_problems(ROOT / place, identity, cwd) == problems


def test_both_folders_can_be_wrong_and_hostile_names_are_clean() -> None:
    path = ROOT / "--w--" / "s\x1b[2J" / "session.jsonl"
    problems = path_problems(path, "evil\n\u202e" * 100, "/\x07" * 1000)
    assert len(problems) == 2
    assert all(problem.isprintable() and len(problem) < 1500 for problem in problems)
