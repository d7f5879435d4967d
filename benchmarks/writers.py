"""Two writers that append in turn to one tree: the timeline's part, without bytes and format."""

from array import array
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.clocks import Clock, alone, profiled
from benchmarks.figures import Figure, times
from benchmarks.tapes import Shelf
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

_RECORDS: Final = 100_000
_TRUNK: Final = 100
_MOST: Final = 5.0
_LIMIT: Final = 2.0
"""Seconds after which the writers stop, however little they wrote."""

_BATCH: Final = 256


class Written(NamedTuple):
    """How many records were folded in how many seconds."""

    records: int
    seconds: float

    @property
    def each(self) -> float:
        """Microseconds of a record."""
        return self.seconds / self.records * 1e6


def figures(_shelf: Shelf) -> Iterator[Figure]:
    """Against one writer, who never leaves the end."""
    two = alone(write, Clock(), 2)
    one = alone(write, Clock(), 1)
    beside = times(two.each, one.each, f"one writer of {one.each:.1f} us")
    if two.records < _RECORDS:
        beside += f"; stopped after {two.records:,} records"
    look = partial(profiled, write, 2)
    yield Figure(f"{_RECORDS:,} records by two writers, each", two.each, "us", _MOST, beside, look)


def write(clock: Clock, writers: int) -> Written:
    """Fold what so many writers append in turn, each to a branch of its own."""
    builder = Builder(Timeline())
    trunk = [_append(builder, event) for event in range(_TRUNK)]
    branches = [list(trunk) for _ in range(writers)]
    records, seconds = clock.measure(partial(_write, builder, branches))
    return Written(records, seconds)


def _write(builder: Builder, branches: list[list[int]]) -> int:
    due = perf_counter() + _LIMIT
    for record in range(_RECORDS):
        branch = branches[record % len(branches)]
        builder.event = _TRUNK + record
        if len(branches) > 1:
            builder.resurface(branch, Reason.REWOUND)
        branch.append(_append(builder, _TRUNK + record))
        if record % _BATCH == _BATCH - 1:
            _publish(builder, _BATCH)
        if perf_counter() > due:
            return record + 1
    return _RECORDS


def _append(builder: Builder, event: int) -> int:
    builder.event = event
    return builder.append(Role.USER, Kind.MESSAGE, 1)


def _publish(builder: Builder, events: int) -> None:
    builder.publish(*(array(code, [0] * events) for code in "IHq"))
