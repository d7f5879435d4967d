"""``why``: the card of an event, its keys, its words, and calls that are wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.hostile import write_tape
from tests.terminal import CONTROL

DEMO = SAMPLES / "demo.jsonl"


def document(*words: str | Path) -> Any:
    code, out, _ = run("why", *words, "--json")
    assert code == 0
    return json.loads(out)


def test_the_keys_of_the_contract() -> None:
    found = document(DEMO, "seq:8")
    assert {
        "event",
        "cursor",
        "visibility",
        "sentence",
        "chain",
        "visible_in_requests",
        "built_from",
        "cited_by",
        "evidence",
        "evidence_by",
        "retold",
    } <= found.keys()
    assert all({"event", "born", "gone", "reason", "by"} <= hop.keys() for hop in found["chain"])


def test_the_chain_goes_through_all_compactions_to_what_stands_there_now() -> None:
    found = document(DEMO, "seq:8")
    assert [hop["seq"] for hop in found["chain"]] == [8, 189, 346]
    assert [hop["requests"] for hop in found["chain"]] == [19, 16, 9]
    assert found["chain"][-1]["gone"] is None
    assert found["visible_in_requests"] == 19
    assert found["visibility"] == "shadowed"


def test_at_an_earlier_cursor_it_is_seen() -> None:
    found = document(DEMO, "seq:8", "--at", "100")
    assert (found["visibility"], found["cursor"]) == ("visible", 100)
    assert found["sentence"] == "At cursor 100 the model sees this, since 9."


def test_in_words() -> None:
    code, out, err = run("why", DEMO, "seq:8")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("@8  user  The login tests are flaky")
    assert lines[1] == (
        "At cursor 434 the model does not see this: hidden by a compaction at 190 (@189); "
        "@346 stands for it now."
    )
    assert "  @8 visible 9 to 189 (19 requests), then hidden by a compaction (@189)" in lines
    assert "  @346 visible since 347 (9 requests)" in lines
    assert "built from: typed by the user" in lines
    assert "cited by: @189" in lines
    assert lines[-2].startswith('In the summary at @346?  words "login", "tests", ')
    assert 'file "vendor/"' in lines[-2]
    assert lines[-1] == "evidence: recorded operations"


def test_a_call_names_its_result_and_a_result_its_call() -> None:
    rows = json.loads(run("events", DEMO, "--json").out)
    result = next(row["event"] for row in rows if row["word"] == "tool result")
    call = document(DEMO, str(result))["call"]
    assert call is not None
    there = document(DEMO, str(call))
    assert (there["result"], there["call"]) == (result, None)
    assert document(DEMO, str(call), "--at", str(result))["result"] is None


def test_a_copied_event_names_the_tape_that_it_comes_from() -> None:
    lives = SAMPLES / "lives.jsonl"
    assert document(lives, "4")["copied_from"] == "sample-lives-parent"
    assert document(lives, "15")["copied_from"] is None
    assert "copied from: sample-lives-parent" in run("why", lives, "4").out


def test_what_was_never_on_the_surface_says_why() -> None:
    assert "it is kept in the log and is no message" in document(DEMO, "0")["sentence"]
    assert "it is not written yet" in document(DEMO, "9", "--at", "3")["sentence"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((DEMO,), 2, "EVENT"),
        ((DEMO, "434"), 2, "there is no event at position 434; the tape has 434"),
        ((DEMO, "nothing"), 2, "nothing"),
        ((DEMO, "3", "--at", "999"), 2, "cursor 999 is beyond the head, 434"),
        ((SAMPLES / "missing.jsonl", "3"), 3, "missing.jsonl"),
    ],
)
def test_a_wrong_call_is_one_line(words: tuple[str | Path, ...], code: int, says: str) -> None:
    done = run("why", *words)
    assert (done.code, done.out) == (code, "")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_no_control_of_a_tape_is_printed(tmp_path: Path) -> None:
    path = write_tape(tmp_path)
    for event in range(20):
        out = run("why", path, str(event)).out
        assert not [line for line in out.splitlines() if CONTROL.search(line)]
