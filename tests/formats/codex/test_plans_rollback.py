"""Rewinding by a rollback behind the log: where it is legal, and what it leaves."""

from pathlib import Path

import pytest

from inspector.formats.codex.planning import alternatives
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from inspector.timeline.words import SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.planned import (
    OPTIONS,
    PLAIN,
    broken,
    content,
    legal,
    records,
    rewind,
    texts_of,
)
from tests.plans.laws import carried_out, opened, planned
from tests.untouched import untouched

STEERED = tapes.turn("t2", tapes.user("q2"), tapes.answer("a2"), tapes.user("more"))
"""A turn in which the person says something twice (RULES, k-steer)."""


def test_a_rollback_of_whole_turns_is_one_line(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *PLAIN)
    with untouched(tmp_path):
        plan = rewind(tape, 4)
    assert content(plan) == (
        b'{"timestamp":"2026-09-21T14:13:20.000Z","type":"event_msg",'
        b'"payload":{"type":"thread_rolled_back","num_turns":2}}\n'
    )
    assert [(write.to, write.how) for write, _ in plan.writes] == [
        (tmp_path / "rollout.jsonl", How.APPEND)
    ]
    assert (plan.kept, dict(plan.left), plan.is_sound) == (4, {"behind the cut": 8}, True)
    assert "rolls back 2 turns, as Codex counts them" in plan.remarks
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1"]


def test_a_log_may_be_rolled_back_to_the_end_of_every_turn(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *PLAIN)
    assert legal(tape, How.APPEND) == [0, 4, 8, 12]
    plan = rewind(tape, 6)
    assert plan.cut is not None
    assert (plan.cut.before, plan.cut.after) == (4, 8)
    assert broken(plan) == ["open-turn", "user-boundary", "view"]
    assert plan.writes == ()


def test_a_log_without_turns_may_be_rolled_back_to_what_precedes_a_message(tmp_path: Path) -> None:
    said = [tapes.user("q1"), tapes.answer("a1"), tapes.user("q2"), tapes.answer("a2")]
    assert legal(tapes.folded(tmp_path, *said), How.APPEND) == [0, 2, 4]


def test_nothing_is_rolled_back_to_what_is_there(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *PLAIN, tapes.rolled_back(1))
    for cut in (8, 13):
        plan = rewind(tape, cut)
        assert (plan.is_sound, plan.writes) == (True, ())
        assert plan.remarks == ("nothing to roll back: the model sees this already",)


def test_turns_are_counted_behind_a_rollback(tmp_path: Path) -> None:
    more = tapes.turn("t4", tapes.user("q4"), tapes.answer("a4"))
    tape = tapes.folded(tmp_path, *PLAIN, tapes.rolled_back(2), *more)
    assert records(rewind(tape, 4))[0]["payload"]["num_turns"] == 1
    assert legal(tape, How.APPEND) == [0, 4, 13, 17]


def test_a_rollback_past_a_compaction_brings_back_what_it_hid(tmp_path: Path) -> None:
    compact = tapes.turn("c", tapes.compacted(tapes.message("user", tapes.PREFIX + "S")))
    last = tapes.turn("t4", tapes.user("q4"))
    tape = tapes.folded(tmp_path, *PLAIN, *compact, *last)
    plan = rewind(tape, 8)
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2"]
    assert records(plan)[0]["payload"]["num_turns"] == 2
    assert broken(rewind(tape, 12)) == ["user-boundary", "view"]
    assert texts_of(rewind(tape, 15), tmp_path / "kept") == [tapes.PREFIX + "S"]


def test_what_came_since_stays_where_no_message_is_counted(tmp_path: Path) -> None:
    compact = tapes.compacted(tapes.message("user", tapes.PREFIX + "S"))
    turn = tapes.turn("t1", tapes.heard("q1"), compact, tapes.answer("a2"))
    tape = tapes.folded(tmp_path, tapes.answer("a1"), *turn)
    # A rollback leaves both answers, and there was no cursor at which they stood alone.
    assert legal(tape, How.APPEND) == [6]


def test_a_compaction_of_the_older_kind_is_never_undone(tmp_path: Path) -> None:
    compact = tapes.turn("c", tapes.summarised("S"))
    tape = tapes.folded(tmp_path, *PLAIN, *compact, *tapes.turn("t4", tapes.user("q4")))
    assert legal(tape, How.APPEND) == [0, 15, 18]


def test_a_turn_with_two_messages_is_no_boundary_where_its_items_are_counted(
    tmp_path: Path,
) -> None:
    tape = tapes.folded(tmp_path, *PLAIN[:4], *STEERED, *PLAIN[8:])
    assert records(rewind(tape, 4))[0]["payload"]["num_turns"] == 3
    base = tapes.turn("c", tapes.compacted(tapes.message("user", "q0"), message="none"))
    mixed = tapes.folded(tmp_path, *base, *STEERED, tapes.started("t3"), tapes.heard("q3"))
    # One turn back is the second message alone: turns and messages are counted apart.
    assert legal(mixed, How.APPEND) == [0, 3, 8]
    assert rewind(mixed, 8).writes == ()


