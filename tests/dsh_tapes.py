"""DeepSeek Harness v0 logs for tests, written a line at a time, and short questions about tapes."""

import json
from collections.abc import Sequence
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import finalize

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh import FORMAT
from inspector.tape.source import FileSource
from tests.folding import fold_on

Json = dict[str, Any]

START: Final = 1787000000000
"""2026-08-17T20:53:20Z, ten milliseconds before the first event."""

HEADER: Final[Json] = {
    "type": "session",
    "version": 0,
    "id": "session",
    "createdAt": START,
    "cwd": "/work/demo",
    "delegationDepth": 0,
}

_names = count()


def line(value: Any) -> bytes:
    """A value as one line of JSON, without its newline."""
    return json.dumps(value, separators=(",", ":")).encode()


def text_block(text: str) -> Json:
    return {"type": "text", "text": text}


def call_block(call: str, name: str = "bash", arguments: str = '{"command":"ls"}') -> Json:
    return {"type": "tool-call", "id": call, "name": name, "arguments": arguments}


def replace(start: int, end: int) -> Json:
    return {"op": "replace", "start": start, "end": end}


def user_data(text: str = "hi", *, plugin: str | None = None) -> Json:
    source = {"kind": "user"} if plugin is None else {"kind": "plugin", "plugin": plugin}
    return {"id": f"u-{text}", "role": "user", "content": [text_block(text)], "source": source}


def assistant_data(*blocks: Json, **more: Any) -> Json:
    source = {"kind": "model", "provider": "deepseek", "model": "flash"}
    message = {"id": "a", "role": "assistant", "content": list(blocks), "source": source}
    return {"turn": 1, "step": 1, "message": message, **more}


def result_data(call: str, text: str = "ok", *, failed: bool = False, **more: Any) -> Json:
    block = {
        "type": "tool-result",
        "toolCallId": call,
        "content": [text_block(text)],
        "isError": failed,
    }
    source = {"kind": "tool", "callId": call}
    message = {"id": f"r-{call}", "role": "user", "source": source, "content": [block]}
    return {"turn": 1, "step": 1, "message": message, **more}


