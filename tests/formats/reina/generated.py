"""Reina logs for hypothesis: calls with and without results, ranges that name anything."""

import random
from typing import Any, Final

from hypothesis import strategies as st

from tests.formats.reina import sessions
from tests.formats.reina.sessions import Json

_STATUSES: Final = ("pending_approval", "running", "completed", "failed", "rejected", "odd", None)
_SAID: Final = ("hi", "历史 ünï", "[上下文压缩] earlier", "自动纠偏触发：stop", "", None)


@st.composite
def logs(draw: st.DrawFn, most: int = 30) -> list[Json]:
    """Records behind a header, messages and compactions mostly."""
    throw = draw(st.randoms(use_true_random=True))
    tidy = throw.random() < 0.3
    found: list[Json] = []
    shown = 0
    for _ in range(throw.randrange(1, most + 1)):
        compacts = throw.random() < 0.25
        record = compaction(throw, shown, tidy=tidy) if compacts else other(throw)
        shown += record["type"] == "message"
        found.append(record)
    return found


def compaction(throw: random.Random, shown: int, *, tidy: bool) -> Json:
    if tidy and shown:
        first = throw.randrange(shown)
        return sessions.compacted(first, throw.randrange(first, shown), f"of {first}")
    if throw.random() < 0.1:
        odd: list[Any] = [None, "1", 1.5, -1, True, 2**60]
        return sessions.compacted(throw.choice(odd), throw.choice(odd))
    most = max(2, shown + 3)
    first = throw.choice([0, 0, throw.randrange(most)])
    return sessions.compacted(first, throw.randrange(max(0, first - 1), most + 2), f"of {first}")


def other(throw: random.Random) -> Json:
    identity = f"c{throw.randrange(3)}"
    made: list[Json] = [
        sessions.user(throw.choice(_SAID)),
        sessions.user(f"word {throw.randrange(9)}"),
        sessions.answer("yes"),
        sessions.call(identity, content=throw.choice([None, "look"])),
        sessions.call(identity, "d", arguments=throw.choice(['{"a":1}', '{"a', ""])),
        sessions.result(identity),
        sessions.result(identity, "more"),
        sessions.status(identity, throw.choice(_STATUSES)),
        {"type": "usage", "usage": {"prompt_tokens": 9, "completion_tokens": 2}},
        {"type": "future_event", "x": 1},
    ]
    return throw.choice(made)
