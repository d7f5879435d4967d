"""Chains that break: a guess at what stood above, by the order of the file (format page 1.8)."""

from typing import Final

from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import MESSAGE, NONE, SIDE
from inspector.formats.planning import Closer
from inspector.formats.shapes import text
from inspector.text.gate import clean_line

NEIGHBOUR: Final = "file-order-neighbour"
"""The guess: a record whose parent is not there hangs on what the model saw when it came."""

_SAID: Final = 80
_MOST: Final = 100
"""Breaks of one chain that are joined."""


def joined(material: Material) -> tuple[tuple[int, ...], list[Closer]]:
    """The rows of the head with those from which a break cuts them off, and what joins them."""
    nodes = list(material.rows(material.head))
    closers: list[Closer] = []
    seen: set[int] = set()
    first = nodes
    while first and len(closers) < _MOST:
        top = _top(material, material.origins(first[:1])[0])
        if top in seen or not _is_broken(material, top):
            break
        seen.add(top)
        before = list(material.rows(top))
        known = _events(material, nodes)
        added = [
            node
            for node, event in zip(before, material.origins(before), strict=True)
            if event not in known
        ]
        nodes = [*added, *nodes]
        closers.insert(0, _closer(material, top, added))
        first = added
    return tuple(nodes), closers


def _events(material: Material, nodes: list[int]) -> set[int]:
    return set(material.origins(nodes))


def _top(material: Material, event: int) -> int:
    """The first record of the chain of another."""
    seen = {event}
    while (above := material.above(event)) is not None and above not in seen:
        seen.add(above)
        event = above
    return event


def _is_broken(material: Material, top: int) -> bool:
    """Whether a chain ought not to begin where it does: something stands before it, or is named."""
    entry, lineage = material.entry(top), material.decoder.lineage
    if entry == NONE or not material.decoder.members.named:
        return False
    if lineage.is_missing(entry):
        return True
    if material.tree.parent[entry] != NONE or lineage.begins(entry):
        return False
    return any(material.flags(event) & (MESSAGE | SIDE) == MESSAGE for event in range(top))


def _closer(material: Material, top: int, added: list[int]) -> Closer:
    """A record hangs on another one than it says."""
    table = material.timeline.table
    parent = text(material.payload(top).get("parentUuid"))
    said = f"its parent {clean_line(parent, _SAID)} is not in this file" if parent else "names none"
    if added:
        line = table.record(material.origins(added[-1:])[0]) + 1
        what = f"{said}; it is hung on line {line}, its neighbour in the file: a guess"
    else:
        what = f"{said}; nothing stands before it, and it names none"
    kind = clean_line(table.type(top), _SAID)
    return Closer(kind, "altered", what, code=NEIGHBOUR if added else None, event=top)
