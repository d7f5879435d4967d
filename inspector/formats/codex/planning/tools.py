"""What Codex's own tools do to the world outside (the tools that builds up to 0.171 offer)."""

from typing import Final

from inspector.formats.parts import Call
from inspector.formats.planning import EDIT, HARMLESS, SUBAGENT, TERMINAL
from inspector.formats.shapes import mapping, text

_BY_CLASS: Final = {
    HARMLESS: """
        update_plan view_image list_dir read_file grep_files web_search run request_user_input
        request_permissions tool_search search_tool_bm25 list_mcp_resources
        list_mcp_resource_templates read_mcp_resource wait wait_agent list_agents get_memory
        get_goal create_goal update_goal get_context_remaining current_time sleep
        wait_for_environment list_available_plugins_to_install
    """,
    TERMINAL: """
        shell container.exec local_shell shell_command exec_command unified_exec write_stdin exec
        js_repl js_repl_reset
    """,
    EDIT: "apply_patch image_generation imagegen",
    SUBAGENT: """
        spawn_agent spawn_agents_on_csv send_input send_message followup_task assign_task
        resume_agent interrupt_agent close_agent report_agent_job_result
    """,
}
"""``run`` is ``web.run``, which opens pages; ``exec`` runs a program that calls other tools."""

_CLASSES: Final = {name: word for word, names in _BY_CLASS.items() for name in names.split()}

_SPACES: Final = ("collaboration.", "multi_agent_v1.", "web.", "image_gen.", "functions.")
"""Where builds keep some of their own tools."""

_ALWAYS_WITHIN: Final = {"run": "web.", "imagegen": "image_gen."}
"""Tools that are the owner's own in their place alone."""

_RUNS: Final = ("command", "cmd", "script")


def does(call: Call, foreign: frozenset[str]) -> str | None:
    """What a tool of the owner's own does: a class, or that it is harmless; None for any other.

    Args:
        call: of the tool.
        foreign: names of tools that the client brought along: one may be called like the owner's.
    """
    space = next((one for one in _SPACES if call.name.startswith(one)), "")
    name = call.name.removeprefix(space)
    word = _CLASSES.get(name)
    if word is None or call.name in foreign or _ALWAYS_WITHIN.get(name, space) != space:
        return None
    given = mapping(call.arguments)
    if word == HARMLESS and any(given.get(key) for key in _RUNS):
        # No tool of this name takes a command: it is another one.
        return None
    if name == "wait" and given.get("terminate") is True:
        return TERMINAL
    if name == "write_stdin" and "session_id" in given and not text(given.get("chars")):
        # It only waits for more output.
        return HARMLESS
    return word
