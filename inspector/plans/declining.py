"""Whether a call was not allowed, and so did nothing, as far as its tape proves it."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Result
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome, SpanKind

_KINDS: Final = (SpanKind.TOOL_CALL, SpanKind.CODE_DISPATCH)

_MOST: Final = 64
"""Calls of one event, and questions behind one, that are looked at."""

_REFUSAL: Final = re.compile(r"\s*(?:exec command |patch )?rejected by user\.?\s*")
"""All that a result says where the person did not allow the call, and no field tells so."""

_NEVER_RAN: Final = (Outcome.RUNNING, Outcome.AWAITING_APPROVAL, Outcome.INTERRUPTED)
_NO_ANSWER: Final = (Outcome.AWAITING_APPROVAL, Outcome.INTERRUPTED)
"""Outcomes of a call that may never have begun, and of a question that nobody answered."""


def was_declined(tape: Tape, event: int, call: str | None) -> bool:
    """Whether its own end, or else its one result, tells that a call was not allowed.

    Args:
        tape: of which.
        event: that makes the call.
        call: the owner's id of it; without one nothing is known.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if call is None:
        return False
    own = _own(tape, event, call)
    if own is not None and own.outcome is Outcome.REJECTED:
        return True
    answers = [
        span.outcome is Outcome.REJECTED or _REFUSAL.fullmatch(part.text[:100]) is not None
        for span in _of(tape, event)
        if span.closed is not None
        for part in tape.parts(span.closed - 1)
        if isinstance(part, Result) and part.call == call
    ]
    return bool(answers) and all(answers)


def was_not_allowed_yet(tape: Tape, event: int, call: str | None) -> bool:
    """Whether somebody was asked about a call, and nothing tells of an answer or that it ran.

    The words are those of `was_declined`.
    """
    own = None if call is None else _own(tape, event, call)
    if own is None or own.outcome not in _NEVER_RAN:
        return False
    asked = tape.timeline.spans[SpanKind.APPROVAL]
    first = bisect_left(asked.opened, own.opened)
    stop = bisect_left(asked.opened, (own.closed or tape.timeline.events) + 1)
    for number in range(stop - 1, max(first, stop - _MOST) - 1, -1):
        if tape.asked_about(asked.opened[number] - 1) == call:
            return asked[number].outcome in _NO_ANSWER
    return False


def _own(tape: Tape, event: int, call: str) -> Span | None:
    """The span of a call, where it is known which of its event's that is."""
    names = [part.id for part in tape.parts(event) if isinstance(part, Call)]
    for kind in _KINDS:
        opened, claimed = _opened(tape, event, kind), _claimed(tape, event, kind)
        # A record told of these before, and bears the id of one call alone.
        before = {tape.span_id(span): span for span in claimed}
        if call in before:
            return before[call]
        left = [name for name in names if name not in before]
        if len(opened) == len(left) and left.count(call) == 1:
            return opened[left.index(call)]
        own = [span for span in opened if tape.span_id(span) == call]
        if len(own) == 1:
            return own[0]
    return None


def _of(tape: Tape, event: int) -> Iterator[Span]:
    """The spans of the calls that an event makes."""
    for kind in _KINDS:
        yield from _opened(tape, event, kind)
        yield from _claimed(tape, event, kind)


def _opened(tape: Tape, event: int, kind: SpanKind) -> list[Span]:
    spans = tape.timeline.spans[kind]
    numbers = islice(spans.opened_or_closed_by(event), _MOST)
    return [spans[number] for number in numbers if spans.opened[number] == event + 1]


def _claimed(tape: Tape, event: int, kind: SpanKind) -> list[Span]:
    spans = tape.timeline.spans[kind]
    return [spans[number] for number in spans.claimed_by(event)[:_MOST]]
