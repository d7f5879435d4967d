"""Zero: a session with one of everything that its owner writes, and a fork that folds no more."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_LANTERN: Final = "zero_20260622080000_1782115200000000000_1"
_FORK: Final = "zero_20260622100000_1782122400000000000_2"
_CHILD: Final = "zero_20260622081500_1782116100000000000_3"
_BEGIN: Final = datetime(2026, 6, 22, 8, 0, 0, tzinfo=UTC)
_CWD: Final = "/work/lantern"
_MODEL: Final = "claude-sonnet-4.5"

Json = dict[str, Any]


def zero() -> dict[str, bytes]:
    """Two session folders, by the paths of their files."""
    lantern = _lantern()
    fork = _fork(lantern)
    return {**lantern.files("lantern"), **fork.files("lantern-fork")}


class Session:
    """A session as the owner writes it: sorted keys in payloads, whole seconds, angles escaped."""

    def __init__(self, session: str, begin: datetime, **metadata: Any) -> None:
        self.session = session
        self.events: list[Json] = []
        self._time = self._began = begin
        self._metadata = metadata

    def event(self, kind: str, seconds: int = 3, **payload: Any) -> Json:
        """Append an event, some seconds after the one before."""
        self._time += timedelta(seconds=seconds)
        number = len(self.events) + 1
        made: Json = {
            "id": f"{self.session}:{number}",
            "sessionId": self.session,
            "sequence": number,
            "type": kind,
            "createdAt": _stamp(self._time),
        }
        if payload:
            made["payload"] = payload
        self.events.append(made)
        return made

    def user(self, content: str, **more: Any) -> None:
        """A person's message."""
        self.event("message", 40, role="user", content=content, **more)

    def answer(self, content: str) -> None:
        """The answer that ends a run, and what its request cost."""
        self.event("message", 5, role="assistant", content=content)
        prompt = 1_200 + 310 * len(self.events)
        self.event(
            "provider_usage",
            0,
            promptTokens=prompt,
            completionTokens=40 + len(content) // 4,
            totalTokens=prompt + 40 + len(content) // 4,
            cachedInputTokens=prompt // 2,
        )

    def use(self, call: str, name: str, output: str, status: str = "ok", **arguments: Any) -> None:
        """A call that nobody had to be asked about, and its result."""
        self.call(call, name, **arguments)
        self.permission(call, name, "allow", "auto", "low")
        self.result(call, name, output, status)

    def call(self, call: str, name: str, **arguments: Any) -> None:
        """A call of a tool."""
        written = json.dumps(arguments, separators=(",", ":"), ensure_ascii=False)
        self.event("tool_call", id=call, name=name, arguments=written)

    def result(self, call: str, name: str, output: str, status: str = "ok", **more: Any) -> None:
        """The result of a call."""
        self.event(
            "tool_result", 4, toolCallId=call, name=name, status=status, output=output, **more
        )

    def permission(self, call: str, name: str, action: str, mode: str, risk: str) -> None:
        """A decision on a call, or the question whether it may run."""
        kind = "permission_request" if action == "prompt" else "permission_decision"
        self.event(
            kind,
            1,
            toolCallId=call,
            name=name,
            action=action,
            permission=action,
            permissionMode=mode,
            sideEffect="read" if risk == "low" else "write",
            risk={"level": risk},
        )

    def compact(self, summary: str, keep: int) -> None:
        """The person compacts: everything but the last events is told by a summary."""
        refs = [
            {key: one[key] for key in ("id", "sequence", "type", "createdAt")}
            for one in self.events
        ]
        covered, kept = refs[:-keep], refs[-keep:]
        self.event(
            "session_compaction",
            20,
            summary=summary,
            preserveLast=keep,
            compactableCount=len(covered),
            preservedCount=len(kept),
            compactedThroughEventId=covered[-1]["id"],
            compactedThroughSequence=covered[-1]["sequence"],
            compactableEvents=covered,
            preservedEvents=kept,
        )

    def files(self, folder: str) -> dict[str, bytes]:
        """The files of the session's folder."""
        last = self.events[-1]
        metadata = {
            "sessionId": self.session,
            **self._metadata,
            "cwd": _CWD,
            "modelId": _MODEL,
            "provider": "anthropic",
            "createdAt": _stamp(self._began),
            "updatedAt": last["createdAt"],
            "eventCount": last["sequence"],
            "lastEventType": last["type"],
        }
        told = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
        return {
            f"zero/{folder}/events.jsonl": b"".join(_line(one) for one in self.events),
            f"zero/{folder}/metadata.json": told.encode(),
        }


def _stamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _line(event: Json) -> bytes:
    payload = event.get("payload")
    if payload is not None:
        event = {**event, "payload": dict(sorted(payload.items()))}
    text = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    for plain, escaped in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(plain, escaped)
    return text.encode() + b"\n"


_TIDES: Final = "low  03:12\nhigh 09:40\nlow  15:51\nhigh 22:08\n"


