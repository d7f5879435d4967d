"""What Claude Code's own tools do to the world outside, and tools of MCP servers by their names."""

import re
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

_SERVER: Final = re.compile(r"mcp__.{1,200}?__(?=[^_])")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_\-]{1,100}")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def _words(told: str) -> frozenset[str]:
    return frozenset(told.split())


_LOOKS: Final = _words("get list search read find fetch view show describe lookup count inspect")
"""Words with which the name of a tool begins that looks at something."""

_ACTS: Final = _words(
    """
    and or then if upsert ensure create make add set put update edit write append insert delete
    remove drop destroy erase archive unarchive close reopen merge move rename copy send reply
    publish upload save store sync import install uninstall execute exec invoke trigger start stop
    restart kill cancel approve reject accept assign unassign subscribe unsubscribe enable disable
    deploy rollback revert reset clear purge truncate flush mark unmark lock unlock grant revoke
    invite ban transfer pay buy charge refund submit replace patch apply modify toggle activate
    deactivate schedule unschedule register unregister join leave click type navigate evaluate
    """
)
"""Words that say that something is done, too, or that join such a word."""

_NOUNS_LAST: Final = _words("run post call push fork order book share")
"""Words that name a thing where they end a name, and may say that something is done elsewhere."""

_DOES: Final = _words(
    """
    command commands cmd script code exec execute run args argv body data payload form method sql
    statement query_type mutation stdin action operation
    """
)
"""Names of arguments by which a tool may do more than its name says."""


def does(call: Call) -> str | None:
    """What a tool does: a class, or that it is harmless; None where the owner does not tell."""
    word = _CLASSES.get(call.name)
    if word is None:
        server = _SERVER.match(call.name)
        return None if server is None else does_at_server(call, call.name[server.end() :])
    return None if word == HARMLESS and _is_given(call, "command", "cmd", "script") else word


def does_at_provider(call: Call) -> str | None:
    """What a tool does that the provider runs."""
    return _OF_PROVIDER.get(call.name)


def does_at_server(call: Call, name: str) -> str | None:
    """What a tool of an MCP server does, told by its name there and by what it is given.

    It is harmless where its name begins with a word of looking and has no word of doing behind it:
    ``get_issue`` looks, ``read_and_archive`` does not.
    """
    if not _PLAIN.fullmatch(name) or _is_given(call, *_DOES):
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[0] not in _LOOKS:
        return None
    acts = any(word in _ACTS for word in words) or any(word in _NOUNS_LAST for word in words[:-1])
    return None if acts else HARMLESS


def _is_given(call: Call, *names: str) -> bool:
    given = mapping(call.arguments)
    return any(key.lower() in names and value for key, value in given.items())
