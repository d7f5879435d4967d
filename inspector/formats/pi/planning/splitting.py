"""Where the owner divides a session to compact it (format page 4.4).

It goes back from the last entry until it has 20,000 tokens by its own estimate, and keeps from the
next one on at which it may cut: never at a result. A turn may be split; what of it stands before
the cut is summarised apart.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.tree.context import context_of
from inspector.formats.pi.tree.store import IS_SYSTEM, NONE
from inspector.formats.pi.vocabulary import COMPACTION, CONTEXT_EDIT, MESSAGE
from inspector.formats.planning import Split
from inspector.text.labels import plural
from inspector.timeline.words import Kind, Role

KEEPS_TOKENS: Final = 20_000

KEEPS: Final = (
    f"Pi keeps about the last {KEEPS_TOKENS:,} tokens, however many rows these are, and never "
    "begins with a result (format page 4.4)"
)

_STARTS: Final = frozenset({Role.USER, Role.SUMMARY})
_CUTS: Final = _STARTS | {Role.ASSISTANT}


class Projected(NamedTuple):
    """An entry that counts at the head, with its rows there."""

    event: int
    nodes: tuple[int, ...]


def projected(material: Material) -> list[Projected]:
    """The entries that count at the head, in the order of their rows."""
    leaf, tree = material.leaf(material.head), material.tree
    if leaf == NONE:
        return []
    context, origin = context_of(tree, leaf), material.timeline.surface.nodes.origin
    rows: dict[int, tuple[int, ...]] = {}
    for node in material.rows(material.head):
        rows[origin(node)] = (*rows.get(origin(node), ()), node)
    first = [] if context.compaction == NONE else [context.compaction]
    kept = [event for event in context.kept if not tree.flags[event] & IS_SYSTEM]
    return [Projected(event, rows.get(event, ())) for event in (*first, *kept, *context.after)]


def split(material: Material) -> Split:
    """The owner's division of the surface of the head."""
    entries, leaf = projected(material), material.leaf(material.head)
    if leaf != NONE and material.type(leaf) == COMPACTION:
        return Split(0, f"nothing: the last entry is a compaction already; {KEEPS}")
    if not any(one.nodes for one in entries):
        return Split(0, f"nothing: there is no row to summarise; {KEEPS}")
    division = Division(material, entries)
    first = division.first
    if first is None:
        return Split(0, f"nothing: all of it is kept; {KEEPS}")
    rows = sum(len(one.nodes) for one in entries[:first])
    role = material.timeline.surface.nodes.role
    # What the system said is kept in any case, as one message (rules page P3).
    kept = [node for one in entries[first:] for node in one.nodes if role(node) is not Role.SYSTEM]
    return Split(rows, f"{KEEPS}: {plural(len(kept), 'row')}{division.turn_split(first)}")


class Division:
    """Looks for the first entry that is kept.

    Args:
        material: the session.
        entries: those that count, with their rows.
        keeps: the tokens of which so many are kept.

    Attributes:
        first: its place among them; None where nothing would be summarised.
    """

    def __init__(
        self, material: Material, entries: Sequence[Projected], keeps: int = KEEPS_TOKENS
    ) -> None:
        self._material = material
        self._entries = entries
        self._keeps = keeps
        self._nodes = material.timeline.surface.nodes
        summarised = bool(entries) and bool(entries[0].nodes) and self._compacts(entries[0])
        self._start = 1 if summarised else 0
        self.first = self._find()

    def _compacts(self, one: Projected) -> bool:
        return self._material.type(one.event) == COMPACTION

    def _can_cut(self, one: Projected, roles: frozenset[Role] = _CUTS) -> bool:
        role, kind = self._nodes.role, self._nodes.kind
        rows = () if self._compacts(one) else one.nodes
        return any(role(node) in roles and kind(node) is not Kind.OPAQUE for node in rows)

    def _find(self) -> int | None:
        entries, start = self._entries, self._start
        points = [at for at in range(start, len(entries)) if self._can_cut(entries[at])]
        if not points:
            return None
        cut = self._over_budget(points)
        at = points[0] if cut is None else cut
        if cut is not None and self._is_omitted(entries[at + 1 :]):
            at += 1
        while at > start and not entries[at - 1].nodes and not self._compacts(entries[at - 1]):
            at -= 1
        role = self._nodes.role
        summarised = (
            role(node) is not Role.SYSTEM
            for one in entries[start:at]
            if not self._compacts(one)
            for node in one.nodes
        )
        return at if at < len(entries) and any(summarised) else None

    def _over_budget(self, points: Sequence[int]) -> int | None:
        """The cut where the tokens from there on are enough; None where all of them are not."""
        tokens, total = self._nodes.tokens, 0
        for at in range(len(self._entries) - 1, self._start - 1, -1):
            weight = sum(tokens[node] for node in self._entries[at].nodes)
            total += weight
            if weight and total >= self._keeps:
                return next((point for point in points if point >= at), points[-1])
        return None

    def _is_omitted(self, behind: Sequence[Projected]) -> bool:
        """Whether all that stands behind an entry was taken away again, an answer among it."""
        material, tree = self._material, self._material.tree
        gone = [one.event for one in behind if material.has_rows(one.event)]
        if any(one.nodes or self._compacts(one) for one in behind) or not gone:
            return False
        for one in behind:
            if material.type(one.event) == CONTEXT_EDIT:
                edit = tree.edits[one.event]
                if edit.form != "removed" and tree.owner(edit.target) not in gone:
                    return False
        return any(
            material.type(event) == MESSAGE and self._nodes.role(tree.node[event]) is Role.ASSISTANT
            for event in gone
        )

    def turn_split(self, first: int) -> str:
        """Whether a turn is split at an entry, in words."""
        entries = self._entries
        if self._can_cut(entries[first], _STARTS):
            return ""
        starts = any(self._can_cut(one, _STARTS) for one in entries[self._start : first])
        return "; a turn is split there, and its beginning summarised apart" if starts else ""
