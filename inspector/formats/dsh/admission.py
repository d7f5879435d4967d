"""One event that bears the next number: whether it may do anything, and then what it does."""

from contextlib import suppress
from typing import Any, Final, NamedTuple

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
from inspector.formats.dsh.effects.fold import Fold, Handler, Shaper
from inspector.formats.dsh.effects.offloading import Offloading
from inspector.formats.dsh.judge import Judge
from inspector.formats.dsh.numbering import Numbering
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
from inspector.formats.dsh.vocabulary import ENVELOPE
from inspector.formats.shapes import mapping, whole
from inspector.timeline.builder import Builder

NO_TYPE: Final = "(no type)"
"""What stands for the type of an event that has no text there."""


class Route(NamedTuple):
    """Where events of a known type go; an eligible type has a shaper, others may have a handler.

    What its check complains of is no plain event, and what lowers is to be upcast before it is
    asked.
    """

    code: int
    handler: Handler | None
    shaper: Shaper | None
    check: Check | None
    lowers: bool


class Admission:
    """Admits events to the fold in the order of the owner's rules (rules page B).

    Args:
        builder: of the tape.
        numbering: the owner's numbers so far.
        dialect: the words of the log's version.
        upcaster: brings events to the newest shapes.
        current: the surface as it stands.
        past_unknown: go on past a required unknown event.

    Attributes:
        routes: by type, where plain events go.
        judge: hears what is wrong.
        stopped: whether the fold ended at a required unknown event.
    """

    def __init__(
        self,
        builder: Builder,
        numbering: Numbering,
        judge: Judge,
        dialect: Dialect,
        upcaster: Upcaster,
        current: Standing,
        past_unknown: bool,
    ) -> None:
        self._builder = builder
        self._numbering = numbering
        self._dialect = dialect
        self._upcaster = upcaster
        self._current = current
        self._past_unknown = past_unknown
        self.fold = fold = Fold(builder)
        self.judge = judge
        self.stopped = False
        names = builder.timeline.table.types
        handlers = {**fold.handlers, "image/offload": Offloading(builder, current).offload}
        self.routes = {
            kind: Route(
                names.number(kind),
                handlers.get(kind),
                fold.shapers.get(kind) if kind in dialect.eligible else None,
                QUICK_CHECKS.get(kind),
                kind in dialect.lowered,
            )
            for kind in dialect.known
        }

    def admit(self, kind: str, number: int, event: dict[str, Any], record: int) -> None:
        """Do what an event does, or say why it does nothing; it is the builder's event."""
        builder, position = self._builder, self._builder.event
        try:
            event = self._settled(kind, event)
        except Rejection as rejection:
            self._drop(rejection, record)
            return
        if kind is not NO_TYPE:
            kind = event["type"]
        data = event.get("data")
        known = kind in self._dialect.known
        if not known and event.get("ignorable") is not True:
            self._unknown_required(kind, number, record)
            return
        if crashes(kind, data):
            self.judge.crashes_scan(position, kind)
            message = f"null in {kind}: the owner's reader crashes on it"
            builder.find(rules.CRASHES_OWNER, message, record=record, event=position)
        try:
            _check_envelope(event, known)
            problem = request_header(mapping(data)) if kind == REQUEST_HEADER else None
            if problem is not None:
                raise Rejection(rules.BAD_REQUEST, problem)
            if kind not in self._dialect.eligible and (known or not self._dialect.opaque):
                check_ineligible(event)
        except Rejection as rejection:
            self._reject(rejection, record)
            return
        if not known:
            message = f"seq {number} {kind} is unknown and may be ignored"
            builder.find(rules.UNKNOWN_IGNORABLE, message, record=record, event=position)
            return
        route = self.routes[kind]
        if route.shaper is not None:
            self.surface(route.shaper, mapping(data), number, event, record)
        elif route.handler is not None:
            # Data of any shape is allowed where nothing is said of it (rules page A5).
            route.handler(mapping(data))

    def judged_only(self, kind: str, event: dict[str, Any]) -> None:
        """An event behind the end of the fold: the owner judges its shape all the same.

        It does that before it knows all types (rules page B3).
        """
        with suppress(Rejection):
            self._settled(kind, event)

    def surface(
        self, shaper: Shaper, data: dict[str, Any], number: int, event: dict[str, Any], record: int
    ) -> None:
        """Put an eligible event on the surface; one that breaks a rule changes nothing at all."""
        if event.get("surfaceOp") == "append":
            if "sourceEventSeqs" not in event:
                self.fold.append(shaper(data), None)
                return
            run = plain_sources(event["sourceEventSeqs"], number)
            if run is not None:
                self.fold.append(shaper(data), self._numbering.sources([run]))
                return
        try:
            wanted = wish(self._upcaster.operation(event), number, self._current)
        except Rejection as rejection:
            stumbles = not self._dialect.ranges and stumbles_on_ranges(event, rejection)
            self._reject(RANGES_UNKNOWN if stumbles else rejection, record)
            return
        if wanted.ranged and not self._dialect.ranges:
            message = f"seq {number} cites ranges of sources, as later writers do"
            event_at = self._builder.event
            self._builder.find(rules.RANGED_SOURCES, message, record=record, event=event_at)
            self.judge.ranged(event_at)
        sources = self._numbering.sources(wanted.sources)
        if wanted.hides:
            self.fold.replace(shaper(data), wanted.hides, sources)
        else:
            self.fold.append(shaper(data), sources)

    # What an event must be.

    def _settled(self, kind: str, event: dict[str, Any]) -> dict[str, Any]:
        """An event in the newest shape.

        Raises:
            Rejection: if its type is retired or it is in no shape that one could be made of.
        """
        position = self._builder.event
        if kind is NO_TYPE:
            return event
        if kind in RETIRED:
            self.judge.retired(position, kind)
            raise Rejection(rules.RETIRED, f"{kind} is a retired type")
        try:
            event = self._upcaster.upcast(event)
        except Malformed as error:
            self.judge.malformed(position, str(error))
            raise Rejection(rules.BAD_MESSAGE, str(error)) from error
        kind, data = event["type"], event.get("data")
        if kind == REQUEST_HEADER and mapping(data).get("reason") == FALLBACK:
            self.judge.retired(position, "request/header with reason fallback")
            raise Rejection(rules.RETIRED, "request/header with reason fallback")
        check = CHECKS.get(kind) if kind in self._dialect.known else None
        if check is not None and (type(data) is dict or kind in self._dialect.eligible):
            problem = check(mapping(data))
            if problem is not None:
                self.judge.malformed(position, problem)
                raise Rejection(rules.BAD_MESSAGE, problem)
        return event

    def _unknown_required(self, kind: str, number: int, record: int) -> None:
        builder, position = self._builder, self._builder.event
        message = f"seq {number} {kind} is unknown and not marked ignorable"
        self.judge.unknown(position, number, kind)
        if self._past_unknown:
            builder.doubt(position)
            builder.find(rules.UNKNOWN_PASSED, message, record=record, event=position)
            return
        builder.find(rules.UNKNOWN_REQUIRED, message, record=record, event=position)
        builder.stop(passable=True)
        self.stopped = True

    def _reject(self, rejection: Rejection, record: int) -> None:
        self.judge.rejected(self._builder.event, str(rejection))
        self._drop(rejection, record)

    def _drop(self, rejection: Rejection, record: int) -> None:
        self._builder.reject()
        self._builder.find(rejection.kind, str(rejection), record=record, event=self._builder.event)


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
