"""What tests of plans share: sessions in a store, and what a plan of one makes."""

from pathlib import Path
from typing import Any

import orjson

from inspector.formats.planning import PlanKind, View
from inspector.formats.zero.reading import ZeroTape
from inspector.plans.plan import Asked, Plan
from tests.formats.zero.sessions import Json, held, session
from tests.plans import laws


def stored(content: bytes, store: Path, policy: str | None = None, **metadata: Any) -> ZeroTape:
    """A session with this log in a store, in a folder of its name."""
    folder = store / "s"
    folder.mkdir(parents=True)
    return session(content, folder, policy, **{"title": "Old", "cwd": "/w", **metadata})


def fork(tape: ZeroTape, cut: int | None = None, view: View | None = None) -> Plan:
    """The plan of a fork."""
    return laws.planned(tape, Asked(PlanKind.FORK, cut, view=view))


def lines(plan: Plan) -> list[Json]:
    """The events that would be written."""
    write, size = plan.writes[0]
    content = b"".join(write.content())
    assert len(content) == size
    assert content.endswith(b"\n") or not content
    return [orjson.loads(line) for line in content.splitlines()]


def metadata(plan: Plan) -> Json:
    """The metadata that would be written."""
    found = orjson.loads(b"".join(plan.writes[-1][0].content()))
    assert isinstance(found, dict)
    return found


def made(plan: Plan, folder: Path, policy: str | None = None) -> ZeroTape:
    """What a plan makes, opened."""
    return held(laws.carried_out(plan, folder)[0], policy)


def told(tape: ZeroTape, cursor: int | None = None) -> list[str]:
    """The texts of the surface at a cursor, or the head."""
    at = tape.timeline.events if cursor is None else cursor
    return [said for *_, said in laws.told(tape, tuple(row.node for row in tape.timeline.rows(at)))]
