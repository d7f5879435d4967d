"""Long transcripts of shapes that only a hostile or a torn tape has, a record at a time."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from tests.formats.claude.transcripts import Record, answer, call, notice, result, user


def straight() -> Iterator[Record]:
    """Each hangs on the one before."""
    yield user("0", None)
    at = 0
    while True:
        yield answer(str(at + 1), str(at))
        yield user(str(at + 2), str(at + 1))
        at += 2


def two_writers() -> Iterator[Record]:
    """Two append alternately, each to a branch of its own."""
    yield user("0", None)
    yield user("1", "0")
    at = 2
    while True:
        yield user(str(at), str(at - 2)) if at % 4 < 2 else answer(str(at), str(at - 2))
        at += 1


def two_writers_of_batches() -> Iterator[Record]:
    """The same, and each makes parallel calls whose results hang on their own lines."""
    yield user("0", None)
    writers = [_batches("a"), _batches("b")]
    while True:
        for writer in writers:
            yield next(writer)


def _batches(name: str) -> Iterator[Record]:
    above, at = "0", 0
    while True:
        at += 1
        one, two, of = f"{name}{at}.1", f"{name}{at}.2", f"m{name}{at}"
        yield answer(one, above, call(f"c{one}"), of=of)
        yield answer(two, one, call(f"c{two}"), of=of)
        yield result(f"r{two}", two, f"c{two}", sourceToolAssistantUUID=two)
        yield result(f"r{one}", one, f"c{one}", sourceToolAssistantUUID=one)
        above = f"r{one}"


def silent() -> Iterator[Record]:
    """One message, and then none any more."""
    yield user("0", None)
    at = 0
    while True:
        at += 1
        yield notice(str(at), str(at - 1), "informational", content="nothing")


def circles() -> Iterator[Record]:
    """Pairs that hang on each other, each closed by its second record."""
    yield user("0", None)
    at = 1
    while True:
        yield user(str(at), str(at + 1))
        yield user(str(at + 1), str(at))
        at += 2


def on_themselves() -> Iterator[Record]:
    """Records that are their own parents."""
    yield user("0", None)
    at = 0
    while True:
        at += 1
        yield user(str(at), str(at))


def twice(records: int) -> list[Record]:
    """Half of them, and then the same again."""
    half = list(islice(straight(), records // 2))
    return half + half


def backwards(records: int) -> list[Record]:
    """The last record first."""
    return list(islice(straight(), records))[::-1]


def _first(shape: Callable[[], Iterator[Record]]) -> Callable[[int], list[Record]]:
    return lambda records: list(islice(shape(), records))


SHAPES: Final[dict[str, Callable[[int], list[Record]]]] = {
    "straight": _first(straight),
    "two writers": _first(two_writers),
    "two writers of batches": _first(two_writers_of_batches),
    "silent": _first(silent),
    "circles": _first(circles),
    "on themselves": _first(on_themselves),
    "twice": twice,
    "backwards": backwards,
}
