"""Forks and rewinds: which events a new session has, what it is called, and what it folds to."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspector.formats.planning import How, PlanError, PlanKind, View
from inspector.plans.plan import Asked
from tests.formats.zero.planned import fork, lines, made, metadata, stored, told
from tests.formats.zero.sessions import (
    answer,
    call,
    codes,
    compaction,
    event,
    log,
    result,
    user,
    written,
)
from tests.plans import laws
from tests.plans.laws import MAKING
from tests.untouched import untouched

USAGE = ("provider_usage", {"promptTokens": 5, "model": "m"})

COMPACTED = log(
    user("one"),
    answer("two"),
    USAGE,
    user("three"),
    compaction("s:1", "s:2", "s:3", compactedThroughSequence=3, compactableCount=3, preserveLast=1),
    answer("four"),
    user("five"),
)


def test_a_fork_is_a_folder_beside_its_parent_and_the_metadata_come_last(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path, modelId="m", provider="p", rootSessionId="root")
    with untouched(tmp_path):
        plan = fork(tape)
        folders = {write.to.parent for write, _ in plan.writes}
        assert [write.to.name for write, _ in plan.writes] == ["events.jsonl", "metadata.json"]
        assert all(write.how is How.CREATE for write, _ in plan.writes)
        (folder,) = folders
        assert folder.parent == tmp_path
        moment = datetime.fromtimestamp(MAKING.time / 1000, UTC)
        assert folder.name.startswith(f"zero_{moment:%Y%m%d%H%M%S}_{MAKING.time}")
        assert metadata(plan) == {
            "sessionId": folder.name,
            "sessionKind": "fork",
            "title": "Old (fork)",
            "cwd": "/w",
            "modelId": "m",
            "provider": "p",
            "parentSessionId": "s",
            "rootSessionId": "root",
            "forkedFromEventId": "s:7",
            "forkedFromSequence": 7,
            "createdAt": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
            "updatedAt": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
            "eventCount": 7,
            "lastEventType": "session_fork",
        }


def test_events_get_new_ids_and_numbers_and_keep_their_times(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    plan = fork(tape)
    found = lines(plan)
    name = metadata(plan)["sessionId"]
    assert [one["id"] for one in found] == [f"{name}:{at}" for at in range(1, 8)]
    assert {one["sessionId"] for one in found} == {name}
    times = [tape.payload(at)["createdAt"] for at in (0, 1, 3, 4, 5, 6)]
    assert [one["createdAt"] for one in found[:-1]] == times
    assert "provider_usage" not in {one["type"] for one in found}
    assert plan.left == {"usage, which no fork of Zero has": 1}
    assert found[-1]["payload"] == {
        "copiedEventCount": 6,
        "forkedFromEventId": "s:7",
        "forkedFromSequence": 7,
        "parentEventCount": 7,
        "parentSessionId": "s",
    }


def test_a_compaction_names_the_new_ids_so_that_the_copy_folds(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    plan = fork(tape, view=View.AS_OF)
    name = metadata(plan)["sessionId"]
    payload = lines(plan)[3]["payload"]
    assert list(payload) == [
        *("summary", "preserveLast", "compactableCount", "preservedCount"),
        *("compactedThroughEventId", "compactedThroughSequence", "compactableEvents"),
    ]
    assert [ref["id"] for ref in payload["compactableEvents"]] == [f"{name}:1", f"{name}:2"]
    assert (payload["compactableCount"], payload["compactedThroughSequence"]) == (2, 2)
    copy = made(plan, tmp_path / "made")
    assert told(copy) == told(tape) == ["short", "three", "four", "five"]
    assert copy.verdict().opens is True
    assert list(copy.findings()) == []
    assert any("unlike" in said or "names the new ids" in said for said in plan.remarks)
    assert copy.timeline.lives.inherited == 6


def test_a_compaction_stands_where_it_stood_although_usage_is_left_out(tmp_path: Path) -> None:
    content = log(user("a"), USAGE, user("b"), answer("c"), compaction("s:2", "s:4"))
    tape = stored(content, tmp_path)
    assert told(tape) == ["a", "short", "b"]
    plan = fork(tape)
    assert told(made(plan, tmp_path / "made")) == ["a", "short", "b"]
    assert [one["type"] for one in lines(plan)].count("provider_usage") == 1


def test_the_three_histories_of_a_cut(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    expected = {
        View.AS_OF: ["one", "two", "three"],
        View.COMPACTED: ["short", "three"],
        View.ORIGINALS: ["one", "two", "three"],
    }
    for view, texts in expected.items():
        plan = fork(tape, 4, view)
        assert plan.is_sound
        assert told(made(plan, tmp_path / view.value)) == texts
    default = fork(tape, 4)
    assert default.view is not None
    assert default.view.choice is View.COMPACTED
    assert "the compaction of @5, behind the cut, travels too" in default.remarks
    inside = fork(tape, 2)
    assert inside.view is not None
    assert "is not there any more: compacted" in (inside.view.offered[View.COMPACTED] or "")


def test_originals_leave_out_every_summary(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    plan = fork(tape, view=View.ORIGINALS)
    assert told(made(plan, tmp_path / "made")) == ["one", "two", "three", "four", "five"]
    assert plan.left["not in this history, and hidden by no compaction in it"] == 1
    laws.accounts_for_all(tape, plan)


def test_a_view_that_no_copy_would_fold_to_is_refused_with_the_reason(tmp_path: Path) -> None:
    content = log(user("a"), compaction("s:1"), user("b"), ("session_compaction", {"summary": " "}))
    tape = stored(content, tmp_path)
    found = tape.planner().views(PlanKind.FORK, How.CREATE, 3)
    assert found[View.COMPACTED] == (
        "the compaction of @2 would count in a copy, and hide other events"
    )
    assert found[View.AS_OF] is found[View.ORIGINALS] is None
    with pytest.raises(PlanError, match="would count in a copy"):
        tape.planner().cut(PlanKind.FORK, How.CREATE, 3, View.COMPACTED, MAKING)


def test_what_goes_under_the_id_of_a_compaction_stays_away(tmp_path: Path) -> None:
    events = [
        event(1, "message", {"role": "user", "content": "a"}),
        event(2, "message", {"role": "user", "content": "b"}, id="s:3"),
        event(3, "session_compaction", {"summary": "S", "compactableEvents": [{"id": "s:1"}]}),
    ]
    tape = stored(written(events), tmp_path)
    assert told(tape) == ["S"]
    plan = fork(tape)
    assert told(made(plan, tmp_path / "made")) == ["S"]
    assert plan.left == {"not in this history, and hidden by no compaction in it": 1}


def test_a_summary_that_covers_nothing_stays_the_first(tmp_path: Path) -> None:
    tape = stored(log(user("a"), compaction("parent:1"), user("b")), tmp_path)
    assert told(made(fork(tape), tmp_path / "made")) == told(tape) == ["short", "a", "b"]


def test_unknown_keys_of_a_compaction_travel(tmp_path: Path) -> None:
    more = {"modelMessages": [{"role": "user"}], "trigger": "auto", "truncated": True}
    tape = stored(log(user("a"), compaction("s:1", **more)), tmp_path)
    payload = lines(fork(tape))[1]["payload"]
    assert {key: payload[key] for key in more} == more


def test_unknown_keys_of_a_compaction_behind_the_cut_stay_away(tmp_path: Path) -> None:
    more = {"modelMessages": [{"role": "user", "content": "UNDONE"}], "trigger": "auto"}
    tape = stored(log(user("a"), user("b"), user("c"), compaction("s:1", **more)), tmp_path)
    plan = fork(tape, 2, View.COMPACTED)
    assert plan.is_sound
    payload = next(one["payload"] for one in lines(plan) if one["type"] == "session_compaction")
    assert payload["summary"] == "short"
    assert not more.keys() & payload.keys()
    assert "UNDONE" not in str(lines(plan))


def test_the_screens_history_after_a_rewind_is_kept_raw(tmp_path: Path) -> None:
    content = log(
        user("a"), compaction("s:1"), ("session_rewind", {"targetSequence": 2}), user("b")
    )
    tape = stored(content, tmp_path, "tui")
    assert told(tape) == ["a", "short", "b"]
    assert told(made(fork(tape), tmp_path / "made", "tui")) == ["a", "short", "b"]


# Cuts.


def test_a_call_is_not_cut_from_its_result(tmp_path: Path) -> None:
    tape = stored(log(user(), call(), ("session_checkpoint", {}), result(), answer()), tmp_path)
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    assert [cuts.legal(at) for at in range(6)] == [True, True, False, False, True, True]
    plan = fork(tape, 3)
    assert plan.cut is not None
    assert (plan.cut.before, plan.cut.after) == (1, 4)
    assert not plan.is_sound
    failed = [check.rule for check in plan.checks if not check.ok and check.blocks]
    assert failed == ["unanswered-calls"]


def test_a_rewind_is_a_new_session_and_says_what_the_owners_would_lose(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.REWIND, 6))
    assert plan.how is How.CREATE
    assert "truncates the log and keeps no backup" in (plan.ways[How.APPEND] or "")
    assert plan.remarks[0].endswith("(its rewind to sequence 6 would drop 1 for good)")
    same = [written[0].content() for written in fork(tape, 6).writes]
    assert [b"".join(pieces) for pieces in same] == [
        b"".join(write.content()) for write, _ in plan.writes
    ]
    with pytest.raises(PlanError, match="keeps no backup"):
        laws.planned(tape, Asked(PlanKind.REWIND, 6, How.APPEND))


def test_the_same_question_gives_the_same_bytes(tmp_path: Path) -> None:
    tape = stored(COMPACTED, tmp_path)
    one, other = fork(tape), fork(tape)
    assert [b"".join(w.content()) for w, _ in one.writes] == [
        b"".join(w.content()) for w, _ in other.writes
    ]
    assert one.checks == other.checks


def test_a_target_that_stands_there_fails(tmp_path: Path) -> None:
    from inspector.plans.planning import plan

    tape = stored(COMPACTED, tmp_path)
    found = plan(tape, Asked(PlanKind.FORK), MAKING, lambda path: path.name == "metadata.json")
    assert [check.ok for check in found.checks if check.rule == "target"] == [True, False]


# Other sources.


def test_a_log_that_is_in_no_folder_of_its_own_is_forked_beside_it(tmp_path: Path) -> None:
    from tests.formats.zero.sessions import held

    path = tmp_path / "copy.jsonl"
    path.write_bytes(COMPACTED)
    plan = fork(held(path))
    assert plan.writes[0][0].to.parent.parent == tmp_path
    assert metadata(plan)["title"] == "s (fork)"
    assert metadata(plan)["parentSessionId"] == "s"


def test_a_session_without_events_is_forked_to_its_fork_event(tmp_path: Path) -> None:
    plan = fork(stored(b"", tmp_path))
    (only,) = lines(plan)
    assert only["type"] == "session_fork"
    assert "forkedFromEventId" not in metadata(plan)


def test_a_session_that_the_owner_cannot_read_is_forked_without_the_bad_line(
    tmp_path: Path,
) -> None:
    content = log(user("a")) + b"{oops}\n" + written([event(2, *user("b"))])
    tape = stored(content, tmp_path)
    plan = fork(tape)
    (check,) = (check for check in plan.checks if check.rule == "owner-reads")
    assert not check.ok
    assert not check.blocks
    assert "events.jsonl at line 2: not JSON" in check.message
    copy = made(plan, tmp_path / "made")
    assert told(copy) == ["a", "b"]
    assert copy.verdict().opens is True


def test_events_that_the_owner_does_not_take_or_fork_are_left_out(tmp_path: Path) -> None:
    events = [event(1, *user("a")), event(2, *user("x"), sequence="2"), {}, event(3, *user("b"))]
    tape = stored(written(events), tmp_path)
    plan = fork(tape)
    assert plan.left == {
        "not read by Zero": 1,
        "without a type, on which a fork of Zero fails": 1,
    }
    copy = made(plan, tmp_path / "made")
    assert told(copy) == ["a", "b"]
    assert "cannot-be-forked" not in codes(copy)


def test_taking_the_session_up_is_refused_where_the_owner_would_ruin_it(tmp_path: Path) -> None:
    ways = stored(log(user())[:-1], tmp_path).planner().ways(PlanKind.RESUME)
    assert "would be written on line 1, which does not end" in (ways[How.APPEND] or "")
    child = stored(log(user()), tmp_path / "more", sessionKind="child")
    assert child.planner().ways(PlanKind.RESUME)[How.APPEND] == "Zero session is not resumable: s"
    whole = stored(log(user()), tmp_path / "whole")
    assert whole.planner().ways(PlanKind.RESUME)[How.APPEND] is None
    assert laws.planned(whole, Asked(PlanKind.RESUME)).is_sound
    refused = laws.planned(child, Asked(PlanKind.RESUME))
    (check,) = [check for check in refused.checks if not check.ok]
    assert check.message.startswith("Zero session is not resumable: s; ")
    assert not refused.is_sound


def test_registers_are_those_of_the_new_session(tmp_path: Path) -> None:
    content = log(
        user("one"),
        ("goal_created", {"goalId": "g", "status": "active"}),
        answer("two"),
        ("provider_usage", {"promptTokens": 5, "model": "other"}),
        ("goal_updated", {"goalId": "g", "status": "paused"}),
        user("three"),
    )
    tape = stored(content, tmp_path, modelId="m", tag="t")
    for kind, cut in ((PlanKind.FORK, None), (PlanKind.REWIND, 3), (PlanKind.FORK, 0)):
        plan = laws.planned(tape, Asked(kind, cut))
        assert plan.registers["title"] == ("Old", "Old (fork)")
        assert plan.registers["kind"] == (None, "fork")
        assert plan.registers["tag"] == ("t", None)
        assert plan.registers["model"] == ("other", "m")
        assert ("goal" in plan.registers) == (cut is not None)
        new = made(plan, tmp_path / f"made {cut}")
        head, now = (one.timeline.registers.state(one.timeline.events) for one in (tape, new))
        for name in {*head, *now}:
            was = tape.value(name, head[name]) if name in head else None
            then = new.value(name, now[name]) if name in now else None
            assert plan.registers.get(name, (was, was)) == (was, then), name


def test_a_title_that_may_be_of_what_is_undone_is_told(tmp_path: Path) -> None:
    tape = stored(log(user("a"), answer(), user("b")), tmp_path, title="DELETE\x1b[31m IT")
    plan = fork(tape, 2)
    assert metadata(plan)["title"] == "DELETE\x1b[31m IT (fork)"
    (told_of,) = [remark for remark in plan.remarks if "title" in remark]
    assert told_of.startswith("its title is made of that of the session as it is now, “DELETE")
    assert "\x1b" not in told_of
    assert not [remark for remark in fork(tape).remarks if "title" in remark]
