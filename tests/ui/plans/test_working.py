"""What takes long or goes wrong while a plan is made."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from inspector.tape.source import SourceError
from inspector.tape.stopping import Stopped, heed
from inspector.ui.plans import drawn
from inspector.ui.plans.made import Made, Refused, make
from inspector.ui.plans.state import PlanState
from tests.ui.driving import running, shows, text
from tests.ui.plans.dialogs import made, plan_screen, press


class Held:
    """Makes plans when it is let, and counts them."""

    def __init__(self) -> None:
        self.free = Event()
        self.asked: list[int | None] = []

    def __call__(self, *words: Any) -> Made | Refused:
        self.asked.append(words[1].asked.cut)
        assert self.free.wait(20)
        return make(*words)


async def test_the_cut_line_does_not_wait_and_the_last_cut_asked_for_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held()
    monkeypatch.setattr(drawn, "make", held)
    async with running("demo", "200") as (app, pilot):
        await pilot.press("F")
        await pilot.pause()
        assert shows(app, "reading the tape")
        assert shows(app, "cut at 200, behind @199; no: a turn is open there")
        assert shows(app, "✗ open-turn: a turn is open there [OPEN_TURN]")
        await pilot.press("h", "h", "greater_than_sign")
        await pilot.pause()
        assert shows(app, "cut at 208, behind @207")
        assert shows(app, "✓ open-turn: no turn is open")
        assert not shows(app, "keep ")
        held.free.set()
        await made(app, pilot)
        assert held.asked == [200, 208]
        assert shows(app, "keep 208 events")
        assert shows(app, "can be applied")


async def test_another_size_while_the_plan_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held()
    monkeypatch.setattr(drawn, "make", held)
    async with running("demo", "208") as (app, pilot):
        await pilot.press("F")
        for size in ((80, 24), (40, 10), (20, 4), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(len(line) <= size[0] for line in text(app))
        held.free.set()
        await made(app, pilot)
        assert shows(app, "keep 208 events")
        assert held.asked == [208]


def endless(*_words: Any) -> Made | Refused:
    """Reads on for ever, unless it is stopped."""
    while True:
        heed()


async def test_escape_stops_what_is_read_for_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "make", endless)
    async with running("demo", "200") as (app, pilot):
        await pilot.press("F")
        await pilot.pause()
        assert plan_screen(app).busy
        workers = list(app.workers)
        await pilot.press("escape")
        await made(app, pilot)
        assert [worker.name for worker in workers] == ["plan"]
        assert app.is_running


async def test_a_plan_that_is_not_asked_for_any_more_is_not_made_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int | None] = []

    def first_endless(*words: Any) -> Made | Refused:
        asked.append(words[1].asked.cut)
        return endless() if len(asked) == 1 else make(*words)

    monkeypatch.setattr(drawn, "make", first_endless)
    async with running("demo", "200") as (app, pilot):
        await pilot.press("F")
        await pilot.pause()
        await pilot.press("h")
        await made(app, pilot)
        assert asked == [200, 199]
        assert shows(app, "keep 199 events")


async def test_going_away_and_back_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, free = Event(), Event()

    def held(*words: Any) -> Made | Refused:
        begun.set()
        assert free.wait(20)
        # As a reading that saw the other cut before the person came back.
        free.clear()
        monkeypatch.setattr(drawn, "make", make)
        raise Stopped

    monkeypatch.setattr(drawn, "make", held)
    async with running("demo", "208") as (app, pilot):
        await pilot.press("F")
        await pilot.pause()
        await pilot.press("h", "l")
        free.set()
        await made(app, pilot)
        assert begun.is_set()
        assert shows(app, "keep 208 events")


async def test_what_is_not_made_yet_is_neither_copied_nor_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held()
    monkeypatch.setattr(drawn, "make", held)
    async with running("demo", "200") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("F")
        for key in ("y", "Y", "s", "e", "v", "w"):
            await pilot.press(key)
            assert shows(app, "the plan is not made yet"), key
        assert copied == []
        held.free.set()
        await made(app, pilot)


async def test_while_another_plan_takes_long_the_one_before_is_faint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held()
    held.free.set()
    monkeypatch.setattr(drawn, "make", held)
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F")
        held.free.clear()
        await pilot.press("h")
        plan_screen(app)._grow_slow()
        await pilot.pause()
        assert shows(app, "keep 208 events")
        screen = plan_screen(app)
        rows = [screen._laid.line(at, 0)[0] for at in range(screen._laid.count())]
        (kept,) = (cell for cell in rows if cell.text.startswith("keep "))
        assert kept.tone == "faint"
        held.free.set()
        await made(app, pilot)
        assert shows(app, "keep 207 events")


async def test_of_a_long_tape_a_worker_asks_where_it_may_be_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawn, "_SOON", 10)
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "F")
        assert shows(app, "nearest allowed: ◀ 158 · 208 ▶")
        assert shows(app, "┬")
        assert shows(app, "keep 200 events")


def failing(error: Exception) -> Callable[[object], None]:
    """What fails in the place of reading all of a tape."""

    def seal(_tape: object) -> None:
        raise error

    return seal


async def test_a_tape_that_cannot_be_read_any_more_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running("demo", "208") as (app, pilot):
        with monkeypatch.context() as gone:
            tape = type(app.inspection.tape)
            gone.setattr(tape, "seal", failing(SourceError("ends at byte 3")))
            await press(app, pilot, "F")
            assert shows(app, "PLAN fork   nothing has been changed yet   no plan")
            assert shows(app, "no plan: ends at byte 3")
            assert shows(app, "✓ open-turn: no turn is open")
            await press(app, pilot, "y")
            assert text(app)[-1].startswith(" ends at byte 3")
        await press(app, pilot, "l")
        assert shows(app, "keep 209 events")


async def test_a_fault_of_the_planner_is_told_and_the_dialog_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running("demo", "200") as (app, pilot):
        with monkeypatch.context() as broken:
            broken.setattr(type(app.inspection.tape), "seal", failing(RuntimeError("a fault")))
            await pilot.press("F")
            await pilot.pause()
            while any(not worker.is_finished for worker in app.workers):
                await pilot.pause()
            await pilot.pause()
            assert shows(app, "no plan: a fault of the program: a fault")
        await press(app, pilot, "l")
        assert shows(app, "keep 201 events")


async def test_a_fault_where_it_is_asked_for_cuts_does_not_stop_the_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawn, "_SOON", 10)
    monkeypatch.setattr(PlanState, "read_cuts", failing(RuntimeError("a fault")))
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F")
        assert shows(app, "a fault of the program: a fault")
        assert shows(app, "at 208, behind @207")
        assert shows(app, "keep 208 events")
