"""The owner's kinds and names, and what they are called here (format page 3 and 5)."""

import re
from typing import Final

EVENT: Final = "event"
ANCHOR: Final = "anchor"
MESSAGE: Final = "message"
TOOL_CALL: Final = "tool_call"
TOOL_RESULT: Final = "tool_result"
SETTINGS: Final = "settings"
"""No kind of the owner: the row of ``deepchat_sessions`` before a transcript without a tape."""

RETRACTED: Final = "message/retracted"
INDICATOR: Final = "message/compaction_indicator"
BACKFILL: Final = "migration/backfill"
VIEW: Final = "view/assembled"
ATTEMPT: Final = "provider/attempt_completed"
RUN_STARTED: Final = "execution/run_started"
RUN_TERMINAL: Final = "execution/run_terminal"
DISPATCH: Final = "execution/dispatch_committed"
OUTCOME: Final = "execution/tool_outcome"
FORK_MERGE: Final = "fork/merge"
FORK_DISCARD: Final = "fork/discard"
LINKED: Final = "subagent/tape_linked"

SESSION_START: Final = "session/start"
FORK_START: Final = "fork/start"
RESET: Final = "summary/reset"
FORK_MARK: Final = "::fork::"
"""Between the id of a session and the id of a fork of its tape (format page 7A)."""

_RECONSTRUCTION: Final = frozenset(
    (
        "compaction/auto",
        "compaction/manual",
        "compaction/context_pressure",
        "compaction/resume",
        "compaction/migrated_summary",
        "auto_handoff/context_overflow",
        RESET,
    )
)
_LIKE: Final = re.compile("(?:auto.)?handoff/", re.IGNORECASE | re.ASCII | re.DOTALL)
"""``handoff/%`` and ``auto_handoff/%`` as SQLite's LIKE reads them: the line is a wild card, and
ASCII case does not count (RULES A1)."""


def is_reconstruction(name: str | None) -> bool:
    """Whether an anchor of this name decides what the model is shown (format page 5, RULES A1)."""
    return name is not None and (name in _RECONSTRUCTION or _LIKE.match(name) is not None)


_NAMED: Final = frozenset((EVENT, ANCHOR, MESSAGE))
"""Kinds whose rows are told apart by name; of a tool row the name is that of the tool."""


def type_of(kind: str, name: str | None) -> str:
    """The type of an event as it is listed: its name where that says what it is, else its kind."""
    if name and kind in _NAMED:
        return name
    return kind or "(no kind)"


WORDS: Final = {
    SESSION_START: "session",
    FORK_START: "fork",
    RESET: "summary reset",
    RETRACTED: "retracted",
    INDICATOR: "compaction",
    BACKFILL: "backfill",
    VIEW: "view",
    "view/tool_catalog": "tools",
    "view/tool_surface": "tools",
    "view/programmatic_tool_surface": "tools",
    ATTEMPT: "attempt",
    RUN_STARTED: "run",
    RUN_TERMINAL: "run end",
    DISPATCH: "dispatch",
    OUTCOME: "tool outcome",
    FORK_MERGE: "fork merged",
    FORK_DISCARD: "fork discarded",
    LINKED: "subagent",
    "contract/task_frozen": "contract",
    "contract/evaluated": "contract",
    "compaction/model_call_completed": "compaction call",
    "memory/view_assembled": "memory",
    "memory/directive_view_assembled": "memory",
    "memory/extract": "memory",
}
"""What events and anchors are called in a list; others go by their own name."""
