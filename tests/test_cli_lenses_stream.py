"""``inspector stream`` and ``inspector transcript``: keys, text, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.hostile import write_tape
from tests.terminal import CONTROL

DEMO = SAMPLES / "demo.jsonl"


def document(*words: str | Path) -> Any:
    code, out, _ = run(*words, "--json")
    assert code == 0
    return json.loads(out)


# Messages while they stream.


def test_stream_has_the_keys_of_the_contract() -> None:
    (found,) = document("stream", DEMO, "--at", "30")
    assert found.keys() >= {"message", "blocks", "since", "state"}
    assert (found["message"], found["state"], found["since"]) == (None, "streaming", 13)
    assert [block["index"] for block in found["blocks"]] == [0, 1, 2]
    last = found["blocks"][-1]
    assert last.keys() >= {"index", "type", "text", "complete"}
    assert (last["type"], last["text"], last["complete"]) == ("tool_call", '{"path": "te', False)


def test_stream_says_why_there_is_nothing() -> None:
    code, out, err = run("stream", DEMO, "--json")
    assert (code, json.loads(out)) == (0, [])
    assert "no message is being put together here; --all lists those that were" in err
    code, out, err = run("stream", SAMPLES / "zero/lantern", "--all")
    assert (code, out) == (0, "")
    assert "this tape keeps no pieces of messages" in err
    assert "up to here" in run("stream", DEMO, "--all", "--at", "3").err


def test_stream_lists_all_that_were_put_together() -> None:
    found = document("stream", DEMO, "--all")
    assert [one["state"] for one in found].count("done") >= 3
    lines = run("stream", DEMO, "--all", "--jsonl").out.splitlines()
    assert list(map(json.loads, lines)) == found
    assert not any(one["differs"] for one in found)


def test_the_text_of_stream_shows_broken_arguments() -> None:
    code, out, err = run("stream", DEMO, "--at", "30")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "turn 1 step 1  streaming, since 13"
    assert lines[-2:] == ["  2  tool_call read  so far", '    {"path": "te']


def test_a_message_that_says_something_else_is_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    lines = (SAMPLES / "packed-rows.jsonl").read_text("utf-8").splitlines(keepends=True)
    changed = [
        line.replace("I will count its lines.", "I counted.")
        if "assistant/message" in line
        else line
        for line in lines
    ]
    assert changed != lines
    path.write_text("".join(changed), "utf-8")
    assert "NOT what its pieces say" in run("stream", path, "--all").out
    assert document("stream", path, "--all")[0]["differs"] is True


# What the person saw.


def test_transcript_has_entries_that_a_compaction_leaves_alone() -> None:
    before = document("transcript", DEMO, "--at", "seq:343")
    after = document("transcript", DEMO, "--at", "seq:346")
    assert before["cursor"] < after["cursor"]
    *same, divider = after["entries"]
    assert [entry["event"] for entry in same] == [entry["event"] for entry in before["entries"]]
    assert [entry["text"] for entry in same] == [entry["text"] for entry in before["entries"]]
    assert (divider["kind"], divider["divider"]["what"]) == ("divider", "compaction")


def test_transcript_has_cards_with_outcome_and_order() -> None:
    entries = document("transcript", DEMO)["entries"]
    cards = [
        child["card"] for entry in entries for child in [entry, *entry["children"]] if child["card"]
    ]
    assert {card["outcome"] for card in cards} >= {"ok", "failed"}
    assert any(card["batch"] == 3 and card["returned"] == 1 for card in cards)
    assert all(card.keys() >= {"kind", "name", "title", "result", "evidence"} for card in cards)


def test_the_text_of_transcript_has_a_divider_and_cards() -> None:
    code, out, err = run("transcript", DEMO)
    assert (code, err) == (0, "")
    assert "──── compacted: 43 rows -> 1, " in out
    assert "[edit] tests/conftest.py · ok" in out
    assert "nothing was said yet" in run("transcript", DEMO, "--at", "0").out


# Both.


@pytest.mark.parametrize("command", ["stream", "transcript"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--at", "seq:99999"), 2),
        (("--at", "nonsense"), 2),
        (("--nonsense",), 2),
        (("--policy", "nobody"), 2),
    ],
)
def test_a_wrong_call_is_one_line(command: str, words: tuple[str, ...], code: int) -> None:
    done = run(command, DEMO, *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("command", ["stream", "transcript"])
def test_what_cannot_be_read_is_one_line(command: str, tmp_path: Path) -> None:
    done = run(command, tmp_path / "missing.jsonl")
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("words", [("stream", "--all"), ("transcript",)])
@pytest.mark.parametrize("form", ["", "--json"])
def test_no_control_of_a_tape_is_printed(words: tuple[str, ...], form: str, tmp_path: Path) -> None:
    command, *more = words
    done = run(command, write_tape(tmp_path), *more, *filter(None, [form]))
    assert done.code == 0
    assert not [line for line in done.out.splitlines() if CONTROL.search(line)]
