"""Repairs: what the owner balances in each request, and nothing on a whole log."""

from pathlib import Path
from typing import Any

from tests.formats.reina.planned import repair
from tests.formats.reina.sessions import answer, call, log, result, session, status, user


def test_a_whole_log_needs_nothing(tmp_path: Path) -> None:
    plan = repair(session(log(user(), call("c1"), status(), result(), answer()), tmp_path))
    assert plan.closers == ()
    assert plan.writes == ()
    assert plan.is_sound


def test_a_call_without_a_result_gets_one_with_every_request(tmp_path: Path) -> None:
    plan = repair(session(log(user(), call("c1"), status("c1", "running"), user("b")), tmp_path))
    (closer,) = plan.closers
    assert (closer.type, closer.does, closer.call_id) == ("message", "added", "c1")
    assert closer.code == "not-run"
    assert closer.event == 1
    assert "running" in closer.what
    assert plan.writes == ()
    assert any("writes nothing of that" in remark for remark in plan.remarks)


def test_what_a_record_says_of_its_end_is_told(tmp_path: Path) -> None:
    plan = repair(session(log(user(), call("c1"), status("c1", "completed")), tmp_path))
    (closer,) = plan.closers
    assert closer.code == "ended"
    assert "its last record says completed" in closer.what


def test_a_result_without_a_call_and_broken_arguments_are_told_too(tmp_path: Path) -> None:
    tape = session(log(result("lost"), call("c1", arguments="{"), result("c1")), tmp_path)
    assert [(one.does, one.call_id, one.event) for one in repair(tape).closers] == [
        ("dropped", "lost", 0),
        ("altered", "c1", 1),
    ]


def test_a_torn_line_is_told_with_what_would_help(tmp_path: Path) -> None:
    plan = repair(session(log(user(), answer())[:-5], tmp_path))
    assert plan.closers == ()
    assert any("make a fork of the head" in remark for remark in plan.remarks)


def test_what_a_record_says_is_of_the_call_that_its_id_stands_for_then(tmp_path: Path) -> None:
    records = [call("c1"), status("c1", "failed"), user("b"), call("c1"), status("c1", "running")]
    first, second = repair(session(log(*records), tmp_path)).closers
    assert "failed" in first.what
    assert "running" in second.what


def test_many_calls_are_looked_through_once(tmp_path: Path) -> None:
    many = 300
    records = [
        record for at in range(many) for record in (call(f"c{at}"), status(f"c{at}", "running"))
    ]
    tape = session(log(*records), tmp_path)
    asked: list[int] = []
    payload = tape.payload

    def counting(event: int) -> dict[str, Any]:
        asked.append(event)
        return payload(event)

    tape.payload = counting  # type: ignore[method-assign]
    assert len(repair(tape).closers) == many
    # Each record a few times, whatever the number of calls.
    assert len(asked) < 12 * many


def test_results_that_do_not_stand_behind_their_calls_are_told(tmp_path: Path) -> None:
    records = [call("a", "b"), result("a"), result("a"), user("go on"), result("b")]
    found = repair(session(log(*records), tmp_path)).closers
    assert [(one.does, one.call_id, one.event) for one in found] == [
        ("dropped", "a", 2),
        ("altered", "b", 4),
    ]
