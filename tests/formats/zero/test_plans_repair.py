"""Repairs: what is wrong with a session, and a session without it; nothing on a whole one."""

from pathlib import Path

import pytest

from inspector.formats.planning import Check, How, PlanKind
from inspector.formats.zero.planning.repairing import NOT_RUN, SUMMARISED, UNKNOWN
from inspector.formats.zero.reading import ZeroTape
from inspector.plans.plan import Asked, Plan
from tests.formats.zero.planned import fork, lines, made, stored, told
from tests.formats.zero.sessions import answer, call, event, line, log, result, user, written
from tests.plans import laws
from tests.untouched import untouched


def repair(tape: ZeroTape) -> Plan:
    plan = laws.planned(tape, Asked(PlanKind.REPAIR))
    laws.accounts_for_all(tape, plan)
    return plan


def allowed(identity: str = "c1", action: str = "allow") -> tuple[str, dict[str, str]]:
    return "permission_decision", {"toolCallId": identity, "action": action}


def mended(plan: Plan, folder: Path) -> ZeroTape:
    """What a repair makes, in which nothing more is to be mended."""
    tape = made(plan, folder)
    assert tape.verdict().opens is True
    assert tape.errors() == 0
    again = repair(tape)
    assert (again.closers, again.writes) == ((), ())
    return tape


def test_a_whole_session_needs_nothing(tmp_path: Path) -> None:
    tape = stored(log(user(), call(), allowed(), result(), answer()), tmp_path)
    plan = repair(tape)
    assert (plan.closers, plan.writes, plan.kept) == ((), (), 5)


@pytest.mark.parametrize(
    ("behind", "output", "code"),
    [
        ((allowed(),), UNKNOWN, "unknown"),
        ((("session_checkpoint", {"tool": "bash"}),), UNKNOWN, "unknown"),
        ((allowed(action="deny"),), NOT_RUN, "not-run"),
        ((allowed("other"), allowed("c1", "prompt")), NOT_RUN, "not-run"),
        # Without a word of permission in the whole session nobody knows.
        ((), UNKNOWN, "unknown"),
    ],
)
def test_a_call_without_a_result_gets_one_that_is_no_failure(
    behind: tuple[tuple[str, dict[str, str]], ...], output: str, code: str, tmp_path: Path
) -> None:
    tape = stored(log(user(), call(), *behind, user("go on"), answer()), tmp_path)
    with untouched(tmp_path):
        plan = repair(tape)
    (closer,) = plan.closers
    assert (closer.type, closer.does, closer.call_id, closer.code, closer.event) == (
        *("tool_result", "added", "c1", code),
        1,
    )
    found = lines(plan)
    assert [one["type"] for one in found[1:3]] == ["tool_call", "tool_result"]
    assert found[2]["payload"] == {"name": "bash", "output": output, "toolCallId": "c1"}
    assert [one["sequence"] for one in found] == list(range(1, len(found) + 1))
    tape = mended(plan, tmp_path / "made")
    assert output in told(tape)
    assert tape.timeline.pairs.result_of(1) == 2


def test_of_calls_with_one_id_the_one_without_a_result_gets_one(tmp_path: Path) -> None:
    tape = stored(log(user(), call(), result(), call(), answer(), user()), tmp_path)
    plan = repair(tape)
    assert [closer.event for closer in plan.closers] == [3]
    mended(plan, tmp_path / "made")


def test_a_compaction_names_its_events_by_their_numbers_behind_results_that_are_added(
    tmp_path: Path,
) -> None:
    refs = [{"id": f"s:{at}"} for at in (1, 2, 3)]
    summary = "session_compaction", {"summary": "S", "compactableEvents": refs}
    tape = stored(log(user("a"), call(), user("b"), user("c"), summary), tmp_path)
    plan = repair(tape)
    names = [ref["sequence"] for ref in lines(plan)[5]["payload"]["compactableEvents"]]
    assert names == [1, 2, 4]
    assert told(mended(plan, tmp_path / "made"))[0] == "S"


