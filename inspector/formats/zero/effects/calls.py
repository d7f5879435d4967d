"""Calls of tools, their results, and who was asked whether they may run (format page 3 and 4)."""

from typing import Any, Final

from inspector.formats.shapes import text
from inspector.formats.zero.effects.keys import key_of
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_FOLLOWED: Final = 10_000
"""Calls without a result that are followed at once; a tape may make any number of them."""

_WORD: Final = 120
"""Characters of a reason that are kept."""

_DECISIONS: Final = {
    "allow": Outcome.OK,
    "deny": Outcome.REJECTED,
    "cancel": Outcome.CANCELLED,
}


# Looked up once, not with every event.
_TOOL_CALL: Final = Mark.TOOL_CALL
_APPROVAL: Final = SpanKind.APPROVAL
_OK: Final = Outcome.OK


def call_id(payload: dict[str, Any]) -> str:
    """The id of the call that an event makes; imported sessions write it as results do."""
    identity = payload.get("toolCallId") or payload.get("id")
    if type(identity) is str:
        return identity
    return text(payload.get("toolCallId")) or text(payload.get("id"))


class Calls:
    """Tells when calls begin and end; ids repeat, so a call is told by its event.

    Half of all events come here: the spans are opened and closed without the builder's names.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        timeline = builder.timeline
        self._spans = timeline.spans[SpanKind.TOOL_CALL]
        self._mark, self._settle = timeline.marks.add, timeline.settled.set
        self._pair = timeline.pairs.add
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._unanswered = 0

    @property
    def waits(self) -> bool:
        """Whether a call waits for its result, or anything for a decision."""
        return self._unanswered > 0 or bool(self._builder.open_ones(_APPROVAL))

    def made(self, payload: dict[str, Any]) -> None:
        """A call is made."""
        event = self._builder.event
        unanswered = self._unanswered
        if unanswered < _FOLLOWED:
            span = self._spans.open(event + 1, None)
            identity = key_of(call_id(payload))
            waiting = self._open.get(identity)
            if waiting is None:
                self._open[identity] = [(event, span)]
            else:
                waiting.append((event, span))
            self._unanswered = unanswered + 1
        self._mark(_TOOL_CALL, event)
        if not unanswered:
            self._settle(event + 1, False)

    def answered(self, payload: dict[str, Any]) -> None:
        """A result comes, which belongs to the latest call of its id that has none yet."""
        event = self._builder.event
        status = payload.get("status")
        failed = status != "ok" and bool(status) and type(status) is str
        if failed:
            self._mark(Mark.ERROR, event)
        identity = key_of(text(payload.get("toolCallId")))
        waiting = self._open.get(identity)
        if waiting:
            call, span = waiting.pop()
            if not waiting:
                del self._open[identity]
            self._unanswered = unanswered = self._unanswered - 1
            if not unanswered:
                self._settle(event + 1, True)
            if failed:
                self._spans.close(span, event + 1, Outcome.FAILED, text(status)[:_WORD])
            else:
                self._spans.close(span, event + 1, _OK)
            self._pair(call, event)

    def over(self) -> None:
        """The turn is over: nobody waits for a result any more, or for a decision."""
        builder = self._builder
        if self._unanswered:
            left = sorted(span for waiting in self._open.values() for _, span in waiting)
            for span in left:
                self._spans.close(span, builder.event + 1, Outcome.INTERRUPTED, "no result")
            self._open.clear()
            self._unanswered = 0
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
    return key_of(text(payload.get("toolCallId")))
