"""The kinds of records and our words for them (format page 3.1 to 3.3)."""

from typing import Final

META: Final = "session_meta"
MESSAGE: Final = "message"
TOOL_CALL: Final = "tool_call"
TOOL_UPDATE: Final = "tool_update"
COMPACTED: Final = "compacted"
SNAPSHOT: Final = "compaction"
USAGE: Final = "usage"
TODOS: Final = "todos"
CONFIG: Final = "config"

WORDS: Final[dict[str, str]] = {
    META: "session",
    MESSAGE: "message",
    TOOL_CALL: "call status",
    TOOL_UPDATE: "tool update",
    COMPACTED: "summary",
    SNAPSHOT: "snapshot",
    USAGE: "usage",
    TODOS: "todo list",
    CONFIG: "settings",
}
"""Every kind that is known and its word; the product writes about twenty, not all of them named."""

UNTYPED: Final = "(no type)"

USER: Final = "user"
ASSISTANT: Final = "assistant"
TOOL: Final = "tool"

SUMMARY_HEAD: Final = "[历史摘要] "
"""What the loader puts before a summary where it stands for messages (format page 3.3)."""

IN_MEMORY_HEAD: Final = "[上下文压缩]"
"""How a message of the user begins that is the summary of a compaction made in memory."""

WATCHDOG_HEAD: Final = "自动纠偏触发："
"""How a message of the user begins that the watchdog wrote, and no person."""

EXERCISE: Final = "exercise"
SEQUENTIAL: Final = "sequential"
POLICIES: Final = (EXERCISE, SEQUENTIAL)
"""What the indexes of a compaction count: messages as they were written, or the list as earlier
compactions left it. Only the first is stated in full (format page 3.3), so it is the default."""

PENDING: Final = "pending_approval"
RUNNING: Final = "running"
COMPLETED: Final = "completed"
REJECTED: Final = "rejected"
FAILED: Final = "failed"
"""What a record of a call says of it, one after the other (format page 3.2)."""
