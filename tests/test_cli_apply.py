"""``apply`` and ``undo``: written is what was planned, after a yes, and it goes again."""

import json
import shlex
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.applying.disk import RealDisk
from tests.applying.faults import tree
from tests.commands import SAMPLES, Done, run, write
from tests.formats.pi import sessions as pi
from tests.terminal import CONTROL


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a whole log and one that was broken off, and a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(SAMPLES / "ten-events.jsonl", folder / "whole.jsonl")
    shutil.copy(SAMPLES / "open-turn.jsonl", folder / "open.jsonl")
    monkeypatch.chdir(folder)
    return folder


def keep(kind: str, name: str, *words: str) -> str:
    done = run("plan", kind, name, *words, "--save", f"{kind}.plan")
    assert done.code == 0, done.err
    return f"{kind}.plan"


def document(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)
    return found


def made(here: Path) -> list[Path]:
    return [path for path in here.rglob("session*.jsonl") if path.is_file()]


def test_without_a_yes_it_says_what_it_would_do(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here.parent)
    done = write("apply", plan)
    assert done.code == 0
    assert "would create" in done.out
    assert done.out.splitlines()[-1] == "nothing was written: say --yes to do it"
    assert document(write("apply", plan, "--json"))["applied"] is False
    assert tree(here.parent) == before


def test_a_fork_is_made_and_taken_back(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here)
    done = write("apply", plan, "--yes")
    assert (done.code, done.err) == (0, "")
    [session] = made(here)
    assert f"created {session}" in done.out
    assert "read again: it is what the plan foretold" in done.out
    assert run("check", str(session)).code == 0
    shown = write("undo", plan)
    assert f"would take away {session}" in shown.out
    assert session.exists()
    undone = write("undo", plan, "--yes")
    assert undone.code == 0
    assert "it stands in" in undone.out
    assert tree(here) == before


def test_a_fork_is_made_where_it_is_asked_for(here: Path) -> None:
    (here / "elsewhere").mkdir()
    plan = keep("fork", "whole.jsonl")
    assert write("apply", plan, "--into", "elsewhere", "--yes").code == 0
    [session] = made(here)
    assert session.is_relative_to(here / "elsewhere")


