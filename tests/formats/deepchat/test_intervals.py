"""Runs, tool calls, attempts, compactions and turns as intervals; usage is counted once."""

from typing import Any

import pytest

from inspector.timeline.words import Mark, SpanKind
from tests.formats.deepchat.databases import (
    Entry,
    Folded,
    call,
    codes,
    event,
    message,
    record,
    result,
    spans,
    visibilities,
    written,
)

RUN = {"protocolVersion": 1, "runId": "r", "messageId": "a", "runKind": "loop"}
OPERATION = {"operation": {"runId": "r", "requestSeq": 1, "providerToolCallId": "c"}}

STARTED = event("execution/run_started", RUN)
DISPATCHED = event("execution/dispatch_committed", {**RUN, **OPERATION, "toolName": "read"})
CAME_BACK = event("execution/tool_outcome", {**RUN, **OPERATION, "isError": False})
ENDED = event("execution/run_terminal", {**RUN, "outcome": "completed", "stopReason": "complete"})


@pytest.mark.parametrize(
    ("rows", "recovery"),
    [
        ([STARTED], "not_dispatched"),
        ([STARTED, DISPATCHED], "indeterminate"),
        ([STARTED, DISPATCHED, CAME_BACK], "completed"),
        ([STARTED, CAME_BACK], "corruption"),
        ([STARTED, DISPATCHED, DISPATCHED], "corruption"),
    ],
)
def test_a_run_without_an_end_is_told_in_the_owners_class(
    folded: Folded, rows: list[Entry], recovery: str
) -> None:
    tape = folded(rows)
    [finding] = [f for f in tape.findings() if f.kind.code == "unfinished-run"]
    assert f"run r has no end: {recovery}" in finding.message
    assert spans(tape, SpanKind.RUN) == [(1, None, "running", None)]


def test_a_run_that_ended_leaves_no_finding(folded: Folded) -> None:
    tape = folded([STARTED, DISPATCHED, CAME_BACK, ENDED])
    assert codes(tape) == []
    assert spans(tape, SpanKind.RUN) == [(1, 4, "ok", None)]
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, 3, "ok", None)]


def test_a_call_that_did_not_come_back_ends_with_its_run(folded: Folded) -> None:
    aborted = event("execution/run_terminal", {**RUN, "outcome": "aborted", "stopReason": "user"})
    tape = folded([STARTED, DISPATCHED, aborted])
    assert spans(tape, SpanKind.RUN) == [(1, 3, "cancelled", "aborted: user")]
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, 3, "interrupted", None)]


def test_the_rows_of_a_call_begin_no_second_interval(folded: Folded) -> None:
    tape = folded([STARTED, DISPATCHED, call("a", "c"), result("a", "c"), CAME_BACK, ENDED])
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, 4, "ok", None)]
    assert tape.timeline.pairs.result_of(2) == 3


def test_a_call_without_a_journal_is_an_interval_of_its_rows(folded: Folded) -> None:
    tape = folded([call("a", "c"), result("a", "c", status="error"), call("a", "d"), STARTED])
    assert spans(tape, SpanKind.TOOL_CALL) == [(1, 2, "failed", None), (3, 4, "ok", None)]


def test_a_tool_row_of_the_same_call_supersedes_the_one_before(folded: Folded) -> None:
    tape = folded(
        [result("a", "c"), result("a", "c", "better"), result("a", "c", status="pending")]
    )
    assert visibilities(tape) == ["superseded", "log-only", "superseded"]


def test_joined_identities_replace_each_other(folded: Folded) -> None:
    tape = folded([call("a", "b:c"), call("a:b", "c"), call("a:b", "d")])
    assert visibilities(tape) == ["superseded", "log-only", "log-only"]


def attempt(status: str, decision: str = "none", **more: Any) -> Entry:
    data = {
        "messageId": "a",
        "requestSeq": 1,
        "status": status,
        "retryDecision": decision,
        "modelId": "m",
        "providerId": "p",
        **more,
    }
    return event("provider/attempt_completed", data)


USAGE = {"inputTokens": 100, "outputTokens": 7, "cacheReadTokens": 60, "cacheWriteTokens": 10}


def test_a_repeated_request_is_an_interval(folded: Folded) -> None:
    tape = folded(
        [
            attempt("error", "retry_scheduled", failureClassification="transient"),
            attempt("error", "retry_budget_exhausted", failureClassification="transient"),
        ]
    )
    assert spans(tape, SpanKind.RETRY) == [(1, 2, "failed", "transient")]
    assert list(tape.timeline.marks.events(Mark.ERROR)) == [0, 1]


def test_a_request_that_was_too_long_is_recovered(folded: Folded) -> None:
    tape = folded([attempt("context_overflow", "context_recovery_scheduled"), attempt("completed")])
    assert spans(tape, SpanKind.OVERFLOW_RECOVERY) == [(1, 2, "ok", None)]


def test_usage_is_counted_once(folded: Folded) -> None:
    told = written({"inputTokens": 100, "outputTokens": 7, "model": "m"})
    answer = record("a", 2, "[]", metadata=told)
    other = record("b", 4, "[]", metadata=told)
    tape = folded([attempt("completed", usage=USAGE), answer, answer, other])
    usage = [tuple(u) for u in tape.timeline.usage]
    assert usage == [(0, 30, 60, 10, 7), (3, 100, 0, 0, 7)]


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ({"inputTokens": 10, "cacheReadTokens": 50}, (0, 10, 0)),
        ({"inputTokens": 60, "cacheReadTokens": 50, "cacheWriteTokens": 50}, (0, 50, 10)),
        ({"cacheReadTokens": 50, "cacheWriteTokens": 5}, (0, 50, 5)),
        ({"inputTokens": "10", "cacheReadTokens": -1}, (0, 0, 0)),
    ],
)
def test_the_cache_holds_no_more_than_the_input(
    usage: dict[str, Any], told: tuple[int, int, int], folded: Folded
) -> None:
    [found] = folded([attempt("completed", usage=usage)]).timeline.usage
    assert (found.input, found.cache_read, found.cache_write) == told


def test_a_compaction_lasts_as_long_as_the_person_sees_it(folded: Folded) -> None:
    def indicator(status: str) -> Entry:
        return event("message/compaction_indicator", {"messageId": "i", "status": status})

    tape = folded([indicator("compacting"), indicator("compacted"), indicator("compacting")])
    assert spans(tape, SpanKind.COMPACTION) == [(1, 2, "ok", None), (3, None, "running", None)]


def test_a_turn_lasts_until_it_is_answered(folded: Folded) -> None:
    failed = record("b", 2, written([{"type": "error", "content": "no route"}]), status="error")
    tape = folded([message("a", 1, "go"), failed, message("c", 3, "again"), message("d", 4)])
    assert spans(tape, SpanKind.TURN) == [
        (1, 2, "failed", "no route"),
        (3, 4, "unknown", None),
        (4, None, "running", None),
    ]
    assert list(tape.timeline.marks.events(Mark.USER)) == [0, 2, 3]
