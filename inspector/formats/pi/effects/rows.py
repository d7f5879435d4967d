"""The rows of entries as edits have them, and which of these stand there now (rules page P5)."""

from collections.abc import Callable, Iterable

from inspector.columns import NEVER, Column, unsigned
from inspector.formats.pi.effects.shapes import Row
from inspector.formats.pi.tree.context import Context
from inspector.formats.pi.tree.store import COMPACTS, IS_EDITED, NONE, Tree
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Form, Reason

Why = tuple[Reason, int | None]
"""Why a row leaves, and by which entry; None is the one that comes."""

_LEFT: Why = (Reason.REWOUND, None)


class Rows:
    """Knows the rows that entries made, and those that edits put in their place.

    Args:
        builder: takes the effects of the event begun last.
        tree: the entries.
    """

    def __init__(self, builder: Builder, tree: Tree) -> None:
        self._builder = builder
        self._nodes = builder.timeline.surface.nodes
        self._tree = tree
        # By an edit and what it edits, the row that it shows instead; and what is edited now.
        self._remade: dict[tuple[int, int], int] = {}
        self._edited_now: set[int] = set()

    def of(self, event: int) -> list[int]:
        """The rows that an entry made, in the order in which they stand."""
        node, nodes = self._tree.node[event], self._nodes
        if node == NEVER:
            return []
        if not self._tree.flags[event] & COMPACTS:
            return [node]
        both = node + 1 < len(nodes) and nodes.origin(node + 1) == event
        return sorted([node, node + 1], key=nodes.part) if both else [node]

    def is_edited(self, target: int) -> bool:
        """Whether an edit has taken or changed a row of an entry that counts now."""
        return target in self._edited_now

    def forget(self) -> None:
        """No edit counts any more."""
        self._edited_now.clear()

    def edit(self, event: int, target: int) -> None:
        """An edit comes, the first that counts for an entry: its row leaves or is changed."""
        nodes, tree, builder = self._nodes, self._tree, self._builder
        form = tree.edits[event].form
        rows = [node for node in self.of(target) if builder.is_live(node)]
        if not rows or (form != "removed" and not tree.flags[target] & IS_EDITED):
            return
        if form == "removed":
            builder.remove(rows, Reason.CLEARED)
            self._edited_now.add(target)
        elif form == "replaced":
            node, tokens = rows[0], tree.edits[event].tokens
            details = self._rebuilt(event, target, node)
            made = builder.insert(node, nodes.role(node), nodes.kind(node), tokens, details)
            builder.remove([node], Reason.SUPERSEDED)
            self._remade[event, target] = made
            self._edited_now.add(target)

    def edit_again(self, event: int, target: int, before: int) -> bool:
        """An edit comes for an entry for which another one counted.

        Returns:
            False, and nothing is done, where a row comes back: its place is not known here.
        """
        form, builder, nodes = self._tree.edits[event].form, self._builder, self._nodes
        row = self._remade.get((before, target))
        if row is None:
            known = before != NONE and self._tree.edits[before].form == "removed"
            return known and form == "removed"
        if not builder.is_live(row) or form == "broken":
            return False
        if form == "removed":
            builder.remove([row], Reason.CLEARED)
            return True
        details, tokens = self._rebuilt(event, target, row), self._tree.edits[event].tokens
        made = builder.insert(row, nodes.role(row), nodes.kind(row), tokens, details)
        builder.remove([row], Reason.SUPERSEDED)
        self._remade[event, target] = made
        return True

    def wanted(self, context: Context) -> tuple[Column, dict[int, int]]:
        """The rows of a context in order, and by what is edited which edits count."""
        found, edits = unsigned(), context.edits(self._tree)
        self._edited_now = set()
        for one in context.emitting(self._tree):
            if one in edits:
                found.extend(self._edited(one, edits[one]))
            else:
                found.extend(self.of(one))
        return found, edits

    def _edited(self, target: int, edit: int) -> list[int]:
        """The rows of an entry as an edit has them."""
        rows, told = self.of(target), self._tree.edits[edit]
        if told.form == "removed":
            self._edited_now.add(target)
            return []
        if told.form != "replaced" or not rows or not self._tree.flags[target] & IS_EDITED:
            return rows
        self._edited_now.add(target)
        made = self._remade.get((edit, target))
        if made is None:
            nodes, node = self._nodes, rows[0]
            details = self._rebuilt(edit, target, node)
            made = self._builder.hold(nodes.role(node), nodes.kind(node), told.tokens, details)
            self._remade[edit, target] = made
        return [made]

    def _rebuilt(self, edit: int, target: int, node: int) -> NodeDetails:
        """How the row of an entry is told with other content."""
        return {
            "origin": target,
            "part": self._nodes.part(node),
            "form": Form.REBUILT,
            "meta": self._nodes.meta(node),
            "sources": [range(edit, edit + 1)],
        }

    def leave(
        self,
        context: Context,
        edits: dict[int, int],
        wanted: Column,
        is_above: Callable[[int], bool],
    ) -> None:
        """Rows that are not wanted leave, each for its reason.

        Args:
            context: what the surface becomes.
            edits: those that count, by what they edit.
            wanted: the rows of both.
            is_above: whether an entry is on the path.
        """
        builder, origin, stay = self._builder, self._nodes.origin, set(wanted)
        counted = set(context.emitting(self._tree))
        found: dict[Why, list[int]] = {}
        for node in builder.sequence():
            if node not in stay:
                event, why = origin(node), _LEFT
                if is_above(event):
                    why = self.why(event, context, edits, counted) or _LEFT
                found.setdefault(why, []).append(node)
        for (reason, cause), nodes in found.items():
            builder.remove(nodes, reason, cause)

    def why(
        self, event: int, context: Context, edits: dict[int, int], counted: set[int]
    ) -> tuple[Reason, int] | None:
        """What hides the rows of an entry on the path, and by which entry; None if nothing does."""
        if event not in counted:
            known = context.compaction != NONE
            return (Reason.COMPACTED, context.compaction) if known else None
        edit = edits.get(event)
        if edit is None:
            return None
        removed = self._tree.edits[edit].form == "removed"
        return (Reason.CLEARED if removed else Reason.SUPERSEDED), edit


def details_of(row: Row, sources: list[range] | None = None, part: int = 0) -> NodeDetails:
    """What the builder is told of a row."""
    details: NodeDetails = {"part": part, "silent": row.silent, "meta": row.meta}
    if sources:
        details["sources"] = sources
    return details


def ranges(events: Iterable[int]) -> list[range]:
    """Positions in the order told, those that follow each other as one range."""
    found: list[range] = []
    for event in events:
        if found and found[-1].stop == event:
            found[-1] = range(found[-1].start, event + 1)
        else:
            found.append(range(event, event + 1))
    return found
