"""Records one behind the other, where what they hung on would not show the same to every reader."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from inspector.formats.claude.planning.branch import Branch, clearings, replacements
from inspector.formats.claude.planning.composing import (
    BESIDE,
    ROOT,
    Composition,
    History,
    begins_tree,
    makes_history,
)
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import BOUNDARY
from inspector.formats.shapes import mapping

_NEVER: Final = 1 << 62
_KEPT_BY: Final = ("preservedSegment", "preservedMessages")


def in_a_row(
    history: History,
    branch: Branch,
    items_: Sequence[int],
    made: Sequence[Mapping[str, Any]] = (),
    boundary: int | None = None,
    *,
    hidden: bool = True,
) -> Composition:
    """Every record hangs on the one before it, so that all readers list them alike.

    Args:
        history: what is to be shown.
        branch: what it hangs on.
        items_: the rows: events, and ``~`` numbers of records that are made.
        made: these.
        boundary: below which the rows stand: an item, or None.
        hidden: whether what a boundary hides is written before it.
    """
    material = history.material
    found = Composition(made=[dict(one) for one in made])
    rows = {item for item in items_ if item >= 0}
    others = [event for event in branch.records() if event not in rows and event != boundary]
    if boundary is None:
        notices = [event for event in others if not makes_history(material, event)]
    else:
        border = min(rows, default=history.cut) if boundary < 0 else boundary
        notices = [
            event for event in others if event > border and not makes_history(material, event)
        ]
        behind = frozenset(notices)
        for event in others if hidden else ():
            if event not in behind:
                root = begins_tree(material, event)
                found.put(event, ROOT if root else found.last)
                if material.flags(event) & BOUNDARY:
                    _let_go(found, material, event)
        found.put(boundary, ROOT)
        if boundary >= 0:
            _let_go(found, material, boundary)
    stored = frozenset(replacements(material, history.nodes))
    later = clearings(material, history.cut, history.nodes)
    waiting = sorted({*notices, *stored, *later}, reverse=True)
    above = found.last if boundary is not None else ROOT
    for item, until in zip((None, *items_), _until(items_), strict=True):
        if item is not None:
            above = found.put(item, above)
        while waiting and waiting[-1] < until:
            event = waiting.pop()
            place = found.put(event, BESIDE if event in stored else above)
            above = above if event in stored else place
    return found


def _until(items_: Sequence[int]) -> list[int]:
    """For the start and behind each row: the oldest event among the rows that follow."""
    found = [_NEVER]
    for item in reversed(items_):
        found.append(min(found[-1], item) if item >= 0 else found[-1])
    found.reverse()
    return found


def _let_go(found: Composition, material: Material, boundary: int) -> None:
    """A boundary says of nothing that it was kept: it stands below it."""
    metadata = mapping(material.payload(boundary).get("compactMetadata"))
    if any(name in metadata for name in _KEPT_BY):
        found.metadata[boundary] = {
            name: value for name, value in metadata.items() if name not in _KEPT_BY
        }
