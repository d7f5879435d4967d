"""Lines to events: the loop that every record of a DeepSeek Harness log goes through once."""

from collections.abc import Callable
from itertools import repeat
from typing import Any, Final, NamedTuple

import orjson

from inspector.columns import NO_TIME, Column, codes, unsigned, wide
from inspector.formats.dsh import rules
from inspector.formats.dsh.fold import Fold, Handler, Shaper
from inspector.formats.dsh.judge import Judge
from inspector.formats.dsh.numbering import Numbering
from inspector.formats.dsh.packed import PackedRow, measure
from inspector.formats.dsh.parsing import JSON_SPACE, parse
from inspector.formats.dsh.standing import Standing
from inspector.formats.dsh.surface import Rejection, check_ineligible, wish
from inspector.formats.dsh.vocabulary import CHUNK, ELIGIBLE, ENVELOPE, PACKED, WORDS
from inspector.formats.shapes import SAFE_INTEGER, mapping, natural, whole
from inspector.tape.lines import offsets
from inspector.tape.records import Fate, RecordTable
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind

_JSON_WORDS: Final = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
}


class _Route(NamedTuple):
    """Where events of a known type go; an eligible type has a shaper, others may have a handler."""

    code: int
    handler: Handler | None
    shaper: Shaper | None


