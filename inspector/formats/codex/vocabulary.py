"""The words of the log: kinds of records, and what types of items and events are called in ours."""

from typing import Any, Final

OWN: Final = frozenset(
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
    }
)
"""Kinds of records that tell the log from others that have the same shell."""

KINDS: Final = OWN | {"security_risk_score", "realtime_item", "event", "rollout_reference", "state"}
"""Kinds of records that some build of the owner writes (format page 2.2)."""

TURN_STARTED: Final = ("task_started", "turn_started")
TURN_DONE: Final = ("task_complete", "turn_complete")
"""One name and its alias each (RULES R0)."""

_EVENTS: Final = """
agent_message agent_message_content_delta agent_message_delta agent_reasoning
agent_reasoning_delta agent_reasoning_raw_content agent_reasoning_raw_content_delta
agent_reasoning_section_break apply_patch_approval_request background_event
collab_agent_interaction_begin collab_agent_interaction_end collab_agent_spawn_begin
collab_agent_spawn_end collab_close_begin collab_close_end collab_resume_begin
collab_resume_end collab_waiting_begin collab_waiting_end context_compacted conversation_path
deprecation_notice dynamic_tool_call_request dynamic_tool_call_response elicitation_request
entered_review_mode error exec_approval_request exec_command_begin exec_command_end
exec_command_output_delta exited_review_mode get_history_entry_response guardian_assessment
guardian_warning hook_completed hook_started image_generation_begin image_generation_end
item_completed item_started list_custom_prompts_response list_remote_skills_response
list_skills_response mcp_list_tools_response mcp_startup_complete mcp_startup_update
mcp_tool_call_begin mcp_tool_call_end model_reroute model_verification patch_apply_begin
patch_apply_end patch_apply_updated plan_delta plan_update raw_response_item
realtime_conversation_closed realtime_conversation_list_voices_response
realtime_conversation_realtime realtime_conversation_sdp realtime_conversation_started
reasoning_content_delta reasoning_raw_content_delta remote_skill_downloaded
request_permissions request_user_input session_configured shutdown_complete
skills_update_available stream_error sub_agent_activity task_complete task_started
terminal_interaction thread_goal_updated thread_name_updated thread_rolled_back
thread_settings_applied token_count turn_aborted turn_complete turn_diff turn_started
undo_completed undo_started user_message view_image_tool_call warning web_search_begin
web_search_end
"""

EVENTS: Final = frozenset(_EVENTS.split())
"""Types of ``event_msg`` that some build of the owner writes or sends (format page 2.5)."""


def is_bare(record: dict[str, Any]) -> bool:
    """Whether a record is the header of the older era (format page 2.2)."""
    return (
        "type" not in record
        and "payload" not in record
        and isinstance(record.get("id"), str)
        and isinstance(record.get("timestamp"), str)
    )
