"""The compaction that counts (format page 5, RULES C)."""

from inspector.formats.zero.ids import Ids
from inspector.formats.zero.stretches import Stretches


class Cover:
    """A compaction that counts, and what it goes on to cover.

    Attributes:
        event: its position.
        node: its node.
        place: it stands before the nodes from this one on.
        placed: whether it covers an event, and so stands where the first one stood.
        id: its own id, under which nothing else stands (RULES 21).
        number: its own.
        ids: the ids that it names.
        alone: whether no other event bears its id.
        since: the positions of the events behind it that it covers.
        below: see `inspector.formats.zero.surface.Surface`.
    """

    def __init__(self, event: int, identity: str, number: int, ids: Ids, through: int) -> None:
        self.event = event
        self.node = 0
        self.place = 0
        self.placed = True
        self.id = identity
        self.number = number
        self.ids = ids
        self.alone = True
        self.since: Stretches = []
        self._through = through
        self.below = max(Ids((identity,)).below, ids.below if ids else through + 1)

    def covers(self, identity: str, number: int) -> bool:
        """Whether it covers an event with this id and number, its own id left aside."""
        if self.ids:
            return identity in self.ids
        return self._through > 0 and number <= self._through

    def also(self, event: int) -> None:
        """It covers an event behind it."""
        since = self.since
        start = since.pop().start if since and since[-1].stop == event else event
        since.append(range(start, event + 1))

    def goes_on_as(self, other: "Cover") -> bool:
        """Whether another one covers by the same rule, and no id of the two comes again."""
        same = self._through == other._through and self.ids == other.ids
        return same and self.alone and self.id != other.id

    def passed(self) -> Stretches:
        """The nodes between its place in the file and where it stands."""
        return [range(self.place, self.node), range(self.node + 1, self.place)]
