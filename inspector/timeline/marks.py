"""What is noted along the cursors: usage of requests, marks to step to, settled stretches."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.columns import Column, unsigned, wide
from inspector.timeline.words import Mark

_CHECKPOINT: Final = 1_024
"""Reports between two sums that are kept."""


class Usage(NamedTuple):
    """Tokens of one request as its provider reported them; ``input`` is what was not cached."""

    event: int
    input: int
    cache_read: int
    cache_write: int
    output: int

    @property
    def context(self) -> int:
        """All tokens that were sent."""
        return self.input + self.cache_read + self.cache_write


class UsageTable:
    """The reported usage of every request, by the event that told of it.

    A later event may report the same request more fully: the report is *revised*. An earlier
    cursor still shows what was known there, and a request counts once at every cursor.
    """

    def __init__(self) -> None:
        self._event: Column = unsigned()
        self._input: Column = wide()
        self._cache_read: Column = wide()
        self._cache_write: Column = wide()
        self._output: Column = wide()
        self._columns = (self._input, self._cache_read, self._cache_write, self._output)
        self._revision: Column = unsigned()
        self._revised: Column = unsigned()
        # Of all requests before every so many reports, as they were known there.
        self._sums: list[list[int]] = []

    def __len__(self) -> int:
        """How many reports there are, revisions included."""
        return len(self._event)

    def __getitem__(self, at: int) -> Usage:
        return Usage(self._event[at], *(column[at] for column in self._columns))

    def add(self, usage: Usage, of: int | None = None) -> int:
        """Note the usage of one request.

        Args:
            usage: as the event reports it, which is not before any that reported one.
            of: the last report so far of the same request, by its number.

        Returns:
            The number of the report.
        """
        event, uncached, read, written, output = usage
        return self.note(event, uncached, read, written, output, of)

    def note(
        self, event: int, uncached: int, read: int, written: int, output: int, of: int | None
    ) -> int:
        """`add` of the parts of a usage, in its order."""
        number = len(self._event)
        if number % _CHECKPOINT == 0:
            self._sums.append(self._sums_of(number))
        if of is not None:
            self._revised.append(of)
            self._revision.append(number)
        self._input.append(uncached)
        self._cache_read.append(read)
        self._cache_write.append(written)
        self._output.append(output)
        self._event.append(event)
        return number

    def last(self, cursor: int) -> Usage | None:
        """The last usage reported by the events folded at a cursor."""
        at = bisect_left(self._event, cursor)
        return self[at - 1] if at else None

    def requests(self, cursor: int) -> Iterator[Usage]:
        """The usage of each request, as it was known at a cursor, in the order reported."""
        reports = bisect_left(self._event, cursor)
        outdated = set(self._revised[: bisect_left(self._revision, reports)])
        return (self[at] for at in range(reports) if at not in outdated)

    def count(self, cursor: int) -> int:
        """How many requests were reported by the events folded at a cursor."""
        reports = bisect_left(self._event, cursor)
        return reports - bisect_left(self._revision, reports)

    def first_reported(self, cursor: int) -> Iterator[tuple[int, Usage]]:
        """The event that first reported each request, and its usage as it was known at a cursor.

        In the order in which they were first reported.
        """
        reports = bisect_left(self._event, cursor)
        revised = self._revised[: bisect_left(self._revision, reports)]
        known = list(range(reports))
        first = [True] * reports
        pairs = zip(revised, self._revision[: len(revised)], strict=True)
        for of, revision in reversed(list(pairs)):
            known[of] = known[revision]
            first[revision] = False
        for at in range(reports):
            if first[at]:
                yield self._event[at], self[known[at]]

    def reports(self, start: int, cursor: int) -> Iterator[tuple[Usage, int | None]]:
        """The reports from a number on, by the events folded at a cursor.

        Each with the number of the one that it revises, or None.
        """
        revision = bisect_left(self._revision, start)
        for number in range(start, bisect_left(self._event, cursor)):
            of = None
            if revision < len(self._revision) and self._revision[revision] == number:
                of = self._revised[revision]
                revision += 1
            yield self[number], of

    def total(self, cursor: int) -> Usage:
        """The usage of all requests together, as it was known at a cursor; its event is the last.

        Of no request at all the event is -1.
        """
        reports = bisect_left(self._event, cursor)
        return Usage(self._event[reports - 1] if reports else -1, *self._sums_of(reports))

    def _sums_of(self, reports: int) -> list[int]:
        """The sums of all requests, as they were known after so many reports."""
        if not reports:
            return [0] * len(self._columns)
        at = (reports - 1) // _CHECKPOINT
        start = at * _CHECKPOINT
        first, stop = (bisect_left(self._revision, number) for number in (start, reports))
        revised = self._revised[first:stop]
        return [
            before + sum(column[start:reports]) - sum(column[of] for of in revised)
            for before, column in zip(self._sums[at], self._columns, strict=True)
        ]


class Marks:
    """The events of each class of marks, in order and once each."""

    def __init__(self) -> None:
        self._events: list[Column] = [unsigned() for _ in Mark]

    def add(self, mark: Mark, event: int) -> None:
        """Mark an event, not before any of the class."""
        column = self._events[mark]
        if not column or column[-1] != event:
            column.append(event)

    def events(self, mark: Mark) -> Column:
        """The positions of a class, sorted."""
        return self._events[mark]

    def within(self, mark: Mark, start: int, stop: int) -> int:
        """How many events of a class have ``start <= position < stop``."""
        column = self._events[mark]
        return bisect_left(column, stop) - bisect_left(column, start)


class Settled:
    """At which cursors the owner could make a request."""

    def __init__(self) -> None:
        self._changes: Column = unsigned()

    def set(self, cursor: int, settled: bool) -> None:
        """From ``cursor`` on the tape is settled, or is not."""
        if settled == (len(self._changes) % 2 == 0):
            return
        if self._changes and self._changes[-1] == cursor:
            self._changes.pop()
        else:
            self._changes.append(cursor)

    def unsettled(self) -> Iterator[tuple[int, int | None]]:
        """The ranges of cursors that are not settled; the last may have no end yet."""
        known = list(self._changes)
        ends: list[int | None] = [*known[1::2], None]
        yield from zip(known[::2], ends, strict=False)

    def at(self, cursor: int) -> bool:
        """Whether a cursor is settled."""
        return bisect_right(self._changes, cursor) % 2 == 0


class Pairs:
    """Which result answers which call, by the positions of their events."""

    def __init__(self) -> None:
        self._call: Column = unsigned()
        self._result: Column = unsigned()
        self._in_order = True
        # Of results that stood before their calls, so that the call told of the pair.
        self._early_calls: dict[int, int] = {}
        self._early_results: dict[int, int] = {}

    def add(self, call: int, result: int) -> None:
        """A result answers a call; results nearly always come in order, calls need not."""
        if self._result and result < self._result[-1]:
            self._early_calls.setdefault(result, call)
            first = self._early_results.setdefault(call, result)
            self._early_results[call] = min(first, result)
            return
        if self._call and call < self._call[-1]:
            self._in_order = False
        self._call.append(call)
        self._result.append(result)

    def all(self) -> Iterator[tuple[int, int]]:
        """Calls and what answers each; those whose results stood before them come last."""
        yield from zip(self._call, self._result, strict=False)
        yield from ((call, result) for result, call in self._early_calls.items())

    def call_of(self, result: int) -> int | None:
        """The call that a result answers, or None."""
        at = bisect_left(self._result, result)
        known = at < len(self._result) and self._result[at] == result
        return self._call[at] if known else self._early_calls.get(result)

    def result_of(self, call: int) -> int | None:
        """The first result that answers a call, or None."""
        found = (self._early_results.get(call), self._in_turn(call))
        return min((result for result in found if result is not None), default=None)

    def _in_turn(self, call: int) -> int | None:
        if self._in_order:
            at = bisect_left(self._call, call)
            known = at < len(self._call) and self._call[at] == call
            return self._result[at] if known else None
        try:
            return self._result[self._call.index(call)]
        except ValueError:
            return None


class Kin(NamedTuple):
    """How a tape belongs to another: ``boundary`` is how many of its events it shares."""

    relation: str
    tape: str
    boundary: int | None
