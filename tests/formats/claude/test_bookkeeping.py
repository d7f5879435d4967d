"""Records beside the tree: commands typed ahead, snapshots, tags, results stored elsewhere."""

from pathlib import Path

from tests.formats.claude.test_registers import value
from tests.formats.claude.transcripts import (
    answer,
    beside,
    call,
    codes,
    folded,
    line,
    result,
    seen,
    user,
)


def test_commands_typed_ahead_are_counted(tmp_path: Path) -> None:
    operations = ["enqueue", "enqueue", "dequeue", "remove", "enqueue", "enqueue", "popAll"]
    records = [beside("queue-operation", operation=one, content="do it") for one in operations]
    tape = folded(tmp_path, [user("u1", None), *records, beside("queue-operation")])
    counts = [value(tape, "queued", cursor) for cursor in range(1, 10)]
    assert counts == [None, 1, 2, 1, None, 1, 2, None, None]
    assert tape.headline(1).text == "enqueue do it"


def test_more_taken_out_than_was_typed_ahead_is_none(tmp_path: Path) -> None:
    operations = ["dequeue", "remove", "enqueue"]
    records = [beside("queue-operation", operation=one) for one in operations]
    tape = folded(tmp_path, [user("u1", None), *records])
    assert [value(tape, "queued", cursor) for cursor in (2, 3, 4)] == [None, None, 1]


def test_a_snapshot_names_a_message_and_is_none(tmp_path: Path) -> None:
    backup = {"backupFileName": "x@v1", "version": 1, "backupTime": "2026-01-01T00:00:00.000Z"}
    shot = {"messageId": "u1", "trackedFileBackups": {"/w/a.py": backup}}
    records = [
        beside("file-history-snapshot", messageId="u1", snapshot=shot, isSnapshotUpdate=False),
        user("u1", None),
        answer("a1", "u1"),
    ]
    tape = folded(tmp_path, records)
    assert line(tape) == "u1 a1"
    assert codes(tape) == []
    assert (tape.message_id(0), tape.headline(0).text) == (None, "/w/a.py")
    assert tape.identified("u1") == [1]


def test_a_tag_is_set_and_taken_off(tmp_path: Path) -> None:
    records = [user("u1", None), beside("tag", tag="wip"), beside("tag", tag="")]
    tape = folded(tmp_path, records)
    assert [value(tape, "tag", cursor) for cursor in (1, 2, 3)] == [None, "wip", None]


def stored() -> list[dict[str, object]]:
    replacement = {"toolUseId": "c1", "replacement": "saved to /x"}
    return [
        user("u1", None),
        answer("a1", "u1", call("c1")),
        result("r1", "a1", "c1"),
        beside("content-replacement", replacements=[replacement, {"toolUseId": "c9"}, 7]),
        answer("a2", "r1"),
        user("u2", "a2"),
    ]


def test_a_result_stored_elsewhere_is_cleared_from_there_on(tmp_path: Path) -> None:
    tape = folded(tmp_path, stored())
    assert [seen(tape, cursor)[2] for cursor in (3, 4, 5, 6)] == ["visible", *["cleared"] * 3]
    assert tape.timeline.visibility(2, 6)[1] == 3
    assert line(tape) == "u1 a1 r1 a2 u2"
    assert tape.headline(3).text == "c1, c9 · saved to /x"


def test_it_is_whole_on_a_branch_that_left_before(tmp_path: Path) -> None:
    made, replaced = stored()[:3], stored()[3]
    tape = folded(tmp_path, [*made, answer("a2", "r1"), replaced, user("u2", "r1")])
    assert line(tape) == "u1 a1 r1 u2"
    assert [seen(tape, cursor)[2] for cursor in (5, 6)] == ["cleared", "visible"]


def test_a_reader_that_loads_the_file_does_not_look_at_it(tmp_path: Path) -> None:
    assert seen(folded(tmp_path, stored(), "sdk-js:reload"))[2] == "visible"
