"""Where a cut is of use: at least one history of the place is what the owner's Fork shows."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from inspector.formats.contract import Tape
from inspector.formats.deepchat.planning import giving
from inspector.formats.deepchat.planning.cuts import HISTORY
from inspector.formats.planning import Cuts, How, PlanKind
from inspector.plans.cutting import snapped
from inspector.plans.plan import Asked
from tests.formats.deepchat.databases import (
    Entry,
    Folded,
    anchor,
    fold,
    made,
    message,
    retracted,
)
from tests.formats.deepchat.forks import fork
from tests.formats.deepchat.generated import logs

BROKEN = [
    message("ask", 1, "please"),
    message("answer", 2, "done", role="assistant"),
    message("more", 3, "and more"),
    message("bad", 4, "broke off", role="assistant", status="error"),
    message("again", 5, "again"),
    message("last", 6, "done too", role="assistant"),
]
"""No Fork copies the message that ended in an error, nor shows any place behind it."""


def cuts_of(tape: Tape) -> Cuts:
    return tape.planner().cuts(PlanKind.FORK, How.CREATE)


def allowed(tape: Tape) -> list[int]:
    cuts = cuts_of(tape)
    return [at for at in range(tape.timeline.events + 1) if cuts.legal(at)]


@settings(max_examples=50, deadline=None)
@given(logs())
def test_a_cut_that_no_other_rule_forbids_is_allowed_where_a_history_can_be_given(
    entries: list[Entry],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tape = fold(made(Path(folder) / "agent.db", entries))
        cuts, planner = cuts_of(tape), tape.planner()
        for at in range(tape.timeline.events + 1):
            rules = {stop.rule for stop in cuts.stops(at)} - {HISTORY}
            if not rules:
                offered = planner.views(PlanKind.FORK, How.CREATE, at)
                assert cuts.legal(at) == (None in offered.values()), at
        tape.close()


def test_the_nearest_cut_is_one_of_which_a_history_can_be_given(folded: Folded) -> None:
    tape = folded(BROKEN)
    plan = fork(tape, 6)
    assert plan.cut is not None
    assert (plan.cut.before, plan.cut.after) == (2, None)
    assert plan.cut.why == (
        "no history of that place can be given: DeepChat's Fork copies what stands there now"
    )
    assert not plan.is_sound
    assert snapped(tape, Asked(PlanKind.FORK, 5), forward=False).cut == 2


def test_a_place_of_which_only_the_words_of_now_can_be_given_is_allowed(folded: Folded) -> None:
    # What was edited has its new words in the history of the head alone; the last row is behind.
    edited = [*BROKEN[:3], message("ask", 1, "please do"), message("good", 4, role="assistant")]
    assert allowed(folded(edited)) == [5]


def test_what_was_taken_back_is_shown_by_no_fork_until_it_is(folded: Folded) -> None:
    wrong = message("wrong", 3, "something else", role="assistant")
    rows = [
        *BROKEN[:2],
        wrong,
        retracted("wrong"),
        *BROKEN[2:3],
        message("so", 4, role="assistant"),
    ]
    assert allowed(folded(rows)) == [2, 4, 6]


def test_a_summary_takes_no_history_away(folded: Folded) -> None:
    rows = [*BROKEN[:2], anchor("compaction/manual", cursorOrderSeq=3, summary="so far")]
    assert allowed(folded(rows)) == [2, 3]


def test_where_too_much_would_have_to_be_composed_a_history_is_taken_to_be_there(
    folded: Folded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(giving, "_LOOKED_AT", 0)
    assert allowed(folded(BROKEN)) == [2, 4, 6]


def test_no_history_is_said_to_be_there_where_all_are_refused(folded: Folded) -> None:
    tape = folded([*BROKEN, message("next", 7, status="pending")])
    found = fork(tape, 7)
    assert found.view is not None
    assert None not in found.view.offered.values()
    assert [check.rule for check in found.checks if not check.ok][:1] == ["sent"]
    assert HISTORY not in [check.rule for check in found.checks if check.ok]
