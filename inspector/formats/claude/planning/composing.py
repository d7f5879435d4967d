"""Which records a new transcript is made of, in which order, and what each hangs on."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from inspector.formats.claude.planning.branch import OTHER, Branch, clearings, is_row, replacements
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import BOUNDARY
from inspector.formats.shapes import items, mapping

ROOT: Final = -1
BESIDE: Final = -2
"""What an item hangs on that names no parent, and one that is not of the tree."""

COMPACTIONS: Final = "compactions, left out"
HIDDEN: Final = "hidden by a compaction"


@dataclass
class Composition:
    """The items of a transcript: events that are copied, and records that are made.

    Attributes:
        items: by place the event, or of a record that is made ``~`` its number.
        parents: by place that of the item that it hangs on, `ROOT` or `BESIDE`.
        made: the records that are made, without what ties them to others.
        edits: members that a copy has instead, by event.
        metadata: what boundaries and clearings say of themselves instead, by event.
    """

    items: "array[int]" = field(default_factory=lambda: array("q"))
    parents: "array[int]" = field(default_factory=lambda: array("q"))
    made: list[dict[str, Any]] = field(default_factory=list)
    edits: dict[int, dict[str, Any]] = field(default_factory=dict)
    metadata: dict[int, Any] = field(default_factory=dict)

    def put(self, item: int, parent: int) -> int:
        """One item more; returns its place."""
        self.items.append(item)
        self.parents.append(parent)
        return len(self.items) - 1

    def make(self, record: dict[str, Any]) -> int:
        """A record that is made, as an item to be put."""
        self.made.append(record)
        return ~(len(self.made) - 1)

    @property
    def last(self) -> int:
        """The place of the last item of the tree, `ROOT` if there is none."""
        for place in range(len(self.items) - 1, -1, -1):
            if self.parents[place] != BESIDE:
                return place
        return ROOT

    def kept(self, cut: int) -> int:
        """How many events before a cut are copied."""
        return sum(0 <= item < cut for item in self.items)

    def behind(self, cut: int) -> int:
        """How many events behind a cut are."""
        return sum(item >= cut for item in self.items)

    def omitted(
        self, branch: Branch, cut: int, why: str, others: Mapping[int, str]
    ) -> dict[str, int]:
        """How many are not, by why.

        Args:
            branch: of the history that is given.
            cut: a cursor.
            why: of those that are on the branch all the same.
            others: why some are not, by event.
        """
        there = bytearray(cut)
        for item in self.items:
            if 0 <= item < cut:
                there[item] = 1
        found: dict[str, int] = {}
        for event in range(cut):
            if there[event]:
                continue
            reason = others.get(event) or branch.why_not(event)
            if branch.on[event] and reason == OTHER:
                reason = why
            found[reason] = found.get(reason, 0) + 1
        return found


@dataclass(frozen=True)
class History:
    """What a new transcript is to show: rows of the tape, and which records they rest on.

    Attributes:
        material: the tape.
        cut: records behind it travel only if they are rows, or boundaries of such.
        nodes: the rows, in order.
        summaries: whether compactions are part of it.
    """

    material: Material
    cut: int
    nodes: Sequence[int]
    summaries: bool = True

    def rows(self) -> list[int]:
        """The events of the rows."""
        return self.material.origins(self.nodes, self.cut)

    def branch(self) -> Branch:
        """What they hang on."""
        return Branch(self.material, self.cut, self.rows())


def as_it_hangs(history: History, branch: Branch, rows: Sequence[int]) -> Composition:
    """Every record hangs on the copy of what it hung on, or of the next one above that travels."""
    material = history.material
    found = Composition()
    written = list(branch.records())
    if not history.summaries:
        # What is no row of it was made by a compaction.
        wanted = frozenset(rows)
        written = [
            event for event in written if event in wanted or not makes_history(material, event)
        ]
    stored = replacements(material, history.nodes)
    late = _late(material, rows, history.cut)
    late = sorted({*late, *clearings(material, history.cut, history.nodes)})
    first = [event for event in stored if event < history.cut]
    order = [*sorted({*written, *first}), *sorted({*late, *stored} - {*first})]
    beside = frozenset(stored)
    travels = frozenset(written) | frozenset(late)
    places: dict[int, int] = {}
    landing = _Landing(branch, travels)
    for event in order:
        places[event] = len(places)
    for event in order:
        if event in beside:
            found.put(event, BESIDE)
            continue
        above = None if begins_tree(material, event) else landing.above(event)
        found.put(event, ROOT if above is None else places[above])
        if material.flags(event) & BOUNDARY:
            _trim(found, material, event, travels, rows)
    return found


def begins_tree(material: Material, event: int) -> bool:
    """Whether a record is a boundary that hides what stands before it."""
    return bool(material.flags(event) & BOUNDARY) and material.above(event) is None


def _late(material: Material, rows: Iterable[int], cut: int) -> list[int]:
    """Rows from behind the cut, each with the boundary that it hangs on."""
    found: set[int] = set()
    for row in rows:
        if row >= cut:
            found.add(row)
            above = material.above(row)
            if above is not None and above >= cut and begins_tree(material, above):
                found.add(above)
    return sorted(found)


class _Landing:
    """Finds the next record above one that travels."""

    def __init__(self, branch: Branch, travels: frozenset[int]) -> None:
        self._branch = branch
        self._travels = travels
        self._known: dict[int, int | None] = {}

    def above(self, event: int) -> int | None:
        """The event, or None at the top."""
        above = self._branch.above(event)
        passed: list[int] = []
        seen = {event}
        while above is not None and above not in self._travels and above not in seen:
            if above in self._known:
                above = self._known[above]
                break
            seen.add(above)
            passed.append(above)
            above = self._branch.above(above)
        if above is not None and above not in self._travels:
            above = None
        for one in passed:
            self._known[one] = above
        return above


def _trim(
    found: Composition,
    material: Material,
    boundary: int,
    travels: frozenset[int],
    rows: Sequence[int],
) -> None:
    """A boundary says that it kept what travels of what it kept.

    Args:
        found: gets what it says instead, if it is something else.
        material: the transcript.
        boundary: its event.
        travels: what is copied.
        rows: the surface.
    """
    metadata = mapping(material.payload(boundary).get("compactMetadata"))
    said = dict(metadata)
    messages, segment = metadata.get("preservedMessages"), metadata.get("preservedSegment")
    if messages is not None:
        there = [
            uuid
            for uuid in items(mapping(messages).get("uuids"))
            if _travels(material, uuid, travels)
        ]
        if there:
            said["preservedMessages"] = {**mapping(messages), "uuids": there}
        else:
            # The owner's reader fails on one without any.
            del said["preservedMessages"]
            said.pop("preservedSegment", None)
    elif segment is not None:
        ends = ("headUuid", "tailUuid")
        gone = [one for one in ends if not _travels(material, mapping(segment).get(one), travels)]
        kept = [row for row in rows if row < boundary] if gone else []
        if not mapping(segment) or (gone and not kept):
            del said["preservedSegment"]
            kept = []
        for name in gone if kept else ():
            end = material.uuid(kept[0] if name == ends[0] else kept[-1])
            said["preservedSegment"] = {**said["preservedSegment"], name: end}
    if said != metadata:
        found.metadata[boundary] = said


def _travels(material: Material, uuid: Any, travels: frozenset[int]) -> bool:
    event = material.find(uuid)
    return event is not None and event in travels


def makes_history(material: Material, event: int) -> bool:
    """Whether a record would be seen in a history, or stop it."""
    return is_row(material, event) or bool(material.flags(event) & BOUNDARY)
