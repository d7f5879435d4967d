"""Where a session may be cut: the owner copies whole, sent messages up to one that it is told."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from inspector.columns import NEVER, Column
from inspector.formats import cutting
from inspector.formats.planning import NOT_A_BOUNDARY, Cuts, Stop
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

SENT: Final = "sent"
HISTORY: Final = "history"

Nowhere = Callable[[Cuts], Iterable[tuple[int, int]]]

_NO_MESSAGE: Final = Stop(
    NOT_A_BOUNDARY,
    "no message stands there, and DeepChat's Fork copies up to one",
    "a message stands there up to which can be copied",
)
_PENDING: Final = Stop(
    SENT,
    "a message is pending there, and DeepChat's Fork copies sent ones only",
    "no message is pending",
)
_NO_HISTORY: Final = Stop(
    HISTORY,
    "no history of that place can be given: DeepChat's Fork copies what stands there now",
    # Where another rule forbids a cut it is not known: the histories themselves tell.
    "",
)


def cuts(timeline: Timeline, pending: Iterable[int], nowhere: Nowhere) -> Cuts:
    """Where a session may be cut (format page 7B and 10).

    Args:
        timeline: of the session.
        pending: the events of pending messages.
        nowhere: of the cuts that all other rules allow, where no history can be given.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    spans = cutting.within(timeline, SpanKind.COMPACTION, ended_only=True)
    stops: list[tuple[Stop, Iterable[tuple[int, int]]]] = [
        (_NO_MESSAGE, [(0, _first_born(timeline))]),
        (cutting.WITHIN_TURN, [*cutting.within(timeline, SpanKind.TURN)]),
        (_PENDING, [*_waiting(timeline, pending)]),
        (cutting.CALL_WITHOUT_RESULT, [*cutting.unanswered(timeline)]),
        (cutting.WITHIN_COMPACTION, [*spans]),
        (cutting.HALF_WRITTEN, [*cutting.unsettled(timeline)]),
    ]
    found = nowhere(Cuts(timeline.events, stops))
    return Cuts(timeline.events, [*stops, (_NO_HISTORY, found)])


def _first_born(timeline: Timeline) -> int:
    born: Column = timeline.surface.nodes.born
    return born[0] if len(born) else NEVER


def _waiting(timeline: Timeline, pending: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The cursors at which a pending message is on the surface."""
    surface, head = timeline.surface, timeline.events
    for event in pending:
        for node in surface.nodes.all_of_event(event):
            for stay in surface.stays(node, head):
                yield stay.born, NEVER if stay.gone is None else stay.gone
