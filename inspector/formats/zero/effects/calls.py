"""Calls of tools, their results, and who was asked whether they may run (format page 3 and 4)."""

from typing import Any, Final

from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_FOLLOWED: Final = 10_000
"""Calls without a result that are followed at once; a tape may make any number of them."""

_WORD: Final = 120
"""Characters of an id or a reason that are kept."""

_DECISIONS: Final = {
    "allow": Outcome.OK,
    "deny": Outcome.REJECTED,
    "cancel": Outcome.CANCELLED,
}


def call_id(payload: dict[str, Any]) -> str:
    """The id of the call that an event makes; imported sessions write it as results do."""
    return text(payload.get("toolCallId")) or text(payload.get("id"))


class Calls:
    """Tells the builder when calls begin and end; ids repeat, so a call is told by its event."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._open: dict[str, list[int]] = {}
        self._unanswered = 0

    def made(self, payload: dict[str, Any]) -> None:
        """A call is made."""
        builder = self._builder
        event = builder.event
        if self._unanswered < _FOLLOWED:
            self._open.setdefault(call_id(payload)[:_WORD], []).append(event)
            self._unanswered += 1
            builder.open(SpanKind.TOOL_CALL, str(event))
        builder.mark(Mark.TOOL_CALL)
        builder.settle(False)

    def answered(self, payload: dict[str, Any]) -> bool:
        """A result comes, which belongs to the latest call of its id that has none yet.

        Returns:
            Whether it says that the call failed.
        """
        status = text(payload.get("status")) or "ok"
        failed = status != "ok"
        builder = self._builder
        if failed:
            builder.mark(Mark.ERROR)
        identity = text(payload.get("toolCallId"))[:_WORD]
        waiting = self._open.get(identity)
        if waiting:
            call = waiting.pop()
            if not waiting:
                del self._open[identity]
            self._unanswered -= 1
            word = status[:_WORD] if failed else None
            outcome = Outcome.FAILED if failed else Outcome.OK
            builder.close(SpanKind.TOOL_CALL, str(call), outcome, word)
            builder.pair(call)
        if not self._unanswered:
            builder.settle(True)
        return failed

    def over(self) -> None:
        """The turn is over: nobody waits for a result any more, or for a decision."""
        builder = self._builder
        if self._unanswered:
            self._open.clear()
            self._unanswered = 0
            builder.close_all(SpanKind.TOOL_CALL, Outcome.INTERRUPTED, "no result")
            builder.settle(True)
        builder.close_all(SpanKind.APPROVAL, Outcome.INTERRUPTED, "no decision")

    # Who was asked.

    def asked(self, payload: dict[str, Any]) -> None:
        """The person is asked whether a call may run."""
        self._builder.open(SpanKind.APPROVAL, _approval(payload))

    def decided(self, payload: dict[str, Any]) -> None:
        """It may, or may not; where nobody was asked, as mostly, there is nothing to end."""
        if not self._builder.is_open(SpanKind.APPROVAL, _approval(payload)):
            return
        action = text(payload.get("decisionAction")) or text(payload.get("action"))
        outcome = _DECISIONS.get(action, Outcome.UNKNOWN)
        reason = text(payload.get("decisionReason"))[:_WORD]
        word = f"{action[:_WORD]}: {reason}" if reason else action[:_WORD]
        self._builder.close(SpanKind.APPROVAL, _approval(payload), outcome, word or None)


def _approval(payload: dict[str, Any]) -> str:
    return text(payload.get("toolCallId"))[:_WORD]
