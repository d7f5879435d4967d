"""Tool rows: which of them stand, and the calls as intervals (format page 4.4, RULES A7).

The model is shown the blocks of the message, never these rows, so they make no row of the surface.
"""

from array import array
from collections.abc import Callable
from typing import Any, Final

from inspector.formats.deepchat.effects.identities import Identities
from inspector.formats.deepchat.entry import Entry
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import TOOL_CALL, TOOL_RESULT
from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Kind, Mark, Outcome, Reason, Role, SpanKind

_RANKS: Final = {"success": 2, "error": 2, "pending": 1}
_OUTCOMES: Final = {"success": Outcome.OK, "error": Outcome.FAILED}
_REMEMBERED: Final = 4_096
"""Calls whose end the journal told, until their rows have come."""


def call_key(message: str, call: str) -> str:
    """What a call is known by; joined as the owner joins it, which tells some calls not apart."""
    return f"{message}:{call}"


def call_of(kind: str, payload: dict[str, Any]) -> tuple[str, str]:
    """The ids of the message and of the call that a tool row is about; empty where it has none."""
    message = text(payload.get("messageId"))
    if kind == TOOL_CALL:
        return message, text(object_of(payload.get("toolCall")).get("id"))
    return message, text(payload.get("toolCallId"))


def row_identity(entry: Entry) -> str | None:
    """What makes two tool rows one, or None if the owner ignores the row."""
    message, call = call_of(entry.kind, entry.payload)
    return f"{entry.kind}:{call_key(message, call)}" if message and call else None


class Tools:
    """Tells the builder of tool rows and of the journal's dispatches.

    Attributes:
        waiting: a call that was over when its row came, and how it ended: its result may follow.

    Args:
        builder: takes the effects.
        entry_at: reads the row of an event.
        pending_counts: whether a pending row takes part.
    """

    def __init__(
        self, builder: Builder, entry_at: Callable[[int], Entry], *, pending_counts: bool
    ) -> None:
        self._builder = builder
        self._entry_at = entry_at
        self._pending_counts = pending_counts
        self._identities = Identities()
        self._events = array("I")
        self._ranks = array("B")
        self._ended: dict[str, None] = {}
        self.waiting: tuple[str, Outcome] | None = None

    def call(self, payload: dict[str, Any], meta: dict[str, Any]) -> bool:
        """A row of a call; returns whether the owner reads it at all."""
        message, call = call_of(TOOL_CALL, payload)
        if not message or not call:
            return False
        key = call_key(message, call)
        status = text(meta.get("status"))
        new = self._stand(f"{TOOL_CALL}:{key}", TOOL_CALL, self._rank(status))
        self.next_row(None)
        self._called(key, status, new=new)
        return True

    def result(self, payload: dict[str, Any], meta: dict[str, Any]) -> bool:
        """A row of a result; returns whether the owner reads it at all."""
        message, call = call_of(TOOL_RESULT, payload)
        if not message or not call:
            return False
        key = call_key(message, call)
        status = text(meta.get("status"))
        self._stand(f"{TOOL_RESULT}:{key}", TOOL_RESULT, self._rank(status))
        self.next_row(key)
        slot = self._slot(f"{TOOL_CALL}:{key}")
        if slot is not None:
            self._builder.pair(self._events[slot])
        if status in _OUTCOMES:
            self._end(key, _OUTCOMES[status])
            if status == "error":
                self._builder.mark(Mark.ERROR)
        return True

    def _rank(self, status: str) -> int:
        rank = _RANKS.get(status, 0)
        return rank if rank > 1 or self._pending_counts else 0

    def _stand(self, identity: str, kind: str, rank: int) -> bool:
        """A row takes the place of what it replaces; returns whether it is the first."""
        event = self._builder.event
        slot = self._slot(identity)
        if slot is None:
            self._identities.add(identity)
            self._events.append(event)
            self._ranks.append(rank)
            return True
        if rank < self._ranks[slot]:
            if rank:
                self._superseded(event, kind, self._events[slot])
            return False
        if rank:
            if self._ranks[slot]:
                self._superseded(self._events[slot], kind, event)
            self._events[slot] = event
            self._ranks[slot] = rank
        return False

    def _superseded(self, event: int, kind: str, by: int) -> None:
        details: NodeDetails = {"origin": event, "silent": True}
        made = (Role.ASSISTANT, Kind.TOOL_CALL) if kind == TOOL_CALL else (Role.TOOL, _RESULT)
        self._builder.hold(*made, 0, details, Reason.SUPERSEDED, by)

    def _slot(self, identity: str) -> int | None:
        candidates = self._identities.slots(identity)
        if not candidates:
            return None
        recent = self._identities.recent(identity)
        if recent is not None:
            return recent
        for slot in candidates:
            if row_identity(self._entry_at(self._events[slot])) == identity:
                self._identities.remember(identity, slot)
                return slot
        return None

    # Intervals.

    def _called(self, key: str, status: str, *, new: bool) -> None:
        builder = self._builder
        if builder.is_open(SpanKind.TOOL_CALL, key) or key in self._ended or not new:
            return
        builder.open(SpanKind.TOOL_CALL, key)
        builder.mark(Mark.TOOL_CALL)
        if status in _OUTCOMES:
            self.waiting = (key, _OUTCOMES[status])

    def next_row(self, result_of: str | None) -> None:
        """Another row came: a call that was over is ended, unless this is its result."""
        if self.waiting is not None:
            key, outcome = self.waiting
            self.waiting = None
            if key != result_of:
                self._builder.close(SpanKind.TOOL_CALL, key, outcome)

    def dispatched(self, key: str) -> None:
        """The journal says that a call goes to its tool."""
        self._builder.open(SpanKind.TOOL_CALL, key)
        self._builder.mark(Mark.TOOL_CALL)

    def came_back(self, key: str, *, failed: bool) -> None:
        """The journal says how a call ended."""
        self._end(key, Outcome.FAILED if failed else Outcome.OK)
        if len(self._ended) >= _REMEMBERED:
            self._ended.clear()
        self._ended[key] = None

    def given_up(self, key: str) -> None:
        """The run of a call is over, and the call was not answered."""
        self._end(key, Outcome.INTERRUPTED)

    def _end(self, key: str, outcome: Outcome) -> None:
        self._builder.close(SpanKind.TOOL_CALL, key, outcome)


_RESULT: Final = Kind.TOOL_RESULT
