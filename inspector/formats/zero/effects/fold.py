"""What each event type does: the node that it makes, and what it does beside the surface."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.zero.effects.calls import Calls
from inspector.formats.zero.effects.turns import Turns
from inspector.formats.zero.effects.undertakings import Undertakings
from inspector.formats.zero.effects.weights import of_any
from inspector.formats.zero.surface import Shape
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

Handler = Callable[[dict[str, Any]], None]
Shaper = Callable[[dict[str, Any]], Shape]

_COMPACTION: Final = "1"

# Looked up once, not with every event.
_ASSISTANT: Final = Role.ASSISTANT
_TOOL: Final = Role.TOOL
_TOOL_CALL: Final = Kind.TOOL_CALL
_TOOL_RESULT: Final = Kind.TOOL_RESULT


class Fold:
    """Tells the builder what events do, but for which of them stand on the surface.

    Attributes:
        shapers: by type, what an event that can stand there does, and what node it is; but for
            compactions.
        handlers: by type, what an event does that cannot; a type that is not here does nothing.

    Both are only called with objects; a payload that is none is an empty one.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._calls = calls = Calls(builder)
        self._turns = turns = Turns(builder, calls)
        self.undertakings = undertakings = Undertakings(builder)
        self.shapers: dict[str, Shaper] = {
            "message": turns.message,
            "tool_call": self._tool_call,
            "tool_result": self._tool_result,
        }
        self.handlers: dict[str, Handler] = {
            "permission_request": calls.asked,
            "permission_decision": calls.decided,
            "provider_usage": turns.spent,
            "error": turns.error,
            "goal_created": undertakings.goal,
            "goal_updated": undertakings.goal,
            "goal_cleared": undertakings.goal_cleared,
            "spec_draft": undertakings.spec_draft,
            "spec_approved": undertakings.spec_approved,
            "spec_rejected": undertakings.spec_rejected,
            "specialist_start": undertakings.specialist_start,
            "specialist_stop": undertakings.specialist_stop,
            "session_child": undertakings.child,
            "session_fork": undertakings.forked,
        }

    def begin(self, registers: dict[str, str]) -> None:
        """What is so before the first event."""
        self._builder.event = -1
        for name, value in registers.items():
            self._builder.set(name, value)
        self._builder.event = 0

    def _tool_call(self, payload: dict[str, Any]) -> Shape:
        self._calls.made(payload)
        get = payload.get
        return _ASSISTANT, _TOOL_CALL, of_any(get("name")) + of_any(get("arguments"))

    def _tool_result(self, payload: dict[str, Any]) -> Shape:
        self._calls.answered(payload)
        return _TOOL, _TOOL_RESULT, of_any(payload.get("output"))

    def compaction(self, payload: dict[str, Any]) -> Shape:
        """A compaction is one event: it begins and ends with it."""
        self._builder.mark(Mark.COMPACTION)
        return Role.SUMMARY, Kind.SUMMARY, of_any(payload.get("summary"))

    def compacted(self, why: str | None) -> None:
        """A compaction is done, or cannot be folded for a reason."""
        self._builder.open(SpanKind.COMPACTION, _COMPACTION)
        outcome = Outcome.OK if why is None else Outcome.FAILED
        self._builder.close(SpanKind.COMPACTION, _COMPACTION, outcome, why)
        if why is not None:
            self._builder.mark(Mark.ERROR)
