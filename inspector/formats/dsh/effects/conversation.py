"""Turns, steps, messages, calls and their results (format page 1.10, 3.4 and 5)."""

from typing import Any, Final

from inspector.formats.dsh.effects.activities import Activities
from inspector.formats.dsh.effects.compactions import Compactions
from inspector.formats.dsh.effects.messages import (
    TURN_OUTCOMES,
    Shape,
    assistant_kind,
    is_checkpoint,
    is_human,
    turn_end_kind,
    with_detail,
)
from inspector.formats.dsh.effects.recovery_span import RecoverySpan, is_overflow
from inspector.formats.dsh.effects.retry_span import RetrySpan
from inspector.formats.dsh.effects.settling import Settling
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.usage_figures import tell_unreadable
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

_RESULT_OUTCOMES: Final = {
    "TOOL_OUTCOME_UNKNOWN": Outcome.UNKNOWN,
    "TOOL_NOT_STARTED": Outcome.INTERRUPTED,
}
"""Error codes of the results that crash repair writes (format page 5)."""

_CALL: Final = "tool-call"
_ONE: Final = "1"
_FIGURES: Final = ("cacheReadTokens", "inputTokens", "cacheWriteTokens", "outputTokens")
"""The identity of spans of which one is open at a time."""


class Conversation:
    """Tells the builder of the core loop, and the other rooms where a step or a turn ends."""

    def __init__(
        self,
        builder: Builder,
        settling: Settling,
        compactions: Compactions,
        activities: Activities,
    ) -> None:
        self._builder = builder
        self._settling = settling
        self._compactions = compactions
        self._activities = activities
        self._retry = RetrySpan(builder)
        self._recovery = RecoverySpan(builder)
        self._called: dict[str, int] = {}
        self._interrupted = False

    # Turns and steps.

    def turn_start(self, data: dict[str, Any]) -> None:
        """A turn begins; whatever was open of another one ended before, nobody knows how."""
        self._end_step(Outcome.UNKNOWN)
        self._settling.write_done()
        if self._recovery.waiting:
            self._recovery.turn_over(Outcome.UNKNOWN, "", None)
        self._compactions.turn_boundary()
        self._builder.open(SpanKind.TURN, _ONE, natural(data.get("turn")))
        self._builder.mark(Mark.TURN)

    def turn_end(self, data: dict[str, Any]) -> None:
        """A turn ends for a reason."""
        kind = turn_end_kind(data)
        outcome = TURN_OUTCOMES.get(kind, Outcome.UNKNOWN)
        failure = mapping(mapping(data.get("reason")).get("error"))
        self._end_step(Outcome.INTERRUPTED if outcome is Outcome.OK else outcome)
        self._settling.write_done()
        self._recovery.turn_over(outcome, kind, failure)
        self._compactions.turn_boundary()
        word = None if outcome is Outcome.OK else with_detail(kind, failure.get("message"))
        self._builder.close(SpanKind.TURN, _ONE, outcome, word)
        if kind == "error":
            self._builder.mark(Mark.ERROR)

    def step_start(self, data: dict[str, Any]) -> None:
        """A step begins; calls of the one before stay pending (format page 5)."""
        self._builder.open(SpanKind.STEP, _ONE, natural(data.get("step")))

    def step_end(self, _data: dict[str, Any]) -> None:
        """A step ends."""
        self._end_step(Outcome.OK)

    def _end_step(self, outcome: Outcome) -> None:
        """The step ends, and with it every call of it that was not answered (format page 5)."""
        self._builder.close(SpanKind.STEP, _ONE, outcome)
        self._builder.close_all(SpanKind.TOOL_CALL, Outcome.INTERRUPTED)
        self._called.clear()
        self._settling.forget_calls()
        self._activities.step_over()
        if self._retry.waiting:
            self._retry.step_over(outcome)

    # Messages, calls and results.

    def user_message(self, data: dict[str, Any]) -> Shape:
        """A person's prompt, a checkpoint, or what something else put into the user's mouth."""
        self._settling.write_done()
        content = items(data.get("content"))
        if is_human(data):
            self._builder.mark(Mark.USER)
            return Shape(Role.USER, Kind.MESSAGE, content)
        if is_checkpoint(data):
            return Shape(Role.SUMMARY, Kind.SUMMARY, content)
        return Shape(Role.USER, Kind.CONTEXT, content)

    def assistant_message(self, data: dict[str, Any]) -> Shape:
        """The model's answer, with the calls it makes."""
        usage = data.get("usage")
        if usage is not None:
            self.spend(mapping(usage))
        self._interrupted = data.get("interrupted") is True
        content = data["message"]["content"]
        kinds = [block.get("type") if type(block) is dict else None for block in content]
        if "tool-call" in kinds:
            called = zip(kinds, content, strict=True)
            self._settling.asked(text(block.get("id")) for kind, block in called if kind == _CALL)
        return Shape(Role.ASSISTANT, assistant_kind(kinds), content)

    def system_message(self, data: dict[str, Any]) -> Shape:
        """The system prompt, which later versions keep on the surface (format page 11)."""
        return Shape(Role.SYSTEM, Kind.MESSAGE, data["message"]["content"])

    def developer_message(self, data: dict[str, Any]) -> Shape:
        """What the harness tells the model of itself in later versions (format page 11)."""
        return Shape(Role.DEVELOPER, Kind.MESSAGE, data["message"]["content"])

    def answered(self) -> None:
        """The last assistant message stands at the end, so it answers the last request."""
        if self._retry.waiting:
            self._retry.answered(self._interrupted)
        if self._recovery.waiting:
            self._recovery.answered(self._interrupted)

    def tool_call(self, data: dict[str, Any]) -> None:
        """A call is made."""
        call = text(data.get("callId"))
        self._builder.open(SpanKind.TOOL_CALL, call)
        self._called[call] = self._builder.event
        self._builder.mark(Mark.TOOL_CALL)

    def tool_result(self, data: dict[str, Any]) -> Shape:
        """A call is answered."""
        message = data["message"]
        content = message["content"]
        failed = content[0].get("isError") is True
        outcome, word = (Outcome.FAILED if failed else Outcome.OK), None
        if "error" in data:
            code = text(mapping(data["error"]).get("code"))
            outcome = _RESULT_OUTCOMES.get(code, outcome)
            word = code
        call = message["source"]["callId"]
        self._builder.close(SpanKind.TOOL_CALL, call, outcome, word)
        called = self._called.pop(call, None)
        if called is not None:
            self._builder.pair(called)
        self._settling.answered(call)
        self._settling.write_done()
        return Shape(Role.TOOL, Kind.TOOL_RESULT, content, failed)

    # Requests that fail.

    def chunk(self, data: dict[str, Any]) -> None:
        """A piece of a stream; only one that ends in an error does anything."""
        chunk = data.get("chunk")
        if type(chunk) is dict and chunk.get("type") == "finish":
            reason = mapping(chunk.get("reason"))
            if reason.get("kind") == "error":
                self._builder.mark(Mark.ERROR)
                if is_overflow(reason.get("failure")):
                    self._recovery.overflow("assistant/chunk")

    def attempt(self, data: dict[str, Any]) -> None:
        """A request that failed, with the chunks that came of it (format page 11: since v2)."""
        self._builder.mark(Mark.ERROR)
        stream = items(data.get("stream"))
        if stream:
            chunk = mapping(mapping(stream[-1]).get("chunk"))
            if is_overflow(mapping(chunk.get("reason")).get("failure")):
                self._recovery.overflow("assistant/attempt")

    def retry(self, data: dict[str, Any]) -> None:
        """A request failed and will be made again."""
        self._builder.mark(Mark.ERROR)
        self._retry.planned()
        if is_overflow(data.get("failure")):
            self._recovery.overflow("llm/retry")

    def retry_started(self, _data: dict[str, Any]) -> None:
        """It is made again."""
        self._retry.started()

    # All of it.

    def new_life(self, outcome: Outcome, word: str) -> None:
        """Nobody goes on with a request of an earlier life."""
        self._retry.new_life(outcome, word)
        self._recovery.new_life(outcome, word)

    def spend(self, usage: dict[str, Any], *, aside: bool = False) -> None:
        """A provider reported what a request took."""
        get = usage.get
        tell_unreadable(self._builder, usage, _FIGURES)
        self._builder.spend(
            natural(get("cacheReadTokens", 0)) or 0,
            natural(get("inputTokens", 0)) or 0,
            natural(get("cacheWriteTokens", 0)) or 0,
            natural(get("outputTokens", 0)) or 0,
            aside=aside,
        )
