"""Sessions that grow while the program shows them, and looking at them without waiting."""

import json
from collections.abc import Iterable
from pathlib import Path

from textual.pilot import Pilot

from inspector.ui.app import InspectorApp
from tests.dsh_tapes import Log
from tests.formats.dsh import databases
from tests.guarding import changing
from tests.tape.packed import frame

NEVER = 3_600.0
"""Seconds between two looks of the program itself, longer than any test."""


def session(events: int) -> Log:
    """So many messages that say their number."""
    log = Log()
    for at in range(events):
        log.user(f"message {at}")
    return log


def written(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def packed(lines: Iterable[bytes]) -> bytes:
    """Each line in a zstd frame of its own."""
    return b"".join(frame(line + b"\n") for line in lines)


def rows(log: Log, start: int) -> list[databases.Columns]:
    """The events from a position on as rows of a database."""
    return list(databases.rows(json.loads(line) for line in log.lines[1 + start :]))


def append(path: Path, data: bytes) -> None:
    """Append as the writer of the tape does."""
    with changing(), path.open("ab") as file:
        file.write(data)


async def look(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Let the program look at its source, and wait until all that follows is on the screen.

    Twice: what became of a database shows once it was opened again.
    """
    for _ in range(2):
        app._look()
        await app.workers.wait_for_complete()
        await pilot.pause()
