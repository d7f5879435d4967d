"""Why a row is at the head of one tape and not of another from which it parted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.lenses.parting import Parting
from inspector.timeline.surface import Departure, Row
from inspector.timeline.words import Form, Reason

SINCE: Final = "written since they part"
"""Why a row is only at one head whose event the other tape has not, behind all in common."""

STRANGE: Final = "nothing in common"
"""The same where the two have no event in common at all."""

LEFT_OUT: Final = "left out of the other"
"""The same of an event that stands among those in common."""

UNTOLD: Final = "no row there"
"""The same of an event that both have, of which the other tape never made such a row."""


_OTHER_FORMS: Final = frozenset((Reason.PRUNED, Reason.CLEARED, Reason.SUPERSEDED))
"""Why a row leaves for another form of itself."""


class Why(NamedTuple):
    """Why a row is only at one head, or in another form at the other.

    Attributes:
        words: a reason of ours, or that of a departure.
        departed: the reason of the departure, or None.
        by: the position of the event that took it away or changed it, or None.
        of_other: whether that is an event of the second tape, and not of the first.
    """

    words: str
    departed: Reason | None = None
    by: int | None = None
    of_other: bool = False


class Changed(NamedTuple):
    """An event in common whose row has another form at the head of the other tape."""

    a: Row
    b: Row
    why: Why


@dataclass(frozen=True, slots=True)
class Apart:
    """What the heads of two tapes have apart; rows in the surface order of their tape.

    Attributes:
        only_a: rows only at the head of the first tape, each with why.
        only_b: the same of the second.
        changed: rows of both in two forms.
    """

    only_a: tuple[tuple[Row, Why], ...]
    only_b: tuple[tuple[Row, Why], ...]
    changed: tuple[Changed, ...]


def apart(one: Tape, other: Tape, found: Parting) -> Apart:
    """Why the heads of two tapes that part have apart what they have."""
    here = _Side(one, other, found.a, found.pairs.of_one, found.heads[1], of_other=True)
    there = _Side(other, one, found.b, found.pairs.of_other, found.heads[0], of_other=False)
    changed = [
        Changed(row, twin, why or there.changed(twin, row) or Why(""))
        for row, twin, why in here.twins(found.only_a, found.only_b)
    ]
    ours, theirs = {pair.a.node for pair in changed}, {pair.b.node for pair in changed}
    left = [row for row in found.only_a if row.node not in ours]
    rest = [row for row in found.only_b if row.node not in theirs]
    for row, twin, why in there.twins(rest, left):
        changed.append(Changed(twin, row, why or Why("")))
        ours.add(twin.node)
        theirs.add(row.node)
    return Apart(
        tuple((row, here.why(row)) for row in left if row.node not in ours),
        tuple((row, there.why(row)) for row in rest if row.node not in theirs),
        tuple(changed),
    )


def _key(tape: Tape, row: Row) -> tuple[int, int]:
    nodes = tape.timeline.surface.nodes
    return nodes.origin(row.node), nodes.part(row.node)


@dataclass(frozen=True, slots=True)
class _Side:
    """A tape whose rows are looked for in another.

    Attributes:
        parts: the cursor at which it parts.
        same: the event of the other tape that is the same as one of this.
        head: the cursor of the other tape.
        of_other: whether the other tape is the second.
    """

    tape: Tape
    against: Tape
    parts: int
    same: Callable[[int], int | None]
    head: int
    of_other: bool

    def why(self, row: Row) -> Why:
        """Why the other head has not a row of this one."""
        event, part = _key(self.tape, row)
        same = self.same(event)
        if same is None:
            since = SINCE if self.parts else STRANGE
            return Why(since if event >= self.parts else LEFT_OUT)
        gone = self.gone(same, part, None)
        return Why(UNTOLD) if gone is None else self._departed(gone)

    def twins(
        self, rows: Sequence[Row], others: Sequence[Row]
    ) -> Iterator[tuple[Row, Row, Why | None]]:
        """The rows of this tape that stand in another form in the other, and what did that.

        Nothing did it there where the other tape has the form that all in common had.
        """
        standing = _standing(self.against, others)
        taken: set[int] = set()
        for row in rows:
            event, part = _key(self.tape, row)
            same = self.same(event)
            twin = None if same is None else standing.get((same, part))
            if same is None or twin is None or twin.node in taken:
                continue
            gone = self.gone(same, part, self._form(row))
            direct = self.against.timeline.surface.nodes.origin(twin.node) == same
            if direct or (gone is not None and gone.reason in _OTHER_FORMS):
                taken.add(twin.node)
                yield row, twin, None if gone is None else self._departed(gone)

    def changed(self, row: Row, twin: Row) -> Why | None:
        """What took from the other tape the form that a row has here; None if it never had it."""
        event, part = _key(self.against, twin)
        gone = self.gone(event, part, self._form(row))
        return None if gone is None else self._departed(gone)

    def _form(self, row: Row) -> Form:
        return self.tape.timeline.surface.nodes.form(row.node)

    def _departed(self, gone: Departure) -> Why:
        return Why(gone.reason.label, gone.reason, gone.by, self.of_other)

    def gone(self, event: int, part: int, form: Form | None) -> Departure | None:
        """How the other tape's row of an event left for the last time, in a form if told."""
        surface = self.against.timeline.surface
        nodes = surface.nodes
        for node in nodes.all_of_event(event):
            if nodes.part(node) != part or form not in (None, nodes.form(node)):
                continue
            departure = surface.departure(node, self.head)
            if departure is not None:
                return departure
        return None


def _standing(tape: Tape, rows: Sequence[Row]) -> dict[tuple[int, int], Row]:
    """The rows by the events and parts that they stand for: their own, and what they are of."""
    nodes = tape.timeline.surface.nodes
    found: dict[tuple[int, int], Row] = {}
    for row in rows:
        own, part = _key(tape, row)
        made = nodes.sources(row.node) if own == row.born - 1 else []
        for event in (own, *made):
            found.setdefault((event, part), row)
    return found
