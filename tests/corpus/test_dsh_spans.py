"""Intervals of real logs, beside the surface."""

import pytest

from inspector.timeline.words import SpanKind
from tests.corpus.corpus import ROOT, folded, needs_corpus

pytestmark = needs_corpus


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        (
            "headless-compaction-recovery",
            SpanKind.OVERFLOW_RECOVERY,
            [(19, 29, "ok", "recovered: generation grew 0 to 1, retried")],
        ),
        ("headless-compaction-recovery", SpanKind.COMPACTION, [(20, 23, "ok", "done")]),
        ("acp-empty-response-retry", SpanKind.RETRY, [(12, 19, "ok", "succeeded")]),
        ("acp-packed-chunks", SpanKind.HOOK, [(60, 61, "rejected", "exit 2: block")]),
        ("acp-workflow-run.parent", SpanKind.WORKFLOW, [(167, 170, "ok", "completed")]),
        ("acp-workflow-run.parent", SpanKind.WORKFLOW_AGENT, [(168, 169, "ok", "completed")]),
    ],
)
def test_intervals_of_a_real_log(
    name: str, kind: SpanKind, told: list[tuple[int, int, str, str]]
) -> None:
    tape = folded(ROOT / "tapes" / "dsh" / "derived" / f"{name}.session.jsonl")
    spans = [tape.timeline.spans[kind][at] for at in range(len(tape.timeline.spans[kind]))]
    assert [(span.opened, span.closed, span.outcome.label, span.word) for span in spans] == told
