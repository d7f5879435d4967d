"""A generated tape of any length: believable turns, chunks as single events, compactions now and
then.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

_START = 1_772_442_000_000
_COMPACT_EVERY = 120
_TEXT = (
    "The failing assertion compares a wall clock with a frozen one; the fixture must be shared. "
)
_OUTPUT = "tests/auth/test_session.py::test_expiry PASSED  [ 41%]  0.03s setup 0.11s call\n"


def events() -> Iterator[dict[str, Any]]:
    """Events without end, numbered and timed."""
    number = 0
    surface: list[int] = []

    def event(kind: str, data: Any, **envelope: Any) -> dict[str, Any]:
        nonlocal number
        made = {"type": kind, "seq": number, "time": _START + number * 7, "data": data, **envelope}
        number += 1
        return made

    turn = 0
    while True:
        turn += 1
        yield event("turn/start", {"turn": turn})
        for step in range(1, 4):
            where = {"turn": turn, "step": step}
            yield event("step/start", where)
            if step == 1:
                surface.append(number)
                yield event("user/message", _user(turn), surfaceOp="append")
            first = number
            for piece in range(12):
                delta = {"type": "text-delta", "index": 0, "text": f"piece {piece} of it "}
                yield event("assistant/chunk", {**where, "chunk": delta})
            sources = list(range(first, number))
            calls = [f"call-{turn}-{step}-{call}" for call in range(2)]
            surface.append(number)
            yield event(
                "assistant/message",
                {**where, "message": _assistant(turn, step, calls), "usage": _usage(len(surface))},
                sourceEventSeqs=sources,
                surfaceOp="append",
            )
            for call in calls:
                arguments = '{"command":"pytest -q tests/auth"}'
                yield event(
                    "tool/call", {**where, "callId": call, "name": "bash", "arguments": arguments}
                )
                surface.append(number)
                yield event(
                    "tool/result",
                    {**where, "message": _result(call)},
                    sourceEventSeqs=[number - 1],
                    surfaceOp="append",
                )
            yield event("step/end", where)
        yield event("turn/end", {"turn": turn, "reason": {"kind": "completed"}})
        if turn % _COMPACT_EVERY == 0:
            hidden, surface = surface[:-20], surface[-20:]
            name = f"compaction-{turn}"
            start = number
            yield event("compaction/start", {"compactionId": name, "turn": None})
            yield event("compaction/summary", _summary(name, hidden))
            surface.insert(0, number)
            yield event(
                "user/message",
                _checkpoint(name),
                sourceEventSeqs=[start, start + 1, *hidden],
                surfaceOp={"op": "replace", "start": hidden[0], "end": hidden[-1]},
            )
            yield event("compaction/end", {"compactionId": name, "turn": None})


def _user(turn: int) -> dict[str, Any]:
    return {
        "id": f"user-{turn}",
        "role": "user",
        "content": [{"type": "text", "text": f"{turn}: {_TEXT * 8}"}],
        "source": {"kind": "user"},
    }


def _assistant(turn: int, step: int, calls: list[str]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": _TEXT * 12}]
    blocks += [
        {"type": "tool-call", "id": call, "name": "bash", "arguments": '{"command":"pytest"}'}
        for call in calls
    ]
    return {
        "id": f"assistant-{turn}-{step}",
        "role": "assistant",
        "content": blocks,
        "source": {"kind": "model", "provider": "provider", "model": "model"},
    }


def _result(call: str) -> dict[str, Any]:
    return {
        "id": f"result-{call}",
        "role": "user",
        "source": {"kind": "tool", "callId": call},
        "content": [
            {
                "type": "tool-result",
                "toolCallId": call,
                "content": [{"type": "text", "text": _OUTPUT * 56}],
                "isError": False,
            }
        ],
    }


def _usage(rows: int) -> dict[str, int]:
    return {"inputTokens": 400, "cacheReadTokens": 300 * rows, "outputTokens": 220}


def _summary(name: str, hidden: list[int]) -> dict[str, Any]:
    return {
        "compactionId": name,
        "summary": [{"type": "text", "text": _TEXT * 20}],
        "shadowedRange": {"start": hidden[0], "end": hidden[-1]},
        "shadowedSeqs": hidden,
        "shadowedTokenCount": 100_000,
        "provider": "provider",
        "model": "model",
    }


def _checkpoint(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "role": "user",
        "content": [{"type": "text", "text": f"<compacted-summary>{_TEXT * 20}"}],
        "source": {"kind": "plugin", "plugin": "compact", "compactionId": name},
    }


def write(path: Path, count: int) -> None:
    """Write a tape of so many events."""
    header = {
        "type": "session",
        "version": 0,
        "id": f"generated-{count}",
        "createdAt": _START,
        "cwd": "/work/demo",
        "delegationDepth": 0,
    }
    with path.open("wb") as file:
        file.write(orjson.dumps(header) + b"\n")
        for _, event in zip(range(count), events(), strict=False):
            file.write(orjson.dumps(event) + b"\n")
