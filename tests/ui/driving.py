"""Driving the real program without a terminal, and reading its screen as text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path

from textual.pilot import Pilot

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.ui.app import InspectorApp

SAMPLES = Path(__file__).resolve().parents[2] / "sample_tapes"


def sample(name: str, *, past_unknown: bool = False) -> Tape:
    return open_tape(SAMPLES / f"{name}.jsonl", Options(past_unknown=past_unknown))


def program(name: str, at: str | None = None) -> InspectorApp:
    """The program over a sample tape that is folded already, as a short tape is."""
    tape = sample(name)
    while tape.advance():
        pass
    return InspectorApp(Inspection(tape, at, UTC), lambda: sample(name, past_unknown=True), UTC)


@asynccontextmanager
async def running(
    name: str, at: str | None = None, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[None]]]:
    app = program(name, at)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


def text(app: InspectorApp) -> list[str]:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def shows(app: InspectorApp, words: str) -> bool:
    return any(words in line for line in text(app))
