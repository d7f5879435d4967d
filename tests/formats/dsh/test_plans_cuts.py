"""Where a log may be cut: the owner's rules with its codes, and ours (format page 4.1 and 4.6)."""

from pathlib import Path

import pytest

from inspector.formats import cutting
from inspector.formats.dsh.planning.cuts import host_cut
from inspector.formats.planning import How, PlanError, PlanKind, Problem
from inspector.plans.plan import Asked
from inspector.plans.planning import plan
from tests.dsh_tapes import HEADER, Log, call_block, folded, text_block
from tests.formats.dsh.plans import FORK, HOW, check, compacted, rules, stops, two_turns
from tests.plans.laws import MAKING, allowed_cuts_give_a_history, planned

V4 = {**HEADER, "version": 4, "isSeeded": False}


def test_a_cut_behind_a_closed_turn_is_allowed(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    allowed = [at for at in range(13) if not stops(tape, at)]
    assert allowed == [8, 9, 12]


def test_an_open_turn_forbids_a_cut_in_the_owners_word(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    assert [stop.code for stop in stops(tape, 3)] == ["OPEN_TURN"]
    assert rules(tape, 5) == ["open-turn", "unanswered-calls", "settled"]


def test_a_fork_keeps_at_least_one_event(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    assert [stop.code for stop in stops(tape, 0)] == ["INVALID_BOUNDARY"]
    empty = folded(Log(), tmp_path)
    assert not stops(empty, 0)
    assert check(planned(empty, Asked(PlanKind.FORK)), "user-boundary").message == (
        "the tape holds no event: a fork of it begins empty"
    )


def test_an_illegal_cut_names_the_nearest_ones(tmp_path: Path) -> None:
    found = planned(folded(two_turns(), tmp_path), Asked(PlanKind.FORK, 10))
    assert found.cut is not None
    assert (found.cut.before, found.cut.after) == (9, 12)
    assert found.cut.taken == 10
    assert not found.is_sound
    assert next(check.code for check in found.checks if not check.ok) == "OPEN_TURN"


def test_a_compaction_is_not_cut_in_two(tmp_path: Path) -> None:
    tape = folded(compacted(), tmp_path)
    assert rules(tape, 12) == []
    assert rules(tape, 13) == ["compaction-bracket"]
    assert rules(tape, 14) == ["compaction-bracket", "settled"]
    assert rules(tape, 15) == ["compaction-bracket"]
    assert rules(tape, 16) == []


def test_a_compaction_that_was_never_ended_forbids_nothing(tmp_path: Path) -> None:
    log = two_turns()
    log.compaction()
    assert rules(folded(log, tmp_path), 13) == []


def test_a_prune_is_not_cut_from_what_it_prunes(tmp_path: Path) -> None:
    log = two_turns()
    log.event("compaction/prune", {"shadowedSeqs": [5]})
    log.rewrite(5)
    tape = folded(log, tmp_path)
    assert [stops(tape, at) for at in (12, 13, 14)] == [[], [cutting.HALF_WRITTEN], []]


def test_later_versions_fork_inside_a_turn_but_not_between_call_and_result(tmp_path: Path) -> None:
    log = Log(V4)
    log.turn()
    log.step()
    log.user("list")
    log.assistant(call_block("c1"))
    log.call()
    log.result()
    tape = folded(log, tmp_path)
    assert [rules(tape, at) for at in (1, 2, 3, 6)] == [[], [], [], []]
    assert stops(tape, 4) == [cutting.WAITING]
    assert stops(tape, 5) == [cutting.CALL_WITHOUT_RESULT, cutting.WAITING]


def test_a_call_that_is_never_answered_forbids_a_cut_of_which_nothing_can_be_given(
    tmp_path: Path,
) -> None:
    log = Log(V4)
    log.turn()
    log.step()
    log.user("list")
    log.assistant(call_block("c1"))
    log.call()
    tape = folded(log, tmp_path)
    assert [at for at in range(6) if not stops(tape, at)] == [1, 2, 3]
    assert stops(tape, 5) == [cutting.WAITING]
    allowed_cuts_give_a_history(tape, range(6))
    found = planned(tape, Asked(PlanKind.FORK))
    (settled,) = [check for check in found.checks if check.rule == "settled"]
    assert settled.message == "a call has no result there, and the owner waits for it"


def test_a_call_of_an_event_that_is_not_applied_is_not_open(tmp_path: Path) -> None:
    log = Log(V4)
    log.turn()
    log.step()
    log.user("list")
    asked = log.assistant(call_block("c1"))
    log.call()
    log.result()
    log.assistant(call_block("c2"), seq=asked)
    log.step_end()
    tape = folded(log, tmp_path)
    assert tape.timeline.is_rejected(6)
    allowed_cuts_give_a_history(tape, range(9))
    assert not stops(tape, 7)


def late() -> Log:
    """A call of the first turn that is answered in the second."""
    log = Log()
    log.turn()
    log.user("go")
    log.step()
    log.assistant(text_block("calling"), call_block("c1"))
    log.call()
    log.step_end()
    log.turn_end()
    log.turn(2)
    log.step()
    return log


def test_a_call_is_not_cut_from_a_result_that_comes_in_a_later_turn(tmp_path: Path) -> None:
    log = late()
    log.result()
    log.step_end()
    log.turn_end(2)
    tape = folded(log, tmp_path)
    assert stops(tape, 7) == [cutting.CALL_WITHOUT_RESULT]
    assert cutting.CALL_WITHOUT_RESULT in stops(tape, 9)
    assert cutting.CALL_WITHOUT_RESULT not in stops(tape, 10)
    assert not stops(tape, 12)
    found = planned(tape, Asked(PlanKind.FORK, 7))
    assert not found.is_sound
    assert found.cut is not None
    assert (found.cut.before, found.cut.after) == (None, 12)


def test_a_second_result_and_one_of_no_call_forbid_no_cut(tmp_path: Path) -> None:
    log = late()
    log.result()
    log.step_end()
    log.turn_end(2)
    log.turn(3)
    log.result()
    log.result("none")
    log.turn_end(3)
    assert not stops(folded(log, tmp_path), 12)


def test_the_owners_words_for_problems(tmp_path: Path) -> None:
    planner = folded(two_turns(), tmp_path).planner()
    assert planner.code(Problem.EXISTS) == "SESSION_ALREADY_EXISTS"
    assert planner.code(Problem.NO_SUCH_TAPE) == "SESSION_NOT_FOUND"
    assert planner.code(Problem.NO_SUCH_CUT) == "INVALID_BOUNDARY"


def test_a_cut_behind_the_head_has_the_owners_word(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    with pytest.raises(PlanError) as error:
        planned(tape, Asked(PlanKind.FORK, 13))
    assert error.value.code == "INVALID_BOUNDARY"


def test_a_target_that_exists_has_the_owners_word(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    found = plan(tape, Asked(PlanKind.FORK, 12), MAKING, lambda _path: True)
    (target,) = [check for check in found.checks if check.rule == "target"]
    assert (target.ok, target.code) == (False, "SESSION_ALREADY_EXISTS")


def test_the_host_goes_on_to_the_next_turn(tmp_path: Path) -> None:
    timeline = folded(two_turns(), tmp_path).timeline
    assert [host_cut(timeline, at) for at in (1, 3, 8)] == [9, 9, 9]
    # The last event kept is behind the end of the first turn.
    assert [host_cut(timeline, at) for at in (9, 10, 11, 12)] == [12, 12, 12, 12]


def test_the_host_finds_no_end_of_a_turn(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user()
    tape = folded(log, tmp_path)
    assert host_cut(tape.timeline, 1) is None
    assert host_cut(tape.timeline, 2) is None
    remarks = planned(tape, Asked(PlanKind.FORK, 1)).remarks
    assert any("fork-unavailable" in remark for remark in remarks)


def test_where_the_host_would_cut_is_said_where_it_is_another_place(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    assert any("cut at 9" in remark for remark in planned(tape, Asked(FORK, 8)).remarks)
    assert not any("host" in remark for remark in planned(tape, Asked(FORK, 12)).remarks)


def test_there_is_no_rewind_but_a_fork(tmp_path: Path) -> None:
    planner = folded(two_turns(), tmp_path).planner()
    ways = planner.ways(PlanKind.REWIND)
    assert ways[How.CREATE] is None
    assert "has no rewind" in (ways[How.APPEND] or "")
    assert planner.ways(PlanKind.FORK)[How.CREATE] is None
    assert planner.ways(PlanKind.FORK)[How.APPEND] == "a fork is a session of its own"
    rewind = planner.cuts(PlanKind.REWIND, HOW)
    assert [rewind.legal(at) for at in (3, 8)] == [False, True]


def test_nothing_is_planned_for_a_version_that_is_not_known(tmp_path: Path) -> None:
    tape = folded(Log({**HEADER, "version": 99}), tmp_path)
    for kind in PlanKind:
        assert all(tape.planner().ways(kind).values())
    with pytest.raises(PlanError, match="version"):
        planned(tape, Asked(PlanKind.FORK))


def test_no_file_can_be_brought_back(tmp_path: Path) -> None:
    assert not folded(two_turns(), tmp_path).planner().restorable(8)
