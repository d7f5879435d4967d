"""Forks and rewinds: a new session of the records before a cut, and which history it has."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanError, PlanKind, View
from inspector.plans.plan import Asked
from tests.formats.reina.planned import broken, content, fork, lines, made, told
from tests.formats.reina.sessions import (
    Json,
    answer,
    call,
    compacted,
    log,
    meta,
    result,
    session,
    status,
    user,
    value,
    written,
)
from tests.plans import laws
from tests.untouched import untouched


def said(count: int, first: int = 0) -> list[Json]:
    return [user(f"m{at}") for at in range(first, first + count)]


def test_a_fork_is_a_log_of_its_own_beside_the_other(tmp_path: Path) -> None:
    tape = session(log(user(), answer(), user("two")), tmp_path)
    with untouched(tmp_path / "ses_mf0abc_k3x9.jsonl"):
        plan = fork(tape, 2)
    ((write, _),) = plan.writes
    assert write.how is How.CREATE
    assert write.to.parent == tmp_path
    # The millisecond of the making in base 36, and four digits of its identity.
    prefix, time, rest = write.to.stem.split("_")
    assert (prefix, int(time, 36), len(rest)) == ("ses", laws.MAKING.time, 4)
    head, *records = lines(plan)
    assert head["type"] == "session_meta"
    assert head["meta"] == {
        "id": write.to.stem,
        "model": "demo",
        "createdAt": "2026-09-21T14:13:20.000Z",
    }
    assert head["ts"] == head["meta"]["createdAt"]
    assert content(plan).splitlines()[1:] == tape.identity.path.read_bytes().splitlines()[1:3]
    assert [record["message"]["content"] for record in records] == ["hi", "done"]
    assert made(plan, tmp_path / "made").identity.id == write.to.stem
    assert any("nothing in it names the session" in remark for remark in plan.remarks)


def test_what_the_header_says_else_stays(tmp_path: Path) -> None:
    tape = session(written([meta(model={"id": "a", "baseUrl": "b"}, more=1), user()]), tmp_path)
    told_meta = lines(fork(tape))[0]["meta"]
    assert told_meta["model"] == {"id": "a", "baseUrl": "b"}
    assert told_meta["more"] == 1


def test_the_settings_of_the_cut_hold_in_it(tmp_path: Path) -> None:
    configs = [{"type": "config", "config": {"model": name}} for name in ("two", "three")]
    tape = session(log(user(), configs[0], user(), configs[1]), tmp_path)
    plan = fork(tape, 3)
    assert plan.registers == {"model": ("three", "two")}
    assert value(made(plan, tmp_path / "made"), "model") == "two"


def test_a_rewind_makes_a_new_session_too_and_says_why(tmp_path: Path) -> None:
    tape = session(log(user(), answer()), tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.REWIND, 1))
    assert plan.how is How.CREATE
    assert any("takes messages back" in remark for remark in plan.remarks)
    with pytest.raises(PlanError, match="takes messages back"):
        laws.planned(tape, Asked(PlanKind.REWIND, 1, How.APPEND))
    with pytest.raises(PlanError, match="session of its own"):
        laws.planned(tape, Asked(PlanKind.FORK, 1, How.APPEND))


def test_no_call_is_cut_from_its_result(tmp_path: Path) -> None:
    tape = session(
        log(user(), call("a", "b"), status("a"), result("a"), status("b"), result("b"), answer()),
        tmp_path,
    )
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    assert [cut for cut in range(8) if cuts.legal(cut)] == [0, 1, 6, 7]
    plan = fork(tape, 3)
    assert "unanswered-calls" in broken(plan)
    assert plan.cut is not None
    assert (plan.cut.before, plan.cut.after) == (1, 6)


def test_neither_by_the_end_of_its_turn(tmp_path: Path) -> None:
    tape = session(log(user(), call("a"), user("next"), result("a"), answer()), tmp_path)
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    assert [cut for cut in range(6) if cuts.legal(cut)] == [0, 1, 4, 5]


# The three histories, and the rule of a cut (format page 3.6).


LATER = [*said(6), compacted(0, 3, "early"), *said(2, 6)]
"""Six messages, of which the first four are summarised, and two more."""


def test_a_cut_in_the_view_keeps_the_summary_and_slices(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path)
    plan = fork(tape, 5)
    assert plan.view is not None
    assert plan.view.choice is View.COMPACTED
    assert told(made(plan, tmp_path / "made")) == ["[历史摘要] early", "m4"]
    records = lines(plan)
    assert [record["type"] for record in records] == [
        "session_meta",
        *["message"] * 5,
        "compacted",
    ]
    assert records[-1]["record"]["fromIndex"] == 0
    assert records[-1]["record"]["toIndex"] == 3
    assert any("behind the cut, travels too" in remark for remark in plan.remarks)
    assert plan.kept == 6


def test_a_cut_within_what_a_summary_covers_throws_it_away(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path)
    plan = fork(tape, 3)
    assert plan.view is not None
    assert "covers" in (plan.view.offered[View.COMPACTED] or "")
    assert plan.view.choice is View.AS_OF
    assert told(made(plan, tmp_path / "made")) == ["m0", "m1", "m2"]
    assert b"early" not in content(plan)


def test_without_any_summary_all_messages_are_there(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path)
    plan = fork(tape, 8, View.ORIGINALS)
    assert told(made(plan, tmp_path / "made")) == [f"m{at}" for at in range(7)]
    assert plan.left["compactions, left out"] == 1


def test_as_of_has_what_was_seen_then(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path)
    for cut in range(10):
        plan = fork(tape, cut, View.AS_OF)
        assert told(made(plan, tmp_path / f"made{cut}")) == told(tape, cut)


@pytest.mark.parametrize("policy", ["exercise", "sequential"])
def test_what_is_written_anew_means_the_same_by_both_readings(tmp_path: Path, policy: str) -> None:
    records = [*said(10), compacted(0, 2, "one"), compacted(4, 5, "two")]
    tape = session(log(*records), tmp_path, policy)
    plan = fork(tape, 10, View.COMPACTED)
    assert plan.view is not None
    expected = told(tape)
    for reading in ("exercise", "sequential"):
        assert told(made(plan, tmp_path / reading, reading)) == expected


def test_a_copy_that_has_two_meanings_says_so(tmp_path: Path) -> None:
    records = [*said(8), compacted(0, 2), compacted(3, 5), user("m8")]
    plan = fork(session(log(*records), tmp_path), None, View.AS_OF)
    assert "ambiguous" in broken(plan)
    assert plan.is_sound


def test_a_range_that_held_late_refuses_no_history(tmp_path: Path) -> None:
    records = [*said(3), compacted(1, 4), *said(3, 3), user("last")]
    tape = session(log(*records), tmp_path)
    texts = ["m0", "[历史摘要] short", "m5", "last"]
    assert told(tape) == texts
    for number, view in enumerate(View):
        plan = fork(tape, 8, view)
        assert plan.view is not None
        assert plan.view.offered[view] is None
        found = told(made(plan, tmp_path / str(number)))
        assert found == (
            texts if view is not View.ORIGINALS else [*(f"m{at}" for at in range(6)), "last"]
        )


def test_where_compactions_changed_what_others_hide_only_as_of_is_given(tmp_path: Path) -> None:
    records = [*said(10), compacted(4, 8), compacted(0, 5), compacted(6, 7)]
    tape = session(log(*records), tmp_path)
    plan = fork(tape, 12, View.AS_OF)
    assert plan.view is not None
    offered = plan.view.offered
    assert offered[View.AS_OF] is None
    assert "cannot be told apart" in (offered[View.ORIGINALS] or "")
    assert told(made(plan, tmp_path / "made")) == told(tape, 12)


def test_a_message_that_is_a_summary_is_left_out_of_the_originals(tmp_path: Path) -> None:
    tape = session(log(user("[上下文压缩] earlier"), user("m1")), tmp_path)
    plan = fork(tape, 2, View.ORIGINALS)
    assert told(made(plan, tmp_path / "made")) == ["m1"]
    assert plan.left["messages that are summaries, left out"] == 1


# Damage.


def test_lines_that_are_skipped_do_not_travel(tmp_path: Path) -> None:
    pieces = log(user("a"), user("b"), user("c")).splitlines(keepends=True)
    data = b"".join([pieces[0], b"\x00" + pieces[1], pieces[2], b"{torn\n", pieces[3]])
    tape = session(data, tmp_path)
    plan = fork(tape)
    assert told(made(plan, tmp_path / "made")) == ["b", "c"]
    assert plan.left["in lines that Reina skips"] == 1
    assert made(plan, tmp_path / "again").verdict().reason is None


def test_bytes_that_were_replaced_are_written_as_text(tmp_path: Path) -> None:
    tape = session(log(user("AB")).replace(b"AB", b"A\xffB"), tmp_path)
    assert lines(fork(tape))[1]["message"]["content"] == "A\ufffdB"


def test_a_log_without_a_header_gets_one(tmp_path: Path) -> None:
    tape = session(written([user()]), tmp_path)
    plan = fork(tape)
    assert "owner-reads" in broken(plan)
    assert plan.is_sound
    found = made(plan, tmp_path / "made")
    assert found.verdict().opens is True
    assert told(found) == ["hi"]


def test_half_a_character_stays_what_it_is(tmp_path: Path) -> None:
    data = log(user("x"), user(), compacted(0, 0, "y")).replace(b'"y"', b'"\\ud83d"')
    tape = session(data, tmp_path)
    plan = fork(tape, 2, View.COMPACTED)
    assert b"\\ud83d" in content(plan)


def test_a_call_of_which_only_a_record_tells_is_among_what_is_not_undone(tmp_path: Path) -> None:
    lost = status("x", input={"command": "rm -rf build"})
    made_call = call("c1", arguments='{"command":"make"}')
    tape = session(log(user(), made_call, status("c1"), lost), tmp_path)
    found = fork(tape, 1).not_undone
    assert [(one.event, one.what) for one in found] == [(1, "make"), (3, "rm -rf build")]


def test_the_same_question_gives_the_same_bytes(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path)
    assert content(fork(tape, 5)) == content(fork(tape, 5))


def test_a_resume_sends_what_is_balanced(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1"), user("go on")), tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.RESUME))
    assert [entry.note for entry in plan.request] == [None, None, "added", None]
    assert plan.is_sound


def test_a_resume_would_lose_what_it_writes_behind_a_torn_line(tmp_path: Path) -> None:
    tape = session(log(user(), answer())[:-5], tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.RESUME))
    assert "resumable" in broken(plan)
    assert "line 3, which does not end" in str(plan.checks)


def test_no_session_is_resumed_without_a_header(tmp_path: Path) -> None:
    plan = laws.planned(session(written([user()]), tmp_path), Asked(PlanKind.RESUME))
    assert {"verdict", "resumable"} <= set(broken(plan))


def test_options_are_kept(tmp_path: Path) -> None:
    tape = session(log(*LATER), tmp_path, "sequential")
    with laws.opened(laws.carried_out(fork(tape, 9), tmp_path / "made")[0], Options()) as found:
        assert found.identity.policy == "exercise"
