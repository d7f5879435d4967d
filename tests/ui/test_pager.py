"""All of a text in the person's pager: what it is given, and that nothing of it stays."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.inspection import Inspection
from inspector.lenses.transcript import Transcript
from inspector.ui import pager as module
from inspector.ui.pager import NONE, full_text, pager
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import running, sample, shows


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are made."""
    found = tmp_path / "temporary"
    found.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(found))
    return found


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pager that keeps what it was shown, and how the folder of that was kept."""
    kept = tmp_path / "kept"
    program = tmp_path / "pager"
    program.write_text(f'#!/bin/sh\ncat "$1" > {kept}\nstat -c %a "$(dirname "$1")" >> {kept}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PAGER", f"{program}")
    return kept


@contextmanager
def nothing() -> Iterator[None]:
    yield


def suspends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.App.suspend", lambda _app: nothing())


async def test_o_shows_the_selected_event_and_leaves_nothing(
    folder: Path, reader: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suspends(monkeypatch)
    async with running("demo", "seq:346") as (_, pilot):
        await pilot.press("o")
    shown = reader.read_text("utf-8")
    assert shown.startswith("@346  summary\n")
    assert "Take it as known" in shown
    assert shown.endswith("700\n")
    assert list(folder.iterdir()) == []


async def test_of_an_entry_in_hand_it_shows_the_whole_card(
    folder: Path, reader: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suspends(monkeypatch)
    async with running("demo", "seq:346") as (_, pilot):
        await pilot.press("V", "tab", "k", "k", "k", "k", "o")
    shown = reader.read_text("utf-8")
    assert "[edit] tests/conftest.py · ok" in shown
    assert "Edited tests/conftest.py." in shown
    assert list(folder.iterdir()) == []


async def test_without_a_pager_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "no-such-program-of-anybody")
    async with running("demo") as (app, pilot):
        await pilot.press("o")
        assert shows(app, NONE)


async def test_a_terminal_that_cannot_be_given_away_says_so(folder: Path, reader: Path) -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("o")
        assert shows(app, "this terminal cannot be given to a pager")
    assert not reader.exists()
    assert list(folder.iterdir()) == []


async def test_before_the_first_event_there_is_nothing_to_show() -> None:
    async with running("demo", "0") as (app, pilot):
        await pilot.press("o")
        assert shows(app, "no event is selected")


async def test_a_pager_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suspends(monkeypatch)
    program = tmp_path / "failing"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PAGER", str(program))
    async with running("demo") as (app, pilot):
        await pilot.press("o")
        assert shows(app, "ended with 3")


def test_the_pager_is_the_persons_else_one_that_there_is(tmp_path: Path) -> None:
    for name in ("less", "mine"):
        program = tmp_path / name
        program.write_text("")
        program.chmod(stat.S_IRWXU)
    path = str(tmp_path)
    assert pager({"PATH": path, "PAGER": "mine -R 'a b'"}) == ["mine", "-R", "a b"]
    assert pager({"PATH": path}) == [str(tmp_path / "less")]
    assert pager({"PATH": path, "PAGER": "'broken"}) is None
    assert pager({"PATH": str(tmp_path / "empty")}) is None


def test_what_is_shown_is_cleaned_and_whole(tmp_path: Path) -> None:
    tape = sample(write_tape(tmp_path))
    while tape.advance():
        pass
    inspection = Inspection(tape)
    head = inspection.head
    for event in range(head):
        text = "".join(full_text(inspection, event, None))
        assert not CONTROL.search(text.replace("\n", ""))
        text.encode("utf-8")
    for entry in Transcript(tape).entries(head):
        text = "".join(full_text(inspection, entry.event, entry))
        assert not CONTROL.search(text.replace("\n", ""))
    tape.close()


def test_nothing_of_it_is_run_by_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.pager({"PAGER": "cat; touch x", "PATH": os.environ["PATH"]}) is None
