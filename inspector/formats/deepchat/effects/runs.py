"""The execution journal: runs, what they sent to tools, and what came of it (page 3, 6)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from inspector.formats.deepchat.effects.tools import Tools, call_key
from inspector.formats.shapes import mapping, natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_OUTCOMES: Final = {
    "completed": Outcome.OK,
    "paused": Outcome.OK,
    "aborted": Outcome.CANCELLED,
    "error": Outcome.FAILED,
}
_OPEN_RUNS: Final = 4_096
"""Unfinished runs that are remembered; the first ones are let go."""


@dataclass(slots=True)
class Run:
    """A run that has no end yet.

    Attributes:
        message: the message that it works for.
        event: that began it.
        dispatched: its operations that went to a tool, and the key of their call.
        sent: the events of their dispatches.
        answered: those that came back.
        faults: what contradicts the journal's own rules.
    """

    message: str
    event: int
    dispatched: dict[str, str] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def recovery(self) -> str:
        """The owner's class of a run that has no end: the worst that is so (format page 6)."""
        if self.faults:
            return "corruption"
        if self.dispatched.keys() - self.answered:
            return "indeterminate"
        return "completed" if self.dispatched else "not_dispatched"


class Runs:
    """Tells the builder of the journal."""

    def __init__(self, builder: Builder, tools: Tools) -> None:
        self._builder = builder
        self._tools = tools
        self._runs: dict[str, Run] = {}

    def started(self, data: dict[str, Any]) -> None:
        """A run begins."""
        identity, message = text(data.get("runId")), text(data.get("messageId"))
        known = self._runs.get(identity)
        if known is not None:
            if known.message != message:
                known.faults.append("it was started twice, for two messages")
            return
        if len(self._runs) >= _OPEN_RUNS:
            del self._runs[next(iter(self._runs))]
        self._runs[identity] = Run(message, self._builder.event)
        self._builder.open(SpanKind.RUN, identity)

    def dispatched(self, data: dict[str, Any]) -> None:
        """A call goes to its tool; from here on nobody knows what it did until it comes back."""
        run, operation, key = self._operation(data)
        self._tools.dispatched(key)
        if run is not None:
            if operation in run.dispatched:
                run.faults.append("one operation was dispatched twice")
            run.dispatched[operation] = key
            run.sent[operation] = self._builder.event

    def came_back(self, data: dict[str, Any]) -> None:
        """A call comes back."""
        run, operation, key = self._operation(data)
        failed = data.get("isError") is True
        self._tools.came_back(key, failed=failed)
        if failed:
            self._builder.mark(Mark.ERROR)
        if run is not None:
            if operation not in run.dispatched:
                run.faults.append("an outcome has no dispatch")
            run.answered.add(operation)

    def ended(self, data: dict[str, Any]) -> None:
        """A run ends."""
        identity, word = text(data.get("runId")), text(data.get("outcome"))
        outcome = _OUTCOMES.get(word, Outcome.UNKNOWN)
        reason = text(data.get("stopReason"))
        said = word if not reason or reason in (word, "complete") else f"{word}: {reason}"
        self._builder.close(SpanKind.RUN, identity, outcome, None if said == "completed" else said)
        if outcome is Outcome.FAILED:
            self._builder.mark(Mark.ERROR)
        run = self._runs.pop(identity, None)
        if run is not None:
            for operation in run.dispatched.keys() - run.answered:
                self._tools.given_up(run.dispatched[operation])

    def unfinished(self) -> Iterator[tuple[str, Run]]:
        """The runs without an end, by id."""
        return iter(tuple(self._runs.items()))

    def _operation(self, data: dict[str, Any]) -> tuple[Run | None, str, str]:
        """The run of an operation, the operation, and the key of the call that it makes."""
        operation = mapping(data.get("operation"))
        identity, call = text(operation.get("runId")), text(operation.get("providerToolCallId"))
        message = text(data.get("messageId"))
        run = self._runs.get(identity)
        if run is not None and message != run.message:
            run.faults.append("an operation names another message than its run")
        return run, f"{natural(operation.get('requestSeq'))}:{call}", call_key(message, call)
