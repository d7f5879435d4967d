"""Short questions about plans for logs that tests write."""

import json
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import Options, Tape
from inspector.formats.planning import Check, Draft, How, PlanKind, Stop, View
from inspector.plans.plan import Plan
from tests.dsh_tapes import Log, call_block, text_block
from tests.plans.laws import MAKING, opened

HOW: Final = How.CREATE
FORK: Final = PlanKind.FORK


def fork(tape: Tape, at: int, view: View = View.AS_OF) -> Draft:
    """What a fork at a cursor would make."""
    return tape.planner().cut(FORK, HOW, at, view, MAKING)


def content(draft: Draft) -> bytes:
    """The bytes of the one file that would be made."""
    (write,) = draft.writes
    return b"".join(write.content())


def lines(draft: Draft) -> list[Any]:
    """Its lines as values."""
    return [json.loads(line) for line in content(draft).splitlines()]


def stops(tape: Tape, at: int) -> list[Stop]:
    """Why a tape may not be cut at a cursor."""
    return tape.planner().cuts(FORK, HOW).stops(at)


def rules(tape: Tape, at: int) -> list[str]:
    """The words for that."""
    return [stop.rule for stop in stops(tape, at)]


def check(found: Draft | Plan, rule: str) -> Check:
    """What was found by one rule."""
    (one,) = [check for check in found.checks if check.rule == rule]
    return one


def made(draft: Draft, folder: Path) -> Path:
    """The file that would be made, written below a folder under its own name."""
    (write,) = draft.writes
    path = folder / write.to.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(write.content()))
    return path


def surface_texts(path: Path) -> list[str]:
    """What the rows of a log say, in order."""
    with opened(path, Options()) as tape:
        assert tape.verdict().opens is True, tape.verdict()
        timeline = tape.timeline
        rows = timeline.rows(timeline.events)
        return [tape.node_headline(row.node).text for row in rows]


def two_turns() -> Log:
    """A turn with a call, an event between, and a turn without any: 12 events."""
    log = Log()
    log.turn()
    log.step()
    log.user("list")
    log.assistant(text_block("I look."), call_block("c1"))
    log.call()
    log.result()
    log.step_end()
    log.turn_end()  # 7
    log.event("session/title", {"title": "files", "messageSeqs": [2], "source": {"kind": "user"}})
    log.turn(2)
    log.user("thanks")
    log.turn_end(2)  # 11
    return log


def compacted() -> Log:
    """Two turns, both compacted by hand into one summary, and a third turn: 21 events."""
    log = two_turns()
    start = log.compaction()  # 12
    told = log.summary(
        shadowedRange={"start": 2, "end": 10},
        shadowedSeqs=[2, 3, 5, 10],
        shadowedTokenCount=40,
        usage={"inputTokens": 9, "outputTokens": 2},
    )
    log.checkpoint(2, 10, [start, told, 2, 3, 5, 10], "both turns")
    log.compaction_end()  # 15
    log.turn(3)
    log.user("more")
    log.turn_end(3)
    return log
