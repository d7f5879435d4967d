from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Tape
from inspector.timeline.spans import Span
from inspector.timeline.words import Mark, Outcome, SpanKind
from tests.dsh_tapes import Json, Log, call_block, codes, folded, replace, result_data, surface

Short = tuple[int, int | None, str]
"""Where a span opened and closed, and how it ended."""


def spans(tape: Tape, kind: SpanKind) -> list[Short]:
    found = tape.timeline.spans[kind]
    return [_short(found[at]) for at in range(len(found))]


def open_at(tape: Tape, kind: SpanKind, cursor: int) -> list[Short]:
    return [_short(span) for span in tape.timeline.spans[kind].open_at(cursor)]


def _short(span: Span) -> Short:
    return span.opened, span.closed, span.outcome.label


def marks(tape: Tape, mark: Mark) -> list[int]:
    return list(tape.timeline.marks.events(mark))


def settled(tape: Tape) -> list[int]:
    """The cursors at which the owner could make a request."""
    timeline = tape.timeline
    return [at for at in range(timeline.events + 1) if timeline.settled.at(at)]


def reason(kind: str) -> Json:
    """Why a turn ended, with what the owner wants to know of it."""
    details: Json = {"error": {"error": {"message": "no"}}, "aborted": {"reason": {"kind": "user"}}}
    return {"kind": kind, **details.get(kind, {})}


ENDS: Final[dict[str, Json]] = {
    "step/end": {"turn": 1, "step": 1},
    "turn/end": {"turn": 1, "reason": {"kind": "completed"}},
    "turn/start": {"turn": 2},
}
"""What ends a step, and with it the calls of it."""


def ids(tape: Tape, kind: SpanKind) -> Iterator[str | None]:
    found = tape.timeline.spans[kind]
    return (tape.span_id(found[at]) for at in range(len(found)))


