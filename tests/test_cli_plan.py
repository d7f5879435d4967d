"""``plan``: what would be done, in the words and keys of the contract; nothing is written."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, Done, process, run
from tests.terminal import CONTROL
from tests.untouched import untouched

DEMO = SAMPLES / "demo.jsonl"
KINDS = ("fork", "rewind", "compact", "repair", "resume")


def document(*words: str | Path, code: int = 0) -> dict[str, Any]:
    done = run("plan", *words, "--json")
    assert done.code == code, done
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_plan_has_the_keys_of_the_contract(kind: str) -> None:
    with untouched(SAMPLES):
        words = ("--degraded",) if kind == "compact" else ()
        found = document(kind, DEMO, *words)
    keys = {"kind", "how", "tape", "head", "cut", "kept", "left", "checks", "view", "registers"}
    assert keys | {"not_undone", "writes", "command"} <= found.keys()
    assert found["kind"] == kind
    assert set(found["head"]) == {"events", "bytes", "hash"}
    assert all({"rule", "ok", "message"} <= check.keys() for check in found["checks"])
    assert found["kept"] + found["left"] == found["head"]["events"]
    more = {
        "compact": {"split", "hides", "prompt", "prompt_length", "prompt_unit", "truncated"},
        "repair": {"closers"},
        "resume": {"next_request"},
    }
    assert more.get(kind, set()) <= found.keys()


def test_a_cut_that_is_not_allowed_fails_with_the_owners_code_and_the_nearest_ones() -> None:
    found = document("fork", DEMO, "--after", "200", code=1)
    assert found["cut"]["nearest"] == [158, 208]
    broken = [check for check in found["checks"] if not check["ok"]]
    assert [(check["rule"], check["code"]) for check in broken] == [("open-turn", "OPEN_TURN")]
    assert not found["sound"]


@pytest.mark.parametrize(("snap", "cut"), [("back", 158), ("forward", 208)])
def test_a_cut_moves_only_where_it_is_told_to(snap: str, cut: int) -> None:
    found = document("fork", DEMO, "--after", "200", "--snap", snap)
    assert (found["cut"]["taken"], found["sound"]) == (cut, True)
    assert f"--after {cut}" in found["command"]


def test_before_an_event_is_behind_the_one_before_it() -> None:
    after = document("fork", DEMO, "--after", "208")
    before = document("fork", DEMO, "--before", "208")
    assert after["cut"] == before["cut"]


def test_the_command_line_makes_the_same_plan() -> None:
    found = document("fork", DEMO, "--after", "208")
    words = found["command"].split()[1:]
    again = json.loads(run(*words, "--json").out)
    new = {"asked", "making", "writes", "checks"}
    assert {key: value for key, value in again.items() if key not in new} == {
        key: value for key, value in found.items() if key not in new
    }


def again(line: str, *, stdin: str | None = None) -> Done:
    """Run a command line that a plan tells, as a shell reads it."""
    done = subprocess.run(  # noqa: S602 - that a shell reads it is what is shown
        f"{line.replace('inspector', f'{sys.executable} -m inspector', 1)} --json",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=False,
        input=None if stdin is None else stdin.encode(),
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


HOSTILE = ["a b.jsonl", "-x.jsonl", "it's $HOME;.jsonl", "a\nb\x1b[31m.jsonl", "é'\t.jsonl"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_path_of_any_name_stands_in_the_command_line_as_a_shell_reads_it(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(DEMO.read_bytes())
    summary = tmp_path / f"s{name}"
    summary.write_text("All went well.")
    monkeypatch.chdir(tmp_path)
    first = run("plan", "compact", f"./{name}", f"--summary=./{summary.name}")
    line = first.out.splitlines()[-1]
    done = again(line)
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["tape"]["path"] == str(tmp_path / name)
    assert found["asked"]["summary_file"] == str(summary)
    # The document works from every folder.
    monkeypatch.chdir("/")
    assert again(found["command"]).code == 0


def test_the_command_line_tells_how_the_tape_was_opened() -> None:
    tape = SAMPLES / "ten-events-unknown.jsonl"
    found = document("resume", tape, "--past-unknown", "--unpack-limit=1M", code=1)
    assert "--past-unknown --unpack-limit 1048576" in found["command"]
    assert found["asked"]["past_unknown"]
    kept = json.loads(again(found["command"]).out)
    assert kept["checks"] == found["checks"]


def test_a_summary_comes_from_the_standard_input() -> None:
    line = f"inspector plan compact {shlex.quote(str(DEMO))} --summary -"
    done = again(line, stdin="All went well.")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["asked"]["summary"] == "All went well."
    assert "--summary - " in found["command"]
    both = again("inspector plan compact - --summary -", stdin="x")
    assert (both.code, both.out, len(both.err.splitlines())) == (2, "", 1)
    assert "cannot both be the standard input" in both.err
    none = again(line, stdin="\udc80".encode("utf-8", "surrogatepass").decode("latin-1"))
    assert none.code == 0


def test_another_head_than_expected_is_refused() -> None:
    done = run("plan", "fork", DEMO, "--expect", "434:00000000")
    assert done.code == 4
    assert "out of date: the head is 434:" in done.err
    assert (done.out, len(done.err.splitlines())) == ("", 1)
    assert run("plan", "fork", DEMO, "--expect", "434").code == 2


def test_a_plan_is_kept_in_a_new_file_only(tmp_path: Path) -> None:
    kept = tmp_path / "fork.plan.json"
    assert run("plan", "fork", DEMO, "--after", "208", f"--save={kept}").code == 0
    saved = json.loads(kept.read_bytes())
    assert saved["cut"]["taken"] == 208
    before = kept.read_bytes()
    again = run("plan", "fork", DEMO, f"--save={kept}")
    assert again.code == 4
    assert "exists already" in again.err
    assert kept.read_bytes() == before


def test_the_text_says_what_a_person_asks_first() -> None:
    lines = run("plan", "fork", DEMO, "--after", "208").out.splitlines()
    assert "nothing has been changed" in lines[0]
    text = "\n".join(lines)
    for part in ("cut at 208", "history (", "model view ", "keep 208 events", "NOT undone"):
        assert part in text
    assert lines[-2].startswith("bound to head 434, ")
    assert lines[-1].startswith("inspector plan fork ")
    assert not CONTROL.search(text.replace("\n", ""))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fork", DEMO, "--after", "9999"), "9999"),
        (("compact", DEMO, "--after", "12"), "a compact is of the head"),
        (("fork", DEMO, "--keep-last", "3"), "--keep-last is of compact, not of fork"),
        (("fork", DEMO, "--degraded"), "--degraded is of compact, not of fork"),
        (("fork", DEMO, "--prompt"), "--prompt is of compact, not of fork"),
        (("repair", DEMO, "--view", "originals"), "--view is of fork and rewind, not of repair"),
        (("resume", DEMO, "--snap", "back"), "--snap is of fork and rewind, not of resume"),
        (("resume", DEMO, "--how", "create"), "--how is of fork and rewind"),
        (("resume", DEMO, "--into", "x"), "--into is of fork and rewind"),
        (("compact", DEMO, "--keep-last", "many"), "a number of rows is wanted"),
        (("grow", DEMO), "invalid choice"),
        (("fork", DEMO, "--save", "-"), "--save: a file is wanted; --json prints the plan"),
        (("fork", DEMO, "--compare", "-"), "a file is wanted"),
        (("fork", DEMO, "--after", "3", "--before", "3"), "not allowed with"),
    ],
)
def test_a_wrong_call_is_one_line(words: tuple[Any, ...], message: str) -> None:
    done = run("plan", *words)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_summary_is_read_from_a_file_and_its_prompt_can_be_printed(tmp_path: Path) -> None:
    summary = tmp_path / "summary.txt"
    summary.write_text("All of it went well.")
    found = document("compact", DEMO, "--summary", summary)
    assert found["summary"].endswith("All of it went well.")
    assert not found["degraded"]
    assert run("plan", "compact", DEMO, "--prompt").out.strip()
    missing = run("plan", "compact", DEMO, "--summary", tmp_path / "none")
    assert (missing.code, len(missing.err.splitlines())) == (3, 1)


def test_a_compaction_without_a_summary_is_not_to_be_applied() -> None:
    found = document("compact", DEMO, code=1)
    assert [check["rule"] for check in found["checks"] if not check["ok"]] == ["summary"]
    assert found["writes"] == []


def test_a_kept_plan_is_compared_with_the_tape_as_it_is(tmp_path: Path) -> None:
    lines = DEMO.read_bytes().splitlines(keepends=True)
    tape = tmp_path / "tapes" / "growing.jsonl"
    tape.parent.mkdir()
    tape.write_bytes(b"".join(lines[:300]))
    kept = tmp_path / "plans" / "kept.json"
    kept.parent.mkdir()
    assert run("plan", "fork", tape, "--after", "100", f"--save={kept}").code in (0, 1)
    same = run("plan", "fork", tape, "--after", "100", f"--compare={kept}")
    assert same.out.splitlines()[0] == "the kept plan is the same: nothing has changed since"
    tape.write_bytes(b"".join(lines))
    stale = run("plan", "fork", tape, "--after", "100", f"--compare={kept}")
    assert stale.code == 4
    assert "is out of date" in stale.err
    assert stale.out.splitlines()[0] == "since the plan was kept, this has changed:"
    assert any(line.startswith("  leave: ") for line in stale.out.splitlines())


@pytest.mark.parametrize("content", ["", "[]", "{}", "no json", '{"version":1}'])
def test_what_is_no_plan_cannot_be_compared_with(tmp_path: Path, content: str) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(content)
    done = run("plan", "fork", DEMO, f"--compare={kept}")
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert run("plan", "fork", DEMO, f"--compare={tmp_path / 'none'}").code == 3


def test_a_tape_is_made_in_the_folder_that_is_asked_for(tmp_path: Path) -> None:
    with untouched(tmp_path):
        found = document("fork", DEMO, "--after", "208", "--into", tmp_path)
    (write,) = found["writes"]
    made = Path(write["to"])
    assert made.parent.parent == tmp_path
    assert made.parent.name == found["making"]["id"]
    assert f"--into {tmp_path}" in found["command"]
    (check,) = (check for check in found["checks"] if check["rule"] == "into")
    assert check["ok"]


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_folder_that_is_none_is_a_broken_check(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    found = document("fork", DEMO, "--after", "208", "--into", tmp_path / name, code=1)
    assert [check["rule"] for check in found["checks"] if not check["ok"]] == ["into"]
    assert not found["sound"]


def test_a_plan_of_another_kind_or_tape_is_no_plan_to_compare_with(tmp_path: Path) -> None:
    kept, other = tmp_path / "kept.json", tmp_path / "other.jsonl"
    other.write_bytes(DEMO.read_bytes())
    assert run("plan", "fork", DEMO, "--after", "208", f"--save={kept}").code == 0
    kind = run("plan", "rewind", DEMO, "--after", "208", f"--compare={kept}")
    assert kind.code == 4
    assert "it is a plan of a fork and this is one of a rewind" in kind.err
    tape = run("plan", "fork", other, "--after", "208", f"--compare={kept}")
    assert tape.code == 4
    assert "it is a plan of another tape" in tape.err
    cut = document("fork", DEMO, "--after", "158", f"--compare={kept}")
    assert cut["compared"][0] == "the cursor: asked for 208, and now 158"
    asked = run("plan", "fork", DEMO, "--after", "158", f"--compare={kept}").out.splitlines()
    assert asked[0] == "the tape is as it was when the plan was kept; this is another question:"
    same = run("plan", "fork", DEMO, "--after", "208", f"--compare={kept}")
    assert same.out.startswith("the kept plan is the same")


@pytest.mark.parametrize(
    "making", [{"id": ""}, {"id": "../../x"}, {"id": "a\0b"}, {"id": "a" * 5_000}, {"time": 10**18}]
)
def test_a_kept_plan_with_a_hostile_identity_is_no_whole_plan(
    tmp_path: Path, making: dict[str, Any]
) -> None:
    found = document("fork", DEMO, "--after", "208")
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({**found, "making": found["making"] | making}))
    done = run("plan", "fork", DEMO, "--after", "208", f"--compare={kept}")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "is no whole plan" in done.err


@pytest.mark.parametrize("option", ["--compare", "--summary"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path, option: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    kind = "fork" if option == "--compare" else "compact"
    done = run("plan", kind, DEMO, f"{option}={pipe}")
    assert (done.code, done.out) == (3, "")
    assert "is not a regular file" in done.err


def test_a_saved_plan_holds_the_summary_word_for_word_and_shows_it_masked(tmp_path: Path) -> None:
    summary, kept = tmp_path / "summary", tmp_path / "kept.json"
    summary.write_text("Use password=hunter2xyz there.")
    assert run("plan", "compact", DEMO, f"--summary={summary}", f"--save={kept}").code == 0
    found = json.loads(kept.read_bytes())
    assert found["asked"]["summary"] == "Use password=hunter2xyz there."
    assert "hunter2xyz" not in found["summary"]
    assert "password=[REDACTED]" in found["summary"]


def test_a_plan_made_where_the_tape_lies_is_kept_with_whole_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tape.jsonl").write_bytes(DEMO.read_bytes())
    monkeypatch.chdir(tmp_path)
    shown = run("plan", "fork", "tape.jsonl", "--save=kept.json", "--into=.").out
    found = json.loads(Path("kept.json").read_bytes())
    assert found["tape"]["path"] == str(tmp_path / "tape.jsonl")
    assert all(Path(write["to"]).is_absolute() for write in found["writes"])
    assert found["asked"]["into"] == str(tmp_path)
    assert f" {tmp_path / 'tape.jsonl'} " in found["command"]
    assert " tape.jsonl " in shown.splitlines()[-1]
    monkeypatch.chdir("/")
    same = run("plan", "fork", tmp_path / "tape.jsonl", f"--compare={tmp_path / 'kept.json'}")
    assert "into" not in same.err


def test_a_path_that_is_no_text_can_be_kept_and_compared(tmp_path: Path) -> None:
    tape, kept = tmp_path / "tapes" / "a\udc80b.jsonl", tmp_path / "kept.json"
    tape.parent.mkdir()
    tape.write_bytes(DEMO.read_bytes())
    assert process("plan", "fork", tape, "--after", "208", f"--save={kept}").code == 0
    done = process("plan", "fork", tape, "--after", "208", f"--compare={kept}")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("the kept plan is the same")
    kept.write_text("[" * 100_000)
    assert run("plan", "fork", DEMO, f"--compare={kept}").code == 2


def test_nothing_is_appended_to_the_standard_input() -> None:
    tape = SAMPLES / "open-turn.jsonl"
    found = json.loads(again("inspector plan repair -", stdin=tape.read_text()).out)
    (check,) = (check for check in found["checks"] if check["rule"] == "target")
    assert (check["ok"], found["sound"]) == (False, False)
    assert "came from the standard input" in check["message"]


def test_every_plan_shows_the_model_view_before_and_after() -> None:
    for kind in KINDS:
        done = run("plan", kind, DEMO, *(("--degraded",) if kind == "compact" else ()))
        (line,) = (one for one in done.out.splitlines() if one.startswith("model view "))
        assert "estimate; provider last reported 20.1k at @430)" in line
        view = document(kind, DEMO, *(("--degraded",) if kind == "compact" else ()))["view"]
        assert view["rows_before"] == 23
        assert view["reported"] == {"tokens": 20_107, "event": 430}
        assert {"rows_after", "tokens_before", "tokens_after"} <= view.keys()
