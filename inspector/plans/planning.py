"""From a question to a plan."""

from inspector.formats.contract import Tape
from inspector.formats.planning import Making, PlanKind
from inspector.plans.checking import Exists
from inspector.plans.compacting import plan_compaction
from inspector.plans.cutting import plan_cut
from inspector.plans.mending import plan_repair, plan_resume
from inspector.plans.plan import Asked, Plan


def plan(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    """What would be done to a tape that is folded to its head.

    The same tape, question and making give the same plan.

    Args:
        tape: of which.
        asked: what a person asks for.
        making: identity and time of what would be made.
        exists: whether something stands at a path.

    Raises:
        PlanError: if it cannot be made at all.
        SourceError: if the tape cannot be read any more.
    """
    match asked.kind:
        case PlanKind.FORK | PlanKind.REWIND:
            return plan_cut(tape, asked, making, exists)
        case PlanKind.COMPACT:
            return plan_compaction(tape, asked, making, exists)
        case PlanKind.REPAIR:
            return plan_repair(tape, asked, making, exists)
        case PlanKind.RESUME:
            return plan_resume(tape, asked, making)
