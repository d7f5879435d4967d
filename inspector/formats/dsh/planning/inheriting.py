"""The named values of a log that is made of another: its header is a new one (page 4.1)."""

from typing import Any, Final

from inspector.formats.dsh.planning.kept import Kept
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.target import DEPTH
from inspector.formats.shapes import mapping

_SELECTED: Final = "agent-preset/selected"


def registers(material: Material, kept: Kept) -> dict[str, Any]:
    """The values that events set are those at the cut; of those of the header none is inherited.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    found = {
        name: material.value(name, setting)
        for name, setting in material.timeline.registers.state(kept.cut).items()
        if setting.event >= 0 or (name == "preset" and _selects(material, kept))
    }
    return {**found, "delegation depth": DEPTH}


def _selects(material: Material, kept: Kept) -> bool:
    """Whether an event says again what the header said of the preset."""
    for event in material.timeline.table.of_type(_SELECTED, 0, kept.cut):
        data = mapping(material.payload(event).get("data"))
        if kept.holds(event) and isinstance(data.get("agentPreset"), str):
            return True
    return False
