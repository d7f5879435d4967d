"""What a record that is no item says, as a short sentence (format page 2.5 and 2.6).

Any field may be missing, or of any shape.
"""

from typing import Any, Final

from inspector.formats.codex.effects.registers import sandbox_mode
from inspector.formats.codex.telling.values import command_line, content_line, members
from inspector.formats.shapes import items, mapping, natural, text, whole
from inspector.formats.telling import (
    ROW,
    Phrase,
    behind,
    joined,
    progress_line,
    said,
    short,
    some,
    start_of,
    usage_line,
)
from inspector.text.labels import plural, tokens

_COUNTED: Final = {
    "input_tokens": "input",
    "cached_input_tokens": "of it cached",
    "output_tokens": "output",
    "reasoning_output_tokens": "of it reasoning",
}


def tokens_line(usage: dict[str, Any]) -> str:
    """Reported tokens in one line; cached ones are part of the input, reasoning of the output."""
    counts = ((key, natural(count)) for key, count in usage.items())
    return usage_line({key: tokens(count) for key, count in counts if count}, _COUNTED)


def _token_count(event: dict[str, Any]) -> str:
    info = event.get("info")
    if not isinstance(info, dict):
        return joined("no request, only limits", limits_line(event.get("rate_limits")))
    last, total = mapping(info.get("last_token_usage")), mapping(info.get("total_token_usage"))
    so_far = natural(total.get("total_tokens"))
    sums = f"{tokens(so_far)} in all" if so_far else ""
    return joined(tokens_line(last), sums) or members(info)


def limits_line(limits: Any) -> str:
    """How much of each limit is used."""
    found = []
    for name, limit in list(mapping(limits).items())[:4]:
        used = mapping(limit).get("used_percent")
        if isinstance(used, int | float):
            found.append(f"{name[:40]} {used:g}%")
    return " · ".join(found)


def _started(event: dict[str, Any]) -> str:
    window = natural(event.get("model_context_window"))
    mode = said(event.get("collaboration_mode_kind"))
    return joined(
        _turn(event),
        f"window {tokens(window)}" if window else "",
        mode if mode != "default" else "",
    )


def _turn(event: dict[str, Any]) -> str:
    return behind("turn", said(event.get("turn_id")), " ")


def _complete(event: dict[str, Any]) -> str:
    return joined(_turn(event), text(event.get("last_agent_message"))[:ROW])


def _aborted(event: dict[str, Any]) -> str:
    return joined(_turn(event), said(event.get("reason")))


def _rolled_back(event: dict[str, Any]) -> str:
    turns = whole(event.get("num_turns"))
    return f"takes back {plural(turns, 'turn')}" if turns is not None else members(event)


def _command(event: dict[str, Any]) -> str:
    code = whole(event.get("exit_code"))
    return joined(command_line(event.get("command")), "" if code is None else f"exit {code}")


def _patch(event: dict[str, Any]) -> str:
    changes = mapping(event.get("changes"))
    files = some([name[:120] for name in changes], 4)
    worked = {True: "applied", False: "failed"}.get(event.get("success") is True)
    why = text(event.get("stderr"))[:ROW] if event.get("success") is False else ""
    return joined(behind(worked or "", files), why)


def _mcp(event: dict[str, Any]) -> str:
    invoked, result = mapping(event.get("invocation")), mapping(event.get("result"))
    tool = behind(said(invoked.get("server")), said(invoked.get("tool")), ".")
    told = text(result.get("Err")) or content_line(mapping(result.get("Ok")).get("content"))
    return behind(tool, told[:ROW])


def _settings(payload: dict[str, Any]) -> str:
    """How a turn is run."""
    given = mapping(payload.get("thread_settings")) or payload
    effort = said(given.get("effort")) or said(given.get("reasoning_effort"))
    return joined(
        behind(said(given.get("model")), f"({effort})" if effort else "", " "),
        said(given.get("cwd")),
        behind("approval", said(given.get("approval_policy")), " "),
        behind("sandbox", sandbox_mode(given), " "),
    )


def _goal(event: dict[str, Any]) -> str:
    goal = mapping(event.get("goal"))
    return joined(text(goal.get("objective"))[:ROW], said(goal.get("status"))) or "no goal"


def _plan(event: dict[str, Any]) -> str:
    return progress_line([mapping(step) for step in items(event.get("plan"))], "step")


