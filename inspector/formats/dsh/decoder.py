"""Records to events: the loop that every record of a log goes through once."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeVar

from inspector.columns import NO_TIME, Column, codes, unsigned, wide
from inspector.formats.dsh import rules
from inspector.formats.dsh.admission import NO_TYPE, Admission
from inspector.formats.dsh.dialect import Dialect
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Judge, Nouns
from inspector.formats.dsh.numbering import Numbering
from inspector.formats.dsh.packed import measure
from inspector.formats.dsh.standing import Standing
from inspector.formats.dsh.upcasting import Upcaster
from inspector.formats.dsh.vocabulary import CHUNK, PACKED
from inspector.formats.shapes import SAFE_INTEGER, natural, whole
from inspector.tape.records import Fate, Fates
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind, Severity

_Held = TypeVar("_Held")
"""What a record is before it is read: the bytes of a line, the columns of a row."""


class Reader(NamedTuple):
    """How to read again what was folded: an event by position, or the nth event of a record."""

    event: Callable[[int], dict[str, Any]]
    member: Callable[[int, int], dict[str, Any]]


class Decoder:
    """Takes batches of records, tells the builder what happened, and keeps the owner's numbers.

    Args:
        reader: reads events again.
        past_unknown: go on past a required unknown event.

    Attributes:
        position: of the next event.
        judge: hears what is wrong with records.
        records: what became of each.
    """

    def __init__(
        self,
        builder: Builder,
        records: Fates,
        numbering: Numbering,
        judge: Judge,
        dialect: Dialect,
        upcaster: Upcaster,
        reader: Reader,
        past_unknown: bool,
    ) -> None:
        self._builder = builder
        self._numbering = numbering
        self._dialect = dialect
        self._upcaster = upcaster
        self._reader = reader
        self._names = builder.timeline.table.types
        self._admission = Admission(
            builder,
            numbering,
            judge,
            dialect,
            upcaster,
            Standing(builder, numbering, self.event),
            past_unknown,
        )
        self.records = records
        self.judge = judge
        self.position = 0
        self._expected = 0
        self._begin_batch()

    def begin(self, header: Header) -> None:
        """Tell what the header says before the first event."""
        self._admission.fold.begin(header)

    @property
    def says_inherited(self) -> bool:
        """Whether an event said that what stands before it is inherited."""
        return self._admission.fold.says_inherited

    def _begin_batch(self) -> None:
        self._carriers: Column = unsigned()
        self._types: Column = codes()
        self._times: Column = wide()

    def publish(self) -> None:
        """Make the events of the batch readable."""
        self._builder.publish(self._carriers, self._types, self._times)
        self._begin_batch()

    def event(self, position: int) -> dict[str, Any]:
        """An event that was decoded, perhaps not published yet."""
        table = self._builder.timeline.table
        published = len(table)
        if position < published:
            return self._reader.event(position)
        record = self._carriers[position - published]
        first = position
        while first > published and self._carriers[first - 1 - published] == record:
            first -= 1
        return self._reader.member(record, position - first)

    def fold(
        self,
        record: int,
        batch: Sequence[_Held],
        read: Callable[[_Held], Any],
        odd: Callable[[_Held, Any, int], None],
    ) -> None:
        """Fold a batch of records, the first of which bears this number.

        Args:
            record: the number.
            batch: the records.
            read: makes a value of a record; ValueError if it cannot.
            odd: takes a record that holds no plain event, with its value if there is one.
        """
        carriers, types, times = self._carriers, self._types, self._times
        routes, builder, surface = self._admission.routes, self._builder, self._admission.surface
        position, expected, plain = self.position, self._expected, self._plain
        record -= 1
        for held in batch:
            record += 1
            event: Any = None
            if plain:
                try:
                    event = read(held)
                    code, handler, shaper, check, lowers = routes[event["type"]]
                    if lowers:
                        event = self._upcaster.upcast(event)
                    number, time, data = event["seq"], event["time"], event["data"]
                except (ValueError, TypeError, KeyError):
                    number = None
                if (
                    number == expected
                    and type(number) is int
                    and type(time) is int
                    and -SAFE_INTEGER <= time <= SAFE_INTEGER
                    and type(data) is dict
                    and (
                        len(event) == 4
                        if shaper is None
                        else len(event) == 5 + ("sourceEventSeqs" in event) and "surfaceOp" in event
                    )
                    and (check is None or check(data) is None)
                ):
                    # What nearly every record is: a known type, the next number, no key too many.
                    if shaper is not None:
                        builder.event = position
                        surface(shaper, data, expected, event, record)
                    elif handler is not None:
                        builder.event = position
                        handler(data)
                    carriers.append(record)
                    types.append(code)
                    times.append(time)
                    position += 1
                    expected += 1
                    continue
            self.position, self._expected = position, expected
            odd(held, event, record)
            position, expected, plain = self.position, self._expected, self._plain
        self.position, self._expected = position, expected
        self.publish()

    @property
    def _plain(self) -> bool:
        """Whether nothing was found so far that asks for a closer look at every event."""
        return not self._admission.stopped and not self.judge.watchful

    # Values: an event, or a packed row of many.

    def value(self, value: dict[str, Any], record: int, *, owned: bool = True) -> None:
        """Fold what a record holds; ``owned`` if the owner's reader sees it too."""
        judge = self.judge
        if not owned:
            self.judge = self._admission.judge = Judge(None, Nouns())
        kind = value.get("type")
        if self._dialect.packs and type(kind) is str and kind in PACKED:
            self.packed(value, record)
        else:
            self.scalar(value, record)
        self.judge = self._admission.judge = judge

    def packed(self, row: dict[str, Any], record: int) -> None:
        """Fold a packed row."""
        measured = measure(row)
        if isinstance(measured, str):
            self.judge.unreadable(self.position, record)
            self.damaged(record, rules.BAD_PACKED_ROW, f"packed row {row['type']}: {measured}")
            return
        self.judge.folds(row["type"])
        members, fresh = len(measured.times), True
        if measured.first != self._expected:
            self.judge.gap(self.position, record, self._expected, row)
            fresh = self._renumber(measured.first, record, members)
        self._carriers.extend(repeat(record, members))
        self._types.extend(repeat(self._names.number(CHUNK), members))
        self._times.extend(measured.times)
        if not fresh:
            for position in range(self.position, self.position + members):
                self._builder.event = position
                self._builder.reject()
        else:
            self._expected += members
        self.position += members

    def scalar(self, event: dict[str, Any], record: int) -> None:
        """Fold one event."""
        kind = event.get("type")
        number = natural(event.get("seq"))
        if number is None:
            self.judge.gap(self.position, record, self._expected, event)
            what = "a second header" if kind == "session" else "no whole number as seq"
            self.damaged(record, rules.NOT_AN_EVENT, f"not an event: {what}")
            return
        if type(kind) is not str:
            kind = NO_TYPE
        builder, admission = self._builder, self._admission
        builder.event = self.position
        self.judge.folds(kind)
        time = whole(event.get("time"))
        self._carriers.append(record)
        self._types.append(self._names.number(kind))
        self._times.append(NO_TIME if time is None else time)
        fresh = True
        if number != self._expected:
            self.judge.gap(self.position, record, self._expected, event)
            fresh = self._renumber(number, record, 1)
        if fresh:
            self._expected = number + 1
        if admission.stopped:
            admission.judged_only(kind, event)
        elif fresh:
            admission.admit(kind, number, event, record)
        else:
            builder.reject()
        self.position += 1

    def _renumber(self, number: int, record: int, members: int) -> bool:
        """The owner's numbers jump; False if they jump back, so that the record repeats others."""
        builder = self._builder
        builder.event = self.position
        if number < self._expected:
            self._numbering.repeat(self.position, number, members, self._expected)
            message = f"seq {number} again, expected {self._expected}"
            builder.find(rules.SEQUENCE_REPEAT, message, record=record, event=self.position)
            return False
        self._numbering.jump(self.position, number)
        missing = number - self._expected
        where = f"follows {self._expected - 1}" if self._expected else "is the first"
        message = f"seq {number} {where}: {missing} event{'s' * (missing != 1)} missing"
        builder.doubt(self.position)
        builder.find(rules.SEQUENCE_GAP, message, record=record, event=self.position)
        self._expected = number
        return True

    # Records that hold nothing.

    def found(self, kind: FindingKind, message: str, record: int | None) -> None:
        """Something is wrong with a record, or with what stands before the next event."""
        self._builder.find(kind, message, record=record, event=None)
        if kind.severity is not Severity.INFO:
            self._builder.mark_damage(self.position)

    def damaged(self, record: int, kind: FindingKind, message: str) -> None:
        """A record holds nothing that can be folded."""
        self.records.set_fate(record, Fate.DAMAGED)
        self._builder.event = self.position
        self.lost(kind, message, record)

    def lost(self, kind: FindingKind, message: str, record: int | None) -> None:
        """Something is lost that nobody can read; the fold goes on past it."""
        self._builder.doubt(self.position)
        self.found(kind, message, record)

    def hole(self, record: int) -> None:
        """Text is missing before a record that was folded already."""
        self._builder.doubt(self._builder.timeline.table.before_record(record))
