"""Which files checkpoints could bring back, and from which one."""

from pathlib import Path
from typing import Any

from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.planned import kept_as
from tests.formats.claude.transcripts import SESSION, Record, answer, beside, call, result, user
from tests.untouched import untouched


def backup(name: str | None, version: int = 1) -> dict[str, Any]:
    return {"backupFileName": name, "version": version, "backupTime": "2026-06-01T09:00:00.000Z"}


def snapshot(of: str, *, update: bool = False, **files: dict[str, Any]) -> Record:
    said = {"messageId": of, "trackedFileBackups": files}
    return beside("file-history-snapshot", messageId=of, snapshot=said, isSnapshotUpdate=update)


def turn(uuid: str, parent: str | None) -> list[Record]:
    return [
        user(uuid, parent),
        answer(f"{uuid}a", uuid, call(f"{uuid}c", "Edit", file_path="/w/a.py")),
        result(f"{uuid}r", f"{uuid}a", f"{uuid}c"),
        answer(f"{uuid}z", f"{uuid}r", stop_reason="end_turn"),
    ]


RECORDS = [
    snapshot("u1"),
    *turn("u1", None),
    snapshot("u1", update=True, a=backup("aa@v1")),
    snapshot("u2", a=backup("aa@v2", 2)),
    *turn("u2", "u1z"),
    snapshot("u2", update=True, a=backup("aa@v2", 2), b=backup(None)),
    snapshot("u3", a=backup("aa@v3", 3), b=backup("bb@v2", 2), c=backup("../evil")),
    *turn("u3", "u2z"),
]
"""Prompts are events 1, 7 and 13."""


def told(tape: ClaudeTape, cut: int) -> dict[str, tuple[int, str]]:
    return {one.path: (one.event, one.how) for one in tape.planner().restorable(cut)}


def store(folder: Path) -> ClaudeTape:
    copies = folder / "file-history" / SESSION
    copies.mkdir(parents=True)
    for name in ("aa@v1", "aa@v2", "bb@v2"):
        (copies / name).write_bytes(b"x")
    return kept_as(folder, RECORDS, f"projects/-w/{SESSION}.jsonl")


def test_a_file_is_put_back_as_it_was_before_the_next_prompt(tmp_path: Path) -> None:
    tape = store(tmp_path)
    with untouched(tmp_path):
        found = told(tape, 7)
    assert found["a"] == (6, "put back as it was before line 8, copy aa@v2, version 2")
    assert found["b"] == (11, "delete: it was not there before line 8")


def test_what_is_not_there_cannot_be_put_back(tmp_path: Path) -> None:
    found = told(store(tmp_path), 13)
    assert found["a"] == (12, "its copy aa@v3, version 3, is not there")
    assert found["b"] == (12, "put back as it was before line 14, copy bb@v2, version 2")
    assert found["c"] == (12, "the checkpoint names no copy of it")


def test_within_a_turn_only_a_checkpoint_that_goes_further_back_knows_a_file(
    tmp_path: Path,
) -> None:
    tape = store(tmp_path)
    assert told(tape, 16)["a"][1].startswith("its copy aa@v3")
    assert told(tape, 17) == {}
    early = kept_as(tmp_path, RECORDS[:6], "elsewhere/other.jsonl")
    event, how = told(early, 3)["a"]
    assert event == 5
    assert how.startswith("copy aa@v1")
    assert "of how it was before line 2, which the cut keeps;" in how
    assert how.endswith("where copies are kept is not known here")
