"""Folding a whole tape against a loop over the same source that only parses, and what it keeps."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import orjson

from benchmarks import agents, stores
from benchmarks.clocks import Clock, alone, median, private_bytes, profiled
from benchmarks.figures import Figure, Unmeasured, shown, times
from benchmarks.tapes import Shelf
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.timeline.findings import Severity

if sys.version_info >= (3, 14):
    from compression.zstd import decompress
    from compression.zstd import open as open_zstd
else:
    from backports.zstd import decompress
    from backports.zstd import open as open_zstd

_LIMIT: Final = 2.5
_BYTES: Final = 100
_ROUNDS: Final = 3


class Indexed(NamedTuple):
    """One fold and what ran before and after it, in seconds.

    Attributes:
        seconds: of the fold.
        before: of the bare loop, before the fold.
        after: of the same after it.
    """

    seconds: float
    before: float
    after: float


class Kept(NamedTuple):
    """Private bytes that a process has more of: after a fold, and with a bare list of offsets."""

    fold: int
    offsets: int


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Time and memory of every kind of tape."""
    kinds: tuple[tuple[str, Path, Callable[[Path], None], str], ...] = (
        ("plain", shelf.plain(), bare_lines, "orjson.loads of each line"),
        ("zstd", shelf.zstd(), bare_zstd, "decompress and orjson.loads"),
        ("SQLite schema 17", shelf.database(), bare_rows, "select, decompress and orjson.loads"),
        ("version 4", shelf.version_4(), bare_lines, "orjson.loads of each line"),
    )
    for name, path, bare, loop in kinds:
        yield from _both(name, path, bare, loop, shelf.events, shelf.rounds(_ROUNDS))


def figures_of_others(shelf: Shelf) -> Iterator[Figure]:
    """The same of the tapes of other agents, which are shorter."""
    kinds: tuple[tuple[str, Callable[[Path], None], str], ...] = (
        *((name, bare_lines, "orjson.loads of each line") for name in agents.LOGS),
        ("deepchat", bare_entries, "select and orjson.loads"),
    )
    for name, bare, loop in kinds:
        path, rounds = shelf.other(name), shelf.rounds(_ROUNDS)
        yield from _both(name, path, bare, loop, shelf.others, rounds)


def _both(
    name: str, path: Path, bare: Callable[[Path], None], loop: str, events: int, rounds: int
) -> Iterator[Figure]:
    runs = alone(index, Clock(), path, bare, events, rounds)
    look = partial(profiled, index, path, bare, events, 1)
    yield _time(name, runs, loop, events, look)
    yield _memory(name, alone(keep, path, events), events)


def _time(
    name: str, runs: list[Indexed], loop: str, events: int, look: Callable[[], list[str]]
) -> Figure:
    ratio = median([2 * run.seconds / (run.before + run.after) for run in runs])
    seconds = median([run.seconds for run in runs])
    bare = median([(run.before + run.after) / 2 for run in runs])
    each = shown(seconds / events * 1e6, "us")
    beside = f"{seconds:.2f} s, {each} an event; {bare:.2f} s for {loop}"
    return Figure(f"index {name}", ratio, "x", _LIMIT, beside, look)


def _memory(name: str, kept: Kept, events: int) -> Figure:
    what = f"memory {name}, private, an event"
    if not kept.fold:
        return Figure(what, 0, "bytes", None, "this system does not tell")
    private, offsets = kept.fold / events, kept.offsets / events
    beside = times(private, offsets, f"a bare list of offsets of {shown(offsets, 'bytes')}")
    return Figure(what, private, "bytes", _BYTES, beside)


def index(
    clock: Clock, path: Path, bare: Callable[[Path], None], events: int, rounds: int
) -> list[Indexed]:
    """Fold a tape some times, each between two runs of the bare loop.

    Raises:
        Unmeasured: if something of the tape was not folded.
    """
    warm(path)
    runs: list[Indexed] = []
    bare_before = _seconds(bare, path)
    for _ in range(rounds):
        tape, seconds = clock.measure(partial(fold, path))
        timeline = tape.timeline
        if timeline.events != events or timeline.findings.count(Severity.ERROR):
            raise Unmeasured(f"{timeline.events:,} of {events:,} events were folded")
        tape.close()
        del tape, timeline
        bare_after = _seconds(bare, path)
        runs.append(Indexed(seconds, bare_before, bare_after))
        bare_before = bare_after
    return runs


def keep(path: Path, events: int) -> Kept:
    """Fold a tape, and look at what that leaves in memory."""
    warm(path)
    before = private_bytes()
    tape = fold(path)
    folded = private_bytes()
    offsets = list(range(1 << 32, (1 << 32) + events))
    found = Kept(folded - before, private_bytes() - folded)
    del offsets
    tape.close()
    return found


def warm(path: Path) -> None:
    """Import what the tape needs, as the program has before its first frame."""
    tape = open_tape(path, Options())
    tape.advance()
    tape.close()


def fold(path: Path) -> Tape:
    """A tape, folded to its end."""
    tape = open_tape(path, Options())
    while tape.advance():
        pass
    return tape


def _seconds(bare: Callable[[Path], None], path: Path) -> float:
    start = perf_counter()
    bare(path)
    return perf_counter() - start


def bare_lines(path: Path) -> None:
    """Parse every line of a log."""
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def bare_zstd(path: Path) -> None:
    """Unpack a log and parse every line."""
    with open_zstd(path, "rb") as file:
        for line in file:
            orjson.loads(line)


def bare_rows(path: Path) -> None:
    """Select every row and parse its data."""
    with closing(_rested(path)) as connection:
        for row in connection.execute(stores.SELECT):
            data = row[3]
            orjson.loads(decompress(data) if isinstance(data, bytes) else data)


def bare_entries(path: Path) -> None:
    """Select every row of another agent's tape and parse its payload."""
    with closing(_rested(path)) as connection:
        for row in connection.execute(agents.ENTRIES):
            orjson.loads(row[2])


def _rested(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
