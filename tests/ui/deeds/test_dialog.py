"""Carrying a plan out and taking it back, by real keys."""

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.ui.app import InspectorApp
from inspector.ui.deeds.screen import DeedScreen
from inspector.ui.plans.screen import PlanScreen
from tests.guarding import changing
from tests.ui.driving import SAMPLES, running, shows, text
from tests.ui.plans.dialogs import press


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with a whole log and one that was broken off."""
    folder = tmp_path / "store"
    folder.mkdir()
    for name in ("ten-events", "open-turn"):
        shutil.copy(SAMPLES / f"{name}.jsonl", folder)
    return folder


async def written(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Press Enter, and wait until it is written or refused."""
    await pilot.press("enter")
    await app.workers.wait_for_complete()
    await pilot.pause()


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_enter_cancels_until_the_letter_is_typed(store: Path, tmp_path: Path) -> None:
    async with running(store / "ten-events.jsonl", data=tmp_path / "data") as (app, pilot):
        await press(app, pilot, "F", "A")
        assert isinstance(app.screen, DeedScreen)
        assert shows(app, "APPLY fork plan")
        assert shows(app, "[ Cancel ]   type A, then Enter, to apply")
        await pilot.press("enter")
        assert isinstance(app.screen, PlanScreen)
        await press(app, pilot, "A", "A", "escape")
        assert shows(app, "type A, then Enter, to apply")
        await pilot.press("escape")
        assert isinstance(app.screen, PlanScreen)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_fork_is_made_and_taken_back(
    store: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    before = names(store)
    tape = store / "ten-events.jsonl"
    async with running(tape, size=size, data=tmp_path / "data") as (app, pilot):
        await press(app, pilot, "F", "A", "A")
        with changing():
            await written(app, pilot)
        assert shows(app, "read again: it is what the plan foretold")
        [made] = names(store) - before
        assert made.endswith("session.jsonl")
        await pilot.press("enter")
        assert not isinstance(app.screen, DeedScreen | PlanScreen)
        await pilot.press("Z")
        assert shows(app, "UNDO fork")
        assert shows(app, "would take away")
        await pilot.press("Z")
        with changing():
            await written(app, pilot)
        assert shows(app, "took away")
        assert names(store) == before
        await pilot.press("enter", "Z")
        assert shows(app, "nothing was made of this tape that stands")


async def test_an_append_wants_to_hear_that_the_agent_is_stopped(
    store: Path, tmp_path: Path
) -> None:
    tape = store / "open-turn.jsonl"
    old = tape.read_bytes()
    async with running(tape, data=tmp_path / "data") as (app, pilot):
        await press(app, pilot, "p", "j", "j", "j", "enter", "A", "A")
        assert shows(app, "[ ] w  dsh is stopped")
        assert shows(app, "w says that dsh is stopped")
        await pilot.press("w", "A")
        with changing():
            await written(app, pilot)
        assert shows(app, "appended 780 bytes")
        await pilot.press("enter")
        assert tape.read_bytes().startswith(old)
        await pilot.press("Z")
        assert shows(app, "makes a new tape that ends at 11, where the tape ended")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "the new one is made beside it")
        await pilot.press("Z")
        with changing():
            await written(app, pilot)
        assert shows(app, "created ")
        await pilot.press("enter", "Z")
        assert shows(app, "would take away")


async def test_a_tape_that_grows_meanwhile_is_told_and_nothing_is_written(
    store: Path, tmp_path: Path
) -> None:
    tape = store / "ten-events.jsonl"
    async with running(tape, data=tmp_path / "data") as (app, pilot):
        await press(app, pilot, "F", "A", "A")
        with changing(), tape.open("ab") as log:
            log.write(tape.read_bytes().splitlines(keepends=True)[-1])
        before = names(store)
        await written(app, pilot)
        assert shows(app, "the tape is another by now")
        assert shows(app, "nothing was changed")
        await pilot.press("enter")
        assert isinstance(app.screen, PlanScreen)
        assert names(store) == before


async def test_a_plan_that_fails_a_check_is_not_asked_for(store: Path, tmp_path: Path) -> None:
    async with running(store / "ten-events.jsonl", "4", data=tmp_path / "data") as (app, pilot):
        await press(app, pilot, "F", "A")
        assert isinstance(app.screen, PlanScreen)
        assert shows(app, "not to be applied: a turn is open there")


async def test_without_a_home_nothing_is_written(store: Path) -> None:
    async with running(store / "ten-events.jsonl") as (app, pilot):
        await press(app, pilot, "F", "A")
        assert shows(app, "there is no home in which the journal could be kept")
        await press(app, pilot, "escape", "Z")
        assert shows(app, "there is no home in which the journal could be kept")
        assert all(len(line) <= 120 for line in text(app))
