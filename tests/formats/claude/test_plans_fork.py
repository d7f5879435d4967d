"""A fork as a new session: ids, what ties records to others, and what is left behind."""

from pathlib import Path

import pytest

from inspector.formats.claude.planning import forking
from inspector.formats.claude.planning.copying import Copy
from inspector.formats.claude.planning.rehearsing import Rehearsal, Shown, rehearsed
from inspector.formats.claude.policies import Policy
from inspector.formats.planning import How, PlanKind, View
from inspector.timeline.words import Form
from tests.formats.claude.planned import (
    broken,
    by_id,
    content,
    fork,
    kept_as,
    made,
    originals_of,
    records,
    renamed,
    shown_by,
)
from tests.formats.claude.transcripts import (
    SESSION,
    answer,
    attachment,
    beside,
    boundary,
    call,
    folded,
    held,
    line,
    notice,
    record,
    result,
    summary,
    text,
    user,
    written,
)
from tests.plans.laws import MAKING, accounts_for_all
from tests.untouched import untouched

NOW = "2026-09-21T14:13:20.000Z"
THEN = "2026-06-01T09:00:00.000Z"

PLAIN = [
    user("u0", None, timestamp=THEN),
    answer("a1", "u0", timestamp=THEN),
    user("u2", "a1", timestamp=THEN),
    answer("a3", "u2", timestamp=THEN),
]


def test_every_record_gets_a_new_id_and_names_its_original(tmp_path: Path) -> None:
    tape = folded(tmp_path, [*PLAIN, beside("custom-title", customTitle="Bees")])
    with untouched(tmp_path):
        plan = fork(tape)
        *copies, title = records(plan)
    assert [one["uuid"] for one in copies] == [renamed(one["uuid"]) for one in PLAIN]
    assert [one["parentUuid"] for one in copies] == [
        None,
        *(renamed(uuid) for uuid in ("u0", "a1", "u2")),
    ]
    assert [one["forkedFrom"] for one in copies] == [
        {"sessionId": SESSION, "messageUuid": one["uuid"]} for one in PLAIN
    ]
    assert {one["sessionId"] for one in copies} == {MAKING.id}
    assert [one["timestamp"] for one in copies] == [THEN, THEN, THEN, NOW]
    assert title == {"type": "custom-title", "customTitle": "Bees (fork)", "sessionId": MAKING.id}
    assert (plan.kept, dict(plan.left), plan.is_sound) == (4, {"beside the conversation": 1}, True)


def test_the_same_question_gives_the_same_bytes(tmp_path: Path) -> None:
    tape = folded(tmp_path, PLAIN)
    assert content(fork(tape, 3)) == content(fork(tape, 3)) != content(fork(tape, 4))


def test_each_record_is_composed_once_for_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: list[int] = []
    line = Copy.line

    def counted(copy: Copy, place: int) -> bytes:
        composed.append(place)
        return line(copy, place)

    monkeypatch.setattr(Copy, "line", counted)
    plan = fork(folded(tmp_path, PLAIN))
    assert composed == [0, 1, 2, 3]
    assert plan.writes[0][1] == len(content(plan))


def test_a_fork_lies_where_the_owner_looks_for_sessions(tmp_path: Path) -> None:
    name = f"projects/-w/{SESSION}.jsonl"
    inside = fork(kept_as(tmp_path, PLAIN, name))
    assert inside.writes[0][0].to == tmp_path / "projects" / "-w" / f"{MAKING.id}.jsonl"
    assert inside.remarks == ()
    outside = fork(folded(tmp_path, PLAIN))
    assert outside.writes[0][0].to == tmp_path / f"{MAKING.id}.jsonl"
    assert len(outside.remarks) == 1
    assert "outside of Claude Code's folders" in outside.remarks[0]


def test_a_fork_names_its_origin(tmp_path: Path) -> None:
    plan = fork(kept_as(tmp_path, PLAIN, f"{SESSION}.jsonl"), 2)
    tape = made(plan, tmp_path / "made")
    assert (tape.identity.id, tape.identity.parent) == (MAKING.id, SESSION)
    assert tape.verdict().opens is True


def test_a_transcript_without_a_session_is_no_origin(tmp_path: Path) -> None:
    nobodys = [{key: one[key] for key in one if key != "sessionId"} for one in PLAIN]
    plan = fork(folded(tmp_path, nobodys))
    assert (broken(plan), plan.is_sound) == (["provenance"], True)
    assert not any("forkedFrom" in one for one in records(plan))


def test_a_fork_is_a_session_of_its_own(tmp_path: Path) -> None:
    plan = fork(kept_as(tmp_path, PLAIN, f"{MAKING.id}.jsonl"))
    assert (broken(plan), plan.is_sound) == (["provenance"], False)


