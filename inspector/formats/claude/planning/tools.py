"""What Claude Code's own tools do to the world outside."""

from typing import Final

from inspector.formats.parts import Call
from inspector.formats.planning import EDIT, HARMLESS, NETWORK, SUBAGENT, TERMINAL, UNKNOWN
from inspector.formats.shapes import mapping

SCHEDULE: Final = "schedule"
"""A class of our own: what the agent is to do later, by itself."""

_OWN: Final = {
    HARMLESS: """
        Read NotebookRead Glob Grep LS LSP WebFetch WebSearch ToolSearch ListMcpResourcesTool
        ReadMcpResourceTool ListMcpResources ReadMcpResource BashOutput AgentOutputTool TaskOutput
        TaskGet TaskList TaskCreate TaskUpdate TodoRead TodoWrite AskUserQuestion EnterPlanMode
        ExitPlanMode exit_plan_mode StructuredOutput CronList Sleep
    """,
    TERMINAL: "Bash PowerShell REPL Monitor KillShell KillBash TaskStop",
    EDIT: "Write Edit MultiEdit NotebookEdit EnterWorktree ExitWorktree Config",
    SUBAGENT: "Task Agent TeamCreate TeamDelete SendMessage",
    NETWORK: "PushNotification RemoteTrigger",
    SCHEDULE: "CronCreate CronDelete ScheduleWakeup",
    UNKNOWN: "Skill SlashCommand",
}
"""By the names of builds up to 2.1. Tasks that are created and updated are items of the agent's
own list (``TaskStop`` stops what runs in the background); a skill may do anything.
"""

_PROVIDERS: Final = {
    HARMLESS: """
        web_search web_fetch tool_search_tool_regex tool_search_tool_bm25 advisor
    """,
    TERMINAL: "code_execution bash_code_execution",
    EDIT: "text_editor_code_execution memory",
}
"""Tools that the provider runs, or its container (blocks ``server_tool_use``)."""


def _by_name(table: dict[str, str]) -> dict[str, str]:
    return {name: word for word, names in table.items() for name in names.split()}


_CLASSES: Final = _by_name(_OWN)
_OF_PROVIDER: Final = _by_name(_PROVIDERS)

_RUNS: Final = ("command", "cmd", "script")


def does(call: Call) -> str | None:
    """What a tool does: a class, or that it is harmless; None where the owner does not tell."""
    word = _CLASSES.get(call.name)
    if word == HARMLESS and any(mapping(call.arguments).get(key) for key in _RUNS):
        # No tool of this name takes a command: it is another one.
        return None
    return word


def does_at_provider(call: Call) -> str | None:
    """What a tool does that the provider runs."""
    return _OF_PROVIDER.get(call.name)
