"""What Pi mends it mends in each request; a plan writes nothing of it."""

from pathlib import Path

from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Asked, Plan
from tests.formats.pi import sessions
from tests.formats.pi.planning.planned import planned
from tests.formats.pi.sessions import answer, folded, message, opened, result, text_of, user


def repair(tape: sessions.PiTape) -> Plan:
    return planned(tape, Asked(PlanKind.REPAIR))


def test_a_whole_session_needs_nothing(tmp_path: Path) -> None:
    plan = repair(folded(tmp_path, user("a", None), answer("b", "a", "x"), result("c", "b", "x")))
    assert (plan.closers, plan.writes) == ((), ())
    assert plan.is_sound


def test_calls_without_results_are_answered_in_each_request(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", "x", "y"), result("c", "b", "x"))
    plan = repair(tape)
    (closer,) = plan.closers
    assert (closer.type, closer.does, closer.call_id, closer.event) == (
        "toolResult",
        "added",
        "y",
        1,
    )
    assert closer.what == "an error “No result provided” of bash, in each request"
    assert plan.writes == ()
    assert plan.remarks == ("Pi adds what is missing to each request and writes nothing of it",)


def test_a_result_that_comes_behind_a_message_of_the_person_is_too_late(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, answer("a", None, "x"), user("b", "a"), result("c", "b", "x"), user("d", "c")
    )
    assert [one.call_id for one in repair(tape).closers] == ["x"]


def test_what_the_system_says_parts_no_call_from_its_result(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, answer("a", None, "x"), message("b", "a", "system", "s"), result("c", "b", "x")
    )
    assert repair(tape).closers == ()


def test_an_answer_that_failed_is_not_sent_and_waits_for_nothing(tmp_path: Path) -> None:
    assert repair(folded(tmp_path, answer("a", None, "x", stop="aborted"))).closers == ()


def test_pi_puts_a_line_end_behind_a_last_line_without_one(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None)])[:-1], tmp_path)
    plan = repair(tape)
    assert [(one.type, one.does) for one in plan.closers] == [("line end", "added")]
    assert plan.writes == ()
    assert "when it opens the file" in plan.remarks[0]
    torn = opened(text_of([user("a", None)]) + b'{"type"', tmp_path)
    assert "torn last line" in repair(torn).closers[0].what


def test_a_repair_has_a_way_although_it_writes_nothing(tmp_path: Path) -> None:
    ways = folded(tmp_path, user("a", None)).planner().ways(PlanKind.REPAIR)
    assert ways[How.APPEND] is None
    assert ways[How.CREATE]


def test_the_next_request_is_what_a_resume_sends(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", "x"))
    plan = planned(tape, Asked(PlanKind.RESUME))
    assert [entry.note for entry in plan.request] == [None, None, "added"]
    assert plan.is_sound
