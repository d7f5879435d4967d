"""The words of the log: kinds of records, and what types of items and events are called in ours."""

from typing import Final

KINDS: Final = frozenset(
    {
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "token_usage_record",
        "security_risk_score",
        "realtime_item",
        "event",
        "rollout_reference",
        "state",
    }
)
"""Kinds of records that some build of the owner writes (format page 2.2)."""

TURN_STARTED: Final = ("task_started", "turn_started")
TURN_DONE: Final = ("task_complete", "turn_complete")
"""One name and its alias each (RULES R0)."""
