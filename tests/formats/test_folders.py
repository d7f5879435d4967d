"""A folder is the session that it is of, or the tapes that lie in it."""

import json
from pathlib import Path

import pytest

from tests import notebooks
from tests.commands import SAMPLES, run
from tests.notebooks import say


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two notebooks, and what is none."""
    notebooks.installed(monkeypatch)
    notebooks.write(tmp_path / "monday-1234.notebook", say("on monday"))
    notebooks.write(tmp_path / "friday-5678.notebook", say("on friday"))
    notebooks.write(tmp_path / ".hidden.notebook", say("not for anybody"))
    (tmp_path / "notes.txt").write_text("nothing\n")
    (tmp_path / "deeper").mkdir()
    return tmp_path


def test_the_tapes_in_a_folder_are_listed_by_name(folder: Path) -> None:
    code, out, err = run("show", folder)
    assert (code, out) == (2, "friday-5678.notebook\nmonday-1234.notebook\n")
    assert "holds 2 sessions; choose one with --session" in err


@pytest.mark.parametrize("session", ["monday-1234.notebook", "monday-1234", "1234"])
def test_one_is_chosen_by_its_name_or_an_id_in_it(folder: Path, session: str) -> None:
    code, out, _ = run("show", folder, "--session", session, "--json")
    assert code == 0
    assert [row["preview"] for row in json.loads(out)["surface"]] == ["on monday"]


@pytest.mark.parametrize("session", ["sunday", "", "day"])
def test_what_means_none_or_several_is_refused_with_the_list(folder: Path, session: str) -> None:
    code, _, err = run("show", folder, "--session", session)
    assert code == 2
    assert "it holds friday-5678.notebook, monday-1234.notebook" in err


def test_the_only_tape_of_a_folder_is_opened(folder: Path) -> None:
    (folder / "monday-1234.notebook").unlink()
    assert "on friday" in run("show", folder)[1]


def test_a_folder_without_any_says_so(folder: Path) -> None:
    code, _, err = run("show", folder / "deeper")
    assert (code, "is a directory without a session file (0 names in it)" in err) == (3, True)


def test_where_agents_keep_sessions_of_a_project_is_said_of_its_folder(tmp_path: Path) -> None:
    for below in (".reina/sessions", ".sessions"):
        lying = tmp_path / below
        lying.mkdir(parents=True)
        (lying / "a.jsonl").write_bytes((SAMPLES / "ten-events.jsonl").read_bytes())
        (lying / "notes.txt").write_bytes(b"")
    (tmp_path / ".other").mkdir()
    code, _, err = run("show", tmp_path)
    assert code == 3
    assert "is a directory without a session file (3 names in it); " in err
    assert ".reina/sessions in it holds a.jsonl" in err
    assert "; .sessions in it holds a.jsonl" in err
    listed = json.loads(run("ls", tmp_path, "--json").out)
    assert sorted(row["path"] for row in listed) == [
        str(tmp_path / ".reina" / "sessions" / "a.jsonl"),
        str(tmp_path / ".sessions" / "a.jsonl"),
    ]


def test_every_tape_of_a_folder_is_checked(folder: Path) -> None:
    code, out, _ = run("check", folder, "--json")
    assert (code, len(json.loads(out))) == (0, 2)
