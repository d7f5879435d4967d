"""Which records make a history: messages as they stand, and a summary for each stretch of them.

A summary that is written anew gets the indexes of the messages as they are written. Those that
begin further on come first: so each of them counts the same by both readings, as all before it in
the list still stands as it was written (format page 3.3).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.vocabulary import COMPACTED, MESSAGE
from inspector.text.labels import event_words

REVISED: Final = "compactions changed what others hide: what one stands for cannot be told apart"


class Stretch(NamedTuple):
    """Messages that a summary stands for, the last one included, and the event that wrote it."""

    first: int
    last: int
    event: int


class Composition(NamedTuple):
    """What makes a history.

    Attributes:
        plain: whether all records travel as they stand, compactions among them.
        left_out: the events of messages that do not travel.
        summaries: what is written behind the others, in order.
    """

    plain: bool
    left_out: frozenset[int] = frozenset()
    summaries: tuple[Stretch, ...] = ()


PLAIN: Final = Composition(plain=True)


def composed(tape: Session, cut: int, nodes: Sequence[int]) -> Composition | str:
    """The records of which a history is made, or why it cannot be made of any.

    Args:
        tape: the log.
        cut: records behind it do not travel, but for the summaries of the history.
        nodes: the history.
    """
    timeline = tape.timeline
    if tuple(nodes) == tuple(row.node for row in timeline.rows(cut)):
        return PLAIN
    if tape.fold.surface.revised:
        return REVISED
    return _tiled(tape, cut, nodes)


def _tiled(tape: Session, cut: int, nodes: Sequence[int]) -> Composition | str:
    """The history as stretches of messages that follow each other."""
    timeline = tape.timeline
    origin = timeline.surface.nodes.origin
    messages = message_events(tape, cut)
    numbers = {event: number for number, event in enumerate(messages)}
    regions = regions_of(tape)
    summaries: list[Stretch] = []
    left_out: list[int] = []
    following = 0
    for event in map(origin, nodes):
        summary = timeline.table.type(event) == COMPACTED
        if not summary and event not in numbers:
            return f"{event_words(event, None)} stands behind the cut"
        first, last = regions[event] if summary else (numbers[event], numbers[event])
        if first < following or last >= len(messages):
            return f"{event_words(event, None)} does not stand for messages in their order"
        left_out += messages[following:first]
        if summary:
            summaries.append(Stretch(first, last, event))
        following = last + 1
    left_out += messages[following:]
    if left_out and summaries:
        return "a summary among messages that are left out would mean others"
    return Composition(False, frozenset(left_out), tuple(reversed(summaries)))


def message_events(tape: Session, cut: int) -> list[int]:
    """The events before a cut that the owner counts as messages."""
    timeline = tape.timeline
    rejected = frozenset(timeline.rejected)
    found = timeline.table.of_type(MESSAGE, 0, cut)
    return [event for event in found if event not in rejected]


def regions_of(tape: Session) -> dict[int, tuple[int, int]]:
    """The first and the last message that the summary of each compaction ever stood for.

    Only right where no compaction changed what another one hides.
    """
    timeline = tape.timeline
    nodes = timeline.surface.nodes
    numbers = {event: at for at, event in enumerate(message_events(tape, timeline.events))}
    found: dict[int, tuple[int, int]] = {}
    for event in tape.fold.surface.compactions:
        node = nodes.of_event(event)
        if node is None:
            continue
        parts = list(_regions(nodes.sources(node), numbers, found))
        if parts:
            found[event] = min(first for first, _ in parts), max(last for _, last in parts)
    return found


def _regions(
    events: Iterable[int], numbers: dict[int, int], known: dict[int, tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    for event in events:
        if event in numbers:
            yield numbers[event], numbers[event]
        elif event in known:
            yield known[event]


def stretches(tape: Session) -> list[tuple[int, int]]:
    """The messages that each row of the head stands for, the first and the last of them."""
    timeline = tape.timeline
    head = timeline.events
    numbers = {event: at for at, event in enumerate(message_events(tape, head))}
    regions = regions_of(tape)
    origin = timeline.surface.nodes.origin
    found = []
    for row in timeline.rows(head):
        event = origin(row.node)
        found.append(regions.get(event) or (numbers[event], numbers[event]))
    return found
