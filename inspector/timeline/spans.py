"""Spans: the intervals that a tape tells of."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.columns import NEVER, Column, signed, small, unsigned
from inspector.timeline.nodes import FILL
from inspector.timeline.words import Outcome, SpanKind

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
