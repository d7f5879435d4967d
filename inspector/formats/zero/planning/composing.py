"""Which events of a session a new one is made of, so that its owner folds it to a given surface.

A copy keeps the order of the file. Of the compactions in it the last one counts, wherever it stood
in the session; it has to hide every event that is there and not on the surface, and no other.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from inspector.formats.zero import golang
from inspector.formats.zero.compaction import (
    Compaction,
    compaction_of,
    members_of,
    payload_members,
    plain_compaction,
)
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.plain import plain_event
from inspector.formats.zero.planning.events import named, rejected
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.rehydration import coverage
from inspector.formats.zero.stretches import Stretches, holds, joined, within, without
from inspector.formats.zero.vocabulary import (
    COMPACTION,
    MESSAGE,
    REWIND,
    TOOL_CALL,
    TOOL_RESULT,
    TUI,
    USAGE,
)

SHOWN: Final = (MESSAGE, TOOL_CALL, TOOL_RESULT, COMPACTION)
"""The types whose events stand on a surface."""

UNREAD: Final = "not read by Zero"
OF_USAGE: Final = "usage, which no fork of Zero has"
TYPELESS: Final = "without a type, on which a fork of Zero fails"
UNHIDDEN: Final = "not in this history, and hidden by no compaction in it"


@dataclass(frozen=True, slots=True)
class Composition:
    """The events of a copy.

    Attributes:
        parts: their positions, in the order in which they are written.
        counts: the compaction that counts, or None.
        hidden: the positions of those that it hides.
        omitted: how many events before the cut are left out, by why.
    """

    parts: tuple[range, ...]
    counts: int | None
    hidden: Stretches
    omitted: Mapping[str, int] = field(default_factory=dict)

    @property
    def events(self) -> int:
        """How many there are."""
        return sum(map(len, self.parts))

    def moved(self, behind: Mapping[int, int]) -> "Composition":
        """The same events, some directly behind others: by the position of one, the other's."""
        all_parts = joined(self.parts)
        there = {
            at: other
            for at, other in behind.items()
            if holds(all_parts, at) and holds(all_parts, other)
        }
        if not there:
            return self
        out = joined(range(other, other + 1) for other in there.values())
        before = sorted(there)
        parts: list[range] = []
        for part in self.parts:
            for stretch in without([part], within(out, part.start, part.stop)):
                start = stretch.start
                first, behind_last = (bisect_left(before, at) for at in (start, stretch.stop))
                for at in before[first:behind_last]:
                    parts += (range(start, at + 1), range(there[at], there[at] + 1))
                    start = at + 1
                parts.append(range(start, stretch.stop))
        return replace(self, parts=tuple(part for part in parts if part))


class Numbers:
    """The new numbers of the events of a copy."""

    def __init__(self, parts: Iterable[range]) -> None:
        number = 1
        placed: list[tuple[int, int, int]] = []
        for part in parts:
            placed.append((part.start, part.stop, number))
            number += len(part)
        placed.sort()
        self._placed = placed
        self._starts = [start for start, _, _ in placed]

    def of(self, event: int) -> int | None:
        """The new number of an event; None if it is not in the copy."""
        at = bisect_left(self._starts, event + 1) - 1
        if at < 0:
            return None
        start, stop, number = self._placed[at]
        return number + event - start if event < stop else None


def composed(tape: Session, cut: int, surface: Sequence[int]) -> Composition | str:
    """The copy of the events before a cut that the owner folds to a surface; or why there is none.

    Args:
        tape: the session.
        cut: a cursor.
        surface: the positions of the events on it, in order; of those behind the cut only
            compactions.
    """
    wanted = _stretches(sorted(surface))
    behind = within(wanted, cut, tape.timeline.events)
    of_compactions = _of_type(tape, COMPACTION, tape.timeline.events)
    counts, hidden = _folded(tape, cut, [at for at in of_compactions if holds(wanted, at)])
    first, same = hidden.start, hidden.same
    covered = without(hidden.covered, wanted)
    unhidden = without(without(_shown(tape, cut), wanted), covered)
    usage = without(_stretches(_of_type(tape, USAGE, cut)), _anchor(tape, first, covered))
    typeless = without(_stretches(_of_type(tape, "", cut)), rejected(tape, cut))
    omitted = {
        UNREAD: rejected(tape, cut),
        OF_USAGE: joined(usage),
        TYPELESS: typeless,
        UNHIDDEN: joined([*unhidden, *without(same, wanted)]),
    }
    out = joined(part for stretches in omitted.values() for part in stretches)
    copied = without([range(cut)] if cut else [], out)
    found = Composition(
        (*copied, *behind),
        counts,
        without(covered, out),
        {why: sum(map(len, stretches)) for why, stretches in _apart(omitted).items()},
    )
    if _refolded(found, wanted) != list(surface):
        if counts is None:
            return "Zero would show a copy of these events in another order"
        return (
            f"the compaction of {named(tape, counts)} would count in a copy, and hide other events"
        )
    return found


