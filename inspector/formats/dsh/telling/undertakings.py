"""What is said of goals, schedules, subagents, teams, workflows, code mode and the web.

As in `phrases`, any field may be missing or of any shape (format page 1.10).
"""

from typing import Any, Final

from inspector.formats.dsh.blocks import blocks_line
from inspector.formats.dsh.effects.undertakings import schedule_line
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import ROW, Phrase, behind, call_line, joined, said, short, start_of
from inspector.text.labels import plural


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


def sub_call(data: dict[str, Any]) -> str:
    """A call that another call makes."""
    return call_line(text(data.get("name")), data.get("arguments"))


def _sub_result(data: dict[str, Any]) -> str:
    return blocks_line(items(data.get("content"))) or f"{said(data.get('name'))} said nothing"


def _web_search(data: dict[str, Any]) -> str:
    body = mapping(data.get("body"))
    about = plural(len(items(body.get("messages"))), "message")
    return joined(f"model {said(body.get('model'))}".strip(), about)


UNDERTAKINGS: Final[dict[str, Phrase]] = {
    "goal/change": _goal,
    "schedule/change": _schedule,
    "subagent/descriptor": _subagent,
    "team/member": _member,
    "team/message/queued": _message_queued,
    "team/message/delivered": _message_delivered,
    "team/task": _task,
    "tool-workflow/run-start": start_of("name"),
    "tool-workflow/run-end": start_of("stopReason"),
    "tool-workflow/agent-start": _agent_start,
    "tool-workflow/agent-end": _agent_end,
    "tool/code-dispatch-start": sub_call,
    "tool/code-dispatch": _sub_result,
    "tool/ptc-dispatch-start": sub_call,
    "tool/ptc-dispatch": _sub_result,
    "web/deepseek-search-llm-request": _web_search,
}
"""By the type of an event, how it is said."""
