"""Going to any cursor of a folded tape: the window of rows, the whole surface, and the frame."""

import asyncio
import gc
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks import agents
from benchmarks.clocks import Clock, alone, chances, median, percentile, profiled
from benchmarks.figures import Figure, times
from benchmarks.indexing import fold
from benchmarks.tapes import Shelf
from inspector.inspection import Inspection

_WINDOW: Final = 60
_WINDOW_MOST: Final = 2.0
_FRAME_MOST: Final = 16.0
_SURFACE_MOST: Final = 25.0

_WINDOWS: Final = 1_000
_SURFACES: Final = 40
_FRAMES: Final = 60
_ODD_FRAMES: Final = 24
_SIZE: Final = (120, 40)


class Sought(NamedTuple):
    """Seconds of every question, and of the least that an answer of that length can take."""

    seconds: list[float]
    bare: list[float]


class _Row(NamedTuple):
    node: int
    born: int
    gone: int


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Seeks in a long tape, and frames of the odd ones."""
    path = shelf.plain()
    windows = alone(seek_windows, Clock(), path, shelf.rounds(_WINDOWS))
    bare = median(windows.bare) * 1000
    yield from _windows("seek", path, windows)
    surfaces = alone(seek_surfaces, Clock(), path, shelf.rounds(_SURFACES))
    taken = percentile(surfaces.seconds, 0.95)
    beside = _least(taken, percentile(surfaces.bare, 0.95))
    look = partial(profiled, seek_surfaces, path, _SURFACES)
    yield Figure("seek, whole surface, p95", taken, "ms", _SURFACE_MOST, beside, look)
    for name, tape, frames in (
        (f"{shelf.events:,} events", path, _FRAMES),
        ("a 16 MiB line", shelf.huge_line(), _ODD_FRAMES),
        ("20,000 levels", shelf.nested(), _ODD_FRAMES),
        ("a sparse 5 GB database", shelf.sparse(), _ODD_FRAMES),
    ):
        seconds = alone(seek_frames, Clock(), tape, shelf.rounds(frames))
        taken = percentile(seconds, 0.95)
        beside = times(taken, bare, f"{_WINDOW} bare rows; p50 {percentile(seconds, 0.5):.1f} ms")
        look = partial(profiled, seek_frames, tape, _ODD_FRAMES)
        yield Figure(f"seek with its frame, {name}, p95", taken, "ms", _FRAME_MOST, beside, look)


def figures_of_others(shelf: Shelf) -> Iterator[Figure]:
    """Seeks in the tapes of other agents, which are shorter."""
    for name in (*agents.LOGS, "deepchat"):
        path = shelf.other(name)
        windows = alone(seek_windows, Clock(), path, shelf.rounds(_WINDOWS))
        yield from _windows(f"seek {name}", path, windows)


def _windows(name: str, path: Path, windows: Sought) -> Iterator[Figure]:
    look = partial(profiled, seek_windows, path, _WINDOWS)
    bare = median(windows.bare) * 1000
    for share in (0.5, 0.95):
        taken = percentile(windows.seconds, share)
        what = f"{name}, count and {_WINDOW} rows, p{share * 100:.0f}"
        yield Figure(what, taken, "ms", _WINDOW_MOST, _least(taken, bare), look)


def _least(taken: float, bare: float) -> str:
    return times(taken, bare, f"as many bare rows of {bare:.3f} ms")


def seek_windows(clock: Clock, path: Path, seeks: int) -> Sought:
    """The number of rows and a window of them, at any cursor and any place."""
    timeline = fold(path).timeline
    chance = chances()
    found = Sought([], [])
    for _ in range(seeks):
        cursor, share = chance.randint(0, timeline.events), chance.random()

        def window(cursor: int = cursor, share: float = share) -> None:
            start = int(share * max(0, timeline.count(cursor) - _WINDOW))
            timeline.rows(cursor, start, start + _WINDOW)

        found.seconds.append(clock.measure(window)[1])
        found.bare.append(_bare_rows(_WINDOW))
    return found


def seek_surfaces(clock: Clock, path: Path, seeks: int) -> Sought:
    """The whole surface at any cursor."""
    timeline = fold(path).timeline
    chance = chances()
    found = Sought([], [])
    for _ in range(seeks):
        cursor = chance.randint(0, timeline.events)
        rows, seconds = clock.measure(partial(timeline.rows, cursor))
        found.seconds.append(seconds)
        found.bare.append(_bare_rows(len(rows)))
    return found


def _bare_rows(count: int) -> float:
    """Seconds to make so many rows of three columns."""
    columns: Sequence[array[int]] = [array("I", range(count)) for _ in range(3)]
    start = perf_counter()
    for row in zip(*columns, strict=True):
        _Row._make(row)
    return perf_counter() - start


def seek_frames(clock: Clock, path: Path, seeks: int) -> list[float]:
    """Seconds from a seek to its frame on the compositor; the last event comes every other time."""
    return asyncio.run(_frames(clock, path, seeks))


async def _frames(clock: Clock, path: Path, seeks: int) -> list[float]:
    from inspector.ui.app import InspectorApp  # dear, and only for frames

    tape = fold(path)
    inspection = Inspection(tape)
    inspection.grown()
    chance = chances()
    seconds: list[float] = []
    # As the program does when its screen is there.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    async with InspectorApp(inspection, lambda _past, _policy: tape).run_test(size=_SIZE) as pilot:
        await pilot.pause()
        for at in range(seeks):
            cursor = tape.timeline.events if at % 2 else chance.randint(0, tape.timeline.events)

            def frame(cursor: int = cursor) -> None:
                inspection.seek(cursor)
                pilot.app.screen._compositor.render_update(full=True)

            seconds.append(clock.measure(frame)[1])
            await pilot.pause()
    return seconds
