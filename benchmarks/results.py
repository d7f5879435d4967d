"""The figures as a table for people, and as the page that is kept."""

import os
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from benchmarks.figures import Figure, Unmeasured, shown

_COLUMNS = ("what", "measured", "budget", "", "beside")


def row(figure: Figure) -> tuple[str, str, str, str, str]:
    """What, measured, budget, verdict, baseline."""
    budget = "" if figure.budget is None else shown(figure.budget, figure.unit).strip()
    measured = shown(figure.measured, figure.unit).strip()
    return figure.what, measured, budget, figure.verdict, figure.beside


def line(figure: Figure) -> str:
    """One row for a terminal."""
    what, measured, budget, verdict, beside = row(figure)
    return f"{what:<48} {measured:>12} {budget:>12} {verdict:<4}  {beside}"


def heading() -> str:
    """The row above the others."""
    what, measured, budget, verdict, beside = _COLUMNS
    return f"{what:<48} {measured:>12} {budget:>12} {verdict:<4}  {beside}"


def page(figures: Sequence[Figure], troubles: Sequence[str], events: int) -> Iterator[str]:
    """The lines of the page, each figure over its budget with the profile that explains it."""
    yield "# Measurements"
    yield ""
    yield (
        f"{datetime.now(UTC):%Y-%m-%d}, {events:,} events, {machine()}. Times depend on the "
        "machine and its day; the ratios beside them are to baselines of the same run."
    )
    yield ""
    yield "| what | measured | budget | | beside |"
    yield "|---|---|---|---|---|"
    for figure in figures:
        yield f"| {' | '.join(row(figure))} |"
    for trouble in troubles:
        yield ""
        yield f"Not measured: {trouble}."
    for figure in figures:
        if figure.over and figure.look is not None:
            yield from _profile(figure)


def machine() -> str:
    """The machine in words: nothing that names it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{cores} cores, {platform.machine()}, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def _profile(figure: Figure) -> Iterator[str]:
    yield ""
    yield f"## Over budget: {figure.what}"
    yield ""
    try:
        lines = figure.look() if figure.look is not None else []
    except Unmeasured as trouble:
        yield f"No profile: {trouble}."
        return
    yield "Own time under a profiler, which makes calls look dearer than they are:"
    yield ""
    yield "```"
    yield from lines
    yield "```"
