"""Edits take rows away, change what they say, and bring them back."""

from pathlib import Path

from inspector.timeline.words import Form, Visibility
from tests.formats.pi.sessions import (
    answer,
    branch_summary,
    codes,
    compaction,
    edit,
    entry,
    folded,
    result,
    surface,
    user,
)

TALK = [user("a", None), answer("b", "a"), user("c", "b")]


def test_no_content_takes_a_row_away(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, edit("x", "c", "b"))
    assert surface(tape) == ["a", "c"]
    assert tape.timeline.visibility(1, 4) == (Visibility.CLEARED, 3)


def test_another_content_stands_in_the_place_of_the_first(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, edit("x", "c", "b", "shorter"))
    assert surface(tape) == ["a", "b*", "c"]
    node = tape.timeline.rows(4)[1].node
    nodes = tape.timeline.surface.nodes
    assert (nodes.origin(node), nodes.form(node)) == (1, Form.REBUILT)
    assert nodes.sources(node) == [3]
    assert tape.node_headline(node).text == "shorter"
    assert [section.text for section in tape.node_sections(node)] == ["shorter"]
    assert tape.headline(1).text == "answer b"


def test_the_last_edit_of_the_path_counts(tmp_path: Path) -> None:
    edits = [edit("x", "c", "b"), edit("y", "x", "b", "back"), edit("z", "y", "b")]
    tape = folded(tmp_path, *TALK, *edits)
    shown = [surface(tape, cursor) for cursor in (4, 5, 6)]
    assert shown == [["a", "c"], ["a", "b*", "c"], ["a", "c"]]


def test_an_edit_of_another_branch_does_not_count(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, edit("x", "c", "b"), user("d", "c"), user("e", "x"))
    assert surface(tape, 5) == ["a", "b", "c", "d"]
    assert surface(tape, 6) == ["a", "c", "e"]


def test_an_edit_holds_for_what_a_compaction_keeps_with_it(tmp_path: Path) -> None:
    entries = [*TALK, edit("x", "c", "c", "other"), compaction("s", "x", "b")]
    tape = folded(tmp_path, *entries)
    assert surface(tape) == ["s", "b", "c*"]


def test_a_compaction_that_hides_the_edit_leaves_the_row_as_it_was(tmp_path: Path) -> None:
    # Only an edit above what it is about can be hidden without it.
    entries = [user("a", None), edit("x", "a", "c"), user("c", "x"), compaction("s", "c", "c")]
    tape = folded(tmp_path, *entries)
    assert surface(tape, 3) == ["a"]
    assert surface(tape, 4) == ["s", "c"]


def test_a_summary_can_be_taken_away_and_not_changed(tmp_path: Path) -> None:
    entries = [user("a", None), branch_summary("s", "a"), edit("x", "s", "s", "other")]
    tape = folded(tmp_path, *entries, edit("y", "x", "s"))
    assert surface(tape, 3) == ["a", "s"]
    assert surface(tape, 4) == ["a"]


def test_an_edit_without_replacement_is_where_the_owner_fails(tmp_path: Path) -> None:
    broken = entry("context_edit", "x", "c", targetId="b")
    tape = folded(tmp_path, *TALK, broken)
    assert surface(tape) == ["a", "b", "c"]
    assert codes(tape) == ["edit-without-replacement"]
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, 3)
    assert "reading 'content'" in (verdict.reason or "")


def test_a_broken_edit_does_no_harm_on_another_branch(tmp_path: Path) -> None:
    broken = entry("context_edit", "x", "c", targetId="b")
    assert folded(tmp_path, *TALK, broken, user("d", "c")).verdict().opens is True


def test_a_changed_result_still_answers_its_call(tmp_path: Path) -> None:
    entries = [user("a", None), answer("b", "a", "k"), result("r", "b", "k")]
    tape = folded(tmp_path, *entries, edit("x", "r", "r", "cut"))
    told = [(one.type, one.call_id, one.why) for one in tape.request(4)]
    assert told[-1] == ("tool_result", "k", "")
