"""The history without summaries is that of the path, whatever hid its rows and whenever."""

from pathlib import Path

import pytest

from inspector.formats.planning import View
from tests.formats.pi.planning.planned import chain, fork, made, said
from tests.formats.pi.sessions import (
    Json,
    branch_summary,
    compaction,
    edit,
    folded,
    message,
    surface,
    user,
)


def originals(folder: Path, *entries: Json) -> list[str]:
    plan = fork(folded(folder, *entries), None, View.ORIGINALS)
    assert plan.is_sound
    assert plan.view is not None
    shown = surface(made(plan, folder))
    assert len(plan.view.after) == len(shown)
    return shown


def test_rows_that_a_branch_brings_in_and_its_compaction_hides_are_there(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), user("q", None)]
    found = originals(tmp_path, *entries, compaction("k", "b", "k"), user("z", "k"))
    assert found == ["a", "b", "z"]


def test_they_are_there_too_where_the_compaction_keeps_some(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), user("c", "b"), user("q", "a")]
    found = originals(tmp_path, *entries, compaction("k", "c", "c"), user("z", "k"))
    assert found == ["a", "b", "c", "z"]


def test_a_compaction_of_another_branch_hides_nothing_of_this_one(tmp_path: Path) -> None:
    found = originals(
        tmp_path,
        user("a", None),
        user("b", "a"),
        compaction("k", "b", "k"),
        user("z", "k"),
        user("w", "a"),
    )
    assert found == ["a", "w"]


@pytest.mark.parametrize("before", [True, False])
def test_what_an_edit_took_away_does_not_come_back(tmp_path: Path, *, before: bool) -> None:
    gone = edit("x", "b" if before else "k", "a")
    hidden = compaction("k", "x" if before else "b", "b")
    entries = [gone, hidden] if before else [hidden, gone]
    last = user("d", "k" if before else "x")
    assert originals(tmp_path, user("a", None, "secret"), user("b", "a"), *entries, last) == [
        "b",
        "d",
    ]


def test_what_an_edit_replaced_stays_replaced(tmp_path: Path) -> None:
    entries = [user("a", None, "secret"), user("b", "a"), edit("x", "b", "a", "[redacted]")]
    found = originals(tmp_path, *entries, compaction("k", "x", "k"), user("d", "k"))
    assert found == ["a*", "b", "d"]


def test_what_was_replaced_while_it_was_hidden_cannot_be_given(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None, "secret"),
        user("b", "a"),
        compaction("k", "b", "b"),
        edit("x", "k", "a", "[redacted]"),
        user("d", "x"),
    )
    plan = fork(tape, None, View.ORIGINALS)
    assert plan.view is not None
    assert plan.view.offered[View.ORIGINALS] == (
        "#0 was given other content by #3 while it was hidden: what it says by now stands in no row"
    )
    assert not plan.writes
    assert not plan.is_sound
    assert said(plan, "view") == (False, "originals cannot be given")


def test_the_last_edit_of_the_path_holds(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), edit("x", "b", "a"), edit("y", "x", "a", "anew")]
    found = originals(tmp_path, *entries, compaction("k", "y", "k"))
    assert found == ["a*", "b"]


def test_a_summary_that_an_edit_took_away_hides_nothing_either(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), compaction("k", "b", "b"), edit("x", "k", "k")]
    assert originals(tmp_path, *entries, user("c", "x")) == ["a", "b", "c"]


def test_a_branch_summary_is_left_out_and_its_branch_stays_left(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), branch_summary("s", "a"), user("c", "s")]
    assert originals(tmp_path, *entries) == ["a", "c"]


def test_what_the_system_said_stands_where_it_was_said(tmp_path: Path) -> None:
    told = {"role": "system", "content": "checkpoint"}
    found = originals(
        tmp_path,
        message("s", None, "system", "sys"),
        user("a", "s"),
        compaction("k", "a", "a", systemMessage=told),
        user("b", "k"),
    )
    assert found == ["s", "a", "b"]


def test_before_the_cut_is_what_counts(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a"),
        compaction("k", "b", "k"),
        user("c", "k"),
        edit("x", "c", "b"),
    )
    plan = fork(tape, 4, View.ORIGINALS)
    assert chain(plan) == ["a", "b", "c"]
    assert surface(made(plan, tmp_path)) == ["a", "b", "c"]
