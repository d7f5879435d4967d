"""The recovery from a request that was too long for the model's window (format page 7.1)."""

from typing import Any, Final

from inspector.formats.dsh.effects.messages import with_detail
from inspector.formats.shapes import mapping
from inspector.timeline.builder import Builder
from inspector.timeline.words import Outcome, SpanKind

_ONE: Final = "1"
_OVERFLOW: Final = "CONTEXT_WINDOW_EXCEEDED"
_NOTHING_HIDDEN: Final = "nothing could be hidden: generation did not grow"


def is_overflow(failure: Any) -> bool:
    """Whether a failure says that the request did not fit the window."""
    return mapping(failure).get("code") == _OVERFLOW


class RecoverySpan:
    """One interval from the overflow over prune and summary to the answer of the retried request.

    The owner retries only if something was hidden, which is the number of replacements having
    grown, and once at the most.

    Attributes:
        waiting: whether an overflow waits for its answer.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self.waiting = False
        self._before = 0
        self._reporters: set[str] = set()

    @property
    def _generation(self) -> int:
        return len(self._builder.timeline.replacements)

    def overflow(self, reporter: str) -> None:
        """A request did not fit; ``reporter`` is the type of the event that tells of it.

        Two events of different types may tell of one overflow as long as nothing was hidden.
        """
        if not self.waiting:
            self._begin(reporter)
        elif self._generation > self._before:
            self._end(Outcome.FAILED, "failed: the retried request did not fit either")
        elif reporter in self._reporters:
            self._end(Outcome.FAILED, _NOTHING_HIDDEN)
        else:
            self._reporters.add(reporter)

    def answered(self, interrupted: bool) -> None:
        """An assistant message came."""
        if not self.waiting:
            return
        grown = f"generation grew {self._before} to {self._generation}, retried"
        if interrupted:
            self._end(Outcome.CANCELLED, f"the retried answer was cut off: {grown}")
        elif self._generation > self._before:
            self._end(Outcome.OK, f"recovered: {grown}")
        else:
            self._end(Outcome.OK, "answered all the same: generation did not grow")

    def turn_over(self, outcome: Outcome, kind: str, failure: Any) -> None:
        """The turn ended; ``kind`` and ``failure`` say why."""
        if not self.waiting:
            if not is_overflow(failure):
                return
            self._begin("turn/end")
            self._end(Outcome.FAILED, _failed(failure))
        elif outcome is not Outcome.FAILED:
            ended = Outcome.UNKNOWN if outcome is Outcome.OK else outcome
            self._end(ended, f"the turn ended: {kind[:80] or 'nobody knows how'}")
        elif self._generation > self._before:
            self._end(Outcome.FAILED, _failed(failure))
        else:
            self._end(Outcome.FAILED, _NOTHING_HIDDEN)

    def new_life(self, outcome: Outcome, word: str) -> None:
        """Nobody goes on with what an earlier life began."""
        if self.waiting:
            self._end(outcome, word)

    def _begin(self, reporter: str) -> None:
        self.waiting = True
        self._before = self._generation
        self._reporters = {reporter}
        self._builder.open(SpanKind.OVERFLOW_RECOVERY, _ONE)

    def _end(self, outcome: Outcome, word: str) -> None:
        self.waiting = False
        self._builder.close(SpanKind.OVERFLOW_RECOVERY, _ONE, outcome, word)


def _failed(failure: Any) -> str:
    return with_detail("failed", mapping(failure).get("message"))
