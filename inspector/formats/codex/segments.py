"""Which compaction a log is rebuilt from: the owner's pass from the newest record to the oldest.

The owner cuts the log, read backwards, into *segments* that a ``task_started`` closes. A rollback
is a debt that the segments behind it pay: while there is one, a segment is dropped, and its
compaction with it; a segment that is a user's turn pays one (RULES R1). Here the pass is kept up
forwards: where the segment at the end begins, and for every ``task_started`` what the pass would
find in front of it, so that an answer costs no second pass.
"""

from typing import Final

from inspector.columns import Column, signed, unsigned, wide

TOP: Final = -1
"""The beginning of the log, where a ``task_started`` stands for the number of any other."""

WHOLE: Final = -1
"""There is no compaction to rebuild from: the whole log is replayed."""


class Segments:
    """Takes the records that the pass looks at, in order, by the positions of their events.

    Attributes:
        rolled: all turns that rollbacks have asked for so far.
        base: the position of the compaction that the log is rebuilt from now, or `WHOLE`.
    """

    def __init__(self) -> None:
        self.rolled = 0
        self.base = WHOLE
        self._user = TOP
        self._compaction = TOP
        self._begun = TOP
        self._numbers: dict[int, int] | None = None
        # By number of a task_started: where it stands, and the segment in front of it.
        self._at: Column = unsigned()
        self._id: Column = wide()
        self._rolled: Column = wide()
        self._base: Column = signed()
        self._parent: Column = signed()
        self._debt: Column = wide()
        self._depth: Column = unsigned()
        self._leap: Column = signed()
        self._leap_debt: Column = wide()

    # The records.

    def start(self, event: int, identity: int) -> None:
        """A ``task_started``; ``identity`` is a hash of its turn's id."""
        parent = self._begun
        debt = (self._debt[parent] if parent >= 0 else 0) + self._segment_debt()
        self._at.append(event)
        self._id.append(identity)
        self._rolled.append(self.rolled)
        self._base.append(self.base)
        self._parent.append(parent)
        self._debt.append(debt)
        self._link(parent, debt)
        self._begun = len(self._at) - 1
        if self._numbers is not None:
            self._numbers[identity] = self._begun

    def finish(self, identity: int) -> bool:
        """A ``task_complete`` or ``turn_aborted``; whether it belongs to the turn before it.

        Only such a one names the segment (RULES R1.3).
        """
        last = len(self._at) - 1
        return last >= 0 and identity == self._id[last] and self.name(identity)

    def name(self, identity: int) -> bool:
        """The newest record that tells the segment's id; whether the last turn bears it.

        A segment is closed by the last ``task_started`` of its own id, whatever turns began since,
        and if there is none by the beginning of the log (RULES R1.4).
        """
        last = len(self._at) - 1
        if last < 0:
            return True
        if identity == self._id[last]:
            self._begin_at(last)
            return True
        self._begin_at(self._named(identity))
        return False

    def _named(self, identity: int) -> int:
        """The last ``task_started`` of an id, or `TOP`."""
        if self._numbers is None:
            # Only made where ids do not match, which no build of the owner writes on purpose.
            self._numbers = {known: number for number, known in enumerate(self._id)}
        return self._numbers.get(identity, TOP)

    def _begin_at(self, number: int) -> None:
        if number != self._begun:
            self._begun = number
            self._settle()

    def user(self, event: int) -> None:
        """A record that makes its segment a user's turn (RULES R1.5)."""
        fresh = not self._is_users()
        self._user = event
        if fresh and self.owed:
            self._settle()

    def compacted(self, event: int) -> None:
        """A compaction that says what the history becomes."""
        self._compaction = event
        self._settle()

    def roll(self, turns: int) -> None:
        """A ``thread_rolled_back``."""
        self.rolled += turns
        self._settle()

    def base_behind(self, turns: int) -> int:
        """The base that the log would be rebuilt from if so many turns were rolled back now."""
        owed = self.owed + turns
        return self._base_behind(self._begun, owed - self._is_users()) if owed else self.base

    # The segment at the end, and the pass.

    @property
    def turns(self) -> int:
        """How many turns began so far."""
        return len(self._at)

    @property
    def owed(self) -> int:
        """How many turns the rollbacks inside the segment at the end ask for."""
        return self.rolled - (self._rolled[self._begun] if self._begun >= 0 else 0)

    def _since(self) -> int:
        return self._at[self._begun] if self._begun >= 0 else TOP

    def _is_users(self) -> bool:
        return self._user != TOP and self._user > self._since()

    def _segment_debt(self) -> int:
        """What the segment at the end adds to a debt that is there already."""
        return self.owed - self._is_users()

    def _settle(self) -> None:
        owed = self.owed
        if owed == 0:
            own = self._compaction != TOP and self._compaction > self._since()
            self.base = self._compaction if own else self._base_before(self._begun)
            return
        self.base = self._base_behind(self._begun, owed - self._is_users())

    def _base_before(self, number: int) -> int:
        """The base as it was in front of a ``task_started``."""
        return self._base[number] if number >= 0 else WHOLE

    def _base_behind(self, number: int, debt: int) -> int:
        """The base in front of a ``task_started`` for a pass that comes with a debt.

        Every segment adds what is asked for in it and pays at most one, so the debt is paid at the
        first one of the chain at which the sum of all in front of it has grown by the debt.
        """
        if number < 0 or debt == 0:
            return self._base_before(number)
        paid = self._debt[number] + debt
        while number >= 0 and self._debt[number] < paid:
            number = self._leap[number] if self._leap_debt[number] < paid else self._parent[number]
        # In front of the first segment nothing is owed, and a debt that is left is forgotten.
        return self._base_before(number)

    def _link(self, parent: int, debt: int) -> None:
        """Where a pass may leap to from a new start, and the largest sum that it leaps over."""
        depth = self._depth
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        leap, most = parent, debt
        if parent >= 0:
            over = self._leap[parent]
            if over >= 0:
                further = self._leap[over]
                if further >= 0 and depth[parent] - depth[over] == depth[over] - depth[further]:
                    leap = further
                    most = max(debt, self._leap_debt[parent], self._leap_debt[over])
        self._leap.append(leap)
        self._leap_debt.append(most)
