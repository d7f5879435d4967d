"""Which entries a new session is made of: one path, each entry hung on the one before it."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from inspector.formats.pi.planning.material import Material, Shown
from inspector.formats.pi.tree.context import context_of
from inspector.formats.pi.tree.store import NONE
from inspector.formats.pi.vocabulary import COMPACTION, CONTEXT_EDIT, LABEL, MESSAGE, NOT_AN_ENTRY
from inspector.timeline.words import Role

LABELS: Final = "that set labels (these stand anew at the end)"
SUMMARIES: Final = "that summarise, left out"
BROKEN: Final = "that edit without a replacement, on which Pi fails where they count"
SPEECHLESS: Final = "without the message that they should be, on which Pi fails"
HIDDEN: Final = "hidden by a compaction, or by an edit"
OTHER: Final = "on other branches"
UNREAD: Final = "not read by Pi"
NO_OBJECT: Final = "that are JSON and no objects, with nothing above them or below"


@dataclass(frozen=True)
class History:
    """What a new session is to show.

    Attributes:
        material: the session that it is made of.
        cut: entries behind it travel only if they are needed for a row.
        nodes: the rows, in order.
        summaries: whether summaries are part of it.
    """

    material: Material
    cut: int
    nodes: Sequence[int]
    summaries: bool = True

    @cached_property
    def wanted(self) -> list[Shown]:
        """The rows as they are to be shown."""
        return self.material.shown(self.nodes)

    @cached_property
    def path(self) -> list[int]:
        """The entries from the root to where one stands at the cut."""
        return self.material.path(self.cut)

    @cached_property
    def on_path(self) -> frozenset[int]:
        """The same in no order."""
        return frozenset(self.path)

    def why_not(self, event: int) -> str | None:
        """Why an entry of the path is left out, whatever it is needed for; None where it is not."""
        material = self.material
        kind = material.type(event)
        if kind == LABEL:
            return LABELS
        if kind == CONTEXT_EDIT and material.tree.edits[event].form == "broken":
            return BROKEN
        if kind == MESSAGE and not material.has_rows(event):
            return SPEECHLESS if material.entry(event).get("message") is None else None
        if not self.summaries and (kind == COMPACTION or self._summarises(event)):
            return SUMMARIES
        return None

    def _summarises(self, event: int) -> bool:
        nodes = self.material.timeline.surface.nodes
        node = self.material.tree.node[event]
        return self.material.has_rows(event) and nodes.role(node) is Role.SUMMARY

    def from_elsewhere(self) -> list[int]:
        """The entries that are not on the path and make the rows what they are, in file order:
        a compaction that came later, and edits.
        """
        found = {one.item for one in self.wanted} | {
            one.edit for one in self.wanted if one.edit is not None
        }
        return sorted((found | self._removals()) - self.on_path)

    def _removals(self) -> set[int]:
        """Later edits that took rows of the path away which this history lacks."""
        material = self.material
        there = {one.item for one in self.wanted}
        nothing = self.cut == material.head or not self.wanted or not material.tree.edits
        if nothing or not self.summaries:
            return set()
        seen = {one.item for one in material.shown(material.rows(self.cut))} - there
        tree, leaf = material.tree, material.leaf(material.head)
        if not seen or leaf == NONE:
            return set()
        edits = context_of(tree, leaf).edits(tree)
        return {
            edit
            for target, edit in edits.items()
            if target in seen and tree.edits[edit].form == "removed"
        }


@dataclass
class Composition:
    """The items of a session in the order of its lines, each of which hangs on the one before it.

    Attributes:
        items: positions of entries that are copied, and of those that are made ``~`` their number.
        made: these, without what ties them to others.
        kept: by a compaction, the item from which on it keeps, where that is not what it says.
        unsure: those that may have no id of their own, as nothing hangs on them.
    """

    items: "array[int]" = field(default_factory=lambda: array("q"))
    made: list[dict[str, Any]] = field(default_factory=list)
    kept: dict[int, int] = field(default_factory=dict)
    unsure: set[int] = field(default_factory=set)

    def make(self, entry: dict[str, Any]) -> int:
        """One more entry, which is made; returns its item."""
        self.made.append(entry)
        item = ~(len(self.made) - 1)
        self.items.append(item)
        return item

    def travel(self, start: int, stop: int) -> int:
        """How many entries between two cursors are copied."""
        return sum(start <= item < stop for item in self.items)

    def omitted(self, history: History) -> dict[str, int]:
        """How many entries before the cut are not, by why."""
        material, found = history.material, dict[str, int]()
        there = frozenset(self.items)
        for event in range(history.cut):
            if event not in there:
                why = _why_not(history, material, event)
                found[why] = found.get(why, 0) + 1
        return found


def _why_not(history: History, material: Material, event: int) -> str:
    if material.timeline.is_rejected(event):
        return UNREAD
    if material.type(event) == NOT_AN_ENTRY:
        return NO_OBJECT
    return (history.why_not(event) or HIDDEN) if event in history.on_path else OTHER


def as_it_hangs(history: History) -> Composition:
    """The path, as the owner's own fork has it, and behind it what else makes the rows."""
    others = history.from_elsewhere()
    found = Composition(unsure={*history.path[-1:], *others})
    left = {event for event in history.path if history.why_not(event) is not None}
    found.items.extend(event for event in history.path if event not in left)
    found.items.extend(others)
    _keep(history, found, left)
    return found


def _keep(history: History, found: Composition, left: set[int]) -> None:
    """Compactions that keep from an entry which is left out keep from the next one (page 4.3)."""
    material = history.material
    following: dict[int, int] = {}
    after = NONE
    for event in reversed(history.path):
        if event in left:
            following[event] = after
        else:
            after = event
    place = {event: at for at, event in enumerate(history.path)}
    for item in found.items:
        if material.type(item) != COMPACTION:
            continue
        first = material.tree.owner(material.tree.kept[item])
        if first in left:
            after = following[first]
            itself = after == NONE or place.get(after, -1) >= place.get(item, len(place))
            found.kept[item] = item if itself else after
        elif material.version < 2 and first != NONE:
            found.kept[item] = first


def in_a_row(history: History, compaction: dict[str, Any] | None = None) -> Composition:
    """The rows in their order, and what of the path makes no row; nothing that is hidden.

    The compaction stands first and keeps nothing: what the model sees stands behind it.

    Args:
        history: what is to be shown.
        compaction: one that is made and stands before it.
    """
    material, others = history.material, history.from_elsewhere()
    found = Composition(unsure={*history.path[-1:], *others})
    if compaction is not None:
        made = found.make(compaction)
        found.kept[made] = made
    place = {event: at for at, event in enumerate(history.path)}
    rows = list(dict.fromkeys(one.item for one in history.wanted))
    edits = {one.edit for one in history.wanted if one.edit is not None}
    waiting = [event for event in _without_rows(history) if event not in rows][::-1]
    for item in rows:
        if material.type(item) == COMPACTION:
            found.kept[item] = item
        else:
            while waiting and place[waiting[-1]] < place.get(item, -1):
                found.items.append(waiting.pop())
        found.items.append(item)
    found.items.extend(reversed(waiting))
    found.items.extend(sorted(edits))
    return found


def _without_rows(history: History) -> Iterable[int]:
    """What of the path makes no row: settings, names, what extensions keep."""
    material = history.material
    for event in history.path:
        kind = material.type(event)
        if kind in (COMPACTION, CONTEXT_EDIT) or material.has_rows(event):
            continue
        if history.why_not(event) is None:
            yield event
