"""Dialogs of plans for tests: as pure states, and on a screen."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path

from textual.pilot import Pilot

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.planning import Making, PlanKind
from inspector.inspection import Inspection
from inspector.ui.app import InspectorApp
from inspector.ui.plans import saying
from inspector.ui.plans.made import make
from inspector.ui.plans.screen import PlanScreen
from inspector.ui.plans.state import PlanState
from tests.ui.driving import path_of

MAKING = Making("00000000-0000-4000-8000-000000000000", 1_767_225_600_000)
"""The identity of what is made, where a test tells it."""


@contextmanager
def visit(
    name: str | Path, at: str | None = None, *, session: str | None = None
) -> Iterator[Inspection]:
    """A visit to a folded tape, which is closed again."""
    tape = open_tape(path_of(name), Options(session=session))
    while tape.advance():
        pass
    inspection = Inspection(tape, at, UTC)
    inspection.grown()
    try:
        yield inspection
    finally:
        tape.close()


@contextmanager
def dialog(name: str | Path, kind: PlanKind, at: str | None = None) -> Iterator[PlanState]:
    """A dialog whose first plan is made."""
    with visit(name, at) as inspection:
        yield settled(PlanState(inspection, kind, MAKING))


def settled(state: PlanState) -> PlanState:
    """Answer all that is asked, as the screen does."""
    if state.cuts_due:
        state.take_cuts(state.read_cuts())
    if not state.answered:
        state.accept(make(state.visit.tape, state.question(), Path.exists))
    return state


def heads(state: PlanState) -> str:
    return "\n".join(row.text for row in saying.heads(state))


def rows(state: PlanState) -> list[str]:
    return [row.text for row in saying.rows(state)]


def title(state: PlanState) -> str:
    return " ".join(row.text for row in saying.title(state))


def plan_screen(app: InspectorApp) -> PlanScreen:
    assert isinstance(app.screen, PlanScreen)
    return app.screen


async def press(app: InspectorApp, pilot: Pilot[None], *keys: str) -> None:
    """Press keys, one after the other, and wait each time until what they ask for is made."""
    for key in keys:
        await pilot.press(key)
        await made(app, pilot)


async def made(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Wait until the plan is made: one answer may lead to another question."""
    await pilot.pause()
    while any(not worker.is_finished for worker in app.workers):
        await app.workers.wait_for_complete()
        await pilot.pause()
