"""The list of messages that a loader makes of compactions, by each of the two readings of indexes.

An *element* of a list is a message, by its number among all messages from 0, or a summary: ``~k``
for that of the k-th compaction. The lists are arrays of these and are changed at the end nearly
always, so that a change costs what moves and not what stands.
"""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import repeat
from typing import Final, NamedTuple, TypeAlias

from inspector.columns import NEVER, Column, signed, unsigned
from inspector.formats.reina.claims import Claims

_ORDINARY: Final = 500_000
_PER_MESSAGE: Final = 8
"""Steps that may be taken to compute a list anew: so many, and more for every message. Overlapping
ranges in no order may have each compaction decide anew what all others hide."""

_SLICE: Final = 64
"""Elements that are copied in the time of one step."""

Block: TypeAlias = range
"""Messages that follow each other, or one summary, ``range(~k, ~k + 1)``."""


class OverworkedError(Exception):
    """So much would have to be computed anew that it cannot be followed."""


class Splice(NamedTuple):
    """Elements that follow each other leave a list, and a summary stands in their place."""

    hidden: Column
    summary: int


class Rewrite(NamedTuple):
    """A list was made anew, and may be the same: then others may hide what it does not show.

    Attributes:
        before: what it was.
        hidden: of each summary that holds now, in the order in which they were put in, what it
            hides by itself.
    """

    before: Column
    hidden: list[tuple[int, list[Block]]]


Change: TypeAlias = Splice | Rewrite | None


class Sequential:
    """Indexes of the list as the compactions before left it; what does not fit is skipped for good.

    Args:
        messages: how many there are so far.

    Attributes:
        elements: the list.
    """

    def __init__(self, messages: int) -> None:
        self.elements = _numbered(messages)

    def message(self, number: int) -> Change:
        """A message comes."""
        self.elements.append(number)
        return None

    def compact(self, summary: int, first: int, last: int) -> Change:
        """A compaction comes, whose range begins at 0 or later and is not empty."""
        if last >= len(self.elements):
            return None
        return Splice(_spliced(self.elements, first, last, summary), summary)


