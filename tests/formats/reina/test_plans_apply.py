"""Carried out by the command line: what is written is what was planned, and it goes again."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from tests.applying.faults import tree
from tests.commands import SAMPLES, run, write

NAME: Final = "ses_motrojk0_h4vz.jsonl"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / ".reina" / "sessions"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLES / "reina" / NAME, folder / NAME)
    monkeypatch.chdir(folder)
    return folder


def texts(name: str | Path) -> list[str]:
    found: dict[str, Any] = json.loads(run("show", name, "--json").out)
    return [row["preview"] for row in found["surface"]]


def test_a_fork_is_written_and_reads_as_foretold(here: Path) -> None:
    assert run("plan", "fork", NAME, "--after", "25", "--save", "one.plan").code == 0
    (here / "one.plan").replace(here.parent / "one.plan")
    before = tree(here)
    seen = json.loads(run("show", NAME, "--at", "25", "--json").out)["surface"]
    done = write("apply", here.parent / "one.plan", "--yes")
    assert (done.code, done.err) == (0, "")
    (new,) = set(tree(here)) - set(before)
    assert texts(new) == [row["preview"] for row in seen]
    assert write("undo", here.parent / "one.plan", "--yes").code == 0
    assert tree(here) == before


def test_a_compaction_is_one_write_behind_the_log(here: Path) -> None:
    old, rows = (here / NAME).read_bytes(), texts(NAME)
    assert run("plan", "compact", NAME, "--degraded", "--save", "two.plan").code == 0
    refused = write("apply", "two.plan", "--yes")
    assert refused.code != 0
    assert (here / NAME).read_bytes() == old
    done = write("apply", "two.plan", "--yes", "--writer-stopped")
    assert (done.code, done.err) == (0, "")
    new = (here / NAME).read_bytes()
    assert new.startswith(old)
    assert new[len(old) :].count(b"\n") == 1
    assert texts(NAME)[1:] == rows[5:]


def test_a_compaction_is_taken_back_by_a_log_without_it(here: Path) -> None:
    rows = texts(NAME)
    assert run("plan", "compact", NAME, "--degraded", "--save", "three.plan").code == 0
    assert write("apply", "three.plan", "--yes", "--writer-stopped").code == 0
    assert texts(NAME) != rows
    before = set(tree(here))
    done = write("undo", "three.plan", "--yes")
    assert (done.code, done.err) == (0, "")
    (new,) = set(tree(here)) - before
    assert texts(new) == rows
