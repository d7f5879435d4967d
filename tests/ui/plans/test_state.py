"""What the dialog of a plan knows and says, without a screen."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.planning import How, PlanKind, View
from inspector.inspection import Inspection, Stop
from inspector.plans.saved import saved
from inspector.ui.plans import saying
from inspector.ui.plans.laid import broken
from inspector.ui.plans.made import make
from inspector.ui.plans.state import PlanState
from tests.commands import run
from tests.terminal import CONTROL
from tests.ui.driving import SAMPLES
from tests.ui.following import session
from tests.ui.plans.dialogs import MAKING, dialog, heads, rows, settled, title, visit

FORK, REWIND, COMPACT = PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT
REPAIR, RESUME = PlanKind.REPAIR, PlanKind.RESUME


# Questions and answers.


@pytest.mark.parametrize("kind", PlanKind)
def test_nothing_has_been_changed_is_always_said(kind: PlanKind) -> None:
    with visit("demo", "208") as inspection:
        state = PlanState(inspection, kind, MAKING)
        assert "nothing has been changed yet" in title(state)
        assert "reading the tape" in title(state)
        settled(state)
        assert "nothing has been changed yet" in title(state)
        assert "reading the tape" not in title(state)


def test_the_cut_and_the_checks_that_need_no_reading_are_told_before_the_plan_is_made() -> None:
    with visit("demo", "200") as inspection:
        state = PlanState(inspection, FORK, MAKING)
        state.take_cuts(state.read_cuts())
        assert not state.answered
        assert "cut at 200, behind @199; no: a turn is open there" in heads(state)
        assert "nearest allowed: ◀ 158 · 208 ▶" in heads(state)
        assert "✗ open-turn: a turn is open there [OPEN_TURN]" in rows(state)


def test_what_can_be_told_at_once_is_of_the_new_cut_and_the_rest_is_faint() -> None:
    with dialog("demo", FORK, "208") as state:
        assert "✓ open-turn: no turn is open" in rows(state)
        state.seek(200)
        tones = {row.text: row.tone for row in saying.rows(state)}
        assert tones["✗ open-turn: a turn is open there [OPEN_TURN]"] == "error"
        assert tones["✓ view: as-of can be given"] == "faint"
        settled(state)
        assert "faint" not in {row.tone for row in saying.rows(state)}


def test_an_answer_to_another_question_is_not_taken() -> None:
    with dialog("demo", FORK, "208") as state:
        state.seek(200)
        late = make(state.visit.tape, state.question(), Path.exists)
        state.seek(158)
        state.accept(late)
        assert state.made is None
        settled(state)
        assert state.made is not None
        assert state.made.plan.cut is not None
        assert state.made.plan.cut.taken == 158


def test_the_text_is_that_of_the_command() -> None:
    with dialog("demo", FORK, "208") as state:
        said = saying.text(state).splitlines()
        done = run("plan", "fork", SAMPLES / "demo.jsonl", "--after", "208")
        # The identity of what would be made is another one each time.
        mine = [line for line in said[:-1] if MAKING.id not in line]
        assert mine == [line for line in done.out.splitlines() if line in mine]
        assert len(said) == len(done.out.splitlines())
        assert said[-1] == rows(state)[-1]
        assert said[-1].startswith("inspector plan fork ")
        state.seek(200)
        assert saying.text(state) == ""


TAPES = (SAMPLES / "demo.jsonl", SAMPLES / "deepchat.db", *sorted(SAMPLES.glob("[cz]*/*.jsonl")))
SESSION = {"deepchat.db": "sample-orchard"}


@pytest.mark.parametrize("tape", TAPES, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("kind", PlanKind)
def test_the_rows_are_the_lines_of_the_command_in_its_order(tape: Path, kind: PlanKind) -> None:
    with visit(tape, session=SESSION.get(tape.name)) as inspection:
        inspection.seek(inspection.head // 2)
        state = settled(PlanState(inspection, kind, MAKING))
        if state.made is None:
            assert state.refused is not None
            return
        state.open |= {"undone", "request", "hidden", "files", "registers"}
        listed = iter(row.text.strip("▾ ") for row in saying.rows(state))
        _heading, *lines = saying.text(state).splitlines()
        if state.cut is not None:
            first, *lines = lines
            assert heads(state).splitlines()[0] == first
        for line in lines:
            if not line.startswith(CUT_OFF):
                assert any(row == line.strip() for row in listed), line


CUT_OFF = ("  and ", "  … between")
"""How a line begins that stands for others, which the dialog lists."""


def test_the_command_line_makes_the_same_plan() -> None:
    with dialog("demo", FORK, "208") as state:
        made = state.made
        assert made is not None
        words = made.command.split()
        assert words[:2] == ["inspector", "plan"]
        done = run(*words[1:])
        assert done.code == 0, done
        assert "cut at 208" in done.out


def test_the_command_line_chooses_the_session_where_there_are_several() -> None:
    tape = open_tape(SAMPLES / "sessions.db", Options(session="sample-prune"))
    try:
        while tape.advance():
            pass
        inspection = Inspection(tape)
        inspection.grown()
        made = settled(PlanState(inspection, REPAIR, MAKING)).made
        assert made is not None
        assert " --session sample-prune --expect " in made.command
        done = run(*made.command.split()[1:])
        assert done.code == 0, done
    finally:
        tape.close()


# Where.


def test_a_cut_snaps_to_the_nearest_allowed_on_either_side() -> None:
    with dialog("demo", FORK, "200") as state:
        assert state.snap(-1) == ""
        assert state.cut == 158
        assert "asked for 200: a turn is open there; moved back" in heads(state)
        assert state.snap(1) == ""
        assert state.cut == 208
        assert "asked for" not in heads(state), "158 was allowed"
        state.seek(0)
        assert state.snap(-1) == "no cut is allowed before 0"
        state.seek(434)
        assert state.snap(1) == "no cut is allowed behind 434"


def test_a_cut_moves_by_events_and_classes_as_the_cursor_does() -> None:
    with dialog("demo", FORK, "200") as state:
        state.step(Stop.EVENT, 1, 10)
        assert state.cut == 210
        state.step(Stop.TURN, -1)
        turn = state.cut
        assert turn is not None
        assert turn < 210
        state.step(Stop.USER, 1)
        assert state.visit.cursor == 200, "the cursor of the visit stays"
        state.seek(434)
        assert state.step(Stop.EVENT, 1) == "no event after 434"


def test_the_event_at_the_cut_is_kept_or_left() -> None:
    with dialog("demo", REWIND, "200") as state:
        state.step(Stop.USER, -1)
        prompt = state.cut
        assert prompt is not None
        assert state.exclude() == ""
        assert (state.cut, state.question().asked.exclude) == (prompt - 1, True)
        assert f"behind it: @{prompt - 1} " in heads(state)
        # From prompt to prompt, each left behind.
        state.step(Stop.USER, -1)
        before = state.cut
        assert before is not None
        assert f"behind it: @{before} user" in heads(state)
        state.exclude()
        assert state.cut == before + 1
        assert f"before the cut: @{before} user" in heads(state)


def test_before_the_first_event_there_is_none_to_leave() -> None:
    with dialog("demo", FORK, "0") as state:
        assert state.exclude() == "no event is kept"
        state.step(Stop.EVENT, 1)
        state.exclude()
        assert state.cut == 0
        assert "before the cut: no event   behind it: @0" in heads(state)
        state.step(Stop.EVENT, -1)
        assert (state.cut, state.question().asked.exclude) == (0, False)


def test_at_the_head_nothing_is_left() -> None:
    with dialog("demo", FORK, "434") as state:
        assert "behind it: no event" in heads(state)
        assert state.where.leaves is False
        state.exclude()
        state.seek(434)
        assert "cut at 433" in heads(state)


def test_why_it_is_not_to_be_applied_stands_above_the_rows() -> None:
    with dialog("demo", COMPACT, "200") as state:
        assert heads(state).splitlines()[1:] == [
            "✗ summary: no summary yet: give one in a file, or ask for the degraded one"
        ]
        state.degraded()
        settled(state)
        assert heads(state).splitlines()[1:] == []
    with dialog("demo", FORK, "200") as state:
        assert "✗" not in heads(state)


@pytest.mark.parametrize("kind", [COMPACT, REPAIR])
def test_a_plan_of_the_head_has_no_cut_to_move(kind: PlanKind) -> None:
    with dialog("demo", kind, "200") as state:
        word = "compaction" if kind is COMPACT else "repair"
        said = f"a {word} is of the head: there is no cut to move"
        assert heads(state).splitlines()[0] == "of the head, 434"
        assert state.where.at == 434
        for answer in (
            state.seek(3),
            state.step(Stop.EVENT, -1),
            state.snap(1),
            state.exclude(),
        ):
            assert answer == said
        assert state.where.at == 434
        assert state.answered


def test_a_session_is_taken_up_anywhere() -> None:
    with dialog("demo", RESUME, "200") as state:
        assert state.where.cuts is None
        assert state.snap(1) == "what would be sent can be told of any cursor"
        assert "at 200, behind @199" in heads(state)
        assert "next request: 7 entries, all sent as they stand; 2.7k tokens in all" in rows(state)
        listed = [row for row in saying.rows(state) if row.text.startswith("  ") and row.event]
        assert len(listed) == 7
        assert all(row.event is not None and row.event < 200 for row in listed)


def test_of_a_long_request_the_middle_is_listed_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(40)))
    with dialog(path, RESUME) as state:
        (heading,) = (row for row in saying.rows(state) if row.act == "fold:request")
        assert heading.text.startswith("▸ next request: 40 entries")
        assert "  … between: 20 entries, all sent as they stand" in rows(state)
        assert not any("message 20" in row for row in rows(state))
        state.unfold("request")
        assert sum("message " in row for row in rows(state)) == 40
        listed = [row for row in saying.rows(state) if row.fold]
        assert len(listed) == 20
        assert all(len(broken(row, 30)) == 1 for row in listed), "there may be very many"
        assert not any("between" in row for row in rows(state))


# How.


def test_views_are_switched_among_those_that_can_be_given() -> None:
    with dialog("demo", FORK, "208") as state:
        assert "history (•) as-of" in "\n".join(rows(state))
        assert state.next_view() == ""
        settled(state)
        assert state.asked.view is View.ORIGINALS, "compacted is refused there"
        assert "history (•) originals" in "\n".join(rows(state))
        state.next_view()
        settled(state)
        assert state.asked.view is View.AS_OF
        assert state.take_view(View.COMPACTED).startswith("compacted: no, the summary of @346")
        assert state.asked.view is View.AS_OF


def test_what_changes_no_history_has_none_to_switch() -> None:
    with dialog("demo", REPAIR) as state:
        assert state.next_view() == "it changes no history"


def test_a_way_that_is_closed_says_why() -> None:
    with dialog("demo", FORK, "208") as state:
        assert state.other_way() == "append: no, a fork is a session of its own"
        assert state.answered


def test_the_other_way_is_taken_where_it_is_open() -> None:
    with dialog(sorted((SAMPLES / "codex").glob("*.jsonl"))[0], REWIND) as state:
        assert state.made is not None
        assert state.made.plan.how is How.APPEND
        assert state.other_way() == ""
        assert state.cuts_due, "where it may be cut depends on how it is written"
        settled(state)
        assert state.made.plan.how is How.CREATE
        state.other_way()
        settled(state)
        assert state.made.plan.how is How.APPEND


def test_a_compaction_keeps_more_rows_or_fewer() -> None:
    with dialog("demo", COMPACT) as state:
        assert "this plan summarises 15 rows" in rows(state)
        assert state.keep_more(2) == "the last 10 rows stay"
        settled(state)
        assert "this plan summarises 13 rows" in rows(state)
        assert state.keep_more(-100) == "the last 0 rows stay"
        assert state.keep_more(100) == "the last 23 rows stay"
        settled(state)
        assert any(row.startswith("✗ worth-it") for row in rows(state))


def test_a_compaction_has_no_summary_then_a_degraded_one_then_that_of_a_file() -> None:
    with dialog("demo", COMPACT) as state:
        assert "is not to be applied" in title(state)
        assert any(row.startswith("✗ summary: no summary yet") for row in rows(state))
        state.degraded()
        settled(state)
        assert "can be applied" in title(state)
        assert any(row.startswith("✓ summary: degraded") for row in rows(state))
        said = state.summarise("They made the tests steady.", Path("sum.txt"))
        assert said == "the summary is that of the file"
        settled(state)
        assert "✓ summary: as given" in rows(state)
        assert state.asked.degraded is False


@pytest.mark.parametrize("kind", [FORK, REPAIR, RESUME])
def test_only_a_compaction_has_a_summary_and_rows_to_keep(kind: PlanKind) -> None:
    with dialog("demo", kind) as state:
        assert state.degraded() == "only a compaction has a summary"
        assert state.summarise("x", Path("sum.txt")) == "only a compaction has a summary"
        assert state.keep_more(1) == "only a compaction keeps a number of rows"


# Review.


def test_what_is_not_undone_is_one_line_until_it_is_listed_and_leads_to_its_events() -> None:
    with dialog("demo", REWIND, "208") as state:
        by_tool = "bash ×10 · edit ×4 · workflow agent ×2 · code · write · workflow"
        assert f"▸ NOT undone (19): {by_tool}" in rows(state)
        assert not [row for row in saying.rows(state) if row.fold == "undone"]
        assert state.list_undone() == ""
        listed = [row for row in saying.rows(state) if row.fold == "undone"]
        assert [row.event for row in listed][:3] == [243, 244, 250]
        assert len(listed) == 19
        state.list_undone()
        assert not [row for row in saying.rows(state) if row.fold == "undone"]


def test_where_nothing_is_left_behind_nothing_is_not_undone() -> None:
    with dialog("demo", REWIND, "434") as state:
        assert state.list_undone().startswith("nothing behind the cut changed the world")


def test_few_registers_are_listed_and_many_are_one_line() -> None:
    with dialog("demo", REWIND, "208") as state:
        (line,) = (row for row in rows(state) if row.startswith("▸ changes"))
        assert line == (
            "▸ changes 7: model, preamble, todo, goal, inbox next step, workflows, feedback"
        )
        state.unfold("registers")
        assert "  changes model: deepseek-v4-pro -> deepseek-v4-flash" in rows(state)
        state.seek(431)
        settled(state)
        assert not [row for row in rows(state) if row.startswith("▸ changes")]


def test_a_repair_lists_what_it_adds_and_leads_there() -> None:
    with dialog("open-turn", REPAIR) as state:
        (closer,) = (row for row in saying.rows(state) if "tool/result @9" in row.text)
        assert closer.event == 9
        assert "can be applied" in title(state)
    with dialog("demo", REPAIR) as state:
        assert "writes nothing" in title(state)


def test_a_compaction_lists_what_it_hides() -> None:
    with dialog("demo", COMPACT) as state:
        assert any(row.startswith("▸ hides 15 rows") for row in rows(state))
        state.unfold("hidden")
        hidden = [row for row in saying.rows(state) if row.fold == "hidden"]
        assert len(hidden) == 15
        assert all(row.event is not None for row in hidden)


def test_where_no_plan_can_be_made_it_says_why() -> None:
    with dialog("demo", FORK, "208") as state:
        state.asked = replace(state.asked, how=How.APPEND)
        settled(state)
        assert "no plan" in title(state)
        why = "cannot be done by append: a fork is a session of its own"
        assert rows(state) == [f"no plan: {why}"]
        assert state.next_view() == state.other_way() == state.list_undone() == why
        assert saying.text(state) == ""


@pytest.mark.parametrize("kind", PlanKind)
def test_nothing_of_a_hostile_tape_reaches_a_row(kind: PlanKind) -> None:
    with dialog("hostile", kind) as state:
        state.open |= {"undone", "request", "hidden", "files", "registers"}
        said = [*rows(state), heads(state), title(state), saying.text(state)]
        assert not [line for line in said if CONTROL.search(line.replace("\n", ""))]


# Saved plans.


def test_a_saved_plan_is_made_again_and_compared() -> None:
    with dialog("demo", FORK, "208") as state:
        made = state.made
        assert made is not None
        kept = saved(made.document)
        other = settled(PlanState(state.visit, COMPACT, MAKING._replace(id="another")))
        assert other.load("kept.json", kept) == "made as kept.json asks"
        settled(other)
        assert (other.kind, other.cut, other.making) == (FORK, 208, MAKING)
        assert rows(other)[:2] == [
            "compared with kept.json",
            "the kept plan is the same: nothing has changed since",
        ]
        other.seek(158)
        settled(other)
        assert "compared with kept.json" not in rows(other)


def test_what_is_another_than_in_a_saved_plan_is_told() -> None:
    with dialog("demo", FORK, "208") as state:
        made = state.made
        assert made is not None
        kept = saved({**made.document, "kept": 1, "left": 300})
        state.load("kept.json", kept)
        settled(state)
        assert rows(state)[1:4] == [
            "since the plan was kept, this has changed:",
            "  keep: 1 -> 208",
            "  leave: 300 -> 226",
        ]


def test_a_plan_of_another_tape_is_not_taken() -> None:
    with dialog("demo", FORK, "208") as state, dialog("prune", FORK) as other:
        assert state.made is not None
        kept = saved(state.made.document)
        assert other.load("kept.json", kept).startswith("kept.json is a plan of ")
        assert other.answered
        nowhere = kept._replace(path=Path("a\0b"))
        assert state.load("kept.json", nowhere) == "kept.json is a plan of a␀b"
        assert state.load("kept.json", kept._replace(session="s-2")) == (
            "kept.json is a plan of another session, s-2"
        )
