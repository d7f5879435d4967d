"""The state of one visit to a tape: where the cursor is, what is selected, whether it plays.

Pure: no terminal, no event loop, no clock. Whoever watches subscribes; whoever acts calls.
"""

from collections.abc import Callable, Iterator
from copy import copy
from datetime import tzinfo
from enum import Enum
from typing import Final, NamedTuple

from inspector import places
from inspector.bookmarks import Bookmarks
from inspector.columns import Column, after, before, unsigned
from inspector.filters import Filter
from inspector.formats.contract import Tape
from inspector.leaps import Leaps
from inspector.lenses.losses import Losses
from inspector.sought import Sought
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark, SpanKind


class Stop(Enum):
    """The classes of places to which one steps forward and back."""

    EVENT = "event"
    TURN = "turn"
    SURFACE = "surface change"
    MARK = "mark"
    COMPACTION = "compaction or prune"
    ERROR = "error"
    USER = "user prompt"
    TOOL_CALL = "tool call"
    BRANCH = "fork, rewind or subagent"


_MARKS: Final = {
    Stop.COMPACTION: (Mark.COMPACTION,),
    Stop.ERROR: (Mark.ERROR,),
    Stop.USER: (Mark.USER,),
    Stop.TOOL_CALL: (Mark.TOOL_CALL,),
    Stop.TURN: (Mark.TURN,),
    Stop.MARK: (Mark.DAMAGE, Mark.ERROR, Mark.COMPACTION, Mark.USER),
    Stop.BRANCH: (),
}

SPEEDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 100.0)
"""How many times `EVENTS_PER_SECOND` a playing tape advances."""

EVENTS_PER_SECOND: Final = 8


class Kept(NamedTuple):
    """A cursor by the last event that it folds, for a tape that is read anew.

    Attributes:
        cursor: where it was.
        number: the owner's number of the event, or None.
        identity: the owner's id of the event, or None; not asked for where there is a number.
    """

    cursor: int
    number: int | None
    identity: str | None

    def is_in(self, tape: Tape) -> bool:
        """Whether the same event stands there again; the tape is folded at least so far."""
        if not self.cursor:
            return True
        last = self.cursor - 1
        if self.number is not None:
            return tape.number(last) == self.number
        return self.identity is None or tape.message_id(last) == self.identity

    @property
    def place(self) -> str:
        """The event as the grammar of places has it."""
        if self.number is not None:
            return f"seq:{self.number}"
        return str(self.cursor) if self.identity is None else f"id:{self.identity}"


