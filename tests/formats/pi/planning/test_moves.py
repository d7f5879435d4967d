"""A rewind within the file is one label below the entry on which one stands then."""

from pathlib import Path

import pytest

from inspector.formats.planning import How, PlanError, PlanKind, View
from inspector.plans.plan import Asked
from tests.formats.pi import sessions
from tests.formats.pi.planning.planned import content, lines, made, move, planned
from tests.formats.pi.sessions import answer, entry, folded, header, label, opened, text_of, user
from tests.plans.laws import carried_out


def why_not(tape: sessions.PiTape) -> str | None:
    return tape.planner().ways(PlanKind.REWIND)[How.APPEND]


def test_one_line_is_appended_in_one_piece(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"))
    plan = move(tape, 2)
    ((write, size),) = plan.writes
    assert (write.to, write.how) == (tmp_path / sessions.NAME, How.APPEND)
    assert [len(piece) for piece in write.content()] == [size]
    (line,) = lines(plan)
    assert {**line, "id": "?"} == {
        "type": "label",
        "id": "?",
        "parentId": "b",
        "timestamp": "2026-09-21T14:13:20.000Z",
        "targetId": "b",
    }
    assert sessions.surface(made(plan, tmp_path)) == ["a", "b"]


def test_a_label_that_is_there_is_repeated(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), label("l", "a", "a", "here"), user("c", "l"))
    (line,) = lines(move(tape, 1))
    assert (line["parentId"], line["targetId"], line["label"]) == ("a", "a", "here")


def test_moving_changes_no_label_and_no_title(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        entry("model_change", "m", "a", provider="p", modelId="one"),
        entry("session_info", "n", "m", name="named"),
        entry("model_change", "o", "n", provider="p", modelId="two"),
    )
    plan = move(tape, 2)
    assert plan.registers == {"model": ("two", "one")}
    new = made(plan, tmp_path)
    state = new.timeline.registers.state(new.timeline.events)
    assert new.value("title", state["title"]) == "named"
    assert new.value("model", state["model"]) == "one"


def test_one_can_go_back_behind_another_branch(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), user("c", "a"), user("d", "c"))
    assert sessions.surface(made(move(tape, 2), tmp_path)) == ["a", "b"]


def test_before_all_entries_one_stands_at_the_root(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"))
    plan = move(tape, 0)
    (line,) = lines(plan)
    assert (line["parentId"], line["targetId"]) == (None, "a")
    assert sessions.surface(made(plan, tmp_path)) == []


def test_where_one_stands_nothing_is_written(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"))
    assert not move(tape, 2).writes
    carried = carried_out(move(tape, 1), tmp_path / "made")[0]
    again = sessions.opened(carried.read_bytes(), tmp_path, "again.jsonl")
    plan = move(again, 1)
    assert not plan.writes
    assert plan.remarks == ("Pi stands there already: nothing is to be written",)


def test_nothing_but_what_the_model_saw_is_given(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a"),
        sessions.compaction("c", "b", "b"),
        user("d", "c"),
    )
    offered = tape.planner().views(PlanKind.REWIND, How.APPEND, 2)
    assert offered[View.AS_OF] is None
    assert offered[View.COMPACTED] == "a move gives back what the model saw there, and nothing else"


def test_a_last_line_that_is_whole_gets_its_line_end_first(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None), user("b", "a")])[:-1], tmp_path)
    plan = move(tape, 1)
    assert content(plan).startswith(b"\n{")
    assert sessions.surface(made(plan, tmp_path)) == ["a"]


def test_an_entry_without_an_id_is_no_place_to_stand(tmp_path: Path) -> None:
    last = user("x", "a")
    del last["id"]
    tape = folded(tmp_path, user("a", None), last, user("b", "a"))
    cuts = tape.planner().cuts(PlanKind.REWIND, How.APPEND)
    assert [cuts.legal(at) for at in range(4)] == [True, True, False, True]
    assert not move(tape, 2).is_sound


def test_a_torn_tail_is_not_appended_to(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None), user("b", "a")]) + b'{"type":"mess', tmp_path)
    assert (
        why_not(tape)
        == "the last line is torn: Pi would put a line end behind it, and pass over it"
    )
    with pytest.raises(PlanError, match="torn"):
        move(tape, 1)
    assert planned(tape, Asked(PlanKind.REWIND, 1)).how is How.CREATE


@pytest.mark.parametrize("version", [None, 2])
def test_an_older_version_would_be_rewritten_first(tmp_path: Path, version: int | None) -> None:
    head = header(version=version)
    tape = folded(tmp_path, user("a", None), user("b", "a"), head=head)
    assert f"version {version or 1}: Pi would rewrite the file" in str(why_not(tape))


def test_what_pi_does_not_open_is_not_appended_to(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None)]).split(b"\n", 1)[1], tmp_path)
    assert str(why_not(tape)).startswith("Pi does not open the session")


def test_ids_that_came_again_are_no_sure_places(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), user("a", None))
    assert "places are not sure" in str(why_not(tape))
