"""Invented sessions of any length: believable turns, answers and results, compactions now and then.

A session of version 0 has every chunk of a stream as an event, one of version 4 has them inside the
answer (format page 0.2 and 4). Both come to about 750 bytes an event.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

Event = dict[str, Any]

START: Final = 1_772_442_000_000
_COMPACT_EVERY: Final = 120
_SPARED: Final = 20
_CALLS: Final = 2
_TEXT: Final = (
    "The failing assertion compares a wall clock with a frozen one; the fixture must be shared. "
)
_OUTPUT: Final = "tests/auth/test_session.py::test_expiry PASSED  [ 41%]  0.03s setup 0.11s call\n"
_MODEL: Final = {"kind": "model", "provider": "provider", "model": "model"}


class Session:
    """Events of version 0 without end, numbered and timed."""

    version = 0
    lines_of_output = 56

    def __init__(self) -> None:
        self._number = 0
        self._surface: list[int] = []

    def header(self, name: str) -> Event:
        """The first line of the log."""
        return {
            "type": "session",
            "version": self.version,
            "id": name,
            "createdAt": START,
            "cwd": "/work/demo",
            "delegationDepth": 0,
        }

    def events(self) -> Iterator[Event]:
        """Turn after turn."""
        turn = 0
        while True:
            turn += 1
            yield self._event("turn/start", {"turn": turn})
            for step in range(1, 4):
                yield from self._step(turn, step)
            yield self._event("turn/end", {"turn": turn, "reason": {"kind": "completed"}})
            if turn % _COMPACT_EVERY == 0:
                yield from self._compaction(f"compaction-{turn}")

    def _event(self, kind: str, data: Any, **envelope: Any) -> Event:
        number = self._number
        self._number += 1
        time = START + number * 7
        return {"type": kind, "seq": number, "time": time, "data": data, **envelope}

    def _node(self, kind: str, data: Any, **envelope: Any) -> Event:
        """An event that enters at the end of the surface."""
        self._surface.append(self._number)
        return self._event(kind, data, **envelope, surfaceOp="append")

    def _step(self, turn: int, step: int) -> Iterator[Event]:
        where = {"turn": turn, "step": step}
        yield self._event("step/start", where)
        if step == 1:
            yield from self._asked(turn)
        calls = [f"call-{turn}-{step}-{call}" for call in range(_CALLS)]
        yield from self._answered(where, calls)
        for call in calls:
            arguments = '{"command":"pytest -q tests/auth"}'
            told = {**where, "callId": call, "name": "bash", "arguments": arguments}
            yield self._event("tool/call", told)
            result = {**where, "message": self._result(call)}
            yield self._node("tool/result", result, sourceEventSeqs=[self._number - 1])
        yield self._event("step/end", where)

    def _asked(self, turn: int) -> Iterator[Event]:
        words = {
            "id": f"user-{turn}",
            "role": "user",
            "content": [_text(f"{turn}: {_TEXT * 8}")],
            "source": {"kind": "user"},
        }
        yield self._node("user/message", words)

    def _answered(self, where: Event, calls: Sequence[str]) -> Iterator[Event]:
        first = self._number
        for piece in range(12):
            yield self._event("assistant/chunk", {**where, "chunk": _delta(piece)})
        sources = list(range(first, self._number))
        yield self._node("assistant/message", self._answer(where, calls), sourceEventSeqs=sources)

    def _answer(self, where: Event, calls: Sequence[str]) -> Event:
        blocks = [_text(_TEXT * 12)]
        blocks += [
            {"type": "tool-call", "id": call, "name": "bash", "arguments": '{"command":"pytest"}'}
            for call in calls
        ]
        message = {
            "id": f"assistant-{where['turn']}-{where['step']}",
            "role": "assistant",
            "content": blocks,
            "source": _MODEL,
        }
        cached = 300 * len(self._surface)
        usage = {"inputTokens": 400, "cacheReadTokens": cached, "outputTokens": 220}
        return {**where, "message": message, "usage": usage}

    def _result(self, call: str) -> Event:
        block = {
            "type": "tool-result",
            "toolCallId": call,
            "content": [_text(_OUTPUT * self.lines_of_output)],
            "isError": False,
        }
        source = {"kind": "tool", "callId": call}
        return {"id": f"result-{call}", "role": "user", "source": source, "content": [block]}

    def _compaction(self, name: str) -> Iterator[Event]:
        kept, hidden, spared = self._split()
        start = self._number
        yield self._event("compaction/start", {"compactionId": name, "turn": None})
        yield self._event("compaction/summary", _summary(name, hidden))
        self._surface = [*kept, self._number, *spared]
        checkpoint = {
            "id": name,
            "role": "user",
            "content": [_text(f"<compacted-summary>{_TEXT * 20}")],
            "source": self._compact_source(name),
        }
        yield self._event(
            "user/message",
            checkpoint,
            sourceEventSeqs=[start, start + 1, *hidden],
            surfaceOp=self._span(hidden),
        )
        yield self._event("compaction/end", {"compactionId": name, "turn": None})

    # What the versions say differently.

    def _split(self) -> tuple[list[int], list[int], list[int]]:
        """The surface before, in and after what a compaction hides."""
        return [], self._surface[:-_SPARED], self._surface[-_SPARED:]

    def _compact_source(self, name: str) -> Event:
        return {"kind": "plugin", "plugin": "compact", "compactionId": name}

    def _span(self, hidden: Sequence[int]) -> Event:
        return {"op": "replace", "start": hidden[0], "end": hidden[-1]}


class Later(Session):
    """Events of version 4."""

    version = 4
    lines_of_output = 11

    def header(self, name: str) -> Event:
        """The first line of the log."""
        return {**super().header(name), "isSeeded": False}

    def _asked(self, turn: int) -> Iterator[Event]:
        if turn == 1:
            message = {
                "id": "system-1",
                "role": "system",
                "content": [_text(_TEXT * 8)],
                "source": {"kind": "system-prompt"},
            }
            yield self._node("system/message", {"turn": 1, "step": 1, "message": message})
        yield from super()._asked(turn)

    def _answered(self, where: Event, calls: Sequence[str]) -> Iterator[Event]:
        time = START + self._number * 7
        stream = [{"type": "chunk", "time": time, "chunk": _delta(piece)} for piece in range(12)]
        yield self._node("assistant/message", {**self._answer(where, calls), "stream": stream})

    def _result(self, call: str) -> Event:
        return {
            "id": f"result-{call}",
            "role": "tool",
            "toolCallId": call,
            "source": {"kind": "tool", "callId": call},
            "content": [_text(_OUTPUT * self.lines_of_output)],
            "isError": False,
        }

    def _split(self) -> tuple[list[int], list[int], list[int]]:
        before, hidden, after = super()._split()
        return [*before, *hidden[:1]], hidden[1:], after

    def _compact_source(self, name: str) -> Event:
        return {"kind": "compact-checkpoint", "compactionId": name}

    def _span(self, hidden: Sequence[int]) -> Event:
        return {"op": "replace", "startSeq": hidden[0], "endSeq": hidden[-1]}


def _text(text: str) -> Event:
    return {"type": "text", "text": text}


def _delta(piece: int) -> Event:
    return {"type": "text-delta", "index": 0, "text": f"piece {piece} of it "}


def _summary(name: str, hidden: list[int]) -> Event:
    return {
        "compactionId": name,
        "summary": [_text(_TEXT * 20)],
        "shadowedRange": {"start": hidden[0], "end": hidden[-1]},
        "shadowedSeqs": hidden,
        "shadowedTokenCount": 100_000,
        "provider": "provider",
        "model": "model",
    }
