"""Turns: from what a person says to the end of the answer, and what it cost (format page 4.2)."""

from typing import Any, Final

from inspector.formats.pi.effects.calls import Calls
from inspector.formats.pi.entry import figure
from inspector.formats.shapes import text
from inspector.formats.usage_figures import tell_unreadable
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
"""The identity of a span of which one is open at a time."""

_SAID: Final = 120

_ENDS: Final = {
    "stop": Outcome.OK,
    "length": Outcome.FAILED,
    "error": Outcome.FAILED,
    "aborted": Outcome.CANCELLED,
}
"""Why the model stopped where it does not wait for a tool."""

_FIGURES: Final = ("input", "cacheRead", "cacheWrite", "output")


class Turns:
    """Tells the builder of turns, prompts, errors and reported tokens."""

    def __init__(self, builder: Builder, calls: Calls) -> None:
        self._builder = builder
        self._calls = calls

    def left(self) -> None:
        """The path goes on elsewhere: what was not over never will be."""
        self._calls.stopped(Outcome.INTERRUPTED, "the branch was left")
        self._builder.close(SpanKind.TURN, _ONE, Outcome.INTERRUPTED, "the branch was left")

    def said(self) -> None:
        """The person speaks."""
        builder = self._builder
        self._calls.stopped(Outcome.INTERRUPTED, "no result")
        builder.close(SpanKind.TURN, _ONE, Outcome.UNKNOWN)
        builder.open(SpanKind.TURN, _ONE)
        builder.mark(Mark.USER)
        builder.mark(Mark.TURN)

    def answered(self, message: dict[str, Any]) -> None:
        """The model answers."""
        self._calls.made(message)
        self.reported(message.get("usage"), aside=False)
        reason = text(message.get("stopReason"))
        outcome = _ENDS.get(reason)
        if outcome is None:
            return
        word = None
        if outcome is not Outcome.OK:
            word = clean_line(text(message.get("errorMessage")) or reason, _SAID)
        if reason in ("error", "aborted"):
            self._builder.mark(Mark.ERROR)
        self._builder.close(SpanKind.TURN, _ONE, outcome, word)

    def compacted(self, entry: dict[str, Any]) -> None:
        """A compaction is done when its record stands there."""
        builder = self._builder
        builder.mark(Mark.COMPACTION)
        builder.open(SpanKind.COMPACTION, _ONE)
        builder.close(SpanKind.COMPACTION, _ONE, Outcome.OK)
        self.reported(entry.get("usage"), aside=True)

    def reported(self, usage: Any, *, aside: bool) -> None:
        """A provider reported the tokens of a request; nothing where it is no report."""
        if type(usage) is not dict:
            return
        sent, cached = figure(usage.get("input")), figure(usage.get("cacheRead"))
        written, output = figure(usage.get("cacheWrite")), figure(usage.get("output"))
        tell_unreadable(self._builder, usage, _FIGURES)
        if sent or cached or written or output:
            self._builder.spend(cached, sent, written, output, aside=aside)
