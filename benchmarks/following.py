"""From the moment at which something is appended to its frame, and how much work that is."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Final

import orjson

from benchmarks.appending import LogWriter, StoreWriter, Writer
from benchmarks.clocks import alone, chances, median, percentile
from benchmarks.figures import Figure, Unmeasured, times
from benchmarks.indexing import fold
from benchmarks.keys import folded
from benchmarks.tapes import Shelf
from benchmarks.terminal import FOLDED, Profiled, Terminal, installed, running
from inspector.text.labels import count

_MOST: Final = 300.0
_PARSES: Final = 1.0
_APPENDS: Final = 10
_EACH_TIME: Final = 10
_PATIENCE: Final = 5.0

_BARE: Final = """
import os, sys, time
path, events = sys.argv[1], int(sys.argv[2])
with open(path, "rb") as file:
    file.seek(0, os.SEEK_END)
    print(f"LIVE {events:,} \\x1b[0m\\x1b[0m", flush=True)
    while True:
        new = file.read().count(10)
        if new:
            events += new
            print(f"LIVE {events:,} ", flush=True)
        time.sleep(0.1)
"""
"""Looks ten times a second, as the program does, and says how many lines there are."""

_KINDS: Final[dict[str, Callable[[Shelf], Writer]]] = {
    "plain": LogWriter,
    "zstd": partial(LogWriter, packed=True),
    "a WAL database": StoreWriter,
}


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Against a loop that only looks and says how much there is."""
    appends = shelf.rounds(_APPENDS)
    with closing(LogWriter(shelf)) as writer:
        program = [sys.executable, "-c", _BARE, str(writer.path), str(writer.events)]
        bare = percentile(_appended(writer, program, appends), 0.95)
    for kind, make in _KINDS.items():
        with closing(make(shelf)) as writer:
            command = [installed(), str(writer.path), "--follow"]
            seconds = _appended(writer, command, appends)
        taken = percentile(seconds, 0.95)
        middle = median(seconds) * 1000
        beside = times(taken, bare, f"a bare loop of {bare:.0f} ms; p50 {middle:.0f} ms")
        look = partial(_look, shelf, kind)
        yield Figure(f"append to frame, {kind}, p95", taken, "ms", _MOST, beside, look)
        parses = alone(parsed, shelf, kind)
        beside = f"{_EACH_TIME} appended at a time to {shelf.events:,}"
        what = f"records parsed for each appended, {kind}"
        yield Figure(what, parses, "", _PARSES, beside)


def _appended(writer: Writer, program: list[str], appends: int) -> list[float]:
    with running(program) as terminal:
        terminal.wait(folded(writer.events), limit=FOLDED)
        return list(_append(writer, terminal, appends))


def _append(writer: Writer, terminal: Terminal, appends: int) -> Iterator[float]:
    chance = chances()
    for _ in range(appends):
        # Not in step with whoever looks.
        terminal.pass_time(chance.uniform(0.1, 0.3))
        terminal.forget()
        start = perf_counter()
        writer.append(_EACH_TIME)
        terminal.wait(re.compile(rb"LIVE " + count(writer.events).encode() + b" "))
        yield terminal.finish() - start


def _look(shelf: Shelf, kind: str) -> list[str]:
    with closing(_KINDS[kind](shelf)) as writer:
        program = Profiled(shelf.folder, [str(writer.path), "--follow"], at_once=False)
        program.terminal.wait(folded(writer.events), limit=FOLDED)
        program.begin()
        for _ in _append(writer, program.terminal, _APPENDS):
            pass
        return program.end()


# Work.


def parsed(shelf: Shelf, kind: str) -> float:
    """How many records are parsed for each that is appended to a folded tape.

    Raises:
        Unmeasured: if what was appended is not seen.
    """
    with closing(_KINDS[kind](shelf)) as writer:
        tape = fold(writer.path)
        parses = _counted(stored=isinstance(writer, StoreWriter))
        for _ in range(_APPENDS):
            writer.append(_EACH_TIME)
            due = perf_counter() + _PATIENCE
            while tape.timeline.events < writer.events:
                tape.changed()
                tape.advance()
                if perf_counter() > due:
                    raise Unmeasured("what was appended is not seen")
        tape.close()
        return len(parses) / (_APPENDS * _EACH_TIME)


def _counted(*, stored: bool) -> list[None]:
    """Grows with every record that is parsed from now on: a line, or a row of a database."""
    parses: list[None] = []
    if stored:
        from inspector.formats.dsh.sources import row_log, rows

        vars(row_log)["decode"] = _counting(rows.decode, parses)
        return parses
    counting = SimpleNamespace(**vars(orjson))
    counting.loads = _counting(orjson.loads, parses)
    for name, module in list(sys.modules.items()):
        if name.startswith("inspector.") and vars(module).get("orjson") is orjson:
            vars(module)["orjson"] = counting
    return parses


def _counting(work: Callable[..., Any], calls: list[None]) -> Callable[..., Any]:
    def counted(*arguments: Any) -> Any:
        calls.append(None)
        return work(*arguments)

    return counted
