"""What is waited for can be stopped, and is not laid over what a person does meanwhile."""

from threading import Event

import pytest
from textual.pilot import Pilot

from inspector.ui import errands
from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from inspector.ui.lenses import registry
from inspector.ui.lenses.lens import Asked, Lens, LensReport
from tests.ui.driving import running, shows

_LONG = 10.0


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Holds back the answer to why until a test lets it go."""
    gate, why = Event(), registry.LENSES["why"]

    def ask(asked: Asked) -> LensReport | str:
        gate.wait(_LONG)
        return why.ask(asked)

    monkeypatch.setitem(registry.LENSES, "why", Lens(why.title, "asking why", ask))
    monkeypatch.setattr(errands, "_SOON_ASKED", 0)
    return gate


async def answered(app: InspectorApp, pilot: Pilot[None], gate: Event) -> None:
    gate.set()
    await app.workers.wait_for_complete([one for one in app.workers if not one.is_cancelled])
    await pilot.pause()


async def test_what_is_waited_for_is_said_until_it_is_there(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w")
        assert shows(app, "asking why… Esc stops")
        await pilot.press("s", "s")
        assert shows(app, "asking why… Esc stops")
        await answered(app, pilot, gate)
        assert isinstance(app.screen, Layer)
        await pilot.press("escape")
        assert not shows(app, "asking why")


async def test_escape_stops_it_and_nothing_comes_of_it(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w", "escape")
        assert shows(app, "stopped waiting")
        await answered(app, pilot, gate)
        await pilot.press("s")
        assert not isinstance(app.screen, Layer)
        assert not shows(app, "asking why")


async def test_a_report_of_a_cursor_that_was_left_is_not_laid_over_another(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w", "h", "h")
        await answered(app, pilot, gate)
        assert not isinstance(app.screen, Layer)
        assert shows(app, "Why of 100: not shown, you went on")


async def test_nor_over_a_line_that_is_being_written(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w", "colon", "9")
        await answered(app, pilot, gate)
        assert not isinstance(app.screen, Layer)
        await pilot.press("enter")
        assert app.inspection.cursor == 9


async def test_of_two_questions_the_later_one_is_answered(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w", "O")
        await answered(app, pilot, gate)
        assert shows(app, "What would be sent")
        await pilot.press("escape")
        assert not isinstance(app.screen, Layer)


async def test_while_the_cursor_plays_nobody_left_it(gate: Event) -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("w")
        app.inspection.toggle_play()
        app.inspection.pass_time(1.0)
        assert app.inspection.cursor > 100
        await answered(app, pilot, gate)
        assert shows(app, "as of 100/")


async def test_time_that_passes_while_the_program_closes_is_not_shown(
    gate: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pass_time(layer: Layer) -> None:
        assert isinstance(layer.app, InspectorApp)
        layer.app.inspection.seek(99)

    async with running("demo", "100") as (app, pilot):
        await pilot.press("w")
        await answered(app, pilot, gate)
        assert isinstance(app.screen, Layer)
        monkeypatch.setattr(Layer, "on_unmount", pass_time, raising=False)
    assert app.inspection.cursor == 99