def _guardian(event: dict[str, Any]) -> str:
    action = mapping(event.get("action"))
    what = command_line(action.get("command")) or said(action.get("type"))
    return joined(said(event.get("status")), what, text(event.get("rationale"))[:ROW])


def _review(event: dict[str, Any]) -> str:
    output = mapping(event.get("review_output"))
    if output:
        found = plural(len(items(output.get("findings"))), "finding")
        return joined(found, text(output.get("overall_explanation"))[:ROW])
    hint = text(event.get("user_facing_hint"))[:ROW]
    return hint or said(mapping(event.get("target")).get("type"))


def _agent(event: dict[str, Any]) -> str:
    name = said(event.get("new_agent_nickname")) or said(event.get("receiver_agent_nickname"))
    role = said(event.get("new_agent_role")) or said(event.get("receiver_agent_role"))
    status = event.get("status")
    return joined(
        behind(name, f"({role})" if role else "", " "),
        said(event.get("agent_path")) or said(event.get("kind")),
        short(status)[:ROW] if status else "",
        text(event.get("prompt"))[:ROW],
    ) or members(event)


def _completed(event: dict[str, Any]) -> str:
    item = mapping(event.get("item"))
    told = text(item.get("text")) or content_line(item.get("content"))
    told = told or command_line(item.get("command")) or said(item.get("tool"))
    return behind(said(item.get("type")), told[:ROW]) or members(event)


def _between(payload: dict[str, Any]) -> str:
    who = behind(said(payload.get("author")), said(payload.get("recipient")), " → ")
    return behind(who, text(payload.get("content"))[:ROW]) or members(payload)


def _world(payload: dict[str, Any]) -> str:
    full = "all of it" if payload.get("full") is True else "what changed"
    return behind(full, ", ".join(key[:40] for key in list(mapping(payload.get("state")))[:12]))


PHRASES: Final[dict[str, tuple[str, Phrase]]] = {
    "user_message": ("user event", start_of("message")),
    "agent_message": ("agent event", start_of("message")),
    "agent_reasoning": ("thinking", start_of("text")),
    "agent_reasoning_raw_content": ("thinking", start_of("text")),
    "token_count": ("usage", _token_count),
    "task_started": ("turn start", _started),
    "turn_started": ("turn start", _started),
    "task_complete": ("turn end", _complete),
    "turn_complete": ("turn end", _complete),
    "turn_aborted": ("turn aborted", _aborted),
    "thread_rolled_back": ("rollback", _rolled_back),
    "context_compacted": ("compacted", lambda _: "the history was compacted"),
    "exec_command_end": ("command end", _command),
    "patch_apply_end": ("patch", _patch),
    "mcp_tool_call_end": ("mcp end", _mcp),
    "web_search_end": ("search end", start_of("query")),
    "exec_approval_request": ("approval", _command),
    "apply_patch_approval_request": ("approval", _patch),
    "guardian_assessment": ("guardian", _guardian),
    "entered_review_mode": ("review", _review),
    "exited_review_mode": ("review end", _review),
    "thread_settings_applied": ("settings", _settings),
    "thread_name_updated": ("title", start_of("thread_name")),
    "thread_goal_updated": ("goal", _goal),
    "plan_update": ("todo", _plan),
    "item_completed": ("item done", _completed),
    "collab_agent_spawn_end": ("subagent", _agent),
    "collab_agent_interaction_end": ("subagent", _agent),
    "collab_waiting_end": ("subagent", _agent),
    "collab_close_end": ("subagent", _agent),
    "sub_agent_activity": ("subagent", _agent),
    "undo_completed": ("undo", start_of("message")),
    "view_image_tool_call": ("image", start_of("path")),
    "image_generation_end": ("image end", start_of("revised_prompt")),
    "error": ("error", start_of("message")),
    "stream_error": ("error", start_of("message")),
    "warning": ("warning", start_of("message")),
}
"""By the type of an ``event_msg``, what it is called and what it says."""

RECORDS: Final[dict[str, tuple[str, Phrase]]] = {
    "turn_context": ("settings", _settings),
    "world_state": ("world state", _world),
    "inter_agent_communication": ("agent", _between),
    "session_meta": ("copied meta", lambda payload: behind("thread", said(payload.get("id")), " ")),
    "token_usage_record": ("usage", members),
}
"""The same of other kinds of records."""
