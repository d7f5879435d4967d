"""Transcripts of Claude Code: one with everything worth seeing, and one of a subagent of it."""

import json
from datetime import datetime, timedelta
from typing import Any, Final

SESSION: Final = "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31"
AGENT: Final = "b7e1"
_START: Final = datetime.fromisoformat("2026-06-08T08:15:00+00:00")

Json = dict[str, Any]


def claude() -> dict[str, bytes]:
    """The files, by path."""
    return {
        f"claude/{SESSION}.jsonl": _story(),
        f"claude/{SESSION}/subagents/agent-{AGENT}.jsonl": _subagent(),
        f"claude/{SESSION}/subagents/agent-{AGENT}.meta.json": json.dumps(
            {"agentType": "Explore", "toolUseId": "toolu_04"}
        ).encode(),
    }


class Transcript:
    """Writes records, each hanging on the one before unless told otherwise."""

    def __init__(self, *, side: bool = False) -> None:
        self._lines: list[bytes] = []
        self._time = _START
        self._side = side
        self._last: str | None = None

    @property
    def last(self) -> str | None:
        """The id of the last record of the tree."""
        return self._last

    def coming(self, after: int = 0) -> str:
        """The id of the record that will be written next, or so many behind it."""
        writer = "b" if self._side else "a"
        return f"{len(self._lines) + 1 + after:08d}-0000-4000-8000-{writer:0>12}"

    def beside(self, kind: str, **more: Any) -> None:
        """A record that hangs on nothing."""
        self._write({"type": kind, **more, "sessionId": SESSION})

    def record(self, kind: str, parent: str | None = "last", **more: Any) -> str:
        """A record of the tree; returns its id."""
        uuid = self.coming()
        self._write(
            {
                "parentUuid": self._last if parent == "last" else parent,
                "isSidechain": self._side,
                "userType": "external",
                "cwd": "/work/lighthouse",
                "sessionId": SESSION,
                "version": "2.1.260",
                "gitBranch": "main",
                "type": kind,
                **more,
                "uuid": uuid,
                "timestamp": self._time.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            }
        )
        self._last = uuid
        return uuid

    def _write(self, record: Json) -> None:
        self._lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode())
        self._time += timedelta(seconds=4)

    def user(self, content: Any, parent: str | None = "last", **more: Any) -> str:
        """A message of the user."""
        return self.record("user", parent, message={"role": "user", "content": content}, **more)

    def answer(self, of: str, block: Json, output: int, parent: str = "last", **more: Any) -> str:
        """A line of a message of the model: one block."""
        message = {
            "id": of,
            "type": "message",
            "role": "assistant",
            "model": "claude-demo",
            "content": [block],
            "stop_reason": more.pop("stop", None),
            "usage": {
                "input_tokens": 12,
                "cache_creation_input_tokens": 240,
                "cache_read_input_tokens": 5_200,
                "output_tokens": output,
            },
        }
        return self.record("assistant", parent, message=message, requestId=f"req_{of}", **more)

    def result(self, call: str, output: str, parent: str = "last", **more: Any) -> str:
        """What a tool gave back."""
        block: Json = {"type": "tool_result", "tool_use_id": call, "content": output}
        if more.pop("failed", False):
            block["is_error"] = True
        return self.user([block], parent, **more)

    def done(self) -> bytes:
        """The file."""
        return b"".join(line + b"\n" for line in self._lines)


def _text(said: str) -> Json:
    return {"type": "text", "text": said}


def _call(name: str, tool: str, **values: Any) -> Json:
    return {"type": "tool_use", "id": name, "name": tool, "input": values}


def _story() -> bytes:
    tape = Transcript()
    tape.beside("permission-mode", permissionMode="default")
    tape.beside("file-history-snapshot", messageId="none", snapshot={"trackedFileBackups": {}})
    _two_calls(tape)
    joint = _dead_end(tape)
    kept = _second_try(tape, joint)
    _compaction(tape, kept)
    _end(tape)
    return tape.done()