class Log:
    """Writes a log; every method that writes an event returns its seq.

    Keywords of these methods are keys of the envelope, in the place of those written otherwise.
    ``bytes(log)`` is the log so far.
    """

    def __init__(self, header: Json | None = HEADER) -> None:
        self.lines: list[bytes] = []
        self.seq = 0
        self.time = START
        self._data: dict[int, Any] = {}
        if header is not None:
            self.raw(line(header))

    def __bytes__(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def raw(self, record: bytes) -> None:
        """Any line."""
        self.lines.append(record)

    def event(self, kind: str, data: Any, **envelope: Any) -> int:
        """The next event."""
        self.time += 10
        event = {"type": kind, "seq": self.seq, "time": self.time, "data": data, **envelope}
        seq = int(event["seq"])
        self.seq = seq + 1
        self._data[seq] = data
        self.raw(line(event))
        return seq

    def packed(self, *parts: str, kind: str = "text-chunks", **row: Any) -> int:
        """A packed row with ten milliseconds from member to member."""
        self.time += 10
        data: Json = {"turn": 1, "step": 1, "index": 0, "dt": [10] * (len(parts) - 1)}
        if kind == "tool-call-chunks":
            data |= {"id": "c1", "args": list(parts)}
        else:
            data["texts"] = list(parts)
        record = {"type": kind, "seq0": self.seq, "time0": self.time, "data": data, **row}
        first = int(record["seq0"])
        self.seq = first + len(parts)
        self.time += 10 * (len(parts) - 1)
        self.raw(line(record))
        return first

    # Turns and steps.

    def turn(self, turn: int = 1) -> int:
        return self.event("turn/start", {"turn": turn})

    def turn_end(self, turn: int = 1, kind: str = "completed", **reason: Any) -> int:
        return self.event("turn/end", {"turn": turn, "reason": {"kind": kind, **reason}})

    def step(self, step: int = 1, turn: int = 1) -> int:
        return self.event("step/start", {"turn": turn, "step": step})

    def step_end(self, step: int = 1, turn: int = 1) -> int:
        return self.event("step/end", {"turn": turn, "step": step})

    # The surface.

    def user(self, text: str = "hi", **envelope: Any) -> int:
        return self.event("user/message", user_data(text), **{"surfaceOp": "append"} | envelope)

    def context(self, text: str = "note", plugin: str = "memory", **envelope: Any) -> int:
        """What a plugin puts into the mouth of the user."""
        data = user_data(text, plugin=plugin)
        return self.event("user/message", data, **{"surfaceOp": "append"} | envelope)

    def assistant(self, *blocks: Json, usage: Any = None, **envelope: Any) -> int:
        more = {} if usage is None else {"usage": usage}
        data = assistant_data(*blocks, **more)
        return self.event("assistant/message", data, **{"surfaceOp": "append"} | envelope)

    def call(self, call: str = "c1", name: str = "bash") -> int:
        data = {"turn": 1, "step": 1, "callId": call, "name": name, "arguments": "{}"}
        return self.event("tool/call", data)

    def result(
        self, call: str = "c1", text: str = "ok", *, failed: bool = False, **envelope: Any
    ) -> int:
        data = result_data(call, text, failed=failed)
        return self.event("tool/result", data, **{"surfaceOp": "append"} | envelope)

    def rewrite(self, result: int, text: str = "cut", **envelope: Any) -> int:
        """A prune: a result again, with other content and nothing else changed."""
        data = deepcopy(self._data[result])
        data["message"]["content"][0]["content"] = [text_block(text)]
        words = {"surfaceOp": replace(result, result), "sourceEventSeqs": [result]}
        return self.event("tool/result", data, **words | envelope)

    def checkpoint(self, start: int, end: int, sources: Sequence[int], text: str = "short") -> int:
        """The summary of a compaction, in the place of what it covers."""
        data = user_data(text, plugin="compact")
        words = {"surfaceOp": replace(start, end), "sourceEventSeqs": list(sources)}
        return self.event("user/message", data, **words)

    # Compaction.

    def compaction(self, name: str = "cmp", turn: int | None = None) -> int:
        return self.event("compaction/start", {"compactionId": name, "turn": turn})

    def summary(self, name: str = "cmp", **data: Any) -> int:
        blocks = [text_block("short")]
        return self.event("compaction/summary", {"compactionId": name, "summary": blocks, **data})

    def compaction_end(self, name: str = "cmp", **data: Any) -> int:
        return self.event("compaction/end", {"compactionId": name, "turn": None, **data})


def _suffix(log: bytes) -> str:
    """The name that the owner gives a log of this version (format page 0.2)."""
    try:
        version = json.loads(log.split(b"\n", 1)[0])["version"]
    except (ValueError, KeyError, TypeError):
        version = 0
    later = isinstance(version, int) and 0 < version < 6
    return f".session.v{int(version)}.jsonl" if later else ".jsonl"


def opened(log: Log | bytes, folder: Path, **options: Any) -> Tape:
    """A log as an open tape of which nothing is folded yet."""
    path = folder / f"{next(_names)}{_suffix(bytes(log))}"
    path.write_bytes(bytes(log))
    source = FileSource(path)
    tape = FORMAT.open(source, Options(**options))
    finalize(tape, source.close)
    return tape


def folded(log: Log | bytes, folder: Path, **options: Any) -> Tape:
    """A log as a tape that is folded to its end."""
    tape = opened(log, folder, **options)
    return fold_on(tape)


def surface(tape: Tape, cursor: int | None = None) -> list[int]:
    """The events that stand on the surface, by position; at the head unless told."""
    timeline = tape.timeline
    rows = timeline.rows(timeline.events if cursor is None else cursor)
    return [timeline.surface.nodes.origin(row.node) for row in rows]


def visibility(tape: Tape, event: int, cursor: int | None = None) -> tuple[str, int | None]:
    """The word for what became of an event, and the event that hid it; at the head unless told."""
    timeline = tape.timeline
    word, by = timeline.visibility(event, timeline.events if cursor is None else cursor)
    return word.label, by


class Found(NamedTuple):
    """A finding in plain words."""

    code: str
    line: int | None
    byte: int | None
    event: int | None
    message: str


def findings(tape: Tape) -> list[Found]:
    """All findings with their places."""
    found: list[Found] = []
    for finding in tape.findings():
        place = (None, None) if finding.record is None else tape.place(finding.record)[:2]
        found.append(Found(finding.kind.code, *place, finding.event, finding.message))
    return found


def codes(tape: Tape) -> list[str]:
    """The codes of all findings."""
    return [finding.code for finding in findings(tape)]
