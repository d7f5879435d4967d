"""The named values of a session that is made: what its metadata say, and what its events set."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.zero.metadata import Metadata
from inspector.formats.zero.planning.composing import Composition
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.stretches import holds, joined


def registers(
    tape: Session, at: int, found: Composition, metadata: Mapping[str, Any]
) -> dict[str, Any]:
    """The values behind the last event of a copy.

    Args:
        tape: of which it is made.
        at: up to which cursor.
        found: which of its events are copied.
        metadata: what stands beside them.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    there = joined(found.parts)
    named: dict[str, Any] = dict(Metadata(dict(metadata)).registers())
    known = tape.timeline.registers
    for name in known.state(at):
        setting = known.at(name, at)
        while setting is not None and setting.event >= 0 and not holds(there, setting.event):
            setting = known.at(name, setting.event)
        if setting is not None and setting.event >= 0:
            named[name] = tape.value(name, setting)
    return named
