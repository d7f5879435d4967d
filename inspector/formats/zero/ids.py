"""The owner's ids, nearly all of which are a prefix and a number (format page 3)."""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.formats.zero.stretches import Stretches, joined, within

_DIGITS: Final = 18
"""Digits of a number that certainly fits."""

_BEYOND: Final = 10**_DIGITS


class Ids:
    """Some ids, those that are a prefix and a number as ranges of numbers.

    The texts themselves are not kept: they are many, and a compaction counts for long.

    Attributes:
        ranges: by prefix, the numbers.
        below: all numbers are below this one.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        runs: dict[str, list[range]] = {}
        self._odd: set[str] = set()
        prefix, first, following = "", 0, -1
        for identity in ids:
            if 0 < following < _BEYOND and identity == f"{prefix}{following}":
                # As the owner lists them: each by the number behind that of the last.
                following += 1
                continue
            if following > 0:
                runs.setdefault(prefix, []).append(range(first, following))
            prefix, number = split(identity)
            if number is None:
                self._odd.add(identity)
                following = -1
            else:
                first, following = number, number + 1
        if following > 0:
            runs.setdefault(prefix, []).append(range(first, following))
        self.ranges: dict[str, Stretches] = {own: joined(parts) for own, parts in runs.items()}
        self.below = max((ranges[-1].stop for ranges in self.ranges.values()), default=0)

    def __eq__(self, other: object) -> bool:
        """Whether the ids are the same."""
        if not isinstance(other, Ids):
            return NotImplemented
        return self.ranges == other.ranges and self._odd == other._odd

    __hash__ = None  # type: ignore[assignment] # it is never a key

    def __bool__(self) -> bool:
        return bool(self.ranges or self._odd)

    def __iter__(self) -> Iterator[str]:
        """Every id once, in no order."""
        yield from self._odd
        for prefix, ranges in self.ranges.items():
            for part in ranges:
                yield from (f"{prefix}{number}" for number in part)

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
