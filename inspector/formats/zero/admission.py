"""One event after the other: what it is called, what it does, and what it hides."""

from collections.abc import Callable
from typing import Any

from inspector.formats.logs.folding import Folding
from inspector.formats.zero import rules
from inspector.formats.zero.compaction import Compaction, covers_nothing
from inspector.formats.zero.effects.fold import Fold
from inspector.formats.zero.event import Event
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.judge import Broken, Judge
from inspector.formats.zero.numbering import Numbering
from inspector.formats.zero.surface import Surface
from inspector.formats.zero.vocabulary import COMPACTION, REWIND, TUI
from inspector.timeline.words import Reason


class Admission:
    """Folds events that were read.

    Args:
        folding: where events and findings go.
        policy: the reader to follow.
        numbering: what the events are called.

    Attributes:
        judge: what the verdict rests on.
        effects: what events do.
        surface: what stands there.
    """

    def __init__(self, folding: Folding, policy: str, numbering: Numbering) -> None:
        self._folding = folding
        self._raw_after_rewind = policy == TUI
        self._numbering = numbering
        self._told_later = False
        self._told_typeless = False
        self.judge = Judge()
        self.effects = Fold(folding.builder)
        self.surface = Surface(folding.builder, numbering)

    def admit(
        self, event: Event, time: int | None, record: int, decode: Callable[[], Compaction]
    ) -> None:
        """Fold an event.

        Args:
            event: what it says.
            time: milliseconds since the epoch, or None.
            record: that carries it.
            decode: what it covers if it is a compaction; `RefusedError` if the owner cannot tell.
        """
        self._begin(self._folding.event(record, event.type, time), event, record)
        effects, surface, kind = self.effects, self.surface, event.type
        data = event.payload if type(event.payload) is dict else {}
        if kind == COMPACTION:
            self._compact(event, data, record, decode)
            return
        if not kind:
            self._without_type(record)
        hidden = surface.covered and self._arrives(event, record)
        if (shaper := effects.shapers.get(kind)) is not None:
            shape = shaper(data)
            if hidden:
                surface.hold(shape)
            else:
                self._folding.builder.append(*shape)
        elif (handler := effects.handlers.get(kind)) is not None:
            handler(data)
        elif kind == REWIND:
            self._rewound(data, record)

    def _without_type(self, record: int) -> None:
        """The owner reads such an event, and forks no session that holds one (RULES A1)."""
        if not self._told_typeless:
            self._told_typeless = True
            message = "an event without a type: the owner cannot fork the session"
            self._folding.found_at_event(rules.NOT_FORKED, message, record)

    def _begin(self, position: int, event: Event, record: int) -> None:
        """What the event begun last is called."""
        numbering, number = self._numbering, event.number
        if numbering.follows(number, event.id):
            numbering.next = number + 1
            return
        largest = numbering.largest
        if number > largest + 1 and largest:
            missing = number - largest - 1
            message = f"sequence {largest} is followed by {number}: {missing:,} left out"
            self._folding.found_at_event(rules.GAP, message, record)
        elif 0 < number <= largest:
            message = f"sequence {number} comes again, behind {largest}"
            self._folding.found_at_event(rules.REPEATED, message, record)
        numbering.begin(position, number, event.id)
        self.effects.undertakings.session = event.id.rpartition(":")[0]

    def _arrives(self, event: Event, record: int) -> bool:
        hidden = self.surface.arrives(event.id, event.number)
        if hidden and not self._told_later:
            self._told_later = True
            message = f"sequence {event.number} is covered by a compaction that stands before it"
            self._folding.found_at_event(rules.COVERS_LATER, message, record)
        return hidden

    def _rewound(self, data: dict[str, Any], record: int) -> None:
        self.effects.undertakings.rewound(data, record)
        if self._raw_after_rewind:
            self.surface.raw(Reason.SUPERSEDED)
            self.judge.broken = None

    def _compact(
        self, event: Event, data: dict[str, Any], record: int, decode: Callable[[], Compaction]
    ) -> None:
        """The event begun last is a compaction, and from here on the only one that counts."""
        effects, surface, folding = self.effects, self.surface, self._folding
        self._told_later = False
        self.judge.broken = None
        try:
            compaction = decode()
        except RefusedError as refusal:
            self._broken(event, data, record, refusal.said)
            return
        if surface.tired:
            folding.builder.reject()
            message = f"sequence {event.number}: too much came and went with those before it"
            folding.found_at_event(rules.NOT_FOLLOWED, message, record)
            return
        shape = effects.compaction(data)
        if not surface.compact(shape, event.id, event.number, compaction):
            message = f"sequence {event.number} {covers_nothing(event.id, compaction)}"
            folding.found_at_event(rules.COVERS_NOTHING, message, record)
        effects.compacted(None)

    def _broken(self, event: Event, data: dict[str, Any], record: int, why: str) -> None:
        """The event begun last is a compaction that the owner cannot fold."""
        effects, folding = self.effects, self._folding
        shape = effects.compaction(data)
        self.surface.raw(Reason.SUPERSEDED)
        folding.builder.append(*shape)
        self.judge.broken = Broken(folding.builder.event, event.number, why)
        message = f"sequence {event.number}: {why}"
        folding.found_at_event(rules.BAD_COMPACTION, message, record)
        effects.compacted(why)