class Exercise:
    """Indexes of the messages as they were written (format page 3.3).

    The owner reads everything first. Then it goes through the compactions, those that begin further
    on first, and those that begin alike as they were written; one whose range ends behind the list
    as it is by then is passed over. So a later message can make an earlier compaction hold.

    What is done forwards here: while no ranges overlap each one changes messages that still stand
    as they were written, and so does one behind everything that is hidden; one that the owner comes
    to last changes the list as it is. In every other case the list is computed anew, and also when
    so many messages came that one that was passed over might hold.

    Args:
        messages: how many there are so far.

    Attributes:
        elements: the list.
    """

    def __init__(self, messages: int) -> None:
        self.elements = _numbered(messages)
        self._messages = messages
        # First index negated, so that they stand in the owner's order; which; last index.
        self._ranges: list[tuple[int, int, int]] = []
        self._firsts: Column = unsigned()
        self._held: Claims | None = Claims()
        self._lowest = messages
        self._reach = -1
        self._due: int | None = None
        self._work = 0

    # What comes.

    def message(self, number: int) -> Change:
        """A message comes.

        Raises:
            OverworkedError: if the list cannot be followed any more.
        """
        self.elements.append(number)
        self._messages = number + 1
        if self._due is None or self._messages < self._due:
            return None
        return self._anew()

    def compact(self, summary: int, first: int, last: int) -> Change:
        """A compaction comes, whose range begins at 0 or later and is not empty.

        Raises:
            OverworkedError: if the list cannot be followed any more.
        """
        self._note(summary, first, last)
        elements, messages = self.elements, self._messages
        if last < messages and self._is_apart(first, last):
            at, length = bisect_left(elements, first, key=self._begins), messages
        elif first <= self._lowest or self._reach < 0:
            # The owner comes to it last of all that hold.
            at, length = first, len(elements)
        elif first > self._reach:
            # Nothing is hidden from there on, so it stands as it was written.
            at, length = first - messages + len(elements), messages
        else:
            return _plainly(self._anew(), self.elements, summary)
        lacking = last + 1 - length
        if lacking > 0:
            self._expect(messages + lacking)
            return None
        stop = at + last - first
        reach = max(self._reach, elements[stop])
        hidden = _spliced(elements, at, stop, summary)
        self._lowest, self._reach = min(self._lowest, first), reach
        return Splice(hidden, summary)

    def foresee(self, last: int) -> tuple[tuple[int, int] | None, bool]:
        """What becomes of a compaction of 0 to some index that comes now, once others hold.

        Args:
            last: its last index.

        Returns:
            The summary that is passed over and holds first, and with how many messages; None where
            none waits. And whether the compaction would hold behind the next message.
        """
        now, then = _Making(self._messages), _Making(self._messages + 1)
        waiting: list[tuple[int, int]] = []
        for first, order, stop in self._ranges:
            lacking = now.take(-first, stop, ~order)
            then.take(-first, stop, ~order)
            if lacking > 0:
                waiting.append((self._messages + lacking, ~order))
        soonest = min(waiting, default=None)
        holds = then.take(0, last, 0) <= 0
        return None if soonest is None else (soonest[1], soonest[0]), holds

    def _note(self, summary: int, first: int, last: int) -> None:
        insort(self._ranges, (-first, ~summary, last))
        number = ~summary
        # Those that can never hold are not told of, and have a number all the same.
        self._firsts.extend(repeat(0, number - len(self._firsts)))
        self._firsts.append(min(first, NEVER))

    def _is_apart(self, first: int, last: int) -> bool:
        """Whether a range and all that hold are apart; it is one of them from then on."""
        held = self._held
        if held is None:
            return False
        if held.add(first, last, 0) is None:
            return True
        self._held = None
        return False

    def _begins(self, element: int) -> int:
        """The first message that an element stands for, while ranges are apart."""
        return element if element >= 0 else self._firsts[~element]

    def _expect(self, messages: int) -> None:
        """With so many messages a compaction that is passed over may hold, and not before."""
        self._due = messages if self._due is None else min(self._due, messages)

    # The list anew.

    def _anew(self) -> Rewrite:
        before = self.elements
        self._held = None
        self._spend(len(self._ranges) + len(before) // _SLICE)
        made = _Making(self._messages)
        self._due = None
        for first, order, last in self._ranges:
            lacking = made.take(-first, last, ~order)
            if lacking > 0:
                self._expect(self._messages + lacking)
        self._lowest, self._reach = made.first, made.reach
        self._spend(made.steps)
        after = signed()
        for block in made.blocks():
            after.extend(block)
        self.elements = after
        return Rewrite(before, made.hidden)

    def _spend(self, steps: int) -> None:
        self._work += steps
        if self._work > _ORDINARY + _PER_MESSAGE * self._messages:
            raise OverworkedError


class _Making:
    """A list while the owner makes it: messages as they were written, and behind them what is made.

    Args:
        messages: how many there are.

    Attributes:
        first: the messages before this one stand as they were written.
        reach: the last message that is hidden; -1 if none is.
        hidden: of each summary what it hides by itself.
        steps: how many were taken.
    """

    def __init__(self, messages: int) -> None:
        self.first = messages
        self.reach = -1
        self.hidden: list[tuple[int, list[Block]]] = []
        self.steps = 0
        self._behind: list[Block] = []
        self._length = 0

    def take(self, first: int, last: int, summary: int) -> int:
        """A compaction is come to; how many messages lack for it, 0 or less if it holds."""
        lacking = last + 1 - (self.first + self._length)
        if lacking > 0:
            return lacking
        stop = min(self.first, last + 1)
        taken: list[Block] = [range(first, stop)] if first < stop else []
        if stop < self.first:
            self._put(range(stop, self.first))
        else:
            taken += self._pop(last + 1 - stop)
        for block in taken:
            if block.start >= 0:
                self.reach = max(self.reach, block.stop - 1)
        self._put(range(summary, summary + 1))
        self.hidden.append((summary, taken))
        self.first = first
        return 0

    def _put(self, block: Block) -> None:
        self._behind.append(block)
        self._length += len(block)
        self.steps += 1

    def _pop(self, count: int) -> Iterator[Block]:
        """So many elements are taken from the beginning of what is made already."""
        self._length -= count
        while count:
            block = self._behind.pop()
            self.steps += 1
            if len(block) > count:
                self._behind.append(block[count:])
                block = block[:count]
            count -= len(block)
            yield block

    def blocks(self) -> Iterator[Block]:
        """The list."""
        yield range(self.first)
        yield from reversed(self._behind)


def _numbered(messages: int) -> Column:
    return array("i", range(messages))


def _spliced(elements: Column, first: int, last: int, summary: int) -> Column:
    """Take elements from one to another out of a list, and put a summary in their place."""
    hidden = elements[first : last + 1]
    elements[first : last + 1] = array("i", (summary,))
    return hidden


def _plainly(change: Rewrite, after: Column, summary: int) -> Change:
    """A change by which nothing but a new summary enters, in the place of what it hides."""
    if summary not in after:
        return change
    before, at = change.before, after.index(summary)
    stop = at + len(before) - len(after) + 1
    if stop <= at or before[:at] != after[:at] or before[stop:] != after[at + 1 :]:
        return change
    return Splice(before[at:stop], summary)


def blocks_of(elements: Column, most: int) -> tuple[list[Block], bool]:
    """The first blocks of a list, and whether there are more."""
    found: list[Block] = []
    for at, element in enumerate(elements):
        if found and element >= 0 and element == found[-1].stop and found[-1].start >= 0:
            found[-1] = range(found[-1].start, element + 1)
        elif len(found) == most:
            return found, at < len(elements)
        else:
            found.append(range(element, element + 1))
    return found, False
