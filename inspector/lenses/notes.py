"""Which events a person saw, and which of them are a part of what another one shows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from inspector.columns import Column, signed, small, unsigned

ALONE: Final = -1
"""The host of a note that no other one holds."""


class Held(IntEnum):
    """What a note is to the one that holds it."""

    ENTRY = 0
    ABSORBED = 1


class Notes:
    """Notes of events, numbered in the order in which they became known: columns of numbers.

    Attributes:
        top: the numbers of those that no other one holds.
    """

    def __init__(self) -> None:
        self.top: Column = unsigned()
        self._at: Column = unsigned()
        self._host: Column = signed()
        self._held: Column = small()
        self._first: Column = signed()
        self._last: Column = signed()
        self._next: Column = signed()
        self._human: Column = signed()
        self._asker = ALONE
        self._late: dict[int, int] = {}
        self._late_notes: dict[int, int] = {}

    def add(self, event: int, host: int = ALONE, held: Held = Held.ENTRY) -> int:
        """Note an event, not before any that was noted.

        Args:
            event: its position.
            host: the note that holds it.
            held: as what.

        Returns:
            The number of the note.
        """
        note = len(self._at)
        self._host.append(host)
        self._held.append(held)
        self._human.append(self._asker)
        self._first.append(ALONE)
        self._last.append(ALONE)
        self._next.append(ALONE)
        self._at.append(event)
        if host == ALONE:
            self.top.append(note)
        else:
            if self._first[host] == ALONE:
                self._first[host] = note
            else:
                self._next[self._last[host]] = note
            self._last[host] = note
        return note

    def add_late(self, event: int, origin: int) -> None:
        """Note an event that nobody noted in its time, once a later one makes a row of it.

        What was noted last before it absorbs it.
        """
        host = self.holder(bisect_right(self._at, origin) - 1)
        note = self.add(event, host, Held.ENTRY if host == ALONE else Held.ABSORBED)
        self._late[note] = origin
        self._late_notes[origin] = note

    def holder(self, note: int) -> int:
        """The note that absorbs this one, itself where none does."""
        while note > ALONE and self._held[note] == Held.ABSORBED:
            note = self._host[note]
        return note

    def asks(self, note: int) -> None:
        """A note is what a person said: those from here on belong to it."""
        self._asker = self._human[note] = note

    def count(self, cursor: int) -> int:
        """How many notes at a cursor no other one holds."""
        return bisect_left(self.top, cursor, key=self._at.__getitem__)

    def event(self, note: int) -> int:
        """The position of the event that a note is of."""
        return self._late.get(note, self._at[note])

    def of_event(self, event: int) -> int | None:
        """The note of an event, or None."""
        late = self._late_notes.get(event)
        if late is not None:
            return late
        at = bisect_left(self._at, event)
        while at < len(self._at) and self._at[at] == event:
            if at not in self._late:
                return at
            at += 1
        return None

    def place(self, note: int, cursor: int) -> int | None:
        """Which of those that no other one holds is this one, or holds it; None if it is none."""
        if self._at[note] >= cursor:
            return None
        while self._host[note] != ALONE:
            note = self._host[note]
        return bisect_left(self.top, note)

    def asked_by(self, note: int) -> int | None:
        """The event of the person's message to which a note belongs, its own included, or None."""
        human = self._human[note]
        return None if human == ALONE else self.event(human)

    def held(self, note: int, cursor: int) -> Iterator[tuple[int, Held]]:
        """What a note holds at a cursor, in tape order."""
        child = self._first[note]
        while child != ALONE and self._at[child] < cursor:
            yield child, Held(self._held[child])
            child = self._next[child]

    def holds_any(self, note: int) -> bool:
        """Whether a note holds another one."""
        return self._first[note] != ALONE
