"""Calls, what records say of how far they came, and their results (format page 3.2 and 3.5).

A record of a call is set anew by its id, later fields over earlier ones; a result is a message.
What a result says never tells how the call ended: only a status does.
"""

from bisect import insort
from enum import Enum
from itertools import islice
from typing import Any, Final

from inspector.columns import Column, holds, unsigned
from inspector.formats.reina.messages import ToolCall
from inspector.formats.reina.vocabulary import COMPLETED, FAILED, PENDING, REJECTED, RUNNING
from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_KNOWN: Final = 65_536
"""Calls that are remembered: a log may make any number."""

_SAID: Final = 120

_CALL: Final = SpanKind.TOOL_CALL
_APPROVAL: Final = SpanKind.APPROVAL

_ENDS: Final = {
    COMPLETED: Outcome.OK,
    FAILED: Outcome.FAILED,
    REJECTED: Outcome.REJECTED,
}
"""Statuses with which a call is over."""

_NOBODYS: Final = "\0"
"""Under which a call without an id begins and ends."""

_UNTOLD: Final = "no record says how it ended"


class _Known:
    """What is known of a call.

    Attributes:
        event: the position of the message that makes it; None where none was met.
        status: the last one that was told, perhaps nothing.
        answered: the event of its result; None until that came.
        span: the number of its span.
    """

    __slots__ = ("answered", "event", "span", "status")

    def __init__(self, event: int | None, span: int) -> None:
        self.event = event
        self.span = span
        self.status = ""
        self.answered: int | None = None


class Answer(Enum):
    """What a result is to the calls before it."""

    FITS = "fits"
    ORPHAN = "orphan"
    SECOND = "second"
    DISPLACED = "displaced"


class Calls:
    """Tells the builder of calls, approvals, results and what belongs together.

    Attributes:
        noted: the events of results of calls whose end a record told.
        unanswered: by the events of messages, the ids of their calls that have no result so far.
        direct: the message whose results may follow, its event; None behind any other message.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._spans = builder.timeline.spans[_CALL]
        self._known: dict[str, _Known] = {}
        self._waiting: dict[str, None] = {}
        self._asked = False
        self.noted: Column = unsigned()
        self.unanswered: dict[int, list[str]] = {}
        self.direct: int | None = None

    # Messages.

    def made(self, calls: list[ToolCall]) -> None:
        """A message makes calls."""
        builder = self._builder
        builder.mark(Mark.TOOL_CALL)
        self.direct = builder.event
        if len(self.unanswered) < _KNOWN:
            self.unanswered[builder.event] = [call.id or "" for call in calls]
        for call in calls:
            if call.id is None:
                builder.open(_CALL, _NOBODYS)
                why = "it has no id: no result can be told for its own"
                builder.close(_CALL, _NOBODYS, Outcome.UNKNOWN, why)
                continue
            known = self._known.get(call.id)
            if known is None or known.event is not None:
                # Ids come again: what was told of the call before is not of this one.
                self._open(call.id, builder.event)
            else:
                known.event = builder.event
                self._spans.claim(known.span, builder.event)
            self._wait(call.id)

    def answered(self, call: str | None) -> Answer:
        """A result comes."""
        builder = self._builder
        known = None if call is None else self._known.get(call)
        if call is None or known is None or known.event is None:
            return Answer.ORPHAN
        if known.answered is not None:
            return Answer.SECOND
        builder.pair(known.event)
        known.answered = builder.event
        self._has_result(known.event, call)
        outcome = _ENDS.get(known.status)
        if outcome is not None:
            self.noted.append(builder.event)
        self._answer(call, known, outcome)
        return Answer.FITS if known.event == self.direct else Answer.DISPLACED

    def _has_result(self, event: int, call: str) -> None:
        left = self.unanswered.get(event)
        if left is not None and call in left:
            left.remove(call)
            if not left:
                del self.unanswered[event]

    def _answer(self, call: str, known: _Known, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._end(call, known.status, outcome)
        elif not known.status:
            self._builder.close(_CALL, call, Outcome.UNKNOWN, _UNTOLD)
        # By its own status a call that is running goes on, whatever came of it already.
        self._over(call)

    # Records.

    def told(self, record: dict[str, Any]) -> bool:
        """A record says how far a call came; whether it names one."""
        call = text(record.get("id"))
        if not call:
            return False
        known = self._known.get(call)
        if known is None:
            known = self._open(call, None)
        status = text(record.get("status"))
        if status:
            known.status = status
            self._follow(call, known)
        return True

    def _follow(self, call: str, known: _Known) -> None:
        builder, status = self._builder, known.status
        if status == PENDING:
            self._asked = True
            if not builder.is_open(_APPROVAL, call):
                builder.open(_APPROVAL, call)
            return
        if self._asked and (status == RUNNING or status in _ENDS):
            decided = Outcome.REJECTED if status == REJECTED else Outcome.OK
            builder.close(_APPROVAL, call, decided, status)
        outcome = _ENDS.get(status)
        if outcome is not None:
            if outcome is not Outcome.OK:
                builder.mark(Mark.ERROR)
            if not self._end(call, status, outcome):
                self._amend(known, outcome)
            if known.answered is not None and not holds(self.noted, known.answered):
                insort(self.noted, known.answered)

    def _amend(self, known: _Known, outcome: Outcome) -> None:
        """A call that is over is said to have ended otherwise: what is told later counts."""
        now = self._spans[known.span]
        if now.closed is not None and (now.outcome, now.word) != (outcome, known.status):
            self._builder.amend(_CALL, known.span, outcome, known.status)

    def _end(self, call: str, status: str, outcome: Outcome) -> bool:
        return self._builder.close(_CALL, call, outcome, status)

    # Turns.

    def over(self, why: str) -> None:
        """A turn is over: what has no result by now gets none in it."""
        builder = self._builder
        for call in builder.open_ones(_CALL):
            known = self._known.get(call)
            status = "" if known is None else known.status
            answered = known is not None and known.answered is not None
            outcome = Outcome.UNKNOWN if answered else Outcome.INTERRUPTED
            word = f"{why}, its status was {status[:_SAID]}" if status else why
            builder.close(_CALL, call, outcome, word)
        builder.close_all(_APPROVAL, Outcome.INTERRUPTED, why)
        self._asked = False
        if self._waiting:
            self._waiting.clear()
            builder.settle(True)

    def _wait(self, call: str) -> None:
        if not self._waiting:
            self._builder.settle(False)
        elif len(self._waiting) >= _KNOWN:
            _forget(self._waiting)
        self._waiting[call] = None

    def _over(self, call: str) -> None:
        if self._waiting.pop(call, self) is None and not self._waiting:
            self._builder.settle(True)

    def _open(self, call: str, event: int | None) -> _Known:
        self._builder.open(_CALL, call)
        return self._remember(call, _Known(event, len(self._spans) - 1))

    def _remember(self, call: str, known: _Known) -> _Known:
        if len(self._known) >= _KNOWN:
            _forget(self._known)
        self._known.pop(call, None)
        self._known[call] = known
        return known


def _forget(known: dict[str, Any]) -> None:
    for oldest in tuple(islice(known, len(known) // 2)):
        del known[oldest]
