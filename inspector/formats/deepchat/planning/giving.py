"""At which cursors the owner's Fork shows no history at all, so that a cut there is of no use.

Composing every history of every cursor would take as long as the square of a session. What is shown
is followed from change to change instead: which rows are copied as they are, by their place among
what is sent now, and which are not. Histories are composed only where that does not tell.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.formats.deepchat.context.records import SENT
from inspector.formats.deepchat.planning.transcript import Transcript
from inspector.formats.deepchat.vocabulary import RETRACTED
from inspector.formats.planning import Cuts
from inspector.formats.viewing import is_summary, originals
from inspector.timeline.surface import Changes, Departure
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Reason

_LOOKED_AT: Final = 1_000_000
"""Rows that are composed for it; where that is not enough, a cut is taken to have a history."""


@dataclass(slots=True)
class _Shown:
    """The messages shown at a cursor, those included that a summary hides.

    Attributes:
        never: the nodes that are not copied as they are.
        count: how many others there are.
        top: the highest place of these among what is sent now, -1 if there are none.
        is_told: whether these told, where histories were composed last, what could be given.
    """

    never: set[int]
    count: int
    top: int
    is_told: bool = True


class Giving:
    """Goes through a session and tells where nothing can be given.

    Args:
        timeline: of the session.
        transcript: its messages.
        gives: whether any history can be given at a cursor; composes them.
    """

    def __init__(
        self, timeline: Timeline, transcript: Transcript, gives: Callable[[int], bool]
    ) -> None:
        self._timeline = timeline
        self._transcript = transcript
        self._gives = gives
        sent = [message for message in transcript.now if message.record.status == SENT]
        self._orders = [message.record.order for message in sent]
        self._sent = {message.record.id: (at, message.record) for at, message in enumerate(sent)}
        self._in_order = self._is_in_order()
        self._compacted = self._of_the_head()
        self._room = _LOOKED_AT
        self._shown: _Shown | None = None

    def nowhere(self, others: Cuts) -> Iterator[tuple[int, int]]:
        """The cursors without any history, as ranges; those that another rule forbids may be out.

        Args:
            others: the cuts by the other rules.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        epochs = sorted({0, *self._changing(), *self._telling(others.head)})
        for cursor, behind in zip(epochs, [*epochs[1:], others.head + 1], strict=True):
            self._follow(cursor)
            if others.any_within(cursor, behind) and not self._can_give(cursor):
                yield cursor, behind

    def _changing(self) -> Iterator[int]:
        """The cursors at which rows come or go."""
        surface = self._timeline.surface
        cursor = surface.next_change(0)
        while cursor is not None:
            yield cursor
            cursor = surface.next_change(cursor)

    def _telling(self, head: int) -> Iterator[int]:
        """The cursors behind messages and retractions: they change what stands, shown or not."""
        timeline = self._timeline
        node_of = timeline.surface.nodes.of_event
        yield from (event + 1 for event in range(head) if node_of(event) is not None)
        yield from (event + 1 for event in timeline.table.of_type(RETRACTED, 0, head))

    def _can_give(self, cursor: int) -> bool:
        """Whether a history can be given at a cursor up to which was followed."""
        shown = self._shown
        if shown is not None and shown.is_told:
            if shown.never and not self._may_be_compacted(cursor):
                return False
            if self._is_whole(shown):
                return True
        return self._composed(cursor)

    def _is_whole(self, shown: _Shown) -> bool:
        """Whether what is shown is exactly what is sent now, up to its last message."""
        if shown.never or not self._in_order or shown.count != shown.top + 1:
            return False
        # Others of the same place in the order would be copied with it.
        return not shown.count or bisect_right(self._orders, self._orders[shown.top]) == shown.count

    def _composed(self, cursor: int) -> bool:
        """The same by composing all histories."""
        self._room -= 4 * (self._timeline.count(cursor) + 1)
        if self._room < 0:
            return True
        nodes = originals(self._timeline, cursor)
        ranks = list(map(self._rank, nodes))
        known = [rank for rank in ranks if rank is not None]
        never = {node for node, rank in zip(nodes, ranks, strict=True) if rank is None}
        shown = _Shown(never, len(known), max(known, default=-1))
        given = self._gives(cursor)
        shown.is_told = bool(never) or self._is_whole(shown) == given
        self._shown = shown
        return given

    # What is shown, from change to change.

    def _follow(self, cursor: int) -> None:
        """Follow what changed at a cursor; forget what is shown where that is not plain."""
        shown = self._shown
        if shown is None or not cursor:
            return
        changes = self._timeline.changes(cursor - 1, cursor)
        if not self._is_plain(changes):
            self._shown = None
            return
        for left in changes.left:
            if left.reason is not Reason.COMPACTED:
                shown.never.discard(left.node)
                shown.count -= self._rank(left.node) is not None
        came = [row.node for row in changes.entered if not is_summary(self._timeline, row.node)]
        for node in came:
            rank = self._rank(node)
            if rank is None:
                shown.never.add(node)
            else:
                shown.count += 1
                shown.top = max(shown.top, rank)
        if self._lost(shown.top, changes.left, came):
            self._shown = None

    def _is_plain(self, changes: Changes) -> bool:
        """Whether rows came and went, or a summary took the place of some, and nothing else."""
        entered, left = changes.entered, changes.left
        if not (entered or left) or any(row.carried for row in entered):
            return False
        summaries = sum(is_summary(self._timeline, row.node) for row in entered)
        if summaries:
            return summaries == len(entered) == 1 and all(map(_is_compacted, left))
        return not any(_is_compacted(one) or is_summary(self._timeline, one.node) for one in left)

    def _lost(self, top: int, left: Iterable[Departure], came: Iterable[int]) -> bool:
        """Whether the highest place is not held any more."""
        gone = any(not _is_compacted(one) and self._rank(one.node) == top for one in left)
        return gone and not any(self._rank(node) == top for node in came)

    def _rank(self, node: int) -> int | None:
        """The place of a row among what is sent now; None if it is not copied as it is."""
        record = self._transcript.record(self._timeline.surface.nodes.origin(node))
        if record is None:
            return None
        rank, now = self._sent.get(record.id, (None, record))
        same = (now.role, now.content) == (record.role, record.content)
        return rank if same else None

    def _is_in_order(self) -> bool:
        """Whether all rows that are copied as they are stand in the order of what is sent now."""
        last = -1
        for element in self._timeline.surface.order:
            rank = self._rank(element) if element >= 0 else None
            if rank is not None:
                if rank < last:
                    return False
                last = rank
        return True

    # The surface of the head.

    def _of_the_head(self) -> dict[int, int]:
        """By the event of a row of the head, the cursor from which on all up to it are there.

        Only of those before which nothing stands that is not copied.
        """
        found: dict[int, int] = {}
        cursor = 0
        origin = self._timeline.surface.nodes.origin
        for at, row in enumerate(self._timeline.rows(self._timeline.events)):
            if self._rank(row.node) != at:
                break
            cursor = max(cursor, origin(row.node) + 1)
            found[origin(row.node)] = cursor
        return found

    def _may_be_compacted(self, cursor: int) -> bool:
        """Whether the surface of the head may be given up to the last row of a cursor."""
        rows = self._timeline.last_rows(cursor, 1)
        if not rows:
            return True
        event = self._timeline.surface.nodes.origin(rows[0].node)
        return self._compacted.get(event, cursor + 1) <= cursor


def _is_compacted(left: Departure) -> bool:
    return left.reason is Reason.COMPACTED
