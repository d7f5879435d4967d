"""What is measured: one figure, its budget, and how to look into it."""

from collections.abc import Callable
from typing import NamedTuple

Look = Callable[[], list[str]]
"""Measures once more, under a profiler, and returns its top lines."""


class Figure(NamedTuple):
    """One row of the table.

    Attributes:
        what: what was measured.
        measured: the figure, smaller is better.
        unit: of the figure and its budget: ``ms``, ``x`` (times a baseline), ``bytes`` …
        budget: the most that it may be, or None where it has none.
        beside: the baseline of the same run, and the ratio to it.
        look: profiles exactly this, or None where there is nothing to see.
    """

    what: str
    measured: float
    unit: str
    budget: float | None
    beside: str
    look: Look | None = None

    @property
    def over(self) -> bool:
        """Whether it is more than its budget."""
        return self.budget is not None and self.measured > self.budget

    @property
    def verdict(self) -> str:
        """``ok``, ``OVER``, or nothing where there is no budget."""
        if self.budget is None:
            return ""
        return "OVER" if self.over else "ok"


class Unmeasured(Exception):  # noqa: N818 - the benchmark ends early, nothing is broken
    """Something could not be measured; the message says why."""


def shown(value: float, unit: str) -> str:
    """A value with its unit, as precise as it needs to be."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def times(value: float, base: float, of: str) -> str:
    """How many times a baseline a value is."""
    return f"{value / base:,.2f} x {of}" if base else of
