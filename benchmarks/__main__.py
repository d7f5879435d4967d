"""Measures the budgets that hold so far: ``python -m benchmarks [--events N]``.

Times are ratios against a baseline of the same run, because machines differ and have bad days.
"""

import argparse
import asyncio
import gc
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from benchmarks import first_frame, tapes
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection


def bare(path: Path) -> float:
    """Seconds of a loop that only parses every line."""
    start = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)
    return time.perf_counter() - start


def private_bytes() -> int:
    """The private memory of this process, by the kernel's account."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1]) * 1024
    return 0


def fold(path: Path) -> tuple[Tape, float]:
    """A folded tape and the seconds it took."""
    start = time.perf_counter()
    tape = open_tape(path, Options())
    while tape.advance():
        pass
    return tape, time.perf_counter() - start


def percentile(times: list[float], share: float) -> float:
    """A percentile in milliseconds."""
    return sorted(times)[int(len(times) * share)] * 1000


def timed(times: list[float], work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    times.append(time.perf_counter() - start)


def seeks(tape: Tape) -> None:
    timeline = tape.timeline
    chance = random.Random(812)
    windows: list[float] = []
    whole: list[float] = []
    for _ in range(1_000):
        cursor = chance.randint(0, timeline.events)
        share = chance.random()

        def window(cursor: int = cursor, share: float = share) -> None:
            rows = timeline.count(cursor)
            start = int(share * max(0, rows - 60))
            timeline.rows(cursor, start, start + 60)

        timed(windows, window)
    for _ in range(20):
        cursor = chance.randint(0, timeline.events)
        timed(whole, lambda cursor=cursor: timeline.rows(cursor))
    print(
        f"seek: count and 60 rows p50 {percentile(windows, 0.5):.2f} ms, "
        f"p95 {percentile(windows, 0.95):.2f} ms (budget 2); "
        f"whole surface p95 {percentile(whole, 0.95):.1f} ms (budget 25)"
    )


async def frames(tape: Tape) -> None:
    """Seek and draw: from a key's action to the frame on the compositor."""
    from inspector.ui.app import InspectorApp

    inspection = Inspection(tape)
    inspection.grown()
    chance = random.Random(812)
    times: list[float] = []
    gc.freeze()
    async with InspectorApp(inspection, lambda _past: tape).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for _ in range(200):
            cursor = chance.randint(0, tape.timeline.events)

            def frame(cursor: int = cursor) -> None:
                inspection.seek(cursor)
                pilot.app.screen._compositor.render_update(full=True)

            timed(times, frame)
            await pilot.pause()
    print(
        f"seek with its frame at 120x40: p50 {percentile(times, 0.5):.1f} ms, "
        f"p95 {percentile(times, 0.95):.1f} ms (budget 16)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--tape", type=Path, help="measure on this tape instead of a generated one")
    parser.add_argument("--no-screen", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.tape or Path(folder) / "tape.jsonl"
        if options.tape is None:
            tapes.write(path, options.events)
        before = bare(path)
        gc.collect()
        memory = private_bytes()
        tape, seconds = fold(path)
        gc.collect()
        memory = private_bytes() - memory
        after = bare(path)
        baseline = statistics.mean((before, after))
        events = tape.timeline.events
        size = path.stat().st_size
        print(f"tape: {events:,} events, {size / 1e6:.0f} MB, {size // max(1, events)} bytes each")
        print(
            f"index: {seconds:.2f} s, {seconds / max(1, events) * 1e6:.1f} us an event, "
            f"{seconds / baseline:.2f} x a bare orjson loop of {baseline:.2f} s (budget 2.5)"
        )
        print(f"memory: {memory / max(1, events):.0f} bytes an event, private (budget 100)")
        seeks(tape)
        if not options.no_screen:
            asyncio.run(frames(tape))
            first_frame.report([str(path)])
            first_frame.report(["demo"])


if __name__ == "__main__":
    main()
