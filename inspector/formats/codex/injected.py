"""Which messages the owner takes for its own context, and which for summaries (RULES R3 and R4)."""

import re
from typing import Any, Final

_TAGS: Final = (
    "environment_context",
    "skill",
    "user_shell_command",
    "turn_aborted",
    "subagent_notification",
    "recommended_plugins",
    "goal_context",
)
_WRAPPED: Final = (
    *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
    ("# agents.md instructions", "</instructions>"),
)
"""How context in a user's message begins and ends, in lower case."""

_SHAPED: Final = re.compile(
    r"<external_(?P<name>\w+)>.*</external_(?P=name)>"
    r'|<hook_prompt hook_run_id="[^"]+">.*</hook_prompt>'
    r'|<codex_internal_context source="[a-z0-9_]+">.*</codex_internal_context>',
    re.DOTALL,
)
_WARNINGS: Final = (
    "Warning: The maximum number of unified exec processes",
    "Warning: Your account was flagged",
)
_PATCH_WARNING: Final = (
    "Warning: apply_patch was requested via ",
    "Use the apply_patch tool instead of exec_command.",
)

_DEVELOPER: Final = (
    "<permissions instructions>",
    "approved command prefix saved:",
    *(
        f"<{tag}>"
        for tag in (
            "model_switch",
            "managed_developer_instructions",
            "persistent_mode",
            "apps_instructions",
            "catalog_apps_instructions",
            "collaboration_mode",
            "multi_agent_role",
            "multi_agent_mode",
            "environments_instructions",
            "git_attribution",
            "plugins_instructions",
            "realtime_conversation",
            "skills_instructions",
            "tools",
            "personality_spec",
            "token_budget",
            "context_window",
            "context_window_guidance",
            "rollout_budget",
        )
    ),
)
"""How a developer's message begins that is context, in lower case (RULES R4)."""

_OTHER_TAGS: Final = (
    "hook_prompt",
    "codex_internal_context",
    "user_instructions",
    "instructions",
    "model_switch",
    "managed_developer_instructions",
    "collaboration_mode",
    "multi_agent_role",
    "multi_agent_mode",
    "permissions instructions",
    "personality_spec",
)
"""Tags around what a program tells the model in messages that the owner does not take for its
context, as those of other builds.
"""

_LONGEST_DEVELOPER: Final = max(map(len, _DEVELOPER))

SUMMARY_PREFIX: Final = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. You also have access to the state of the tools that were used by that language "
    "model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this "
    "summary to assist with your own analysis:\n"
)
"""What stands before the summary of a compaction made on this machine (RULES R3)."""

_SUMMARISES: Final = SUMMARY_PREFIX[: SUMMARY_PREFIX.index(".") + 1]
_TELLS: Final = re.compile(
    r"<(" + "|".join((*_TAGS, *_OTHER_TAGS)) + r")(?:\s[^<>]{0,1000})?>", re.IGNORECASE
)
"""How a text begins that a program wrote, whoever's message it stands in."""

_LONGEST: Final = max(len(mark) for pair in _WRAPPED for mark in pair)
"""Characters of the longest opening or closing words."""


def is_context(text: str) -> bool:
    """Whether a text in a user's message is context by its opening and closing words."""
    text = text.strip()
    first = text[:1]
    if first == "W":
        return _is_warning(text)
    if first not in ("<", "#"):
        return False
    opening, closing = text[:_LONGEST].lower(), text[-_LONGEST:].lower()
    for head, tail in _WRAPPED:
        if opening.startswith(head) and closing.endswith(tail):
            return True
    return text.startswith(("<e", "<h", "<c")) and _SHAPED.fullmatch(text) is not None


def is_instructions(text: str) -> bool:
    """Whether a text in a user's message is a project's instructions, as builds of old put them
    there; a rollback counts it like a message of the person (RULES R3), who never said it.
    """
    return text.startswith("<user_instructions>") and text.rstrip().endswith("</user_instructions>")


def _is_warning(text: str) -> bool:
    head, tail = _PATCH_WARNING
    return text.startswith(_WARNINGS) or (text.startswith(head) and text.endswith(tail))


def is_told(text: str) -> bool:
    """Whether a text in a user's message was written by a program, as far as it tells: it stands
    in a tag of the owner's, or begins as a summary does. The owner may take it for the person's.
    """
    text = text.strip()
    if text.startswith(_SUMMARISES):
        return True
    begins = _TELLS.match(text)
    if begins is None:
        return False
    ends = f"</{begins[1].lower()}>"
    return text[-len(ends) :].lower() == ends


def is_developer_context(text: str) -> bool:
    """Whether a text in a developer's message is context by its opening words."""
    return text.lstrip()[:_LONGEST_DEVELOPER].lower().startswith(_DEVELOPER)


def is_summary(text: str) -> bool:
    """Whether a text is the summary of a compaction by the owner's own words before it."""
    return text.startswith(SUMMARY_PREFIX)


def is_between_agents(text: str) -> bool:
    """Whether a text of the assistant is a message of one agent to another (RULES R3)."""
    if not text.lstrip().startswith("{") or '"recipient"' not in text:
        return False
    from inspector.tape.jsonline import parse

    try:
        value: Any = parse(text.encode("utf-8", "surrogatepass"))[0]
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), str) for key in ("author", "recipient", "content"))
        and isinstance(value.get("other_recipients"), list)
    )
