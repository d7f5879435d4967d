"""The owner's numbers and ids by position, and back.

An id is nearly always a prefix and the number, so a *stretch* of events whose numbers count up
under one prefix is kept as where it begins. Of any other id a hash is kept, and the record is read
to be sure; of those in short stretches too, as a tape may have any number of these.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from inspector.columns import Column, codes, holds, unsigned, wide
from inspector.formats.zero.golang import LARGEST
from inspector.formats.zero.hashes import Hashes
from inspector.formats.zero.ids import Ids, split
from inspector.formats.zero.stretches import Stretches, joined, within

_REJECTED: Final = 0
_ODD: Final = 1
_PREFIXES: Final = 1_000
"""Prefixes that are told apart: a tape may invent one for every event."""

_SHORT: Final = 64
"""Events of a stretch that is long enough to be looked through."""


class Numbering:
    """What the events are called, in the order of their positions.

    Args:
        read: the id of the event at a position, from its record.

    Attributes:
        next: the number that goes on the last stretch; whoever knows that an event does counts on.
        goes_on: whether an event can go on it.
        looked: how many stretches were looked through.
    """

    def __init__(self, read: Callable[[int], str]) -> None:
        self._read = read
        self._position: Column = unsigned()
        self._number: Column = wide()
        self._prefix: Column = codes()
        self._rises: Column = unsigned()
        self._prefixes: list[str] = ["", ""]
        self._known: dict[str, int] = {}
        self._odd: Column = unsigned()
        self._long: Column = unsigned()
        self._apart = Hashes()
        self._again: dict[int, Stretches] = {}
        self._noted: tuple[str | None, int] = (None, -1)
        self.next = 0
        self.looked = 0
        self._last = ""
        self.goes_on = False
        self._largest = 0
        # The number asked for last, the stretches looked through for it, and what they hold.
        self._low: tuple[int, int, Stretches] = (0, 0, [])

    # What the decoder tells.

    def follows(self, number: int, identity: str) -> bool:
        """Whether an event goes on the last stretch."""
        return self.goes_on and number == self.next and identity == f"{self._last}{number}"

    def begin(self, position: int, number: int, identity: str) -> None:
        """An event that does not go on the stretch before it."""
        prefix, own = split(identity)
        which = self._prefix_number(prefix) if own == number else _ODD
        if which == _ODD:
            self._odd.append(position)
        self._last, self.goes_on = prefix, which != _ODD
        self._start(position, number, which)
        if which == _ODD:
            self._note(identity, position)

    def reject(self, position: int) -> None:
        """An event that the owner does not read: nothing refers to it."""
        self.goes_on = False
        self._add(position, min(self.next, LARGEST), _REJECTED)

    @property
    def largest(self) -> int:
        """The largest number so far; 0 before the first."""
        return max(self._largest, self.next - 1)

    def _start(self, position: int, number: int, which: int) -> None:
        if number < self.next or not self._rises:
            self._rises.append(len(self._number))
        self._largest = self.largest
        self.next = number + 1
        self._add(position, number, which)

    def _add(self, position: int, number: int, which: int) -> None:
        if self._position:
            self._end(position)
        self._number.append(number)
        self._prefix.append(which)
        # Readers find a stretch by its position, so that is what publishes one.
        self._position.append(position)

    def _end(self, stop: int) -> None:
        """The last stretch ends before a position."""
        prefix, start = self._prefix[-1], self._position[-1]
        if prefix <= _ODD:
            return
        if stop - start >= _SHORT:
            self._long.append(len(self._position) - 1)
            return
        for at in range(stop - start):
            own = f"{self._prefixes[prefix]}{self._number[-1] + at}"
            self._note(own, start + at)

    def _note(self, identity: str, position: int) -> None:
        """Keep where an id stands that no long stretch tells; one id may stand anywhere, often."""
        found = hash(identity)
        if identity != self._noted[0]:
            known = (at for at in self._apart.positions(found) if self.id(at) == identity)
            first = next(known, position)
            if first == position:
                self._apart.add(found, position)
            self._noted = identity, first
        first = self._noted[1]
        if first == position:
            return
        again = self._again.setdefault(first, [])
        if again and again[-1].stop == position:
            again[-1] = range(again[-1].start, position + 1)
        else:
            again.append(range(position, position + 1))

    def _prefix_number(self, prefix: str) -> int:
        which = self._known.get(prefix)
        if which is None:
            if len(self._prefixes) > _PREFIXES:
                return _ODD
            which = self._known[prefix] = len(self._prefixes)
            self._prefixes.append(prefix)
        return which

    # What one asks.

    def number(self, position: int) -> int | None:
        """The owner's number of an event; None of one that the owner does not read."""
        at = bisect_right(self._position, position) - 1
        if self._prefix[at] == _REJECTED:
            return None
        return self._number[at] + position - self._position[at]

    def id(self, position: int) -> str:
        """The owner's id of an event."""
        at = bisect_right(self._position, position) - 1
        if self._prefix[at] <= _ODD:
            return self._read(position)
        number = self._number[at] + position - self._position[at]
        return f"{self._prefixes[self._prefix[at]]}{number}"

    def numbered(self, number: int, events: int) -> list[int]:
        """The positions below ``events`` whose events bear a number."""
        return [
            self._position[at] + number - self._number[at]
            for at in self._near(number, number + 1, events)
            if self._prefix[at] != _REJECTED
            and number - self._number[at] < self._stop(at, events) - self._position[at]
        ]

    def up_to(self, number: int, events: int) -> Stretches:
        """The positions below ``events`` whose events bear a number up to this one."""
        stretches = bisect_left(self._position, events)
        asked, done, known = self._low
        if asked != number or done >= stretches:
            done, known = 0, []
        # Of the last stretch more events may come.
        ended = max(done, stretches - 1)
        known = self._with_low(known, range(done, ended), number, events)
        self._low = number, ended, known
        return self._with_low(known, range(ended, stretches), number, events)

    def _with_low(self, known: Stretches, stretches: range, number: int, events: int) -> Stretches:
        """Positions, and behind these those in some stretches whose numbers are low enough."""
        if not stretches:
            return known
        self.looked += len(stretches)
        found = known[:-1]
        start, stop = (known[-1].start, known[-1].stop) if known else (0, 0)
        numbers, prefixes = self._number, self._prefix
        last = self._stop(stretches.stop - 1, events)
        ends = (*self._position[stretches.start + 1 : stretches.stop], last)
        for at, end in zip(stretches, ends, strict=True):
            first = numbers[at]
            if first <= number and prefixes[at] != _REJECTED:
                begin = self._position[at]
                if begin != stop:
                    if start < stop:
                        found.append(range(start, stop))
                    start = begin
                stop = begin + number - first + 1
                stop = min(stop, end)
        if start < stop:
            found.append(range(start, stop))
        return found

    def of(self, ids: Ids, events: int) -> Stretches:
        """The positions below ``events`` whose events have one of these ids."""
        if not self._position:
            return []
        self.looked += len(self._long)
        found = [
            range(part.start + start - first, part.stop + start - first)
            for at in (*self._long, len(self._position) - 1)
            if self._prefix[at] > _ODD
            and (of_prefix := ids.ranges.get(self._prefixes[self._prefix[at]]))
            for first, start in ((self._number[at], self._position[at]),)
            for part in within(of_prefix, first, first + self._stop(at, events) - start)
        ]
        return joined([*found, *self._apart_ones(ids, events)])

    def _apart_ones(self, ids: Ids, events: int) -> Iterator[range]:
        if self._apart:
            for identity in ids:
                for first in self._apart.positions(hash(identity)):
                    if first < events and self.id(first) == identity:
                        yield range(first, first + 1)
                        yield from within(self._again.get(first, []), 0, events)

    def is_odd(self, position: int) -> bool:
        """Whether the id of an event is not a prefix and its number."""
        return holds(self._odd, position)

    # Stretches. Their numbers rise, but for some places: between two of these one can bisect.

    def _stop(self, stretch: int, events: int) -> int:
        """The position behind the last of a stretch."""
        following = stretch + 1
        stop = self._position[following] if following < len(self._position) else events
        return min(stop, events)

    def _near(self, first: int, stop: int, events: int) -> Iterator[int]:
        """The stretches in which numbers from ``first`` up to ``stop`` may be."""
        stretches = bisect_left(self._position, events)
        number, rises = self._number, self._rises
        for at in range(bisect_left(rises, stretches)):
            low = rises[at]
            high = min(rises[at + 1] if at + 1 < len(rises) else stretches, stretches)
            begin = max(low, bisect_right(number, first, low, high) - 1)
            yield from range(begin, bisect_left(number, stop, low, high))
