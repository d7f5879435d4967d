"""What Zero's own code answered about the sample sessions, file by file."""

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.planning import How, PlanKind
from inspector.formats.zero.reading import ZeroTape
from inspector.formats.zero.request import rehydrated
from inspector.timeline.words import Life, Visibility
from tests.corpus.corpus import ROOT, folded, found, needs_corpus
from tests.untouched import untouched

pytestmark = needs_corpus

TAPES = ROOT / "tapes" / "zero"
MAIN = "zero_20260822090000_main_1"
COMPACTED = "zero_20260822091000_compact_2"
FORK = "zero_20260822092000_fork_3"


def expected(name: str) -> Any:
    return found(TAPES / "expected" / f"{name}.json")


def session(name: str, folder: str = "sessions") -> ZeroTape:
    """A session's folder, opened as a person does."""
    path = TAPES / folder / name
    with untouched(path):
        tape = folded(path)
    assert isinstance(tape, ZeroTape)
    return tape


def said(tape: ZeroTape, events: list[int]) -> list[str]:
    """Events in the words of the expected files."""
    told = [(tape.number(at), tape.timeline.table.type(at), tape.message_id(at)) for at in events]
    return [f"{number} {kind} {identity or ''}" for number, kind, identity in told]


def rehydrated_events(tape: ZeroTape, cursor: int | None = None) -> list[str]:
    at = tape.timeline.events if cursor is None else cursor
    return said(tape, list(chain.from_iterable(rehydrated(tape, at))))


def surface(tape: ZeroTape, cursor: int | None = None) -> list[int]:
    nodes = tape.timeline.surface.nodes
    at = tape.timeline.events if cursor is None else cursor
    return [nodes.origin(row.node) for row in tape.timeline.rows(at)]


# The main session.


def test_every_type_is_counted_as_the_owner_counts_it() -> None:
    counts = expected("A_raw_counts")
    tape = session(MAIN)
    types = Counter(tape.timeline.table.type(at) for at in range(counts["events"]))
    assert dict(types) == counts["byType"]


def test_the_main_session_has_its_child_its_goal_and_its_spec() -> None:
    (child,) = expected("A_tree")["children"]
    tape = session(MAIN)
    assert [kin.tape for kin in tape.timeline.kin if kin.relation == "subagent"] == [
        child["session"]["sessionId"]
    ]
    registers = tape.timeline.registers
    setting = registers.at("goal", 29)
    assert setting is not None
    assert tape.value("goal", setting)["because"] == "all tests green"
    assert tape.verdict().opens is True
    assert list(tape.findings()) == []


def test_the_child_knows_its_parent_and_is_not_resumed() -> None:
    error = expected("I_resume_child_error")["error"]
    tape = session("zero_20260822092300_child_6")
    assert error.endswith(tape.identity.id)
    assert tape.identity.parent == MAIN
    assert {(kin.relation, kin.tape) for kin in tape.timeline.kin} == {("parent", MAIN)}
    assert tape.identity.beside[0] == "a session of kind child, which the owner does not resume"
    assert tape.planner().ways(PlanKind.RESUME)[How.APPEND] == error


@pytest.mark.parametrize("name", ["zero_20260822092100_fork_of_A_4", FORK])
def test_a_fork_comes_back_in_the_owners_order(name: str) -> None:
    answers = {FORK: "C_fork_rehydrated"}
    answer = expected(answers.get(name, "A2_fork_rehydrated"))
    tape = session(name)
    assert rehydrated_events(tape) == answer["events"]
    copied = tape.timeline.events - 1
    lives = [tape.timeline.life(at, copied + 1) for at in range(copied + 1)]
    assert lives == [Life.INHERITED] * copied + [Life.THIS]


def test_a_fork_of_a_compacted_session_folds_no_more_and_says_why() -> None:
    tape = session(FORK)
    assert tape.identity.parent == expected("C_fork_metadata")["parentSessionId"]
    messages = [one.message for one in tape.findings()]
    assert len(messages) == 3
    assert all(f"names events of session {COMPACTED}, none of which" in one for one in messages)
    assert tape.timeline.visibility(0, 28)[0] is Visibility.VISIBLE


# Compactions.


def test_three_compactions_swallow_each_other() -> None:
    tape = session(COMPACTED)
    assert rehydrated_events(tape) == expected("B_rehydrated_three")["events"]
    assert rehydrated_events(tape, 13) == expected("B_rehydrated_one")["events"]
    early = session("B_one_compaction", "snapshots")
    assert rehydrated_events(early) == expected("B_rehydrated_one")["events"]
    assert surface(early) == surface(tape, 13)


