"""Compactions: what each covers, where its summary stands, and what is wrong with one (page 5)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.zero.compaction import compaction_of
from inspector.formats.zero.event import ABSENT
from inspector.formats.zero.golang import Members, RefusedError, read
from inspector.timeline.words import Reason, SpanKind, Visibility
from tests.formats.zero.sessions import (
    answer,
    call,
    codes,
    compaction,
    event,
    log,
    messages,
    result,
    session,
    spans,
    surface,
    user,
    written,
)

FOUR = (user(), answer(), user("more"), answer("well"))


def decoded(text: str) -> Any:
    return compaction_of(read(text, Members)[0])


# Payloads.


def test_ids_come_before_the_sequence() -> None:
    found = decoded('{"summary":"s","compactableEvents":[{"id":"a"}],"compactedThroughSequence":9}')
    assert found == (("a",), 0)


def test_the_sequence_counts_where_no_id_is_left() -> None:
    refs = '[null,{"id":""},{"sequence":4}]'
    text = f'{{"summary":"s","compactableEvents":{refs},"compactedThroughSequence":9}}'
    assert decoded(text) == ((), 9)


def test_a_second_list_is_laid_over_the_first() -> None:
    first = '[{"id":"1"},{"id":"2"},{"id":"3"}]'
    second = '[{"sequence":1},{"type":"x"},{"id":"8"}]'
    text = f'{{"summary":"s","compactableEvents":{first},"compactableEvents":{second}}}'
    assert decoded(text).ids == ("1", "2", "8")


def test_keys_have_any_case_and_null_leaves_what_stood_there() -> None:
    assert decoded('{"SUMMARY":"s","Summary":null,"COMPACTEDTHROUGHSEQUENCE":2}') == ((), 2)


@pytest.mark.parametrize(
    "text",
    [
        '{"summary":7}',
        '{"summary":"s","promptChars":"many"}',
        '{"summary":"s","truncated":"yes"}',
        '{"summary":"s","preservedEvents":["s:1"]}',
        '{"summary":"s","compactableEvents":{}}',
        '{"summary":"s","compactableEvents":[{"id":5}]}',
        '{"summary":"s","compactableEvents":[{"id":"a","sequence":"1"}]}',
        '{"summary":"s","compactedThroughSequence":3.0}',
        '{"summary":"s","compactedThroughSequence":9223372036854775808}',
        "[]",
        '"text"',
    ],
)
def test_the_whole_payload_must_be_right(text: str) -> None:
    with pytest.raises(RefusedError) as refused:
        decoded(text)
    assert refused.value.problem == "the wrong type"


@pytest.mark.parametrize("blank", ["", " ", "\xa0", "\u2003", "\x85", "\u3000"])
def test_a_blank_summary_is_none(blank: str) -> None:
    with pytest.raises(RefusedError, match="summary is required"):
        decoded(f'{{"summary":"{blank}"}}')


@pytest.mark.parametrize("odd", ["\u200b", "\ufeff", "\u180e", "\\u001c"])
def test_what_only_looks_blank_is_a_summary(odd: str) -> None:
    assert decoded(f'{{"summary":"{odd}"}}') == ((), 0)


def test_no_payload_is_no_json() -> None:
    with pytest.raises(RefusedError) as refused:
        compaction_of(ABSENT)
    assert refused.value.problem == "not JSON"


# On the surface.


def test_a_summary_stands_where_the_first_covered_event_stood(tmp_path: Path) -> None:
    tape = session(log(*FOUR, compaction("s:2", "s:3"), user("on")), tmp_path)
    assert surface(tape) == [0, 4, 3, 5]
    nodes = tape.timeline.surface.nodes
    assert list(nodes.sources(4)) == [1, 2]
    assert tape.timeline.visibility(1, 6)[:2] == (Visibility.SHADOWED, 4)


def test_covered_events_need_not_stand_together(tmp_path: Path) -> None:
    tape = session(log(*FOUR, compaction("s:1", "s:3")), tmp_path)
    assert surface(tape) == [4, 1, 3]


def test_only_the_last_compaction_counts(tmp_path: Path) -> None:
    tape = session(log(*FOUR, compaction("s:1", "s:2"), user("on"), compaction("s:3")), tmp_path)
    assert surface(tape, 5) == [4, 2, 3]
    assert surface(tape) == [0, 1, 6, 3, 4, 5]
    assert tape.timeline.visibility(0, 5)[0] is Visibility.SHADOWED
    assert tape.timeline.visibility(0, 7)[0] is Visibility.VISIBLE


def test_a_log_only_event_is_cited_and_hides_nothing(tmp_path: Path) -> None:
    tape = session(log(user(), ("error", {"message": "x"}), compaction("s:2")), tmp_path)
    assert surface(tape) == [0, 2]
    assert codes(tape) == ["no-metadata"]


def test_what_is_covered_before_it_is_written_is_held_back(tmp_path: Path) -> None:
    cut = ("session_compaction", {"summary": "short", "compactedThroughSequence": 5})
    tape = session(log(*FOUR, cut, user("6"), user("7")), tmp_path)
    assert surface(tape) == [4, 5, 6]
    later = ("session_compaction", {"summary": "short", "compactedThroughSequence": 6})
    tape = session(log(*FOUR, later, user("6"), user("7")), tmp_path)
    assert surface(tape) == [4, 6]
    assert "compaction-covers-later" in codes(tape)
    assert tape.timeline.visibility(5, 7)[:2] == (Visibility.SHADOWED, 4)


def test_a_compaction_that_covers_nothing_stands_first_until_it_does(tmp_path: Path) -> None:
    tape = session(log(*FOUR, compaction("s:7"), user("6"), user("7"), user("8")), tmp_path)
    assert surface(tape, 6) == [4, 0, 1, 2, 3, 5]
    assert surface(tape, 7) == [0, 1, 2, 3, 5, 4]
    assert surface(tape) == [0, 1, 2, 3, 5, 4, 7]


def test_an_event_under_the_id_of_the_compaction_goes_with_it(tmp_path: Path) -> None:
    values = [event(1, *user()), event(2, *compaction("s:1")), event(2, *user("again"))]
    tape = session(written(values), tmp_path)
    assert surface(tape) == [1]
    assert messages(tape, "repeated-sequence") == ["sequence 2 comes again, behind 2"]


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (None, "not JSON: there is no payload"),
        ({"summary": " "}, "summary is required"),
        ({"summary": 5}, "the wrong type: summary is a number and no string"),
        ([], "the wrong type: the payload is an array"),
    ],
)
def test_a_broken_compaction_brings_every_event_back(
    tmp_path: Path, payload: Any, why: str
) -> None:
    values = [*FOUR, compaction("s:1"), ("session_compaction", payload), user("on")]
    tape = session(log(*values), tmp_path)
    assert surface(tape, 5) == [4, 1, 2, 3]
    assert surface(tape) == [0, 1, 2, 3, 4, 5, 6]
    assert messages(tape, "bad-compaction") == [f"sequence 6: {why}"]
    assert spans(tape, SpanKind.COMPACTION)[1] == (6, 6, "failed", why)
    assert tape.verdict().opens is True
    said = f"decode compaction payload seq 6: {why}; it goes on with the raw events"
    assert tape.verdict().reason == said


def test_a_good_compaction_behind_a_broken_one_counts(tmp_path: Path) -> None:
    broken = ("session_compaction", {"summary": ""})
    tape = session(log(*FOUR, broken, compaction("s:1", "s:2")), tmp_path)
    assert surface(tape) == [5, 2, 3, 4]
    assert tape.verdict().reason is None


@pytest.mark.parametrize(
    ("compacted", "why"),
    [
        (
            compaction("p:1", "p:2"),
            "names events of session p, none of which is here: a fork gives new ids",
        ),
        (compaction("s:99"), "names s:99, and no such event stands before it"),
        (compaction("s:98", "s:99"), "names s:98 and others, and no such event stands before it"),
        (compaction(), "names no event that it covers"),
    ],
)
def test_a_compaction_that_covers_nothing_says_why(
    tmp_path: Path, compacted: Any, why: str
) -> None:
    tape = session(log(*FOUR, compacted), tmp_path)
    assert surface(tape) == [4, 0, 1, 2, 3]
    assert messages(tape, "compaction-covers-nothing") == [f"sequence 5 {why}"]


def test_a_summary_that_moves_is_superseded(tmp_path: Path) -> None:
    tape = session(log(*FOUR, compaction("p:1"), user("on"), compaction("p:1")), tmp_path)
    assert surface(tape) == [6, 0, 1, 2, 3, 4, 5]
    stays = tape.timeline.surface.nodes
    assert stays.reason[4] == Reason.SUPERSEDED


def test_a_call_may_be_cut_from_its_result(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1"), result("c1"), compaction("s:1", "s:2")), tmp_path)
    assert surface(tape) == [3, 2]


def test_many_compactions_take_no_longer_each(tmp_path: Path) -> None:
    tape = session(log(*[compaction("p:1") for _ in range(1_500)]), tmp_path)
    assert surface(tape)[0] == 1_499
    assert tape.timeline.count(1_500) == 1_500


def test_a_compaction_in_a_mended_line_folds_as_far_as_it_was_read(tmp_path: Path) -> None:
    mended = written([event(3, *compaction("s:1", summary="a!b"))]).replace(b"!", b"\t")
    tape = session(log(user(), answer()) + mended, tmp_path)
    assert surface(tape) == [2, 1]
    assert tape.verdict().opens is False
    assert "at line 3: not JSON: invalid control character, at character " in (
        tape.verdict().reason or ""
    )
