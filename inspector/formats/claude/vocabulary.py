"""The record types of transcripts and our words for them (format page 1.4)."""

from typing import Final

CHAIN: Final = frozenset({"user", "assistant", "system", "attachment", "progress"})
"""The types of records that are entries if they have an id (rules page R1)."""

BESIDE: Final[dict[str, str]] = {
    "summary": "title",
    "custom-title": "title",
    "ai-title": "title",
    "agent-name": "agent",
    "agent-setting": "agent",
    "agent-color": "agent",
    "tag": "tag",
    "permission-mode": "permission mode",
    "mode": "mode",
    "last-prompt": "last prompt",
    "pr-link": "pull request",
    "file-history-snapshot": "snapshot",
    "queue-operation": "queue",
    "content-replacement": "replaced contents",
    "bridge-session": "bridge",
    "worktree-state": "worktree",
    "relocated": "relocated",
    "frame-link": "frame",
    "started": "workflow started",
    "result": "workflow result",
    "saved_hook_context": "hook context",
    "session-id": "session",
    "attribution-snapshot": "attribution",
    "speculation-accept": "speculation",
}
"""Every known type of record that is not of the tree. Any other is passed over by the owner."""

SYSTEM: Final[dict[str, str]] = {
    "compact_boundary": "compaction",
    "microcompact_boundary": "clearing",
    "api_error": "api error",
    "turn_duration": "turn done",
    "stop_hook_summary": "stop hooks",
    "local_command": "command",
    "informational": "notice",
    "away_summary": "away summary",
    "bridge_status": "bridge",
    "api_refusal": "refusal",
    "model_refusal_fallback": "refusal",
    "error": "error",
    "session_start": "session start",
    "voice_call_talk": "voice",
}
"""The subtypes of notices of the system that are known."""