NOT_KEPT: Final = {"edge_blank_ids", "edge_cutoff_past_self"}
"""Sessions that the owner answered about and whose files are not in the corpus."""


@pytest.mark.parametrize("name", sorted((expected("E_compaction_edges") or {}).keys() - NOT_KEPT))
def test_a_compaction_of_an_odd_shape_folds_as_the_owner_folds_it(name: str) -> None:
    answer = expected("E_compaction_edges")[name]
    tape = session(name)
    if answer["error"] is None:
        assert rehydrated_events(tape) == answer["events"]
        assert tape.verdict().reason is None
        return
    assert surface(tape) == list(range(tape.timeline.events))
    words = answer["error"].partition(": ")[0]
    assert (tape.verdict().reason or "").startswith(f"{words}: ")


def test_what_was_answered_about_and_is_not_kept_is_what_is_listed() -> None:
    kept = {path.name for path in (TAPES / "sessions").glob("edge_*")}
    assert expected("E_compaction_edges").keys() - kept == NOT_KEPT


# Damage.


@pytest.mark.parametrize("name", sorted(expected("F_damaged_logs") or {}))
@pytest.mark.parametrize("when", ["read", "readAfterAppend"])
def test_a_damaged_log_reads_as_the_owner_reads_it(name: str, when: str) -> None:
    answer = expected("F_damaged_logs")[name][when]
    before = when == "read"
    folder = "snapshots" if before else "sessions"
    tape = session(f"{name}_before_append" if before else name, folder)
    if answer["error"] is None:
        assert said(tape, list(range(tape.timeline.events))) == answer["events"]
        assert tape.verdict().opens is True
        return
    place = answer["error"].partition(" at line ")
    line = place[2].partition(":")[0]
    assert tape.verdict().opens is False
    assert (tape.verdict().reason or "").startswith(f"{place[0]} at line {line}: ")
    assert tape.timeline.events >= 2, "what can be read is shown all the same"


# Numbers.


@pytest.mark.parametrize("name", sorted(expected("G_sequence_gaps") or {}))
def test_numbers_may_leave_a_gap(name: str) -> None:
    tape = session(name)
    events = list(range(tape.timeline.events))
    assert said(tape, events) == expected("G_sequence_gaps")[name]["events"]
    assert all(one.kind.code == "sequence-gap" for one in tape.findings())


def test_a_rewind_reuses_numbers_and_what_was_dropped_is_gone() -> None:
    answer = expected("D_rewind")
    tape = session("zero_20260822093000_rewind_7")
    assert [tape.payload(at) for at in range(tape.timeline.events)] == answer["events"]
    before = session("D_before_rewind", "snapshots")
    assert before.timeline.table.type(4) != "session_rewind"
    assert (before.number(4), tape.number(4)) == (5, 5)
    (told,) = [one for one in tape.findings() if one.kind.code == "rewound"]
    assert "rewound to sequence 4 (files: 1 restored, 1 deleted)" in told.message


# Resuming.


def test_the_prompt_of_a_resumed_session_tells_the_same_events() -> None:
    answer = expected("I_resume_prompt_B")
    tape = session(COMPACTED)
    entries = tape.request(tape.timeline.events)
    head, _, _ = answer["prompt"].partition("\n\nCurrent user request:")
    ours = "\n".join(entry.text or "" for entry in entries if entry.note != "dropped")
    # The owner joins the values of a payload in any order, another one at every run.
    words = [sorted(line.split()) for line in head.splitlines()]
    assert [sorted(line.split()) for line in ours.splitlines()] == words
    assert len(entries) - 1 == answer["contextEvents"]


def test_the_owner_resumes_the_kinds_that_we_say() -> None:
    told = {
        entry["sessionId"]: entry["resumable"]
        for entry in expected("I_list")
        if (TAPES / "sessions" / entry["sessionId"]).is_dir()
    }
    assert len(told) > 20
    for name, resumable in told.items():
        facts = session(name).identity.beside
        assert any("does not resume" in fact for fact in facts) is not resumable


def test_no_sample_is_read_with_an_unexpected_verdict() -> None:
    folders = sorted(path.name for path in Path(TAPES / "sessions").iterdir())
    refused = [name for name in folders if session(name).verdict().opens is False]
    errors = {
        name for name, one in expected("F_damaged_logs").items() if one["readAfterAppend"]["error"]
    }
    assert set(refused) == errors
