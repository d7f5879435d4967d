import pytest

from inspector.timeline import builder as builders
from inspector.timeline import spans as spans_module
from inspector.timeline.builder import Builder
from inspector.timeline.spans import OutcomeWords, Spans
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Outcome, SpanKind


def test_a_word_is_there_from_the_end_of_the_span_on() -> None:
    spans = Spans(SpanKind.HOOK)
    spans.close(spans.open(1, None), 3, Outcome.REJECTED, "exit 2: block")
    assert spans.at(0, 2)[4:] == (Outcome.RUNNING, None)
    assert spans.at(0, 3)[4:] == (Outcome.REJECTED, "exit 2: block")


def test_an_approval_that_is_open_waits_for_one() -> None:
    spans = Spans(SpanKind.APPROVAL)
    spans.close(spans.open(1, None), 3, Outcome.OK, "allowed once")
    spans.open(2, None)
    assert [span.outcome for span in spans.open_at(2)] == [Outcome.AWAITING_APPROVAL] * 2
    assert spans[1].outcome is Outcome.AWAITING_APPROVAL


def test_a_word_too_many_is_none_and_a_long_one_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans_module, "_WORDS", 2)
    words = OutcomeWords()
    numbers = [words.number(word) for word in ("one", "x" * 1_000, "one", "three")]
    assert numbers == [1, 2, 1, 0]
    assert [words[number] for number in range(3)] == [None, "one", "x" * 159 + "…"]


def test_what_an_event_opened_and_ended() -> None:
    spans = Spans(SpanKind.TOOL_CALL)
    for cursor in (1, 1, 2):
        spans.open(cursor, None)
    spans.close(1, 2, Outcome.OK)
    spans.close(0, 4, Outcome.OK)
    spans.close(2, 4, Outcome.FAILED)
    found = [spans.opened_or_closed_by(event) for event in range(5)]
    assert found == [[0, 1], [2, 1], [], [0, 2], []]
    assert [spans.ended(cursor) for cursor in (1, 2, 4)] == [
        {},
        {Outcome.OK: 1},
        {Outcome.OK: 2, Outcome.FAILED: 1},
    ]


def test_a_span_that_begins_and_ends_with_one_event_is_told_once() -> None:
    spans = Spans(SpanKind.OVERFLOW_RECOVERY)
    spans.close(spans.open(3, None), 3, Outcome.FAILED)
    assert spans.opened_or_closed_by(2) == [0]


def test_the_spans_of_an_event_begin_with_those_it_opened() -> None:
    builder = Builder(Timeline())
    builder.open(SpanKind.TURN, "1")
    builder.event = 1
    builder.close(SpanKind.TURN, "1", Outcome.OK)
    builder.open(SpanKind.APPROVAL, "a")
    found = builder.timeline.spans_of(1, 0)
    assert [(span.kind, span.closed) for span in found] == [
        (SpanKind.APPROVAL, None),
        (SpanKind.TURN, 2),
    ]


def test_too_many_open_spans_let_the_first_ones_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builders, "_KNOWN_OPEN", 4)
    builder = Builder(Timeline())
    for name in "abcde":
        builder.open(SpanKind.HOOK, name)
    assert builder.open_ones(SpanKind.HOOK) == ("c", "d", "e")
    assert builder.close(SpanKind.HOOK, "a", Outcome.OK) is False
    assert len(list(builder.timeline.spans[SpanKind.HOOK].open_at(1))) == 5