def test_only_the_branch_travels(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            beside("file-history-snapshot", messageId="u0"),
            *PLAIN[:2],
            user("u2", "a1"),
            answer("a3", "u2"),
            user("s4", None, isSidechain=True),
            record("progress", "p5", "a1", data={"type": "hook_progress"}),
            user("u6", "p5"),
            notice("y7", "u6", "informational", content="nothing"),
            answer("a8", "y7"),
            notice("y9", "a8", "turn_duration", durationMs=1),
        ],
    )
    plan = fork(tape)
    assert list(by_id(plan)) == ["u0", "a1", "u6", "y7", "a8", "y9"]
    assert by_id(plan)["u6"]["parentUuid"] == renamed("a1")
    assert dict(plan.left) == {
        "snapshots of files": 1,
        "on other branches": 2,
        "of subagents and teams": 1,
        "progress": 1,
    }
    accounts_for_all(tape, plan)


def test_what_is_copied_stays_as_it_stands(tmp_path: Path) -> None:
    odd = b'{ "n" : 1.50, "big":123456789012345678901234567890, "x":{"a":1,"a":2}, '
    odd += b'"type":"user","uuid":"u0","parentUuid":null,"sessionId":"%s",' % SESSION.encode()
    odd += b'"message":{"role":"user","content":"caf\\u00e9"}}'
    path = tmp_path / "odd.jsonl"
    path.write_bytes(odd + b"\n")
    first = content(fork(held(path))).splitlines()[0]
    for piece in (
        b'"n":1.50',
        b'"x":{"a":1,"a":2}',
        b'"caf\\u00e9"',
        b"123456789012345678901234567890",
    ):
        assert piece in first


def test_a_batch_of_parallel_calls_keeps_its_shape(tmp_path: Path) -> None:
    batch = [
        user("u0", None),
        answer("a1", "u0", call("c1"), of="m"),
        answer("a2", "a1", call("c2"), of="m"),
        result("r3", "a2", "c2", sourceToolAssistantUUID="a2"),
        result("r4", "a1", "c1", sourceToolAssistantUUID="a1"),
        answer("a5", "r4"),
    ]
    plan = fork(folded(tmp_path, batch))
    copies = by_id(plan)
    assert [copies[uuid]["parentUuid"] for uuid in ("r3", "r4", "a5")] == [
        renamed(uuid) for uuid in ("a2", "a1", "r4")
    ]
    assert copies["r3"]["sourceToolAssistantUUID"] == renamed("a2")
    assert shown_by(plan, tmp_path / "made") == "u0 a1 a2 r3 r4 a5"


def test_ids_within_records_are_exchanged(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            attachment("x3", "r2", "file", filename="a"),
            notice(
                "y4",
                "x3",
                "microcompact_boundary",
                microcompactMetadata={
                    "compactedToolIds": ["c1"],
                    "clearedAttachmentUUIDs": ["x3"],
                },
            ),
            attachment("q5", "y4", "queued_command", prompt="and", source_uuid="u9"),
            answer("a6", "q5", supersedesUuids=["a1"], slug="some-words"),
        ],
    )
    copies = by_id(fork(tape))
    assert copies["y4"]["microcompactMetadata"] == {
        "compactedToolIds": ["c1"],
        "clearedAttachmentUUIDs": [renamed("x3")],
    }
    assert copies["q5"]["attachment"]["source_uuid"] == renamed("u9")
    assert copies["a6"]["supersedesUuids"] == [renamed("a1")]
    assert "slug" not in copies["a6"]


COMPACTED = [
    user("u0", None),
    answer("a1", "u0"),
    user("u2", "a1"),
    answer("a3", "u2"),
    boundary(
        "b4",
        preservedMessages={"anchorUuid": "s5", "uuids": ["u2", "a3"], "allUuids": ["u2", "a3"]},
    ),
    summary("s5", "b4"),
    user("u6", "s5"),
    answer("a7", "u6"),
]


def test_what_a_compaction_kept_is_kept_in_the_fork(tmp_path: Path) -> None:
    tape = folded(tmp_path, COMPACTED)
    plan = fork(tape, view=View.AS_OF)
    assert by_id(plan)["b4"]["compactMetadata"]["preservedMessages"] == {
        "anchorUuid": renamed("s5"),
        "uuids": [renamed("u2"), renamed("a3")],
        "allUuids": [renamed("u2"), renamed("a3")],
    }
    # What it hid travels too, so that nobody is cut off from it.
    assert (plan.kept, by_id(plan)["b4"]["parentUuid"]) == (8, None)
    assert by_id(plan)["b4"]["logicalParentUuid"] == renamed("a3")
    for policy in ("sdk-js", "sdk-js:reload"):
        assert shown_by(plan, tmp_path / policy, policy) == "s5 u2 a3 u6 a7"


