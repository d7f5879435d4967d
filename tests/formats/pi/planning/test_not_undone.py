"""What was done behind a cut stays done: by Pi's own tools, by scripts, and by the person."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.parts import Call
from inspector.formats.pi.planning.tools import does
from tests.formats.pi import sessions
from tests.formats.pi.planning.planned import fork
from tests.formats.pi.sessions import entry, folded, message, opened, text_of, user


def done(tape: sessions.PiTape, cut: int) -> list[tuple[str, str, str]]:
    return [(one.tool, one.kind, one.what) for one in fork(tape, cut).not_undone]


def call(identity: str, parent: str | None, name: str, **given: Any) -> sessions.Json:
    block = {"type": "toolCall", "id": f"call {identity}", "name": name, "arguments": given}
    return message(identity, parent, "assistant", [block], stopReason="toolUse")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bash", "terminal"),
        ("powershell", "terminal"),
        ("edit", "edit"),
        ("write", "edit"),
        ("codemode", "unknown"),
        *((name, "harmless") for name in ("read", "grep", "find", "ls")),
        ("mcp__server__tool", None),
    ],
)
def test_pis_own_tools_are_known(name: str, kind: str | None) -> None:
    assert does(Call(None, name, {"path": "f"})) == kind


def test_a_tool_of_that_name_that_takes_a_command_is_another_one() -> None:
    assert does(Call(None, "find", {"command": "rm -rf /"})) is None


def test_calls_behind_the_cut_are_told(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        call("a", None, "write", path="before"),
        call("b", "a", "bash", command="make"),
        call("c", "b", "edit", path="file"),
        call("d", "c", "read", path="file"),
    )
    assert done(tape, 1) == [("bash", "terminal", "make"), ("edit", "edit", "file")]


def test_commands_of_the_person_and_calls_of_scripts_are_told(tmp_path: Path) -> None:
    bash = {"role": "bashExecution", "command": "make clean", "output": ""}
    nested = {"calls": [{"id": "n", "name": "write", "arguments": {"path": "made"}}]}
    tape = folded(
        tmp_path,
        user("a", None),
        entry("message", "b", "a", message=bash),
        message("c", "b", "toolResult", [], toolCallId="x", nestedCalls=nested),
    )
    assert done(tape, 1) == [
        ("user shell", "terminal", "make clean"),
        ("write", "edit", "made"),
    ]
    assert done(tape, 3) == []


def test_a_call_in_a_line_that_pi_passes_over_was_made_all_the_same(tmp_path: Path) -> None:
    line = text_of([call("b", "a", "bash", command="make")]).split(b"\n")[1]
    tape = opened(text_of([user("a", None)]) + b'{"type":"message","id' + line + b"\n", tmp_path)
    assert done(tape, 1) == [("bash", "terminal", "make")]


def test_pi_keeps_no_copies_of_files(tmp_path: Path) -> None:
    tape = folded(tmp_path, call("a", None, "write", path="f"))
    assert fork(tape, 0).restorable == ()
