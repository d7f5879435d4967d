"""What does not travel with records from behind a cut."""

from pathlib import Path
from typing import Any

from inspector.formats.planning import View
from tests.formats.claude.planned import broken, by_id, content, fork, records, renamed, shown_by
from tests.formats.claude.transcripts import (
    Record,
    answer,
    beside,
    boundary,
    call,
    folded,
    notice,
    result,
    summary,
    text,
    user,
)
from tests.plans.laws import accounts_for_all

KEPT = {
    "anchorUuid": "s6",
    "uuids": ["u2", "a3", "u4"],
    "allUuids": ["u2", "a3", "u4"],
    "why": "UNDONE why",
}
TOLD: dict[str, Any] = {
    "preTokens": 99_999,
    "userContext": "UNDONE hint",
    "preCompactDiscoveredTools": ["UNDONE tool"],
    "other": {"UNDONE": 1},
    "preservedMessages": KEPT,
}
BOUNDARY = {**boundary("b5", **TOLD), "content": "UNDONE content", "note": "UNDONE note"}
TAPE = [
    user("u0", None),
    answer("a1", "u0"),
    user("u2", "a1"),
    answer("a3", "u2"),
    user("u4", "a3", "UNDONE question"),
    BOUNDARY,
    {**summary("s6", "b5"), "summarizeMetadata": {"userContext": "UNDONE hint"}},
    answer("a7", "s6", text("UNDONE answer")),
]


def test_what_travels_from_behind_the_cut_is_counted_and_told(tmp_path: Path) -> None:
    tape = folded(tmp_path, TAPE)
    plan = fork(tape, 4, View.COMPACTED)
    assert list(by_id(plan)) == ["u0", "a1", "u2", "a3", "b5", "s6"]
    assert (plan.kept, dict(plan.left)) == (6, {"behind the cut": 2})
    assert plan.remarks[0] == (
        "2 records are copied that stand behind the cut, by which the history was compacted later"
    )
    accounts_for_all(tape, plan)
    as_of = fork(tape, 4, View.AS_OF)
    assert (as_of.kept, dict(as_of.left)) == (4, {"behind the cut": 4})
    assert not any("behind the cut" in one for one in as_of.remarks)


def test_what_a_later_boundary_says_of_what_is_undone_does_not_travel(tmp_path: Path) -> None:
    tape = folded(tmp_path, TAPE)
    plan = fork(tape, 4, View.COMPACTED)
    assert b"UNDONE" not in content(plan)
    assert b"u4" not in content(plan)
    copy = by_id(plan)["b5"]
    assert copy["content"] == "Conversation compacted"
    assert copy["compactMetadata"] == {
        "trigger": "auto",
        "preservedMessages": {
            "anchorUuid": renamed("s6"),
            "uuids": [renamed("u2"), renamed("a3")],
            "allUuids": [renamed("u2"), renamed("a3")],
        },
    }
    for policy in ("sdk-js", "sdk-js:reload"):
        assert shown_by(plan, tmp_path / policy, policy) == "s6 u2 a3"
    assert broken(plan) == []
    accounts_for_all(tape, plan)


def test_a_boundary_before_the_cut_says_all_that_it_said(tmp_path: Path) -> None:
    plan = fork(folded(tmp_path, TAPE), 8, View.AS_OF)
    copy = by_id(plan)["b5"]
    assert copy["compactMetadata"]["userContext"] == "UNDONE hint"
    assert copy["content"] == "UNDONE content"


def test_later_clearings_name_only_results_that_travel(tmp_path: Path) -> None:
    cleared: Record = {"trigger": "auto", "tokensSaved": 4, "compactedToolIds": ["c1", "c-undone"]}
    cleared["clearedAttachmentUUIDs"] = ["a3", "u-undone"]
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            answer("a3", "r2", call("c-undone")),
            result("r4", "a3", "c-undone"),
            notice("y5", "r4", "microcompact_boundary", microcompactMetadata=cleared),
            user("u6", "y5"),
        ],
    )
    plan = fork(tape, 3, View.COMPACTED)
    said = by_id(plan)["y5"]["microcompactMetadata"]
    assert said == {
        "trigger": "auto",
        "compactedToolIds": ["c1"],
        "clearedAttachmentUUIDs": [],
    }
    assert broken(plan) == []


def test_later_replacements_hold_only_results_that_travel(tmp_path: Path) -> None:
    stored = [
        {"kind": "tool-result", "toolUseId": name, "replacement": f"<persisted> {name}"}
        for name in ("c1", "c-undone")
    ]
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            answer("a3", "r2", call("c-undone")),
            result("r4", "a3", "c-undone"),
            beside("content-replacement", replacements=stored, note="c-undone"),
        ],
    )
    plan = fork(tape, 3, View.COMPACTED)
    assert b"c-undone" not in content(plan)
    there = [one for one in records(plan) if one["type"] == "content-replacement"]
    assert [one["replacements"] for one in there] == [stored[:1]]