def test_a_segment_that_was_kept_is_kept_as_far_as_it_travels(tmp_path: Path) -> None:
    ends = {"headUuid": "u2", "tailUuid": "a3", "anchorUuid": "s5"}
    tape = folded(tmp_path, [*COMPACTED[:4], boundary("b4", preservedSegment=ends), *COMPACTED[5:]])
    whole = fork(tape, view=View.AS_OF)
    assert by_id(whole)["b4"]["compactMetadata"]["preservedSegment"] == {
        name: renamed(uuid) for name, uuid in ends.items()
    }
    part = fork(tape, 3, View.COMPACTED)
    assert by_id(part)["b4"]["compactMetadata"]["preservedSegment"]["tailUuid"] == renamed("u2")
    assert shown_by(part, tmp_path / "made") == "s5 u2"


def test_a_later_compaction_is_given_to_an_earlier_cut(tmp_path: Path) -> None:
    tape = folded(tmp_path, COMPACTED)
    plan = fork(tape, 4, View.COMPACTED)
    assert (shown_by(plan, tmp_path / "made"), plan.kept) == ("s5 u2 a3", 6)
    assert plan.is_sound
    # The summary covers what is undone there.
    assert fork(tape, 1, View.AS_OF).view.offered[View.COMPACTED] is not None  # type: ignore[union-attr]


def test_originals_have_no_compaction(tmp_path: Path) -> None:
    tape = folded(tmp_path, COMPACTED)
    plan = fork(tape, view=View.ORIGINALS)
    copies = by_id(plan)
    assert copies["u6"]["parentUuid"] == renamed("a3")
    assert plan.left["compactions, left out"] == 2
    for policy in ("sdk-js", "sdk-js:reload", "sdk-py"):
        assert shown_by(plan, tmp_path / policy, policy) == "u0 a1 u2 a3 u6 a7"


def test_a_clearing_that_came_later_is_given_to_an_earlier_cut(tmp_path: Path) -> None:
    cleared = {"trigger": "auto", "compactedToolIds": ["c1"]}
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            answer("a3", "r2"),
            notice("y4", "a3", "microcompact_boundary", microcompactMetadata=cleared),
            user("u5", "y4"),
        ],
    )
    forms = []
    for view in (View.AS_OF, View.COMPACTED):
        new = made(fork(tape, 4, view), tmp_path / view.value)
        rows = new.timeline.rows(new.timeline.events)
        forms.append([new.timeline.surface.nodes.form(row.node) for row in rows])
    assert [Form.CLEARED in one for one in forms] == [False, True]


def test_a_message_that_a_reader_would_bring_back_is_left_out(tmp_path: Path) -> None:
    kept = {"anchorUuid": "s4", "uuids": ["a2"]}
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", text("one"), of="m"),
            answer("a2", "a1", text("two"), of="m"),
            boundary("b3", preservedMessages=kept),
            summary("s4", "b3"),
        ],
    )
    plan = fork(tape, view=View.AS_OF)
    assert shown_by(plan, tmp_path / "made", "sdk-js:reload") == "s4 a2"
    assert plan.left == {"hidden by a compaction": 3}
    assert "records hang one on the other, in the order in which the model saw them" in plan.remarks


def test_a_record_of_a_damaged_line_gets_a_line_of_its_own(tmp_path: Path) -> None:
    lines = written(PLAIN).splitlines()
    path = tmp_path / "glued.jsonl"
    path.write_bytes(lines[0] + b"\n" + lines[1] + lines[2] + b"\n" + lines[3] + b"\n")
    plan = fork(held(path))
    assert shown_by(plan, tmp_path / "made", "sdk-js:reload") == "u0 a1 u2 a3"
    assert any("lines of their own" in remark for remark in plan.remarks)


def test_a_result_stored_elsewhere_stays_stored(tmp_path: Path) -> None:
    stored = beside("content-replacement", replacements=[{"toolUseId": "c1", "replacement": "…"}])
    head = [user("u0", None), answer("a1", "u0", call("c1")), result("r2", "a1", "c1")]
    plan = fork(folded(tmp_path, [*head, stored, answer("a3", "r2")]))
    assert records(plan)[3] == {**stored, "sessionId": MAKING.id}
    assert (plan.kept, broken(plan)) == (5, [])


def test_records_without_ids_get_some(tmp_path: Path) -> None:
    nameless = [{key: one[key] for key in one if key != "uuid"} for one in PLAIN]
    plan = fork(folded(tmp_path, nameless))
    first, second = records(plan)[:2]
    assert second["parentUuid"] == first["uuid"]
    assert line(made(plan, tmp_path / "made", "sdk-js:reload")).count(" ") == 3


