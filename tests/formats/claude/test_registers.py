"""Registers: what records say of their surroundings, and which title counts."""

from pathlib import Path
from typing import Any

from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.transcripts import answer, beside, call, folded, user


def value(tape: ClaudeTape, register: str, cursor: int) -> Any:
    setting = tape.timeline.registers.at(register, cursor)
    return None if setting is None else tape.value(register, setting)


def test_a_register_changes_where_a_record_says_so(tmp_path: Path) -> None:
    records = [
        user("u1", None, gitBranch="main"),
        answer("a1", "u1", gitBranch="main", model="one"),
        user("u2", "a1", gitBranch="topic"),
        answer("a2", "u2", gitBranch="topic", model="two"),
    ]
    tape = folded(tmp_path, records)
    assert [value(tape, "branch", cursor) for cursor in range(5)] == [
        *(None, "main", "main"),
        *("topic", "topic"),
    ]
    assert [value(tape, "model", cursor) for cursor in (1, 2, 3, 4)] == [None, "one", "one", "two"]


def test_the_title_that_a_person_gave_counts(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        beside("ai-title", aiTitle="guessed"),
        beside("custom-title", customTitle="given"),
        beside("ai-title", aiTitle="guessed again"),
    ]
    tape = folded(tmp_path, records)
    assert [value(tape, "title", cursor) for cursor in range(5)] == [
        *(None, None, "guessed"),
        *("given", "given"),
    ]


def test_a_list_of_things_to_do_is_read_from_its_call(tmp_path: Path) -> None:
    todos = [{"content": "first", "status": "pending"}]
    records = [user("u1", None), answer("a1", "u1", call("c1", "TodoWrite", todos=todos))]
    assert value(folded(tmp_path, records), "todo", 2) == todos


def test_a_mode_that_was_set_beside_is_set_again_by_a_record(tmp_path: Path) -> None:
    records = [
        user("u1", None, permissionMode="default"),
        beside("permission-mode", permissionMode="plan"),
        user("u2", "u1", permissionMode="default"),
    ]
    tape = folded(tmp_path, records)
    modes = [value(tape, "permission mode", cursor) for cursor in (1, 2, 3)]
    assert modes == ["default", "plan", "default"]
