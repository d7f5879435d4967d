"""Lines to events: the loop that every record of a DeepSeek Harness log goes through once."""

from collections.abc import Callable
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from inspector.columns import NO_TIME, Column, codes, unsigned, wide
from inspector.formats.dsh import rules
from inspector.formats.dsh.content import (
    CHECKS,
    FALLBACK,
    QUICK_CHECKS,
    REQUEST_HEADER,
    Check,
    crashes,
    request_header,
)
from inspector.formats.dsh.dialect import Dialect
from inspector.formats.dsh.fold import Fold, Handler, Shaper
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Judge, Nouns
from inspector.formats.dsh.numbering import Numbering
from inspector.formats.dsh.offloading import Offloading
from inspector.formats.dsh.packed import is_record, measure
from inspector.formats.dsh.standing import Standing
from inspector.formats.dsh.surface import (
    RANGES_UNKNOWN,
    Rejection,
    check_ineligible,
    plain_sources,
    stumbles_on_ranges,
    wish,
)
from inspector.formats.dsh.upcasting import RETIRED, Malformed, Upcaster
from inspector.formats.dsh.vocabulary import CHUNK, ENVELOPE, PACKED
from inspector.formats.shapes import SAFE_INTEGER, mapping, natural, whole
from inspector.tape.jsonline import JSON_SPACE, parse
from inspector.tape.records import Fate, Fates
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind, Severity

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery

_JSON_WORDS: Final = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
}


_NO_TYPE: Final = "(no type)"
"""What stands for the type of an event that has no text there."""


class _Route(NamedTuple):
    """Where events of a known type go; an eligible type has a shaper, others may have a handler.

    What its check complains of takes the slow way.
    """

    code: int
    handler: Handler | None
    shaper: Shaper | None
    check: Check | None


class Reader(NamedTuple):
    """How to read again what was folded: an event by position, or the nth event of a record."""

    event: Callable[[int], dict[str, Any]]
    member: Callable[[int, int], dict[str, Any]]