# Turns.


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("completed", "ok"),
        ("blocked", "rejected"),
        ("max-tokens", "failed"),
        ("interrupted", "interrupted"),
        ("aborted", "cancelled"),
        ("disposed", "cancelled"),
        ("error", "failed"),
        ("forked", "interrupted"),
        ("max-steps", "failed"),
        ("a new word", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_turn_ends_as_its_reason_says(kind: str, outcome: str, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user()
    log.event("turn/end", {"turn": 1, "reason": reason(kind)})
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TURN) == [(1, 3, outcome)]
    assert [open_at(tape, SpanKind.TURN, cursor) for cursor in range(4)] == [
        [],
        [(1, None, "running")],
        [(1, None, "running")],
        [],
    ]
    assert marks(tape, Mark.TURN) == [0]
    assert marks(tape, Mark.ERROR) == ([2] if kind == "error" else [])


@pytest.mark.parametrize("kind", ["aborted", "disposed", "error"])
def test_a_turn_of_the_old_shape_ends_as_its_kind_says(kind: str, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    old = {"kind": kind, "step": 1, "message": "no"} if kind == "error" else {"kind": kind}
    log.event("turn/end", {"turn": 1, "reason": old})
    outcome = "failed" if kind == "error" else "cancelled"
    assert spans(folded(log, tmp_path), SpanKind.TURN) == [(1, 2, outcome)]


def test_turns_bear_the_owners_numbers(tmp_path: Path) -> None:
    log = Log()
    for turn in (1, 7):
        log.turn(turn)
        log.turn_end(turn)
    tape = folded(log, tmp_path)
    turns = tape.timeline.spans[SpanKind.TURN]
    assert [turns[at].number for at in range(2)] == [1, 7]
    assert list(ids(tape, SpanKind.TURN)) == ["1", "7"]
    assert list(turns.numbered(7)) == [1]


@pytest.mark.parametrize("turn", [None, "1", -1, 1.5, 1 << 40, True])
def test_a_turn_may_have_no_number(turn: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", {"turn": turn})
    tape = folded(log, tmp_path)
    assert tape.timeline.spans[SpanKind.TURN][0].number is None
    assert list(ids(tape, SpanKind.TURN)) == [None]


def test_a_turn_that_begins_in_another_ends_it_nobody_knows_how(tmp_path: Path) -> None:
    log = Log()
    log.turn(1)
    log.step()
    log.turn(2)
    log.turn_end(2)
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TURN) == [(1, 3, "unknown"), (3, 4, "ok")]
    assert spans(tape, SpanKind.STEP) == [(2, 3, "unknown")]


def test_an_end_without_a_beginning_ends_nothing(tmp_path: Path) -> None:
    log = Log()
    log.turn_end()
    log.step_end()
    log.compaction_end()
    log.turn()
    log.turn_end()
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TURN) == [(4, 5, "ok")]
    assert spans(tape, SpanKind.STEP) == spans(tape, SpanKind.COMPACTION) == []


def test_a_turn_that_nobody_ended_is_running(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user()
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TURN) == [(1, None, "running")]
    assert tape.timeline.turn(2) == 0


@pytest.mark.parametrize("data", [None, [], "completed"])
def test_a_turn_end_that_says_nothing_ends_the_turn_all_the_same(data: Any, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.event("turn/end", data)
    log.user()
    assert spans(folded(log, tmp_path), SpanKind.TURN) == [(1, 2, "unknown")]


# Steps.


def test_steps_end_well_unless_the_turn_ends_first(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step(1)
    log.step_end(1)
    log.step(2)
    log.turn_end()
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.STEP) == [(2, 3, "ok"), (4, 5, "interrupted")]
    assert [tape.timeline.spans[SpanKind.STEP][at].number for at in range(2)] == [1, 2]
    assert open_at(tape, SpanKind.STEP, 4) == [(4, None, "running")]


@pytest.mark.parametrize(
    ("kind", "outcome"), [("error", "failed"), ("aborted", "cancelled"), ("blocked", "rejected")]
)
def test_an_open_step_ends_as_its_turn_does(kind: str, outcome: str, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step()
    log.event("turn/end", {"turn": 1, "reason": reason(kind)})
    assert spans(folded(log, tmp_path), SpanKind.STEP) == [(2, 3, outcome)]


def test_a_step_that_begins_in_another_ends_it(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step(1)
    log.call("c1")
    log.step(2)
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.STEP) == [(2, 4, "unknown"), (4, None, "running")]
    assert spans(tape, SpanKind.TOOL_CALL) == [(3, None, "running")], "calls stay pending"


@pytest.mark.parametrize("data", [None, [], 7])
def test_a_step_end_that_says_nothing_ends_the_step_all_the_same(data: Any, tmp_path: Path) -> None:
    log = Log()
    log.step()
    log.event("step/end", data)
    assert spans(folded(log, tmp_path), SpanKind.STEP) == [(1, 2, "ok")]


# Tool calls.


@pytest.mark.parametrize(
    ("failed", "more", "outcome"),
    [
        (False, {}, "ok"),
        (True, {}, "failed"),
        (True, {"error": {"name": "X", "code": "ENOENT"}}, "failed"),
        (True, {"error": {"code": "TOOL_OUTCOME_UNKNOWN"}}, "unknown"),
        (True, {"error": {"code": "TOOL_NOT_STARTED"}}, "interrupted"),
        (True, {"error": None}, "failed"),
        (False, {"error": {"code": 7}}, "ok"),
    ],
)
def test_a_call_ends_as_its_result_says(
    failed: bool, more: dict[str, Any], outcome: str, tmp_path: Path
) -> None:
    log = Log()
    log.call("c1")
    log.event("tool/result", result_data("c1", failed=failed, **more), surfaceOp="append")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TOOL_CALL) == [(1, 2, outcome)]
    assert list(ids(tape, SpanKind.TOOL_CALL)) == ["c1"]
    assert marks(tape, Mark.TOOL_CALL) == [0]
    assert marks(tape, Mark.ERROR) == ([1] if failed else [])


def test_parallel_calls_end_in_any_order(tmp_path: Path) -> None:
    log = Log()
    for call in ("c1", "c2", "c3"):
        log.call(call)
    for call in ("c2", "c3", "c1"):
        log.result(call, failed=call == "c3")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TOOL_CALL) == [(1, 6, "ok"), (2, 4, "ok"), (3, 5, "failed")]
    assert open_at(tape, SpanKind.TOOL_CALL, 4) == [(3, None, "running"), (1, None, "running")]


@pytest.mark.parametrize("end", ["step/end", "turn/end", "turn/start"])
def test_a_call_that_was_never_answered_ends_with_its_step_or_turn(
    end: str, tmp_path: Path
) -> None:
    log = Log()
    log.turn()
    log.step()
    log.call("c1")
    log.event(end, ENDS[end])
    log.result("c1")
    assert spans(folded(log, tmp_path), SpanKind.TOOL_CALL) == [(3, 4, "interrupted")]


def test_a_prune_of_an_answered_call_is_no_second_answer_and_no_second_error(
    tmp_path: Path,
) -> None:
    log = Log()
    log.call("c1")
    result = log.result("c1", failed=True)
    log.rewrite(result)
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TOOL_CALL) == [(1, 2, "failed")]
    assert marks(tape, Mark.ERROR) == [1]
    assert marks(tape, Mark.COMPACTION) == [2]


