"""From rows to events: the loop that every row of a session goes through once."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from orjson import loads

from inspector.formats.deepchat import rules
from inspector.formats.deepchat.effects.fold import Fold, Handler
from inspector.formats.deepchat.effects.settling import is_half
from inspector.formats.deepchat.entry import Entry, entry_of
from inspector.formats.deepchat.numbers import Numbers
from inspector.formats.deepchat.vocabulary import TOOL_CALL, TOOL_RESULT, type_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.row_parts import RowDecoder
from inspector.formats.logs.rules import REPAIRED_TEXT
from inspector.tape.database_statements import Values

_TYPE: Final = 200
_ROUTES: Final = 4_096
"""Kinds and names whose route is remembered: a tape may invent any number of them."""
_NOTHING: Final[dict[str, Any]] = {}


class _Route(NamedTuple):
    """What a kind and a name lead to: the number of their type, and what folds such a row."""

    code: int
    handler: Handler | None
    of_tools: bool


class Decoder(RowDecoder):
    """Decodes the rows of one session, and of those that its tape was forked from.

    Args:
        folding: takes events, effects and findings.
        read: the row of a record as it is now; None if it is there no longer.
        pending_counts: whether a pending row takes part in the fold.
        counted: whether the numbers of rows have no holes, if nobody deleted any; only such rows
            may be inherited.
    """

    def __init__(
        self,
        folding: Folding,
        read: Callable[[int], Values | None],
        *,
        pending_counts: bool,
        counted: bool,
    ) -> None:
        super().__init__(folding)
        self._read = read
        self._counted = counted
        self._numbers = Numbers(folding)
        self._inherits = False
        self._half = False
        self._fold = Fold(folding, self._entry_at, pending_counts=pending_counts)
        self._routes: dict[tuple[Any, Any], _Route] = {}
        self.runs = self._fold.runs
        self.breaking = self._fold.breaking
        self.pending = self._fold.pending
        self.views = self._fold.views

    def begin_part(self, *, last: bool) -> None:
        """The rows that follow are inherited, or the session's own."""
        self._inherits = self._counted and not last
        self._numbers.begin()

    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows."""
        folding, routes, tools = self.folding, self._routes, self._fold.tools
        carriers, types, times = folding.batch
        builder, numbers = folding.builder, self._numbers
        position, expected, half = folding.position, numbers.expected, self._half
        record -= 1
        row: Any
        for row in rows:
            record += 1
            payload = None
            try:
                number, kind, name, said, about, created = row
                meta = _NOTHING if about == "{}" else loads(about)
                code, handler, of_tools = routes[kind, name]
                payload = loads(said)
            except (ValueError, TypeError, KeyError):
                pass
            if (
                type(payload) is dict
                and number == expected
                and type(number) is int
                and type(created) is int
                and type(meta) is dict
            ):
                # What nearly every row is: a known kind, the next number, whole JSON.
                carriers.append(record)
                types.append(code)
                times.append(created)
                builder.event = position
                position += 1
                expected += 1
                now = is_half(kind, name, meta)
                if now is not half:
                    half = now
                    builder.settle(not now)
                if tools.waiting is not None and not of_tools:
                    tools.next_row(None)
                if handler is not None:
                    handler(payload, meta, name, number, record)
                continue
            folding.position, numbers.expected, self._half = position, expected, half
            self._odd(row, record)
            position, expected, half = folding.position, numbers.expected, self._half
        folding.position, numbers.expected, self._half = position, expected, half
        if self._inherits and rows:
            builder.inherit(position)
        folding.publish()

    def _odd(self, row: Values, record: int) -> None:
        """Fold a row that is not as nearly every row is."""
        folding, builder = self.folding, self.folding.builder
        entry = entry_of(row)
        kind, name = entry.kind, entry.name
        route = self._route(kind, name)
        folding.event(record, type_of(kind, name)[:_TYPE], entry.created)
        if self._counted:
            self._numbers.take(row[0], record)
        if is_half(kind, name, entry.meta) is not self._half:
            self._half = not self._half
            builder.settle(not self._half)
        if not route.of_tools:
            self._fold.tools.next_row(None)
        if entry.mended is not None:
            folding.records.recovered(record)
            folding.found_at_event(REPAIRED_TEXT, entry.mended, record)
        if entry.broken is not None:
            builder.doubt(builder.event)
            folding.found_at_event(rules.BROKEN_JSON, entry.broken, record)
        if route.handler is not None:
            self._fold.broken = entry.broken is not None
            route.handler(entry.payload, entry.meta, name, entry.id, record)
            self._fold.broken = False

    def _route(self, kind: str, name: str | None) -> _Route:
        route = self._routes.get((kind, name))
        if route is None:
            names = self.folding.builder.timeline.table.types
            code = names.number(type_of(kind, name)[:_TYPE])
            of_tools = kind in (TOOL_CALL, TOOL_RESULT)
            route = _Route(code, self._fold.handler(kind, name), of_tools)
            if len(self._routes) < _ROUTES:
                self._routes[kind, name] = route
        return route

    def values(self, row: Values) -> list[Any]:
        """The one value of a row, with its JSON read."""
        return [told(entry_of(row))]

    def _entry_at(self, event: int) -> Entry:
        row = self._read(self.folding.record_of(event))
        return EMPTY if row is None else entry_of(row)


EMPTY: Final = Entry(None, "", None, {}, {}, None, "", None, ())


def told(entry: Entry) -> dict[str, Any]:
    """A row as a value, by names that a reader of it knows."""
    value: dict[str, Any] = {
        "entryId": entry.id,
        "sessionId": entry.session,
        "kind": entry.kind,
        "name": entry.name,
        "payload": entry.payload,
        "meta": entry.meta,
        "createdAt": entry.created,
    }
    if entry.source:
        keys = ("sourceType", "sourceId", "sourceSeq", "provenanceKey")
        value |= dict(zip(keys, entry.source, strict=True))
    if entry.broken is not None:
        value["broken"] = entry.broken
    return value
