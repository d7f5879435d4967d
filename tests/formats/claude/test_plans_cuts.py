"""Where a transcript may be cut, and why not elsewhere."""

from pathlib import Path

from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Asked
from tests.formats.claude.planned import broken, fork
from tests.formats.claude.transcripts import (
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
from tests.plans.laws import planned


def forbidden(tape: ClaudeTape, kind: PlanKind = PlanKind.FORK) -> dict[int, list[str]]:
    """By cursor the rules that forbid a cut."""
    cuts = tape.planner().cuts(kind, How.CREATE)
    found = {at: [stop.rule for stop in cuts.stops(at)] for at in range(cuts.head + 1)}
    return {at: rules for at, rules in found.items() if rules}


def test_every_end_of_a_message_is_a_cut(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u0", None), answer("a1", "u0"), user("u2", "a1")])
    assert forbidden(tape) == {}


def test_no_message_of_several_lines_is_cut_in_two(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", text("one"), of="m"),
            beside("ai-title", aiTitle="t"),
            answer("a3", "a1", text("two"), of="m"),
            user("u4", "a3"),
        ],
    )
    for policy in ("sdk-js", "sdk-py", "sdk-js:reload"):
        again = folded(tmp_path, [tape.payload(event) for event in range(5)], policy)
        assert forbidden(again) == {2: ["user-boundary"], 3: ["user-boundary"]}
    plan = fork(tape, 3)
    assert (broken(plan), plan.is_sound) == (["user-boundary"], False)
    assert plan.cut is not None
    assert (plan.cut.before, plan.cut.after) == (1, 4)
    assert plan.cut.why == "a message of the API has more lines behind it"


def test_no_request_is_made_within_a_message_of_several_lines(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", text("one"), of="m"),
            answer("a2", "a1", text("two"), of="m"),
            user("u3", "a2"),
        ],
    )
    told = {
        at: [check.message for check in plan.checks if check.rule == "settled" and not check.ok]
        for at in range(5)
        for plan in [planned(tape, Asked(PlanKind.RESUME, at))]
    }
    assert told == {
        0: [],
        1: [],
        2: ["a message of the API has more lines behind it"],
        3: [],
        4: [],
    }


def test_a_message_that_was_asked_again_is_another_one(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", text("one"), of="m"),
            user("u2", "a1"),
            answer("a3", "u2", text("two"), of="m"),
        ],
    )
    # Whoever gave both one id meant one message, whatever stands between.
    assert set(forbidden(tape)) == {2, 3}


def test_no_call_is_cut_from_its_result_nor_a_batch_in_two(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1"), of="m"),
            answer("a2", "a1", call("c2"), of="m"),
            result("r3", "a2", "c2"),
            result("r4", "a1", "c1"),
            answer("a5", "r4", call("c5")),
            user("u6", "a5"),
        ],
    )
    # The last call never gets a result: the owner answers it itself.
    assert forbidden(tape) == {
        2: ["user-boundary", "unanswered-calls"],
        3: ["unanswered-calls"],
        4: ["unanswered-calls"],
    }
    assert "unanswered-calls" in broken(fork(tape, 3))


def test_calls_of_subagents_are_no_obstacle(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("s1", None, call("c1"), isSidechain=True),
            answer("a2", "u0"),
            result("s3", "s1", "c1", isSidechain=True),
        ],
    )
    assert forbidden(tape) == {}


def test_no_compaction_is_cut_in_two(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [user("u0", None), answer("a1", "u0"), boundary("b2"), summary("s3", "b2")],
    )
    assert forbidden(tape) == {3: ["compaction-bracket"]}
    assert "compaction-bracket" in broken(fork(tape, 3))


def test_a_rewind_goes_back_on_the_branch_and_a_fork_is_of_any(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0"),
            user("u2", "a1"),
            answer("a3", "u2"),
            notice("y4", "a3", "informational", content="nothing"),
            user("u5", "a1"),
            answer("a6", "u5"),
        ],
    )
    assert forbidden(tape) == {}
    assert forbidden(tape, PlanKind.REWIND) == {at: ["on-branch"] for at in (3, 4, 5)}