def test_a_view_that_no_rollback_gives_is_refused(tmp_path: Path) -> None:
    plan = rewind(tapes.folded(tmp_path, *PLAIN), 6)
    assert plan.view is not None
    assert plan.view.offered[View.AS_OF] == (
        "no rollback of whole turns leaves what the model saw there"
    )
    kept = tapes.compacted(tapes.message("user", tapes.PREFIX + "S"))
    after = tapes.turn("t5", tapes.user("q5"))
    tape = tapes.folded(tmp_path, *PLAIN, *tapes.turn("c", kept), *after)
    chosen = rewind(tape, 15).view
    assert chosen is not None
    assert chosen.offered == {
        View.AS_OF: None,
        View.COMPACTED: None,
        View.ORIGINALS: "a rollback gives back what the model saw, and nothing else",
    }


def test_a_call_is_not_cut_from_its_output(tmp_path: Path) -> None:
    said = [tapes.user("q1"), tapes.call("c1"), tapes.output("c1"), tapes.answer("a1")]
    plan = rewind(tapes.folded(tmp_path, *said), 2)
    assert broken(plan)[:2] == ["unanswered-calls", "user-boundary"]


def test_a_line_that_is_not_ended_is_ended_first(tmp_path: Path) -> None:
    data = tapes.text([tapes.meta(), *PLAIN])[:-1]
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    plan = rewind(tape, 8)
    assert content(plan).startswith(b'\n{"timestamp"')
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2"]


def test_what_would_take_too_long_to_find_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact = tapes.turn("c", tapes.compacted(tapes.message("user", tapes.PREFIX + "S")))
    more = [*tapes.turn("t4", tapes.user("q4")), tapes.rolled_back(0)]
    tape = tapes.folded(tmp_path, *PLAIN, *compact, *more)
    assert legal(tape, How.APPEND) == [0, 4, 8, 15, 18, 19]
    monkeypatch.setattr(alternatives, "_WORK", 0)
    monkeypatch.setattr(alternatives, "_WORK_PER_EVENT", 0)
    assert legal(tape, How.APPEND) == [15, 18, 19]


@pytest.mark.parametrize(("texts", "expected"), [(("q1",), [0, 3, 10]), (("q1", "more"), [10])])
def test_a_history_with_messages_in_a_form_that_was_never_made_is_not_offered(
    tmp_path: Path, texts: tuple[str, ...], expected: list[int]
) -> None:
    # Behind the older compaction the first message would be one text, and never was one.
    said = tapes.turn("t1", tapes.user(*texts))
    compact = tapes.turn("c", tapes.compacted(tapes.message("user", tapes.PREFIX + "S")))
    older = tapes.turn("t2", tapes.user("q2"), tapes.summarised("T"))
    tape = tapes.folded(tmp_path, *said, *compact, *older)
    assert legal(tape, How.APPEND) == expected


def test_calls_that_no_output_answers_stay_done_too(tmp_path: Path) -> None:
    shell = tapes.item("local_shell_call", status="completed", action={"command": ["rm", "zz"]})
    image = tapes.item("image_generation_call", status="completed", result="aGk=", id="ig1")
    tape = tapes.folded(tmp_path, *PLAIN[:4], *tapes.turn("t9", tapes.user("q"), shell, image))
    plan = planned(tape, Asked(PlanKind.REWIND, 4, How.CREATE))
    assert [(one.event, one.tool) for one in plan.not_undone] == [
        (6, "shell"),
        (7, "image_generation"),
    ]
    assert "rm" in plan.not_undone[0].what
    # They are over: nothing waits for them, and the log may be cut behind each.
    assert not list(tape.timeline.spans[SpanKind.TOOL_CALL].open_at(tape.timeline.events))


def test_a_patch_names_all_files_that_it_changes(tmp_path: Path) -> None:
    patch = (
        "*** Begin Patch\n*** Update File: /w/a.py\n+x\n*** Add File: /w/b.py\n+y\n*** End Patch"
    )
    custom = tapes.item("custom_tool_call", name="apply_patch", call_id="c1", input=patch)
    deletes = '{"input": "*** Begin Patch\\n*** Delete File: a.txt\\n*** End Patch"}'
    function = tapes.item("function_call", name="apply_patch", call_id="c2", arguments=deletes)
    calls = custom, function, tapes.output("c1"), tapes.output("c2")
    tape = tapes.folded(tmp_path, *PLAIN[:4], *tapes.turn("t9", tapes.user("q"), *calls))
    plan = planned(tape, Asked(PlanKind.REWIND, 4, How.CREATE))
    assert [(one.tool, one.kind, one.what) for one in plan.not_undone] == [
        ("apply_patch", "edit", "/w/a.py, /w/b.py"),
        ("apply_patch", "edit", "a.txt"),
    ]


def test_a_rollback_changes_no_setting(tmp_path: Path) -> None:
    records = [
        *(tapes.context("t1", model="m-1"), *PLAIN[:4]),
        *(tapes.context("t2", model="m-2"), *PLAIN[4:]),
    ]
    tape = tapes.folded(tmp_path, *records)
    plan = rewind(tape, 5)
    assert (plan.is_sound, plan.registers) == (True, {})
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as new:
        state = new.timeline.registers.state(new.timeline.events)
        assert new.value("model", state["model"]) == "m-2"
    made = planned(tape, Asked(PlanKind.REWIND, 5, How.CREATE))
    assert made.registers == {"model": ("m-2", "m-1")}