def test_a_call_that_is_made_again_is_another_span(tmp_path: Path) -> None:
    log = Log()
    log.call("c1")
    log.call("c1")
    log.result("c1")
    assert spans(folded(log, tmp_path), SpanKind.TOOL_CALL) == [(1, 2, "unknown"), (2, 3, "ok")]


# Compactions.


def test_a_compaction_that_is_done(tmp_path: Path) -> None:
    log = Log()
    log.user()
    start = log.compaction("cmp-1")
    summary = log.summary("cmp-1")
    log.checkpoint(0, 0, [start, summary, 0])
    log.compaction_end("cmp-1")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.COMPACTION) == [(2, 5, "ok")]
    assert list(ids(tape, SpanKind.COMPACTION)) == ["cmp-1"]
    assert open_at(tape, SpanKind.COMPACTION, 4) == [(2, None, "running")]
    assert (marks(tape, Mark.COMPACTION), marks(tape, Mark.ERROR)) == ([3], [])
    assert [tape.timeline.compactions(cursor) for cursor in range(6)] == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("error", ["too big", None, {}])
def test_a_compaction_that_failed_says_so_by_the_key(error: Any, tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.compaction()
    log.compaction_end(error=error)
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.COMPACTION) == [(2, 3, "failed")]
    assert (marks(tape, Mark.ERROR), marks(tape, Mark.COMPACTION)) == ([2], [])
    assert surface(tape) == [0]


def test_a_compaction_that_is_left_open_is_running(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.compaction()
    log.user()
    assert spans(folded(log, tmp_path), SpanKind.COMPACTION) == [(2, None, "running")]


def test_a_new_life_makes_an_open_compaction_stale(tmp_path: Path) -> None:
    log = Log()
    log.compaction("cmp-1")
    log.compaction("cmp-2")
    log.event("session/end-seed", {})
    log.compaction_end("cmp-1")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.COMPACTION) == [(1, 3, "interrupted"), (2, 3, "interrupted")]


def test_nested_and_overlapping_compactions_end_by_their_names(tmp_path: Path) -> None:
    log = Log()
    log.compaction("outer")
    log.compaction("inner")
    log.compaction_end("outer")
    log.compaction_end("inner", error="no")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.COMPACTION) == [(1, 3, "ok"), (2, 4, "failed")]
    assert open_at(tape, SpanKind.COMPACTION, 2) == [(2, None, "running"), (1, None, "running")]


