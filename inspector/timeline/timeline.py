"""The timeline: what was true at every cursor."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from inspector.columns import NEVER, NO_TIME, Column, codes, holds, unsigned, wide
from inspector.timeline.branchings import Branchings
from inspector.timeline.findings import FindingTable
from inspector.timeline.lives import Lives
from inspector.timeline.marks import Kin, Marks, Pairs, Settled, UsageTable
from inspector.timeline.registers import Registers
from inspector.timeline.retellings import Retellings
from inspector.timeline.spans import OutcomeWords, Span, Spans
from inspector.timeline.surface import Changes, Departure, Row, Surface
from inspector.timeline.words import Life, Mark, SpanKind, Visibility

_TYPES: int = 65_000


class TypeNames:
    """Event type names as small numbers; a tape that invents too many shares the last one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def number(self, name: str) -> int:
        """The number of a name, new or known."""
        number = self._numbers.get(name)
        if number is None:
            number = len(self._names)
            if number >= _TYPES:
                return _TYPES - 1
            self._names.append(name)
            self._numbers[name] = number
        return number

    def known(self, name: str) -> int | None:
        """The number of a name that occurred, or None."""
        return self._numbers.get(name)

    def __getitem__(self, number: int) -> str:
        return self._names[number]


class EventTable:
    """The decoded events, by position: their record, type and time."""

    def __init__(self) -> None:
        self.types = TypeNames()
        self._record: Column = unsigned()
        self._type: Column = codes()
        self._time: Column = wide()

    def __len__(self) -> int:
        # The times are published last.
        return len(self._time)

    def extend(self, records: "array[int]", types: "array[int]", times: "array[int]") -> None:
        """Publish decoded events."""
        self._record.extend(records)
        self._type.extend(types)
        self._time.extend(times)

    def record(self, event: int) -> int:
        """The physical record that carries an event."""
        return self._record[event]

    def member(self, event: int) -> int:
        """Which of its record's events this is, from 0."""
        return event - bisect_left(self._record, self._record[event])

    def first_of_record(self, record: int) -> int | None:
        """The first event that a record carries, or None if it carries none."""
        at = bisect_left(self._record, record)
        return at if at < len(self._record) and self._record[at] == record else None

    def before_record(self, record: int) -> int:
        """How many events stand before a record."""
        return bisect_left(self._record, record)

    def type(self, event: int) -> str:
        """The owner's name of the event's type."""
        return self.types[self._type[event]]

    def of_type(self, name: str, start: int, stop: int) -> list[int]:
        """The positions of the events of a type, from one on and before another."""
        code = self.types.known(name)
        found: list[int] = []
        if code is None:
            return found
        at = start - 1
        try:
            while True:
                at = self._type.index(code, at + 1, stop)
                found.append(at)
        except ValueError:
            return found

    def time(self, event: int) -> int | None:
        """Milliseconds since the epoch, or None where the event records none."""
        time = self._time[event]
        return None if time == NO_TIME else time

    def first_later_than(self, time: int) -> int:
        """The first event in tape order that is later than a time, or the number of events."""
        # Times may go backwards, so the column cannot be bisected.
        for event, at in enumerate(self._time):
            if at > time:
                return event
        return len(self)


