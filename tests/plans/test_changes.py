"""What a cut changes beside the history: registers, and what stays done, by class."""

from typing import Any

import pytest

from inspector.formats.parts import Call, Result, Said
from inspector.formats.planning import HARMLESS, Deed, Restorable
from inspector.plans.changes import not_undone, registers
from inspector.plans.plan import NotUndone
from inspector.timeline.words import Kind, Outcome, Role, SpanKind
from tests.plans.planners import Planned


def calls(tape: Planned, *made: Call) -> int:
    """An event that makes calls."""
    event = tape._begin(list(made))
    tape.builder.append(Role.ASSISTANT, Kind.TOOL_CALL, 1)
    for call in made:
        tape.builder.open(SpanKind.TOOL_CALL, call.id or "none")
    return tape._end(event)


def left(tape: Planned, cut: int = 0, *files: Restorable) -> list[NotUndone]:
    return list(not_undone(tape.tape, tape.owner, cut, files))


# Registers.


def test_only_registers_that_differ_are_told_as_of_the_head_and_the_cut() -> None:
    tape = Planned()
    tape.sets("model", "A")
    tape.sets("title", "one")
    cut = tape.timeline.events
    tape.sets("model", "B")
    tape.sets("title", "two")
    tape.sets("title", "one")
    tape.sets("mode", "plan")
    assert registers(tape.tape, cut) == {"model": ("B", "A"), "mode": ("plan", None)}
    assert registers(tape.tape, tape.timeline.events) == {}
    assert registers(tape.tape, 0) == {
        "model": ("B", None),
        "title": ("one", None),
        "mode": ("plan", None),
    }


def test_registers_are_those_of_what_is_made_where_that_is_known() -> None:
    tape = Planned()
    tape.sets("model", "A")
    cut = tape.timeline.events
    tape.sets("model", "B")
    assert registers(tape.tape, cut, {"title": "new"}) == {
        "model": ("B", None),
        "title": (None, "new"),
    }
    assert registers(tape.tape, cut, tape.timeline.events) == {}
    assert registers(tape.tape, cut, cut) == {"model": ("B", "A")}


# Classes.

CLASSES = [
    ("bash", {"command": "rm x"}, "terminal", "rm x"),
    ("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "edit", "a.py"),
    ("apply_patch", "*** Update File: b.py\n", "edit", "b.py"),
    ("search_and_replace", {"path": "c.py"}, "edit", "c.py"),
    ("delete_file", {"path": "d.py"}, "edit", "d.py"),
    ("Task", {"description": "look"}, "subagent", "look"),
    ("http_get", {"url": "https://x"}, "network", "https://x"),
    ("sendEmail", {"title": "hello"}, "network", "hello"),
    ("mcp__chat__post_message", {}, "network", ""),
    ("open_pull_request", {}, "network", ""),
    ("execute_plan", {}, "unknown", ""),
    ("calendar", {"name": "x"}, "unknown", "x"),
    (
        "db_execute",
        {"sql": "DROP TABLE users", "n": 1, "to": ""},
        "unknown",
        "sql: DROP TABLE users, n: 1",
    ),
    ("calendar_day", {"password": "hunter2"}, "unknown", "password: [REDACTED]"),
    ("calendar_week", {"note": "a" * 900}, "unknown", f"note: {'a' * 394}…"),
]


@pytest.mark.parametrize(
    ("tool", "given", "kind", "what"), CLASSES, ids=[row[0] for row in CLASSES]
)
def test_what_may_have_changed_something_is_told_by_its_class(
    tool: str, given: Any, kind: str, what: str
) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, given))
    assert left(tape) == [NotUndone(0, tool, kind, what, None)]


@pytest.mark.parametrize(
    "tool",
    [
        *(
            "read_file",
            "Grep",
            "WebFetch",
            "TodoWrite",
            "update_plan",
            "view_image",
            "ls",
            "get_time",
        ),
        *("list_directory", "think", "ask_user", "TaskOutput", "sleep", "BashOutput", "plan"),
    ],
)
def test_what_only_looks_is_not_told(tool: str) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, {"path": "a.py"}))
    assert left(tape) == []


