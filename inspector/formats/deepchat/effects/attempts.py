"""What a provider was asked, how it ended and what it took (format page 3)."""

from typing import Any, Final

from inspector.formats.shapes import mapping, natural, text
from inspector.formats.usage_figures import tell_unreadable
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_OUTCOMES: Final = {
    "completed": Outcome.OK,
    "aborted": Outcome.CANCELLED,
    "error": Outcome.FAILED,
    "context_overflow": Outcome.FAILED,
}
_ONE: Final = "1"
_FIGURES: Final = ("cacheReadTokens", "cacheWriteTokens", "inputTokens", "outputTokens")
"""The identity of the recovery, of which one is open at a time."""


class Attempts:
    """Tells the builder of requests and of their repetitions."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._message = ""

    def completed(self, data: dict[str, Any]) -> None:
        """One physical request is over."""
        self._message = text(data.get("messageId"))
        status = text(data.get("status"))
        outcome = _OUTCOMES.get(status, Outcome.UNKNOWN)
        self._names(data)
        self._spend(mapping(data.get("usage")))
        if outcome is Outcome.FAILED:
            self._builder.mark(Mark.ERROR)
        key = f"{self._message}:{natural(data.get('requestSeq'))}"
        why = text(data.get("failureClassification")) or text(data.get("errorCode")) or status
        word = None if outcome is Outcome.OK else why
        self._builder.close(SpanKind.RETRY, key, outcome, word)
        self._recover(data, outcome, word)
        if data.get("retryDecision") == "retry_scheduled":
            self._builder.open(SpanKind.RETRY, key)

    def _recover(self, data: dict[str, Any], outcome: Outcome, word: str | None) -> None:
        """A request that was too long is made again with less (names of format page 3)."""
        decision = data.get("retryDecision")
        if decision == "retry_scheduled":
            return
        exhausted = decision == "context_recovery_exhausted"
        self._builder.close(
            SpanKind.OVERFLOW_RECOVERY,
            _ONE,
            Outcome.FAILED if exhausted else outcome,
            "context_recovery_exhausted" if exhausted else word,
        )
        if decision == "context_recovery_scheduled":
            self._builder.open(SpanKind.OVERFLOW_RECOVERY, _ONE)

    def _names(self, data: dict[str, Any]) -> None:
        for register, key in (("model", "modelId"), ("provider", "providerId")):
            if text(data.get(key)):
                self._builder.set(register, data[key][:_NAME])

    def _spend(self, usage: dict[str, Any]) -> None:
        if usage:
            tell_unreadable(self._builder, usage, _FIGURES)
            cached = natural(usage.get("cacheReadTokens")) or 0
            written = natural(usage.get("cacheWriteTokens")) or 0
            everything = natural(usage.get("inputTokens"))
            if everything is None:
                everything = cached + written
            # The owner's hit rate is read / input, so its input holds both.
            cached = min(cached, everything)
            written = min(written, everything - cached)
            uncached = everything - cached - written
            self._builder.spend(cached, uncached, written, natural(usage.get("outputTokens")) or 0)

    def answered(self, identity: str, metadata: dict[str, Any]) -> None:
        """A finished message tells what it took, which counts where no attempt told it."""
        if identity == self._message or "inputTokens" not in metadata:
            return
        tell_unreadable(self._builder, metadata, _FIGURES)
        self._builder.spend(
            0,
            natural(metadata.get("inputTokens")) or 0,
            0,
            natural(metadata.get("outputTokens")) or 0,
        )
        for register, key in (("model", "model"), ("provider", "provider")):
            if text(metadata.get(key)):
                self._builder.set(register, metadata[key][:_NAME])


_NAME: Final = 200
