"""The owner's words (format page 4.2, rules page P4)."""

from typing import Final

OWNER: Final = "pi"

SESSION: Final = "session"
TITLE: Final = "title"
MESSAGE: Final = "message"
COMPACTION: Final = "compaction"
BRANCH_SUMMARY: Final = "branch_summary"
CUSTOM_MESSAGE: Final = "custom_message"
CONTEXT_EDIT: Final = "context_edit"
MODEL_CHANGE: Final = "model_change"
THINKING_CHANGE: Final = "thinking_level_change"
SESSION_INFO: Final = "session_info"
LABEL: Final = "label"
CUSTOM: Final = "custom"
USAGE: Final = "usage"

KNOWN: Final = frozenset(
    {
        MESSAGE,
        COMPACTION,
        BRANCH_SUMMARY,
        CUSTOM_MESSAGE,
        CONTEXT_EDIT,
        MODEL_CHANGE,
        THINKING_CHANGE,
        SESSION_INFO,
        LABEL,
        CUSTOM,
        USAGE,
    }
)

USER: Final = "user"
ASSISTANT: Final = "assistant"
TOOL_RESULT: Final = "toolResult"
BASH: Final = "bashExecution"
CUSTOM_ROLE: Final = "custom"
SYSTEM: Final = "system"
HOOK: Final = "hookMessage"
"""What version 3 calls ``custom``."""

CURRENT: Final = 3
"""The version that the owner reads as it is; it rewrites what is older."""

THINKING: Final = "off"
"""The level of thinking until an entry says another one (rules page P2)."""

NOT_AN_ENTRY: Final = "no object"
"""The type of a line that is a number, a list, a text or ``true``: the owner has it as an entry."""
