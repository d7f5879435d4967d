"""Spans: the intervals that a tape tells of."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from inspector.columns import NEVER, Column, codes, signed, small, unsigned
from inspector.timeline.nodes import FILL
from inspector.timeline.words import WHILE_OPEN, Outcome, SpanKind

_GROUP: Final = 256


_WORDS: Final = 10_000
"""Different words for outcomes that are kept: a tape may invent one for every span."""

LONGEST_WORD: Final = 160
"""Characters of a word for an outcome; a longer one is cut and ends in an ellipsis."""


class Span(NamedTuple):
    """An interval: opened and closed are the cursors just after the events that did it.

    ``word`` is the outcome in the owner's words, None where it gave none or the span is open.
    """

    kind: SpanKind
    number: int | None
    opened: int
    closed: int | None
    outcome: Outcome
    word: str | None = None


class OutcomeWords:
    """Words for outcomes as small numbers; 0 is none, and so is one too many."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._words: list[str | None] = [None]

    def number(self, word: str) -> int:
        """The number of a word, new or known."""
        if len(word) > LONGEST_WORD:
            word = word[: LONGEST_WORD - 1] + "…"
        number = self._numbers.get(word)
        if number is None:
            number = len(self._words)
            if number > _WORDS:
                return 0
            self._words.append(word)
            self._numbers[word] = number
        return number

    def __getitem__(self, number: int) -> str | None:
        return self._words[number]


class Spans:
    """All intervals of one kind, numbered in the order of opening.

    Args:
        kind: what they are.
        words: where the words for outcomes are kept, if they are shared with other kinds.
    """

    def __init__(self, kind: SpanKind, words: OutcomeWords | None = None) -> None:
        self.kind = kind
        self._while_open = WHILE_OPEN.get(kind, Outcome.RUNNING)
        self._words = words or OutcomeWords()
        self._word: Column = codes()
        self._ended_at: Column = unsigned()
        self._ended: Column = unsigned()
        self.opened: Column = unsigned()
        self._number: Column = signed()
        self._closed: Column = unsigned()
        self._outcome: Column = small()
        self._latest_close: Column = unsigned()
        self._closed_in_group: Column = unsigned()
        # Of spans whose outcome was told anew: from which cursor on which outcome and word.
        self._amended: dict[int, list[tuple[int, int, int]]] = {}
        self._amended_at: dict[int, list[int]] = {}
        self._claimant: dict[int, int] = {}
        self._claimed: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.opened)

    def open(self, cursor: int, number: int | None) -> int:
        """Begin a span; ``number`` is the owner's, if it counts them."""
        span = len(self.opened)
        if span >= len(self._closed):
            self._closed.frombytes(b"\xff" * (FILL * self._closed.itemsize))
            self._outcome.frombytes(bytes((self._while_open,)) * FILL)
            self._word.frombytes(bytes(FILL * self._word.itemsize))
        if span % _GROUP == 0:
            self._latest_close.append(0)
            self._closed_in_group.append(0)
        self._number.append(-1 if number is None or not 0 <= number < 1 << 31 else number)
        self.opened.append(cursor)
        return span

    def close(self, span: int, cursor: int, outcome: Outcome, word: str | None = None) -> None:
        """End a span; ``word`` is its outcome in the owner's words."""
        self._outcome[span] = outcome
        if word:
            self._word[span] = self._words.number(word)
        self._closed[span] = cursor
        group = span // _GROUP
        # Cursors only grow, so this is the latest.
        self._latest_close[group] = cursor
        self._closed_in_group[group] += 1
        # The cursors are published last.
        self._ended.append(span)
        self._ended_at.append(cursor)

    def amend(self, span: int, cursor: int, outcome: Outcome, word: str | None = None) -> None:
        """Tell the outcome of a span that has ended anew; it ended when it did."""
        known = self._outcome[span], self._word[span]
        told = self._amended.setdefault(span, [(self._closed[span], *known)])
        self._outcome[span] = outcome
        self._word[span] = self._words.number(word) if word else 0
        told.append((cursor, self._outcome[span], self._word[span]))
        self._amended_at.setdefault(cursor, []).append(span)

    def claim(self, span: int, event: int) -> None:
        """A span that a record opened is of a later event: its message makes the call."""
        self._claimant[span] = event
        self._claimed.setdefault(event, []).append(span)

    def claimant(self, span: int, cursor: int) -> int | None:
        """The event up to a cursor that a span is of though it did not open it, or None."""
        event = self._claimant.get(span)
        return None if event is None or event >= cursor else event

    def claimed_by(self, event: int) -> list[int]:
        """The spans that an event did not open and that are of it."""
        return self._claimed.get(event, [])

    def claimants(self) -> Collection[int]:
        """The events of which spans are that they did not open."""
        return self._claimed.keys()

    def _as_of(self, span: int, cursor: int) -> tuple[int, int]:
        """The outcome and the word of a span that was told anew, as they stood at a cursor."""
        told = self._amended[span]
        return next(one[1:] for one in reversed(told) if one[0] <= cursor)

    def __getitem__(self, span: int) -> Span:
        number, closed = self._number[span], self._closed[span]
        return Span(
            self.kind,
            None if number < 0 else number,
            self.opened[span],
            None if closed == NEVER else closed,
            Outcome(self._outcome[span]),
            None if closed == NEVER else self._words[self._word[span]],
        )

    def at(self, span: int, cursor: int) -> Span:
        """A span as it stood at a cursor: still running if it was closed later."""
        found = self[span]
        if found.closed is not None and found.closed > cursor:
            return found._replace(closed=None, outcome=self._while_open, word=None)
        if span in self._amended:
            outcome, word = self._as_of(span, cursor)
            return found._replace(outcome=Outcome(outcome), word=self._words[word])
        return found

    def opened_by(self, event: int) -> int | None:
        """The first span that an event opened, or None."""
        at = bisect_left(self.opened, event + 1)
        return at if at < len(self.opened) and self.opened[at] == event + 1 else None

    def opened_or_closed_by(self, event: int) -> list[int]:
        """The spans that an event opened, then those that it ended and had not opened."""
        cursor = event + 1
        found: list[int] = []
        at = bisect_left(self.opened, cursor)
        while at < len(self.opened) and self.opened[at] == cursor:
            found.append(at)
            at += 1
        start, stop = bisect_left(self._ended_at, cursor), bisect_right(self._ended_at, cursor)
        ended = [*self._ended[start:stop], *self._amended_at.get(cursor, ())]
        return found + [span for span in ended if self.opened[span] != cursor]

    def ended(self, cursor: int) -> dict[Outcome, int]:
        """How many spans ended at or before a cursor, by outcome."""
        stop = bisect_right(self._ended_at, cursor)
        counted = Counter(self._outcome[span] for span in self._ended[:stop])
        for span in self._amended:
            if self._closed[span] <= cursor:
                counted[self._outcome[span]] -= 1
                counted[self._as_of(span, cursor)[0]] += 1
        return {Outcome(number): counted[number] for number in sorted(+counted)}

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
