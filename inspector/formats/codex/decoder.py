"""Lines to events: what the owner reads of them, and what it skips (RULES R0)."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import orjson

from inspector.formats.codex import header as headers
from inspector.formats.codex import rules
from inspector.formats.codex.effects.fold import Fold
from inspector.formats.codex.header import Header
from inspector.formats.codex.inherited import Inherited
from inspector.formats.codex.judge import Judge
from inspector.formats.codex.times import MILLISECONDS, SECOND, Clock
from inspector.formats.codex.vocabulary import KINDS, TURN_STARTED, is_bare
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.logs.rules import RECOVERED, REPAIRED_TEXT, unread
from inspector.tape.records import Fate, RecordTable
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind

_NO_TYPE: Final = "(no type)"

_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

_OF_BYTES: Final = (REPAIRED_TEXT, RECOVERED["not-utf8"])
"""What bytes that are no UTF-8 are mended as."""

_ENDS: Final = (b"}", b"\r", b" ", b"\t")
"""Bytes with which a whole line can end."""


class Decoder(LineDecoder):
    """Takes the lines of a log and tells the fold of them.

    Args:
        folding: where events and findings go.
        records: of the lines.
        fold: tells what events do.
        judge: hears what the owner cannot read.
        parts: the bytes at which the logs begin of which the text is made, the tape's own last;
            each has a header of its own.
        header: the tape's own, if it is known already.
        inherited: hears of records that may be the parent's.
        gap: the log, of all those parts, before which something is missing; None if nothing is.

    Attributes:
        header: the tape's own; None until it was met.
    """

    def __init__(
        self,
        folding: Folding,
        records: RecordTable,
        fold: Fold,
        judge: Judge,
        parts: Sequence[int] = (0,),
        header: Header | None = None,
        inherited: Inherited | None = None,
        gap: int | None = None,
    ) -> None:
        super().__init__(folding)
        self._records = records
        self._fold = fold
        self._judge = judge
        self._parts = parts
        self._headed: set[int] = set()
        self._clock = Clock()
        self._told = False
        self._inherited = inherited or Inherited(folding, None, guess=False)
        self._heads: dict[int, int] = {}
        self._gap = gap
        if gap == 0:
            folding.builder.doubt(0)
        self.header = header
        if header is not None:
            self._begin(header)

    # Lines.

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines: those by known ways here, any other as `take` says."""
        folding, ways, clock, loads = self.folding, self._fold.ways, self._clock, orjson.loads
        builder, fractions = folding.builder, MILLISECONDS
        carriers, types, times = folding.batch
        position = folding.position
        second, base = clock.second, clock.milliseconds
        record -= 1
        for line in lines:
            record += 1
            value: Any = None
            try:
                value = loads(line)
                payload, stamp = value["payload"], value["timestamp"]
                code, plain, handler = ways[value["type"]][payload["type"]]
                # What is no text has no such slice, or none that is equal to a text.
                if stamp[:SECOND] == second:
                    time = base + fractions[stamp[SECOND:]]
                else:
                    time = clock.plain(stamp)
                    second, base = clock.second, clock.milliseconds
            except (ValueError, TypeError, KeyError):
                folding.position = position
                self._other(value, record, line)
                position = folding.position
                second, base = clock.second, clock.milliseconds
                continue
            builder.event = position
            carriers.append(record)
            types.append(code)
            times.append(time)
            position += 1
            if handler is not None and (plain is None or not plain(payload, record)):
                handler(payload, record)
        folding.position = position
        folding.publish()

    def _other(self, value: Any, record: int, line: bytes) -> None:
        """A line that goes no known way, or is no JSON."""
        if type(value) is dict:
            self.take(value, record, line)
        elif value is None:
            self._odd(line, record)
        else:
            self._no_object(value, record, line)

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold a record of either era."""
        del line
        kind, payload, stamp = value.get("type"), value.get("payload"), value.get("timestamp")
        if type(kind) is not str or type(payload) is not dict or type(stamp) is not str:
            self._without_shell(value, record)
            return
        if self._inherited.asks:
            self._inherited.record(value)
        if kind == "response_item":
            name = _type_of(payload)
            self._event(f"response_item/{name}", record, stamp)
            self._fold.item(payload, record)
            self._learn(kind, name)
        elif kind == "event_msg":
            name = _type_of(payload)
            self._event(f"event_msg/{name}", record, stamp)
            if self._inherited.asks_of_turns and name in TURN_STARTED:
                self._inherited.turn(payload, self._clock.read(stamp), record)
            self._fold.event(name, payload, record)
            self._learn(kind, name)
        elif kind == "session_meta" and self._is_header(record):
            self._head(value, record)
        else:
            self._event(kind, record, stamp)
            if kind not in KINDS:
                message = f"a kind of record that is not known: {clean_line(kind, 80)}"
                self.folding.found_at_event(rules.UNKNOWN_KIND, message, record)
            self._fold.record(kind, payload, record)

    def loose(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """The owner's reader is strict, and skips the line (RULES R0)."""
        self._judge.skips()
        self._skipped(value, record, line)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """What the owner cannot read changes nothing, but for what tells whose tape it is.

        Where the owner refuses the whole text because of its bytes, all that can be read is shown.
        """
        if not _is_utf8(line):
            self.take(value, record, line)
        elif headers.is_meta(value) and self._is_header(record):
            self._head(value, record)
        else:
            self._skipped(value, record, line)

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner skips a line, or refuses the text for its bytes."""
        del problem
        self._judge.skips()
        if not _is_utf8(line):
            line_of_log = self._line(record)
            self._judge.refuse(f"stream did not contain valid UTF-8 (line {line_of_log})")
        if self.header is None:
            self._judge.before_header(mark=line.startswith(_MARK))

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """A byte that is no UTF-8 refuses the whole text, and any other mend its line."""
        del record
        if not _is_utf8(line):
            return rules.NOT_UTF8 if kind in _OF_BYTES else replace(kind, effect=rules.ALL_REFUSED)
        if self.header is None:
            return unread(kind, "the owner skips the line, and refuses a log without its header")
        return replace(kind, effect=rules.SKIPPED)

    def takes_tail(self, tail: bytes) -> bool:
        """A last line that is whole counts without its newline (RULES R0)."""
        if tail[-1:] not in _ENDS:
            return False
        try:
            return type(orjson.loads(tail)) is dict
        except orjson.JSONDecodeError:
            return False

    def is_record(self, value: Any) -> bool:
        """Whether an object in a damaged line looks like a record."""
        return (
            isinstance(value, dict)
            and isinstance(value.get("type"), str)
            and isinstance(value.get("payload"), dict)
            and "timestamp" in value
        )

    def values(self, record: int, line: bytes) -> list[Any]:
        """The events of a line; a header that stands among them is none."""
        found = super().values(record, line)
        if record in self._heads:
            del found[self._heads[record]]
        return found

    def head(self, raw: Callable[[int], bytes]) -> tuple[int, dict[str, Any]] | None:
        """The record that holds the header and what it is, read again; None where there is none.

        Args:
            raw: the bytes of a record.
        """
        for record, member in self._heads.items():
            found = super().values(record, raw(record))
            if member < len(found):
                return record, found[member]
        return None

    # Events.

    def _learn(self, kind: str, name: str) -> None:
        """Records of a kind and type go their known way from now on."""
        inherited = self._inherited
        if not inherited.asks and not (inherited.asks_of_turns and name in TURN_STARTED):
            code = self.folding.builder.timeline.table.types.number(f"{kind}/{name}")
            self._fold.learn(kind, name, code)

    def _event(self, name: str, record: int, stamp: str | None) -> None:
        if not self._told:
            self._first(record)
        self.folding.event(record, name, None if stamp is None else self._clock.read(stamp))

    def _first(self, record: int) -> None:
        """Before the first event: say if the log does not tell whose it is."""
        self._told = True
        if self.header is None:
            message = "no session_meta before the first record"
            self.folding.builder.event = self.folding.position
            self.folding.found(rules.NO_HEADER, message, record)

    def _skipped(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """An event of a line that the owner skips."""
        del line
        kind, payload = value.get("type"), value.get("payload")
        name = kind if isinstance(kind, str) else _NO_TYPE
        if name in ("response_item", "event_msg") and isinstance(payload, dict):
            name = f"{name}/{_type_of(payload)}"
        stamp = value.get("timestamp")
        self._event(name, record, stamp if isinstance(stamp, str) else None)
        message = "what is read here stands in a line that the owner skips"
        self._fold.rejected(rules.SKIPPED_LINE, message, record)

    def _without_shell(self, value: dict[str, Any], record: int) -> None:
        """A record without the newer era's shell: a header or item of the older one, or bad."""
        if self.header is None and not self.folding.position and is_bare(value):
            self._head(value, record)
            return
        kind, stamp = value.get("type"), value.get("timestamp")
        time = stamp if isinstance(stamp, str) else None
        if self.header is not None and self.header.bare:
            if isinstance(kind, str) and "payload" not in value:
                self._event(f"response_item/{kind}", record, time)
                self._fold.item(value, record)
                return
            if isinstance(value.get("record_type"), str):
                self._event("state", record, time)
                return
        name = kind if isinstance(kind, str) else _NO_TYPE
        self._event(name, record, time)
        why = "it is no record with timestamp, type and payload"
        self._judge.skips()
        self._fold.rejected(rules.BAD_ENVELOPE, f"the owner skips the line: {why}", record)

    # Headers, and what comes from other logs.

    def _part(self, record: int) -> int:
        """Which of the logs a record stands in."""
        return bisect_right(self._parts, self._records.place(record)[0]) - 1

    def _line(self, record: int) -> int:
        """The line of its own log that a record is, from 1."""
        start = self._parts[self._part(record)]
        return record + 1 - (self._records.at(start) if start else 0)

    def _is_header(self, record: int) -> bool:
        """Whether a ``session_meta`` is the first one of its log (format page 2.3)."""
        part = self._part(record)
        if part in self._headed:
            return False
        self._headed.add(part)
        if self._gap is not None and part >= self._gap:
            self.folding.builder.doubt(self.folding.position)
        if part and part == len(self._parts) - 1:
            self.folding.builder.inherit(self.folding.position)
        return True

    def _head(self, value: dict[str, Any], record: int) -> None:
        folding = self.folding
        folding.records.set_fate(record, Fate.BOOKKEEPING)
        self._heads[record] = folding.events_of(record)
        if self.header is not None:
            return
        header = self.header = headers.of_record(value)
        self._begin(header)
        stamp = value.get("timestamp")
        self._inherited.head(header, self._clock.read(stamp) if isinstance(stamp, str) else None)
        if header.bare:
            message = "the header of an older release, whose records are items without a shell"
            folding.builder.event = folding.position
            folding.found(rules.OLD_HEADER, message, record)
        if header.mode_problem is not None:
            folding.found(rules.BAD_HISTORY_MODE, clean_line(header.mode_problem), record)

    def _begin(self, header: Header) -> None:
        self._judge.header = header
        self._fold.begin(header)


def _type_of(payload: dict[str, Any]) -> str:
    kind = payload.get("type")
    return kind if type(kind) is str else _NO_TYPE


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
