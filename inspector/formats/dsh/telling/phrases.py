"""What an event that is no message says, as a short sentence of plain uncleaned text.

The fields are those of format page 1.10 and, for later versions, 11; any of them may be missing or
of any shape.
"""

from typing import Any, Final

from inspector.formats.dsh.blocks import blocks_line
from inspector.formats.dsh.effects.activities import APPROVALS
from inspector.formats.dsh.effects.inbox import TARGETS, waiting_line
from inspector.formats.dsh.effects.messages import turn_end_kind
from inspector.formats.dsh.telling.undertakings import UNDERTAKINGS, sub_call
from inspector.formats.shapes import items, mapping, natural, text, whole
from inspector.formats.telling import (
    NAME,
    ROW,
    Phrase,
    behind,
    joined,
    progress_line,
    said,
    short,
    start_of,
)
from inspector.text.labels import plural

# Turns, requests and the session.


def _turn(data: dict[str, Any]) -> str:
    return f"turn {short(data.get('turn'))}"


def _step(data: dict[str, Any]) -> str:
    return f"turn {short(data.get('turn'))} step {short(data.get('step'))}"


def _turn_end(data: dict[str, Any]) -> str:
    reason = mapping(data.get("reason"))
    detail = mapping(reason.get("error")).get("message")
    detail = detail or mapping(reason.get("reason")).get("kind")
    return behind(turn_end_kind(data)[:NAME], detail or None)


def _request_header(data: dict[str, Any]) -> str:
    header = mapping(data.get("header"))
    model = text(mapping(header.get("config")).get("model"))[:NAME]
    return f"{model} · {len(items(header.get('tools')))} tools · {short(data.get('reason'))}"


def _request_context(data: dict[str, Any]) -> str:
    model = f"{text(data.get('provider'))[:NAME]} {text(data.get('model'))[:NAME]}"
    window = data.get("contextWindow")
    return model if window is None else f"{model} · window {short(window)}"


def _title_request(data: dict[str, Any]) -> str:
    route = mapping(data.get("route"))
    model = f"{said(route.get('provider'))} {said(route.get('model'))}".strip() or "a model"
    about = plural(len(items(data.get("messageSeqs"))), "message")
    return f"asks {model} for a title of {about}"


def _todo(data: dict[str, Any]) -> str:
    return progress_line([mapping(todo) for todo in items(data.get("todos"))], "content")


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
    where = TARGETS.get(target, target[:NAME])
    removed, inserted = natural(data.get("removedCount")), items(data.get("inserted"))
    words = [where]
    if removed:
        words.append(f"−{removed:,}")
    if text(data.get("outcome")):
        outcome = text(data.get("outcome"))[:NAME]
        words.append("(cancelled)" if outcome == "canceled" else f"({outcome})")
    if inserted:
        words.append(f"+{len(inserted):,}: {waiting_line(inserted[0])}")
    elif not removed:
        words.append("unchanged")
    return " ".join(word for word in words if word)


# Policy, approval, hooks and commands.


def _by(value: Any, source: Any) -> str:
    by = text(source)[:NAME]
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


# Later versions (format page 11).


def _attempt(data: dict[str, Any]) -> str:
    return f"{_step(data)} failed after {plural(len(items(data.get('stream'))), 'stream row')}"


def _offload(data: dict[str, Any]) -> str:
    targets = items(data.get("targets"))
    images = sum(len(items(mapping(target).get("imageIndexes"))) for target in targets)
    return f"{plural(images, 'image')} of {plural(len(targets), 'event')} left out of requests"


def _preset(key: str) -> Phrase:
    return lambda data: f"preset {said(data.get(key))}".strip()


PHRASES: Final[dict[str, Phrase]] = {
    "turn/start": _turn,
    "turn/end": _turn_end,
    "step/start": _step,
    "step/end": _step,
    "tool/call": sub_call,
    "request/header": _request_header,
    "request/context": _request_context,
    "agent/inbox/spliced": _inbox,
    "agent-preset/selected": _preset("agentPreset"),
    "session/title": start_of("title"),
    "session/title-llm-request": _title_request,
    "session/end-seed": lambda _: "a new life begins; what stands before was written earlier",
    "feedback/record": start_of("text"),
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
    "assistant/attempt": _attempt,
    "image/offload": _offload,
    **UNDERTAKINGS,
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
