"""The lines of a new session that holds events of another one.

As in a fork of the owner's, events get new ids and numbers. Unlike in one, they keep their times,
and a compaction names the new ids of the events that it covers: in the owner's it names those of
the parent, so that it folds nothing and everything it had hidden is back (format page 7).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from inspector.formats.zero import golang
from inspector.formats.zero.compaction import compaction_of, fields_of
from inspector.formats.zero.golang import Members, RefusedError
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.composing import (
    Composition,
    Numbers,
    decoded,
    payload_of,
    plain_payload,
)
from inspector.formats.zero.planning.events import positions, written
from inspector.formats.zero.planning.lines import Written
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.rehydration import coverage
from inspector.formats.zero.stretches import Stretches, without
from inspector.formats.zero.vocabulary import COMPACTION

_AT_ONCE: Final = 256
"""Lines that are given out together."""

_OF_OWNER: Final = (
    *("summary", "preserveLast", "compactableCount", "preservedCount", "compactedThroughEventId"),
    *("compactedThroughSequence", "compactableEvents", "preservedEvents", "promptChars"),
    "truncated",
)
_REFS: Final = 1_000
"""References that are written together."""


class Added(NamedTuple):
    """An event that is written beside those copied; its payload is given out in pieces."""

    kind: str
    created: str
    payload: Callable[["Names"], Iterator[bytes]]


class Names:
    """What the events of a copy are called.

    Args:
        session: its id.
        numbers: of the events copied.
    """

    def __init__(self, session: str, numbers: Numbers) -> None:
        self.session = session
        self.numbers = numbers

    def id(self, number: int) -> str:
        """The id of the event with a number."""
        return f"{self.session}:{number}"


@dataclass(frozen=True, slots=True)
class Copy:
    """What a new session holds.

    Attributes:
        tape: from which events are copied.
        session: the id of the new one.
        composition: which events.
        behind: by position, what is written directly behind the event copied from there.
        instead: by position, the payload that is written instead of the one on the tape.
        tail: what is written at the end.
        cut: behind which a compaction travels for its summary alone, and nothing else of it.
    """

    tape: Session
    session: str
    composition: Composition
    behind: Mapping[int, Sequence[Added]] = field(default_factory=dict)
    instead: Mapping[int, bytes] = field(default_factory=dict)
    tail: Sequence[Added] = ()
    cut: int | None = None

    @property
    def names(self) -> Names:
        """What its events are called."""
        return Names(self.session, Numbers(_with_gaps(self.composition.parts, self.behind)))

    @property
    def count(self) -> int:
        """How many events it has."""
        return self.composition.events + sum(map(len, self.behind.values())) + len(self.tail)

    def __call__(self) -> Iterator[bytes]:
        """Its lines."""
        pieces = self._pieces()
        while together := list(islice(pieces, _AT_ONCE)):
            yield b"".join(together)

    def _pieces(self) -> Iterator[bytes]:
        names = self.names
        number = 0
        for event in positions([*self.composition.parts]):
            number += 1
            yield from self._copied(event, number, names)
            for added in self.behind.get(event, ()):
                number += 1
                yield from _added(added, number, names)
        for added in self.tail:
            number += 1
            yield from _added(added, number, names)

    def _copied(self, event: int, number: int, names: Names) -> Iterator[bytes]:
        found = written(self.tape, event)
        if found.kind == COMPACTION:
            fields = _fields(self.tape, event)
            if fields is not None:
                yield from self._compaction(event, found, fields, number, names)
                return
        payload = self.instead.get(event, found.payload)
        payload = None if payload is None else lines.compact(payload)
        yield lines.event_line(names.session, number, found.kind, found.created, payload)

    def _compaction(
        self, event: int, found: Written, fields: dict[str, Any], number: int, names: Names
    ) -> Iterator[bytes]:
        """A compaction that names events of the copy."""
        covered = self._covered(event)
        if self.cut is not None and event >= self.cut:
            # What the owner does not read may tell of what is undone.
            fields = {key: held for key, held in fields.items() if key in _OF_OWNER}
        kept = without(self._named(event, fields), covered)
        line = lines.event_line(names.session, number, found.kind, found.created, b"{")
        yield line.removesuffix(b"}\n")
        yield from compaction_payload(self.tape, names, fields, covered, kept)
        yield b"}\n"

    def _covered(self, event: int) -> Stretches:
        """The events that a compaction covers, by position."""
        if event == self.composition.counts:
            return self.composition.hidden
        tape, numbering = self.tape, self.tape.decoder.numbering
        compaction = decoded(tape, event)
        if compaction is None:
            return []
        same = numbering.of(Ids((numbering.id(event),)), event + 1)
        return coverage(numbering, Ids(compaction.ids), same, compaction, event).covered

    def _named(self, event: int, fields: dict[str, Any]) -> Stretches:
        """The events that a compaction says it left."""
        ids = (ref.get("id") for ref in fields.get("preservedEvents", ()))
        return self.tape.decoder.numbering.of(Ids(one for one in ids if one), event)


def _with_gaps(parts: Iterable[range], behind: Mapping[int, Sequence[Added]]) -> Iterator[range]:
    """Parts, with an empty place for each event that is written behind one of theirs."""
    gaps = sorted(behind)
    for part in parts:
        start = part.start
        for event in gaps[bisect_left(gaps, part.start) : bisect_left(gaps, part.stop)]:
            yield range(start, event + 1)
            # A position that no event has takes the number.
            yield from (range(-2, -1) for _ in behind[event])
            start = event + 1
        yield range(start, part.stop)


def _fields(tape: Session, event: int) -> dict[str, Any] | None:
    """What a compaction says; None if the owner cannot fold it."""
    plain = plain_payload(tape, event)
    if plain is not None:
        return plain
    try:
        payload = payload_of(tape, event)
        compaction_of(payload)
        known = fields_of(payload)
    except RefusedError:
        return None
    others = payload if isinstance(payload, Members) else ()
    folded = {golang.folded(name) for name in _OF_OWNER}
    return {**known, **{key: held for key, held in others if golang.folded(key) not in folded}}


def _added(added: Added, number: int, names: Names) -> Iterator[bytes]:
    line = lines.event_line(names.session, number, added.kind, added.created, b"{")
    yield line.removesuffix(b"{}\n")
    yield from added.payload(names)
    yield b"}\n"


def compaction_payload(
    tape: Session, names: Names, fields: dict[str, Any], covered: Stretches, kept: Stretches
) -> Iterator[bytes]:
    """The members of a compaction's payload and the brace behind them, in the owner's order.

    Args:
        tape: whose events it names.
        names: what these are called now.
        fields: what it says; of events that it names nothing is taken from here.
        covered: the positions of the events that it covers; those that are no more are passed over.
        kept: the same of those that it names as kept.
    """
    told: dict[str, Any] = {
        "summary": fields.get("summary", ""),
        "preserveLast": fields.get("preserveLast", 0),
        "compactableCount": sum(1 for _ in _numbers(names, covered)),
        "preservedCount": sum(1 for _ in _numbers(names, kept)),
    }
    last = max(_numbers(names, covered), default=0)
    if last:
        told["compactedThroughEventId"] = names.id(last)
        told["compactedThroughSequence"] = last
    yield lines.value(told).removeprefix(b"{").removesuffix(b"}")
    yield from _refs(tape, names, "compactableEvents", covered)
    yield from _refs(tape, names, "preservedEvents", kept)
    rest = {key: fields[key] for key in ("promptChars", "truncated") if fields.get(key)}
    rest |= {key: held for key, held in fields.items() if key not in _OF_OWNER}
    if rest:
        yield b"," + lines.value(_plain(rest)).removeprefix(b"{").removesuffix(b"}")
    yield b"}"


def _numbers(names: Names, events: Stretches) -> Iterator[int]:
    """The new numbers of those of some events that are in the copy."""
    for event in positions(events):
        number = names.numbers.of(event)
        if number is not None:
            yield number


def _plain(value: Any) -> Any:
    """A value with plain objects in the place of `golang.Members`, however deep."""
    if isinstance(value, Members):
        return {key: _plain(held) for key, held in value}
    if isinstance(value, dict):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list) else value


def _refs(tape: Session, names: Names, key: str, events: Stretches) -> Iterator[bytes]:
    """A list of references as a member, with the comma before it; nothing if it is empty."""
    refs = (
        lines.value(
            {
                "id": names.id(number),
                "sequence": number,
                "type": found.kind,
                **({"createdAt": found.created} if found.created else {}),
            }
        )
        for at in positions(events)
        if (number := names.numbers.of(at)) is not None
        for found in (written(tape, at),)
    )
    before = f',"{key}":['.encode()
    while together := list(islice(refs, _REFS)):
        yield before + b",".join(together)
        before = b","
    if before == b",":
        yield b"]"
