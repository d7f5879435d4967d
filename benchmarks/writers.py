"""Two writers that append in turn to one tree: the timeline's part, without bytes and format."""

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from benchmarks.clocks import Clock, alone, chances, percentile, private_bytes, profiled
from benchmarks.figures import Figure, times
from benchmarks.tapes import Shelf
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

_RECORDS: Final = 100_000
_TRUNK: Final = 100
_MOST: Final = 5.0
_WINDOW: Final = 60
_WINDOW_MOST: Final = 2.0
_BYTES: Final = 100
_SEEKS: Final = 1_000
_REWRITES: Final = 1_000

_BATCH: Final = 256


class Written(NamedTuple):
    """How many records were folded in how many seconds."""

    records: int
    seconds: float

    @property
    def each(self) -> float:
        """Microseconds of a record."""
        return self.seconds / self.records * 1e6


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Against one writer, who never leaves the end; then what their timeline answers and keeps."""
    two, one = (alone(write, Clock(), writers) for writers in (2, 1))
    beside = times(two.each, one.each, f"one writer of {one.each:.1f} us")
    look = partial(profiled, write, 2)
    yield Figure(f"{_RECORDS:,} records by two writers, each", two.each, "us", _MOST, beside, look)
    rewritten = alone(rewrite, Clock())
    beside = f"the whole surface of {_RECORDS:,} rows is told, of which one is another"
    look = partial(profiled, rewrite)
    yield Figure("a rewritten surface", rewritten.each / 1e3, "ms", None, beside, look)
    for what, ask in (
        (f"count and {_WINDOW} rows", seek_windows),
        (f"visibility of {_WINDOW} events", seek_visibilities),
    ):
        seconds = alone(ask, Clock(), shelf.rounds(_SEEKS))
        look = partial(profiled, ask, _SEEKS)
        beside = f"p50 {percentile(seconds, 0.5):.2f} ms"
        taken = percentile(seconds, 0.95)
        yield Figure(f"two writers, {what}, p95", taken, "ms", _WINDOW_MOST, beside, look)
    for writers, turn, budget in ((1, 1, _BYTES), (2, 50, _BYTES), (2, 1, None)):
        kept = alone(keep, writers, turn) / (_TRUNK + _RECORDS)
        what = f"memory of a tree, {writers} writing {turn} in turn, private, an event"
        yield Figure(what, kept, "bytes", budget if kept else None, "the timeline alone")


def write(clock: Clock, writers: int) -> Written:
    """Fold what so many writers append in turn, each to a branch of its own."""
    _, seconds = clock.measure(partial(_written, writers))
    return Written(_TRUNK + _RECORDS, seconds)


def rewrite(clock: Clock) -> Written:
    """Tell a long surface anew, each time with another row left out."""
    builder = Builder(Timeline())
    rows = [_append(builder, event) for event in range(_RECORDS)]
    _publish(builder, _RECORDS)
    chance, seconds = chances(), 0.0
    for event in range(_REWRITES):
        builder.event = _RECORDS + event
        left_out = chance.randrange(_RECORDS)
        wanted = rows[:left_out] + rows[left_out + 1 :]
        seconds += clock.measure(partial(builder.resurface, wanted, Reason.REWOUND))[1]
        _publish(builder, 1)
    return Written(_REWRITES, seconds)


def seek_windows(clock: Clock, seeks: int) -> list[float]:
    """The number of rows and a window of them, at any cursor and any place."""

    def window(timeline: Timeline, cursor: int, share: float) -> None:
        start = int(share * max(0, timeline.count(cursor) - _WINDOW))
        timeline.rows(cursor, start, start + _WINDOW)

    return _sought(clock, seeks, window)


def seek_visibilities(clock: Clock, seeks: int) -> list[float]:
    """What became of neighbouring events anywhere, at any cursor."""

    def window(timeline: Timeline, cursor: int, share: float) -> None:
        start = int(share * max(0, cursor - _WINDOW))
        for event in range(start, min(start + _WINDOW, cursor)):
            timeline.visibility(event, cursor)

    return _sought(clock, seeks, window)


def _sought(clock: Clock, seeks: int, ask: Callable[[Timeline, int, float], None]) -> list[float]:
    (timeline, _), chance = _written(2), chances()
    found: list[float] = []
    for _ in range(seeks):
        cursor, share = chance.randint(0, timeline.events), chance.random()
        found.append(clock.measure(partial(ask, timeline, cursor, share))[1])
    return found


def keep(writers: int, turn: int) -> int:
    """Private bytes that a process has more of after the fold; 0 where the system does not tell."""
    _written(writers, turn)
    before = private_bytes()
    written = _written(writers, turn)
    found = private_bytes() - before
    del written
    return found


def _written(writers: int, turn: int = 1) -> tuple[Timeline, Forest]:
    """Records by writers of whom each appends so many in turn."""
    timeline = Timeline()
    builder = Builder(timeline)
    forest = Forest(builder)
    leaves: list[int | None] = [None] * writers
    for record in range(_TRUNK + _RECORDS):
        builder.event = record
        writer = record // turn % writers
        leaf = forest.grow(leaves[writer], Reason.REWOUND)
        forest.attach(_append(builder, record))
        if record < _TRUNK:
            leaves = [leaf] * writers
        else:
            leaves[writer] = leaf
        if record % _BATCH == _BATCH - 1:
            _publish(builder, _BATCH)
    _publish(builder, (_TRUNK + _RECORDS) % _BATCH)
    return timeline, forest


def _append(builder: Builder, event: int) -> int:
    builder.event = event
    return builder.append(Role.USER, Kind.MESSAGE, 1)


def _publish(builder: Builder, events: int) -> None:
    builder.publish(*(array(code, [0] * events) for code in "IHq"))
