"""What a cut changes beside the history: registers, and what stays done, by class."""

from typing import Any

import pytest

from inspector.formats.parts import Call, Said
from inspector.formats.planning import Restorable
from inspector.plans.changes import not_undone, registers
from inspector.plans.plan import NotUndone
from inspector.timeline.words import Kind, Role, SpanKind
from tests.plans.planners import Planned


def calls(tape: Planned, *made: Call) -> int:
    """An event that makes calls."""
    event = tape._begin(list(made))
    tape.builder.append(Role.ASSISTANT, Kind.TOOL_CALL, 1)
    for call in made:
        tape.builder.open(SpanKind.TOOL_CALL, call.id or "none")
    return tape._end(event)


def left(tape: Planned, cut: int = 0, *files: Restorable) -> list[NotUndone]:
    return list(not_undone(tape.tape, cut, files))


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
    "tool", ["read_file", "Grep", "WebFetch", "TodoWrite", "update_plan", "view_image"]
)
def test_what_only_looks_is_not_told(tool: str) -> None:
    tape = Planned()
    calls(tape, Call("one", tool, {"path": "a.py"}))
    assert left(tape) == []


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


@pytest.mark.parametrize(
    ("path", "event"),
    [
        ("src/a.py", 7),
        ("/work/src/a.py", 7),
        ("a.py", 7),
        ("b.py", None),
        ("src/aa.py", None),
        ("", None),
    ],
)
def test_a_file_that_a_checkpoint_has_is_told(path: str, event: int | None) -> None:
    tape = Planned()
    calls(tape, Call("one", "Edit", {"file_path": path}))
    (call,) = left(tape, 0, Restorable("src/a.py", 7, "put back"))
    assert call.restorable == event
