"""The event types of DeepSeek Harness v0 and our words for them (format page 1.10)."""

from typing import Final

WORDS: Final[dict[str, str]] = {
    "turn/start": "turn start",
    "turn/end": "turn end",
    "step/start": "step start",
    "step/end": "step end",
    "user/message": "user",
    "assistant/chunk": "chunk",
    "assistant/message": "assistant",
    "tool/call": "tool call",
    "tool/result": "tool result",
    "request/header": "request",
    "request/context": "model",
    "agent/inbox/spliced": "inbox",
    "agent-preset/selected": "preset",
    "session/title": "title",
    "session/title-llm-request": "title request",
    "session/end-seed": "end of seed",
    "feedback/record": "feedback",
    "command/run": "command",
    "command/done": "command done",
    "todo/write": "todo",
    "llm/retry": "retry",
    "llm/retry-started": "retry started",
    "approval/policy": "approval policy",
    "approval/asked": "approval asked",
    "approval/decided": "approval",
    "sandbox/mode": "sandbox",
    "permission/preset": "permission",
    "plan/mode": "plan mode",
    "hook/invoked": "hook",
    "hook/result": "hook result",
    "compaction/start": "compact",
    "compaction/summary": "summarised",
    "compaction/end": "compact end",
    "compaction/prune": "prune",
    "goal/change": "goal",
    "schedule/change": "schedule",
    "subagent/descriptor": "subagent",
    "team/member": "team member",
    "team/message/queued": "team message",
    "team/message/delivered": "team delivery",
    "team/task": "team task",
    "tool-workflow/run-start": "workflow",
    "tool-workflow/run-end": "workflow end",
    "tool-workflow/agent-start": "workflow agent",
    "tool-workflow/agent-end": "agent end",
    "tool/code-dispatch-start": "sub-call",
    "tool/code-dispatch": "sub-result",
    "web/deepseek-search-llm-request": "web search",
}
"""Every known type and its word. A type that is not here is unknown: required, unless the event
says ``"ignorable": true`` (section 6)."""

LATER_WORDS: Final[dict[int, dict[str, str]]] = {
    2: {"assistant/attempt": "attempt"},
    3: {
        "system/message": "system",
        "tool/ptc-dispatch-start": "sub-call",
        "tool/ptc-dispatch": "sub-result",
        "deliverables/presented": "deliverables",
        "feedback/message-put": "message feedback",
        "feedback/message-delete": "feedback removed",
        "model/selection": "model chosen",
        "session-log-deepseek/delivery-accepted": "log delivered",
        "subagent/catalog": "subagents",
        "subagent/model-selection-policy": "subagent models",
    },
    4: {
        "developer/message": "developer",
        "image/offload": "images offloaded",
        "workspace/changes": "workspace",
    },
}
"""Types that came with later versions of the log, by version, and their words (section 11)."""

USER_MESSAGE: Final = "user/message"
ASSISTANT_MESSAGE: Final = "assistant/message"
TOOL_RESULT: Final = "tool/result"
SYSTEM_MESSAGE: Final = "system/message"

ELIGIBLE: Final = frozenset({USER_MESSAGE, ASSISTANT_MESSAGE, TOOL_RESULT})
"""The types that can stand on the surface (section 3.1)."""

CHUNK: Final = "assistant/chunk"
TURN_END: Final = "turn/end"
PRUNE_MARKER: Final = "[... tool result middle pruned ...]"

PACKED: Final[dict[str, tuple[str, str, str]]] = {
    "text-chunks": ("text-delta", "texts", "text"),
    "reasoning-chunks": ("reasoning-delta", "texts", "text"),
    "tool-call-chunks": ("tool-call-delta", "args", "argumentsDelta"),
}
"""Packed row type to the chunk type of its members, the key of their list, and the key of each
(section 1.6)."""

ENVELOPE: Final = frozenset(
    {"type", "seq", "time", "data", "sourceEventSeqs", "surfaceOp", "ignorable"}
)
"""The only keys an event may have (section 1.5)."""
