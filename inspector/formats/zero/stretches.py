"""Sets of whole numbers as sorted, disjoint ranges."""

from bisect import bisect_right
from collections.abc import Iterable

Stretches = list[range]
"""Ranges that are not empty, in order, and do not touch each other."""


def joined(ranges: Iterable[range]) -> Stretches:
    """The set of all numbers in some ranges."""
    found: Stretches = []
    for one in sorted((one for one in ranges if one), key=lambda one: one.start):
        if found and one.start <= found[-1].stop:
            if one.stop > found[-1].stop:
                found[-1] = range(found[-1].start, one.stop)
        else:
            found.append(one)
    return found


def add(one: Stretches, number: int) -> None:
    """Put a number into a set that does not hold it."""
    at = bisect_right(one, number, key=lambda held: held.start)
    start, stop = number, number + 1
    if at < len(one) and one[at].start == stop:
        stop = one.pop(at).stop
    if at and one[at - 1].stop == start:
        at -= 1
        start = one.pop(at).start
    one.insert(at, range(start, stop))


def without(one: Stretches, other: Stretches) -> Stretches:
    """The numbers of one set that are not in another."""
    found: Stretches = []
    at = 0
    for wanted in one:
        start = wanted.start
        while at < len(other) and other[at].stop <= start:
            at += 1
        look = at
        while look < len(other) and other[look].start < wanted.stop:
            if start < other[look].start:
                found.append(range(start, other[look].start))
            start = other[look].stop
            look += 1
        if start < wanted.stop:
            found.append(range(start, wanted.stop))
    return found


def within(one: Stretches, start: int, stop: int) -> Stretches:
    """The numbers of a set from ``start`` up to ``stop``."""
    found: Stretches = []
    at = max(0, bisect_right(one, start, key=lambda held: held.start) - 1)
    while at < len(one) and one[at].start < stop:
        part = range(max(start, one[at].start), min(stop, one[at].stop))
        if part:
            found.append(part)
        at += 1
    return found


def holds(one: Stretches, number: int) -> bool:
    """Whether a number is in a set."""
    at = bisect_right(one, number, key=lambda held: held.start) - 1
    return at >= 0 and number in one[at]


def next_outside(one: Stretches, number: int) -> int:
    """The first number from this one on that is not in a set."""
    at = bisect_right(one, number, key=lambda held: held.start) - 1
    return one[at].stop if at >= 0 and number in one[at] else number
