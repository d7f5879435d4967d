"""What is looked for on a tape, and the events that hold it, as far as they are found.

Pure: whoever reads the tape tells what it found; whoever draws asks.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable

from inspector.columns import Column, after, before, unsigned
from inspector.lenses.search import Pattern


class Sought:
    """One search; nothing at all until it `begin`s.

    Attributes:
        wanted: what is looked for, or None.
        text: as a person wrote it.
        events: the positions of the events that hold it, sorted, once each.
        loose: how many records hold it that carry no event.
        known: how many records were looked through.
        searching: whether somebody looks through more.
        problem: why it cannot be looked for any further, or None.
        version: another number whenever anything of this changes.
    """

    def __init__(self) -> None:
        self.version = 0
        self.wanted: Pattern | None = None
        self.text = ""
        self._forget()

    def _forget(self) -> None:
        self.events: Column = unsigned()
        self.loose = 0
        self.known = 0
        self.searching = False
        self.problem: str | None = None
        self.version += 1

    def begin(self, text: str, wanted: Pattern) -> None:
        """Look for something else."""
        self.text, self.wanted = text, wanted
        self._forget()

    def renew(self) -> None:
        """Look for the same on a tape that was read anew."""
        self._forget()

    def clear(self) -> None:
        """Look for nothing any more."""
        self.text, self.wanted = "", None
        self._forget()

    def add(self, events: Iterable[int | None], known: int) -> None:
        """More of the tape was looked through.

        Args:
            events: the position of the event of each hit, None of a record without one.
            known: how many records were looked through by now.
        """
        for event in events:
            if event is None:
                self.loose += 1
            elif not self.events or event > self.events[-1]:
                self.events.append(event)
            else:
                at = bisect_left(self.events, event)
                if self.events[at] != event:
                    insort(self.events, event)
        self.known = known
        self.version += 1

    def end(self, problem: str | None = None) -> None:
        """Nobody looks any further, for now."""
        self.searching, self.problem = False, problem
        self.version += 1

    def step(self, cursor: int, count: int) -> int | None:
        """The cursor just after the hit so many further, or back if negative; None without one.

        Goes as far as there are any.
        """
        found = None
        # An event is folded at its position + 1.
        for _ in range(min(abs(count), len(self.events))):
            find = after if count > 0 else before
            place = find(self.events, cursor - 1)
            if place is None:
                break
            found = cursor = place + 1
        return found

    def number(self, cursor: int) -> int | None:
        """Which hit, from 1, is the last folded event; None if it is none."""
        at = bisect_right(self.events, cursor - 1)
        return at if at and self.events[at - 1] == cursor - 1 else None
