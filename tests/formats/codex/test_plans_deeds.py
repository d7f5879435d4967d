"""What stays done behind a cut: by the owner's own tools, and told by records that are no calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.formats.parts import Call
from inspector.formats.planning import EDIT, HARMLESS, SUBAGENT, TERMINAL
from inspector.plans.changes import not_undone
from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record

Told = tuple[int, str, str, str]
"""Event, tool, class, and what."""


def left(tape: CodexTape, cut: int = 0) -> list[Told]:
    found = not_undone(tape, tape.planner(), cut, ())
    return [(one.event, one.tool, one.kind, one.what) for one in found]


def command(when: str, call: str | None, *words: str, **more: Any) -> Record:
    known = {} if call is None else {"call_id": call}
    return tapes.event(f"exec_command_{when}", command=list(words), **known, **more)


def patched(call: str, changes: Any, **more: Any) -> Record:
    return tapes.event("patch_apply_end", call_id=call, changes=changes, success=True, **more)


def served(call: str, server: str, tool: str) -> Record:
    asked = {"server": server, "tool": tool, "arguments": {}}
    return tapes.event("mcp_tool_call_end", call_id=call, invocation=asked, result={"Ok": {}})


# The owner's own tools.

OWN: list[tuple[str, Any, str | None]] = [
    *((name, {}, HARMLESS) for name in ("list_dir", "read_file", "grep_files", "update_plan")),
    *((name, {}, HARMLESS) for name in ("request_user_input", "wait", "wait_agent", "view_image")),
    *((name, {}, HARMLESS) for name in ("read_mcp_resource", "web.run", "tool_search")),
    *((name, {}, SUBAGENT) for name in ("spawn_agent", "send_input", "close_agent")),
    ("collaboration.send_message", {}, SUBAGENT),
    ("shell", {"command": ["ls"]}, TERMINAL),
    ("js_repl", "1", TERMINAL),
    ("exec", "tools.shell()", TERMINAL),
    ("apply_patch", "", EDIT),
    ("image_gen.imagegen", {}, EDIT),
    ("write_stdin", {"session_id": 1, "chars": "y\n"}, TERMINAL),
    ("write_stdin", {"session_id": 1, "chars": ""}, HARMLESS),
    ("write_stdin", {"session_id": 1}, HARMLESS),
    ("wait", {"cell_id": "1", "terminate": True}, TERMINAL),
    ("read_file", {"command": "rm x"}, None),
    ("mcp__db.list_dir", {}, None),
    ("mcp__db__read_file", {}, None),
    ("run", {}, None),
    ("imagegen", {}, None),
    ("read_file_commit", {}, None),
    ("", None, None),
]


@pytest.mark.parametrize(("name", "given", "word"), OWN)
def test_what_the_owners_own_tools_do(
    tmp_path: Path, name: str, given: Any, word: str | None
) -> None:
    planner = tapes.folded(tmp_path).planner()
    assert planner.does(Call("c", name, given)) == word


def test_a_tool_of_the_clients_is_not_the_owners(tmp_path: Path) -> None:
    header = tapes.meta(dynamic_tools=[{"name": "wait"}, "odd", {"name": 3}])
    planner = tapes.folded(tmp_path, header=header).planner()
    assert planner.does(Call("c", "wait", {})) is None
    assert planner.does(Call("c", "wait_agent", {})) == HARMLESS


def test_a_tool_of_a_server_is_told_with_its_place(tmp_path: Path) -> None:
    given = {"name": "read_file", "namespace": "mcp__db", "arguments": "{}", "call_id": "c"}
    tape = tapes.folded(tmp_path, tapes.item("function_call", **given), tapes.output("c"))
    assert [tool for _, tool, _, _ in left(tape)] == ["mcp__db.read_file"]


# Told by events alone.


def test_what_only_events_tell_is_left_with_its_class_its_files_and_its_command(
    tmp_path: Path,
) -> None:
    changes = {
        "/w/a.py": {"type": "add"},
        "/w/b.py": {"type": "delete"},
        "/w/c.py": {"type": "update", "move_path": "/w/d.py"},
    }
    tape = tapes.folded(
        tmp_path,
        command("begin", "e1", "bash", "-lc", "rm q"),
        command("end", "e1", "bash", "-lc", "rm q", exit_code=0),
        patched("e2", changes),
        served("e3", "crm", "delete_all"),
        served("e4", "crm", "list_files"),
        tapes.event("image_generation_end", call_id="e5", saved_path="/w/cat.png"),
        tapes.event("web_search_end", call_id="e6", query="q"),
        tapes.event("dynamic_tool_call_request", callId="e7", tool="book", arguments={}),
        tapes.event("collab_close_end", call_id="e8", receiver_thread_id="t9"),
        tapes.event("undo_completed", success=True, message="taken back"),
        tapes.event("undo_completed", success=False, message="no"),
    )
    assert [one for one in left(tape) if "list_files" not in one[1]] == [
        (0, "exec_command", TERMINAL, "rm q"),
        (2, "apply_patch", EDIT, "/w/a.py, /w/b.py, /w/c.py, /w/d.py"),
        (3, "mcp__crm__delete_all", EDIT, ""),
        (5, "image_generation", EDIT, "/w/cat.png"),
        (7, "book", "unknown", ""),
        (8, "close_agent", SUBAGENT, "t9"),
        (9, "undo", EDIT, "taken back"),
    ]


def test_of_a_patch_of_very_many_files_the_number_of_the_others_is_told(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, patched("e", {f"f{number}": {} for number in range(103)}))
    ((_, _, _, what),) = left(tape)
    assert what.startswith("f0, f1, ")
    assert what.endswith("f99 and 3 files more")


def test_what_a_call_tells_is_not_told_again_by_its_events(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n*** End Patch"
    given = {"name": "apply_patch", "input": patch, "call_id": "p"}
    tape = tapes.folded(
        tmp_path,
        tapes.call("c", "rm x"),
        command("begin", "c", "rm", "x"),
        command("end", "c", "rm", "x", exit_code=0),
        tapes.output("c"),
        tapes.item("custom_tool_call", **given),
        patched("p", {"a.py": {"move_path": "b.py"}}),
    )
    assert left(tape) == [
        (0, "shell", TERMINAL, '["rm x"]'),
        (4, "apply_patch", EDIT, "a.py, b.py"),
    ]


def test_events_that_come_late_belong_to_the_call_before_the_cut(tmp_path: Path) -> None:
    tape = tapes.folded(
        tmp_path,
        tapes.call("c", "make"),
        tapes.output("c", "still running"),
        command("end", "c", "make", exit_code=0),
        command("end", "d", "rm", "x", exit_code=0),
    )
    assert [event for event, *_ in left(tape, 2)] == [3]


def test_each_of_two_calls_with_one_id_has_its_own_events(tmp_path: Path) -> None:
    tape = tapes.folded(
        tmp_path,
        tapes.call("c", "one"),
        command("end", "c", "one"),
        tapes.output("c"),
        command("begin", "c", "two"),
        command("end", "c", "two"),
    )
    assert [(event, what) for event, _, _, what in left(tape)] == [(0, '["one"]'), (4, "two")]


def test_a_harmless_call_hides_nothing_that_was_done_under_its_id(tmp_path: Path) -> None:
    looks = tapes.item("function_call", name="list_dir", arguments="{}", call_id="c")
    tape = tapes.folded(tmp_path, looks, command("end", "c", "rm", "x"), tapes.output("c"))
    assert [event for event, *_ in left(tape)] == [1]


def test_events_without_an_id_are_told_once_for_a_beginning_and_an_end(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, command("begin", None, "rm", "x"), command("end", None, "rm"))
    assert [event for event, *_ in left(tape)] == [0]


def test_what_was_declined_was_not_done(tmp_path: Path) -> None:
    tape = tapes.folded(
        tmp_path,
        command("end", "a", "rm", "x", status="declined"),
        patched("b", {"x": {}}, status="declined"),
    )
    assert left(tape) == []


def test_items_of_turns_are_told_as_what_they_are(tmp_path: Path) -> None:
    items = [
        {"type": "CommandExecution", "id": "a", "command": ["rm", "x"]},
        {"type": "FileChange", "id": "b", "changes": {"f": {}}},
        {"type": "McpToolCall", "id": "c", "server": "s", "tool": "drop", "arguments": {}},
        {"type": "CommandExecution", "id": "d", "command": ["rm"], "status": "declined"},
        {"type": "Plan", "id": "e", "text": "p"},
        "odd",
    ]
    tape = tapes.folded(tmp_path, *(tapes.event("item_completed", item=item) for item in items))
    assert [(tool, what) for _, tool, _, what in left(tape)] == [
        ("exec_command", "rm x"),
        ("apply_patch", "f"),
        ("mcp__s__drop", ""),
    ]


def test_calls_without_an_id_and_calls_that_the_owner_skips_are_told(tmp_path: Path) -> None:
    shell = {"type": "exec", "command": ["rm", "zz"]}
    tape = tapes.folded(
        tmp_path,
        tapes.item("local_shell_call", status="completed", action=shell),
        tapes.item("function_call", name="shell", arguments={"command": ["rm", "y"]}, call_id="c"),
        tapes.item("function_call", name="shell", arguments='{"command":["rm","x"]}'),
        tapes.item("image_generation_call", id="i", status="completed", result="AAAA"),
    )
    assert left(tape) == [
        (0, "shell", TERMINAL, "rm zz"),
        (1, "shell", TERMINAL, "rm y"),
        (2, "shell", TERMINAL, "rm x"),
        (3, "image_generation", EDIT, ""),
    ]


def test_a_damaged_copy_of_a_call_is_not_told_twice(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), tapes.call("c", "rm x"), tapes.output("c")])
    glued = b"\n".join([lines[0], lines[1], lines[1] + lines[1], lines[2], b""])
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", glued))
    assert [event for event, *_ in left(tape)] == [0]


def test_commands_that_the_person_typed_are_told_once(tmp_path: Path) -> None:
    def typed(script: str) -> Record:
        told = f"<command>\n{script}\n</command>\n<result>\nExit code: 0\n</result>"
        return tapes.user(f"<user_shell_command>\n{told}\n</user_shell_command>")

    tape = tapes.folded(
        tmp_path,
        command("end", "u1", "bash", "-lc", "rm a", source="user_shell"),
        typed("rm a"),
        typed("rm b"),
        tapes.user("<user_shell_command>odd</user_shell_command>"),
        tapes.user("I typed <command>rm c</command>"),
    )
    assert left(tape) == [
        (0, "user shell", TERMINAL, "rm a"),
        (2, "user shell", TERMINAL, "rm b"),
        (3, "user shell", TERMINAL, "<user_shell_command>odd</user_shell_command>"),
    ]


def test_calls_behind_the_place_where_the_fold_stops_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.formats.codex import history

    monkeypatch.setattr(history, "_WORK", -1)
    monkeypatch.setattr(history, "_WORK_PER_EVENT", 0)
    stop = [*tapes.turn("t", tapes.compacted(tapes.message("user", "S"))), tapes.rolled_back(1)]
    tape = tapes.folded(tmp_path, *stop, tapes.call("c", "rm x"), tapes.output("c"))
    assert tape.timeline.stopped_at is not None
    assert [what for *_, what in left(tape)] == ['["rm x"]']


ODD: list[Any] = [None, 3, "x", [], [1], {}, {"a": 1}, {"x": "y"}]


@pytest.mark.parametrize("odd", ODD, ids=json.dumps)
def test_fields_of_any_shape_are_read(tmp_path: Path, odd: Any) -> None:
    names = ("exec_command_end", "patch_apply_end", "mcp_tool_call_end", "image_generation_end")
    keys = ("call_id", "command", "changes", "invocation", "status", "saved_path", "source", "item")
    events = [tapes.event(name, **dict.fromkeys(keys, odd)) for name in (*names, "item_completed")]
    assert len(left(tapes.folded(tmp_path, *events))) == 4
