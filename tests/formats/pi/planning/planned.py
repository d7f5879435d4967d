"""Plans for sessions made by hand."""

from pathlib import Path
from typing import Any

import orjson

from inspector.formats.pi.reading import PiTape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from tests.formats.pi import sessions
from tests.plans.laws import MAKING, carried_out, planned

Json = dict[str, Any]

NAME = f"2026-09-21T14-13-20-000Z_{MAKING.id}.jsonl"


def fork(tape: PiTape, cut: int | None = None, view: View | None = None) -> Plan:
    return planned(tape, Asked(PlanKind.FORK, cut, How.CREATE, view))


def move(tape: PiTape, cut: int) -> Plan:
    return planned(tape, Asked(PlanKind.REWIND, cut, How.APPEND))


def content(plan: Plan) -> bytes:
    """All that would be written."""
    return b"".join(piece for write, _ in plan.writes for piece in write.content())


def lines(plan: Plan) -> list[Json]:
    return [orjson.loads(line) for line in content(plan).splitlines() if line]


def chain(plan: Plan) -> list[str]:
    """The ids of what would be written, each of which hangs on the one before it."""
    entries = lines(plan)[1:]
    ids = [entry["id"] for entry in entries]
    assert [entry["parentId"] for entry in entries] == [None, *ids][: len(ids)]
    return ids


def summarised(tape: PiTape, rows: int, folder: Path) -> PiTape:
    """A session whose first rows a summary stands for, written and folded."""
    (write,) = tape.planner().compact(rows, "short", MAKING).writes
    before = tape.log.path.read_bytes() if write.how is How.APPEND else b""
    content = before + b"".join(write.content())
    return sessions.opened(content, folder, "summarised.jsonl")


def made(plan: Plan, folder: Path) -> PiTape:
    """What a plan makes, folded; of an append the session with it."""
    path = carried_out(plan, folder)[0]
    return sessions.opened(path.read_bytes(), folder, path.name)


def said(plan: Plan, rule: str) -> tuple[bool, str]:
    """Whether a rule is kept, and what was found."""
    return next((check.ok, check.message) for check in plan.checks if check.rule == rule)
