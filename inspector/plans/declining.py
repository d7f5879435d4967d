"""Whether a call was not allowed, and so did nothing, as far as its tape proves it."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Result
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome, SpanKind

_KINDS: Final = (SpanKind.TOOL_CALL, SpanKind.CODE_DISPATCH)

_MOST: Final = 64
"""Calls of one event that are looked at."""

_REFUSAL: Final = re.compile(r"\s*(?:exec command |patch )?rejected by user\.?\s*")
"""All that a result says where the person did not allow the call, and no field tells so."""


def was_declined(tape: Tape, event: int, call: str | None) -> bool:
    """Whether the one result of a call tells that it was not allowed.

    Args:
        tape: of which.
        event: that makes the call.
        call: the owner's id of it; without one nothing is known.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if call is None:
        return False
    answers = [
        span.outcome is Outcome.REJECTED or _REFUSAL.fullmatch(part.text[:100]) is not None
        for span in _ended(tape, event)
        for part in tape.parts((span.closed or 1) - 1)
        if isinstance(part, Result) and part.call == call
    ]
    return bool(answers) and all(answers)


def _ended(tape: Tape, event: int) -> Iterator[Span]:
    """The spans that an event opened and another one has ended."""
    for kind in _KINDS:
        spans = tape.timeline.spans[kind]
        for number in islice(spans.opened_or_closed_by(event), _MOST):
            span = spans[number]
            if span.opened == event + 1 and span.closed is not None:
                yield span
