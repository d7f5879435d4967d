"""How long the installed command takes to its first full frame, whatever the tape."""

import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.clocks import median
from benchmarks.figures import Figure, times
from benchmarks.tapes import Shelf
from benchmarks.terminal import Profiled, installed, running

_ROUNDS: Final = 5
_MOST: Final = 300.0
_TIMES_EMPTY: Final = 1.2

_FULL: Final = tuple(map(re.compile, (b"Events", b"Surface", b"help")))
"""What the title bars of a full frame say, and its footer, which is drawn last."""

_BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("Events Surface help")
Bare().run()
"""


def figures(shelf: Shelf) -> Iterator[Figure]:
    """The first frame of every tape, absolute, and against an empty one."""
    tapes = (
        ("an empty tape", shelf.empty()),
        (f"{shelf.events // 100:,} events", shelf.plain(shelf.events // 100)),
        (f"{shelf.events:,} events", shelf.plain()),
        ("zstd", shelf.zstd()),
        ("SQLite schema 17", shelf.database()),
        ("a 16 MiB line", shelf.huge_line()),
        ("20,000 levels", shelf.nested()),
        ("a sparse 5 GB database", shelf.sparse()),
    )
    command = installed()
    programs = [[command, str(path)] for _, path in tapes]
    bare, *medians = _medians([[sys.executable, "-c", _BARE], *programs], shelf.rounds(_ROUNDS))
    for (name, path), seconds in zip(tapes, medians, strict=True):
        look = partial(_look, shelf.folder, path)
        beside = times(seconds, bare, f"a bare Textual app of {bare * 1000:.0f} ms")
        yield Figure(f"first frame, {name}", seconds * 1000, "ms", _MOST, beside, look)
        if path != shelf.empty():
            yield _against_empty(name, seconds, medians[0], look)


def _against_empty(name: str, seconds: float, empty: float, look: "partial[list[str]]") -> Figure:
    beside = f"an empty tape of {empty * 1000:.0f} ms"
    ratio = seconds / empty
    return Figure(f"first frame, {name}, to empty", ratio, "x", _TIMES_EMPTY, beside, look)


def _medians(programs: list[list[str]], rounds: int) -> list[float]:
    """The median of each, all in turn so that a bad moment of the machine meets them alike."""
    taken: list[list[float]] = [[] for _ in programs]
    for at in range(rounds + 1):
        for program, seconds in zip(programs, taken, strict=True):
            moment = first_frame(program)
            # The first round writes the byte code that an installed program has.
            if at:
                seconds.append(moment)
    return [median(seconds) for seconds in taken]


def first_frame(command: list[str]) -> float:
    """Seconds from the start of a command to the moment at which all of a frame was written."""
    with running(command) as terminal:
        return terminal.wait(*_FULL) - terminal.started


def _look(folder: Path, tape: Path) -> list[str]:
    program = Profiled(folder, [str(tape)], at_once=True)
    program.terminal.wait(*_FULL)
    return program.end()
