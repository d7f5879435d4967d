"""The sample logs show what their list promises."""

from pathlib import Path

from inspector.formats.codex.opening import opened
from inspector.formats.codex.reading import CodexTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from inspector.timeline.words import Kind, Mark, Outcome, SpanKind
from tests.folding import fold_on, keep
from tests.formats.codex import tapes
from tests.untouched import untouched

SAMPLES = Path(__file__).resolve().parents[3] / "sample_tapes" / "codex"


def sample(day: str) -> CodexTape:
    path = next(SAMPLES.glob(f"rollout-{day}*.jsonl"))
    with untouched(path):
        tape = opened(FileSource(path), Options())
    assert isinstance(tape, CodexTape)
    return fold_on(keep(tape))


def kinds(tape: CodexTape, cursor: int) -> list[Kind]:
    nodes = tape.timeline.surface.nodes
    return [nodes.kind(row.node) for row in tape.timeline.rows(cursor)]


def test_the_compaction_keeps_what_the_person_said_and_is_undone() -> None:
    tape = sample("2026-05-04")
    assert kinds(tape, 37) == [Kind.MESSAGE, Kind.MESSAGE, Kind.SUMMARY]
    assert tapes.texts(tape, 57)[-2:] == [
        "Skip the test instead.",
        "I would rather not: it is right.",
    ]
    after = tapes.texts(tape, 58)
    assert "How long do the ovens take to heat up?" in after
    assert "Make it 35 and run the tests." not in after
    assert tapes.codes(tape) == ["undone-compaction"]
    assert tape.verdict().opens is True


def test_what_the_person_said_is_stepped_to_once() -> None:
    tape = sample("2026-05-04")
    assert list(tape.timeline.marks.events(Mark.USER)) == [4, 19, 42, 52, 60]


def test_calls_end_in_different_ways() -> None:
    tape = sample("2026-05-04")
    calls = tape.timeline.spans[SpanKind.TOOL_CALL]
    outcomes = [calls[at].outcome for at in range(len(calls))]
    ok, failed, stopped = Outcome.OK, Outcome.FAILED, Outcome.INTERRUPTED
    assert outcomes == [ok, ok, ok, failed, stopped]
    added = [entry for entry in tape.request(tape.timeline.events) if entry.note == "added"]
    assert [entry.call_id for entry in added] == ["call_5"]


def test_usage_that_is_repeated_counts_once() -> None:
    assert len(sample("2026-05-04").timeline.usage) == 4


def test_the_other_log_goes_on_from_the_first() -> None:
    tape = sample("2026-05-05")
    assert tape.identity.inherited == 16
    assert tapes.codes(tape) == []
    assert tapes.texts(tape)[-1] == "Five minutes are enough."
