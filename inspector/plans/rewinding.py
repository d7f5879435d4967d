"""A rewind in the place of a new tape: what an agent takes back in its own file."""

from contextlib import suppress

from inspector.formats.contract import Tape
from inspector.formats.planning import How, Making, PlanError, PlanKind, View
from inspector.plans.checking import Exists
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan


def rewound(tape: Tape, cut: int, making: Making, exists: Exists) -> Plan | None:
    """A rewind to a cursor that is appended to the tape and gives back what was seen there.

    None where its agent knows no such thing, or it would fail a check.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    with suppress(PlanError):
        found = plan(tape, Asked(PlanKind.REWIND, cut, How.APPEND, View.AS_OF), making, exists)
        return found if found.is_sound and found.writes else None
    return None