@pytest.mark.parametrize(
    "tool",
    [
        *("find_and_kill", "view_and_commit", "drop_view", "open_issue", "mark_as_read"),
        *("read_and_purge", "fetch_and_merge_branch", "git_fetch_merge", "upgrade_plan"),
        *("cancel_plan", "deploy_plan", "terraform_plan_destroy", "find_löschen", "view删除"),
        *("read" + "_file" * 50, "", "files"),
    ],
)
def test_a_name_of_which_one_word_may_do_something_is_told(tool: str) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, {}))
    assert [found.tool for found in left(tape)] == [tool]


@pytest.mark.parametrize(
    ("tool", "given", "kind"),
    [
        ("fetch", {"url": "https://x", "method": "POST"}, "network"),
        ("webfetch", {"url": "https://x", "options": {"method": "DELETE"}}, "network"),
        ("fetch", {"url": "https://x", "body": "a"}, "network"),
        ("find", {"args": "-delete"}, "unknown"),
        ("search", {"query": "DROP TABLE x"}, "unknown"),
        ("open", {"path": "a", "mode": "w"}, "unknown"),
        ("find", {"path": ".", "delete": True}, "unknown"),
        ("find", {"expression": "-exec rm {} +"}, "unknown"),
        ("find", {"program": "rm -rf /"}, "terminal"),
        ("head", {"shell": "rm x"}, "terminal"),
        ("webfetch", {"url": "https://x", "http_method": "DELETE"}, "network"),
        ("webfetch", {"url": "https://x", "output": "x.sh"}, "network"),
        ("fetch", {"url": "https://x", "json": {"a": 1}}, "network"),
        ("fetch", {"requests": [{"url": "https://x", "method": "POST"}]}, "network"),
        ("get_file", {"action": "delete", "path": "x"}, "unknown"),
        ("list_files", {"operation": "remove", "path": "x"}, "unknown"),
        ("plan", {"action": "apply", "env": "prod"}, "unknown"),
        ("get_url", {"url": "https://x", "save_to": "/etc/passwd"}, "unknown"),
        ("grep", {"pattern": "x", "outputFile": "/etc/passwd"}, "unknown"),
        ("tree", {"code": "import os; os.remove('x')"}, "unknown"),
        ("search", {"query": "VACUUM FULL"}, "unknown"),
        ("search", {"query": "DELETE users WHERE 1"}, "unknown"),
        ("search", {"queries": [["DROP TABLE x"]]}, "unknown"),
        ("search", {"sql": "pragma journal_mode = off"}, "unknown"),
        ("view", {"a": [[[[[[[[{"command": "rm"}]]]]]]]]}, "unknown"),
        ("cat", {"command": "rm -rf /"}, "terminal"),
        ("read", {"command": "rm -rf /"}, "terminal"),
        ("plan", {"command": "rm -rf /"}, "terminal"),
        ("todo", {"command": ["rm"]}, "terminal"),
        ("http_get", {"command": "x"}, "network"),
        ("read", dict.fromkeys(map(str, range(65)), 1), "unknown"),
    ],
)
def test_a_tool_that_looks_and_is_given_something_to_do_is_told(
    tool: str, given: Any, kind: str
) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, given))
    assert [found.kind for found in left(tape)] == [kind]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("fetch", {"url": "https://x", "method": "GET"}),
        ("open", {"path": "a", "mode": "rb"}),
        ("search", {"query": "how to create a table of values"}),
        ("search", {"query": "delete the users by hand", "replace": ""}),
        ("search", {"sql": "select * from bees"}),
        ("get_file", {"action": "read", "delete": False}),
        ("list_files", {"output": "json", "json": True}),
        ("read_file", {"path": "x", "encoding": "utf8", "view_range": [1, 20]}),
        ("todo", {"action": "delete", "todos": [{"content": "run", "command": "x"}]}),
        ("update_plan", {"plan": [{"step": "delete x", "status": "pending"}]}),
        ("read", {"paths": ["x"] * 200}),
        ("read", {"command": ""}),
    ],
)
def test_a_tool_that_is_given_what_only_looks_is_not_told(tool: str, given: Any) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, given))
    assert left(tape) == []


