"""One tape with every event type of version 0: a helper is asked to prepare a release."""

from typing import Any, Final

from sample_tapes.writing import PRO, Call, Json, Tape, exited, progress, text_block

_GOAL: Final = "2.4.0 is tagged and its changelog is written"
_STEPS: Final = ("Write the changelog", "Tag 2.4.0")
_OVERLOADED: Final = {"message": "upstream overloaded", "code": "SERVER", "status": 503}
_TEAM: Final = {"version": 1, "teamId": "team-release"}
_TESTS: Final = "\n".join(
    f"tests/auth/test_names.py::test_name_{number:03}_is_kept PASSED" for number in range(150)
)
"""Long enough to be pruned."""


def activities() -> Tape:
    """Every activity begins and ends, well and badly."""
    tape = Tape(
        "sample-activities",
        parentSession="sample-release",
        seedLength=0,
        origin="subagent",
        delegationDepth=1,
    )
    _delegated(tape)
    _planning(tape)
    _asking(tape)
    _dispatching(tape)
    _commanding(tape)
    _teaming(tape)
    _giving_up(tape)
    return tape


def _delegated(tape: Tape) -> None:
    """What a helper finds before its first turn."""
    tape.event("session/end-seed", {})
    tape.event("approval/policy", {"policy": "ask", "source": "delegation"})
    tape.event("sandbox/mode", {"mode": "workspace-write", "source": "delegation"})
    descriptor = {"version": 2, "mode": "continuable", "provider": "fork"}
    tape.event("subagent/descriptor", {**descriptor, "label": "Prepare 2.4.0"})
    tape.event("agent-preset/selected", {"agentPreset": "code"})
    tape.event("permission/preset", {"preset": "auto"})


def _planning(tape: Tape) -> None:
    """Turn 1: plan mode, a search, a goal and a list of what is to be done."""
    words = tape.prompt("Prepare release 2.4.0. Plan first, and change nothing yet.", after=0)
    tape.fallback_title("Prepare release 2.4.0.", words)
    tape.event("plan/mode", {"active": True})
    tape.request()
    search = tape.call("web_search", query="keep a changelog headings")
    tape.answer("I look up how such a changelog is laid out.", search, stream="packed", deltas=3)
    tape.run(search)
    body = {"model": PRO, "max_tokens": 1_024, "messages": [], "tools": []}
    endpoint = "https://search.example.invalid/v1"
    tape.event(
        "web/deepseek-search-llm-request", {"endpoint": endpoint, "apiVersion": "1", "body": body}
    )
    tape.result(search, "Headings: Added, Changed, Fixed, one list each.", took=1.4)
    tape.step()
    todos = tape.call("todo_write", todos=progress(_STEPS, 0))
    tape.answer("Two steps:", todos)
    tape.run(todos)
    tape.note_todos(todos, progress(_STEPS, 0))
    tape.step()
    tape.answer("First the changelog, then the tag. Shall I?")
    tape.end_turn()
    tape.provider_title("Preparing release 2.4.0", words)
    tape.event("plan/mode", {"active": False})
    tape.event("goal/change", _goal("create", 1, "active"))


def _goal(operation: str, revision: int, phase: str) -> Json:
    goal = {
        "id": "goal-1",
        "revision": revision,
        "objective": _GOAL,
        "phase": phase,
        "maxGoalRounds": 3,
    }
    rounds = {"roundsStarted": revision - 1, "createdAt": 0, "updatedAt": revision - 1}
    return {
        "kind": "goal/change",
        "version": 1,
        "operation": operation,
        "goal": goal,
        **rounds,
    }


def _asking(tape: Tape) -> None:
    """Turn 2: what a person allows, rejects and cancels, and what a hook blocks."""
    tape.prompt("Yes.", after=31)
    _asked(tape, "git fetch --tags", "allowed-once", exited("already up to date"))
    tape.step()
    _asked(tape, "git push --force", "rejected", "Error: rejected by the user")
    tape.step()
    _asked(tape, "twine upload dist/*", "cancelled", "Error: the question was cancelled")
    tape.step()
    edit = tape.call("edit", path="vendor/VERSION", old_string="2.3.0", new_string="2.4.0")
    tape.answer("", edit)
    tape.run(edit)
    hook = {"turn": 2, "point": "PreToolUse", "handlerId": "claude-code:PreToolUse:1"}
    tape.event("hook/invoked", {**hook, "dialect": "claude-code", "matcher": "edit"})
    ended = {"exitCode": 2, "stderrSummary": "vendor/ is read-only", "durationMs": 18.5}
    tape.event("hook/result", {**hook, "decision": "block", **ended})
    tape.result(edit, "Error: blocked by a hook: vendor/ is read-only", failed=True)
    tape.step()
    tape.answer("The tags are here. Pushing, uploading and vendor/ are not for me.")
    tape.end_turn()


def _asked(tape: Tape, command: str, outcome: str, output: str) -> None:
    """A call that somebody has to allow."""
    call = tape.call("bash", command=command, description="Needs the network")
    tape.answer("", call)
    tape.run(call)
    approval = {"id": f"approval-{call.id}"}
    asked = {"toolName": "bash", "callId": call.id, "reason": "network access"}
    tape.event("approval/asked", {**approval, **asked})
    tape.wait(4)
    tape.event("approval/decided", {**approval, "outcome": outcome})
    tape.result(call, output, failed=outcome != "allowed-once")