def test_arguments_that_are_no_json_become_an_empty_object(tmp_path: Path) -> None:
    broken = "tool_call", {"id": "c1", "name": "bash", "arguments": '{"command": "ls'}
    tape = stored(log(user(), broken, result()), tmp_path)
    plan = repair(tape)
    (closer,) = plan.closers
    assert (closer.does, closer.event) == ("altered", 1)
    assert lines(plan)[1]["payload"] == {"arguments": "{}", "id": "c1", "name": "bash"}
    mended(plan, tmp_path / "made")


@pytest.mark.parametrize("arguments", ["", "  ", "{}", '{"a":1}', '{"a":' + "9" * 60 + "}"])
def test_arguments_that_can_be_read_stay(arguments: str, tmp_path: Path) -> None:
    kept = "tool_call", {"id": "c1", "name": "bash", "arguments": arguments}
    assert repair(stored(log(user(), kept, result()), tmp_path)).closers == ()


def test_a_bad_line_in_the_middle_is_left_out_and_named(tmp_path: Path) -> None:
    content = log(user("a")) + b"{oops}\n" + written([event(2, *user("b"))])
    tape = stored(content, tmp_path)
    assert tape.verdict().opens is False
    plan = repair(tape)
    assert [(one.does, one.what) for one in plan.closers] == [
        ("dropped", "line 2 is left out: nothing in it can be read")
    ]
    assert told(mended(plan, tmp_path / "made")) == ["a", "b"]


def test_lines_that_were_written_on_one_are_parted(tmp_path: Path) -> None:
    one, other = (line(event(at, *user(str(at)))) for at in (1, 2))
    tape = stored(one + other + b"\n" + written([event(3, *user("3"))]), tmp_path)
    plan = repair(tape)
    assert [(one.does, one.event) for one in plan.closers] == [("altered", 0)]
    assert told(mended(plan, tmp_path / "made")) == ["1", "2", "3"]


def test_what_is_no_event_and_what_no_fork_takes_is_left_out(tmp_path: Path) -> None:
    wrong = {**event(2, *user("x")), "sequence": "2"}
    tape = stored(written([event(1, *user("a")), wrong, {}, event(3, *user("b"))]), tmp_path)
    plan = repair(tape)
    assert [(one.type, one.does, one.event) for one in plan.closers] == [
        ("line", "dropped", 1),
        ("event", "dropped", 2),
    ]
    assert told(mended(plan, tmp_path / "made")) == ["a", "b"]


def test_a_torn_tail_is_left_out(tmp_path: Path) -> None:
    tape = stored(log(user("a")) + b'{"id":"s:2","se', tmp_path)
    plan = repair(tape)
    (closer,) = plan.closers
    assert closer.what.startswith("the last 15 bytes are left out")
    assert told(mended(plan, tmp_path / "made")) == ["a"]


def test_an_event_that_nothing_ends_is_ended(tmp_path: Path) -> None:
    tape = stored(log(user("a"), user("b"))[:-1], tmp_path)
    plan = repair(tape)
    assert [(one.does, one.event) for one in plan.closers] == [("altered", 1)]
    assert told(mended(plan, tmp_path / "made")) == ["a", "b"]


def test_nothing_is_appended_to_the_session(tmp_path: Path) -> None:
    tape = stored(log(user(), call()), tmp_path)
    plan = repair(tape)
    assert "Zero closes nothing itself" in (plan.ways[How.APPEND] or "")
    assert all(write.how is How.CREATE for write, _ in plan.writes)
    assert "a new session is made, and the old one stays as it is" in plan.remarks[0]


def test_a_result_without_a_call_stays_as_it_is(tmp_path: Path) -> None:
    assert repair(stored(log(user(), result("none"), answer()), tmp_path)).closers == ()


def test_names_of_a_tape_are_cleaned(tmp_path: Path) -> None:
    bad = "\x1b[31mred\u202e"
    tape = stored(log(user(), call(bad, bad)), tmp_path)
    (closer,) = repair(tape).closers
    assert "\x1b" not in closer.what
    assert "\x1b" not in (closer.call_id or "")


