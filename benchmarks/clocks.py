"""Measuring and profiling: a clock around a piece of work, in a process of its own if wanted."""

import cProfile
import ctypes
import gc
import pstats
import random
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final, TypeVar

T = TypeVar("T")

TOP: Final = 12
"""Lines of a profile that are shown."""

_SMAPS: Final = Path("/proc/self/smaps_rollup")


class Clock:
    """Times pieces of work; what is outside of them is preparation."""

    def measure(self, work: Callable[[], T]) -> tuple[T, float]:
        """What the work returns, and the seconds it took."""
        start = perf_counter()
        done = work()
        return done, perf_counter() - start


class ProfilingClock(Clock):
    """Profiles the same pieces of work, which makes them slower."""

    def __init__(self) -> None:
        self.profile = cProfile.Profile()

    def measure(self, work: Callable[[], T]) -> tuple[T, float]:
        """What the work returns, and the seconds it took under the profile."""
        self.profile.enable()
        try:
            return super().measure(work)
        finally:
            self.profile.disable()


def alone(work: Callable[..., T], *arguments: object) -> T:
    """What the work returns in a fresh process, which shares neither memory nor caches with us."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, initializer=_write_bytecode) as pool:
        return pool.submit(work, *arguments).result()


def _write_bytecode() -> None:
    """Undo what a child is told if we were told it: an installed package has byte code."""
    sys.dont_write_bytecode = False


def profiled(work: Callable[..., object], *arguments: object) -> list[str]:
    """The top lines of a profile of just what the work measures with the clock it is given."""
    return alone(_profile, work, *arguments)


def _profile(work: Callable[..., object], *arguments: object) -> list[str]:
    clock = ProfilingClock()
    work(clock, *arguments)
    return top_lines(pstats.Stats(clock.profile))


def top_lines(stats: pstats.Stats) -> list[str]:
    """Own seconds, calls and place of the functions that take most time themselves."""
    rows: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = stats.stats  # type: ignore[attr-defined]  # the stubs leave it out
    by_own_time = sorted(rows.items(), key=lambda row: row[1][2], reverse=True)
    return [
        f"{own:9.4f} s {calls:11,} calls  {_place(*where)}"
        for where, (_, calls, own, _, _) in by_own_time[:TOP]
    ]


def _place(file: str, line: int, function: str) -> str:
    """Where a function stands, from its package on: the rest is the machine's business."""
    if file == "~":
        return re.sub(r" at 0x[0-9a-f]+", "", function)
    roots = sorted((Path(root) for root in sys.path if root), key=lambda root: -len(root.parts))
    path = Path(file)
    inside = next((path.relative_to(root) for root in roots if path.is_relative_to(root)), None)
    return f"{inside or path.name}:{line} ({function})"


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def percentile(seconds: Sequence[float], share: float) -> float:
    """The value, in milliseconds, that a share of the measurements stay within."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))] * 1000


def chances() -> random.Random:
    """The same chances in every run."""
    return random.Random(812)


def private_bytes() -> int:
    """The private memory of this process by the kernel's account; 0 where there is none."""
    gc.collect()
    with suppress(AttributeError):
        # What was freed and kept for later would be taken again, and not be seen.
        ctypes.CDLL(None).malloc_trim(0)
    if not _SMAPS.exists():
        return 0
    for row in _SMAPS.read_text().splitlines():
        if row.startswith("Private_Dirty:"):
            return int(row.split()[1]) * 1024
    return 0
