"""What a compaction hides and keeps, and what a branch switch brings back."""

from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.words import Mark, Outcome, Role, SpanKind, Visibility
from tests.formats.pi.sessions import (
    answer,
    codes,
    compaction,
    edit,
    entry,
    folded,
    message,
    surface,
    user,
)

TALK = [user("a", None), answer("b", "a"), user("c", "b"), answer("d", "c")]


def test_what_stands_before_the_first_kept_entry_is_shadowed(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, compaction("s", "d", "c"), user("e", "s"))
    assert surface(tape) == ["s", "c", "d", "e"]
    assert tape.timeline.visibility(0, 6) == (Visibility.SHADOWED, 4)
    node = tape.timeline.rows(6)[0].node
    nodes = tape.timeline.surface.nodes
    assert (nodes.role(node), nodes.sources(node)) == (Role.SUMMARY, [0, 1])
    assert tape.timeline.is_replacement(4)
    assert tape.recorded_sizes(4).before == 1_000


def test_a_compaction_is_a_span_and_a_place_to_step_to(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, compaction("s", "d", "c"))
    spans = tape.timeline.spans[SpanKind.COMPACTION]
    assert (len(spans), spans[0].outcome) == (1, Outcome.OK)
    assert list(tape.timeline.marks.events(Mark.COMPACTION)) == [4]
    assert tape.span_id(spans[0]) == "s"


@pytest.mark.parametrize(
    ("kept", "told"),
    [("other", "not on its path"), ("nobody", "no entry is nobody"), (None, "says no entry")],
)
def test_nothing_is_kept_from_an_entry_that_is_not_before_it(
    kept: str | None, told: str, tmp_path: Path
) -> None:
    entries = [*TALK, user("other", "a"), compaction("s", "d", kept), user("e", "s")]
    tape = folded(tmp_path, *entries)
    assert surface(tape) == ["s", "e"]
    found = [finding for finding in tape.findings() if finding.kind.code == "keeps-nothing"]
    assert len(found) == 1
    assert told in found[0].message


def test_its_own_id_keeps_nothing_and_is_how_the_owner_says_so(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, compaction("s", "d", "s"))
    assert surface(tape) == ["s"]
    assert codes(tape) == []


def test_only_the_last_compaction_counts_and_may_bring_rows_back(tmp_path: Path) -> None:
    entries = [*TALK, compaction("s", "d", "d"), user("e", "s"), compaction("t", "e", "b")]
    tape = folded(tmp_path, *entries)
    assert surface(tape, 6) == ["s", "d", "e"]
    assert surface(tape, 7) == ["t", "b", "c", "d", "e"]
    assert tape.timeline.visibility(4, 7) == (Visibility.SHADOWED, 6)


def test_a_leaf_above_the_compaction_has_the_whole_history(tmp_path: Path) -> None:
    tape = folded(tmp_path, *TALK, compaction("s", "d", "d"), user("e", "s"), user("f", "d"))
    assert surface(tape) == ["a", "b", "c", "d", "f"]
    assert tape.timeline.visibility(4, 7) == (Visibility.REWOUND, 6)


def test_two_branches_with_compactions_of_their_own(tmp_path: Path) -> None:
    one = [compaction("s", "d", "b"), user("e", "s")]
    other = [compaction("t", "d", "c"), user("f", "t")]
    back = [user("g", "e"), user("h", "f")]
    tape = folded(tmp_path, *TALK, *one, *other, *back)
    assert surface(tape, 6) == ["s", "b", "c", "d", "e"]
    assert surface(tape, 8) == ["t", "c", "d", "f"]
    assert surface(tape, 9) == ["s", "b", "c", "d", "e", "g"]
    assert surface(tape, 10) == ["t", "c", "d", "f", "h"]
    assert tape.timeline.visibility(1, 10) == (Visibility.SHADOWED, 6)
    left = tape.timeline.changes(9, 10).left
    assert {tape.timeline.surface.nodes.origin(row.node) for row in left} == {1, 4, 5, 8}


def test_a_checkpoint_and_its_summary_are_two_rows_of_one_entry(tmp_path: Path) -> None:
    system: dict[str, Any] = {"role": "system", "content": "checkpoint"}
    spoken = message("y", "a", "system", "system")
    entries = [user("a", None), spoken, user("b", "y")]
    tape = folded(tmp_path, *entries, compaction("s", "b", "y", systemMessage=system))
    assert surface(tape) == ["s", "s", "b"]
    nodes = tape.timeline.surface.nodes
    rows = [row.node for row in tape.timeline.rows(4)]
    assert [nodes.role(node) for node in rows[:2]] == [Role.SYSTEM, Role.SUMMARY]
    assert [nodes.part(node) for node in rows[:2]] == [0, 1]
    assert [tape.node_headline(node).text for node in rows[:2]] == ["checkpoint", "summary s"]
    assert [tape.node_sections(node)[0].text for node in rows[:2]] == ["checkpoint", "summary s"]
    assert tape.timeline.visibility(1, 4) == (Visibility.SHADOWED, 3)


def test_what_a_compaction_hid_whose_branch_is_left_is_rewound(tmp_path: Path) -> None:
    first = [user("a", None), answer("b", "a"), user("c", "b"), answer("d", "c")]
    tape = folded(
        tmp_path, *first, compaction("k", "d", "d"), user("e", "b"), user("f", "k"), user("g", "b")
    )
    timeline = tape.timeline
    assert timeline.visibility(2, 5) == (Visibility.SHADOWED, 4)
    assert timeline.visibility(2, 6) == (Visibility.REWOUND, 5)
    assert (timeline.holds(4, 5), timeline.holds(4, 6), timeline.holds(4, 7)) == (True, False, True)
    assert [timeline.compactions(cursor) for cursor in (5, 6, 7, 8)] == [1, 0, 1, 0]
    assert timeline.visibility(2, 7) == (Visibility.SHADOWED, 4)
    assert timeline.visibility(2, 8) == (Visibility.REWOUND, 7)


def test_what_two_compactions_hide_is_hidden_by_the_one_on_the_path(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        *(user("a", None), answer("b", "a")),
        *(compaction("k", "b"), compaction("l", "b")),
        *(user("c", "k"), user("d", "l"), user("e", "a")),
    )
    timeline = tape.timeline
    told = [timeline.visibility(0, cursor) for cursor in (3, 4, 5, 6)]
    assert told == [(Visibility.SHADOWED, by) for by in (2, 3, 2, 3)]
    assert timeline.visibility(0, 7) == (Visibility.VISIBLE, None)
    assert timeline.visibility(1, 7) == (Visibility.REWOUND, 6)


def test_a_row_that_an_edit_took_whose_branch_is_left_is_rewound(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), edit("x", "b", "b"), user("c", "a"))
    assert tape.timeline.visibility(1, 3) == (Visibility.CLEARED, 2)
    assert tape.timeline.visibility(1, 4) == (Visibility.REWOUND, 3)


@pytest.mark.parametrize(("summary", "shown"), [({"said": "x"}, '{"said":"x"}'), (7, "7")])
def test_a_summary_that_is_no_text_is_shown_and_found(
    summary: object, shown: str, tmp_path: Path
) -> None:
    odd = [
        compaction("k", "a", summary=summary),
        entry("branch_summary", "s", "a", summary=summary),
    ]
    tape = folded(tmp_path, user("a", None), *odd)
    assert codes(tape).count("summary-no-text") == 2
    for event in (1, 2):
        assert tape.headline(event).text.replace(" ", "") == shown
        assert shown in tape.sections(event)[0].text.replace(" ", "").replace("\n", "")