def _lantern() -> Session:
    lantern = Session(_LANTERN, _BEGIN, title="Light the pier at dusk")
    lantern.user('The lamps on the pier go on too late: "dusk" is an hour off <in summer>.')
    lantern.use("toolu_01", "read_file", "OFFSET = 1  # hours from UTC\n", path="pier/dusk.py")
    lantern.use("toolu_02", "read_file", _TIDES, path="pier/tides.txt")
    lantern.call("toolu_03", "edit_file", path="pier/dusk.py", old="1", new="zone.utcoffset()")
    lantern.event(
        "session_checkpoint",
        1,
        tool="edit_file",
        files=[
            {"path": "pier/dusk.py", "blob": "6b" * 32, "bytes": 30, "mode": 420},
            {"path": "pier/zone.py", "absent": True},
        ],
    )
    lantern.permission("toolu_03", "edit_file", "prompt", "ask", "medium")
    lantern.permission("toolu_03", "edit_file", "allow", "ask", "medium")
    lantern.result("toolu_03", "edit_file", "edited", changedFiles=["pier/dusk.py"])
    lantern.call("toolu_04", "bash", command="python -m pytest -q pier")
    lantern.permission("toolu_04", "bash", "allow", "auto", "low")
    lantern.result("toolu_04", "bash", "1 failed: NameError: name 'zone' is not defined", "error")
    lantern.event("error", 2, message="provider: 529 overloaded")
    asked = {"question": "Which time zone is the pier in?", "options": ["Lisbon", "the Azores"]}
    lantern.event("message", 6, role="ask_user", toolCallId="toolu_05", questions=[asked])
    lantern.event("message", 30, role="ask_user_answers", toolCallId="toolu_05", answers=["Lisbon"])
    lantern.answer("The offset now follows the zone of Lisbon; an import is still missing.")
    lantern.user("Go on. And who else reads the offset?")
    started = {"childSessionId": _CHILD, "taskId": "task-1", "specialist": "explore"}
    spawned = lantern.events[-1]
    lantern.event(
        "session_child",
        childSessionId=_CHILD,
        parentSessionId=_LANTERN,
        rootSessionId=_LANTERN,
        agentName="explore",
        taskId="task-1",
        tag="specialist",
        depth=1,
        prompt="Find all readers of OFFSET",
        spawnedFromEventId=spawned["id"],
        spawnedFromSequence=spawned["sequence"],
    )
    lantern.event(
        "specialist_start", 0, mode="run", background=False, description="readers", **started
    )
    lantern.event(
        "specialist_stop",
        50,
        mode="run",
        background=False,
        status="ok",
        exitCode=0,
        usageRolledUp=True,
        **started,
    )
    lantern.event(
        "provider_usage",
        0,
        source="specialist",
        promptTokens=5_200,
        completionTokens=180,
        totalTokens=5_380,
        **started,
    )
    lantern.use("toolu_06", "bash", "4 passed", command="python -m pytest -q pier")
    lantern.answer("Only pier/bell.py reads it, and its test passes.")
    lantern.compact(
        "The pier's dusk was an hour late in summer: pier/dusk.py had a fixed offset. It follows "
        "the zone of Lisbon now. pier/bell.py reads the offset too; its test passes.",
        keep=8,
    )
    goal = {"objective": "Light every lamp by dusk", "status": "active", "tokenBudget": 50_000}
    lantern.event("goal_created", **goal)
    spec = {"specId": "spec-1", "specFilePath": ".zero/specs/spec-1.md"}
    lantern.event("spec_draft", specStatus="draft", specDraftModelId="gpt-5", **spec)
    lantern.event("spec_approved", 60, specStatus="approved", specUserComment="go", **spec)
    lantern.user(
        "peer: the bell tower is lit",
        origin="cross_session",
        displayContent="the bell tower is lit",
        **{"from": "harbour"},
    )
    lantern.event("future_event_type", 1, lamp=7)
    lantern.answer("Noted: the bell tower is lit.")
    lantern.event(
        "session_rewind",
        90,
        targetSequence=len(lantern.events),
        report={"targetSequence": len(lantern.events), "filesRestored": 1, "filesDeleted": 1},
    )
    lantern.user("Leave the bell tower alone; only the pier.")
    lantern.use("toolu_01", "bash", "12 lamps lit", command="python -m pier light --dry-run")
    lantern.answer("All twelve lamps of the pier are lit at dusk.")
    reached = {**goal, "status": "complete", "statusReason": "12 of 12 lamps"}
    lantern.event("goal_updated", **reached)
    lantern.event("goal_cleared", 1, **reached)
    return lantern


def _fork(parent: Session) -> Session:
    """The parent's events but for usage, under new ids; payloads keep the old ones."""
    last = parent.events[-1]
    fork = Session(
        _FORK,
        _BEGIN + timedelta(hours=2),
        sessionKind="fork",
        title="Light the pier at dusk (fork)",
        parentSessionId=parent.session,
        rootSessionId=parent.session,
        forkedFromEventId=last["id"],
        forkedFromSequence=last["sequence"],
    )
    for one in parent.events:
        if one["type"] != "provider_usage":
            fork.event(one["type"], 0, **one.get("payload", {}))
    fork.event(
        "session_fork",
        0,
        parentSessionId=parent.session,
        parentEventCount=last["sequence"],
        copiedEventCount=len(fork.events),
        forkedFromEventId=last["id"],
        forkedFromSequence=last["sequence"],
    )
    fork.user("And the lamps of the market?")
    fork.answer("They have a switch of their own.")
    return fork