@pytest.mark.parametrize(
    "tool",
    [
        *("mcp__github__get_issue", "mcp__github__list_commits", "mcp__ci__get_workflow_run"),
        *("mcp__notes__search", "mcp__a_b__readResource", "mcp__gmail__get_updates"),
    ],
)
def test_a_tool_of_a_server_is_told_by_its_verb(tool: str) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, {"subject": "x"}))
    assert left(tape) == []


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__gmail__read_and_archive", {}),
        ("mcp__slack__view_delete", {}),
        ("mcp__search__delete_all", {}),
        ("mcp__github__get_or_create_issue", {}),
        ("mcp__ci__get_run_again", {}),
        ("mcp__web__get_url", {"method": "POST"}),
        ("mcp__db__read", {"sql": "drop table bees"}),
        ("mcp__github__get_issue", {"then": {"command": "rm"}}),
        ("mcp__x__get\nissue", {}),
        ("get_issue", {}),
    ],
)
def test_a_tool_of_a_server_that_may_do_more_is_told(tool: str, given: dict[str, Any]) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, given))
    assert [found.tool for found in left(tape)] == [tool]


def test_only_calls_behind_the_cut_are_told_in_order() -> None:
    tape = Planned()
    for name in ("one", "two", "three"):
        calls(tape, Call(name, "bash", {"command": name}), Call(f"{name}.2", "bash", {}))
    found = left(tape, 1)
    assert [(one.event, one.what) for one in found] == [(1, "two"), (1, ""), (2, "three"), (2, "")]


def test_calls_within_calls_are_told() -> None:
    tape = Planned()
    event = tape.opens(SpanKind.CODE_DISPATCH, "sub", Call("sub", "bash", {"command": "ls"}))
    assert [one.event for one in left(tape)] == [event]


def test_a_call_of_which_only_the_name_is_told_is_told_by_a_later_event() -> None:
    tape = Planned()
    tape.opens(SpanKind.TOOL_CALL, "one", Call("one", "exec"))
    tape.opens(SpanKind.TOOL_CALL, "none", Call(None, "exec"))
    tape._end(tape._begin([Said("between"), Call("other", "exec", {"command": "no"})]))
    tape._end(tape._begin([Call("one", "exec", {"command": "pytest -q"})]))
    assert [one.what for one in left(tape)] == ["pytest -q", ""]
    lone = Planned()
    lone.opens(SpanKind.TOOL_CALL, "one", Call("one", "exec"))
    assert [one.what for one in left(lone)] == [""]


# Checkpoints.


PATHS = [
    ("src/a.py", "", 7),
    ("./src/a.py", "", 7),
    ("src/../src/a.py", "/work", 7),
    ("/work/src/a.py", "/work", 7),
    ("/work/src/a.py", "", None),
    ("/elsewhere/src/a.py", "/work", None),
    ("a.py", "/work", None),
    ("lib/src/a.py", "/work", None),
    ("b.py", "", None),
    ("", "", None),
]


@pytest.mark.parametrize(("path", "folder", "event"), PATHS)
def test_a_checkpoint_has_the_same_file_and_no_other(
    path: str, folder: str, event: int | None
) -> None:
    tape = Planned()
    calls(tape, Call("one", "Edit", {"file_path": path}))
    (call,) = left(tape, 0, Restorable("src/a.py", 7, "put back", folder=folder))
    assert call.restorable == event


def test_a_relative_path_is_of_the_working_directory_at_the_call() -> None:
    tape = Planned()
    tape.sets("cwd", "/work")
    calls(tape, Call("one", "Edit", {"file_path": "a.py"}))
    tape.sets("cwd", "/other")
    calls(tape, Call("two", "Edit", {"file_path": "a.py"}))
    found = left(tape, 0, Restorable("/work/a.py", 7, "put back"))
    assert [call.restorable for call in found] == [7, None]