class Inspection:
    """One visit: a tape that may still be folding, a cursor, a selection.

    The cursor follows the head while the tape is folded, until it comes to the place asked for or
    somebody moves it.

    Args:
        tape: open, perhaps not folded yet.
        at: the place to go to as soon as it is folded; None is the head.
        zone: the time zone in which ``at`` may name a time; None is the machine's own.

    Attributes:
        reading: counts the ways in which the tape was read: what was drawn of another is stale.
        complaint: why the place asked for cannot be gone to, or None.
        news: what has just happened to the source, as long as it is new; or None.
        cursor: how many events are folded, 0 to the head.
        trouble: what became of the source, in a word, if it cannot be followed; or None.
        anchor: the cursor of anchor A, from which a difference is told, or None.
        losses: what was wasted up to any cursor; whoever folds the tape keeps it up to date.
        sought: what is looked for, and where it is found.
        filter: which events are listed; it never moves the cursor.
        bookmarks: places with a letter, and what a person noted of them.
        live: whether the cursor, while it is at the head, follows what is written to the tape.
        playing: whether time moves the cursor.
        speed: a member of `SPEEDS`.
    """

    def __init__(self, tape: Tape, at: str | None = None, zone: tzinfo | None = None) -> None:
        self.tape = tape
        self.reading = 0
        self.complaint: str | None = None
        self.news: str | None = None
        self._awaited = at
        self._kept: Kept | None = None
        self._zone = zone
        self.cursor = 0
        self.anchor: int | None = None
        self._leaps = Leaps()
        self.losses = Losses(tape)
        self.losses.advance()
        self.sought = Sought()
        self.filter = Filter()
        self.bookmarks = Bookmarks()
        self.live = False
        self.trouble: str | None = None
        self.playing = False
        self.speed = 1.0
        self._selection: int | None = None
        self._at_head = True
        self._folded = False
        self._seen = 0
        self._watchers: list[Callable[[], None]] = []
        self._due = 0.0

    def still(self) -> "Inspection":
        """The visit as it is now: nothing that happens to this one changes its cursor or tape."""
        return copy(self)

    @property
    def timeline(self) -> Timeline:
        """The tape's index as far as it is built."""
        return self.tape.timeline

    @property
    def head(self) -> int:
        """The greatest cursor there is now."""
        return self.timeline.events

    @property
    def word(self) -> str:
        """Where the cursor is: before, REPLAY, HEAD, LIVE or LIVE (paused)."""
        if self.live and self.trouble is None:
            return "LIVE" if self.cursor == self.head else "LIVE (paused)"
        if self.cursor == self.head:
            return "HEAD"
        return "REPLAY" if self.cursor else "before"

    @property
    def unseen(self) -> int:
        """How many events were written since the cursor was last at the head of a folded tape."""
        return self.head - self._seen if self._folded and self._seen <= self.head else 0

    @property
    def last_folded(self) -> int | None:
        """The position of the event just before the cursor, or None before the first."""
        return self.cursor - 1 if self.cursor else None

    @property
    def selected(self) -> int | None:
        """The position of the selected event: the last folded one unless the selection is free."""
        return self.last_folded if self._selection is None else self._selection

    @property
    def free(self) -> bool:
        """Whether the selection is free of the cursor."""
        return self._selection is not None

    def apart(self) -> "Inspection":
        """Another cursor over the same tape, at the same place, that nobody watches.

        What is looked for and the bookmarks are the same; no time moves it.
        """
        other = copy(self)
        other._watchers, other.live, other.playing = [], False, False
        other._awaited = other._kept = None
        return other

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call this after every change."""
        self._watchers.append(watcher)

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()

    def grown(self) -> None:
        """The tape has more events than before, or is complete."""
        if self._at_head and not self.playing and (self.live or not self._folded):
            self.cursor = self.head
        if self._kept is not None:
            self._return_to(self._kept)
        elif self._awaited is not None:
            self._arrive(self._awaited)
        if self.tape.complete and not self._folded:
            self._folded, self._seen = True, self.head
            self._at_head = self.cursor == self.head
        self._note_head()
        self._changed()

    def _note_head(self) -> None:
        if self.cursor == self.head:
            self._seen = self.head

    def _arrive(self, at: str) -> None:
        near = at.isdecimal() and len(at) < 18 and int(at) <= self.head
        if not near and not self.tape.complete:
            return
        self._awaited = None
        try:
            self.cursor = places.cursor(at, self.tape, self._zone)
        except places.PlaceError as error:
            self.complaint = str(error)
        self._stand()

    def _return_to(self, kept: Kept) -> None:
        """Go back to the event at which the cursor was, once it is clear where that is."""
        near = kept.cursor <= self.head and kept.is_in(self.tape)
        if not near and not self.tape.complete:
            return
        self._kept = None
        self.cursor = min(kept.cursor, self.head)
        if not near:
            try:
                self.cursor = places.cursor(kept.place, self.tape, self._zone)
            except places.PlaceError as error:
                self.complaint = str(error)
        self._stand()

    def _stand(self) -> None:
        """The cursor has come to where it was to go; a head that still moves is left to move."""
        self._at_head = self.cursor == self.head and self.tape.complete

    def take_up(self, kept: Kept) -> None:
        """Go to an event as soon as it is clear where it is, and follow no head until then."""
        self._kept = kept

    def turn_to(self, tape: Tape) -> None:
        """Go on with the same tape read anew, at the same event once it is folded.

        A live cursor at the head stays at the head, and in another session it goes there.
        """
        same = tape.identity.id == self.tape.identity.id
        waiting = self._awaited is not None or self._kept is not None
        if same and not waiting and not (self.live and self._at_head):
            self._kept = self._name_of_cursor()
        if not same:
            # A cursor of another session means nothing here.
            self._at_head = True
            self._kept = None
        self.playing = False
        self.tape = tape
        self.losses = Losses(tape)
        self.sought.renew()
        self.bookmarks.unsettle()
        self.reading += 1
        self.cursor = 0
        self.anchor = None
        self._leaps = Leaps()
        self._folded = False
        self._selection = None
        self._changed()

    def _name_of_cursor(self) -> Kept:
        """The cursor by the last folded event."""
        last = self.last_folded
        number = None if last is None else self.tape.number(last)
        identity = self.tape.message_id(last) if last is not None and number is None else None
        return Kept(self.cursor, number, identity)

    def found(self) -> None:
        """What is looked for, the filter or a bookmark is another than before."""
        self._changed()

    def complain(self, complaint: str) -> None:
        """Something asked for cannot be done."""
        self.complaint = complaint
        self._changed()

    def announce(self, news: str) -> None:
        """Something happened to the source that a person should see, once."""
        self.news = news
        self._changed()

    def forget(self, news: str | None) -> None:
        """What happened is new no longer; something that happened since stays."""
        if news is not None and news == self.news:
            self.news = None
            self._changed()

    # The cursor.

    def seek(self, cursor: int) -> None:
        """Fold to a cursor, as near as the tape allows; the selection locks to it again."""
        self._awaited = self._kept = None
        self.cursor = max(0, min(cursor, self.head))
        self._at_head = self.cursor == self.head
        self._selection = None
        self._note_head()
        self._changed()

    def leap(self, cursor: int) -> None:
        """Fold to a cursor far away, and remember the way back."""
        before = self.cursor
        self.seek(cursor)
        if self.cursor != before:
            self._leaps.leave(before)

    def leap_back(self, direction: int) -> bool:
        """Go back to where the last leap began, or on again; False if there is no such place.

        Args:
            direction: -1 for back, 1 for on.
        """
        turn = self._leaps.back if direction < 0 else self._leaps.on
        cursor = turn(self.cursor)
        if cursor is None:
            return False
        self.seek(cursor)
        return True

    def set_anchor(self) -> None:
        """Set anchor A at the cursor; where it stands there, take it away."""
        self.anchor = None if self.anchor == self.cursor else self.cursor
        self._changed()

    def swap(self) -> bool:
        """Go to anchor A, and set it where the cursor was; False if there is none."""
        if self.anchor is None:
            return False
        cursor, self.anchor = self.anchor, self.cursor
        self.leap(cursor)
        return True

    def go_live(self) -> None:
        """Go to the head and follow it; at the head and following already, leave it at that."""
        self.live = not (self.live and self._at_head)
        if self.live:
            self.seek(self.head)
        else:
            self._changed()

    def step(self, stop: Stop, count: int) -> bool:
        """Go so many places of a class forward, or back if negative.

        Goes as far as there are any; returns whether it went at all.
        """
        find = self._next if count > 0 else self._previous
        cursor = self.cursor
        if stop is Stop.EVENT:
            cursor = max(0, min(cursor + count, self.head))
        else:
            for _ in range(abs(count)):
                found = find(stop, cursor)
                if found is None:
                    break
                cursor = found
        if cursor == self.cursor:
            return False
        self.seek(cursor)
        return True

    def _next(self, stop: Stop, cursor: int) -> int | None:
        if stop is Stop.SURFACE:
            found = self.timeline.surface.next_change(cursor)
            return found if found is not None and found <= self.head else None
        # An event is folded at its position + 1.
        marked = [
            place
            for column in self._marked(stop)
            if (place := after(column, cursor - 1)) is not None and place < self.head
        ]
        return min(marked) + 1 if marked else None

    def _previous(self, stop: Stop, cursor: int) -> int | None:
        if stop is Stop.SURFACE:
            return self.timeline.surface.previous_change(cursor)
        marked = [
            place
            for column in self._marked(stop)
            if (place := before(column, cursor - 1)) is not None
        ]
        return max(marked) + 1 if marked else None

    def _marked(self, stop: Stop) -> Iterator[Column]:
        """The events at which a class stops; a mark of any class is a person's own as well."""
        yield from (self.timeline.marks.events(mark) for mark in _MARKS[stop])
        if stop is Stop.MARK:
            yield self.bookmarks.events
        elif stop is Stop.BRANCH:
            yield self.timeline.branchings.events
            inherited = self.timeline.lives.inherited
            if inherited:
                # The first event that the tape wrote itself.
                own = unsigned()
                own.append(inherited)
                yield own

    # The selection.

    def select(self, event: int | None) -> None:
        """Select an event apart from the cursor, or None to lock the selection to it."""
        if event is not None:
            event = max(0, min(event, self.head - 1)) if self.head else None
        self._selection = event
        self._changed()

    def move_selection(self, rows: int) -> None:
        """Move the selection so many events, which frees it."""
        start = self.selected
        self.select(0 if start is None else start + rows)

    def toggle_lock(self) -> None:
        """Free the selection where it stands, or lock it to the cursor."""
        self.select(self.last_folded if self._selection is None else None)

    def enter(self) -> bool:
        """Seek to a free selection; returns False if the selection is locked."""
        if self._selection is None:
            return False
        self.leap(self._selection + 1)
        return True

    # Playing.

    def toggle_play(self) -> None:
        """Play or pause; at the head, play from the beginning."""
        self.playing = not self.playing
        self._due = 0.0
        if self.playing and self.cursor == self.head:
            self.seek(0)
        else:
            self._changed()

    def pause(self) -> None:
        """Stop playing."""
        if self.playing:
            self.toggle_play()

    def change_speed(self, steps: int) -> None:
        """Play faster or slower by so many steps of `SPEEDS`."""
        at = SPEEDS.index(self.speed) + steps
        self.speed = SPEEDS[max(0, min(at, len(SPEEDS) - 1))]
        self._changed()

    def pass_time(self, seconds: float) -> None:
        """Let time pass: a playing tape advances, and stops at the head."""
        if not self.playing:
            return
        self._due += seconds * self.speed * EVENTS_PER_SECOND
        events, self._due = int(self._due), self._due % 1
        if not events:
            return
        self.seek(self.cursor + events)
        if self.cursor == self.head and self.tape.complete:
            self.pause()

    # What a person asks of the cursor.

    def turn(self) -> int | None:
        """The owner's number of the turn at the cursor, or its ordinal; None before the first."""
        turn = self.timeline.turn(self.cursor)
        if turn is None:
            return None
        number = self.timeline.spans[SpanKind.TURN][turn].number
        return turn + 1 if number is None else number
