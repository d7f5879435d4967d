"""Histories beside the surface: registers, spans, usage, marks, settled cursors."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from inspector.columns import NEVER, Column, signed, small, unsigned, wide
from inspector.timeline.nodes import FILL
from inspector.timeline.words import Mark, Outcome, SpanKind


class InPayload:
    """The value of a register that is read from its event's payload when somebody looks."""


IN_PAYLOAD: Final = InPayload()

Scalar: TypeAlias = str | int | float | bool | None


def _same(one: Scalar | InPayload, other: Scalar | InPayload) -> bool:
    """Whether a value is the same scalar; ``1`` is not ``True``, and a payload is always new."""
    return one is not IN_PAYLOAD and type(one) is type(other) and one == other


class Setting(NamedTuple):
    """The value of a register: since which cursor, set by which event."""

    value: Scalar | InPayload
    since: int
    event: int


class Registers:
    """Named values with their histories."""

    def __init__(self) -> None:
        self._cursors: dict[str, Column] = {}
        self._values: dict[str, list[Scalar | InPayload]] = {}

    def set(self, name: str, value: Scalar | InPayload, cursor: int) -> None:
        """The register has this value from ``cursor`` on; a repeated scalar is no change."""
        if name not in self._cursors:
            self._cursors[name] = unsigned()
            self._values[name] = []
        cursors, values = self._cursors[name], self._values[name]
        if cursors and cursors[-1] == cursor:
            # The same event set it before, and what one event does is netted.
            cursors.pop()
            values.pop()
        if values and _same(values[-1], value):
            return
        values.append(value)
        cursors.append(cursor)

    def at(self, name: str, cursor: int) -> Setting | None:
        """The value of a register at a cursor, or None if it was not set by then."""
        cursors = self._cursors.get(name)
        if cursors is None:
            return None
        at = bisect_right(cursors, cursor)
        if not at:
            return None
        since = cursors[at - 1]
        return Setting(self._values[name][at - 1], since, since - 1)

    def state(self, cursor: int) -> dict[str, Setting]:
        """All registers that are set at a cursor, in the order in which they were first set."""
        return {
            name: setting
            for name in tuple(self._cursors)
            if (setting := self.at(name, cursor)) is not None
        }


_GROUP: Final = 256


class Span(NamedTuple):
    """An interval: opened and closed are the cursors just after the events that did it."""

    kind: SpanKind
    number: int | None
    opened: int
    closed: int | None
    outcome: Outcome


class Spans:
    """All intervals of one kind, numbered in the order of opening."""

    def __init__(self, kind: SpanKind) -> None:
        self.kind = kind
        self.opened: Column = unsigned()
        self._number: Column = signed()
        self._closed: Column = unsigned()
        self._outcome: Column = small()
        self._latest_close: Column = unsigned()
        self._closed_in_group: Column = unsigned()

    def __len__(self) -> int:
        return len(self.opened)

    def open(self, cursor: int, number: int | None) -> int:
        """Begin a span; ``number`` is the owner's, if it counts them."""
        span = len(self.opened)
        if span >= len(self._closed):
            self._closed.frombytes(b"\xff" * (FILL * self._closed.itemsize))
            self._outcome.frombytes(bytes((Outcome.RUNNING,)) * FILL)
        if span % _GROUP == 0:
            self._latest_close.append(0)
            self._closed_in_group.append(0)
        self._number.append(-1 if number is None or not 0 <= number < 1 << 31 else number)
        self.opened.append(cursor)
        return span

    def close(self, span: int, cursor: int, outcome: Outcome) -> None:
        """End a span."""
        self._outcome[span] = outcome
        self._closed[span] = cursor
        group = span // _GROUP
        # Cursors only grow, so this is the latest.
        self._latest_close[group] = cursor
        self._closed_in_group[group] += 1

    def __getitem__(self, span: int) -> Span:
        number, closed = self._number[span], self._closed[span]
        return Span(
            self.kind,
            None if number < 0 else number,
            self.opened[span],
            None if closed == NEVER else closed,
            Outcome(self._outcome[span]),
        )

    def at(self, span: int, cursor: int) -> Span:
        """A span as it stood at a cursor: still running if it was closed later."""
        found = self[span]
        if found.closed is not None and found.closed > cursor:
            return found._replace(closed=None, outcome=Outcome.RUNNING)
        return found

    def opened_by(self, event: int) -> int | None:
        """The first span that an event opened, or None."""
        at = bisect_left(self.opened, event + 1)
        return at if at < len(self.opened) and self.opened[at] == event + 1 else None

    def last(self, cursor: int) -> int | None:
        """The span opened last at or before a cursor."""
        at = bisect_right(self.opened, cursor)
        return at - 1 if at else None

    def open_at(self, cursor: int) -> Iterator[Span]:
        """The spans open at a cursor, latest first."""
        stop = bisect_right(self.opened, cursor)
        for group in range((stop - 1) // _GROUP, -1, -1):
            all_closed = self._closed_in_group[group] == _GROUP
            if all_closed and self._latest_close[group] <= cursor:
                continue
            for span in range(min(stop, (group + 1) * _GROUP) - 1, group * _GROUP - 1, -1):
                if self._closed[span] > cursor:
                    yield self.at(span, cursor)

    def numbered(self, number: int) -> Iterator[int]:
        """The spans that bear an owner's number."""
        at = -1
        while True:
            try:
                at = self._number.index(number, at + 1)
            except ValueError:
                return
            yield at


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
