"""What is noted along the cursors: usage of requests, marks to step to, settled stretches."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from inspector.columns import Column, unsigned, wide
from inspector.timeline.words import Mark


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
    """The reported usage of every request, by the event that told of it."""

    def __init__(self) -> None:
        self._event: Column = unsigned()
        self._input: Column = wide()
        self._cache_read: Column = wide()
        self._cache_write: Column = wide()
        self._output: Column = wide()

    def __len__(self) -> int:
        return len(self._event)

    def __getitem__(self, at: int) -> Usage:
        return Usage(
            self._event[at],
            self._input[at],
            self._cache_read[at],
            self._cache_write[at],
            self._output[at],
        )

    def add(self, usage: Usage) -> None:
        """Note the usage of one request."""
        self._input.append(usage.input)
        self._cache_read.append(usage.cache_read)
        self._cache_write.append(usage.cache_write)
        self._output.append(usage.output)
        self._event.append(usage.event)

    def last(self, cursor: int) -> Usage | None:
        """The last usage reported by the events folded at a cursor."""
        at = bisect_left(self._event, cursor)
        return self[at - 1] if at else None


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

    def at(self, cursor: int) -> bool:
        """Whether a cursor is settled."""
        return bisect_right(self._changes, cursor) % 2 == 0


class Pairs:
    """Which result answers which call, by the positions of their events."""

    def __init__(self) -> None:
        self._call: Column = unsigned()
        self._result: Column = unsigned()
        self._in_order = True

    def add(self, call: int, result: int) -> None:
        """A result answers a call; results come in order, calls need not."""
        if self._call and call < self._call[-1]:
            self._in_order = False
        self._call.append(call)
        self._result.append(result)

    def call_of(self, result: int) -> int | None:
        """The call that a result answers, or None."""
        at = bisect_left(self._result, result)
        known = at < len(self._result) and self._result[at] == result
        return self._call[at] if known else None

    def result_of(self, call: int) -> int | None:
        """The first result that answers a call, or None."""
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