def test_a_message_in_the_place_of_others_is_no_compaction(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(surfaceOp=replace(0, 0), sourceEventSeqs=[0])
    log.context(surfaceOp=replace(1, 1), sourceEventSeqs=[1])
    tape = folded(log, tmp_path)
    assert surface(tape) == [2]
    assert marks(tape, Mark.COMPACTION) == []
    assert (tape.timeline.compactions(3), tape.timeline.generation(3)) == (0, 2)


# Other errors.


def test_a_retry_and_a_stream_that_ends_in_an_error_are_errors(tmp_path: Path) -> None:
    log = Log()
    log.event("llm/retry", {"retryId": "r", "failure": {"message": "no"}})
    log.event("llm/retry-started", {"retryId": "r"})
    for kind in ("stop", "error", "aborted"):
        chunk = {"type": "finish", "reason": {"kind": kind}}
        log.event("assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk})
    assert marks(folded(log, tmp_path), Mark.ERROR) == [0, 3]


# Settled cursors.


def test_a_batch_of_calls_is_settled_when_all_are_answered(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(call_block("c1"), call_block("c2"))
    log.call("c1")
    log.result("c2")
    log.result("c1")
    log.user()
    assert settled(folded(log, tmp_path)) == [0, 1, 5, 6]


@pytest.mark.parametrize("end", ["step/end", "turn/end", "turn/start"])
def test_the_end_of_a_step_or_turn_settles_what_was_never_answered(
    end: str, tmp_path: Path
) -> None:
    log = Log()
    log.assistant(call_block("c1"))
    log.user()
    log.event(end, ENDS[end])
    assert settled(folded(log, tmp_path)) == [0, 3]


def test_a_prune_is_settled_when_its_second_half_is_written(tmp_path: Path) -> None:
    log = Log()
    result = log.result("c1")
    log.event("compaction/prune", {"shadowedSeqs": [result]})
    log.rewrite(result)
    assert settled(folded(log, tmp_path)) == [0, 1, 3]


def test_a_summary_without_its_checkpoint_is_not_settled(tmp_path: Path) -> None:
    log = Log()
    log.user()
    start = log.compaction()
    summary = log.summary()
    log.checkpoint(0, 0, [0, start, summary])
    log.compaction_end()
    assert settled(folded(log, tmp_path)) == [0, 1, 2, 4, 5]


def test_a_summary_that_failed_settles_with_its_end(tmp_path: Path) -> None:
    log = Log()
    log.compaction()
    log.summary()
    log.compaction_end(error="no")
    assert settled(folded(log, tmp_path)) == [0, 1, 3]


# A rejected event.


def test_a_rejected_event_of_a_log_only_type_opens_and_marks_nothing(tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", {"turn": 1}, more=1)
    log.event("tool/call", {"callId": "c1"}, time=None)
    log.event("llm/retry", {}, surfaceOp="append")
    tape = folded(log, tmp_path)
    assert list(tape.timeline.rejected) == [0, 1, 2]
    assert not any(len(tape.timeline.spans[kind]) for kind in SpanKind)
    assert [marks(tape, mark) for mark in (Mark.TURN, Mark.TOOL_CALL, Mark.ERROR)] == [[], [], []]


def test_a_rejected_answer_leaves_no_call_to_wait_for(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(call_block("c1"), surfaceOp="nonsense")
    tape = folded(log, tmp_path)
    assert codes(tape) == ["bad-surface-op"]
    assert settled(tape) == [0, 1, 2]


def test_a_rejected_result_answers_no_call(tmp_path: Path) -> None:
    log = Log()
    log.assistant(call_block("c1"))
    log.call("c1")
    log.result("c1", surfaceOp="nonsense")
    tape = folded(log, tmp_path)
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, None, "running")]
    assert settled(tape) == [0]


def test_a_rejected_prompt_is_no_place_to_step_to(tmp_path: Path) -> None:
    log = Log()
    log.user(surfaceOp="nonsense")
    log.user()
    assert marks(folded(log, tmp_path), Mark.USER) == [1]


def test_outcomes_have_their_words() -> None:
    assert [outcome.label for outcome in Outcome] == [
        "ok",
        "failed",
        "rejected",
        "cancelled",
        "interrupted",
        "unknown",
        "running",
        "awaiting approval",
    ]
