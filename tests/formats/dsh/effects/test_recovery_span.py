import pytest

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import (
    NEW_LIFE,
    STEP,
    TURN,
    Telling,
    Told,
    answer,
    checkpoint,
    overflow,
    overflowing_stream,
    turn_end,
    user,
)

BEGIN = [TURN, user(), STEP]
COMPACTED: list[Told] = [
    ("compaction/start", {"compactionId": "c", "turn": 1}),
    ("compaction/summary", {"compactionId": "c"}),
    checkpoint(),
    ("compaction/end", {"compactionId": "c", "turn": 1}),
]
RETRY: Told = ("llm/retry", {"retryId": "r", "failure": overflow()})
NOTHING_HIDDEN = "nothing could be hidden: generation did not grow"


def recoveries(*events: Told) -> list[tuple[object, ...]]:
    return Telling([*BEGIN, *events]).spans(SpanKind.OVERFLOW_RECOVERY)


def test_a_recovery_is_one_span_from_the_overflow_to_the_answer() -> None:
    word = "recovered: generation grew 0 to 1, retried"
    assert recoveries(overflowing_stream(), *COMPACTED, answer()) == [(4, 9, "ok", word)]


def test_a_prune_alone_may_be_enough() -> None:
    prune: Told = ("compaction/prune", {"shadowedSeqs": [1]})
    word = "recovered: generation grew 0 to 1, retried"
    assert recoveries(RETRY, prune, checkpoint(), answer()) == [(4, 7, "ok", word)]


def test_the_retried_request_may_be_too_long_as_well() -> None:
    word = "failed: the retried request did not fit either"
    events = (overflowing_stream(), *COMPACTED, overflowing_stream())
    assert recoveries(*events) == [(4, 9, "failed", word)]


@pytest.mark.parametrize(
    ("ending", "outcome", "word"),
    [
        ([turn_end("error", error=overflow())], "failed", NOTHING_HIDDEN),
        ([overflowing_stream()], "failed", NOTHING_HIDDEN),
        ([turn_end("aborted")], "cancelled", "the turn ended: aborted"),
        ([turn_end("completed")], "unknown", "the turn ended: completed"),
        ([TURN], "unknown", "the turn ended: nobody knows how"),
        ([NEW_LIFE], "interrupted", "left open by an earlier life"),
        ([answer()], "ok", "answered all the same: generation did not grow"),
    ],
)
def test_nothing_was_hidden(ending: list[Told], outcome: str, word: str) -> None:
    assert recoveries(overflowing_stream(), *ending) == [(4, 5, outcome, word)]


def test_a_recovery_that_failed_for_another_reason() -> None:
    ended = turn_end("error", error={"code": "SERVER", "message": "no route"})
    events = (overflowing_stream(), *COMPACTED, ended)
    assert recoveries(*events) == [(4, 9, "failed", "failed: no route")]


def test_an_answer_that_was_cut_off_is_no_recovery() -> None:
    events = (overflowing_stream(), *COMPACTED, answer(interrupted=True))
    word = "the retried answer was cut off: generation grew 0 to 1, retried"
    assert recoveries(*events) == [(4, 9, "cancelled", word)]


def test_two_events_of_one_overflow_are_one() -> None:
    assert recoveries(overflowing_stream(), RETRY) == [(4, None, "running", None)]
    assert recoveries(RETRY, RETRY) == [(4, 5, "failed", NOTHING_HIDDEN)]


def test_an_overflow_that_only_the_end_of_the_turn_tells() -> None:
    ended = turn_end("error", error=overflow())
    assert recoveries(ended) == [(4, 4, "failed", "failed: too long")]


def test_another_error_is_no_overflow() -> None:
    other: Told = ("llm/retry", {"failure": {"code": "SERVER"}})
    assert recoveries(other, turn_end("error", error={"code": "SERVER"})) == []


def test_later_versions_tell_of_it_in_the_attempt() -> None:
    chunk = {"type": "finish", "reason": {"kind": "error", "failure": overflow()}}
    attempt: Told = ("assistant/attempt", {"stream": [{"type": "chunk", "chunk": chunk}]})
    assert recoveries(attempt) == [(4, None, "running", None)]