def test_it_is_made_once(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    assert write("apply", plan, "--yes").code == 0
    again = write("apply", plan, "--yes")
    assert again.code == 4
    assert "exists already" in again.err


def test_a_stale_plan_is_refused_with_the_new_one(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    lines = (here / "whole.jsonl").read_bytes().splitlines(keepends=True)
    with (here / "whole.jsonl").open("ab") as log:
        log.write(lines[-1])
    before = tree(here)
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "is out of date: the head was 10 and is" in done.err
    assert "this is the plan of the tape as it is now" in done.err
    assert "bound to head 1" in done.out
    assert tree(here) == before


def test_what_is_appended_wants_its_writer_stopped(here: Path) -> None:
    plan = keep("repair", "open.jsonl")
    old = (here / "open.jsonl").read_bytes()
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "--writer-stopped" in done.err
    assert (here / "open.jsonl").read_bytes() == old
    assert write("apply", plan, "--yes", "--writer-stopped").code == 0
    new = (here / "open.jsonl").read_bytes()
    assert new.startswith(old)
    assert new != old
    assert document(run("plan", "repair", "open.jsonl", "--json"))["closers"] == []


def test_a_plan_that_was_never_carried_out_is_not_undone(here: Path) -> None:
    done = write("undo", keep("fork", "whole.jsonl"), "--yes")
    assert done.code == 4
    assert "the journal knows of no such deed" in done.err


def test_a_tape_that_is_gone(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    (here / "whole.jsonl").unlink()
    done = write("apply", plan, "--yes")
    assert done.code == 3
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"version":1}'])
def test_what_is_no_plan_is_said(here: Path, content: bytes) -> None:
    (here / "odd.plan").write_bytes(content)
    for command in ("apply", "undo"):
        done = write(command, "odd.plan", "--yes")
        assert done.code == 2
        assert done.err.count("\n") == 1


def test_a_home_that_is_missing_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = keep("fork", "whole.jsonl")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("HOME")
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "HOME" in done.err
    assert made(here) == []


def test_hostile_names_reach_no_terminal(here: Path) -> None:
    name = "a\x1b[31m\n.jsonl"
    (here / "whole.jsonl").rename(here / name)
    plan = keep("fork", name)
    for done in (
        write("apply", plan),
        write("apply", plan, "--yes"),
        write("apply", plan, "--yes"),
    ):
        assert not CONTROL.search(done.out.replace("\n", "") + done.err.replace("\n", ""))


def test_a_log_that_tells_its_id_in_a_record_is_found_again(here: Path) -> None:
    for name in ("codex", "claude"):
        for path in (SAMPLES / name).glob("*.jsonl"):
            shutil.copy(path, here / f"{name}.jsonl")
            session = document(run("show", f"{name}.jsonl", "--json"))["tape"]["id"]
            assert run("show", f"{name}.jsonl", "--session", session).code == 0
            wrong = run("show", f"{name}.jsonl", "--session", "another")
            assert (wrong.code, wrong.out) == (2, "")
            assert f"no such session: another; it holds {session}" in wrong.err


def test_every_format_that_is_written_is_written(here: Path) -> None:
    rollout = "rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl"
    shutil.copy(SAMPLES / "codex" / rollout, here / "rollout-2026-05-04T09-00-00-a1.jsonl")
    shutil.copy(SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl", here / "c.jsonl")
    shutil.copytree(SAMPLES / "zero" / "lantern", here / "lantern")
    before = tree(here)
    for name in ("rollout-2026-05-04T09-00-00-a1.jsonl", "c.jsonl", "lantern", "whole.jsonl"):
        done = run("plan", "fork", name, "--snap", "back", "--save", "one.plan")
        assert done.code == 0, done.out
        assert write("apply", "one.plan", "--yes").code == 0
        assert write("undo", "one.plan", "--yes").code == 0
        (here / "one.plan").unlink()
    assert tree(here) == before


def test_the_way_back_of_a_repair_is_a_tape_as_it_was_once(here: Path) -> None:
    plan = keep("repair", "open.jsonl")
    old = document(run("show", "open.jsonl", "--json"))["surface"]
    assert write("apply", plan, "--yes", "--writer-stopped").code == 0
    new = (here / "open.jsonl").read_bytes()
    said = write("undo", plan).out.splitlines()
    assert said[-1] == "nothing was written: say --yes to do it"
    undone = write("undo", plan, "--yes")
    assert undone.code == 0, undone.err
    [session] = made(here)
    assert any(str(session.relative_to(here)) in line for line in said)
    told = document(run("show", str(session), "--json"))["surface"]
    assert [row["preview"] for row in told] == [row["preview"] for row in old]
    assert (here / "open.jsonl").read_bytes() == new
    again = write("undo", plan, "--yes")
    assert again.code == 4
    assert "it is undone already" in again.err


def test_a_refused_apply_takes_nothing_from_the_one_before(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here)
    assert write("apply", plan, "--yes").code == 0
    assert write("apply", plan, "--into", "/proc", "--yes").code == 4
    (here / "elsewhere").mkdir()
    assert write("apply", plan, "--into", "elsewhere", "--yes").code == 0
    for _ in range(2):
        assert write("undo", plan, "--yes").code == 0
    (here / "elsewhere").rmdir()
    assert tree(here) == before


def edit(here: Path, plan: str, how: Callable[[dict[str, Any]], None]) -> None:
    said = json.loads((here / plan).read_bytes())
    how(said)
    (here / plan).write_text(json.dumps(said))


@pytest.mark.parametrize(
    "how",
    [
        lambda said: said["making"].update(id="D"),
        lambda said: said["asked"].update(cut=1),
        lambda said: said["writes"][0].update(to="/elsewhere"),
        lambda said: said["asked"].update(into="/elsewhere"),
    ],
)
def test_a_plan_that_somebody_changed_is_not_the_one_that_was_reviewed(
    here: Path, how: Callable[[dict[str, Any]], None]
) -> None:
    plan = keep("fork", "whole.jsonl")
    edit(here, plan, how)
    before = tree(here)
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "is out of date" in done.err
    assert tree(here) == before


def test_a_path_that_is_none_is_said(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    edit(here, plan, lambda said: said["asked"].update(into="\ud800"))
    assert write("apply", plan, "--yes").code == 2


def test_a_plan_of_the_standard_input_has_no_tape_to_do_it_to(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    edit(here, plan, lambda said: said["tape"].update(path="-"))
    done = write("apply", plan, "--yes")
    assert done.code == 4
    assert "of the standard input" in done.err


def test_a_stale_plan_tells_no_change_that_is_none(here: Path) -> None:
    plan = keep("fork", "whole.jsonl")
    with (here / "whole.jsonl").open("ab") as log:
        log.write((here / "whole.jsonl").read_bytes().splitlines(keepends=True)[-1])
    assert "target" not in write("apply", plan, "--yes").err


def test_a_cut_that_was_moved_to_an_allowed_one_is_carried_out(here: Path) -> None:
    shutil.copy(SAMPLES / "demo.jsonl", here)
    plan = keep("fork", "demo.jsonl", "--after", "76", "--snap", "forward")
    done = write("apply", plan, "--yes")
    assert done.code == 0, done.err


def test_a_folder_in_which_nothing_can_be_made(here: Path) -> None:
    done = write("apply", keep("fork", "whole.jsonl"), "--into", "/proc", "--yes")
    assert done.code == 4
    assert "cannot be made there" in done.err or "permission denied" in done.err


def test_ctrl_c_leaves_nothing_behind(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = keep("fork", "whole.jsonl")
    before = tree(here)
    sync = RealDisk.sync

    def interrupted(disk: RealDisk, held: int) -> None:
        sync(disk, held)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(RealDisk, "sync", interrupted)
    done = write("apply", plan, "--yes")
    monkeypatch.undo()
    assert done.code == 130
    assert tree(here) == before


def test_a_log_that_was_rewritten_since_has_no_way_back(here: Path) -> None:
    plan = keep("repair", "open.jsonl")
    assert write("apply", plan, "--yes", "--writer-stopped").code == 0
    log = here / "open.jsonl"
    log.write_bytes(log.read_bytes().replace(b"a", b"b", 1))
    before = tree(here)
    done = write("undo", plan, "--yes")
    assert done.code == 4
    assert "is another by now" in done.err
    assert tree(here) == before


def test_before_an_append_is_undone_the_way_within_the_same_tape_is_told(here: Path) -> None:
    said = [pi.user("a", None), pi.answer("b", "a"), pi.user("c", "b")]
    (here / "pi.jsonl").write_bytes(pi.text_of(said))
    plan = keep("rewind", "pi.jsonl", "--after", "1", "--how", "append")
    assert write("apply", plan, "--yes", "--writer-stopped").code == 0
    shown = write("undo", plan).out
    assert "better: a rewind to 3 (`inspector plan rewind --after 3`)" in shown
    instead = document(write("undo", plan, "--json"))["instead"]
    assert instead.startswith("inspector plan rewind ")
    assert "--after 3 " in instead
    back = run(*shlex.split(instead)[1:])
    assert back.code == 0, back.err
    repair = keep("repair", "open.jsonl")
    assert write("apply", repair, "--yes", "--writer-stopped").code == 0
    assert document(write("undo", repair, "--json"))["instead"] is None
