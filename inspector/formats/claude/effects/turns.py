"""Turns: from what a person says to the end of the answer (format page 1.4 and 1.6)."""

from typing import Any, Final

from inspector.formats.claude.effects.calls import ToolCalls
from inspector.formats.claude.effects.shapes import SHOWN_ORIGINS
from inspector.formats.claude.effects.texts import INTERRUPTED, content_of, first_text, is_output
from inspector.formats.claude.times import length_of
from inspector.formats.shapes import items, mapping, natural, text
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
"""The identity of spans of which one is open at a time."""

_SAID: Final = 100

_ENDS: Final = {
    "end_turn": Outcome.OK,
    "stop_sequence": Outcome.OK,
    "max_tokens": Outcome.FAILED,
    "model_context_window_exceeded": Outcome.FAILED,
    "refusal": Outcome.REJECTED,
}
"""Why the model stopped where it does not wait for a tool."""

_PERSONS: Final = SHOWN_ORIGINS | {"human"}


class Turns:
    """Tells the builder of turns, prompts, errors and interruptions of the main line."""

    def __init__(self, builder: Builder, calls: ToolCalls) -> None:
        self._builder = builder
        self._calls = calls

    @property
    def retries(self) -> bool:
        """Whether a request failed and is made again."""
        return self._builder.is_open(SpanKind.RETRY, _ONE)

    def said(self, record: dict[str, Any]) -> bool:
        """The user's side says something that is no result; whether it is a person's prompt."""
        said = first_text(content_of(record))
        if said.startswith(INTERRUPTED):
            self._calls.stopped(Outcome.INTERRUPTED, "interrupted by the user")
            self._builder.close(SpanKind.TURN, _ONE, Outcome.INTERRUPTED, "interrupted by the user")
            return False
        origin = mapping(record.get("origin")).get("kind")
        if is_output(said) or (origin is not None and origin not in _PERSONS):
            return False
        self._calls.stopped(Outcome.UNKNOWN, "never answered")
        self._builder.close(SpanKind.TURN, _ONE, Outcome.UNKNOWN)
        self._builder.open(SpanKind.TURN, _ONE)
        self._builder.mark(Mark.USER)
        self._builder.mark(Mark.TURN)
        return True

    def answered(self, record: dict[str, Any]) -> None:
        """The model answers."""
        message = mapping(record.get("message"))
        builder = self._builder
        if record.get("isApiErrorMessage") is True:
            word = clean_line(first_text(message.get("content")), _SAID)
            builder.mark(Mark.ERROR)
            builder.close(SpanKind.RETRY, _ONE, Outcome.FAILED, word)
            builder.close(SpanKind.TURN, _ONE, Outcome.FAILED, word or None)
            return
        builder.close(SpanKind.RETRY, _ONE, Outcome.OK)
        outcome = _ENDS.get(text(message.get("stop_reason")))
        if outcome is None or _only_thinks(message):
            return
        reason = text(message.get("stop_reason"))
        builder.close(SpanKind.TURN, _ONE, outcome, None if outcome is Outcome.OK else reason)

    # Notices.

    def api_error(self, record: dict[str, Any]) -> None:
        """A request failed and is made again."""
        builder = self._builder
        builder.mark(Mark.ERROR)
        if not builder.is_open(SpanKind.RETRY, _ONE):
            builder.open(SpanKind.RETRY, _ONE)
        attempt, most = natural(record.get("retryAttempt")), natural(record.get("maxRetries"))
        if attempt is not None and attempt == most:
            builder.close(SpanKind.RETRY, _ONE, Outcome.FAILED, "no retry is left")

    def duration(self, record: dict[str, Any]) -> None:
        """The owner says how long the turn took, when it is over."""
        took = natural(record.get("durationMs"))
        word = None if took is None else length_of(took)
        self._builder.close(SpanKind.TURN, _ONE, Outcome.OK, word)

    def plan_mode(self, *, on: bool) -> None:
        """The person switched the plan mode."""
        if on and not self._builder.is_open(SpanKind.PLAN_MODE, _ONE):
            self._builder.open(SpanKind.PLAN_MODE, _ONE)
        elif not on:
            self._builder.close(SpanKind.PLAN_MODE, _ONE, Outcome.OK)

    def hook(self, kind: str, attachment: dict[str, Any]) -> None:
        """A hook ran."""
        word = clean_line(text(attachment.get("hookName")) or kind, _SAID)
        outcome = Outcome.OK if kind == "hook_success" else _HOOKS.get(kind)
        if outcome is None:
            return
        self._builder.open(SpanKind.HOOK, _ONE)
        self._builder.close(SpanKind.HOOK, _ONE, outcome, word)


_HOOKS: Final = {
    "hook_blocking_error": Outcome.REJECTED,
    "hook_non_blocking_error": Outcome.FAILED,
    "hook_error_during_execution": Outcome.FAILED,
    "hook_cancelled": Outcome.CANCELLED,
    "hook_stopped_continuation": Outcome.REJECTED,
}


def _only_thinks(message: dict[str, Any]) -> bool:
    """Whether the answer itself is still to come, in another line of the message."""
    blocks = items(message.get("content"))
    return bool(blocks) and all(
        mapping(block).get("type") in ("thinking", "redacted_thinking") for block in blocks
    )
