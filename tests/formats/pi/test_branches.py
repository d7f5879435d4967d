"""Branches that are left and gone back to, and entries that hang nowhere."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import transcript
from inspector.formats.contract import Coverage
from inspector.lenses.difference import difference
from inspector.timeline.words import Kind, Role, Visibility
from tests.formats.pi.sessions import (
    Json,
    answer,
    branch_summary,
    codes,
    entry,
    folded,
    label,
    opened,
    surface,
    text_of,
    user,
)


def test_rows_of_a_branch_that_is_left_are_rewound(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"), user("d", "b"))
    assert surface(tape, 3) == ["a", "b", "c"]
    assert surface(tape, 4) == ["a", "b", "d"]
    assert tape.timeline.visibility(2, 4) == (Visibility.REWOUND, 3)


def test_a_label_on_an_older_entry_goes_back_to_it(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"), label("l", "a", "c"))
    assert surface(tape) == ["a"]
    assert surface(tape, 3) == ["a", "b", "c"]


def test_a_branch_summary_names_what_was_left(tmp_path: Path) -> None:
    left = [user("c", "b"), answer("d", "c")]
    tape = folded(tmp_path, user("a", None), answer("b", "a"), *left, branch_summary("s", "b"))
    nodes = tape.timeline.surface.nodes
    node = tape.timeline.rows(5)[-1].node
    assert (nodes.role(node), nodes.kind(node)) == (Role.SUMMARY, Kind.SUMMARY)
    assert nodes.sources(node) == [2, 3]
    assert not tape.timeline.is_replacement(4)


def test_an_empty_branch_summary_makes_no_row(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), branch_summary("s", "a", ""))
    assert surface(tape) == ["a"]


def test_the_path_stops_at_a_parent_that_is_not_there(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "lost"))
    assert surface(tape) == ["b"]
    assert codes(tape) == ["missing-parent"]
    assert tape.verdict().opens is True


def test_a_parent_that_comes_later_counts_from_then_on(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("b", "a"), user("a", None), user("c", "b"))
    assert [surface(tape, cursor) for cursor in (1, 2, 3)] == [["b"], ["a"], ["a", "b", "c"]]
    assert codes(tape) == ["missing-parent", "late-entry"]


def test_of_two_entries_with_an_id_the_later_one_counts(tmp_path: Path) -> None:
    again = user("a", None, "again")
    tape = folded(tmp_path, user("a", None), answer("b", "a"), again, user("c", "b"))
    assert surface(tape) == ["a", "b", "c"]
    assert tape.node_headline(tape.timeline.rows(4)[0].node).text == "again"
    assert codes(tape) == ["duplicate-id"]


def test_parents_that_go_round_are_cut_and_the_owner_never_ends(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", "b"), user("b", "a"), user("c", "b"))
    assert surface(tape) == ["a", "b", "c"]
    assert codes(tape) == ["missing-parent", "late-entry", "parent-cycle"]
    verdict = tape.verdict()
    assert verdict.opens is False
    assert "it never ends" in (verdict.reason or "")


def test_a_later_branch_beside_the_circle_opens_again(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", "a"), user("b", None))
    assert surface(tape) == ["b"]
    assert tape.verdict().opens is True


def test_an_entry_without_an_id_is_a_leaf_and_no_parent(tmp_path: Path) -> None:
    nameless = user("x", "a")
    del nameless["id"]
    tape = folded(tmp_path, user("a", None), nameless, user("b", "a"))
    assert surface(tape, 2) == ["a", "None"]
    assert surface(tape) == ["a", "b"]


def test_a_value_that_is_no_object_empties_the_context_for_a_line(tmp_path: Path) -> None:
    content = text_of([user("a", None)]) + b"42\n" + text_of([user("b", "a")]).split(b"\n", 1)[1]
    tape = opened(content, tmp_path)
    assert [surface(tape, cursor) for cursor in (1, 2, 3)] == [["a"], [], ["a", "b"]]
    assert tape.headline(1).text == "42"
    assert codes(tape) == ["entry-no-object"]


def test_coverage_counts_the_entries_of_the_path(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"), label("l", "a", "c"))
    told = [tape.coverage(cursor) for cursor in range(5)]
    reached = [(one.records, one.on_chain, one.visible) for one in told if one]
    assert reached == [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 2, 1)]


def test_an_unknown_type_carries_the_path_and_is_told(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), entry("quantum", "q", "a"), user("b", "q"))
    assert surface(tape) == ["a", "b"]
    assert codes(tape) == ["unknown-type"]


def test_a_branch_summary_is_no_compaction(tmp_path: Path) -> None:
    left = [user("c", "b"), answer("d", "c")]
    tape = folded(tmp_path, user("a", None), answer("b", "a"), *left, branch_summary("s", "b"))
    assert tape.timeline.sums_up_branch(4)
    told = transcript.document(tape, 5)["entries"]
    (divider,) = [one["divider"] for one in told if one["divider"]]
    assert divider["what"] == "branch"
    assert "branch left, summary of it" in transcript.divider_line(divider)
    entered = difference(tape.timeline, 4, 5).entered
    assert [arrival.reason for arrival in entered if arrival.row.born == 5] == ["new"]


def test_an_object_with_nothing_in_it_can_be_read(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), {})
    assert tape.headline(1).kind != "unreadable"
    assert [part.tone for part in tape.sections(1)] != ["error"]


@pytest.mark.parametrize("message", [None, {}, {"role": 7}])
def test_a_message_without_a_role_says_what_is_missing(message: object, tmp_path: Path) -> None:
    tape = folded(tmp_path, entry("message", "a", None, message=message))
    (found,) = [one for one in tape.findings() if one.kind.code == "message-without-role"]
    said = "the message says nobody who speaks" if message else "the entry has no message"
    assert found.message == said


GONE = object()


@pytest.mark.parametrize(
    ("parent", "told"),
    [
        ({"id": "a"}, 'its parentId is {"id":"a"}'),
        (["a"], 'its parentId is ["a"]'),
        (False, "its parentId is false"),
        (0, "its parentId is 0"),
        ("", "its parentId is empty"),
        (GONE, "no key parentId"),
    ],
)
def test_a_parent_that_can_be_no_id_is_told(parent: Any, told: str, tmp_path: Path) -> None:
    last: Json = {**user("b", None), "parentId": parent}
    if parent is GONE:
        del last["parentId"]
    tape = folded(tmp_path, user("a", None), last)
    assert surface(tape) == ["b"]
    (found,) = tape.findings()
    assert (found.kind.code, found.event) == ("parent-no-id", 1)
    assert found.message == f"{told}, which names no entry"
    line = text_of([last]).split(b"\n")[1]
    torn = opened(text_of([user("a", None)]) + line[:20] + line + b"\n", tmp_path)
    assert "parent-no-id" in codes(torn)


def test_a_number_names_the_entry_that_has_it_as_its_id(tmp_path: Path) -> None:
    first: Json = {**user("a", None), "id": 7}
    tape = folded(tmp_path, first, {**user("b", None), "parentId": 7})
    assert surface(tape) == ["7", "b"]
    assert codes(tape) == []
    lost = folded(tmp_path, first, {**user("b", None), "parentId": 8})
    assert [one.message for one in lost.findings()] == ["no entry before it is its parent 8"]


def test_how_much_the_path_reaches_is_of_as_many_entries_as_are_known(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), user("c", "a"))
    assert tape.coverage(3) == Coverage(3, 2, 2)
    # An entry is there before its place is: what is told of it is of those before.
    tape.decoder.coverage._depth.pop()
    assert tape.coverage(3) == Coverage(2, 2, 2)
