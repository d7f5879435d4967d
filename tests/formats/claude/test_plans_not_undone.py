"""What stays done behind a cut: the owner's own tools, servers' tools, the person's commands."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.claude.planning.tools import does
from inspector.formats.parts import Call
from inspector.formats.planning import HARMLESS
from tests.formats.claude.planned import fork
from tests.formats.claude.transcripts import (
    Record,
    answer,
    call,
    folded,
    held,
    result,
    text,
    user,
    written,
)


def listed(folder: Path, *records: Record) -> list[tuple[int, str, str, str]]:
    """What a fork behind the first record does not undo."""
    plan = fork(folded(folder, [user("u0", None), *records]), 1)
    return [(one.event, one.tool, one.kind, one.what) for one in plan.not_undone]


@pytest.mark.parametrize(
    "name",
    [
        *("AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TaskCreate", "TaskUpdate"),
        *("TaskList", "TaskGet", "TaskOutput", "CronList", "LS", "LSP", "Glob", "Grep", "Read"),
        *("ListMcpResourcesTool", "ReadMcpResourceTool", "StructuredOutput", "BashOutput"),
        *("TodoRead", "TodoWrite", "ToolSearch", "WebSearch", "WebFetch"),
    ],
)
def test_these_only_look_or_ask_or_keep_a_list(name: str) -> None:
    assert does(Call("c1", name, {"subject": "x"})) == HARMLESS


@pytest.mark.parametrize(
    ("name", "word"),
    [
        *((name, "terminal") for name in ("Bash", "KillShell", "KillBash", "TaskStop", "Monitor")),
        *((name, "edit") for name in ("Write", "Edit", "MultiEdit", "NotebookEdit")),
        *((name, "edit") for name in ("EnterWorktree", "ExitWorktree", "Config")),
        *((name, "subagent") for name in ("Task", "Agent", "TeamDelete", "SendMessage")),
        *((name, "network") for name in ("PushNotification", "RemoteTrigger")),
        *((name, "schedule") for name in ("CronCreate", "CronDelete")),
        *((name, "unknown") for name in ("Skill", "SlashCommand")),
    ],
)
def test_these_do_something(name: str, word: str) -> None:
    assert does(Call("c1", name, {})) == word


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("mcp__github__get_issue", {}),
        ("Read", {"command": "rm -rf /w"}),
        ("read", {}),
    ],
)
def test_of_these_the_owner_does_not_tell_that_they_only_look(
    name: str, given: dict[str, Any]
) -> None:
    assert does(Call("c1", name, given)) is None


def test_what_subagents_did_of_which_another_file_tells_is_not_looked_at(tmp_path: Path) -> None:
    agents = tmp_path / "transcript" / "subagents"
    agents.mkdir(parents=True)
    for name in ("a1", "a2", "a3"):
        (agents / f"agent-{name}.jsonl").write_bytes(written([user("s", None, isSidechain=True)]))
    (agents / "agent-a1.meta.json").write_text('{"toolUseId":"c0"}')
    (agents / "agent-a2.meta.json").write_text('{"toolUseId":"c2"}')
    records = [
        answer("a0", None, call("c0", "Task", description="before")),
        result("r0", "a0", "c0"),
        answer("a1", "r0", call("c1", "Task", description="one")),
        result("r1", "a1", "c1"),
        answer("a2", "r1", call("c2", "Task", description="two")),
        result("r2", "a2", "c2"),
    ]
    tape = folded(tmp_path, records)
    assert [(one.event, one.tool, one.kind, one.what) for one in fork(tape, 2).not_undone] == [
        (2, "Task", "subagent", "one"),
        (2, "subagent a3", "subagent", WHERE.format("agent-a3.jsonl")),
        (4, "Task", "subagent", "two"),
        (4, "subagent a2", "subagent", WHERE.format("agent-a2.jsonl")),
    ]
    assert not fork(tape, 6).not_undone


WHERE = "what it did stands in {}, which is not looked at"


def test_a_command_of_the_person_is_not_undone(tmp_path: Path) -> None:
    assert listed(
        tmp_path,
        user("u1", "u0", "<bash-input>rm -rf /w/zz</bash-input>"),
        user("u2", "u1", "<bash-stdout>done</bash-stdout><bash-stderr></bash-stderr>"),
        user("u3", "u2", [text("<bash-input>make it\n</bash-input>")]),
        user("u4", "u3", "what does <bash-input>ls</bash-input> do?"),
    ) == [
        (1, "user shell", "terminal", "rm -rf /w/zz"),
        (3, "user shell", "terminal", "make it"),
    ]


def test_calls_that_the_provider_or_its_server_ran_are_not_undone(tmp_path: Path) -> None:
    def ran(kind: str, name: str, **given: str) -> Record:
        return {"type": kind, "id": f"srv_{name}", "name": name, "input": given}

    blocks = [
        ran("server_tool_use", "code_execution", code="open('a', 'w')"),
        ran("server_tool_use", "web_fetch", url="https://a.b"),
        ran("server_tool_use", "text_editor_code_execution", command="create", path="/a"),
        ran("server_tool_use", "brand_new"),
        ran("mcp_tool_use", "delete_all"),
        ran("mcp_tool_use", "get_issue"),
        text("so"),
    ]
    assert listed(tmp_path, answer("a1", "u0", *blocks)) == [
        (1, "code_execution", "terminal", "open('a', 'w')"),
        (1, "text_editor_code_execution", "edit", "/a"),
        (1, "brand_new", "unknown", ""),
        (1, "delete_all", "edit", ""),
    ]


def test_what_is_written_with_escapes_is_read(tmp_path: Path) -> None:
    said = written([user("u0", None), user("u1", "u0", "<bash-input>ls</bash-input>")])
    path = tmp_path / "escaped.jsonl"
    path.write_bytes(said.replace(b"<bash", b"\\u003cbash"))
    assert [one.what for one in fork(held(path), 1).not_undone] == ["ls"]


def test_what_only_looks_is_not_listed(tmp_path: Path) -> None:
    calls = [
        call("c1", "LS", path="/"),
        call("c2", "TaskList", id="1"),
        call("c3", "Bash", command="ls"),
    ]
    records = [answer("a1", "u0", *calls), result("r2", "a1", "c1", "c2", "c3")]
    assert listed(tmp_path, *records) == [(1, "Bash", "terminal", "ls")]
