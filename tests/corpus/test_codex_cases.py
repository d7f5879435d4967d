"""Each case about Codex logs has the outcome that its page states."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Tape
from inspector.timeline.words import Kind, Mark, Outcome, Reason, SpanKind, Visibility
from tests.corpus.corpus import ROOT, folded, needs_corpus
from tests.untouched import untouched

pytestmark = needs_corpus

CASES = ROOT / "cases"


def case(number: int, name: str = "input.jsonl") -> Tape:
    path = CASES / f"case-{number:02}" / name
    with untouched(path):
        return folded(path)


def sent(tape: Tape, cursor: int | None = None) -> list[str | None]:
    """What the request at a cursor says, entry by entry."""
    at = tape.timeline.events if cursor is None else cursor
    return [entry.text for entry in tape.request(at) if entry.note != "dropped"]


def codes(tape: Tape) -> list[str]:
    return [finding.kind.code for finding in tape.findings()]


def standing(tape: Tape) -> list[Visibility]:
    """What became of every event, as seen from the head."""
    events = tape.timeline.events
    return [tape.timeline.visibility(at, events)[0] for at in range(events)]


def behind_line(tape: Tape, line: int) -> int:
    return tape.timeline.table.before_record(line)


def test_a_byte_order_mark_loses_nothing_and_the_owner_refuses_it() -> None:
    tape = case(6)
    assert tape.identity.id == "01900000-0000-7000-8000-000000000001"
    assert (tape.records(), tape.sums().bookkeeping, tape.sums().damaged) == (7, 1, 0)
    assert codes(tape) == ["bom"]
    assert tape.errors() == 0
    assert sent(tape) == ["saved by an editor?", "yes it was"]
    assert not any("\r" in section.text for at in range(6) for section in tape.sections(at))
    assert tape.verdict().opens is False
    assert "byte order mark" in str(tape.verdict().reason)


@pytest.mark.parametrize(
    ("name", "found", "opens"),
    [
        ("rollout-cold.jsonl.zst", [], True),
        ("misnamed-zstd.jsonl", ["misnamed"], False),
    ],
)
def test_a_compressed_log_is_told_by_its_bytes(name: str, found: list[str], opens: bool) -> None:
    tape = case(15, name)
    assert sent(tape) == ["cold question", "cold answer"]
    assert codes(tape) == found
    assert tape.verdict().opens is opens
    assert tape.identity.variant == "wrapped/jsonl.zstd"


def test_twins_are_one_message() -> None:
    tape = case(39)
    assert len(sent(tape)) == 9
    kinds = [tape.timeline.surface.nodes.kind(row.node) for row in tape.timeline.rows(19)]
    assert kinds.count(Kind.MESSAGE) == 5
    assert kinds[0] is Kind.CONTEXT
    assert len(tape.timeline.marks.events(Mark.USER)) == 2
    reasoning = next(at for at in range(19) if tape.headline(at).kind == "reasoning")
    assert tape.headline(reasoning).text == "Greeting"


def test_rollbacks_are_cumulative() -> None:
    tape = case(40)
    assert sent(tape) == ["q1", "a1", "q5 live", "a5 live"]
    turns = {19: 3, 20: 1, 26: 2, 27: 1, 33: 2}
    for line, live in turns.items():
        said = [text for text in sent(tape, behind_line(tape, line)) if str(text).startswith("q")]
        assert len(said) == live, line
    rolled = [at for at in range(38) if tape.timeline.table.type(at).endswith("rolled_back")]
    assert [tape.place(tape.timeline.table.record(at)).line for at in rolled] == [20, 27, 39]
    nodes = tape.timeline.surface.nodes
    gone = [node for node in range(len(nodes.born)) if nodes.reason[node] == Reason.REWOUND]
    assert {nodes.cause(node) for node in gone if nodes.gone[node] <= 38} <= set(rolled)
    calls = tape.timeline.spans[SpanKind.TOOL_CALL]
    assert calls.ended(38) == {Outcome.INTERRUPTED: 1}
    assert tape.timeline.spans[SpanKind.TURN].ended(38)[Outcome.INTERRUPTED] == 1


def test_a_compaction_shows_each_message_once() -> None:
    tape = case(42)
    assert sent(tape) == ["q1", "q2", "SUMMARY-2", "q3", "a3"]
    assert tape.timeline.spans[SpanKind.COMPACTION].ended(22) == {Outcome.OK: 2}
    assert len(tape.timeline.marks.events(Mark.USER)) == 3
    shadowed = standing(tape).count(Visibility.SHADOWED)
    assert shadowed >= 3
    shown: dict[str, Any] = documents.show(tape, 22)
    assert len(shown["surface"]) == 5


def test_a_compaction_of_the_older_kind_keeps_what_the_person_said() -> None:
    assert sent(case(42, "legacy.jsonl")) == ["q1", "LEGACY-SUMMARY", "q2", "a2"]


def test_reading_a_case_writes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "rollout.jsonl"
    copy.write_bytes((CASES / "case-40" / "input.jsonl").read_bytes())
    with untouched(copy):
        folded(copy).close()
    assert [path.name for path in tmp_path.iterdir()] == ["rollout.jsonl"]
