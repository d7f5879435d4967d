"""Where a log may be cut: by our rules for a log of its own, and by the owner's for a rollback."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from inspector.columns import NEVER
from inspector.formats.codex.items import CALLS
from inspector.formats.codex.planning.alternatives import Alternatives
from inspector.formats.codex.vocabulary import TURN_STARTED
from inspector.formats.cutting import CALL_WITHOUT_RESULT, WITHIN_TURN, unanswered
from inspector.formats.planning import NOT_A_BOUNDARY, UNANSWERED, Cuts, Stop
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

BOUNDARY: Final = Stop(
    NOT_A_BOUNDARY,
    "not a user boundary: no rollback of whole turns leaves what the model saw there",
    "a rollback of whole turns leaves what the model saw there",
)
"""RULES R1 to R4: what a rollback leaves is told by the fold, and compared with the surface."""

PARTED: Final = Stop(
    UNANSWERED,
    "a call stands on one side, and its output or the end of its turn on the other",
    CALL_WITHOUT_RESULT.kept,
)
"""RULES R5: for the owner a call and its output belong together wherever they stand."""

_ANSWERS: Final = {
    f"response_item/{call}": f"response_item/{output}" for call, output in CALLS.items()
}
_STARTS: Final = frozenset(f"event_msg/{name}" for name in TURN_STARTED)


def cuts(timeline: Timeline, rollbacks: Alternatives | None) -> Cuts:
    """Where a log may be cut; for a rollback at its head, or for a log of its own.

    There is no rule for compactions: one is a single record. Nor for calls that never get an
    output: the owner answers them itself in each request (RULES R5).
    """
    stops: list[tuple[Stop, Iterable[tuple[int, int]]]] = [
        (WITHIN_TURN, open_turns(timeline)),
        (PARTED, chain(unanswered(timeline), _between(timeline))),
    ]
    if rollbacks is not None:
        stops.append((BOUNDARY, _forbidden(rollbacks.legal())))
    return Cuts(timeline.events, stops)


def _between(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors between a call and the first output that answers it, whichever comes first."""
    answered: set[int] = set()
    type_of = timeline.table.type
    for call, output in timeline.pairs.all():
        wanted = _ANSWERS.get(type_of(call))
        if wanted is not None and wanted != type_of(output):
            # It bears the id of a call of another kind.
            continue
        if call not in answered or output < call:
            answered.add(call)
            yield min(call, output) + 1, max(call, output) + 1


def open_turns(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors within turns that the log tells of, as ranges without their ends.

    Logs of old builds tell of none (format page 2.7): there a turn lasts until the next begins.
    """
    spans = timeline.spans[SpanKind.TURN]
    for span in map(spans.__getitem__, range(len(spans))):
        if timeline.table.type(span.opened - 1) in _STARTS:
            yield span.opened, NEVER if span.closed is None else span.closed


def _forbidden(legal: Iterable[bool]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    cursor = -1
    for cursor, allowed in enumerate(legal):
        if allowed and start is not None:
            yield start, cursor
            start = None
        elif not allowed and start is None:
            start = cursor
    if start is not None:
        yield start, cursor + 1
