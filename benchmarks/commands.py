"""How long the commands take that show no tape, against a Python that does nothing."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Final

from benchmarks.clocks import median
from benchmarks.figures import Figure, times
from benchmarks.tapes import Shelf
from benchmarks.terminal import Profiled, installed

_MORE: Final = 60.0
_ROUNDS: Final = 10


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Start to end of each."""
    command = installed()
    programs = [
        [sys.executable, "-c", "pass"],
        *([command, option] for option in ("--version", "--help")),
    ]
    taken: list[list[float]] = [[] for _ in programs]
    for at in range(shelf.rounds(_ROUNDS) + 1):
        for program, seconds in zip(programs, taken, strict=True):
            moment = _run(program)
            if at:
                seconds.append(moment)
    bare, *medians = (median(seconds) * 1000 for seconds in taken)
    for (_, option), milliseconds in zip(programs[1:], medians, strict=True):
        beside = times(milliseconds, bare, f"a bare python -c pass of {bare:.0f} ms")
        look = partial(_look, shelf, option)
        yield Figure(option, milliseconds, "ms", 2 * bare + _MORE, beside, look)


def _run(program: list[str]) -> float:
    start = perf_counter()
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(program[0], program, os.environ, file_actions=silent)
    os.waitpid(child, 0)
    return perf_counter() - start


def _look(shelf: Shelf, option: str) -> list[str]:
    return Profiled(shelf.folder, [option], at_once=True).ended()
