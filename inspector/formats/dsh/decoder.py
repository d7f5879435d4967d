"""Records to events: the loop that every record of a log goes through once."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeVar

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
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.rules import NOT_AN_EVENT
from inspector.formats.shapes import SAFE_INTEGER, natural, whole
from inspector.tape.records import Fate, Fates
from inspector.timeline.builder import Builder

_Held = TypeVar("_Held")
"""What a record is before it is read: the bytes of a line, the columns of a row."""


class Reader(NamedTuple):
    """How to read again what was folded: an event by position, or the nth event of a record."""

    event: Callable[[int], dict[str, Any]]
    member: Callable[[int, int], dict[str, Any]]


class Decoder(Folding):
    """Takes batches of records, tells the builder what happened, and keeps the owner's numbers.

    Args:
        reader: reads events again.
        past_unknown: go on past a required unknown event.

    Attributes:
        judge: hears what is wrong with records.
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
        super().__init__(builder, records)
        self._numbering = numbering
        self._dialect = dialect
        self._upcaster = upcaster
        self._reader = reader
        self._admission = Admission(
            builder,
            numbering,
            judge,
            dialect,
            upcaster,
            Standing(builder, numbering, self.decoded),
            past_unknown,
        )
        self.judge = judge
        self._expected = 0
        self._readable = True

    def begin(self, header: Header) -> None:
        """Tell what the header says before the first event."""
        self._readable = header.readable
        self._admission.fold.begin(header)

    @property
    def packs(self) -> bool:
        """Whether a record may hold a run of chunks."""
        return self._dialect.packs

    @property
    def says_inherited(self) -> bool:
        """Whether an event said that what stands before it is inherited."""
        return self._admission.fold.says_inherited

    def decoded(self, position: int) -> dict[str, Any]:
        """An event that was decoded, perhaps not published yet."""
        table = self.builder.timeline.table
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
        if not self._readable:
            self._pass_over(range(record, record + len(batch)))
            return
        carriers, types, times = self._carriers, self._types, self._times
        routes, builder, surface = self._admission.routes, self.builder, self._admission.surface
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

    def _pass_over(self, records: range) -> None:
        """Account for records of a version that nobody here can read."""
        for record in records:
            self.records.set_fate(record, Fate.BOOKKEEPING)

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
            fresh = self._renumber(self.position, measured.first, record, members)
        self._carriers.extend(repeat(record, members))
        self._types.extend(repeat(self._names.number(CHUNK), members))
        self._times.extend(measured.times)
        if not fresh:
            for position in range(self.position, self.position + members):
                self.builder.event = position
                self.builder.reject()
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
            self.damaged(record, NOT_AN_EVENT, f"not an event: {what}")
            return
        if type(kind) is not str:
            kind = NO_TYPE
        admission = self._admission
        self.judge.folds(kind)
        position = self.event(record, kind, whole(event.get("time")))
        fresh = True
        if number != self._expected:
            self.judge.gap(position, record, self._expected, event)
            fresh = self._renumber(position, number, record, 1)
        if fresh:
            self._expected = number + 1
        if admission.stopped:
            admission.judged_only(kind, event)
        elif fresh:
            admission.admit(kind, number, event, record)
        else:
            self.builder.reject()

    def _renumber(self, position: int, number: int, record: int, members: int) -> bool:
        """The owner's numbers jump; False if they jump back, so that the record repeats others."""
        builder = self.builder
        builder.event = position
        if number < self._expected:
            self._numbering.repeat(position, number, members, self._expected)
            message = f"seq {number} again, expected {self._expected}"
            builder.find(rules.SEQUENCE_REPEAT, message, record=record, event=position)
            return False
        self._numbering.jump(position, number)
        missing = number - self._expected
        where = f"follows {self._expected - 1}" if self._expected else "is the first"
        message = f"seq {number} {where}: {missing} event{'s' * (missing != 1)} missing"
        builder.doubt(position)
        builder.find(rules.SEQUENCE_GAP, message, record=record, event=position)
        self._expected = number
        return True
