"""The event types of Zero and our words for them (format page 4)."""

from typing import Final

MESSAGE: Final = "message"
TOOL_CALL: Final = "tool_call"
TOOL_RESULT: Final = "tool_result"
COMPACTION: Final = "session_compaction"
REWIND: Final = "session_rewind"
USAGE: Final = "provider_usage"
ERROR: Final = "error"

WORDS: Final[dict[str, str]] = {
    MESSAGE: "message",
    TOOL_CALL: "tool call",
    TOOL_RESULT: "tool result",
    "permission": "permission",
    "permission_request": "approval asked",
    "permission_decision": "approval",
    USAGE: "usage",
    ERROR: "error",
    "session_checkpoint": "checkpoint",
    REWIND: "rewind",
    COMPACTION: "summary",
    "session_fork": "fork",
    "session_child": "child",
    "specialist_start": "specialist",
    "specialist_stop": "specialist done",
    "spec_draft": "spec",
    "spec_approved": "spec approved",
    "spec_rejected": "spec rejected",
    "goal_created": "goal",
    "goal_updated": "goal",
    "goal_cleared": "goal cleared",
}
"""Every known type and its word. Any other is kept by the owner and means nothing to it."""

USER: Final = "user"
ASSISTANT: Final = "assistant"
ASKS: Final = "ask_user"
ANSWERS: Final = "ask_user_answers"

CROSS_SESSION: Final = "cross_session"
"""The origin of a message that another session wrote."""

EXEC: Final = "exec"
TUI: Final = "tui"
POLICIES: Final = (EXEC, TUI)
"""The owner's readers: what ``zero exec --resume`` loads, and what its screen shows, which goes
back to the raw events after a rewind (format page 6 and 12)."""
