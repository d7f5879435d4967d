"""Listing thousands of sessions of every agent, against a bare walk that opens and reads each file.

The bare walk opens every file below the person's folder, of whatever kind, and reads its first
4 KiB; it tells nothing of what it read.
"""

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.clocks import Clock, alone, median, profiled
from benchmarks.figures import Figure, Unmeasured, times
from benchmarks.tapes import Shelf
from benchmarks.terminal import installed
from inspector.formats.listing import HEAD, Surroundings
from inspector.library.finding import find
from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import known
from tests.library import generated

_SESSIONS: Final = 5_000
_QUICK: Final = 20
"""Into how many parts the sessions are divided where everything is to be quick."""

_ROUNDS: Final = 7
_FIRST: Final = 300.0
_TIMES_BARE: Final = 3.0
_EVERY: Final = 2_000.0
"""Milliseconds between two looks at what changed."""


class Listed(NamedTuple):
    """Seconds that one listing took.

    Attributes:
        bare: of the bare walk.
        lower: of one that calls the system itself, with file descriptors and without objects.
        first: until the first row.
        all: until the last.
        again: of a look at what changed, where nothing did.
    """

    bare: float
    lower: float
    first: float
    all: float
    again: float


def figures(shelf: Shelf) -> Iterator[Figure]:
    """First rows and all rows, in a process that is there and of the installed command."""
    sessions = _SESSIONS if shelf.events > _SESSIONS * _QUICK else _SESSIONS // _QUICK
    home = shelf.folder / "person"
    if not home.exists():
        generated.write(home, sessions)
    found = alone(_listed, home, shelf.rounds(_ROUNDS))
    bare, lower = (median([getattr(one, name) for one in found]) for name in ("bare", "lower"))
    look = partial(profiled, _profile, home)
    first = median([one.first for one in found])
    what = f"list of {sessions:,} sessions"
    yield Figure(f"{what}, first row", first * 1000, "ms", _FIRST, "in a process that is there")
    whole = median([one.all for one in found])
    beside = (
        f"{whole * 1000:.0f} ms; {bare * 1000:.0f} ms for os.walk, open and read of {HEAD} bytes; "
        f"{whole / lower:.2f} x the same by file descriptors"
    )
    ratio = median([one.all / one.bare for one in found])
    yield Figure(f"{what}, all rows", ratio, "x", _TIMES_BARE, beside, look)
    again = median([one.again for one in found])
    beside = times(again, bare, f"the bare walk of {bare * 1000:.0f} ms")
    yield Figure(f"{what}, a look at what changed", again * 1000, "ms", _EVERY, beside)
    command = [_command(home) for _ in range(shelf.rounds(_ROUNDS) + 1)][1:]
    for name, at, budget in (("first line", 0, _FIRST), ("all lines", 1, None)):
        taken = median([one[at] for one in command])
        beside = times(taken, bare, f"the bare walk of {bare * 1000:.0f} ms")
        yield Figure(f"{what}, ls --jsonl, {name}", taken * 1000, "ms", budget, beside)


def _around(home: Path) -> Surroundings:
    return Surroundings(generated.surroundings(home), home, "linux")


def _listed(home: Path, rounds: int) -> list[Listed]:
    """So many listings, one round before them left out: it fills the caches."""
    return [_round(home) for _ in range(rounds + 1)][1:]


def _round(home: Path) -> Listed:
    clock = Clock()
    bare, lower = (clock.measure(partial(walk, str(home)))[1] for walk in (_walk, _walk_lower))
    start = perf_counter()
    rows = find(known(_around(home)))
    next(rows)
    first = perf_counter() - start
    for _ in rows:
        pass
    whole = perf_counter() - start
    keeping = KeepingUp(known(_around(home)))
    for _ in keeping.find():
        pass
    again = clock.measure(lambda: list(keeping.again()))[1]
    return Listed(bare, lower, first, whole, again)


def _profile(clock: Clock, home: Path) -> None:
    _round(home)
    clock.measure(lambda: list(find(known(_around(home)))))


def _walk(text: str) -> None:
    for folder, _, names in os.walk(text):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123 - bare
                file.read(HEAD)


def _walk_lower(text: str) -> None:
    waiting = [text]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting.append(entry.path)
                else:
                    descriptor = os.open(entry.path, os.O_RDONLY)
                    os.read(descriptor, HEAD)
                    os.close(descriptor)


def _command(home: Path) -> tuple[float, float]:
    """Seconds from the start of the installed command to its first line, and to its last."""
    environment = {**os.environ, **generated.surroundings(home)}
    start = perf_counter()
    with subprocess.Popen(
        [installed(), "ls", "--jsonl"], stdout=subprocess.PIPE, cwd=home, env=environment
    ) as program:
        if program.stdout is None or not program.stdout.readline():
            raise Unmeasured("ls printed nothing")
        first = perf_counter() - start
        program.stdout.read()
    return first, perf_counter() - start
