"""Which events of a tape are listed, and the column of those that pass.

A filter never moves the cursor. The column is made once, in a thread where the tape is long, and
follows the cursor at a cost of what changed.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from inspector.columns import Column, holds, unsigned
from inspector.formats.contract import Tape
from inspector.formats.parts import Call
from inspector.timeline.surface import Surface
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Visibility

_BETWEEN: Final = 4_096
"""Events between two looks at whether the column is still wanted."""


class Shown(Enum):
    """Which events are listed by what became of them at the cursor."""

    ALL = "all"
    VISIBLE = "visible"
    HIDDEN = "hidden"
    LOG_ONLY = "log-only"


_CYCLE: Final = tuple(Shown)


class Filter(NamedTuple):
    """Which events are listed.

    Attributes:
        shown: by what became of them.
        only_hits: only those in which what is looked for was found.
        words: kinds, roles, types or tools, of which an event bears one; behind a ``-`` one that
            it must not bear.
    """

    shown: Shown = Shown.ALL
    only_hits: bool = False
    words: tuple[str, ...] = ()

    @property
    def active(self) -> bool:
        """Whether it leaves anything out."""
        return self != Filter()

    def next_shown(self) -> "Filter":
        """The same with the next of `Shown`."""
        return self._replace(shown=_CYCLE[(_CYCLE.index(self.shown) + 1) % len(_CYCLE)])

    def of_words(self, text: str) -> "Filter":
        """The same with the words that a person wrote, apart by blanks or commas."""
        words = (_plain(word) for word in text.replace(",", " ").split())
        return self._replace(words=tuple(dict.fromkeys(word for word in words if word.strip("-"))))


class Seen(NamedTuple):
    """What a column of passing events depends on.

    Attributes:
        reading: which reading of the tape.
        filter: which.
        cursor: as of which.
        head: how many events there are.
        hits: the positions of the hits, if only they pass; nobody changes the column.
        version: of the hits.
    """

    reading: int
    filter: Filter
    cursor: int
    head: int
    hits: "Column | None" = None
    version: int = 0


class Passing:
    """The events that pass a filter.

    Attributes:
        seen: what they are right for.
        events: their positions, sorted.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen = seen._replace(cursor=0, head=0)
        self.events: Column = unsigned()
        # Those that bear the words, whatever became of them; None where there are no words.
        self._worded: Column | None = unsigned() if seen.filter.words else None

    def copy(self) -> "Passing":
        """Another one, for another thread to bring further."""
        other = Passing(self.seen)
        other.seen = self.seen
        other.events = self.events[:]
        other._worded = None if self._worded is None else self._worded[:]
        return other

    def can_become(self, seen: Seen) -> bool:
        """Whether this can be brought to what another depends on."""
        mine = self.seen
        same_words = mine.filter.words == seen.filter.words
        return mine.reading == seen.reading and same_words and mine.head <= seen.head

    def cost(self, seen: Seen) -> int:
        """How many events have to be asked about for that, in words much dearer than otherwise."""
        mine, new = self.seen, seen.head - self.seen.head
        cost = 20 * new if seen.filter.words else 0
        if mine.filter != seen.filter or mine.version != seen.version:
            return cost + self._candidates(seen)
        if seen.filter.shown is Shown.ALL:
            return cost + new
        low, high = sorted((mine.cursor, seen.cursor))
        return cost + new + high - low

    def _candidates(self, seen: Seen) -> int:
        if seen.hits is not None:
            return len(seen.hits)
        return len(self._worded) if self._worded is not None else seen.head

    def become(self, tape: Tape, seen: Seen, stopped: Callable[[], bool] = lambda: False) -> bool:
        """Be right for what another depends on; False if it was stopped, and this is of no use.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        before = self.seen
        if self._worded is not None:
            for event in _slowly(range(before.head, seen.head), stopped):
                if bears(tape, event, seen.filter.words):
                    self._worded.append(event)
        if stopped():
            return False
        same = before.filter == seen.filter and before.version == seen.version
        if not same or before.cursor == before.head == 0:
            self._sift(tape.timeline, seen, stopped)
        else:
            self._follow(tape.timeline, seen)
        self.seen = seen
        return not stopped()

    def _sift(self, timeline: Timeline, seen: Seen, stopped: Callable[[], bool]) -> None:
        """Ask about every event."""
        among: Sequence[int] = range(seen.head) if self._worded is None else self._worded
        if seen.hits is not None:
            known = self._worded
            among = seen.hits
            if known is not None:
                among = [event for event in among if holds(known, event)]
        if seen.filter.shown is Shown.ALL:
            self.events = array("I", among)
            return
        among = among[: bisect_left(among, seen.cursor)]
        shown = seen.filter.shown
        self.events = array(
            "I",
            (at for at in _slowly(among, stopped) if state(timeline, at, seen.cursor) is shown),
        )

    def _follow(self, timeline: Timeline, seen: Seen) -> None:
        """Ask about the events that are new, or of which something changed between two cursors."""
        before = self.seen
        if seen.filter.shown is Shown.ALL:
            self.events.extend(
                event for event in range(before.head, seen.head) if self._may(seen, event)
            )
            return
        low, high = sorted((before.cursor, seen.cursor))
        if low == high:
            return
        if seen.cursor < before.cursor:
            del self.events[bisect_left(self.events, seen.cursor) :]
        changes, origin = timeline.changes(low, high), timeline.surface.nodes.origin
        touched = {origin(row.node) for row in changes.entered}
        touched.update(origin(one.node) for one in changes.left)
        touched.update(range(low, min(high, seen.cursor)))
        for event in sorted(touched):
            if event < seen.cursor and self._may(seen, event):
                self._put(event, state(timeline, event, seen.cursor) is seen.filter.shown)

    def _may(self, seen: Seen, event: int) -> bool:
        """Whether an event passes but for what became of it."""
        if self._worded is not None and not holds(self._worded, event):
            return False
        return seen.hits is None or holds(seen.hits, event)

    def _put(self, event: int, passes: bool) -> None:
        events = self.events
        if passes and (not events or event > events[-1]):
            events.append(event)
            return
        at = bisect_left(events, event)
        known = at < len(events) and events[at] == event
        if passes and not known:
            events.insert(at, event)
        elif known and not passes:
            del events[at]


def state(timeline: Timeline, event: int, cursor: int) -> Shown | None:
    """Under which word an event is listed as of a cursor; None of one behind the cursor.

    What the model sees in part is visible.
    """
    seen, _ = timeline.visibility(event, cursor)
    if seen is Visibility.NOT_YET:
        return None
    if seen in (Visibility.LOG_ONLY, Visibility.NOT_APPLIED, Visibility.UNREADABLE):
        return Shown.LOG_ONLY
    if seen is Visibility.VISIBLE or _is_there(timeline.surface, event, cursor):
        return Shown.VISIBLE
    return Shown.HIDDEN


def _is_there(surface: Surface, event: int, cursor: int) -> bool:
    return any(surface.is_there(node, cursor) for node in surface.nodes.all_of_event(event))


def _slowly(events: Sequence[int], stopped: Callable[[], bool]) -> Iterable[int]:
    """The events, until somebody wants them no more."""
    for start in range(0, len(events), _BETWEEN):
        if stopped():
            return
        yield from events[start : start + _BETWEEN]


# Words.


def _plain(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")


def bears(tape: Tape, event: int, words: Iterable[str]) -> bool:
    """Whether an event bears one of the words, and none of those behind a ``-``.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    names: set[str] | None = None
    wanted = False
    found = False
    for word in words:
        if names is None:
            names = names_of(tape, event)
        if word.startswith("-"):
            if word[1:] in names:
                return False
        else:
            wanted = True
            found = found or word in names
    return found or not wanted


