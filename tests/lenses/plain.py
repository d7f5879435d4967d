"""A log folded anew for every cursor, and plain answers from nothing but these surfaces."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.lenses.requests import requests
from inspector.timeline.words import HIDDEN_BY_REASON, Form, Kind, Reason, Role, Visibility
from tests.timeline.reference import longest_common

REASONS: Final = {word: reason for reason, word in HIDDEN_BY_REASON.items()}


class Key(NamedTuple):
    """What names a row, whoever folds it."""

    origin: int
    part: int
    form: Form


class Stood(NamedTuple):
    """What a row is."""

    role: Role
    kind: Kind
    tokens: int
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Surface:
    """The head of a log that ends here.

    Attributes:
        rows: in order.
        told: what became of every event, and what hid it.
        asked: the cursors of the requests that are reported.
    """

    rows: dict[Key, Stood]
    told: list[tuple[Visibility, int | None]]
    asked: list[int]

    @property
    def there(self) -> set[int]:
        """The events of which a row is there."""
        return {key.origin for key in self.rows}

    @property
    def tokens(self) -> int:
        return sum(stood.tokens for stood in self.rows.values())


class PlainStay(NamedTuple):
    """An event, whole or in part, from one cursor until just before another."""

    born: int
    gone: int | None


def key_of(tape: Tape, node: int) -> Key:
    nodes = tape.timeline.surface.nodes
    return Key(nodes.origin(node), nodes.part(node), nodes.form(node))


def surface_of(tape: Tape) -> Surface:
    """The head of a folded tape."""
    timeline, nodes = tape.timeline, tape.timeline.surface.nodes
    head = timeline.events
    listed = [row.node for row in timeline.rows(head)]
    rows = {
        key_of(tape, node): Stood(
            nodes.role(node), nodes.kind(node), nodes.tokens[node], tuple(nodes.sources(node))
        )
        for node in listed
    }
    assert len(rows) == len(listed)
    return Surface(
        rows,
        [timeline.visibility(event, head) for event in range(head)],
        [request.cursor for request in requests(timeline, head)],
    )


class PlainLog:
    """The surfaces of a log at every cursor, each of a log that was cut there and opened anew."""

    def __init__(self, tapes: Iterable[Tape]) -> None:
        self.surfaces = [Surface({}, [], [])]
        for tape in tapes:
            found = surface_of(tape)
            # A record of many events makes no row, so they show what stood there before it.
            while len(self.surfaces) < tape.timeline.events:
                self.surfaces.append(self._still(found))
            self.surfaces.append(found)

    def _still(self, then: Surface) -> Surface:
        last, cursor = self.surfaces[-1], len(self.surfaces)
        return Surface(last.rows, then.told[:cursor], last.asked)

    @property
    def head(self) -> int:
        return len(self.surfaces) - 1

    # What became of an event.

    def stays(self, event: int, cursor: int) -> list[PlainStay]:
        """The stretches of cursors up to this one at which an event is there."""
        there = [event in surface.there for surface in self.surfaces[: cursor + 1]]
        turns = [at for at, (one, two) in enumerate(pairwise([False, *there])) if one != two]
        begun, ended = turns[::2], [*turns[1::2], None]
        return [PlainStay(*stay) for stay in zip(begun, ended, strict=False)]

    def forms(self, event: int, cursor: int) -> set[Form]:
        """The forms in which the rows of an event are there."""
        return {key.form for key in self.surfaces[cursor].rows if key.origin == event}

    def hides(self, event: int, gone: int) -> bool:
        """Whether something of an event is hidden at a cursor: it may be there in full again."""
        return self.surfaces[gone].told[event][0] in REASONS

    def hidden(self, event: int, gone: int) -> tuple[Reason, int | None]:
        """Why an event left at a cursor, and by which event."""
        word, by = self.surfaces[gone].told[event]
        return REASONS[word], by

    def stands_for(self, event: int, cursor: int) -> set[int]:
        """What may be said to stand for an event that left: what hid it, or what tells of it."""
        last = self.stays(event, cursor)[-1]
        if last.gone is None:
            return set()
        reason, by = self.hidden(event, last.gone)
        if reason not in (Reason.COMPACTED, Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED):
            return set()
        found = {by} if by is not None and self.stays(by, cursor) else set()
        if reason is Reason.COMPACTED:
            found |= {
                key.origin
                for key, stood in self._rows_of(range(last.gone, cursor + 1))
                if stood.role is Role.SUMMARY and event in stood.sources
            }
        return found - {event}

    def citing(self, event: int, cursor: int) -> set[int]:
        """What was made from an event and stood on a surface up to a cursor."""
        rows = self._rows_of(range(cursor + 1))
        return {key.origin for key, stood in rows if event in stood.sources} - {event}

    def _rows_of(self, cursors: range) -> Iterator[tuple[Key, Stood]]:
        for cursor in cursors:
            yield from self.surfaces[cursor].rows.items()

    def requests_with(self, stay: PlainStay, cursor: int) -> int:
        """How many requests reported up to a cursor were made in a stay."""
        return sum(
            stay.born <= at and (stay.gone is None or at < stay.gone)
            for at in self.surfaces[cursor].asked
        )

    # What two cursors have apart.

    def only(self, cursor: int, other: int) -> list[Key]:
        """The rows of one cursor that are not at another one, in order."""
        there = self.surfaces[other].rows
        return [key for key in self.surfaces[cursor].rows if key not in there]

    def both(self, cursor: int, other: int) -> list[Key]:
        """The rows of one cursor that are at another one too, in the order of the first."""
        there = self.surfaces[other].rows
        return [key for key in self.surfaces[cursor].rows if key in there]

    def moved(self, a: int, b: int) -> int:
        """How many rows of both must be moved to bring them into the later order."""
        numbers = {key: at for at, key in enumerate(self.both(a, b))}
        after = [numbers[key] for key in self.both(b, a)]
        return len(after) - longest_common(range(len(after)), after)
