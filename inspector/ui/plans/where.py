"""Where a plan cuts the tape, and how a person moves that. Pure."""

from typing import Final

from inspector.export.plan_text import moved_words
from inspector.formats.planning import Cuts
from inspector.inspection import Inspection, Stop
from inspector.text.labels import count

_MOST_STEPS: Final = 9_999


class Where:
    """A cut: behind an event that is kept, or before it where that is left.

    Attributes:
        inspection: a visit of its own to the tape, whose cursor is the cut.
        cuts: where the tape may be cut, or None where it is not cut or that is not known yet.
        leaves: whether the event that the person went to is left behind.
        moved: from where, and why, it was moved to an allowed cut; nothing where it was not.
    """

    def __init__(self, visit: Inspection) -> None:
        self.inspection = visit.apart()
        self.cuts: Cuts | None = None
        self.leaves = False
        self.moved = ""
        self._target = self.inspection.cursor
        self._awaited: int | None = None

    @property
    def at(self) -> int:
        """The cursor of the cut."""
        return self.inspection.cursor

    @property
    def head(self) -> int:
        """The cursor of the head."""
        return self.inspection.head

    @property
    def known(self) -> Cuts | None:
        """Where the tape may be cut, if that is known of the cut."""
        return self.cuts if self.cuts is not None and self.at <= self.cuts.head else None

    def renew(self, visit: Inspection) -> bool:
        """Go on with another reading of the tape, at the same cursor; False if it is the same.

        What is read anew reaches the cursor in time: call this as it grows.
        """
        anew = visit.tape is not self.inspection.tape
        if anew:
            self._awaited = self._target if self._awaited is None else self._awaited
            self.inspection, self.cuts = visit.apart(), None
        if self._awaited is not None:
            awaited = self._awaited
            self._go(awaited)
            self._awaited = None if visit.tape.complete else awaited
        return anew

    def seek(self, cursor: int) -> None:
        """Cut at a cursor."""
        self._go(cursor + self.leaves)

    def step(self, stop: Stop, direction: int, times: int) -> str:
        """Go to a place of a class; what is to be said."""
        self.inspection.seek(self._target)
        times = times if stop is Stop.EVENT else min(times, _MOST_STEPS)
        went = self.inspection.step(stop, direction * times)
        self._go(self.inspection.cursor)
        where = "after" if direction > 0 else "before"
        return "" if went else f"no {stop.value} {where} {count(self._target)}"

    def snap(self, direction: int) -> str:
        """Go to the nearest allowed cut on a side; what is to be said."""
        if self.cuts is None:
            return "where it may be cut is not known yet"
        at = min(self.at, self.cuts.head)
        found = self.cuts.after(at) if direction > 0 else self.cuts.before(at)
        if found is None:
            return f"no cut is allowed {'behind' if direction > 0 else 'before'} {count(at)}"
        why = self.cuts.stops(at)
        self.seek(found)
        if why:
            told = "; ".join(stop.why for stop in why)
            self.moved = moved_words(at, told, forward=direction > 0)
        return ""

    def exclude(self) -> str:
        """Keep the event that the person went to, or leave it; what is to be said."""
        if not self._target:
            return "no event is kept"
        self.leaves = not self.leaves
        self._go(self._target)
        return ""

    def _go(self, target: int) -> None:
        self._awaited, self.moved = None, ""
        self._target = max(0, min(target, self.head))
        self.leaves = self.leaves and self._target > 0
        self.inspection.seek(self._target - self.leaves)
