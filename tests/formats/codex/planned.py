"""Plans for Codex logs made by hand."""

from pathlib import Path
from typing import Any

import orjson

from inspector.formats.codex.reading import CodexTape
from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from tests.formats.codex import tapes
from tests.plans.laws import carried_out, opened, planned

OPTIONS = Options()

PLAIN = [
    *tapes.turn("t1", tapes.user("q1"), tapes.answer("a1")),
    *tapes.turn("t2", tapes.user("q2"), tapes.answer("a2")),
    *tapes.turn("t3", tapes.user("q3"), tapes.answer("a3")),
]
"""Three turns of four records each."""


def content(plan: Plan) -> bytes:
    """All that would be written."""
    return b"".join(piece for write, _ in plan.writes for piece in write.content())


def records(plan: Plan) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in content(plan).splitlines()]


def fork(tape: CodexTape, cut: int, view: View | None = None) -> Plan:
    return planned(tape, Asked(PlanKind.FORK, cut, How.CREATE, view))


def rewind(tape: CodexTape, cut: int) -> Plan:
    return planned(tape, Asked(PlanKind.REWIND, cut, How.APPEND))


def repair(tape: CodexTape) -> Plan:
    return planned(tape, Asked(PlanKind.REPAIR))


def texts_of(plan: Plan, folder: Path) -> list[str]:
    """What the rows say of the log that a plan makes."""
    with opened(carried_out(plan, folder)[-1], OPTIONS) as made:
        assert isinstance(made, CodexTape)
        return tapes.texts(made)


def broken(plan: Plan) -> list[str]:
    """The rules that a plan does not keep."""
    return [check.rule for check in plan.checks if not check.ok]


def legal(tape: CodexTape, how: How) -> list[int]:
    """The cursors at which a log may be cut."""
    cuts = tape.planner().cuts(PlanKind.REWIND, how)
    return [cursor for cursor in range(cuts.head + 1) if cuts.legal(cursor)]
