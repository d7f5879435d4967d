"""The cases of Pi sessions: what is right by the case, and what the owner says."""

from typing import Final

from inspector.timeline.words import Visibility
from tests.corpus.corpus import ROOT, needs_corpus
from tests.corpus.test_pi_oracle import held
from tests.formats.pi.sessions import codes, surface
from tests.untouched import untouched

pytestmark = needs_corpus

CASES: Final = ROOT / "cases"


def test_what_stands_behind_a_torn_record_is_shown_and_its_hole_told() -> None:
    tape = held(CASES / "case-02" / "input.jsonl")
    assert tape.timeline.events == 5
    found = [tape.message_id(event) for event in range(5)]
    assert found == ["aaaa0001", "aaaa0002", "aaaa0004", "aaaa0005", "aaaa0006"]
    torn = [finding for finding in tape.findings() if finding.record == 3]
    assert {finding.kind.code for finding in torn} >= {"torn-prefix", "missing-parent"}
    missing = [finding.message for finding in torn if finding.kind.code == "missing-parent"]
    assert missing == ["no entry before it is its parent aaaa0003"]
    assert surface(tape) == ["aaaa0005", "aaaa0006"]
    assert tape.sums().recovered == 1


def test_a_kept_entry_of_another_branch_keeps_nothing() -> None:
    tape = held(CASES / "case-44" / "input.jsonl")
    cursors = {tape.message_id(event): event + 1 for event in range(tape.timeline.events)}
    shown = ["bbbb0001", "bbbb0002", "bbbb000a", "bbbb000c"]
    assert surface(tape) == shown
    assert surface(tape, cursors["bbbb0009"]) == ["bbbb0007", "bbbb0008", "bbbb0009"]
    assert len(surface(tape, cursors["bbbb0004"])) == 4
    kept = [finding for finding in tape.findings() if finding.kind.code == "keeps-nothing"]
    assert [tape.place(finding.record or 0).line for finding in kept] == [8]
    edited, head = cursors["bbbb000b"] - 1, tape.timeline.events
    assert tape.timeline.visibility(edited, head) == (
        Visibility.CLEARED,
        cursors["bbbb000e"] - 1,
    )
    title = tape.timeline.registers.at("title", head)
    assert title is not None
    assert title.value == "Three branches"


def test_a_file_of_version_1_is_folded_and_left_alone() -> None:
    path = CASES / "case-46" / "input.jsonl"
    with untouched(path):
        tape = held(path)
        said = [tape.node_headline(row.node).text for row in tape.timeline.rows(6)]
        assert said == ["Said hello.", "kept prompt", "kept reply", "after compaction"]
        assert "rewrites the file on open" in (tape.verdict().reason or "")
        assert "appends a line end" in (tape.verdict().reason or "")
        assert [tape.message_id(event) for event in range(6)] == [None] * 6


def test_a_newer_version_is_read_with_a_warning() -> None:
    tape = held(CASES / "case-46" / "future-v99.jsonl")
    assert codes(tape) == ["newer-version", "unknown-type"]
    assert tape.timeline.events == 3
    assert tape.coverage(3) is not None
    coverage = tape.coverage(3)
    assert coverage is not None
    assert coverage.on_chain == 3