class Timeline:
    """An index from which every cursor is queried.

    A cursor is a number of folded events, 0 to `events`. All queries are right for any cursor up
    to the number of events published when they are asked, while a builder goes on.

    Attributes:
        came: of replacements that did not come in force by their own event alone, the events by
            which they did.
        brought: by each of these, the first of them.
        stopped_at: the event before which the fold ends, or None.
        passable: whether the tape can be folded past that if somebody asks for it.
    """

    def __init__(self) -> None:
        self.table = EventTable()
        self.surface = Surface()
        self.registers = Registers()
        words = OutcomeWords()
        self.spans = {kind: Spans(kind, words) for kind in SpanKind}
        self.usage = UsageTable()
        self.side_usage = UsageTable()
        self.marks = Marks()
        self.findings = FindingTable()
        self.settled = Settled()
        self.pairs = Pairs()
        self.retellings = Retellings()
        self.kin: list[Kin] = []
        self.origins: list[str] = []
        self.branchings = Branchings()
        self.lives = Lives()
        self.rejected: Column = unsigned()
        self.aside: Column = unsigned()
        self.replacements: Column = unsigned()
        self.farewells: Column = unsigned()
        self.came: dict[int, list[int]] = {}
        self.brought: dict[int, int] = {}
        self.doubtful_from = NEVER
        self.stopped_at: int | None = None
        self.passable = False
        self._compactions: tuple[int, int] | None = None

    @property
    def events(self) -> int:
        """How many events are published: the cursor of the head."""
        return len(self.table)

    @property
    def reliable_to(self) -> int:
        """The cursor of the first damage, required unknown or rejected event; else the head."""
        return min(self.events, self.doubtful_from)

    def count(self, cursor: int) -> int:
        """How many rows the surface has."""
        return self.surface.count(cursor)

    def rows(self, cursor: int, start: int = 0, stop: int | None = None) -> list[Row]:
        """The rows ``start`` to ``stop`` of the surface."""
        return self.surface.rows(cursor, start, stop)

    def last_rows(self, cursor: int, count: int) -> list[Row]:
        """The last so many rows of the surface, all of them where there are fewer."""
        return self.surface.last_rows(cursor, count)

    def tokens(self, cursor: int) -> int:
        """The estimated tokens of the surface."""
        return self.surface.tokens(cursor)

    def changes(self, earlier: int, later: int) -> Changes:
        """What entered and left the surface between two cursors."""
        return self.surface.changes(earlier, later)

    def visibility(self, event: int, cursor: int) -> tuple[Visibility, int | None]:
        """What became of an event at a cursor, and the position of the event that hid it."""
        if event >= cursor:
            return Visibility.NOT_YET, None
        if self.stopped_at is not None and event >= self.stopped_at:
            return Visibility.NOT_APPLIED, None
        found = self.surface.visibility(event, cursor)
        if found[0] is Visibility.LOG_ONLY and holds(self.aside, event):
            return Visibility.ASIDE, None
        if found[0] is Visibility.LOG_ONLY and self.is_rejected(event):
            return Visibility.NOT_APPLIED, None
        return found

    def is_rejected(self, event: int) -> bool:
        """Whether an event broke a rule of its format and so changed nothing."""
        return holds(self.rejected, event)

    def is_replacement(self, event: int) -> bool:
        """Whether an event put a node in the place of others."""
        return holds(self.replacements, event)

    def sums_up_branch(self, event: int) -> bool:
        """Whether the summary that an event brought is of a branch that was left."""
        return holds(self.farewells, event)

    def life(self, event: int, cursor: int) -> Life:
        """In which life an event was written, told from what was folded at a cursor."""
        return self.lives.of(event, cursor)

    def spans_of(self, event: int, cursor: int) -> list[Span]:
        """The spans that an event opened or ended, as they stood at a cursor.

        Those that it opened come first. As of a cursor before the event they are told as they
        stood just after it.
        """
        at = max(cursor, event + 1)
        found = [
            of_kind.at(span, at)
            for of_kind in self.spans.values()
            if len(of_kind)
            for span in of_kind.opened_or_closed_by(event)
        ]
        return sorted(found, key=lambda span: span.opened != event + 1)

    def context(self, cursor: int) -> tuple[int, bool]:
        """How many tokens the model's context holds, and whether that is an estimate.

        The provider's last report and what the surface gained or lost since: gains by their
        estimate, losses in the proportion in which the estimate shrank. Without any report the
        estimate of the surface alone, so the preamble is missing from it.
        """
        estimate = self.tokens(cursor)
        usage = self.usage.last(cursor)
        if usage is None:
            return estimate, True
        then = self.tokens(usage.event + 1)
        if estimate >= then:
            return usage.context + estimate - then, estimate != then
        return usage.context * estimate // then, True

    def turn(self, cursor: int) -> int | None:
        """The index of the last turn begun at a cursor, or None before the first."""
        return self.spans[SpanKind.TURN].last(cursor)

    def generation(self, cursor: int) -> int:
        """How many events up to a cursor put a node in the place of others."""
        late = sum(event < cursor <= places[0] for event, places in self.came.items())
        return bisect_left(self.replacements, cursor) - late

    def replacing(self, cursor: int) -> Iterator[int]:
        """The events by which up to a cursor a node took the place of others, in order."""
        for event in self.replacements[: bisect_left(self.replacements, cursor)]:
            if self.in_force(event) <= cursor:
                yield event

    def in_force(self, event: int) -> int:
        """The cursor at which a replacement first took the place of others: behind it mostly.

        One may come in force by a later event, see `Builder.replaced`.
        """
        return self.came.get(event, (event,))[0] + 1

    def brought_by(self, event: int) -> int:
        """The replacement that came in force by an event; the event itself where it is none."""
        if self.is_replacement(event) and self.in_force(event) == event + 1:
            return event
        return self.brought.get(event, event)

    def hid(self, event: int) -> list[Departure]:
        """What a replacement hid when it first came in force, of whatever reason."""
        at = self.in_force(event)
        found = list(self._hidden_by(event, [at - 1], at))
        return found if event not in self.came else sorted(found, key=_by_node)

    def hides(self, event: int, cursor: int) -> list[Departure]:
        """What a replacement hides at a cursor: less than it did if some of it came back.

        As of a cursor before the event, what it hid when it came in force.
        """
        return list(self._hides(event, cursor if cursor > event else self.in_force(event)))

    def _hides(self, event: int, cursor: int) -> Iterator[Departure]:
        elsewhere = self.surface.elsewhere(event, cursor)
        if not elsewhere:
            yield from self._hidden_by(event, [event], cursor)
            return
        places = sorted({event, *elsewhere})
        yield from sorted(self._hidden_by(event, places, cursor), key=_by_node)

    def _hidden_by(self, event: int, places: Iterable[int], cursor: int) -> Iterator[Departure]:
        """What a replacement hid at some events and is hidden by it at a cursor."""
        surface = self.surface
        # What is hidden by an event that announces the replacement is hidden by that.
        found = {
            node: cause
            for place in places
            for node, cause in surface.took(place, None if place == event else event)
            if cause == event or not self.is_replacement(cause)
        }
        for node, cause in found.items():
            departure = surface.departure(node, cursor)
            if departure is not None and departure.by == cause:
                yield departure

    def holds(self, event: int, cursor: int) -> bool:
        """Whether what a replacement did holds at a cursor behind it.

        It does not if it was undone, or if all that it hid came back or is hidden by another one.
        """
        if self.surface.undone.by(event, cursor) is not None or cursor < self.in_force(event):
            return False
        if next(self._hides(event, cursor), None) is not None:
            return True
        return not self.changes(event, event + 1).left

    def compactions(self, cursor: int) -> int:
        """How many compactions and prunes up to a cursor changed the surface and hold there."""
        marked = self.marks.events(Mark.COMPACTION)
        known = self._compactions
        if known is None or known[0] != cursor:
            found = marked[: bisect_right(marked, cursor - 1)]
            known = self._compactions = (
                cursor,
                sum(self.holds(self.brought_by(event), cursor) for event in found),
            )
        return known[1]


def _by_node(found: Departure) -> int:
    return found.node
