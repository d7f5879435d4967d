"""Plans for transcripts made by hand."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from tests.formats.claude.transcripts import Record, held, ids, written
from tests.plans.laws import MAKING, carried_out, planned

OPTIONS = Options()


def kept_as(folder: Path, records: Iterable[Record], name: str) -> ClaudeTape:
    """A transcript with a name, folded."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written(records))
    return held(path)


def renamed(uuid: str) -> str:
    """The id of the copy of a record."""
    return MAKING.derived(f"record {uuid}")


def content(plan: Plan) -> bytes:
    """All that would be written."""
    return b"".join(piece for write, _ in plan.writes for piece in write.content())


def records(plan: Plan) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in content(plan).splitlines()]


def by_id(plan: Plan) -> dict[str, dict[str, Any]]:
    """The copies by the ids of what they are copies of."""
    return {one["forkedFrom"]["messageUuid"]: one for one in records(plan) if "forkedFrom" in one}


def fork(tape: ClaudeTape, cut: int | None = None, view: View | None = None) -> Plan:
    return planned(tape, Asked(PlanKind.FORK, cut, How.CREATE, view))


def repair(tape: ClaudeTape) -> Plan:
    return planned(tape, Asked(PlanKind.REPAIR))


def made(plan: Plan, folder: Path, policy: str = "sdk-js") -> ClaudeTape:
    """The transcript that a plan makes, folded."""
    return held(carried_out(plan, folder)[-1], policy)


def originals_of(tape: ClaudeTape) -> str:
    """The surface of a fork by the ids of what its rows are copies of."""
    names: dict[str | None, str] = {
        tape.message_id(event): tape.payload(event).get("forkedFrom", {}).get("messageUuid", "made")
        for event in range(tape.timeline.events)
    }
    return " ".join(names[uuid] for uuid in ids(tape))


def shown_by(plan: Plan, folder: Path, policy: str = "sdk-js") -> str:
    """What a reader shows of what a plan makes."""
    return originals_of(made(plan, folder, policy))


def broken(plan: Plan) -> list[str]:
    """The rules that a plan does not keep."""
    return [check.rule for check in plan.checks if not check.ok]