def test_a_checkpoint_that_brings_nothing_back_has_nothing() -> None:
    tape = Planned()
    calls(tape, Call("one", "Edit", {"file_path": "a.py"}))
    (call,) = left(tape, 0, Restorable("a.py", 7, "it was not kept", back=False))
    assert call.restorable is None


def test_a_checkpoint_has_no_file_that_a_command_may_have_changed() -> None:
    tape = Planned()
    calls(tape, Call("one", "bash", {"command": "rm -rf a.py"}))
    (call,) = left(tape, 0, Restorable("a.py", 7, "put back"))
    assert call.restorable is None


# Subagents.


def test_a_subagent_that_an_event_starts_is_told() -> None:
    tape = Planned()
    event = tape.opens(SpanKind.SUBAGENT, "child")
    (found,) = left(tape)
    assert (found.event, found.kind, found.restorable) == (event, "subagent", None)
    assert left(tape, event + 1) == []


def test_a_subagent_that_a_call_starts_is_told_once() -> None:
    tape = Planned()
    event = calls(tape, Call("one", "Task", {"description": "look"}))
    tape.opens(SpanKind.SUBAGENT, "child")
    assert [found.event for found in left(tape)] == [event]
    # Behind a cut within the call nothing else tells of it.
    assert [found.event for found in left(tape, event + 1)] == [event + 1]


def test_a_subagent_beside_another_call_is_told() -> None:
    tape = Planned()
    calls(tape, Call("one", "bash", {"command": "make"}))
    tape.opens(SpanKind.SUBAGENT, "child")
    assert [found.kind for found in left(tape)] == ["terminal", "subagent"]


# What the agent's format knows.


def test_a_tool_of_the_agents_own_does_what_its_format_says() -> None:
    tape = Planned()
    tape.owner.tools = {"CronList": HARMLESS, "KillShell": "terminal", "read_file": "edit"}
    calls(tape, Call("one", "CronList", {"command": "x"}))
    calls(tape, Call("two", "KillShell", {"name": "7"}))
    calls(tape, Call("three", "read_file", {"path": "a.py"}))
    calls(tape, Call("four", "CronLists", {}))
    told = [(found.tool, found.kind) for found in left(tape)]
    assert told == [("KillShell", "terminal"), ("read_file", "edit"), ("CronLists", "unknown")]


def test_what_no_call_tells_is_listed_in_its_place() -> None:
    tape = Planned()
    calls(tape, Call("one", "bash", {"command": "make"}))
    said = tape.human()
    calls(tape, Call("two", "bash", {"command": "ls"}))
    end = tape.human()
    tape.owner.done = [
        Deed(end, Call(None, "patch_apply", {}), "edit", "a.py, b.py"),
        Deed(said, Call(None, "bash", {"command": "rm x"})),
        Deed(said, Call(None, "read_file", {"path": "a"})),
    ]
    told = [(found.event, found.kind, found.what) for found in left(tape)]
    assert told == [
        (0, "terminal", "make"),
        (said, "terminal", "rm x"),
        (2, "terminal", "ls"),
        (end, "edit", "a.py, b.py"),
    ]
    assert [found.event for found in left(tape, said + 1)] == [2, end]


def test_what_a_call_behind_the_cut_tells_is_told_once() -> None:
    tape = Planned()
    call = calls(tape, Call("one", "bash", {"command": "make"}))
    end = tape.human()
    tape.owner.done = [Deed(end, Call("one", "bash", {"command": "make"}))]
    assert [found.event for found in left(tape)] == [call]
    # The call itself stands before the cut, and what it did was done behind it.
    assert [found.event for found in left(tape, call + 1)] == [end]


def test_a_subagent_that_a_deed_tells_of_is_told_once() -> None:
    tape = Planned()
    event = tape.opens(SpanKind.SUBAGENT, "child")
    tape.owner.done = [Deed(event, Call(None, "spawn", {}), "subagent", "look")]
    assert [(found.kind, found.what) for found in left(tape)] == [("subagent", "look")]


# What makes a call dangerous whose name is harmless.


MANY = "more arguments than are looked through"


