"""Plans for the shared DeepChat tapes: the fork that the owner made, and the laws of cuts."""

from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

from inspector.formats.contract import Tape
from inspector.formats.deepchat.planning.forking import Forking
from inspector.formats.deepchat.planning.planner import DeepChatPlanner
from inspector.formats.deepchat.reading import DeepChatTape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from tests.corpus.corpus import files, needs_corpus
from tests.corpus.test_deepchat_oracle import at, whole
from tests.corpus.test_deepchat_tapes import DATABASE, VERDICTS
from tests.corpus.test_deepchat_tapes import whole as session
from tests.plans.laws import accounts_for_all, allowed_cuts_give_a_history, planned, told
from tests.untouched import untouched

pytestmark = needs_corpus

CUTS: Final = 2
LISTED: Final = [name for name in VERDICTS if "::fork::" not in name]


def fork(tape: Tape, cut: int, view: View | None = None, kind: PlanKind = PlanKind.FORK) -> Plan:
    return planned(tape, Asked(kind, cut, How.CREATE, view))


def some_cuts(name: str, head: int) -> list[int]:
    """A few cursors, the same in each run, and both ends."""
    return sorted({0, head, *(crc32(f"{name}/{at}".encode()) % (head + 1) for at in range(CUTS))})


def keeps_the_laws(tape: Tape, name: str) -> None:
    """Every plan accounts for all, is made alike again, and is a plan alone."""
    allowed_cuts_give_a_history(tape, range(tape.timeline.events + 1))
    for cut in some_cuts(name, tape.timeline.events):
        assert fork(tape, cut) == fork(tape, cut)
        plans = [fork(tape, cut, view) for view in View]
        for plan in [*plans, fork(tape, cut, kind=PlanKind.REWIND)]:
            accounts_for_all(tape, plan)
            assert plan.writes == ()
            assert not plan.is_sound


def test_a_fork_shows_what_the_fork_of_the_owner_shows() -> None:
    # The owner was asked to fork at the first answer.
    made = session("sess_uifork")
    shown = told(made, tuple(row.node for row in made.timeline.rows(made.timeline.events)))
    tape = session("sess_main")
    for cut in (13, 14):
        plan = fork(tape, cut)
        assert plan.view is not None
        assert plan.view.choice is View.AS_OF
        assert told(tape, plan.view.after) == shown
        # Two messages, a call and its result, which the copy has anew.
        assert plan.kept == 4
        assert "2 sent messages copied" in plan.remarks[0]


def test_what_the_owner_would_not_copy_is_refused() -> None:
    tape = session("sess_main")
    plan = fork(tape, 23)
    assert plan.view is not None
    assert set(plan.view.offered.values()) == {
        "the message of @18 ended in an error, and DeepChat's Fork copies sent ones only",
        "the last row kept, of @23, is not there any more: retracted by @25",
    }
    after = fork(tape, 35, View.AS_OF)
    assert after.view is not None
    assert "copies no summary" in (after.view.offered[View.AS_OF] or "")


def test_what_stays_done_is_told_with_its_command() -> None:
    call, child = fork(session("sess_main"), 14).not_undone
    assert (call.event, call.tool, call.kind, call.what) == (16, "exec", "terminal", "pytest -q")
    assert (child.event, child.kind) == (36, "subagent")
    assert child.what.startswith("Look for other date parsers")


def test_a_repair_tells_of_what_was_left_open() -> None:
    plan = planned(session("sess_main"), Asked(PlanKind.REPAIR))
    assert [(one.type, one.does, one.code, one.call_id) for one in plan.closers] == [
        ("message/user", "dropped", None, None),
        ("message/assistant", "altered", "common.error.sessionInterrupted", None),
        ("execution/run_started", "altered", "indeterminate", None),
        ("execution/tool_outcome", "altered", "indeterminate", "call_2"),
    ]
    # The call of @17, whose result came.
    assert plan.closers[-1].event == 16
    assert plan.closers[-1].what.endswith("though its result stands in @20")


@pytest.mark.parametrize("name", LISTED)
def test_every_cut_of_a_session_keeps_the_laws_and_touches_nothing(name: str) -> None:
    with untouched(DATABASE):
        tape = session(name)
        keeps_the_laws(tape, name)
        planned(tape, Asked(PlanKind.COMPACT, degraded=True))
        planned(tape, Asked(PlanKind.REPAIR))
        planned(tape, Asked(PlanKind.RESUME))


TAPES = files("oracle/deepchat/verdicts/*.json")


@pytest.mark.parametrize("path", TAPES)
def test_every_tape_keeps_the_laws(path: Path) -> None:
    tape = whole(path)
    if whole_id(tape) is None:
        keeps_the_laws(tape, path.stem)
    repair = planned(tape, Asked(PlanKind.REPAIR))
    accounts_for_all(tape, repair)
    assert repair == planned(tape, Asked(PlanKind.REPAIR))


def whole_id(tape: Tape) -> str | None:
    """Why the tape is no session that could be forked, or None."""
    return tape.planner().ways(PlanKind.FORK)[How.CREATE]


@pytest.mark.parametrize("path", TAPES)
def test_what_is_copied_is_what_stands_as_sent_with_the_owner(path: Path) -> None:
    tape = whole(path)
    assert isinstance(tape, DeepChatTape)
    *_, (head, verdict) = at(path, tape)
    assert head == tape.timeline.events
    forking = Forking(tape)
    copies = forking.copies(head)
    sent = {message.record.id for message in forking.transcript.now}
    sent -= {one.record.id for one in forking.transcript.now if one.record.status != "sent"}
    last = copies.target
    assert [message.record.id for message in copies.messages] == [
        identity for identity in verdict["sent"]["messages"] if identity in sent
    ]
    assert (last is None) == (not verdict["pending"]["messages"])


@pytest.mark.parametrize("path", TAPES)
def test_a_resume_sends_the_context_that_the_owner_builds(path: Path) -> None:
    tape = whole(path)
    for cursor, verdict in at(path, tape):
        plan = planned(tape, Asked(PlanKind.RESUME, cursor))
        messages = [
            [entry.role, entry.text]
            for entry in plan.request
            if entry.note != "dropped" and entry.type in ("message", "tool_result")
        ]
        assert messages == (verdict["context"] or []), cursor


def test_the_planner_is_the_formats_own() -> None:
    assert isinstance(session("sess_main").planner(), DeepChatPlanner)
