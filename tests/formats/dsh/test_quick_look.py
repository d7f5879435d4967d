"""The quick look at an event passes nothing at which a closer look would find fault.

A number written with a point is the same number, and makes the decoder look closer.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Tape
from tests.dsh_tapes import (
    Json,
    Log,
    assistant_data,
    call_block,
    codes,
    folded,
    result_data,
    surface,
    text_block,
    user_data,
    visibility,
)

ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, 1.5, "", "x", [], {}, [None], [7, "x"]),
    *({"kind": ""}, "fallback"),
)

CONFIG: Final = {"provider": "deepseek", "model": "flash", "maxTokens": 8}

PLAIN: Final[tuple[tuple[str, Json, bool], ...]] = (
    ("turn/start", {"turn": 2}, False),
    ("turn/start", {"turn": 2, "trigger": {"kind": "user"}}, False),
    ("turn/end", {"turn": 2, "reason": {"kind": "completed"}}, False),
    ("turn/end", {"turn": 2, "reason": {"kind": "aborted", "reason": {"kind": "user"}}}, False),
    ("turn/end", {"turn": 2, "reason": {"kind": "error", "step": 1, "message": "m"}}, False),
    ("user/message", user_data(), True),
    ("user/message", user_data(plugin="memory"), True),
    ("assistant/message", assistant_data(text_block("a"), call_block("c")), True),
    ("tool/result", result_data("c"), True),
    (
        "request/header",
        {
            "header": {"config": CONFIG, "adapterDefaults": {"maxTokens": True}},
            "reason": "initial",
        },
        False,
    ),
    ("request/context", {"provider": "deepseek", "model": "flash"}, False),
    ("step/start", {"turn": 1, "step": 1}, False),
    ("tool/call", {"turn": 1, "step": 1, "callId": "c", "name": "b", "arguments": ""}, False),
)
"""Types, their data, and whether they stand on the surface."""


def changed(value: Any) -> list[Any]:
    """A value with one thing in it left out, added or of another shape, for each such thing."""
    found: list[Any] = list(ODD)
    if isinstance(value, dict):
        for key, inner in value.items():
            found.append({name: other for name, other in value.items() if name != key})
            found += [value | {key: odd} for odd in changed(inner)]
        found.append(value | {"more": 1})
    if isinstance(value, list):
        found.append([*value, *value[:1]])
        for at, inner in enumerate(value):
            found += [[*value[:at], odd, *value[at + 1 :]] for odd in changed(inner)]
    return found


def logs_of(kind: str, data: Any, *, stands: bool) -> tuple[bytes, bytes]:
    """A log with such an event, and one that differs in how its number is written."""
    log = Log()
    log.turn()
    log.user("before")
    log.event(kind, data, **({"surfaceOp": "append"} if stands else {}))
    log.user("after")
    plain = bytes(log)
    return plain, plain.replace(b'"seq":2,', b'"seq":2.0,')


def said(tape: Tape) -> tuple[Any, ...]:
    verdict = tape.verdict()
    return (
        (verdict.opens, verdict.reason, verdict.event),
        codes(tape),
        surface(tape),
        visibility(tape, 2),
        tape.payload(2).get("data"),
    )


@pytest.mark.parametrize(("kind", "data", "stands"), PLAIN, ids=lambda value: str(value)[:40])
def test_a_quick_look_says_what_a_closer_one_says(
    kind: str, data: Json, stands: bool, tmp_path: Path
) -> None:
    for number, variant in enumerate([data, *changed(data)]):
        quick, close = logs_of(kind, variant, stands=stands)
        assert quick != close
        there = tmp_path / str(number)
        there.mkdir()
        one, other = folded(quick, there), folded(close, there)
        assert said(one) == said(other), json.dumps(variant)


def test_a_retired_reason_is_refused_however_good_the_header_is(tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", {"header": {"config": CONFIG}, "reason": "fallback"})
    tape = folded(log, tmp_path)
    assert tape.verdict().reason == "request/header with reason fallback is refused"
    assert codes(tape) == ["retired-type"]
