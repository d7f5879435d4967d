"""What a compaction kept, where rows stand elsewhere or in another form than when written."""

from pathlib import Path

from tests.formats.claude.transcripts import (
    Record,
    answer,
    attachment,
    boundary,
    call,
    folded,
    line,
    notice,
    result,
    summary,
    user,
)


def clearing(uuid: str, parent: str, *calls: str) -> Record:
    cleared = {"compactedToolIds": list(calls)}
    return notice(uuid, parent, "microcompact_boundary", microcompactMetadata=cleared)


def test_kept_records_that_another_writer_left_stand_under_the_summary(tmp_path: Path) -> None:
    records = [
        *(user("u0", None), user("u1", "u0"), user("u2", "u1")),
        attachment("x", "u0", "file", filename="a.txt"),
        boundary("b", preservedMessages={"anchorUuid": "t", "uuids": ["u1", "u2"]}),
        summary("t", "b"),
    ]
    assert line(folded(tmp_path, records)) == "t u1 u2"


def test_what_stands_before_the_kept_leaves_where_the_boundary_is_the_anchor(
    tmp_path: Path,
) -> None:
    kept = {"anchorUuid": "b", "uuids": ["u1"]}
    records = [user("u0", None), user("u1", "u0"), boundary("b", preservedMessages=kept)]
    records += [summary("t", "b"), user("u2", "t")]
    tape = folded(tmp_path, records)
    assert line(tape, 4) == "u1 t"
    assert line(tape) == "u1 t u2"


def test_a_kept_segment_may_hold_a_microcompaction(tmp_path: Path) -> None:
    records = [
        *(user("u0", None), answer("a1", "u0", call("c1")), result("r2", "a1", "c1")),
        *(user("u3", "r2"), clearing("c4", "u3", "c1"), answer("a5", "c4")),
        boundary("b", preservedSegment={"headUuid": "u3", "tailUuid": "a5", "anchorUuid": "t"}),
        *(summary("t", "b"), user("u6", "t")),
    ]
    tape = folded(tmp_path, records)
    assert line(tape, 8) == "t u3 a5"
    assert line(tape) == "t u3 a5 u6"


def test_a_microcompaction_of_one_writer_between_lines_of_the_other(tmp_path: Path) -> None:
    records = [
        *(user("u0", None), answer("a1", "u0", call("c1"), of="m1")),
        *(answer("a2", "a1", call("c2"), of="m1"), result("r3", "a2", "c2")),
        *(answer("a4", "r3", call("c4"), of="m4"), user("u5", "a4")),
        *(clearing("c6", "r3", "c2"), result("r7", "a4", "c4"), result("r8", "a1", "c1")),
    ]
    tape = folded(tmp_path, records)
    assert line(tape, 8) == "u0 a1 a2 r3 a4 r7"
    assert line(tape) == "u0 a1 a2 r3 r8"


def test_what_was_kept_above_a_microcompaction_stands_under_the_summary(tmp_path: Path) -> None:
    records = [
        *(user("u0", None), answer("a1", "u0", call("c1")), result("r3", "a1", "c1")),
        *(user("u4", "r3"), clearing("c8", "u4", "c1")),
        boundary("b10", preservedMessages={"anchorUuid": "t11", "uuids": ["r3", "u4"]}),
        *(summary("t11", "b10"), user("u12", "c8")),
    ]
    tape = folded(tmp_path, records)
    assert line(tape) == "t11 r3 u4 u12"
    assert line(tape, 7) == "t11 r3 u4"
