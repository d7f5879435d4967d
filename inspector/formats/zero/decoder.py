"""Lines to effects: the loop that every line of a log goes through once."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import orjson

from inspector.columns import NO_TIME
from inspector.formats.logs import rules as shared_rules
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.zero import golang, rules
from inspector.formats.zero.admission import Admission
from inspector.formats.zero.compaction import (
    Compaction,
    compaction_of,
    members_of,
    payload_members,
    plain_compaction,
)
from inspector.formats.zero.effects.fold import Handler, Shaper
from inspector.formats.zero.event import Event, event_of_line, event_of_text
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.plain import UNKNOWN, layout_of, plain_event
from inspector.formats.zero.salvage import found_event, looks_like_event, not_utf8, salvaged
from inspector.formats.zero.times import FRACTIONS, SECOND, Clock, milliseconds
from inspector.formats.zero.vocabulary import COMPACTION, REWIND
from inspector.tape.jsonline import parse
from inspector.tape.records import Fate
from inspector.timeline.findings import FindingKind

_TYPES: Final = 1_000
"""Types whose bytes are remembered; a tape may invent any number."""

_BRACE: Final = ord("}")

_MORE: Final = (COMPACTION, REWIND)
"""Types that the loop does not fold: they change what stands there already."""


class _Route(NamedTuple):
    """What a type does: see `Fold`."""

    code: int
    shaper: Shaper | None
    handler: Handler | None


class ZeroDecoder(LineDecoder):
    """Folds the lines of a session.

    Args:
        folding: where events and findings go.
        policy: the reader to follow.
        raw: the bytes of a record.

    Attributes:
        numbering: what the events are called.
        judge: what the verdict rests on.
        effects: what events do.
    """

    def __init__(self, folding: Folding, policy: str, raw: Callable[[int], bytes]) -> None:
        super().__init__(folding)
        self._raw = raw
        self.numbering = Numbering(self._read_id)
        self._admission = Admission(folding, policy, self.numbering)
        self.judge = self._admission.judge
        self.effects = self._admission.effects
        self._layout = UNKNOWN
        self._routes: dict[bytes, _Route] = {}
        self._clock = Clock()

    # The loop.

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines."""
        folding, numbering, surface = self.folding, self.numbering, self._admission.surface
        carriers, types, times = folding.batch
        builder, routes, loads = folding.builder, self._routes, orjson.loads
        append, clock, fractions = builder.append, self._clock, FRACTIONS
        begin, middle, end = self._layout
        to_time, to_payload = len(middle), len(end)
        in_second, begins, width = middle + clock.second, clock.begins, 1
        following, below, position = numbering.next, surface.below, folding.position
        first, brace = record, _BRACE
        record -= 1
        for line in lines:
            record += 1
            start = begin % (following, following)
            at = len(start)
            stop = line.find(b'"', at)
            if (
                line.startswith(start)
                and following >= below
                and (route := routes.get(line[at:stop])) is not None
                and line[-1] == brace
            ):
                # What nearly every line is: laid out as the one before, with the next number.
                at = stop
                stop = at + to_time + SECOND + width
                fraction = fractions.get(line[stop - width : stop])
                if fraction is not None and line.startswith(in_second, at):
                    time = begins + fraction
                elif line.startswith(middle, at):
                    at += to_time
                    stop = line.find(b'"', at)
                    time = clock.read(line[at:stop])
                    in_second, begins, width = (
                        middle + clock.second,
                        clock.begins,
                        stop - at - SECOND,
                    )
                else:
                    time = NO_TIME
                try:
                    known = time != NO_TIME and line.startswith(end, stop)
                    payload = loads(line[stop + to_payload : -1]) if known else None
                except ValueError:
                    payload = None
                if type(payload) is dict:
                    code, shaper, handler = route
                    carriers.append(record)
                    types.append(code)
                    times.append(time)
                    builder.event = position
                    position += 1
                    following += 1
                    if shaper is not None:
                        append(*shaper(payload))
                    elif handler is not None:
                        handler(payload)
                    continue
            folding.position, numbering.next = position, following
            self._odd_one(line, record)
            begin, middle, end = self._layout
            to_time, to_payload = len(middle), len(end)
            in_second = middle + clock.second
            following, below, position = numbering.next, surface.below, folding.position
        folding.position, numbering.next = position, following
        self._look_back(first, lines)
        folding.publish()

    def _look_back(self, first: int, lines: Sequence[bytes]) -> None:
        """Note the last line that is not blank."""
        for at in range(len(lines) - 1, -1, -1):
            if lines[at].startswith(b"{") or golang.decoded(lines[at]):
                self.judge.written = first + at
                return

    def _odd_one(self, line: bytes, record: int) -> None:
        """Fold a line that is not laid out as the one before, or whose type does more."""
        event = plain_event(line)
        if event is None:
            self._careful(line, record)
            self._layout = UNKNOWN
            return
        numbering, surface = self.numbering, self._admission.surface
        foreseen = numbering.follows(event.number, event.id) and self._layout is not UNKNOWN
        time = milliseconds(event.created)
        self._admission.admit(event, time, record, partial(_plainly, event, line))
        does_more = event.type in _MORE or event.number < surface.below
        if not (foreseen and does_more):
            self._layout = layout_of(line) if numbering.goes_on else UNKNOWN
        self._know(event.type)

    def _know(self, kind: str) -> None:
        """Have lines of a type folded by the loop, if its bytes are its text."""
        name = kind.encode("utf-8", "surrogatepass")
        if name in self._routes or kind in _MORE or len(self._routes) >= _TYPES:
            return
        if kind.isascii() and kind.isprintable() and '"' not in kind and "\\" not in kind:
            shaper = self.effects.shapers.get(kind)
            handler = self.effects.handlers.get(kind)
            codes = self.folding.builder.timeline.table.types
            self._routes[name] = _Route(codes.number(kind), shaper, handler)

    # Lines that need care.

    def _careful(self, line: bytes, record: int) -> None:
        """Fold a line by all the owner's rules."""
        text = golang.decoded(line)
        if not text:
            self.folding.records.set_fate(record, Fate.BLANK)
            return
        try:
            event = event_of_text(text)
        except RefusedError as refusal:
            self.judge.refused(record, self.folding.position, refusal)
            self._refused(line, text, record, refusal)
            return
        broken = not_utf8(line)
        if broken is not None:
            self.folding.records.recovered(record)
            message = f"byte {broken} of the line is not UTF-8; the owner replaces it"
            self.folding.found(shared_rules.REPAIRED_TEXT, message, record)
        self._admit(event, record, text)

    def _admit(self, event: Event, record: int, text: str) -> None:
        """Fold an event; ``text`` is that of its line."""
        time = milliseconds(event.created)
        self._admission.admit(event, time, record, partial(_by_rules, event, text))

    def _refused(self, line: bytes, text: str, record: int, refusal: RefusedError) -> None:
        """Show what can be shown of a line that the owner does not take."""
        folding = self.folding
        if refusal.problem == "not JSON":
            self._recover(line, record, f"not JSON: {refusal.detail}")
        elif not text.startswith("{"):
            folding.damaged(record, shared_rules.NOT_AN_EVENT, f"JSON, but {refusal.detail}")
        else:
            event = salvaged(parse(line)[0])
            position = folding.event(record, event.type, milliseconds(event.created))
            self.numbering.reject(position)
            folding.builder.reject()
            kind = rules.TOO_DEEP if refusal.problem == "nested too deep" else rules.WRONG_TYPE
            folding.found_at_event(kind, f"not an event to the owner: {refusal.detail}", record)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold an event found in a line that the owner does not read."""
        self._admit(found_event(value, line), record, golang.decoded(line))

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the event of a line."""
        del value
        self._odd_one(line, record)

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """Noted when the owner's decoder refused the line."""

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """The owner takes no session in which it cannot read a line, but for the last one."""
        del record, line
        return shared_rules.unread(kind, "the owner does not take the line for JSON")

    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line is an event."""
        return looks_like_event(value)

    # Reading again.

    def values(self, record: int, line: bytes) -> list[Any]:
        """The events of a line, under the owner's keys; one that it refuses as it stands."""
        try:
            event = event_of_line(line)
        except RefusedError as refusal:
            if refusal.problem == "not JSON":
                pieces = self.recovery(record, line).pieces
                return [
                    found_event(piece.value, line[piece.start : piece.stop]).as_value()
                    for piece in pieces
                ]
            value = parse(line)[0]
            return [value] if isinstance(value, dict) else []
        return [] if event is None else [event.as_value()]

    def _read_id(self, position: int) -> str:
        """The id of an event from its record."""
        folding = self.folding
        record = folding.record_of(position)
        member = 0
        while position - member and folding.record_of(position - member - 1) == record:
            member += 1
        values = self.values(record, self._raw(record))
        found = values[member].get("id") if member < len(values) else None
        return found if isinstance(found, str) else ""


def _plainly(event: Event, line: bytes) -> Compaction:
    """What a compaction covers of whose line nothing was dropped."""
    plain = plain_compaction(event.payload)
    return _by_rules(event, golang.decoded(line)) if plain is None else plain


def _by_rules(event: Event, text: str) -> Compaction:
    """What a compaction covers by all the owner's rules; its line may have been mended.

    Raises:
        RefusedError: see `compaction_of`.
    """
    try:
        payload = payload_members(text)
    except RefusedError:
        payload = members_of(event.payload)
    return compaction_of(payload)