def names_of(tape: Tape, event: int) -> set[str]:
    """The words by which an event is known: kind, role, type, tool, and ``error``; in lower case,
    with ``-`` for blanks, and each part of a kind or type as well.
    """
    headline, timeline = tape.headline(event), tape.timeline
    kind, type_ = _plain(headline.kind), _plain(timeline.table.type(event))
    names = {kind, *kind.split("-"), type_, *type_.split("/")}
    if headline.speaker:
        names.add(_plain(headline.speaker))
    if headline.error:
        names.add("error")
    nodes = timeline.surface.nodes
    for node in nodes.all_of_event(event):
        names.update((_plain(nodes.role(node).label), _plain(nodes.kind(node).label)))
    call = timeline.pairs.call_of(event)
    for place in (event,) if call is None else (event, call):
        names.update(_plain(part.name) for part in tape.parts(place) if isinstance(part, Call))
    return names


class Listed:
    """The events as rows: those that pass, and those that must be named although they do not.

    Args:
        events: that pass, sorted; None is all.
        head: how many events there are.
        named: events that have a row whether they pass or not.
    """

    def __init__(self, events: "Column | None", head: int, named: Iterable[int | None]) -> None:
        self._events = events
        self._head = head
        self.left_out: tuple[int, ...] = ()
        if events is not None:
            wanted = {event for event in named if event is not None}
            self.left_out = tuple(sorted(event for event in wanted if not holds(events, event)))

    def count(self) -> int:
        """How many rows there are."""
        return self._head if self._events is None else len(self._events) + len(self.left_out)

    def event(self, row: int) -> int:
        """The event of a row."""
        if self._events is None:
            return row
        for at, event in enumerate(self.left_out):
            place = bisect_left(self._events, event) + at
            if row == place:
                return event
            if row < place:
                return self._events[row - at]
        return self._events[row - len(self.left_out)]

    def row(self, event: int) -> int:
        """The row of an event; where it has none, that of the nearest before it, or the first."""
        if self._events is None:
            return event
        rows = bisect_right(self._events, event) + bisect_right(self.left_out, event)
        return max(0, rows - 1)

    def passes(self, event: int) -> bool:
        """Whether an event has a row because it passes."""
        return event not in self.left_out