# What may not be written.


def others(*left_out: int) -> object:
    """Readers that lack some items."""

    def read(copy: Copy, policy: Policy) -> Rehearsal:
        found = rehearsed(copy, policy)
        rows = [row for row in found.rows if row.item not in left_out]
        return found._replace(rows=rows)

    return read


def test_what_readers_would_not_show_is_not_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "rehearsed", others(1))
    plan = fork(folded(tmp_path, PLAIN))
    assert (broken(plan), plan.is_sound) == (["read-again"], False)


def test_results_that_come_back_whole_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(copy: Copy, policy: Policy) -> Rehearsal:
        found = rehearsed(copy, policy)
        return found._replace(rows=[Shown(row.item, Form.FULL) for row in found.rows])

    cleared = {"compactedToolIds": ["c1"]}
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            notice("y3", "r2", "microcompact_boundary", microcompactMetadata=cleared),
            answer("a4", "y3"),
        ],
    )
    assert broken(fork(tape)) == []
    monkeypatch.setattr(forking, "rehearsed", whole)
    plan = fork(tape)
    assert (broken(plan), plan.is_sound) == (["cleared"], True)


def test_what_cannot_be_done_says_why(tmp_path: Path) -> None:
    planner = folded(tmp_path, PLAIN).planner()
    refused = {kind: planner.ways(kind)[How.APPEND] for kind in PlanKind}
    assert refused == {
        PlanKind.FORK: "a fork is a session of its own, also where Claude Code makes it",
        PlanKind.REWIND: (
            "Claude Code writes nothing on a rewind: the next message takes an older parent "
            "(format page 1.8)"
        ),
        PlanKind.COMPACT: "a compaction always makes a new session",
        PlanKind.REPAIR: "Claude Code writes nothing behind a transcript to mend it",
        PlanKind.RESUME: None,
    }
    assert set(planner.views(PlanKind.REWIND, How.APPEND, 1).values()) == {refused[PlanKind.REWIND]}


def test_a_subagent_is_no_session(tmp_path: Path) -> None:
    tape = folded(tmp_path, [{**one, "isSidechain": True} for one in PLAIN])
    planner = tape.planner()
    for kind in (PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT):
        assert "the transcript of a subagent" in str(planner.ways(kind)[How.CREATE])


def test_a_fork_can_be_forked(tmp_path: Path) -> None:
    first = made(fork(folded(tmp_path, COMPACTED), view=View.AS_OF), tmp_path / "made")
    again = fork(first, view=View.AS_OF)
    assert again.kept == 8
    assert line(made(again, tmp_path / "again")).count(" ") == line(first).count(" ")
    assert originals_of(first) == "s5 u2 a3 u6 a7"


def test_an_attachment_at_the_end_is_not_shown_by_a_reader_of_whole_files(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            attachment("x1", "u0", "file", filename="a"),
            user("s2", "x1", isSidechain=True),
            answer("a3", "s2", isSidechain=True),
            notice("y4", "a3", "informational", content="nothing"),
        ],
        "sdk-js:reload",
    )
    assert line(tape) == "u0 x1"
    offered = tape.planner().views(PlanKind.FORK, How.CREATE, 5)
    assert "it ends with an attachment" in str(offered[View.AS_OF])


def test_a_result_that_was_kept_without_its_call_is_told(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            result("r2", "a1", "c1"),
            boundary("b3", preservedMessages={"anchorUuid": "s4", "uuids": ["r2"]}),
            summary("s4", "b3"),
        ],
    )
    assert line(tape) == "s4 r2"
    # The tape has it so; the plan does not cut it off.
    plan = fork(tape, view=View.AS_OF)
    assert (broken(plan), plan.is_sound) == (["pairing"], True)


def test_registers_are_those_of_the_new_session(tmp_path: Path) -> None:
    long = "B" * 250
    tape = folded(
        tmp_path,
        [
            *PLAIN[:2],
            beside("custom-title", customTitle="Bees"),
            beside("tag", tag="early"),
            *PLAIN[2:],
            beside("tag", tag="late"),
            beside("mode", mode="plan"),
            beside("queue-operation", operation="enqueue"),
            beside("custom-title", customTitle=long),
        ],
    )
    for cut, title in ((None, long[:200]), (4, "Bees (fork)"), (2, "session (fork)")):
        plan = fork(tape, cut)
        new = made(plan, tmp_path / f"made {cut}")
        state = new.timeline.registers.state(new.timeline.events)
        assert new.value("title", state["title"]) == title
        assert plan.registers == {
            "title": (long, title),
            "tag": ("late", None),
            "mode": ("plan", None),
            "queued": (1, None),
        }
