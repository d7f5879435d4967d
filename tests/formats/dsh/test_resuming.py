"""What DeepSeek Harness adds before it goes on with a log, at any cursor."""

import json
from typing import Any

from tests.commands import SAMPLES, run
from tests.lenses.tapes import opened


def _request(name: str, at: str = "head") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("request", SAMPLES / name, "--at", at, "--json")[1])
    return found


def test_a_call_without_result_is_answered_by_repair() -> None:
    found = _request("open-turn.jsonl")
    added = [item for item in found["items"] if item["note"] == "added"]
    assert [(item["type"], item["role"], item["call_id"]) for item in added] == [
        ("tool_result", "tool", "call-2")
    ]
    assert added[0]["why"].endswith("TOOL_OUTCOME_UNKNOWN")
    assert found["items"][-1] == added[0]
    assert found["basis"]["on_resume"] == [
        "repair appends 1 tool/result, step/end, turn/end: the turn is open",
        "session/end-seed is appended when a process takes the log up",
    ]


def test_at_every_cursor_what_is_added_is_what_repair_of_that_much_appends() -> None:
    with opened("demo.jsonl") as tape:
        for cursor in range(0, tape.timeline.events + 1, 7):
            closers = tape.closers(cursor)  # type: ignore[attr-defined]
            results = [closer.call for closer in closers if closer.error is not None]
            entries = tape.request(cursor)
            added = [entry.call_id for entry in entries if entry.note == "added"]
            assert added == results
            assert len(entries) == tape.timeline.count(cursor) + len(results)


def test_a_closed_turn_is_only_taken_up() -> None:
    found = _request("demo.jsonl")
    assert not [item for item in found["items"] if item["note"] == "added"]
    assert len(found["basis"]["on_resume"]) == 1


def test_a_log_that_ends_with_the_mark_of_a_life_gets_no_second_one() -> None:
    with opened("lives.jsonl") as tape:
        types = [tape.timeline.table.type(at) for at in range(tape.timeline.events)]
        cursor = types.index("session/end-seed") + 1
        assert tape.on_resume(cursor) == []
