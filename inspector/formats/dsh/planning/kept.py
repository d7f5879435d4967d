"""Which events of a log go into one that is made of it, and which numbers they bear there.

Nearly always all up to the cut, byte for byte. Events that the owner would refuse are left out, and
so are compactions and prunes where the history is to be as if they had never been. What follows
then moves up, and what it says of others by number moves with it.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from inspector.columns import Column, unsigned
from inspector.formats.dsh import rules
from inspector.formats.dsh.planning.material import Material, named
from inspector.formats.logs.rules import REPAIRED_TEXT
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.timeline.findings import Finding, Severity
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Reason, Role

REFUSED: Final = "refused by the owner"
FOLDED: Final = "compactions and prunes"

_OF_THE_HEADER: Final = frozenset((rules.NO_HEADER, rules.BAD_HEADER, rules.OTHER_VERSION))

_COMPACTING: Final = (
    "compaction/start",
    "compaction/summary",
    "compaction/end",
    "compaction/prune",
)
_SHORTENING: Final = (Reason.COMPACTED, Reason.PRUNED)


@dataclass(frozen=True, slots=True)
class Kept:
    """The events that go into a log that is made.

    Attributes:
        cut: the cursor up to which they are taken.
        left: the positions below it that are not, in order.
        whys: how many are not, by why.
        verbatim: whether their records can be copied byte for byte.
        undone: those left out that put a row in the place of others.
        refused: sentences about what stays although the owner refuses it.
    """

    cut: int
    left: Sequence[int] = ()
    whys: Mapping[str, int] = field(default_factory=dict)
    verbatim: bool = True
    undone: frozenset[int] = frozenset()
    refused: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        return self.cut - len(self.left)

    def holds(self, event: int) -> bool:
        """Whether an event is among them."""
        return event < self.cut and not self._is_left(event)

    def _is_left(self, event: int) -> bool:
        at = bisect_left(self.left, event)
        return at < len(self.left) and self.left[at] == event

    def number(self, event: int) -> int:
        """The number of the first event from a position on that is kept."""
        event = min(event, self.cut)
        return event - bisect_left(self.left, event)

    def numbers(self, events: range) -> range:
        """The numbers of those of some events that are kept."""
        return range(self.number(events.start), self.number(events.stop))

    def last(self) -> int | None:
        """The position of the last one."""
        event = self.cut - 1
        while event >= 0 and self._is_left(event):
            event -= 1
        return event if event >= 0 else None

    def standing_for(self, timeline: Timeline, event: int) -> Iterator[int]:
        """The events kept whose rows stand where the row of an event did: nearly always itself."""
        waiting = [event]
        while waiting:
            found = waiting.pop()
            if found in self.undone:
                waiting += reversed(hidden_by(timeline, found))
            elif self.holds(found):
                yield found


def hidden_by(timeline: Timeline, event: int) -> list[int]:
    """The events whose rows an event took the place of, in the order of the surface."""
    origin = timeline.surface.nodes.origin
    return [origin(left.node) for left in timeline.changes(event, event + 1).left]


def as_it_is(material: Material, cut: int) -> Kept:
    """All events up to a cut, but for those that the owner would refuse."""
    timeline = material.timeline
    if not cut:
        return Kept(cut)
    last = timeline.table.record(cut - 1)
    found = [finding for finding in material.findings() if _concerns(finding, cut, last)]
    verbatim = not found and not _blanks(material, last)
    left = unsigned()
    refused: list[str] = []
    if not verbatim:
        crashing = {
            finding.event
            for finding in found
            if finding.kind == rules.CRASHES_OWNER and finding.event is not None
        }
        node_of = timeline.surface.nodes.of_event
        rowless = {event for event in crashing if node_of(event) is None}
        left = array("I", sorted({*_below(timeline.rejected, cut), *rowless}))
        refused = [_crash(material, event) for event in sorted(crashing - rowless)]
        refused += [clean_line(one.message, _SHOWN) for one in found if one.kind in _UNKNOWN]
    return Kept(
        cut, left, {REFUSED: len(left)} if left else {}, verbatim=verbatim, refused=tuple(refused)
    )


_SHOWN: Final = 160
_UNKNOWN: Final = frozenset((rules.UNKNOWN_REQUIRED, rules.UNKNOWN_PASSED))


def _crash(material: Material, event: int) -> str:
    return f"the owner's reader crashes on {named(material, event)}"


def _concerns(finding: Finding, cut: int, last: int) -> bool:
    """Whether a finding is about what is copied up to a cut, and forbids to copy its bytes."""
    kind = finding.kind
    if kind in _OF_THE_HEADER or kind.code == REPAIRED_TEXT.code:
        # The owner reads such text as it is.
        return False
    if kind.severity is Severity.INFO and kind != rules.RANGED_SOURCES:
        return False
    if finding.event is not None:
        return finding.event < cut
    return finding.record is not None and finding.record <= last


def _blanks(material: Material, last: int) -> bool:
    """Whether a blank record stands among those up to one; the owner stops to read there."""
    records = material.log.records
    return bool(records.sums(0, 0).blank) and any(
        records.fate(record) is Fate.BLANK for record in range(last)
    )


def _below(column: Column, cut: int) -> Column:
    return column[: bisect_left(column, cut)]


# As if nothing had been compacted.


def _shortens(timeline: Timeline, event: int) -> bool:
    left = timeline.changes(event, event + 1).left
    return bool(left) and left[0].reason in _SHORTENING


def _shortening(timeline: Timeline, cut: int) -> set[int]:
    """The events up to a cut that made a summary, or a shorter row of another."""
    rows = timeline.surface.nodes
    summaries = (
        rows.origin(node)
        for node in range(bisect_right(rows.born, cut))
        if rows.role(node) is Role.SUMMARY
    )
    replaced = (event for event in _below(timeline.replacements, cut) if _shortens(timeline, event))
    return {*summaries, *replaced}


def unshortened(material: Material, cut: int) -> Kept | str:
    """The events up to a cut without compactions and prunes; or why the owner refuses that.

    What took the place of a summary takes that of what the summary hid. Where there is none of
    either, nothing is left out.
    """
    timeline = material.timeline
    kept = as_it_is(material, cut)
    undone = _shortening(timeline, cut)
    if not undone:
        return kept
    whole = Kept(cut, kept.left, undone=frozenset(undone), refused=kept.refused)
    for event in _below(timeline.replacements, cut):
        if event not in undone and not any(
            True
            for hidden in hidden_by(timeline, event)
            for _ in whole.standing_for(timeline, hidden)
        ):
            return f"{named(material, event)} takes the place of a summary that hides nothing"
    types = timeline.table
    folded = undone | {event for event in range(cut) if types.type(event) in _COMPACTING}
    folded.difference_update(kept.left)
    left = array("I", sorted({*kept.left, *folded}))
    return Kept(
        cut,
        left,
        {**kept.whys, FOLDED: len(folded)},
        verbatim=not left and kept.verbatim,
        undone=frozenset(undone),
        refused=kept.refused,
    )