@pytest.mark.parametrize(
    ("tool", "given", "what"),
    [
        ("find", {"path": ".", "delete": True}, ". delete: true"),
        (
            "webfetch",
            {"url": "https://x", "http_method": "DELETE"},
            "https://x http_method: DELETE",
        ),
        ("grep", {"pattern": "a", "output_file": "/etc/x"}, "a output_file: /etc/x"),
        ("fetch", {"url": "https://x", "json": {"a": 1}}, 'https://x json: {"a":1}'),
        ("open", {"path": "a", "mode": "w"}, "a mode: w"),
        ("open", {"path": "a" * 61, "mode": "w"}, "mode: w, " + "a" * 61),
        (
            "webfetch",
            {"url": "u", "options": {"method": "PUT", "body": "b"}},
            "u method: PUT, body: b",
        ),
        (
            "get_url",
            {"url": "u", "data": {"password": "xy12"}},
            'u data: {"password":"[REDACTED]"}',
        ),
        ("find", {"program": "rm -rf /"}, "program: rm -rf /"),
        ("search", {"query": "DROP TABLE x"}, "DROP TABLE x"),
        ("fetch", {"requests": [{"method": "POST"}]}, 'requests: [{"method":"POST"}]'),
        ("read", {"path": "a", **dict.fromkeys(map(str, range(64)), 1)}, f"a {MANY}"),
        ("deploy", {"path": "a", "delete": True}, "a"),
    ],
)
def test_what_a_call_is_given_to_do_is_told_where_its_name_is_harmless(
    tool: str, given: Any, what: str
) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, given))
    (found,) = left(tape)
    assert found.what == what


# Calls that did nothing.


def answered(*results: Result, outcome: Outcome = Outcome.FAILED) -> list[NotUndone]:
    """What is told of a call ``one`` that something answers."""
    tape = Planned()
    tape.opens(SpanKind.TOOL_CALL, "one", Call("one", "bash", {"command": "rm x"}))
    event = tape._begin(list(results))
    tape.builder.close(SpanKind.TOOL_CALL, "one", outcome)
    tape._end(event)
    return left(tape)


@pytest.mark.parametrize(
    ("text", "outcome", "declined"),
    [
        ("exec command rejected by user", Outcome.OK, True),
        ("patch rejected by user", Outcome.FAILED, True),
        ("The user doesn't want to", Outcome.REJECTED, True),
        ("The user doesn't want to", Outcome.FAILED, False),
        ("removed\nexec command rejected by user", Outcome.OK, False),
        ("done", Outcome.OK, False),
    ],
)
def test_a_call_that_was_declined_is_marked(text: str, outcome: Outcome, declined: bool) -> None:
    (found,) = answered(Result("one", text), outcome=outcome)
    assert found.declined is declined


def test_a_call_is_declined_by_its_own_result_alone() -> None:
    said = "exec command rejected by user"
    assert [one.declined for one in answered(Result("two", said))] == [False]
    both = answered(Result("one", said), Result("one", "done"))
    assert [one.declined for one in both] == [False]
    tape = Planned()
    calls(tape, Call("one", "bash", {}), Call(None, "bash", {}))
    assert [one.declined for one in left(tape)] == [False, False]


# Secrets.


def test_a_secret_that_is_cut_at_the_end_of_an_argument_is_masked() -> None:
    key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    for length in range(1_960, 2_000, 4):
        tape = Planned()
        calls(tape, Call("one", "deploy", {"path": ["a" * length, key]}))
        assert key[:6] not in left(tape)[0].what


def test_secrets_of_commands_and_of_registers_are_masked() -> None:
    tape = Planned()
    tape.sets("env", {"OPENAI_API_KEY": "sk-abcdefghijklmnopqrstuvwx", "n": 1})
    calls(tape, Call("one", "bash", {"command": "curl --token hunter2xyz https://x"}))
    (found,) = left(tape)
    assert found.what == "curl --token [REDACTED] https://x"
    assert registers(tape.tape, 0) == {"env": ({"OPENAI_API_KEY": "[REDACTED]", "n": 1}, None)}
