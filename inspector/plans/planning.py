"""From a question to a plan."""

import os.path
from dataclasses import replace

from inspector.formats.contract import Tape
from inspector.formats.planning import How, Making, PlanError, PlanKind
from inspector.plans.checking import Exists
from inspector.plans.compacting import plan_compaction
from inspector.plans.cutting import plan_cut
from inspector.plans.hiding import without_secrets
from inspector.plans.mending import plan_repair, plan_resume
from inspector.plans.placing import IsFolder, fits, of_folder
from inspector.plans.plan import Asked, Plan


def plan(
    tape: Tape,
    asked: Asked,
    making: Making,
    exists: Exists,
    is_folder: IsFolder = os.path.isdir,
) -> Plan:
    """What would be done to a tape that is folded to its head.

    The same tape, question and making give the same plan.

    Args:
        tape: of which.
        asked: what a person asks for.
        making: identity and time of what would be made.
        exists: whether something stands at a path.
        is_folder: whether a folder stands at one.

    Raises:
        PlanError: if it cannot be made at all.
        SourceError: if the tape cannot be read any more.
    """
    if not fits(making):
        raise PlanError("what would be made can bear no such id or time")
    if asked.into is None:
        return _planned(tape, asked, making, exists)
    folder = of_folder(asked.into, is_folder)
    # Where the folder is none, nothing below it is looked for.
    found = _planned(tape, asked, making, exists if folder.ok else lambda _path: False)
    if found.how is How.APPEND:
        raise PlanError("no tape is made that could stand in another folder: it is an append")
    return replace(found, checks=(*found.checks, folder))


def _planned(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    return without_secrets(_made(tape, asked, making, exists))


def _made(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    match asked.kind:
        case PlanKind.FORK | PlanKind.REWIND:
            return plan_cut(tape, asked, making, exists)
        case PlanKind.COMPACT:
            return plan_compaction(tape, asked, making, exists)
        case PlanKind.REPAIR:
            return plan_repair(tape, asked, making, exists)
        case PlanKind.RESUME:
            return plan_resume(tape, asked, making)
