"""Retries of a request that failed (format page 1.10: ``llm/retry``, ``llm/retry-started``)."""

from typing import Final

from inspector.timeline.builder import Builder
from inspector.timeline.words import Outcome, SpanKind

_ONE: Final = "1"


class RetrySpan:
    """From the failure to the answer, the next failure or the end of the step.

    Attributes:
        waiting: whether a retry waits for its answer.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self.waiting = False
        self._started = False

    def planned(self) -> None:
        """A request failed and will be made again; if it was a retry, that failed too."""
        if self.waiting:
            self._end(Outcome.FAILED, "failed again")
        self.waiting = True
        self._started = False
        self._builder.open(SpanKind.RETRY, _ONE)

    def started(self) -> None:
        """The request is made again."""
        self._started = True

    def answered(self, interrupted: bool) -> None:
        """An assistant message came."""
        if self.waiting and interrupted:
            self._end(Outcome.CANCELLED, "the answer was cut off")
        elif self.waiting:
            self._end(Outcome.OK, "succeeded")

    def step_over(self, outcome: Outcome) -> None:
        """The step ended without an answer; ``outcome`` is the step's."""
        if not self.waiting:
            return
        if outcome not in (Outcome.OK, Outcome.FAILED):
            self._end(outcome, "given up")
        elif self._started:
            self._end(Outcome.FAILED, "failed again")
        else:
            self._end(Outcome.FAILED, "given up before it started")

    def new_life(self, outcome: Outcome, word: str) -> None:
        """Nobody goes on with what an earlier life began."""
        if self.waiting:
            self._end(outcome, word)

    def _end(self, outcome: Outcome, word: str) -> None:
        self.waiting = False
        self._builder.close(SpanKind.RETRY, _ONE, outcome, word)
