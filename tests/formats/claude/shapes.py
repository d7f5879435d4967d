"""Long transcripts of shapes that only a hostile or a torn tape has, a record at a time."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from tests.formats.claude.transcripts import (
    Record,
    answer,
    boundary,
    call,
    notice,
    result,
    summary,
    user,
)


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


def kept_from_the_start() -> Iterator[Record]:
    """Compactions that each keep all answers so far, below the newest summary."""
    yield user("u", None)
    yield answer("a0", "u")
    at = 0
    while True:
        at += 1
        segment = {"headUuid": "a0", "tailUuid": f"a{at - 1}", "anchorUuid": f"s{at}"}
        yield boundary(f"b{at}", preservedSegment=segment)
        yield summary(f"s{at}", f"b{at}")
        yield answer(f"a{at}", f"s{at}")


def kept_at_the_end() -> Iterator[Record]:
    """Compactions that each keep the last two messages."""
    yield user("u", None)
    yield answer("a0", "u")
    yield user("q0", "a0")
    at = 0
    while True:
        at += 1
        kept = {"uuids": [f"a{at - 1}", f"q{at - 1}"], "anchorUuid": f"s{at}"}
        yield boundary(f"b{at}", preservedMessages=kept)
        yield summary(f"s{at}", f"b{at}")
        yield answer(f"a{at}", f"s{at}")
        yield user(f"q{at}", f"a{at}")


def kept_below_many() -> Iterator[Record]:
    """Compactions that each keep the last answer, so that the chain gets longer above it."""
    yield user("u", None)
    yield answer("a0", "u")
    at = 0
    while True:
        at += 1
        above = f"a{at - 1}"
        segment = {"headUuid": above, "tailUuid": above, "anchorUuid": f"s{at}"}
        yield boundary(f"b{at}", f"a{at - 2}" if at > 1 else "u", preservedSegment=segment)
        yield summary(f"s{at}", f"b{at}")
        yield answer(f"a{at}", f"s{at}")


def one_message() -> Iterator[Record]:
    """Lines of one message of the API, each hanging on the one before, with a result each."""
    yield user("u", None)
    above, at = "u", 0
    while True:
        at += 1
        yield answer(f"a{at}", above, call(f"c{at}"), of="m")
        yield result(f"r{at}", f"a{at}", f"c{at}")
        above = f"a{at}"


def one_message_on_branches() -> Iterator[Record]:
    """Lines of one message of the API, each below a prompt of its own."""
    yield user("u", None)
    above, at = "u", 0
    while True:
        at += 1
        yield user(f"q{at}", "u" if at % 2 else above)
        yield answer(f"a{at}", f"q{at}", call(f"c{at}"), of="m")
        above = f"a{at}"


def caterpillar() -> Iterator[Record]:
    """Two writers, one of whom goes back to where the other one's branch begins."""
    yield user("0", None)
    yield user("x0", "0")
    at = 0
    while True:
        at += 1
        yield answer(str(at), str(at - 1))
        yield answer(f"x{at}", f"x{at - 1}")
        yield user(f"y{at}", str(at // 2))


def cleared() -> Iterator[Record]:
    """Two writers behind a record that clears a result."""
    yield user("u", None)
    yield answer("a", "u", call("c"))
    yield result("r", "a", "c")
    metadata = {"trigger": "auto", "compactedToolIds": ["c"]}
    yield notice("clear", "r", "microcompact_boundary", microcompactMetadata=metadata)
    yield user("0", "clear")
    yield user("1", "clear")
    at = 2
    while True:
        yield user(str(at), str(at - 2)) if at % 4 < 2 else answer(str(at), str(at - 2))
        at += 1


def cleared_often() -> Iterator[Record]:
    """Every result is cleared, and now and then the writer goes back to the beginning."""
    yield user("u", None)
    above, at = "u", 0
    while True:
        at += 1
        yield answer(f"a{at}", above, call(f"c{at}"))
        yield result(f"r{at}", f"a{at}", f"c{at}")
        metadata = {"trigger": "auto", "compactedToolIds": [f"c{at}"]}
        yield notice(f"b{at}", f"r{at}", "microcompact_boundary", microcompactMetadata=metadata)
        above = f"b{at}"
        if at % 2 == 0:
            yield user(f"x{at}", "u")


def changed(records: int) -> list[Record]:
    """Half of them, and then the same again with other words."""
    half = list(islice(straight(), records // 2))
    again = [
        {**one, "message": {**one["message"], "content": f"again {at}"}}
        for at, one in enumerate(half)
    ]
    return half + again


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
    "kept from the start": _first(kept_from_the_start),
    "kept at the end": _first(kept_at_the_end),
    "kept below many": _first(kept_below_many),
    "one message": _first(one_message),
    "one message on branches": _first(one_message_on_branches),
    "caterpillar": _first(caterpillar),
    "cleared": _first(cleared),
    "cleared often": _first(cleared_often),
    "changed": changed,
    "twice": twice,
    "backwards": backwards,
}
