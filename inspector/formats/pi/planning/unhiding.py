"""The rows of a path without its summaries, whatever hid them, and as its edits have them.

They are those of the path, not those that were seen to leave: what a branch brings in and its own
compaction hides never stood on the surface. Edits of the path hold (rules page P5): what one
removed does not come back, also where nothing but a compaction hid it at that time.
"""

from typing import Final, NamedTuple

from inspector.columns import NEVER
from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.tree.store import COMPACTS, EDITS, IS_EDITED, NONE
from inspector.formats.pi.vocabulary import COMPACTION
from inspector.text.labels import event_words
from inspector.timeline.words import Form, Role

_NEVER_SHOWN: Final = (
    "{} was given other content by {} while it was hidden: what it says by now stands in no row"
)
_SYSTEM: Final = "what the system says in the compaction of {} stands in no other entry"


class Unhidden(NamedTuple):
    """The rows of a path.

    Attributes:
        nodes: in order; where they cannot be given all the same, without what is lacking.
        why_not: why they cannot; empty where they can.
    """

    nodes: tuple[int, ...]
    why_not: str = ""


def unhidden(material: Material, cut: int) -> Unhidden:
    """The rows of the path to a cut without its summaries.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    tree, path = material.tree, material.path(cut)
    edits = _edits(material, path, cut)
    role = material.timeline.surface.nodes.role
    found: list[int] = []
    why_not, told, checkpoint = "", False, NONE
    for event in path:
        node = tree.node[event]
        if tree.flags[event] & COMPACTS:
            if checkpoint == NONE and not told and _tells(material, event):
                checkpoint = event
            continue
        if node == NEVER or role(node) is Role.SUMMARY:
            continue
        told = told or role(node) is Role.SYSTEM
        edit = edits.get(event)
        if edit is not None:
            if tree.edits[edit].form == "removed":
                continue
            if tree.flags[event] & IS_EDITED:
                remade = _remade(material, event, edit)
                if remade is None:
                    names = (event_words(one, None) for one in (event, edit))
                    why_not = why_not or _NEVER_SHOWN.format(*names)
                    continue
                node = remade
        found.append(node)
    if checkpoint != NONE:
        why_not = why_not or _SYSTEM.format(event_words(checkpoint, None))
    return Unhidden(tuple(found), why_not)


def _tells(material: Material, event: int) -> bool:
    """Whether the system says something in a compaction."""
    nodes = material.timeline.surface.nodes
    return material.type(event) == COMPACTION and any(
        nodes.role(node) is Role.SYSTEM for node in nodes.all_of_event(event)
    )


def _edits(material: Material, path: list[int], cut: int) -> dict[int, int]:
    """By the entry that is edited, the last edit of the path that has a replacement."""
    tree = material.tree
    if not tree.edits:
        return {}
    found: dict[int, int] = {}
    for event in path:
        if tree.flags[event] & EDITS and tree.edits[event].form != "broken":
            target = material.edited(event, cut)
            if target != NONE:
                found[target] = event
    return found


def _remade(material: Material, event: int, edit: int) -> int | None:
    """The row of an entry with the content of an edit, if it ever stood there."""
    nodes = material.timeline.surface.nodes
    for node in nodes.all_of_event(event):
        if nodes.form(node) is Form.REBUILT and list(nodes.sources(node))[-1] == edit:
            return node
    return None
