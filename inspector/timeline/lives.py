"""Lives: a tape is taken up again and again, and may begin with what another one wrote."""

from bisect import bisect_right

from inspector.columns import Column, unsigned
from inspector.timeline.words import Life


class Lives:
    """Where the lives of a tape begin.

    Attributes:
        inherited: how many events at the beginning another tape wrote. A resume never changes it;
            where the tape tells of it behind them, it is 0 until that is folded.
        began: the positions of the events at which the owner took the tape up, sorted; those
            among the inherited events tell of the lives of the parent.
    """

    def __init__(self) -> None:
        self.inherited = 0
        self.began: Column = unsigned()

    def begin(self, event: int) -> None:
        """A life begins at an event, later than all that began before."""
        self.began.append(event)

    def latest(self, cursor: int) -> int:
        """The event at which the life of a cursor began; 0 for the first one."""
        at = bisect_right(self.began, cursor - 1) if cursor else 0
        return self.began[at - 1] if at else 0

    def of(self, event: int, cursor: int) -> Life:
        """The life of an event, seen from a cursor; one that is not there yet is of this life."""
        if event < self.inherited:
            return Life.INHERITED
        return Life.EARLIER if event < self.latest(cursor) else Life.THIS
