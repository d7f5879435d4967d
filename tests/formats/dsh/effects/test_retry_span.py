import pytest

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import STEP, STEP_END, TURN, Telling, Told, answer, turn_end

RETRY: Told = ("llm/retry", {"retryId": "r", "retry": 1, "failure": {"code": "SERVER"}})
STARTED: Told = ("llm/retry-started", {"retryId": "r", "retry": 1})


def retries(*events: Told) -> list[tuple[object, ...]]:
    return Telling([TURN, STEP, *events]).spans(SpanKind.RETRY)


def test_a_retry_succeeds_with_the_answer() -> None:
    assert retries(RETRY, STARTED, answer(), STEP_END) == [(3, 5, "ok", "succeeded")]


def test_a_retry_that_fails_is_followed_by_the_next() -> None:
    assert retries(RETRY, STARTED, RETRY, STARTED, answer()) == [
        (3, 5, "failed", "failed again"),
        (5, 7, "ok", "succeeded"),
    ]


@pytest.mark.parametrize(
    ("ending", "outcome", "word"),
    [
        ([STARTED, STEP_END], "failed", "failed again"),
        ([STARTED, turn_end("error")], "failed", "failed again"),
        ([STEP_END], "failed", "given up before it started"),
        ([turn_end("aborted")], "cancelled", "given up"),
        ([STARTED, turn_end("interrupted")], "interrupted", "given up"),
        ([STARTED, answer(interrupted=True)], "cancelled", "the answer was cut off"),
    ],
)
def test_a_retry_without_an_answer(ending: list[Told], outcome: str, word: str) -> None:
    assert retries(RETRY, *ending) == [(3, 3 + len(ending), outcome, word)]


def test_a_retry_at_the_head_is_running() -> None:
    assert retries(RETRY, STARTED) == [(3, None, "running", None)]


def test_a_message_in_the_place_of_another_answers_nothing() -> None:
    edit = ("assistant/message", answer()[1] | {"hides": True})
    told = Telling([answer("one"), RETRY, STARTED, edit])
    assert told.spans(SpanKind.RETRY) == [(2, None, "running", None)]