def _dispatching(tape: Tape) -> None:
    """Turn 3: calls within a call, a workflow of two agents, a schedule, and a retry that helps."""
    tape.prompt("Then check the changelog, and look at CI every ten minutes.", after=20)
    tape.failed_request(_OVERLOADED)
    tape.retry(1, 2, _OVERLOADED)
    code = tape.call("code", source="for name in changed(): check(name)")
    tape.answer("", code)
    tape.run(code)
    _sub_calls(tape, code)
    tape.result(code, "1 of 1 entries is in order.")
    tape.step()
    tape.event(
        "schedule/change",
        {
            "version": 1,
            "operation": "create",
            "schedule": {
                "id": "schedule-1",
                "kind": "every",
                "prompt": "Is CI green?",
                "everySeconds": 600,
                "scheduledAt": "2026-03-02T09:12:00.000Z",
            },
        },
    )
    _workflow(tape)
    passed = tape.use("", "bash", {"command": "pytest -v", "description": "All"}, exited(_TESTS))
    tape.step()
    tape.prune(passed)
    tape.answer("The entries are in order, and CI is looked at every ten minutes.")
    tape.end_turn()
    tape.wait(600)
    due = {"version": 1, "id": "schedule-1"}
    accepted = "2026-03-02T09:12:01.000Z"
    tape.event("schedule/change", {**due, "operation": "dispatch", "acceptedAt": accepted})
    tape.event("schedule/change", {**due, "operation": "delete"})


def _sub_calls(tape: Tape, code: Call) -> None:
    """The code of a call calls a tool, which calls another."""
    outer, inner = f"{code.id}:code:1", f"{code.id}:code:1:code:1"
    check = _sub_call(code, code.id, outer, "check", path="CHANGELOG.md")
    read = _sub_call(code, outer, inner, "read", path="CHANGELOG.md")
    tape.event("tool/code-dispatch-start", check)
    tape.event("tool/code-dispatch-start", read)
    text = [text_block("    1\t## 2.4.0")]
    tape.event("tool/code-dispatch", {**read, "isError": False, "content": text})
    tape.event("tool/code-dispatch", {**check, "isError": False, "content": [text_block("ok")]})


def _sub_call(root: Call, parent: str, own: str, name: str, **arguments: Any) -> Json:
    return {
        "rootCallId": root.id,
        "parentCallId": parent,
        "subCallId": own,
        "name": name,
        "arguments": arguments,
    }


def _workflow(tape: Tape) -> None:
    """Two agents, of which one fails."""
    run = {"runId": "run-1"}
    tape.event("tool-workflow/run-start", {**run, "name": "proofread"})
    for number, label in enumerate(("Spelling", "Links"), 1):
        agent = {**run, "seq": number, "label": label, "phase": "Read"}
        tape.event("tool-workflow/agent-start", {**agent, "childId": f"child-{number}"})
    tape.wait(6)
    tape.event("tool-workflow/agent-end", {**run, "seq": 1, "outcome": "completed"})
    tape.event("tool-workflow/agent-end", {**run, "seq": 2, "outcome": "failed"})
    tape.event("tool-workflow/run-end", {**run, "stopReason": "error"})


def _commanding(tape: Tape) -> None:
    """Between turns 3 and 4: a command that is done, and one that fails."""
    by_hand: Json = {"source": {"kind": "user"}}
    compact, model = {"commandId": "cmd-1"}, {"commandId": "cmd-2"}
    tape.event("command/run", {**compact, "name": "compact", **by_hand})
    tape.compact("2.4.0 is planned; its changelog is written.", command="cmd-1", manual=True)
    tape.event("command/done", {**compact, "kind": "success", "text": "Compacted."})
    tape.event("command/run", {**model, "name": "model", "args": "none-such", **by_hand})
    tape.event("command/done", {**model, "kind": "error", "text": "no such model: none-such"})


def _teaming(tape: Tape) -> None:
    """Turn 4: a member of a team gets a task and a message, and the goal is reached."""
    tape.prompt("Let somebody else write the tag's message, and be done.", after=15)
    member = {
        "id": "member-1",
        "name": "Noor",
        "description": "writes",
        "provider": "spawn",
        "context": "fresh",
    }
    task = {
        "id": "task-1",
        "subject": "Tag message",
        "description": "Three lines for the tag.",
        "blockedBy": [],
        "writeScopes": [],
    }
    tape.event("team/member", {**_TEAM, "member": {**member, "phase": "provisioning"}})
    tape.event("team/member", {**_TEAM, "member": {**member, "phase": "active"}})
    _task(tape, task, 1, "pending")
    message = {
        "id": "message-1",
        "senderId": "lead",
        "senderName": "lead",
        "targetId": "member-1",
        "delivery": "wakeup",
        "content": [text_block("Please write it.")],
    }
    tape.event("team/message/queued", {**_TEAM, "message": message})
    delivered = {"messageId": "message-1", "targetId": "member-1"}
    tape.event("team/message/delivered", {**_TEAM, **delivered})
    _task(tape, task, 2, "in_progress")
    tape.wait(12)
    _task(tape, task, 3, "completed")
    tape.answer("Noor wrote it, and 2.4.0 is tagged.")
    tape.end_turn()
    tape.event("goal/change", _goal("complete", 2, "complete"))


def _task(tape: Tape, task: Json, revision: int, status: str) -> None:
    now = {**task, "revision": revision, "status": status, "ownerId": "member-1"}
    tape.event("team/task", {**_TEAM, "task": now})


def _giving_up(tape: Tape) -> None:
    """Turn 5: a retry that does not help."""
    tape.prompt("And the announcement?", after=9)
    tape.failed_request(_OVERLOADED)
    tape.retry(1, 1, _OVERLOADED)
    tape.failed_request(_OVERLOADED)
    tape.end_turn("error", error={**_OVERLOADED, "requestId": "req-7"})
    tape.event("feedback/record", {"text": "good until the provider was gone"})
