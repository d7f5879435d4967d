"""No value of any member makes a plan fail, and what is made is read as foretold all the same."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked
from tests.formats.pi import sessions
from tests.formats.pi.planning.test_laws import keeps_the_laws, rows
from tests.formats.pi.sessions import Json
from tests.plans.laws import MAKING, planned

ODD: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1.5, 2**70, "", "x", "\ud800", "\0", "x" * 5_000, [], {}),
    *([1], [None], [[]], [{}], {"a": 1}, {"content": 5}, {"content": None}, {"type": "text"}),
    *([{"type": "text", "text": 5}], [{"type": "toolCall"}], [{"type": "image"}]),
    [{"type": "toolCall", "id": 5, "name": [], "arguments": "x"}],
]

_SYSTEM: Final = {"sections": {"a": "1"}, "toolsAdded": [{"name": "r"}], "toolsRemoved": []}
_NESTED: Final = {"calls": [{"name": "edit", "arguments": {"path": "f"}}]}
_BASH: Final = {"role": "bashExecution", "command": "ls", "output": "o"}

WHOLE: Final[list[Json]] = [
    sessions.header(),
    sessions.user("a", None),
    sessions.answer("b", "a", "one"),
    sessions.result("c", "b", "one"),
    sessions.compaction(
        *("d", "c", "b"),
        details={"readFiles": ["x"]},
        systemMessage={"role": "system", "content": "s", **_SYSTEM},
    ),
    sessions.branch_summary("e", "d"),
    sessions.edit("f", "e", "b", "other"),
    sessions.label("g", "f", "a"),
    sessions.entry("custom_message", "h", "g", customType="x", content="y"),
    sessions.entry("message", "i", "h", message=_BASH),
    sessions.message("j", "i", "system", "sys", **_SYSTEM),
    sessions.message("k", "j", "toolResult", [], toolCallId="none", nestedCalls=_NESTED),
    sessions.answer("l", "k", "two", usage={"input": 1, "totalTokens": 10}),
    sessions.entry("model_change", "m", "l", provider="p", modelId="q"),
    sessions.user("n", "m"),
]


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else ()
    members = enumerate(value) if isinstance(value, list) else members
    for key, one in members:
        yield (*above, key)
        yield from places(one, (*above, key))


def with_odd(dice: Random) -> bytes:
    """A session in which one member has another value, or is not there."""
    entries = copy.deepcopy(WHOLE)
    *above, last = dice.choice([place for place in places(entries) if len(place) > 1])
    holder: Any = entries
    for key in above:
        holder = holder[key]
    if dice.random() < 0.1:
        del holder[last]
    else:
        holder[last] = dice.choice(ODD)
    return b"".join(json.dumps(one).encode() + b"\n" for one in entries)


@pytest.mark.parametrize("seed", range(30))
def test_no_plan_fails(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)  # noqa: S311 - the same at every run
    tape = sessions.opened(with_odd(dice), tmp_path)
    head, count = tape.timeline.events, len(rows(tape))
    for cut in {head, dice.randint(0, head)}:
        assert keeps_the_laws(tape, cut)
    planner = tape.planner()
    for kept in {1, count} & set(range(1, count + 1)):
        assert planner.compact(kept, "short", MAKING).writes
        assert planner.prompt(kept).text
    assert planner.split(None).why
    for asked in (Asked(PlanKind.REPAIR), Asked(PlanKind.RESUME)):
        assert planned(tape, asked).kept == head
    assert planned(tape, Asked(PlanKind.COMPACT, degraded=True)).compaction is not None