class Decoder:
    """Takes batches of records, tells the builder what happened, and keeps the owner's numbers.

    Args:
        reader: reads events again.
        past_unknown: go on past a required unknown event.
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
        self._records = records
        self._numbering = numbering
        self._judge = judge
        self._dialect = dialect
        self._upcaster = upcaster
        self._reader = reader
        self._current = Standing(builder, numbering, self.event)
        self._past_unknown = past_unknown
        self._fold = fold = Fold(builder)
        self._names = builder.timeline.table.types
        offloading = Offloading(builder, self._current)
        handlers = {**fold.handlers, "image/offload": offloading.offload}
        self._routes = {
            kind: _Route(
                self._names.number(kind),
                handlers.get(kind),
                fold.shapers.get(kind) if kind in dialect.eligible else None,
                QUICK_CHECKS.get(kind),
            )
            for kind in dialect.known
        }
        self._stopped = False
        self._position = 0
        self._expected = 0
        self._begin_batch()

    def begin(self, header: Header) -> None:
        """Tell what the header says before the first event."""
        self._fold.begin(header)

    def _begin_batch(self) -> None:
        self._carriers: Column = unsigned()
        self._types: Column = codes()
        self._times: Column = wide()

    def publish(self) -> None:
        """Make the events of the batch readable."""
        self._builder.publish(self._carriers, self._types, self._times)
        self._begin_batch()

    def lines(self, record: int, lines: list[bytes]) -> None:
        """Fold a batch of whole lines, the first of which is a record by this number."""
        carriers, types, times = self._carriers, self._types, self._times
        loads, routes, builder = orjson.loads, self._routes, self._builder
        position, expected, plain = self._position, self._expected, self._plain
        record -= 1
        for line in lines:
            record += 1
            event: Any = None
            if plain:
                try:
                    event = loads(line)
                    code, handler, shaper, check = routes[event["type"]]
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
                        self._surface(shaper, data, expected, event, record)
                    elif handler is not None:
                        builder.event = position
                        handler(data)
                    carriers.append(record)
                    types.append(code)
                    times.append(time)
                    position += 1
                    expected += 1
                    continue
            self._position, self._expected = position, expected
            self._line(line, event, record)
            position, expected, plain = self._position, self._expected, self._plain
        self._position, self._expected = position, expected
        self.publish()

    def first_line(self, found: "Recovery") -> None:
        """Fold what a damaged first line holds beside the header."""
        self.recovered(0, found, carries=len(found.pieces) > 1)
        for piece in found.pieces[1:]:
            self.value(piece.value, 0, owned=False)
        self.publish()

    def hole(self, record: int) -> None:
        """Text is missing before a record that nobody can read; the fold goes on past it."""
        self._builder.doubt(self._builder.timeline.table.before_record(record))

    @property
    def _plain(self) -> bool:
        """Whether nothing was found so far that asks for a closer look at every event."""
        return not self._stopped and not self._judge.watchful

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

    # Lines that are not what the loop expects.

    def _line(self, line: bytes, event: Any, record: int) -> None:
        """Any line at all."""
        if isinstance(event, dict):
            self.value(event, record)
            return
        if not line.strip(JSON_SPACE):
            self._records.set_fate(record, Fate.BLANK)
            self._judge.unreadable(self._position, record, loses=False)
            return
        try:
            value, mended = parse(line)
        except ValueError as error:
            self._recover(line, record, f"not JSON: {error}")
            return
        if not isinstance(value, dict):
            self._no_object(value, record)
        else:
            if mended is not None:
                self._records.recovered(record)
                self._found(rules.REPAIRED_TEXT, mended, record)
            self.value(value, record)

    def _no_object(self, value: Any, record: int) -> None:
        if value is None:
            self._judge.crashes(
                self._position, f"the reader crashes at line {record}, which is null"
            )
        else:
            self._judge.gap(self._position, record, self._position, None)
        word = _JSON_WORDS[type(value)]
        self.damaged(record, rules.NOT_AN_EVENT, f"JSON, but {word} and not an event")

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        """Read what can be read of a line that is no JSON; its owner reads nothing of it."""
        from inspector.tape.recovery import recover  # dear, and seldom needed

        found = recover(line, is_record)
        empty = not found.pieces and not found.lost
        self._judge.unreadable(self._position, record, loses=not empty)
        if not found.pieces and not empty:
            self.damaged(record, rules.NOT_JSON, problem)
            return
        if empty:
            self._records.set_fate(record, Fate.BLANK)
        self.recovered(record, found, carries=not empty)
        for piece in found.pieces:
            self.value(piece.value, record, owned=False)

    def recovered(self, record: int, found: "Recovery", *, carries: bool) -> None:
        """Say what of a record was mended, and what of it is lost."""
        if carries:
            self._records.recovered(record)
        for note in found.notes:
            kind = rules.RECOVERED.get(note.code, rules.REPAIRED_TEXT)
            self._found(kind, f"{note.message} (byte {note.at} of the record)", record)
        if found.lost:
            self._builder.doubt(self._position)
            lost = ", ".join(f"{start} to {stop}" for start, stop in found.lost[:5])
            message = f"bytes {lost} of the record are no event and are not read"
            self._found(rules.LOST_BYTES, message, record)

    def _found(self, kind: FindingKind, message: str, record: int) -> None:
        self._builder.find(kind, message, record=record, event=None)
        if kind.severity is not Severity.INFO:
            self._builder.mark_damage(self._position)

    def damaged(self, record: int, kind: FindingKind, message: str) -> None:
        """A record holds nothing that can be folded."""
        self._records.set_fate(record, Fate.DAMAGED)
        self._builder.doubt(self._position)
        self._builder.event = self._position
        self._found(kind, message, record)

    # Rows that are none.

    def bad_row(self, record: int, message: str) -> None:
        """A row of a table holds no event."""
        self._judge.unreadable(self._position, record)
        self.damaged(record, rules.BAD_ROW, message)

    def lost_rows(self, message: str) -> None:
        """Rows cannot be read, and nobody knows what they were."""
        self._builder.doubt(self._position)
        self._builder.find(rules.UNREADABLE_ROWS, message, record=None, event=None)
        self._builder.mark_damage(self._position)

    # Values: an event, or a packed row of many.

    def value(self, value: dict[str, Any], record: int, *, owned: bool = True) -> None:
        """Fold what a record holds; ``owned`` if the owner's reader sees it too."""
        judge = self._judge
        if not owned:
            self._judge = Judge(None, Nouns())
        kind = value.get("type")
        if self._dialect.packs and type(kind) is str and kind in PACKED:
            self.packed(value, record)
        else:
            self.scalar(value, record)
        self._judge = judge

    def packed(self, row: dict[str, Any], record: int) -> None:
        """Fold a packed row."""
        measured = measure(row)
        if isinstance(measured, str):
            self._judge.unreadable(self._position, record)
            self.damaged(record, rules.BAD_PACKED_ROW, f"packed row {row['type']}: {measured}")
            return
        self._judge.folds(row["type"])
        members, fresh = len(measured.times), True
        if measured.first != self._expected:
            self._judge.gap(self._position, record, self._expected, row)
            fresh = self._renumber(measured.first, record, members)
        self._carriers.extend(repeat(record, members))
        self._types.extend(repeat(self._names.number(CHUNK), members))
        self._times.extend(measured.times)
        if not fresh:
            for position in range(self._position, self._position + members):
                self._builder.event = position
                self._builder.reject()
        else:
            self._expected += members
        self._position += members

    def scalar(self, event: dict[str, Any], record: int) -> None:
        """Fold one event."""
        kind = event.get("type")
        number = natural(event.get("seq"))
        if number is None:
            self._judge.gap(self._position, record, self._expected, event)
            what = "a second header" if kind == "session" else "no whole number as seq"
            self.damaged(record, rules.NOT_AN_EVENT, f"not an event: {what}")
            return
        if type(kind) is not str:
            kind = _NO_TYPE
        builder = self._builder
        builder.event = self._position
        self._judge.folds(kind)
        time = whole(event.get("time"))
        self._carriers.append(record)
        self._types.append(self._names.number(kind))
        self._times.append(NO_TIME if time is None else time)
        fresh = True
        if number != self._expected:
            self._judge.gap(self._position, record, self._expected, event)
            fresh = self._renumber(number, record, 1)
        if fresh:
            self._expected = number + 1
        if self._stopped:
            # The owner judges shapes before it knows all types (rules page B3).
            with suppress(Rejection):
                self._settle(kind, event)
        elif fresh:
            self._apply(kind, number, event, record)
        else:
            builder.reject()
        self._position += 1

    def _renumber(self, number: int, record: int, members: int) -> bool:
        """The owner's numbers jump; False if they jump back, so that the record repeats others."""
        builder = self._builder
        builder.event = self._position
        if number < self._expected:
            self._numbering.repeat(self._position, number, members, self._expected)
            message = f"seq {number} again, expected {self._expected}"
            builder.find(rules.SEQUENCE_REPEAT, message, record=record, event=self._position)
            return False
        self._numbering.jump(self._position, number)
        missing = number - self._expected
        where = f"follows {self._expected - 1}" if self._expected else "is the first"
        message = f"seq {number} {where}: {missing} event{'s' * (missing != 1)} missing"
        builder.doubt(self._position)
        builder.find(rules.SEQUENCE_GAP, message, record=record, event=self._position)
        self._expected = number
        return True

    # One event that is where it should be.

    def _settle(self, kind: str, event: dict[str, Any]) -> dict[str, Any]:
        """An event in the newest shape.

        Raises:
            Rejection: if its type is retired or it is in no shape that one could be made of.
        """
        position = self._position
        if kind is _NO_TYPE:
            return event
        if kind in RETIRED:
            self._judge.retired(position, kind)
            raise Rejection(rules.RETIRED, f"{kind} is a retired type")
        try:
            event = self._upcaster.upcast(event)
        except Malformed as error:
            self._judge.malformed(position, str(error))
            raise Rejection(rules.BAD_MESSAGE, str(error)) from error
        kind, data = event["type"], event.get("data")
        if kind == REQUEST_HEADER and mapping(data).get("reason") == FALLBACK:
            self._judge.retired(position, "request/header with reason fallback")
            raise Rejection(rules.RETIRED, "request/header with reason fallback")
        check = CHECKS.get(kind) if kind in self._dialect.known else None
        if check is not None and (type(data) is dict or kind in self._dialect.eligible):
            problem = check(mapping(data))
            if problem is not None:
                self._judge.malformed(position, problem)
                raise Rejection(rules.BAD_MESSAGE, problem)
        return event

    def _apply(self, kind: str, number: int, event: dict[str, Any], record: int) -> None:
        builder, position = self._builder, self._position
        try:
            event = self._settle(kind, event)
        except Rejection as rejection:
            self._drop(rejection, record)
            return
        if kind is not _NO_TYPE:
            kind = event["type"]
        data = event.get("data")
        known = kind in self._dialect.known
        if not known and event.get("ignorable") is not True:
            self._unknown_required(kind, number, record)
            return
        if crashes(kind, data):
            self._judge.crashes_scan(position, kind)
            message = f"null in {kind}: the owner's reader crashes on it"
            builder.find(rules.CRASHES_OWNER, message, record=record, event=position)
        try:
            _check_envelope(event, known)
            problem = request_header(mapping(data)) if kind == REQUEST_HEADER else None
            if problem is not None:
                raise Rejection(rules.BAD_REQUEST, problem)
            if kind not in self._dialect.eligible:
                check_ineligible(event)
        except Rejection as rejection:
            self._reject(rejection, record)
            return
        if not known:
            message = f"seq {number} {kind} is unknown and may be ignored"
            builder.find(rules.UNKNOWN_IGNORABLE, message, record=record, event=position)
            return
        route = self._routes[kind]
        if route.shaper is not None:
            self._surface(route.shaper, mapping(data), number, event, record)
        elif route.handler is not None:
            # Data of any shape is allowed where nothing is said of it (rules page A5).
            route.handler(mapping(data))

    def _surface(
        self, shaper: Shaper, data: dict[str, Any], number: int, event: dict[str, Any], record: int
    ) -> None:
        """Put an eligible event on the surface; one that breaks a rule changes nothing at all."""
        if event.get("surfaceOp") == "append":
            if "sourceEventSeqs" not in event:
                self._fold.append(shaper(data), None)
                return
            run = plain_sources(event["sourceEventSeqs"], number)
            if run is not None:
                self._fold.append(shaper(data), self._numbering.sources([run]))
                return
        try:
            wanted = wish(self._upcaster.operation(event), number, self._current)
        except Rejection as rejection:
            stumbles = not self._dialect.ranges and stumbles_on_ranges(event, rejection)
            self._reject(RANGES_UNKNOWN if stumbles else rejection, record)
            return
        if wanted.ranged and not self._dialect.ranges:
            message = f"seq {number} cites ranges of sources, as later writers do"
            self._builder.find(
                rules.RANGED_SOURCES, message, record=record, event=self._builder.event
            )
            self._judge.ranged(self._builder.event)
        sources = self._numbering.sources(wanted.sources)
        if wanted.hides:
            self._fold.replace(shaper(data), wanted.hides, sources)
        else:
            self._fold.append(shaper(data), sources)

    def _reject(self, rejection: Rejection, record: int) -> None:
        self._judge.rejected(self._builder.event, str(rejection))
        self._drop(rejection, record)

    def _drop(self, rejection: Rejection, record: int) -> None:
        self._builder.reject()
        self._builder.find(rejection.kind, str(rejection), record=record, event=self._builder.event)

    def _unknown_required(self, kind: str, number: int, record: int) -> None:
        builder = self._builder
        message = f"seq {number} {kind} is unknown and not marked ignorable"
        self._judge.unknown(self._builder.event, number, kind)
        if self._past_unknown:
            builder.doubt(self._builder.event)
            builder.find(rules.UNKNOWN_PASSED, message, record=record, event=self._builder.event)
            return
        builder.find(rules.UNKNOWN_REQUIRED, message, record=record, event=self._builder.event)
        builder.stop()
        self._stopped = True


def _check_envelope(event: dict[str, Any], known: bool) -> None:
    """Raise if the envelope is not as section 1.5 has it."""
    if not isinstance(event.get("type"), str):
        raise Rejection(rules.BAD_ENVELOPE, "type is not a string")
    extra = event.keys() - ENVELOPE
    if extra:
        raise Rejection(rules.BAD_ENVELOPE, f"unknown key {sorted(extra)[0]!r} in the envelope")
    if whole(event.get("time")) is None:
        raise Rejection(rules.BAD_ENVELOPE, "time is not a safe whole number")
    if "data" not in event:
        raise Rejection(rules.BAD_ENVELOPE, "no data")
    if known and event.get("ignorable", True) is not True:
        raise Rejection(rules.BAD_ENVELOPE, "ignorable is not true")
