"""Pi: a session with one of everything that its owner writes, a fork of it, and an old one."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_HARBOUR: Final = "5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d10"
_FORK: Final = "5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d11"
_OLD: Final = "5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d12"
_BEGIN: Final = datetime(2026, 7, 6, 9, 0, 0, tzinfo=UTC)
_CWD: Final = "/work/harbour"

Json = dict[str, Any]


def pi() -> dict[str, bytes]:
    """Three sessions, by the paths of their files."""
    harbour = _harbour()
    files = (harbour, _fork(harbour), _old())
    return {f"pi/{session.name}": session.content() for session in files}


class Session:
    """A session as the owner writes it; entries hang on the last one unless told."""

    def __init__(self, session: str, hours: int, **header: Any) -> None:
        self._time = _BEGIN + timedelta(hours=hours)
        stamp = _stamp(self._time)
        self._ids = f"a{session[-1]}"
        self.name = f"{stamp.replace(':', '-').replace('.', '-')}_{session}.jsonl"
        self.lines: list[Json] = [
            {"type": "session", "version": 3, "id": session, "timestamp": stamp, "cwd": _CWD}
        ]
        self.lines[0].update(header)
        self.leaf: str | None = None

    def entry(self, kind: str, seconds: int = 4, **more: Any) -> str:
        """Append an entry and return its id."""
        self._time += timedelta(seconds=seconds)
        identity = f"{self._ids}{len(self.lines):06x}"
        told = {"type": kind, "id": identity, "parentId": self.leaf}
        self.lines.append({**told, "timestamp": _stamp(self._time), **more})
        self.leaf = identity
        return identity

    def message(self, role: str, seconds: int = 4, **more: Any) -> str:
        """Append a message."""
        stamp = int((self._time + timedelta(seconds=seconds)).timestamp() * 1_000)
        return self.entry("message", seconds, message={"role": role, **more, "timestamp": stamp})

    def user(self, said: str) -> str:
        """A person's message."""
        return self.message("user", 40, content=[{"type": "text", "text": said}])

    def answer(self, *content: Json, stop: str = "stop", **more: Any) -> str:
        """An answer, and what its request cost."""
        prompt = 900 + 260 * len(self.lines)
        usage = {
            "input": 120,
            "output": 90,
            "cacheRead": prompt,
            "cacheWrite": 200,
            "totalTokens": prompt + 410,
            "cost": {"input": 0.0004, "output": 0.0014, "cacheRead": 0.0005, "cacheWrite": 0.0008},
        }
        usage["cost"] = {**usage["cost"], "total": 0.0031}  # type: ignore[dict-item]
        told = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}
        return self.message(
            "assistant", content=[*content], **told, usage=usage, stopReason=stop, **more
        )

    def result(self, call: str, tool: str, said: str, *, failed: bool = False) -> str:
        """What a tool answered."""
        content = [{"type": "text", "text": said}]
        return self.message(
            "toolResult", 2, toolCallId=call, toolName=tool, content=content, isError=failed
        )

    def content(self) -> bytes:
        """The file."""
        lines = (json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in self.lines)
        return "".join(f"{line}\n" for line in lines).encode()


def _stamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _text(said: str) -> Json:
    return {"type": "text", "text": said}


def _call(call: str, tool: str, **given: Any) -> Json:
    return {"type": "toolCall", "id": call, "name": tool, "arguments": given}


def _harbour() -> Session:
    session = Session(_HARBOUR, 0)
    session.entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
    session.entry("thinking_level_change", thinkingLevel="medium")
    session.user("The tide table is an hour late since Sunday. Why?")
    thought = {"type": "thinking", "thinking": "Sunday was when the clocks changed."}
    session.answer(thought, _call("c1", "read", path="tides.py"), stop="toolUse")
    session.result("c1", "read", "def high_water(day):\n    return TABLE[day].replace(tzinfo=None)")
    asked = session.answer(_text("The table loses its zone in `tides.py`. I would keep it."))
    session.user("Try to shift the table instead.")
    session.answer(_call("c2", "bash", command="pytest tests/test_tides.py"), stop="toolUse")
    session.result("c2", "bash", "FAILED test_tides.py::test_spring", failed=True)
    session.answer(_text(""), stop="aborted", errorMessage="Operation aborted")
    session.leaf = asked
    summary = "Shifting the table broke the spring tides; nothing was kept of it."
    session.entry("branch_summary", fromId=asked, summary=summary)
    kept = session.user("All right, keep the zone.")
    calls = (_call("c3", "edit", path="tides.py"), _call("c4", "bash", command="pytest -q"))
    session.answer(*calls, stop="toolUse")
    session.result("c3", "edit", "Edited tides.py")
    long = session.result("c4", "bash", "\n".join(f"test {n} passed" for n in range(40)))
    done = session.answer(_text("Done: 40 tests pass."))
    session.entry("label", targetId=done, label="tides are right")
    session.entry("context_edit", targetId=long, replacement={"content": "40 tests passed"})
    command = {"command": "git status", "output": "M tides.py", "exitCode": 0}
    session.message("bashExecution", **command, cancelled=False, truncated=False)
    session.entry(
        "compaction",
        summary="The tide table lost its time zone in tides.py. It is kept now.",
        firstKeptEntryId=kept,
        tokensBefore=6_240,
        details={"readFiles": [], "modifiedFiles": ["tides.py"]},
        systemMessage={"role": "system", "content": "You work in /work/harbour."},
    )
    session.entry("session_info", name="An hour late")
    content = "The harbour master's note: the table is printed at noon."
    session.entry("custom_message", customType="note", content=content, display=False)
    session.entry("custom", customType="counter", data={"runs": 2})
    session.user("Print it.")
    hidden = {"command": "lp secret.txt", "output": "", "exitCode": 1, "excludeFromContext": True}
    session.message("bashExecution", **hidden, cancelled=False, truncated=False)
    session.entry("context_edit", targetId=done, replacement=None)
    session.answer(_text("It is printed."))
    return session


def _fork(parent: Session) -> Session:
    folder = "/home/ada/.pi/agent/sessions/--work-harbour--"
    fork = Session(_FORK, 2, parentSession=f"{folder}/{parent.name}")
    fork.lines += parent.lines[1:7]
    fork.leaf = fork.lines[-1]["id"]
    fork.user("Who else reads the table?")
    fork.answer(_text("Only the ferry office."))
    return fork


def _old() -> Session:
    old = Session(_OLD, -24 * 200)
    told = {"provider": "anthropic", "modelId": "claude-opus-4", "thinkingLevel": "off"}
    old.lines[0].update(told)
    del old.lines[0]["version"]
    old.user("How deep is the basin?")
    old.answer(_text("Six metres at low water."))
    old.user("And at the pier?")
    old.answer(_text("Four."))
    old.entry("compaction", summary="The basin is six metres.", tokensBefore=900)
    old.lines[-1]["firstKeptEntryIndex"] = 3
    old.user("Is that enough for the ferry?")
    for line in old.lines[1:]:
        del line["id"], line["parentId"]
    return old
