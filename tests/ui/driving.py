"""Driving the real program without a terminal, and reading its screen as text.

Nothing but this builds the program in a test, so that nothing drives it without the guard.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path

from textual.pilot import Pilot

from inspector.applying.machine import world
from inspector.applying.world import World
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.ui.app import InspectorApp
from inspector.ui.cells import Line
from inspector.ui.listing import Listing
from inspector.userdata import NotesFile
from tests.folding import keep
from tests.guarding import guarded

SAMPLES = Path(__file__).resolve().parents[2] / "sample_tapes"


def path_of(tape: str | Path) -> Path:
    """A path, or that of the sample tape of this name."""
    return tape if isinstance(tape, Path) else SAMPLES / f"{tape}.jsonl"


def sample(tape: str | Path, *, past_unknown: bool = False, policy: str | None = None) -> Tape:
    """A tape of which nothing is folded yet, by its path or as the sample of this name.

    It is closed behind the test.
    """
    return keep(open_tape(path_of(tape), Options(past_unknown=past_unknown, policy=policy)))


def program(
    name: str | Path,
    at: str | None = None,
    *,
    past_unknown: bool = False,
    data: Path | None = None,
    back: str = "",
) -> InspectorApp:
    """The program over a tape that is folded already, as a short tape is.

    ``data`` is the folder for notes and the journal; none are kept without it.
    """
    tape = sample(name, past_unknown=past_unknown)
    while tape.advance():
        pass
    return InspectorApp(
        Inspection(tape, at, UTC),
        lambda past, policy: sample(name, past_unknown=past, policy=policy),
        UTC,
        None if data is None else NotesFile(data, tape.identity),
        None if data is None else lambda past, policy: _world(data, name, past, policy),
        back,
    )


def _world(data: Path, name: str | Path, past: bool, policy: str | None) -> World:
    return world(data, path_of(name), Options(past_unknown=past, policy=policy))


@asynccontextmanager
async def running(
    name: str | Path,
    at: str | None = None,
    size: tuple[int, int] = (120, 40),
    *,
    past_unknown: bool = False,
    data: Path | None = None,
    back: str = "",
) -> AsyncIterator[tuple[InspectorApp, Pilot[None]]]:
    """The program on a screen that shows all that a person would see; the tape stays untouched.

    A test that writes to the tape itself does it inside `tests.guarding.changing`.
    """
    with guarded(path_of(name)):
        app = program(name, at, past_unknown=past_unknown, data=data, back=back)
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            await pilot.pause()
            yield app, pilot


def text(app: InspectorApp) -> list[str]:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def shows(app: InspectorApp, words: str) -> bool:
    return any(words in line for line in text(app))


def rows_made(listing: Listing) -> list[int]:
    """The rows that a listing has made from now on, to be looked at later."""
    made: list[int] = []
    line = listing.source.line

    def counted(row: int, width: int) -> Line:
        made.append(row)
        return line(row, width)

    listing.source.line = counted  # type: ignore[method-assign]
    return made
