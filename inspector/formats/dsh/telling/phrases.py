"""What an event that is no message says, as a short sentence of plain uncleaned text.

The fields are those of format page 1.10 and, for later versions, 11; any of them may be missing or
of any shape.
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.dsh.blocks import ROW, blocks_line, call_line, short
from inspector.formats.dsh.effects.activities import APPROVALS
from inspector.formats.dsh.effects.inbox import TARGETS, waiting_line
from inspector.formats.dsh.effects.messages import turn_end_kind
from inspector.formats.dsh.effects.undertakings import schedule_line
from inspector.formats.shapes import items, mapping, natural, text, whole
from inspector.text.labels import plural

Phrase = Callable[[dict[str, Any]], str]

_NAME: Final = 80
"""Characters of a name within a sentence."""


def said(value: Any) -> str:
    """A name or a number within a sentence; nothing for what is not there."""
    return "" if value is None else short(value)[:_NAME]


def joined(*parts: str) -> str:
    """The parts that say something, with a dot between them."""
    return " · ".join(part for part in parts if part)


def behind(head: str, tail: Any, mark: str = ": ") -> str:
    """What is said of something, if anything is: ``bash: hook asked``."""
    rest = "" if tail is None else short(tail)
    return f"{head}{mark}{rest}" if head and rest else head or rest


def listed(data: dict[str, Any]) -> str:
    """Keys and values, of an event of which nothing else is known."""
    return ", ".join(
        f"{key[:40]} {short(value)}" for key, value in list(data.items())[:8] if value is not None
    )


# Turns, requests and the session.


def _turn(data: dict[str, Any]) -> str:
    return f"turn {short(data.get('turn'))}"


def _step(data: dict[str, Any]) -> str:
    return f"turn {short(data.get('turn'))} step {short(data.get('step'))}"


def _turn_end(data: dict[str, Any]) -> str:
    reason = mapping(data.get("reason"))
    detail = mapping(reason.get("error")).get("message")
    detail = detail or mapping(reason.get("reason")).get("kind")
    return behind(turn_end_kind(data)[:_NAME], detail or None)


def _request_header(data: dict[str, Any]) -> str:
    header = mapping(data.get("header"))
    model = text(mapping(header.get("config")).get("model"))[:_NAME]
    return f"{model} · {len(items(header.get('tools')))} tools · {short(data.get('reason'))}"


def _request_context(data: dict[str, Any]) -> str:
    model = f"{text(data.get('provider'))[:_NAME]} {text(data.get('model'))[:_NAME]}"
    window = data.get("contextWindow")
    return model if window is None else f"{model} · window {short(window)}"


def _title_request(data: dict[str, Any]) -> str:
    route = mapping(data.get("route"))
    model = f"{said(route.get('provider'))} {said(route.get('model'))}".strip() or "a model"
    about = plural(len(items(data.get("messageSeqs"))), "message")
    return f"asks {model} for a title of {about}"


def _todo(data: dict[str, Any]) -> str:
    todos = [mapping(todo) for todo in items(data.get("todos"))]
    done = sum(todo.get("status") == "completed" for todo in todos)
    current = (text(todo.get("content")) for todo in todos if todo.get("status") == "in_progress")
    now = next(current, None)
    head = f"{done} of {len(todos)} done"
    return head if now is None else f"{head} · now: {now[:ROW]}"


def _retry(data: dict[str, Any]) -> str:
    most = data.get("maxRetries")
    which = said(data.get("retry")) or "again"
    of_most = "" if most is None else f" of {said(most)}"
    failure = mapping(data.get("failure"))
    code = said(failure.get("code"))
    why = behind(text(failure.get("message"))[:ROW], f"({code})" if code else None, " ")
    return behind(f"{which}{of_most}{_delay(data.get('delayMs'))}", why or None)


def _delay(milliseconds: Any) -> str:
    length = natural(milliseconds)
    return "" if length is None else f" in {length / 1000:,g} s"


def _retry_started(data: dict[str, Any]) -> str:
    return f"retry {said(data.get('retry'))} of {_step(data)}"


def _inbox(data: dict[str, Any]) -> str:
    target = text(data.get("target"))
    where = TARGETS.get(target, target[:_NAME])
    removed, inserted = natural(data.get("removedCount")), items(data.get("inserted"))
    words = [where]
    if removed:
        words.append(f"−{removed:,}")
    if text(data.get("outcome")):
        outcome = text(data.get("outcome"))[:_NAME]
        words.append("(cancelled)" if outcome == "canceled" else f"({outcome})")
    if inserted:
        words.append(f"+{len(inserted):,}: {waiting_line(inserted[0])}")
    elif not removed:
        words.append("unchanged")
    return " ".join(word for word in words if word)


# Policy, approval, hooks and commands.


def _by(value: Any, source: Any) -> str:
    by = text(source)[:_NAME]
    return f"{said(value)} (by {by})" if by else said(value)


def _approval_asked(data: dict[str, Any]) -> str:
    return behind(said(data.get("toolName")) or "a tool", data.get("reason"))


def _approval_decided(data: dict[str, Any]) -> str:
    outcome = text(data.get("outcome"))
    return APPROVALS[outcome][1] if outcome in APPROVALS else said(data.get("outcome"))


def _plan_mode(data: dict[str, Any]) -> str:
    active = data.get("active")
    return {True: "entered", False: "left"}[active] if isinstance(active, bool) else said(active)


def _hook_invoked(data: dict[str, Any]) -> str:
    matcher = said(data.get("matcher"))
    point = said(data.get("point")) + (f" for {matcher}" if matcher else "")
    return joined(point, said(data.get("dialect")))


def _hook_result(data: dict[str, Any]) -> str:
    code = whole(data.get("exitCode"))
    decision = said(data.get("decision")) or "no decision"
    head = f"{said(data.get('point'))} → {decision}".strip()
    return behind(head if code is None else f"{head} (exit {code})", data.get("stderrSummary"))


def _command_run(data: dict[str, Any]) -> str:
    return behind(f"/{said(data.get('name'))}", data.get("args"), " ")


def _command_done(data: dict[str, Any]) -> str:
    return behind(said(data.get("kind")), data.get("text"))


# Compaction.


def _compaction_start(data: dict[str, Any]) -> str:
    turn = data.get("turn")
    return f"begins {'outside a turn' if turn is None else f'in turn {short(turn)}'}"


def _summary(data: dict[str, Any]) -> str:
    hidden = len(items(data.get("shadowedSeqs")))
    return f"hides {hidden} · {blocks_line(items(data.get('summary')))}"


def _compaction_end(data: dict[str, Any]) -> str:
    return f"failed: {short(data['error'])}" if "error" in data else "done"


def _prune(data: dict[str, Any]) -> str:
    return f"cuts {plural(len(items(data.get('shadowedSeqs'))), 'tool result')}"


# Goals, schedules, subagents, teams, workflows, code mode and the web.


def _goal(data: dict[str, Any]) -> str:
    operation = said(data.get("operation"))
    if operation == "clear":
        return behind("clear", said(mapping(data.get("cleared")).get("id")) or None)
    goal = mapping(data.get("goal"))
    reason = text(mapping(goal.get("blockedReason")).get("message"))[:ROW]
    what = joined(text(goal.get("objective"))[:ROW], said(goal.get("phase")), reason)
    return behind(operation, what or None)


def _schedule(data: dict[str, Any]) -> str:
    operation = said(data.get("operation"))
    schedule = mapping(data.get("schedule"))
    tail = schedule_line(schedule) if schedule else said(data.get("id"))
    return f"{operation} {tail}".strip()


def _subagent(data: dict[str, Any]) -> str:
    model = f"{said(data.get('agentProvider'))} {said(data.get('agentModel'))}".strip()
    kind = f"{said(data.get('mode'))} by {said(data.get('provider')) or 'unknown'}".strip()
    return joined(said(data.get("label")), kind, model, said(data.get("persona")))


def _member(data: dict[str, Any]) -> str:
    member = mapping(data.get("member"))
    head = f"{said(member.get('name')) or said(member.get('id'))}: {said(member.get('phase'))}"
    error = said(member.get("error"))
    return joined(head, error or said(member.get("description")))


def _message_queued(data: dict[str, Any]) -> str:
    message = mapping(data.get("message"))
    sender = said(message.get("senderName")) or said(message.get("senderId"))
    head = f"{sender} → {said(message.get('targetId'))}"
    return behind(head, blocks_line(items(message.get("content"))) or None)


def _message_delivered(data: dict[str, Any]) -> str:
    return f"{said(data.get('messageId'))} to {said(data.get('targetId'))}"


def _task(data: dict[str, Any]) -> str:
    task = mapping(data.get("task"))
    status = said(task.get("status")).replace("_", " ")
    owner = said(task.get("ownerId"))
    head = behind(said(task.get("subject")) or said(task.get("id")), status or None)
    return joined(head, f"by {owner}" if owner else "")


def _agent_start(data: dict[str, Any]) -> str:
    phase = said(data.get("phase"))
    return joined(short(data.get("label") or ""), f"phase {phase}" if phase else "")


def _agent_end(data: dict[str, Any]) -> str:
    return behind(f"agent {said(data.get('seq'))}".strip(), data.get("outcome"))


def _sub_call(data: dict[str, Any]) -> str:
    return call_line(text(data.get("name")), data.get("arguments"))


def _sub_result(data: dict[str, Any]) -> str:
    return blocks_line(items(data.get("content"))) or f"{said(data.get('name'))} said nothing"


def _web_search(data: dict[str, Any]) -> str:
    body = mapping(data.get("body"))
    about = plural(len(items(body.get("messages"))), "message")
    return joined(f"model {said(body.get('model'))}".strip(), about)


# Later versions (format page 11).


def _attempt(data: dict[str, Any]) -> str:
    return f"{_step(data)} failed after {plural(len(items(data.get('stream'))), 'stream row')}"


def _offload(data: dict[str, Any]) -> str:
    targets = items(data.get("targets"))
    images = sum(len(items(mapping(target).get("imageIndexes"))) for target in targets)
    return f"{plural(images, 'image')} of {plural(len(targets), 'event')} left out of requests"


def _text(key: str) -> Phrase:
    return lambda data: short(data[key]) if data.get(key) is not None else ""


def _preset(key: str) -> Phrase:
    return lambda data: f"preset {said(data.get(key))}".strip()


PHRASES: Final[dict[str, Phrase]] = {
    "turn/start": _turn,
    "turn/end": _turn_end,
    "step/start": _step,
    "step/end": _step,
    "tool/call": _sub_call,
    "request/header": _request_header,
    "request/context": _request_context,
    "agent/inbox/spliced": _inbox,
    "agent-preset/selected": _preset("agentPreset"),
    "session/title": _text("title"),
    "session/title-llm-request": _title_request,
    "session/end-seed": lambda _: "a new life begins; what stands before was written earlier",
    "feedback/record": _text("text"),
    "command/run": _command_run,
    "command/done": _command_done,
    "todo/write": _todo,
    "llm/retry": _retry,
    "llm/retry-started": _retry_started,
    "approval/policy": lambda data: _by(data.get("policy"), data.get("source")),
    "approval/asked": _approval_asked,
    "approval/decided": _approval_decided,
    "sandbox/mode": lambda data: _by(data.get("mode"), data.get("source")),
    "permission/preset": _preset("preset"),
    "plan/mode": _plan_mode,
    "hook/invoked": _hook_invoked,
    "hook/result": _hook_result,
    "compaction/start": _compaction_start,
    "compaction/summary": _summary,
    "compaction/end": _compaction_end,
    "compaction/prune": _prune,
    "goal/change": _goal,
    "schedule/change": _schedule,
    "subagent/descriptor": _subagent,
    "team/member": _member,
    "team/message/queued": _message_queued,
    "team/message/delivered": _message_delivered,
    "team/task": _task,
    "tool-workflow/run-start": _text("name"),
    "tool-workflow/run-end": _text("stopReason"),
    "tool-workflow/agent-start": _agent_start,
    "tool-workflow/agent-end": _agent_end,
    "tool/code-dispatch-start": _sub_call,
    "tool/code-dispatch": _sub_result,
    "tool/ptc-dispatch-start": _sub_call,
    "tool/ptc-dispatch": _sub_result,
    "web/deepseek-search-llm-request": _web_search,
    "assistant/attempt": _attempt,
    "image/offload": _offload,
}
"""Every type that is no message and whose fields are known, and how it is said."""


def failed(name: str, data: dict[str, Any]) -> bool:
    """Whether an event that is no message tells of something that failed."""
    match name:
        case "llm/retry" | "assistant/attempt":
            return True
        case "turn/end":
            return mapping(data.get("reason")).get("kind") == "error"
        case "compaction/end":
            return "error" in data
        case "command/done":
            return data.get("kind") == "error"
        case "tool/code-dispatch" | "tool/ptc-dispatch":
            return data.get("isError") is True
        case "tool-workflow/run-end":
            return data.get("stopReason") == "error"
        case "tool-workflow/agent-end":
            return data.get("outcome") == "failed"
        case "team/member":
            return mapping(data.get("member")).get("phase") == "failed"
        case "goal/change":
            return data.get("operation") == "block"
    return False
