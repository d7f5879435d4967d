"""``apply`` and ``undo``: written is what was planned, after a yes, and it goes again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.applying.faults import tree
from tests.commands import SAMPLES, Done, run, write
from tests.terminal import CONTROL


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a whole log and one that was broken off, and a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(SAMPLES / "ten-events.jsonl", folder / "whole.jsonl")
    shutil.copy(SAMPLES / "open-turn.jsonl", folder / "open.jsonl")
    monkeypatch.chdir(folder)
    return folder


def keep(kind: str, name: str, *words: str) -> str:
    done = run("plan", kind, name, *words, "--save", f"{kind}.plan")
    assert done.code == 0, done.err
    return f"{kind}.plan"


def document(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)
    return found


def made(here: Path) -> list[Path]:
    return [path for path in here.rglob("session*.jsonl") if path.is_file()]


def test_without_a_yes_it_says_what_it_would_do(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here.parent)
    done = write("apply", plan)
    assert done.code == 0
    assert "would create" in done.out
    assert done.out.splitlines()[-1] == "nothing was written: say --yes to do it"
    assert document(write("apply", plan, "--json"))["applied"] is False
    assert tree(here.parent) == before


def test_a_fork_is_made_and_taken_back(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here)
    done = write("apply", plan, "--yes")
    assert (done.code, done.err) == (0, "")
    [session] = made(here)
    assert f"created {session}" in done.out
    assert "read again: it is what the plan foretold" in done.out
    assert run("check", str(session)).code == 0
    shown = write("undo", plan)
    assert f"would take away {session}" in shown.out
    assert session.exists()
    undone = write("undo", plan, "--yes")
    assert undone.code == 0
    assert "it stands in" in undone.out
    assert tree(here) == before


def test_a_fork_is_made_where_it_is_asked_for(here: Path) -> None:
    (here / "elsewhere").mkdir()
    plan = keep("fork", "whole.jsonl")
    assert write("apply", plan, "--into", "elsewhere", "--yes").code == 0
    [session] = made(here)
    assert session.is_relative_to(here / "elsewhere")


def test_it_is_made_once(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    assert write("apply", plan, "--yes").code == 0
    again = write("apply", plan, "--yes")
    assert again.code == 4
    assert "exists already" in again.err


def test_a_stale_plan_is_refused_with_the_new_one(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    lines = (here / "whole.jsonl").read_bytes().splitlines(keepends=True)
    with (here / "whole.jsonl").open("ab") as log:
        log.write(lines[-1])
    before = tree(here)
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "is out of date: the head was 10 and is" in done.err
    assert "this is the plan of the tape as it is now" in done.err
    assert "bound to head 1" in done.out
    assert tree(here) == before


def test_what_is_appended_wants_its_writer_stopped(here: Path) -> None:
    plan = keep("repair", "open.jsonl")
    old = (here / "open.jsonl").read_bytes()
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "--writer-stopped" in done.err
    assert (here / "open.jsonl").read_bytes() == old
    assert write("apply", plan, "--yes", "--writer-stopped").code == 0
    new = (here / "open.jsonl").read_bytes()
    assert new.startswith(old)
    assert new != old
    assert document(run("plan", "repair", "open.jsonl", "--json"))["closers"] == []


def test_a_plan_that_was_never_carried_out_is_not_undone(here: Path) -> None:
    done = write("undo", keep("fork", "whole.jsonl"), "--yes")
    assert done.code == 4
    assert "the journal knows of no such deed" in done.err


def test_a_tape_that_is_gone(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    (here / "whole.jsonl").unlink()
    done = write("apply", plan, "--yes")
    assert done.code == 3
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"version":1}'])
def test_what_is_no_plan_is_said(here: Path, content: bytes) -> None:
    (here / "odd.plan").write_bytes(content)
    for command in ("apply", "undo"):
        done = write(command, "odd.plan", "--yes")
        assert done.code == 2
        assert done.err.count("\n") == 1


def test_a_home_that_is_missing_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = keep("fork", "whole.jsonl")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("HOME")
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "HOME" in done.err
    assert made(here) == []


def test_hostile_names_reach_no_terminal(here: Path) -> None:
    name = "a\x1b[31m\n.jsonl"
    (here / "whole.jsonl").rename(here / name)
    plan = keep("fork", name)
    for done in (
        write("apply", plan),
        write("apply", plan, "--yes"),
        write("apply", plan, "--yes"),
    ):
        assert not CONTROL.search(done.out.replace("\n", "") + done.err.replace("\n", ""))
