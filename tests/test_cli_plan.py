"""``plan``: what would be done, in the words and keys of the contract; nothing is written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
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


def test_another_head_than_expected_is_refused() -> None:
    done = run("plan", "fork", DEMO, "--expect", "434:00000000")
    assert done.code == 4
    assert "out of date" in done.err
    assert done.out == ""
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
    assert lines[-1].startswith("bound to head 434, ")
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
