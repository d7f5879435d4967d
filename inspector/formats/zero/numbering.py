"""The owner's numbers and ids by position, and back.

An id is nearly always a prefix and the number, so a *stretch* of events whose numbers count up
under one prefix is kept as where it begins. Of any other id a hash is kept, and the record is read
to be sure.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from inspector.columns import Column, codes, holds, unsigned, wide
from inspector.formats.zero.golang import LARGEST
from inspector.formats.zero.stretches import Stretches, joined, of_numbers, within

_NO_PREFIX: Final = b"\xff"
"""No text begins with it."""

_REJECTED: Final = 0
_ODD: Final = 1
_PREFIXES: Final = 1_000
"""Prefixes that are told apart: a tape may invent one for every event."""

_ENDLESS: Final = 1 << 64

_DIGITS: Final = 18
"""Digits of a number that certainly fits."""


class Ids:
    """Some ids, those that are a prefix and a number as ranges of numbers.

    Attributes:
        all: every id.
        ranges: by prefix, the numbers.
        below: all numbers are below this one.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        numbers: dict[str, list[int]] = {}
        self.all: list[str] = []
        self._odd: set[str] = set()
        for identity in ids:
            self.all.append(identity)
            prefix, number = split(identity)
            if number is None:
                self._odd.add(identity)
            else:
                numbers.setdefault(prefix, []).append(number)
        self.ranges: dict[str, Stretches] = {
            prefix: of_numbers(of_prefix) for prefix, of_prefix in numbers.items()
        }
        self.below = max((ranges[-1].stop for ranges in self.ranges.values()), default=0)

    def __contains__(self, identity: str) -> bool:
        prefix, number = split(identity)
        if number is None:
            return identity in self._odd
        found = within(self.ranges.get(prefix, []), number, number + 1)
        return bool(found)


def split(identity: str) -> tuple[str, int | None]:
    """An id as its prefix, colon included, and its number; None if it does not end in one."""
    at = identity.rfind(":") + 1
    digits = identity[at:]
    if at and digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS:
        number = int(digits)
        if str(number) == digits:
            return identity[:at], number
    return identity, None


class Numbering:
    """What the events are called, in the order of their positions.

    Args:
        read: the id of the event at a position, from its record.

    Attributes:
        next: the number that goes on the last stretch.
        prefix: the bytes of its prefix; none where the next event begins a stretch anyway.
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
        self._hash: Column = wide()
        self.next = 0
        self.prefix = _NO_PREFIX
        self._largest = 0

    # What the decoder tells. An event that goes on the last stretch only counts `next` up.

    def begin(self, position: int, number: int, identity: str) -> None:
        """An event that does not go on the stretch before it."""
        prefix, own = split(identity)
        which = self._prefix_number(prefix) if own == number else _ODD
        if which == _ODD:
            self._hash.append(hash(identity))
            self._odd.append(position)
            self.prefix = _NO_PREFIX
        else:
            self.prefix = prefix.encode("utf-8", "surrogatepass")
        self._start(position, number, which)

    def reject(self, position: int) -> None:
        """An event that the owner does not read: nothing refers to it."""
        self.prefix = _NO_PREFIX
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
        self._number.append(number)
        self._prefix.append(which)
        # Readers find a stretch by its position, so that is what publishes one.
        self._position.append(position)

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
        return joined(
            range(start, min(self._stop(at, events), start + number - self._number[at] + 1))
            for at in self._near(-_ENDLESS, number + 1, events)
            if self._prefix[at] != _REJECTED
            for start in (self._position[at],)
        )

    def of(self, ids: Ids, events: int) -> Stretches:
        """The positions below ``events`` whose events have one of these ids."""
        found = [
            range(part.start + start - first, part.stop + start - first)
            for at in self._candidates(ids, events)
            if self._prefix[at] > _ODD
            and (of_prefix := ids.ranges.get(self._prefixes[self._prefix[at]]))
            for first, start in ((self._number[at], self._position[at]),)
            for part in within(of_prefix, first, first + self._stop(at, events) - start)
        ]
        return joined([*found, *self._odd_ones(ids, events)])

    def _odd_ones(self, ids: Ids, events: int) -> Iterator[range]:
        if not self._odd:
            return
        wanted = set(map(hash, ids.all))
        for at in range(bisect_left(self._odd, events)):
            if self._hash[at] in wanted:
                position = self._odd[at]
                if self._read(position) in ids:
                    yield range(position, position + 1)

    def is_odd(self, position: int) -> bool:
        """Whether the id of an event is not a prefix and its number."""
        return holds(self._odd, position)

    # Stretches. Their numbers rise, but for some places: between two of these one can bisect.

    def _stop(self, stretch: int, events: int) -> int:
        """The position behind the last of a stretch."""
        following = stretch + 1
        stop = self._position[following] if following < len(self._position) else events
        return min(stop, events)

    def _candidates(self, ids: Ids, events: int) -> Iterable[int]:
        """The stretches in which an event may have one of these ids."""
        parts = [part for of_prefix in ids.ranges.values() for part in of_prefix]
        stretches = bisect_left(self._position, events)
        if len(parts) * len(self._rises) > stretches:
            return range(stretches)
        return {at for part in parts for at in self._near(part.start, part.stop, events)}

    def _near(self, first: int, stop: int, events: int) -> Iterator[int]:
        """The stretches in which numbers from ``first`` up to ``stop`` may be."""
        stretches = bisect_left(self._position, events)
        number, rises = self._number, self._rises
        for at in range(bisect_left(rises, stretches)):
            low = rises[at]
            high = min(rises[at + 1] if at + 1 < len(rises) else stretches, stretches)
            begin = max(low, bisect_right(number, first, low, high) - 1)
            yield from range(begin, bisect_left(number, stop, low, high))
