"""Parts of the outcomes of the awkward transcripts: figures, marks and what is said of them."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from inspector.export import documents
from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.timeline.words import SpanKind
from tests.corpus.corpus import ROOT, folded, needs_corpus
from tests.corpus.test_claude_cases import CASES, spent, tape_of

pytestmark = needs_corpus

ELSEWHERE = {
    "case-63": "which values are hidden: nothing is redacted yet",
    "case-21.4": "the tokens of several files at once: one tape is open at a time",
}
"""Outcomes that no test asks for, and why."""


def told(tape: Tape, code: str) -> list[tuple[int, str]]:
    """The lines of findings of a kind, and what they say."""
    found = documents.check(tape)["findings"]
    return [(one["line"], one["message"]) for one in found if one["code"] == code]


def spent_by(tape: Tape, model: str) -> tuple[int, int]:
    """Input and output of the requests to a model."""
    events = tape.timeline.events
    named = [
        usage
        for usage in tape.timeline.usage.requests(events)
        if tape.payload(usage.event)["message"]["model"] == model
    ]
    return sum(usage.input for usage in named), sum(usage.output for usage in named)


def test_07_each_half_character_is_told_where_it_is() -> None:
    """One more than the case counts: line 3 has its text twice, in the tool's own result too."""
    found = told(tape_of(7), "lone-surrogate")
    assert Counter(line for line, _ in found) == Counter({2: 1, 3: 2, 4: 3})


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "input.jsonl"
    subprocess.run(
        [sys.executable, str(CASES / "case-10" / "gen.py"), str(path), "1"],
        check=True,
        capture_output=True,
    )
    return path


def test_10_a_picture_in_a_line_is_named_and_not_laid_out(picture: Path) -> None:
    tape = folded(picture)
    assert (tape.timeline.events, tape.timeline.count(4)) == (4, 4)
    assert documents.check(tape)["findings"] == []
    result = next(at for at in range(4) if tape.message_id(at) == "r-1")
    shown = "\n".join(section.text for section in tape.sections(result))
    assert "NEEDLE-BEFORE" in shown
    assert "NEEDLE-AFTER" in shown
    assert "image/png" in shown
    assert len(shown) < 10_000


def test_15_a_plain_log_under_the_name_of_a_packed_one() -> None:
    tape = folded(CASES / "case-15" / "misnamed-plain.jsonl.zst")
    assert tape.timeline.events > 0
    assert "misnamed" in [finding.kind.code for finding in tape.findings()]


def test_23_pieces_out_of_reach_were_paid_for() -> None:
    assert spent(tape_of(23))[:2] == (6, 6)


def test_25_what_the_active_branch_cost() -> None:
    tape = tape_of(25)
    events, nodes = tape.timeline.events, tape.timeline.surface.nodes
    branch = {nodes.origin(row.node) for row in tape.timeline.rows(events)}
    requests = list(tape.timeline.usage.requests(events))
    active = [usage for usage in requests if usage.event in branch]
    left = [usage for usage in requests if usage.event not in branch]
    assert (sum(u.input for u in active), sum(u.output for u in active)) == (60, 6)
    assert (sum(u.input for u in left), sum(u.output for u in left)) == (90, 9)


def test_28_a_call_without_an_answer_has_no_end() -> None:
    table = tape_of(28).timeline.spans[SpanKind.TOOL_CALL]
    last = table[len(table) - 1]
    assert (last.outcome.label, last.closed) == ("running", None)


def test_31_a_boundary_is_joined_to_what_stands_before_it() -> None:
    tape = tape_of(31)
    table = tape.timeline.spans[SpanKind.COMPACTION]
    assert len(table) == 1
    boundary = next(at for at in range(9) if tape.message_id(at) == "cb-1")
    assert tape.payload(boundary)["logicalParentUuid"] == "u-c"
    shown = "\n".join(f"{one.heading} {one.text}" for one in tape.sections(boundary))
    assert "manual" in shown


@pytest.mark.parametrize(
    ("agent", "model", "tokens"),
    [("x1", "small-model-y", (2_100, 210)), ("zz", "claude-model-x", (7, 7))],
)
def test_34_the_tokens_of_a_subagent_by_its_model(
    agent: str, model: str, tokens: tuple[int, int]
) -> None:
    folder = CASES / "case-34" / "dddddddd-0000-4000-8000-000000000004" / "subagents"
    assert spent_by(folded(folder / f"agent-{agent}.jsonl"), model) == tokens


def test_34_the_parent_spent_its_own() -> None:
    tape = tape_of(34, "dddddddd-0000-4000-8000-000000000004.jsonl")
    assert spent_by(tape, "claude-model-x") == (250, 25)
    assert any("Explore" in fact for fact in tape.identity.beside)


def test_35_records_by_their_types() -> None:
    tape = tape_of(35)
    table = tape.timeline.table
    types = Counter(table.type(at) for at in range(tape.timeline.events))
    once = ("file-history-snapshot", "mode", "permission-mode", "custom-title", "agent-name")
    for kind in (*once, "ai-title", "pr-link", "tag", "last-prompt"):
        assert types[kind] == 1, kind
    assert types["queue-operation"] == 2
    title = tape.timeline.registers.at("title", tape.timeline.events)
    assert title is not None
    assert title.value == "Greeting"


def test_37_a_time_without_a_zone_is_taken_as_that_of_greenwich() -> None:
    table = tape_of(37).timeline.table
    first = table.time(0)
    assert first is not None
    assert table.time(3) == first + 7_000


@pytest.mark.parametrize("case", [60, 62])
def test_hostile_texts_reach_nobody_as_they_are(case: int) -> None:
    tape = tape_of(case)
    for event in range(tape.timeline.events):
        headline = tape.headline(event)
        for said in (headline.text, headline.kind, *(s.text for s in tape.sections(event))):
            cleaned = clean_line(said, 100_000)
            assert not [c for c in cleaned if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0]
            assert not [
                c for c in cleaned if c in "\u202e\u2066\u2067\u2068\u2069\u200b\u2060\ufeff"
            ]


def test_60_the_record_behind_an_open_escape_is_there() -> None:
    tape = tape_of(60)
    assert "last line is clean" in tape.headline(tape.timeline.events - 1).text


def test_what_is_listed_is_a_case() -> None:
    assert all((ROOT / "cases" / name.partition(".")[0]).is_dir() for name in ELSEWHERE)
