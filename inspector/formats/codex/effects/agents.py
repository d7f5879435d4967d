"""Subagents, each with a thread of its own: from when one is started to when it is closed."""

from typing import Any, Final

from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Outcome, SpanKind

_ENDS: Final = {
    "completed": Outcome.OK,
    "errored": Outcome.FAILED,
    "failed": Outcome.FAILED,
    "interrupted": Outcome.INTERRUPTED,
    "shutdown": Outcome.CANCELLED,
}
"""What a thread was when it was closed; anything else is no outcome."""


class Agents:
    """Tells the builder of subagents (format page 2.5)."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def spawned(self, event: dict[str, Any], _record: int) -> None:
        """A subagent is started."""
        name = text(event.get("new_thread_id"))
        if name:
            self._builder.kin("spawned", name, None)
            self._builder.open(SpanKind.SUBAGENT, name)

    def closed(self, event: dict[str, Any], _record: int) -> None:
        """The thread of a subagent is closed, whatever it was doing."""
        status = event.get("status")
        word = next(iter(status), "") if isinstance(status, dict) else text(status)
        name = text(event.get("receiver_thread_id"))
        outcome = _ENDS.get(word, Outcome.UNKNOWN)
        self._builder.close(SpanKind.SUBAGENT, name, outcome, word or None)
