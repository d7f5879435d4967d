"""Where a log may be cut: the owner's rules of a fork with its codes, and ours (page 4.1, 4.6)."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

from inspector.columns import NEVER
from inspector.formats import cutting
from inspector.formats.planning import NOT_A_BOUNDARY, Cuts, Problem, Stop
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Outcome, SpanKind

CODES: Final = {
    Problem.EXISTS: "SESSION_ALREADY_EXISTS",
    Problem.NO_SUCH_TAPE: "SESSION_NOT_FOUND",
    Problem.NO_SUCH_CUT: "INVALID_BOUNDARY",
}
"""The owner's words, in the order in which it looks; an open turn comes last."""

OPEN_TURN: Final = "OPEN_TURN"

_NO_EVENT: Final = Stop(
    NOT_A_BOUNDARY,
    "no event stands before it, and a fork keeps one at least",
    "at least one event is kept",
    CODES[Problem.NO_SUCH_CUT],
)
_EMPTY: Final = _NO_EVENT._replace(kept="the tape holds no event: a fork of it begins empty")
_WITHIN_TURN: Final = cutting.WITHIN_TURN._replace(code=OPEN_TURN)

_HALVES: Final = ("compaction/summary", "compaction/prune")

_FORKS_IN_TURNS_SINCE: Final = 4
"""From this version on the owner forks inside a turn, and closes it in the fork."""


def forks_in_turns(version: int) -> bool:
    """Whether the owner of a version forks a session whose turn is open."""
    return version >= _FORKS_IN_TURNS_SINCE


def cuts(timeline: Timeline, version: int, late: Mapping[int, int]) -> Cuts:
    """Where a log may be cut, by the owner's rules in its order and then by ours.

    The owner cuts brackets, prune pairs and, since version 4, calls from their results; each of
    these leaves a half of something in the fork, or puts rows there that no history has. Of every
    version it cuts a call from a result that comes when the turn is over.

    Args:
        timeline: of the log.
        version: of the log.
        late: by the position of such a result, that of the message that calls.
    """
    head = timeline.events
    apart = ((call + 1, result + 1) for result, call in late.items())
    turns = () if forks_in_turns(version) else cutting.within(timeline, SpanKind.TURN)
    return Cuts(
        head,
        (
            (_NO_EVENT, [(0, 1)]) if head else (_EMPTY, []),
            (_WITHIN_TURN, turns),
            (cutting.CALL_WITHOUT_RESULT, (*cutting.unanswered(timeline), *apart)),
            (cutting.WITHIN_COMPACTION, _brackets(timeline)),
            *cutting.settling(timeline, _waiting(timeline)),
        ),
    )


def _brackets(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors inside compactions that were ended; an orphan is stale in a fork (page 7.5)."""
    spans = timeline.spans[SpanKind.COMPACTION]
    for span in map(spans.__getitem__, range(len(spans))):
        if span.outcome in (Outcome.OK, Outcome.FAILED):
            yield span.opened, NEVER if span.closed is None else span.closed


def _waiting(timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The cursors at which results are waited for: all that are unsettled but for half writes.

    Those are told by their first event, a summary or a prune (page 7.2 and 7.4).
    """
    begun = sorted(
        event + 1 for name in _HALVES for event in timeline.table.of_type(name, 0, timeline.events)
    )
    for start, stop in cutting.unsettled(timeline):
        at = bisect_left(begun, start)
        yield start, min(stop, begun[at]) if at < len(begun) else stop


def host_cut(timeline: Timeline, at: int) -> int | None:
    """Where the owner's host would cut if asked for a cursor, None if nowhere (page 4.3).

    It takes the first end of a turn from the last event kept on, at the head the last one, and
    goes on to the next turn.
    """
    spans = timeline.spans[SpanKind.TURN]
    count = len(spans)
    order = range(count) if at < timeline.events else range(count - 1, -1, -1)
    for span in order:
        closed = spans[span].closed
        ended = closed is not None and timeline.table.type(closed - 1) == "turn/end"
        if closed is not None and ended and (at == timeline.events or closed >= at):
            following = span + 1
            return spans.opened[following] - 1 if following < count else timeline.events
    return None
