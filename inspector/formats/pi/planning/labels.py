"""The labels that entries have: what the file said of each last (format page 4.2 and 4.3)."""

from typing import Any, NamedTuple

from inspector.formats.copied_lines import GONE
from inspector.formats.pi.labels import Labels
from inspector.formats.pi.planning.material import Material


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
    if material.version < 2:
        # Entries get new ids when the owner opens the file, and no label names any of these.
        return {}
    found = Labels(material.timeline, material.entry).at(material.head)
    return {key: _stamped(material, *one) for key, one in found.items()}


def _stamped(material: Material, event: int, target: Any, label: Any) -> Label:
    return Label(event, target, label, material.entry(event).get("timestamp", GONE))
