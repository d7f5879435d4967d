"""The owner's Fork as plainly as can be, and plans for tapes of a test (page 7B)."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from inspector.formats.contract import Tape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from tests.formats.deepchat import databases
from tests.formats.deepchat.databases import Entry, event, record
from tests.plans.laws import Told, planned, told

FORK = PlanKind.FORK


def fork(tape: Tape, at: int, view: View | None = None, kind: PlanKind = FORK) -> Plan:
    return planned(tape, Asked(kind, at, How.CREATE, view))


def standing(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """The records that stand after some entries, in the owner's order."""
    known: dict[str, tuple[int, dict[str, object]]] = {}
    for entry in entries:
        payload = json.loads(entry.payload)
        if entry.kind == "message":
            found = payload["record"]
            rank = 1 if found["status"] == "pending" else 2
            if found["id"] not in known or rank >= known[found["id"]][0]:
                known[found["id"]] = rank, found
        elif entry.name == "message/retracted":
            known.pop(payload["data"]["messageId"], None)
    return sorted(
        (found for _, found in known.values()),
        key=lambda found: (found["orderSeq"], str(found["id"]).encode()),
    )


def owners_fork(entries: Sequence[Entry], cut: int) -> list[Entry] | None:
    """The tape that the owner's Fork at the last message of a cut comes to; None without one."""
    now = standing(entries)
    orders = {found["id"]: found["orderSeq"] for found in now}
    targets = [orders[found["id"]] for found in standing(entries[:cut]) if found["id"] in orders]
    if not targets:
        return None
    last = targets[-1]
    assert isinstance(last, int | float)
    copied = [
        found
        for found in now
        if found["status"] not in ("pending", "error") and float(str(found["orderSeq"])) <= last
    ]
    return [
        databases.anchor("session/start", owner="human"),
        *(
            record(f"copy-{at}", at, found["content"], str(found["role"]), source="backfill")
            for at, found in enumerate(copied, 1)
        ),
        event("migration/backfill", {"messageCount": len(copied)}),
    ]


@contextmanager
def tape_of(folder: Path, entries: Sequence[Entry]) -> Iterator[Tape]:
    """A folded tape of some entries."""
    folder.mkdir(parents=True, exist_ok=True)
    path = databases.made(folder / "agent.db", entries)
    tape = databases.fold(path)
    try:
        yield tape
    finally:
        tape.close()


def surface_told(folder: Path, entries: Sequence[Entry]) -> list[Told]:
    """What a tape of some entries shows at its head."""
    with tape_of(folder, entries) as tape:
        return told(tape, tuple(row.node for row in tape.timeline.rows(tape.timeline.events)))
