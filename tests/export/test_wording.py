from typing import Any

import pytest

from inspector.export.wording import (
    in_order,
    life_words,
    outcome_words,
    span_words,
    value_words,
)
from inspector.timeline.spans import Span
from inspector.timeline.words import Life, Outcome, SpanKind


def test_registers_stand_in_the_order_for_people_and_unknown_ones_behind() -> None:
    state = dict.fromkeys(("branch", "delegation depth", "todo", "model", "agent", "title"), 0)
    assert list(in_order(state)) == [
        "title",
        "model",
        "todo",
        "delegation depth",
        "branch",
        "agent",
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "none"),
        (True, "on"),
        (False, "off"),
        (131072, "131072"),
        ("flash", "flash"),
        (
            {"objective": "Finish", "rounds": 2, "blocked": None},
            "objective Finish · rounds 2 · blocked none",
        ),
        ({"a": {"b": True}}, "a b on"),
    ],
)
def test_the_value_of_a_register(value: Any, words: str) -> None:
    assert value_words(value) == words


def test_a_span_with_and_without_a_name() -> None:
    assert span_words("tool_call", "c1") == "tool call c1"
    assert span_words("plan_mode", None) == "plan mode"


@pytest.mark.parametrize(
    ("closed", "outcome", "word", "words"),
    [
        (None, Outcome.AWAITING_APPROVAL, None, "awaiting approval"),
        (13, Outcome.OK, "allowed once", "allowed once, after 12 events"),
        (2, Outcome.INTERRUPTED, None, "interrupted, after 1 event"),
    ],
)
def test_how_a_span_ended(
    closed: int | None, outcome: Outcome, word: str | None, words: str
) -> None:
    assert outcome_words(Span(SpanKind.APPROVAL, None, 1, closed, outcome, word)) == words


def test_only_another_life_is_worth_a_word() -> None:
    assert [life_words(life) for life in Life] == [
        "inherited from the parent",
        "an earlier life",
        None,
    ]
    assert life_words(Life.INHERITED, "p\x1b") == "inherited from p␛"
