"""Figures of a provider's report that are no numbers of tokens."""

from typing import Any

import pytest

from inspector.formats.usage_figures import UNREADABLE, tell_unreadable
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline


def found(usage: dict[str, Any]) -> list[tuple[int | None, str]]:
    builder = Builder(Timeline())
    builder.event = 7
    tell_unreadable(builder, usage, ("input", "output"))
    assert all(one.kind is UNREADABLE for one in builder.timeline.findings)
    return [(one.event, one.message) for one in builder.timeline.findings]


@pytest.mark.parametrize("value", [0, 12, 3.0, None])
def test_numbers_of_tokens_and_what_is_not_told_are_fine(value: Any) -> None:
    assert found({"input": value, "other": "x"}) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (-5, "-5"),
        ("12", '"12"'),
        (1.5, "1.5"),
        (True, "true"),
        (1 << 63, str(1 << 63)),
        ({"a": 1}, '{"a":1}'),
        ("\x1b[2J", '"'),
    ],
)
def test_all_else_is_told_with_its_event(value: Any, said: str) -> None:
    ((event, message),) = found({"input": 1, "output": value})
    assert event == 7
    assert message.startswith(f"output {said}")
    assert message.endswith("is no number of tokens")
    assert "\x1b" not in message


def test_a_long_one_is_cut() -> None:
    ((_, message),) = found({"input": "x" * 100_000})
    assert len(message) < 100
