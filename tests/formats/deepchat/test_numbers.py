"""Numbers of rows that are not what the owner writes: said, folded, and read again all the same."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Tape
from tests.formats.deepchat.databases import (
    SCHEMA,
    SESSION,
    codes,
    execute,
    fold,
    message,
    surface,
    written,
)
from tests.untouched import untouched


def loose(path: Path, numbers: list[Any]) -> Path:
    """A tape of messages that say which one they are, with these numbers."""
    for statement in SCHEMA.split(";\n"):
        if "deepchat_tape_entries" not in statement:
            execute(path, statement)
    execute(
        path,
        "CREATE TABLE deepchat_tape_entries(session_id TEXT, entry_id, kind TEXT, name TEXT, "
        "payload_json TEXT, meta_json TEXT, created_at INTEGER)",
    )
    for at, number in enumerate(numbers):
        entry = message(f"m{at}", at + 1, f"said {at}")
        row = (SESSION, number, entry.kind, entry.name, entry.payload, None, 1)
        execute(path, "INSERT INTO deepchat_tape_entries VALUES (?,?,?,?,?,?,?)", *row)
    return path


def said(tape: Tape) -> list[str]:
    return [tape.headline(event).text for event in range(tape.timeline.events)]


def test_rows_without_a_whole_number_are_folded_and_read_again(tmp_path: Path) -> None:
    path = loose(tmp_path / "agent.db", ["b", None, 2.5, 3, b"\x00", "a", None])
    with untouched(path):
        tape = fold(path)
        assert said(tape) == [f"said {at}" for at in (1, 6, 2, 3, 5, 0, 4)]
        assert surface(tape, 7) == [5, 0, 2, 3, 6, 4, 1]
        assert [tape.number(event) for event in range(7)] == [None, None, None, 3, None, None, None]
        assert (tape.numbered(3), tape.numbered(2)) == ([3], [])
        assert codes(tape).count("odd-entry-id") == 6
        assert [tape.place(record).row for record in range(7)] == [
            "entry_id NULL (row id 2)",
            "entry_id NULL (row id 7)",
            "entry_id 2.5 (row id 3)",
            "entry_id 3",
            "entry_id 'a' (row id 6)",
            "entry_id 'b' (row id 1)",
            "entry_id blob of 1 bytes (row id 5)",
        ]
        assert [tape.identified(f"m{at}") for at in range(7)] == [[5], [0], [2], [3], [6], [4], [1]]
        tape.close()


def test_rows_of_one_number_are_told_apart(tmp_path: Path) -> None:
    tape = fold(loose(tmp_path / "agent.db", [1, 2, 2, 2, 3]))
    assert said(tape) == [f"said {at}" for at in range(5)]
    told = [(found.kind.code, found.event, found.message) for found in tape.findings()]
    assert told == [
        ("repeated-entry", 2, "entry 2 again"),
        ("repeated-entry", 3, "entry 2 again"),
    ]
    assert tape.numbered(2) == [1, 2, 3]
    assert tape.identified("m2") == [2]
    tape.close()


def test_a_number_may_be_again_across_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.formats.logs.row_log._PAGE", 2)
    tape = fold(loose(tmp_path / "agent.db", [1, 2, 2, 3, 3]))
    assert said(tape) == [f"said {at}" for at in range(5)]
    assert codes(tape) == ["repeated-entry", "repeated-entry"]
    tape.close()


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([-(2**63), 0, 5], ["no entries 1 to 4"]),
        ([0, 1, 2], []),
        ([-3, 2**63 - 1], [f"no entries 1 to {2**63 - 2:,}"]),
        ([5, 6], ["the tape begins at entry 5: what stood before was removed"]),
    ],
)
def test_what_is_missing_is_told_from_the_first_number_on(
    numbers: list[int], told: list[str], tmp_path: Path
) -> None:
    tape = fold(loose(tmp_path / "agent.db", numbers))
    assert [found.message for found in tape.findings()] == told
    assert [tape.number(event) for event in range(len(numbers))] == numbers
    assert said(tape) == [f"said {at}" for at in range(len(numbers))]
    tape.close()


def test_nothing_in_a_column_of_json_is_nothing_said(tmp_path: Path) -> None:
    path = loose(tmp_path / "agent.db", [1, 2])
    execute(path, "UPDATE deepchat_tape_entries SET payload_json = NULL WHERE entry_id = 2")
    tape = fold(path)
    assert codes(tape) == ["ignored-row"]
    assert tape.payload(0)["meta"] == {}
    tape.close()


def test_a_blob_is_read_as_text(tmp_path: Path) -> None:
    path = loose(tmp_path / "agent.db", [1])
    execute(path, "UPDATE deepchat_tape_entries SET payload_json = CAST(payload_json AS BLOB)")
    tape = fold(path)
    assert (codes(tape), surface(tape, 1)) == ([], [0])
    assert tape.identified("m0") == [0]
    assert written(tape.payload(0)["payload"]) == message("m0", 1, "said 0").payload
    tape.close()
