"""Zero sessions for hypothesis: numbers that mostly count up, compactions that name anything."""

import random
from typing import Any, Final

from hypothesis import strategies as st

from tests.formats.zero.sessions import Json, event

TYPES: Final = (
    *("message", "tool_call", "tool_result") * 2,
    "session_compaction",
    "session_compaction",
    "permission_decision",
    "session_rewind",
    "session_checkpoint",
    "provider_usage",
    "nobody_knows",
)


@st.composite
def logs(draw: st.DrawFn, most: int = 39) -> list[Json]:
    """Events whose numbers mostly count up, and compactions that name anything at all."""
    throw = draw(st.randoms(use_true_random=True))
    tidy = throw.random()
    found: list[Json] = []
    number = 0
    for _ in range(throw.randrange(1, most + 1)):
        number = number + 1 if throw.random() < 0.9 + tidy else throw.randrange(-2, number + 4)
        kind = throw.choice(TYPES)
        made = event(number, kind, payload(throw, kind, number))
        if throw.random() > 0.9 + tidy:
            made["id"] = throw.choice(["", "s:1", "s:2", "odd", f"t:{number}", f"s:{number + 1}"])
        found.append(made)
    return found


def payload(throw: random.Random, kind: str, number: int) -> Any:
    if kind == "session_compaction":
        return compaction(throw, max(number, 2))
    if kind == "message":
        return {"role": throw.choice(["user", "assistant"]), "content": "word " * number}
    if kind == "session_rewind":
        return {"targetSequence": number}
    return {"id": f"c{number % 3}", "toolCallId": f"c{number % 3}", "promptTokens": 5}


def compaction(throw: random.Random, number: int) -> Any:
    if throw.random() < 0.1:
        return throw.choice([None, {"summary": "  "}, "no object"])
    found: Json = {"summary": "short"}
    names = throw.random()
    if names < 0.4:
        first = throw.choice([1, 1, throw.randrange(1, number)])
        ids = [f"s:{at}" for at in range(first, throw.randrange(1, number + 3))]
        found["compactableEvents"] = [{"id": identity} for identity in ids]
    elif names < 0.6:
        some = throw.choices([f"s:{at}" for at in range(1, number + 2)] + ["", "odd"], k=3)
        found["compactableEvents"] = [{"id": identity} for identity in some]
    if throw.random() < 0.6:
        found["compactedThroughSequence"] = throw.randrange(-1, number + 3)
    return found
