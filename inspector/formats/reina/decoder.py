"""Lines to events: what the owner reads of them, and what it skips (format page 3.4)."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import orjson

from inspector.columns import NO_TIME
from inspector.formats.logs import rules as shared_rules
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.reina import header as headers
from inspector.formats.reina import rules
from inspector.formats.reina.effects.fold import Fold, Handler
from inspector.formats.reina.header import Header
from inspector.formats.reina.judge import Judge
from inspector.formats.reina.times import Clock
from inspector.formats.reina.vocabulary import META, UNTYPED, WORDS
from inspector.tape.jsonline import JSON_SPACE
from inspector.tape.records import Fate
from inspector.timeline.findings import FindingKind

_WAYS: Final = 256
"""Kinds whose way is known: a log may invent any number."""

_ENDS: Final = (b"}", b"\r", b" ", b"\t")
"""Bytes with which a whole line can end."""

_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which the owner's reader takes for white space at a line's ends."""


class Decoder(LineDecoder):
    """Takes the lines of a log and tells the fold of them.

    Args:
        folding: where events and findings go.
        fold: tells what records do.
        judge: hears what the owner cannot read.

    Attributes:
        header: what the log says of itself; None until it was met.
    """

    replaces_bytes = True
    not_json = rules.NOT_JSON
    not_an_event = rules.NOT_AN_EVENT
    lost_bytes = rules.LOST_BYTES

    def __init__(self, folding: Folding, fold: Fold, judge: Judge) -> None:
        super().__init__(folding)
        self._fold = fold
        self._judge = judge
        self._clock = Clock()
        self._ways: dict[str, tuple[int, Handler | None]] = {}
        self._looking = True
        self._heads: dict[int, int] = {}
        self.header: Header | None = None

    # Lines.

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines: those of known kinds here, any other as `take` says."""
        folding, ways, loads = self.folding, self._ways, orjson.loads
        builder, read = folding.builder, self._clock.read
        carriers, types, times = folding.batch
        position = folding.position
        record -= 1
        for line in lines:
            record += 1
            value: Any = None
            try:
                value = loads(line)
                code, handler = ways[value["type"]]
            except (ValueError, TypeError, KeyError):
                folding.position = position
                self._other(value, record, line)
                position = folding.position
                continue
            builder.event = position
            carriers.append(record)
            types.append(code)
            times.append(read(value.get("ts")))
            position += 1
            if handler is not None:
                handler(value, record)
                if self._fold.stopped:
                    self._forget_ways()
        folding.position = position
        folding.publish()

    def _other(self, value: Any, record: int, line: bytes) -> None:
        """A line of a kind that was not met before, or no JSON."""
        if type(value) is dict:
            self.take(value, record, line)
        elif value is None and not line.startswith(b"null"):
            self._odd(line, record)
        else:
            self._no_object(value, record, line)

    def _odd(self, line: bytes, record: int) -> None:
        """A line that the fast reader does not take; the owner's cuts off marks before it reads."""
        try:
            value = orjson.loads(_bare(line)) if _MARK in line else None
        except ValueError:
            value = None
        if type(value) is not dict:
            super()._odd(line, record)
            return
        self.folding.records.recovered(record)
        message = "a byte order mark around the record"
        self.folding.found(shared_rules.RECOVERED["bom"], message, record)
        self.take(value, record, line)

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold a record."""
        del line
        kind = value.get("type")
        if self._looking and kind == META:
            self._looking = False
            if not self._begins(value, record):
                self._event(META, record, value)
            return
        name = kind if isinstance(kind, str) else UNTYPED
        self._event(name, record, value)
        if not self._fold.stopped:
            self._fold.handler(name)(value, record)
        self._learn(name)

    def _learn(self, name: str) -> None:
        """Records of a kind go their known way from now on."""
        if self._looking or len(self._ways) >= _WAYS:
            return
        fold = self._fold
        code = self.folding.builder.timeline.table.types.number(name)
        if fold.stopped or fold.is_told(name):
            self._ways[name] = (code, None)
        elif name in WORDS:
            self._ways[name] = (code, fold.handler(name))

    def _forget_ways(self) -> None:
        for name, (code, _) in self._ways.items():
            self._ways[name] = (code, None)

    def _event(self, name: str, record: int, value: dict[str, Any]) -> None:
        time = self._clock.read(value.get("ts"))
        self.folding.event(record, name, None if time == NO_TIME else time)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """What the owner cannot read changes nothing, but for what tells whose tape it is."""
        del line
        if self._looking and headers.is_header(value):
            self._head(value, record)
            self._judge.unheaded = "the session_meta stands in a line that is skipped"
            return
        kind = value.get("type")
        self._event(kind if isinstance(kind, str) else UNTYPED, record, value)
        message = "what is read here stands in a line that the owner skips"
        self.folding.found_at_event(rules.SKIPPED_LINE, message, record)
        self.folding.builder.reject()

    def _no_object(self, value: Any, record: int, line: bytes) -> None:
        with self._skipping():
            super()._no_object(value, record, line)

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        with self._skipping():
            super()._recover(line, record, problem)

    @contextmanager
    def _skipping(self) -> Iterator[None]:
        """The owner skips the line too: what comes behind it is to it what it is here."""
        timeline = self.folding.builder.timeline
        reliable = timeline.doubtful_from
        yield
        timeline.doubtful_from = reliable

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner skips a line."""
        del record, line, problem
        self._judge.skipped += 1

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """A line that is no JSON as it stands is skipped."""
        del record, line
        return replace(kind, effect=rules.SKIPPED_LINE.effect)

    def takes_tail(self, tail: bytes) -> bool:
        """A last line that is whole counts without its newline."""
        if tail[-1:] not in _ENDS:
            return False
        try:
            return type(orjson.loads(tail)) is dict
        except orjson.JSONDecodeError:
            return False

    def is_record(self, value: Any) -> bool:
        """Whether an object in a damaged line looks like a record."""
        return isinstance(value, dict) and isinstance(value.get("type"), str) and "ts" in value

    def values(self, record: int, line: bytes) -> list[Any]:
        """The events of a line; a header that stands among them is none."""
        found = super().values(record, _bare(line))
        if record in self._heads:
            del found[self._heads[record]]
        return found

    def header_value(self, raw: Callable[[int], bytes]) -> dict[str, Any] | None:
        """The record that is the header, read again; None where there is none.

        Args:
            raw: the bytes of a record.
        """
        if not self._heads:
            return None
        record, member = next(reversed(self._heads.items()))
        found = super().values(record, _bare(raw(record)))
        return found[member] if member < len(found) else None

    # Headers.

    def _begins(self, value: dict[str, Any], record: int) -> bool:
        """The first ``session_meta`` is met; whether it is a header, which is no event."""
        folding = self.folding
        if headers.is_header(value):
            self._head(value, record)
            self._judge.headed = True
            return True
        self._judge.unheaded = headers.WITHOUT_META
        folding.builder.event = folding.position
        folding.found(rules.BAD_HEADER, headers.WITHOUT_META, record)
        return False

    def _head(self, value: dict[str, Any], record: int) -> None:
        folding = self.folding
        folding.records.set_fate(record, Fate.BOOKKEEPING)
        self._heads[record] = folding.events_of(record)
        self.header = headers.of_record(value)
        self._fold.begin(self.header, record)


def _bare(line: bytes) -> bytes:
    """A line without what the owner's reader cuts off at its ends."""
    inner = line.strip(JSON_SPACE)
    return inner.removeprefix(_MARK).removesuffix(_MARK).strip(JSON_SPACE)
