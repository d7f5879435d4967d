"""Lines to effects: the loop that every line of a log goes through once."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from inspector.formats.logs import rules as shared_rules
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.zero import golang, rules
from inspector.formats.zero.compaction import (
    compaction_of,
    covers_nothing,
    members_of,
    payload_members,
)
from inspector.formats.zero.effects.fold import Fold
from inspector.formats.zero.event import ABSENT, Event, event_of_line, event_of_text
from inspector.formats.zero.golang import Members, RefusedError
from inspector.formats.zero.judge import Broken, Judge
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.salvage import found_event, looks_like_event, not_utf8, salvaged
from inspector.formats.zero.surface import Surface
from inspector.formats.zero.times import Clock, milliseconds
from inspector.formats.zero.vocabulary import COMPACTION, REWIND, TUI
from inspector.tape.jsonline import parse
from inspector.tape.records import Fate
from inspector.timeline.words import Reason

_TYPES: Final = 1_000
"""Types whose bytes are remembered; a tape may invent any number."""

# A line as the owner writes it, with nothing in its head that is escaped. What stands behind
# ``"payload":`` is one JSON value, or other keys follow, and then the line is read with care.
_TEXT: Final = rb'"([ !#-\[\]-~]*+)"'
_HEAD: Final = re.compile(
    rb'\{"id":' + _TEXT + rb',"sessionId":"[ !#-\[\]-~]*+","sequence":(0|[1-9][0-9]{0,17}),"type":'
    rb"" + _TEXT + rb',"createdAt":' + _TEXT + rb'(?:,"payload":(.*))?\}\r?\Z',
    re.DOTALL,
)


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
        self._raw_after_rewind = policy == TUI
        self.numbering = Numbering(self._read_id)
        self.judge = Judge()
        self.effects = Fold(folding.builder)
        self._surface = Surface(folding.builder, self.numbering)
        self._told_later = False
        self._types: dict[bytes, str] = {}
        self._clock = Clock()

    # The loop.

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines."""
        head, loads, numbering, types = _HEAD.match, orjson.loads, self.numbering, self._types
        begin, append, read = self.folding.event, self.folding.builder.append, self._clock.read
        shapers, handlers = self.effects.shapers, self.effects.handlers
        below = self._surface.below
        first = record
        record -= 1
        for line in lines:
            record += 1
            written = head(line)
            if written is None:
                below = self._with_care(line, record)
                continue
            identity, digits, name, created, body = written.groups()
            payload: Any = ABSENT
            if body is not None:
                try:
                    payload = loads(body)
                except ValueError:
                    below = self._with_care(line, record)
                    continue
            kind = types.get(name) or self._type(name)
            number = int(digits)
            position = begin(record, kind, read(created))
            follows = number == numbering.next and identity == numbering.prefix + digits
            if follows:
                numbering.next = number + 1
                if number >= below and type(payload) is dict:
                    if (shaper := shapers.get(kind)) is not None:
                        append(*shaper(payload))
                        continue
                    if (handler := handlers.get(kind)) is not None:
                        handler(payload)
                        continue
            else:
                self._begin(position, record, number, identity.decode())
            held = ABSENT if body is None else body
            below = self._take(kind, record, number, identity, payload, held)
        self._look_back(first, lines)
        self.folding.publish()

    def _type(self, name: bytes) -> str:
        kind = name.decode()
        if len(self._types) < _TYPES:
            self._types[name] = kind
        return kind

    def _look_back(self, first: int, lines: Sequence[bytes]) -> None:
        """Note the last line that is not blank."""
        for at in range(len(lines) - 1, -1, -1):
            if lines[at].strip() and golang.decoded(lines[at]):
                self.judge.written = first + at
                return

    def _begin(self, position: int, record: int, number: int, identity: str) -> None:
        """An event whose number or id does not follow from the one before."""
        numbering = self.numbering
        largest = numbering.largest
        if number > largest + 1 and largest:
            missing = number - largest - 1
            message = f"sequence {largest} is followed by {number}: {missing:,} left out"
            self.folding.found_at_event(rules.GAP, message, record)
        elif 0 < number <= largest:
            message = f"sequence {number} comes again, behind {largest}"
            self.folding.found_at_event(rules.REPEATED, message, record)
        numbering.begin(position, number, identity)
        self.effects.undertakings.session = identity.rpartition(":")[0]

    def _take(
        self,
        kind: str,
        record: int,
        number: int,
        identity: bytes | str,
        payload: Any,
        body: Any,
    ) -> int:
        """Fold the event begun last.

        Args:
            kind: its type.
            record: that carries it.
            number: its sequence.
            identity: its id.
            payload: as a JSON reader has it, or `ABSENT`.
            body: the same as bytes, or with `golang.Members`; `ABSENT` if it is not there.

        Returns:
            See `Surface.below`.
        """
        effects, surface = self.effects, self._surface
        data = payload if type(payload) is dict else {}
        if kind == COMPACTION:
            self._compact(record, number, _text(identity), data, body)
            return surface.below
        hidden = surface.covered and self._arrives(_text(identity), number, record)
        if (shaper := effects.shapers.get(kind)) is not None:
            shape = shaper(data)
            if hidden:
                surface.hold(shape)
            else:
                self.folding.builder.append(*shape)
        elif (handler := effects.handlers.get(kind)) is not None:
            handler(data)
        elif kind == REWIND:
            effects.undertakings.rewound(data, record)
            if self._raw_after_rewind:
                surface.raw(Reason.SUPERSEDED)
                self.judge.broken = None
        return surface.below

    def _arrives(self, identity: str, number: int, record: int) -> bool:
        hidden = self._surface.arrives(identity, number)
        if hidden and not self._told_later:
            self._told_later = True
            message = f"sequence {number} is covered by a compaction that stands before it"
            self.folding.found_at_event(rules.COVERS_LATER, message, record)
        return hidden

    def _compact(
        self,
        record: int,
        number: int,
        identity: str,
        data: dict[str, Any],
        body: Any,
    ) -> None:
        """The event begun last is a compaction, and from here on the only one that counts."""
        effects, surface, folding = self.effects, self._surface, self.folding
        self._told_later = False
        shape = effects.compaction(data)
        try:
            if isinstance(body, bytes):
                body, _ = golang.read(golang.decoded(body), Members)
            compaction = compaction_of(body)
        except RefusedError as refusal:
            surface.raw(Reason.SUPERSEDED)
            folding.builder.append(*shape)
            why = refusal.said
            self.judge.broken = Broken(folding.builder.event, number, why)
            folding.found_at_event(rules.BAD_COMPACTION, f"sequence {number}: {why}", record)
            effects.compacted(why)
            return
        self.judge.broken = None
        if not surface.compact(shape, identity, compaction):
            message = f"sequence {number} {covers_nothing(identity, compaction)}"
            folding.found_at_event(rules.COVERS_NOTHING, message, record)
        effects.compacted(None)

    # Lines that are not as the owner writes them.

    def _with_care(self, line: bytes, record: int) -> int:
        """Fold a line by all the owner's rules; returns `Surface.below`."""
        self._careful(line, record)
        return self._surface.below

    def _careful(self, line: bytes, record: int) -> None:
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
        self._event(event, record, text)

    def _event(self, event: Event, record: int, text: str) -> None:
        """Fold an event; ``text`` is that of its line."""
        position = self.folding.event(record, event.type, milliseconds(event.created))
        self._begin(position, record, event.number, event.id)
        body = _payload(event, text) if event.type == COMPACTION else None
        self._take(event.type, record, event.number, event.id, event.payload, body)

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
        self._event(found_event(value, line), record, golang.decoded(line))

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the event of a line."""
        del value
        self._with_care(line, record)

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """Noted when the owner's decoder refused the line."""

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


def _payload(event: Event, text: str) -> Any:
    """The payload of a compaction for `compaction_of`, whose line may have been mended."""
    try:
        return payload_members(text)
    except RefusedError:
        return members_of(event.payload)


def _text(identity: bytes | str) -> str:
    return identity if isinstance(identity, str) else identity.decode()
