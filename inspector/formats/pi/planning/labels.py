"""The labels that entries have: what the file said of each last (format page 4.2 and 4.3)."""

from typing import Any, NamedTuple

from inspector.formats.copied_lines import GONE
from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.vocabulary import LABEL


class Label(NamedTuple):
    """A label.

    Attributes:
        event: the entry that set it.
        target: the id of what it is about, as it is written.
        label: what it says.
        timestamp: when it was set, as it is written.
    """

    event: int
    target: Any
    label: Any
    timestamp: Any


def labels(material: Material) -> dict[str, Label]:
    """The labels by what they are about, in the order in which the owner writes them."""
    found: dict[str, Label] = {}
    if material.version < 2:
        # Entries get new ids when the owner opens the file, and no label names any of these.
        return found
    for event in material.timeline.table.of_type(LABEL, 0, material.head):
        if material.timeline.is_rejected(event):
            continue
        entry = material.entry(event)
        target, label = entry.get("targetId"), entry.get("label")
        key = key_of(target)
        if key is None:
            continue
        if _is_set(label):
            found[key] = Label(event, target, label, entry.get("timestamp", GONE))
        else:
            found.pop(key, None)
    return found


def _is_set(label: Any) -> bool:
    """Whether the owner takes it for a label: an empty one takes the label away."""
    return bool(label) or isinstance(label, (list, dict))
