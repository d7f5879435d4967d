"""The guard notices what it is there for, and no test goes round it."""

import ast
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.guarding import changing, guarded

TESTS = Path(__file__).resolve().parent

GATES = {
    "InspectorApp": {"ui/driving.py"},
    "run_test": {"ui/driving.py", "ui/library/shelves.py"},
    "main": {"commands.py"},
}
"""Calls that open a tape as a person does, and the only files that may make them."""


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(b'{"a":1}\n')
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "notes.txt").write_text("notes")
    return path


def rewrite(tape: Path) -> None:
    """The same length and the same time, but another byte."""
    before = tape.stat()
    tape.write_bytes(b'{"a":2}\n')
    os.utime(tape, ns=(before.st_atime_ns, before.st_mtime_ns))


def come_and_go(tape: Path) -> None:
    tape.with_suffix(".lock").touch()
    tape.with_suffix(".lock").unlink()


@pytest.mark.parametrize(
    "touch",
    [
        pytest.param(rewrite, id="content"),
        pytest.param(lambda tape: os.utime(tape, ns=(0, 0)), id="time"),
        pytest.param(lambda tape: tape.chmod(0o600), id="mode"),
        pytest.param(lambda tape: tape.unlink(), id="deleted"),
        pytest.param(lambda tape: tape.rename(tape.with_name("other")), id="renamed"),
        pytest.param(lambda tape: tape.with_name("tape.jsonl-wal").touch(), id="wal"),
        pytest.param(lambda tape: tape.with_name("tape.jsonl-shm").touch(), id="shm"),
        pytest.param(lambda tape: (tape.parent / "beside" / "cache").mkdir(), id="new-folder"),
        pytest.param(
            lambda tape: (tape.parent / "beside" / "notes.txt").write_text("more"), id="beside"
        ),
        pytest.param(come_and_go, id="lock-that-is-gone-again"),
        pytest.param(lambda _: (Path.home() / ".cache").mkdir(), id="home"),
    ],
)
def test_what_touches_a_tape_or_its_folder_or_the_home_is_noticed(
    tape: Path, touch: Callable[[Path], object]
) -> None:
    tape.chmod(0o644)
    with pytest.raises(AssertionError, match=r"^(made|deleted|changed): "), guarded(tape):
        touch(tape)


def test_a_path_that_does_not_exist_must_not_come_to_be(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="made"), guarded(tmp_path / "new"):
        (tmp_path / "new").touch()


def test_reading_is_no_touch(tape: Path) -> None:
    with guarded(tape):
        assert tape.read_bytes()
        assert list(tape.parent.iterdir())


def fail(tape: Path) -> None:
    with guarded(tape):
        tape.unlink()
        raise ZeroDivisionError


def change(tape: Path, *, before: bool = False, after: bool = False) -> None:
    """A test that changes a tape as its writer would, and a program that writes too."""
    with guarded(tape):
        if before:
            tape.with_name("lock").touch()
        with changing():
            tape.write_bytes(b"more")
        if after:
            tape.write_bytes(b"most")


def test_a_failure_inside_is_the_one_that_is_told(tape: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        fail(tape)


def test_what_the_test_itself_changes_is_not_held_against_the_program(tape: Path) -> None:
    change(tape)
    assert tape.read_bytes() == b"more"


def test_what_was_touched_before_the_test_changed_something_is_noticed(tape: Path) -> None:
    with pytest.raises(AssertionError, match="made"):
        change(tape, before=True)


def test_what_is_touched_after_the_test_changed_something_is_noticed(tape: Path) -> None:
    with pytest.raises(AssertionError, match="changed"):
        change(tape, after=True)


def called(code: str) -> set[str]:
    """The last names of everything that is called."""
    functions = [node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    names = {function.id for function in functions if isinstance(function, ast.Name)}
    return names | {each.attr for each in functions if isinstance(each, ast.Attribute)}


def test_calls_are_found_as_names_and_as_attributes() -> None:
    assert called("main([])\nawait_me = app.run_test(size=f(1))") == {"main", "run_test", "f"}


@cache
def callers() -> dict[str, set[str]]:
    """Per gate the files that go through it."""
    found: dict[str, set[str]] = {name: set() for name in GATES}
    for path in TESTS.rglob("*.py"):
        code = path.read_text()
        if any(name in code for name in GATES):
            for name in called(code) & GATES.keys():
                found[name].add(str(path.relative_to(TESTS)))
    return found


@pytest.mark.parametrize("name", sorted(GATES))
def test_no_test_goes_round_the_guard(name: str) -> None:
    assert callers()[name] == GATES[name]
