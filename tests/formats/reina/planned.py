"""What tests of plans share: what a plan of a Reina log writes, and what is read of that."""

from pathlib import Path
from typing import Any

import orjson

from inspector.formats.planning import PlanKind, View
from inspector.formats.reina.reading import ReinaTape
from inspector.plans.plan import Asked, Plan
from tests.formats.reina.sessions import held
from tests.plans import laws


def fork(tape: ReinaTape, cut: int | None = None, view: View | None = None) -> Plan:
    return laws.planned(tape, Asked(PlanKind.FORK, cut, view=view))


def compact(tape: ReinaTape, summary: str = "short", **more: Any) -> Plan:
    return laws.planned(tape, Asked(PlanKind.COMPACT, summary=summary, **more))


def repair(tape: ReinaTape) -> Plan:
    return laws.planned(tape, Asked(PlanKind.REPAIR))


def content(plan: Plan) -> bytes:
    ((write, size),) = plan.writes
    found = b"".join(write.content())
    assert len(found) == size
    assert found.endswith(b"\n")
    return found


def lines(plan: Plan) -> list[dict[str, Any]]:
    """The records that would be written."""
    return [orjson.loads(line) for line in content(plan).split(b"\n") if line]


def made(plan: Plan, folder: Path, policy: str | None = None) -> ReinaTape:
    """What a plan makes, opened."""
    folder.mkdir(exist_ok=True)
    return held(laws.carried_out(plan, folder)[0], policy)


def told(tape: ReinaTape, cursor: int | None = None) -> list[str]:
    """The texts of the surface at a cursor, or the head."""
    at = tape.timeline.events if cursor is None else cursor
    return [said for *_, said in laws.told(tape, tuple(row.node for row in tape.timeline.rows(at)))]


def broken(plan: Plan) -> list[str]:
    """The rules that a plan does not keep."""
    return [check.rule for check in plan.checks if not check.ok]