def _apart(sets: Mapping[str, Stretches]) -> dict[str, Stretches]:
    """Sets without what an earlier one holds, so that each event is counted once."""
    found: dict[str, Stretches] = {}
    before: Stretches = []
    for why, stretches in sets.items():
        found[why] = without(stretches, before)
        before = joined([*before, *stretches])
    return found


@dataclass(frozen=True, slots=True)
class _Hidden:
    """What the compaction that counts covers before the cut, and where it stands."""

    covered: Stretches = field(default_factory=list)
    same: Stretches = field(default_factory=list)
    start: int | None = None


def _folded(tape: Session, cut: int, compactions: Sequence[int]) -> tuple[int | None, _Hidden]:
    """The compaction of some that counts in a copy of the events before a cut."""
    last = compactions[-1] if compactions else None
    if last is None or (tape.policy == TUI and _of_type(tape, REWIND, cut, last)):
        return None, _Hidden()
    compaction = decoded(tape, last)
    if compaction is None:
        return None, _Hidden()
    numbering = tape.decoder.numbering
    same = numbering.of(Ids((numbering.id(last),)), tape.timeline.events)
    found = coverage(numbering, Ids(compaction.ids), same, compaction, cut)
    own = without(within(found.same, 0, cut), [range(last, last + 1)])
    start = found.covered[0].start if found.covered else None
    return last, _Hidden(found.covered, own, start)


def decoded(tape: Session, event: int) -> Compaction | None:
    """What a compaction covers; None if the owner cannot fold it."""
    plain = plain_payload(tape, event)
    if plain is not None:
        return plain_compaction(plain)
    try:
        return compaction_of(payload_of(tape, event))
    except RefusedError:
        return None


def plain_payload(tape: Session, event: int) -> dict[str, Any] | None:
    """The payload of a compaction that is written as the owner writes one; None of another."""
    found = plain_event(tape.raw(event))
    payload = None if found is None else found.payload
    return None if plain_compaction(payload) is None else payload


def payload_of(tape: Session, event: int) -> object:
    """The payload of a compaction with its members as they stand, for `compaction_of`.

    Raises:
        RefusedError: if there is none.
    """
    try:
        return payload_members(golang.decoded(tape.raw(event)))
    except RefusedError:
        return members_of(tape.payload(event).get("payload"))


def _anchor(tape: Session, first: int | None, covered: Stretches) -> Stretches:
    """The first event that a compaction covers, where it is needed to tell where that stands.

    It stands where the first one stood: if that is left out, and what comes next is not covered,
    it would stand further back.
    """
    if first is None or tape.timeline.table.type(first) != USAGE:
        return []
    at = first
    while holds(covered, at) and tape.timeline.table.type(at) == USAGE:
        at += 1
    return [] if holds(covered, at) else [range(first, first + 1)]


def _refolded(found: Composition, wanted: Stretches) -> list[int]:
    """The surface to which the owner folds a copy."""
    rows = [at for part in found.parts for at in _kept(part, wanted)]
    last = found.counts
    if last is None:
        return rows
    rows.remove(last)
    place = bisect_left(rows, found.hidden[0].start) if found.hidden else 0
    rows.insert(place, last)
    return rows


def _kept(part: range, wanted: Stretches) -> Iterable[int]:
    for stretch in within(wanted, part.start, part.stop):
        yield from stretch


def _shown(tape: Session, cut: int) -> Stretches:
    """The positions before a cut of events that can stand on a surface."""
    return joined(part for name in SHOWN for part in _stretches(_of_type(tape, name, cut)))


def _of_type(tape: Session, name: str, stop: int, start: int = 0) -> list[int]:
    return tape.timeline.table.of_type(name, start, stop)


def _stretches(positions: Iterable[int]) -> Stretches:
    """Sorted positions as stretches."""
    found: Stretches = []
    start = stop = -1
    for at in positions:
        if at != stop:
            if start < stop:
                found.append(range(start, stop))
            start = at
        stop = at + 1
    if start < stop:
        found.append(range(start, stop))
    return found
