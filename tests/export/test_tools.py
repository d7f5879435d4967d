"""The tools of the preamble, by name."""

from typing import Any

import orjson
import pytest

from inspector.export import tools
from inspector.formats.contract import PreamblePart


def part(held: Any) -> PreamblePart:
    return PreamblePart("tools", 3, 10, "", orjson.dumps(held).decode())


@pytest.mark.parametrize(
    ("held", "names"),
    [
        ([{"name": "read"}, {"name": "bash", "description": "x"}], ["read", "bash"]),
        ([{"type": "function", "function": {"name": "read"}}], ["read"]),
        ([{"name": 5}, "read", None], ["", "", ""]),
        ({"name": "read"}, []),
        ([], []),
    ],
)
def test_every_tool_has_a_name_or_an_empty_one(held: Any, names: list[str]) -> None:
    assert tools.names(part(held)) == names


def test_what_is_no_json_has_no_names() -> None:
    assert tools.names(PreamblePart("tools", 3, 10, "", "[{")) == []


def test_people_are_told_how_many_and_which() -> None:
    assert tools.words([]) == "none"
    assert tools.words(["read", "", "\x1b[2J"]) == "3 (read, (no name), ␛[2J)"
    assert tools.words(["a"] * 100).endswith("a, and 40 more)")