class Decoder:
    """Takes batches of lines, tells the builder what happened, and keeps the owner's numbers.

    Args:
        reread: a decoded record by its number, read from the source again.
        past_unknown: go on past a required unknown event.
    """

    def __init__(
        self,
        builder: Builder,
        records: RecordTable,
        numbering: Numbering,
        judge: Judge,
        reread: Callable[[int], dict[str, Any]],
        past_unknown: bool,
    ) -> None:
        self._builder = builder
        self._records = records
        self._numbering = numbering
        self._judge = judge
        self._reread = reread
        self._current = Standing(builder, numbering, self._event)
        self._carriers: Column = unsigned()
        self._past_unknown = past_unknown
        self._fold = Fold(builder)
        self._types = builder.timeline.table.types
        fold = self._fold
        self._routes = {
            kind: _Route(
                self._types.number(kind),
                fold.handlers.get(kind),
                fold.shapers.get(kind),
            )
            for kind in WORDS
        }
        self._stopped = False
        self._position = 0
        self._expected = 0

    def feed(self, first_offset: int, lines: list[bytes]) -> None:
        """Fold a batch of whole lines."""
        record = len(self._records) - 1
        self._records.extend(offsets(first_offset, lines))
        carriers, types, times = unsigned(), codes(), wide()
        self._carriers = carriers
        loads, routes, builder = orjson.loads, self._routes, self._builder
        position, expected, plain = self._position, self._expected, self._plain
        for line in lines:
            record += 1
            try:
                event = loads(line)
                route = routes.get(event["type"])
            except (ValueError, TypeError, KeyError):
                event = route = None
            if route is not None and plain:
                number, time, data = event.get("seq"), event.get("time"), event.get("data")
                code, handler, shaper = route
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
            self._slow(line, event, record, carriers, types, times)
            position, expected, plain = self._position, self._expected, self._plain
        self._position, self._expected = position, expected
        builder.publish(carriers, types, times)

    def _slow(
        self,
        line: bytes,
        event: Any,
        record: int,
        carriers: Column,
        types: Column,
        times: Column,
    ) -> None:
        """Any record at all."""
        if not isinstance(event, dict) or "type" not in event:
            event = self._decode_oddly(line, record)
            if event is None:
                return
        kind = event["type"]
        if type(kind) is str and kind in PACKED:
            row = self._packed(event, record)
            if row is not None:
                members = len(row.times)
                carriers.extend(repeat(record, members))
                types.extend(repeat(self._types.number(CHUNK), members))
                times.extend(row.times)
        elif self._scalar(event, record):
            carriers.append(record)
            types.append(self._types.number(kind))
            time = whole(event.get("time"))
            times.append(NO_TIME if time is None else time)

    def _event(self, position: int) -> dict[str, Any]:
        """An event that is no member of a packed row, perhaps not published yet."""
        table = self._builder.timeline.table
        published = len(table)
        if position < published:
            return self._reread(table.record(position))
        return self._reread(self._carriers[position - published])

    @property
    def _plain(self) -> bool:
        """Whether nothing was found so far that asks for a closer look at every event."""
        return not self._stopped and not self._judge.faulty

    # Records that are not what the loop expects.

    def _decode_oddly(self, line: bytes, record: int) -> dict[str, Any] | None:
        """An object with a type from a line that the fast path could not take, or None."""
        if not line.strip(JSON_SPACE):
            self._records.set_fate(record, Fate.BLANK)
            self._judge.unparsable(self._position, record, loses=False)
            return None
        try:
            value, mended = parse(line)
        except ValueError as error:
            self._judge.unparsable(self._position, record)
            self._damage(record, rules.NOT_JSON, f"not JSON: {error}")
            return None
        if not isinstance(value, dict):
            word = _JSON_WORDS[type(value)]
            self._judge.not_an_object(self._position, record, value)
            self._damage(record, rules.NOT_AN_EVENT, f"JSON, but {word} and not an event")
            return None
        if "type" not in value:
            self._judge.gap(self._position, record, self._expected, value)
            self._damage(record, rules.NOT_AN_EVENT, "a JSON object without a type")
            return None
        if mended is not None:
            self._records.recovered(record)
            self._builder.find(rules.REPAIRED_TEXT, mended, record=record, event=self._position)
        return value

    def _damage(self, record: int, kind: FindingKind, message: str) -> None:
        self._records.set_fate(record, Fate.DAMAGED)
        self._builder.doubt(self._position)
        self._builder.event = self._position
        self._builder.find(kind, message, record=record, event=None)
        self._builder.mark_damage(self._position)

    def _packed(self, row: dict[str, Any], record: int) -> PackedRow | None:
        measured = measure(row)
        if isinstance(measured, str):
            self._judge.unparsable(self._position, record)
            self._damage(record, rules.BAD_PACKED_ROW, f"packed row {row['type']}: {measured}")
            return None
        self._judge.folds(row["type"])
        if measured.first != self._expected:
            self._judge.gap(self._position, record, self._expected, row)
            if not self._renumber(measured.first, record, len(measured.times)):
                for _ in measured.times:
                    self._builder.event = self._position
                    self._builder.reject()
                    self._position += 1
                return measured
        self._position += len(measured.times)
        self._expected += len(measured.times)
        return measured

    def _scalar(self, event: dict[str, Any], record: int) -> bool:
        """Fold one event; False if the record is none."""
        kind = event["type"]
        number = natural(event.get("seq"))
        if type(kind) is not str or number is None:
            self._judge.gap(self._position, record, self._expected, event)
            what = "no whole number as seq"
            if type(kind) is not str:
                what = "its type is no text"
            elif kind == "session":
                what = "a second header"
            self._damage(record, rules.NOT_AN_EVENT, f"not an event: {what}")
            return False
        builder = self._builder
        builder.event = self._position
        self._judge.folds(kind)
        fresh = True
        if number != self._expected:
            self._judge.gap(self._position, record, self._expected, event)
            fresh = self._renumber(number, record, 1)
        if fresh:
            self._expected = number + 1
        if not self._stopped:
            if fresh:
                self._apply(kind, number, event, record)
            else:
                builder.reject()
        self._position += 1
        return True

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
        message = (
            f"seq {number} follows {self._expected - 1}: "
            f"{missing} event{'s' * (missing != 1)} missing"
        )
        builder.doubt(self._position)
        builder.find(rules.SEQUENCE_GAP, message, record=record, event=self._position)
        self._expected = number
        return True

    # One event that is where it should be.

    def _apply(self, kind: str, number: int, event: dict[str, Any], record: int) -> None:
        builder = self._builder
        known = kind in WORDS
        if not known and event.get("ignorable") is not True:
            self._unknown_required(kind, number, record)
            return
        try:
            _check_envelope(event, known)
            if kind not in ELIGIBLE:
                check_ineligible(event)
        except Rejection as rejection:
            self._reject(rejection, record)
            return
        if not known:
            message = f"seq {number} {kind} is unknown and may be ignored"
            builder.find(rules.UNKNOWN_IGNORABLE, message, record=record, event=self._position)
            return
        data = event["data"]
        route = self._routes[kind]
        if route.shaper is None:
            if route.handler is not None:
                # Data of any shape is allowed where nothing is said of it (rules page A5).
                route.handler(mapping(data))
        elif type(data) is dict:
            self._surface(route.shaper, data, number, event, record)
        else:
            self._reject(Rejection(rules.BAD_ENVELOPE, "data is not an object"), record)

    def _surface(
        self, shaper: Shaper, data: dict[str, Any], number: int, event: dict[str, Any], record: int
    ) -> None:
        """Put an eligible event on the surface; one that breaks a rule changes nothing at all."""
        if event.get("surfaceOp") == "append" and "sourceEventSeqs" not in event:
            self._fold.append(shaper(data), None)
            return
        try:
            wanted = wish(event, number, self._current)
        except Rejection as rejection:
            self._reject(rejection, record)
            return
        if wanted.ranged:
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
        self._builder.reject()
        self._builder.find(rejection.kind, str(rejection), record=record, event=self._builder.event)
        self._judge.rejected(self._builder.event, str(rejection))

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
    extra = event.keys() - ENVELOPE
    if extra:
        raise Rejection(rules.BAD_ENVELOPE, f"unknown key {sorted(extra)[0]!r} in the envelope")
    if whole(event.get("time")) is None:
        raise Rejection(rules.BAD_ENVELOPE, "time is not a safe whole number")
    if "data" not in event:
        raise Rejection(rules.BAD_ENVELOPE, "no data")
    if known and event.get("ignorable", True) is not True:
        raise Rejection(rules.BAD_ENVELOPE, "ignorable is not true")
