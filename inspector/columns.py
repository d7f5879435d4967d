"""Columns: growing arrays of small numbers that one thread appends to while others read.

An append is atomic under the interpreter lock, and a reader only looks at what was published, so
no lock is needed. Nobody takes a buffer view of a column: it would forbid its growth.
"""

from array import array
from bisect import bisect_left, bisect_right
from typing import Final, TypeAlias

Column: TypeAlias = "array[int]"

NEVER: Final = 0xFFFF_FFFF
"""A cursor that no tape reaches: the ``gone`` of what is still there."""

NO_TIME: Final = -(1 << 63)
"""The time of an event that records none."""


def signed() -> Column:
    """Numbers that fit 32 bits with a sign: nodes, elements, links."""
    return array("i")


def unsigned() -> Column:
    """Numbers from 0 that fit 32 bits: positions, cursors, tokens."""
    return array("I")


def wide() -> Column:
    """Numbers that fit 64 bits with a sign: byte offsets, epochs, sums."""
    return array("q")


def small() -> Column:
    """Members of a vocabulary: one byte."""
    return array("B")


def codes() -> Column:
    """Interned names: two bytes."""
    return array("H")


def after(column: Column, value: int) -> int | None:
    """The first entry of a sorted column greater than ``value``."""
    at = bisect_right(column, value)
    return column[at] if at < len(column) else None


def before(column: Column, value: int) -> int | None:
    """The last entry of a sorted column less than ``value``."""
    at = bisect_left(column, value)
    return column[at - 1] if at else None


def holds(column: Column, value: int) -> bool:
    """Whether a sorted column has an entry."""
    at = bisect_left(column, value)
    return at < len(column) and column[at] == value