def test_a_result_that_comes_late_goes_behind_its_call(tmp_path: Path) -> None:
    tape = stored(log(user(), call(), answer("between"), result(), answer("end")), tmp_path)
    plan = repair(tape)
    (closer,) = plan.closers
    assert (closer.does, closer.code, closer.event) == ("altered", "moved", 1)
    assert closer.what == "the result of bash, @4, goes directly behind its call"
    found = lines(plan)
    assert [one["type"] for one in found[:5]] == [
        *("message", "tool_call", "tool_result", "message", "message")
    ]
    assert found[2]["payload"] == tape.payload(3)["payload"]
    assert plan.kept == 5
    again = mended(plan, tmp_path / "made")
    assert again.timeline.pairs.result_of(1) == 2
    assert "[interrupted" not in "".join(told(again))


def test_late_results_of_several_calls_each_find_theirs(tmp_path: Path) -> None:
    calls = call("a"), call("b"), call("c")
    tape = stored(
        log(user(), *calls, user("more"), result("b"), result("a"), result("b"), answer()),
        tmp_path,
    )
    plan = repair(tape)
    codes = [(one.code, one.call_id) for one in plan.closers]
    assert codes == [("moved", "a"), ("moved", "b"), ("unknown", "c")]
    found = [one["payload"].get("toolCallId") for one in lines(plan)[:8]]
    assert [one["type"] for one in lines(plan)[1:7]] == ["tool_call", "tool_result"] * 3
    assert found[2::2][:3] == ["a", "b", "c"]
    mended(plan, tmp_path / "made")


def test_a_late_result_of_a_later_call_with_the_same_id_is_not_the_first_ones(
    tmp_path: Path,
) -> None:
    tape = stored(
        log(user(), call(), answer(), user(), call(), result(), answer(), result()), tmp_path
    )
    assert [(one.code, one.event) for one in repair(tape).closers] == [("unknown", 1)]


def pairing(tape: ZeroTape, cut: int | None = None) -> list[Check]:
    return [check for check in fork(tape, cut).checks if check.rule == "pairing"]


def test_a_session_is_not_cut_between_a_call_and_its_late_result(tmp_path: Path) -> None:
    tape = stored(log(user(), call(), answer("between"), result(), answer("end")), tmp_path)
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    assert [cuts.legal(at) for at in range(6)] == [True, True, False, False, True, True]


def test_a_late_result_has_its_call_and_one_of_no_call_has_none(tmp_path: Path) -> None:
    rows = user(), call(), answer("between"), result()
    (whole,) = pairing(stored(log(*rows), tmp_path))
    assert whole.message == "every call has its result, every result its call"
    (stray,) = pairing(stored(log(*rows, result("none")), tmp_path / "stray"))
    assert stray.message == "1 result stands without a call there already, the first of @5"
    assert not stray.blocks
    (open_,) = pairing(stored(log(*rows), tmp_path / "cut"), 3)
    assert open_.message.startswith("1 row makes a call without a result")


def test_a_call_whose_result_a_compaction_hides_is_told_so(tmp_path: Path) -> None:
    refs = [{"id": "s:1"}, {"id": "s:4"}]
    summary = "session_compaction", {"summary": "S", "compactableEvents": refs}
    tape = stored(log(user("a"), call(), answer("between"), result(), summary), tmp_path)
    plan = repair(tape)
    assert [(one.code, one.event) for one in plan.closers] == [("summarised", 1)]
    assert SUMMARISED in told(made(plan, tmp_path / "made"))


def test_what_a_compaction_hides_of_a_call_and_its_late_result_stays_hidden(
    tmp_path: Path,
) -> None:
    refs = [{"id": f"s:{at}"} for at in (1, 2, 3, 4)]
    summary = "session_compaction", {"summary": "S", "compactableEvents": refs}
    tape = stored(log(user("a"), call(), answer("between"), result(), summary, user("b")), tmp_path)
    plan = repair(tape)
    assert [one.code for one in plan.closers] == ["moved"]
    assert told(mended(plan, tmp_path / "made")) == told(tape) == ["S", "b"]


@pytest.mark.parametrize("behind", [(), (call("c2"), user("go on"))])
def test_a_result_of_no_call_stays_and_is_told(
    behind: tuple[tuple[str, dict[str, str]], ...], tmp_path: Path
) -> None:
    plan = repair(stored(log(user(), result("none"), answer(), *behind), tmp_path))
    (pairing,) = [check for check in plan.checks if check.rule == "pairing"]
    assert (pairing.ok, pairing.blocks) == (False, False)
    assert pairing.message.startswith("1 result stands without a call, the first of @2")
