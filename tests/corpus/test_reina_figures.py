"""What is stated of the shared Reina tape, and the samples beside it."""

from inspector.export import documents
from inspector.formats.contract import Tape
from inspector.timeline.words import Kind, Outcome, SpanKind, Visibility
from tests.corpus.corpus import ROOT, folded, needs_corpus
from tests.untouched import untouched

pytestmark = needs_corpus

PATH = ROOT / "tapes" / "handmade" / "reina_ses_mf0abc_k3x9.jsonl"


def tape() -> Tape:
    with untouched(PATH):
        return folded(PATH)


def test_eight_messages_are_written_and_five_rows_are_seen() -> None:
    found = tape()
    head = found.timeline.events
    table = found.timeline.table
    assert len(table.of_type("message", 0, head)) == 8
    texts = [found.node_headline(row.node).text for row in found.timeline.rows(head)]
    assert texts == [
        "[历史摘要] 用户让我列出 src：a.py, b.py。",
        "删除 b.py",
        'bash {"command":"rm b.py"',
        "Error: bad JSON arguments",
        "继续",
    ]
    kinds = [found.timeline.surface.nodes.kind(row.node) for row in found.timeline.rows(head)]
    assert kinds == [Kind.SUMMARY, Kind.MESSAGE, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.MESSAGE]


def test_the_first_four_messages_are_shadowed() -> None:
    found = tape()
    head = found.timeline.events
    messages = found.timeline.table.of_type("message", 0, head)
    told = [found.timeline.visibility(event, head) for event in messages[:4]]
    assert [visibility for visibility, _ in told] == [Visibility.SHADOWED] * 4
    assert len({by for _, by in told}) == 1


def test_the_calls_are_told_by_their_records() -> None:
    found = tape()
    spans = found.timeline.spans[SpanKind.TOOL_CALL]
    assert [spans[at].outcome for at in range(len(spans))] == [Outcome.OK, Outcome.FAILED]


def test_the_torn_line_waits_and_the_unknown_kind_is_told() -> None:
    found = tape()
    told = documents.check(found)
    assert {finding["code"] for finding in told["findings"]} == {
        "unknown-kind",
        "torn-tail",
        "broken-arguments",
    }
    assert found.verdict().opens is True
    assert found.sums().as_dict() == {
        "records": 14,
        "carriers": 12,
        "events": 12,
        "recovered": 0,
        "bookkeeping": 1,
        "blank": 0,
        "pending": 1,
        "damaged": 0,
        "frames": None,
    }
