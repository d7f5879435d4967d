"""Looking for a text in a whole tape, against a loop that only reads its lines and asks ``in``."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.clocks import Clock, alone, median, profiled
from benchmarks.figures import Figure, times
from benchmarks.tapes import Shelf
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.lenses.search import Pattern, asked, pattern, search

_LIMIT: Final = 1.5
_ROUNDS: Final = 5
_ABSENT: Final = "a text that no tape holds"


class Searched(NamedTuple):
    """One search, in seconds.

    Attributes:
        seconds: of the whole search.
        first: until the first hit; 0 where there is none.
        bare: of the loop that reads lines, before and after it.
    """

    seconds: float
    first: float
    bare: float


def figures(shelf: Shelf) -> Iterator[Figure]:
    """A text that is nowhere, and one that is in few records; as it is, and in any case."""
    path = shelf.plain()
    few = f'"seq":{shelf.events - 10}'
    kinds: tuple[tuple[str, str, Callable[[str], Pattern]], ...] = (
        ("a text that is nowhere", _ABSENT, pattern),
        ("a text in one record", few, pattern),
        ("words in any case", _ABSENT, asked),
    )
    for what, text, how in kinds:
        found = alone(_searched, path, text, how, shelf.rounds(_ROUNDS))
        bare = median([one.bare for one in found])
        ratio = median([one.seconds / one.bare for one in found])
        beside = f"{ratio * bare:.2f} s; {bare:.2f} s for reading lines and `in`"
        yield Figure(f"search {what}", ratio, "x", _LIMIT, beside, partial(profile, path))
    found = alone(_searched, path, '"turn":1,', pattern, shelf.rounds(_ROUNDS))
    first = median([one.first for one in found]) * 1000
    bare = median([one.bare for one in found]) * 1000
    yield Figure("search, first hit", first, "ms", None, times(first, bare, "the bare loop"))


def _folded(path: Path) -> Tape:
    tape = open_tape(path, Options())
    while tape.advance():
        pass
    return tape


def _searched(path: Path, text: str, how: Callable[[str], Pattern], rounds: int) -> list[Searched]:
    tape = _folded(path)
    wanted, found = how(text), []
    try:
        for _ in range(rounds):
            before = _bare(path, text)
            start = perf_counter()
            hits = search(tape, wanted)
            first = perf_counter() - start if next(hits, None) is not None else 0.0
            if first and text.startswith('"turn"'):
                # It is in every record, and only the first is asked for.
                found.append(Searched(first, first, before))
                continue
            for _hit in hits:
                pass
            seconds = perf_counter() - start
            found.append(Searched(seconds, first, (before + _bare(path, text)) / 2))
    finally:
        tape.close()
    return found


def _bare(path: Path, text: str) -> float:
    """Seconds of a loop that reads lines and asks whether they hold a text."""
    needle, lines = text.encode(), 0
    start = perf_counter()
    with path.open("rb") as file:
        for line in file:
            lines += needle in line
    return perf_counter() - start


def profile(path: Path) -> list[str]:
    """Where a search spends its time."""
    return profiled(_profiled, path)


def _profiled(clock: Clock, path: Path) -> None:
    tape = _folded(path)
    try:
        clock.measure(lambda: list(search(tape, pattern(_ABSENT))))
    finally:
        tape.close()