def _two_calls(tape: Transcript) -> None:
    tape.user("The lamp turns too slowly. Find out why.", permissionMode="default")
    tape.answer("msg_1", {"type": "thinking", "thinking": "Motor or gears.", "signature": "x"}, 3)
    tape.answer("msg_1", _text("I will look at both tables."), 3)
    first = tape.answer("msg_1", _call("toolu_01", "Read", file_path="motor.csv"), 3)
    second = tape.answer("msg_1", _call("toolu_02", "Read", file_path="gears.csv"), 88)
    tape.result("toolu_02", "wheel,teeth\nA,24\nB,96", second)
    tape.result("toolu_01", "volts,rpm\n12,60\n24,118", first)
    tape.answer("msg_2", _text("The gears divide by four: 15 turns a minute."), 41, stop="end_turn")


def _dead_end(tape: Transcript) -> str:
    """A try that is given up; the record that the next one hangs on."""
    joint = tape.record("system", subtype="turn_duration", durationMs=31_000)
    tape.user("Change wheel B to 48 teeth.")
    edit = _call("toolu_03", "Edit", file_path="gears.csv", old_string="B,96", new_string="B,48")
    tape.answer("msg_3", edit, 30)
    tape.result(
        "toolu_03",
        "The user doesn't want to proceed with this tool use.",
        failed=True,
        toolUseResult="User rejected tool use",
    )
    tape.user([_text("[Request interrupted by user for tool use]")])
    return joint


def _second_try(tape: Transcript, joint: str) -> tuple[str, str]:
    tape.user("Is there a spare wheel anywhere in the stores?", joint)
    ask = _call("toolu_04", "Task", description="Search the stores", prompt="Find spare wheels.")
    tape.answer("msg_4", ask, 35)
    found = {"agentId": AGENT, "totalTokens": 900, "totalToolUseCount": 1}
    head = tape.result("toolu_04", "Shelf 7: one wheel, 48 teeth.", toolUseResult=found)
    tail = tape.answer("msg_5", _text("Yes: shelf 7, 48 teeth."), 22, stop="end_turn")
    return head, tail


def _compaction(tape: Transcript, kept: tuple[str, str]) -> None:
    head, tail = kept
    messages = {"anchorUuid": tape.coming(1), "uuids": [head, tail]}
    tape.record(
        "system",
        None,
        logicalParentUuid=tail,
        subtype="compact_boundary",
        content="Conversation compacted",
        compactMetadata={
            "trigger": "manual",
            "preTokens": 5_600,
            "durationMs": 9_000,
            "preservedMessages": messages,
        },
    )
    said = "This session is being continued from a previous conversation. The lamp is slow because "
    tape.user(f"{said}gears.csv divides by four.", isCompactSummary=True)
    reminder = {"type": "compact_file_reference", "filename": "gears.csv"}
    tape.record("attachment", attachment=reminder)


def _end(tape: Transcript) -> None:
    tape.user("Fit it and measure again.")
    tape.answer("msg_6", _call("toolu_05", "Bash", command="python measure.py"), 28)
    tape.beside("queue-operation", operation="enqueue", content="and write it down")
    tape.result("toolu_05", "\n".join(f"{turn} turns" for turn in range(29, 31)))
    tape.record("attachment", attachment={"type": "queued_command", "prompt": "and write it down"})
    tape.record(
        "system",
        subtype="api_error",
        error={"message": "overloaded"},
        retryAttempt=1,
        maxRetries=10,
    )
    tape.record(
        "system",
        subtype="microcompact_boundary",
        content="Context microcompacted",
        microcompactMetadata={
            "trigger": "auto",
            "tokensSaved": 20,
            "compactedToolIds": ["toolu_05"],
        },
    )
    tape.answer("msg_7", _text("30 turns a minute now; noted in log.md."), 33, stop="end_turn")
    tape.beside("ai-title", aiTitle="A lamp that turns too slowly")
    tape.beside("last-prompt", lastPrompt="Fit it and measure again.", leafUuid=tape.last)


def _subagent() -> bytes:
    tape = Transcript(side=True)
    tape.user("Find spare wheels.", agentId=AGENT)
    call = _call("toolu_s1", "Grep", pattern="wheel", path="stores")
    tape.answer("msg_s1", call, 20, agentId=AGENT)
    tape.result("toolu_s1", "stores/shelf7.txt: wheel, 48 teeth", agentId=AGENT)
    tape.answer("msg_s2", _text("Shelf 7: one wheel, 48 teeth."), 15, stop="end_turn")
    return tape.done()
