"""``diff``: two cursors of a tape, around a compaction, and where two tapes part."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.dsh_tapes import HEADER, Log
from tests.hostile import write_tape
from tests.terminal import CONTROL

DEMO, PRUNE = SAMPLES / "demo.jsonl", SAMPLES / "prune.jsonl"
LANTERN, FORK = SAMPLES / "zero" / "lantern", SAMPLES / "zero" / "lantern-fork"


def document(*words: str | Path) -> Any:
    code, out, _ = run("diff", *words, "--json")
    assert code == 0
    return json.loads(out)


# Two cursors.


def test_the_keys_of_the_contract_and_a_balance_that_adds_up() -> None:
    found = document(DEMO, "150", "head")
    assert {"a", "b", "entered", "left", "kept", "moved", "tokens"} <= found.keys()
    assert (found["a"], found["b"]) == (150, 434)
    assert all({"reason", "by", "node", "event", "role"} <= row.keys() for row in found["left"])
    weights = found["tokens"]
    assert sum(weights["by_reason"].values()) == weights["b"] - weights["a"] != 0
    shown = {row["node"] for row in json.loads(run("show", DEMO, "--json").out)["surface"]}
    assert {row["node"] for row in found["entered"]} <= shown


def test_a_summary_is_of_a_compaction_though_all_that_it_hid_came_later_than_a() -> None:
    late = document(DEMO, "0", "head")
    assert [row["reason"] for row in late["entered"] if row["role"] == "summary"] == ["compacted"]
    assert late["left"] == []


def test_the_text_says_cursors_numbers_rows_and_reasons() -> None:
    code, out, err = run("diff", PRUNE, "16", "17")
    first, row, which, *pair, reason = out.splitlines()
    assert (code, err) == (0, "")
    assert first.startswith("A = 16  B = 17   -0 +0 ~1 =3   2.8k -> 1.4k (-1.5k) tokens")
    assert row.startswith("~  @16  tool  pruned by @16  2.8k -> 1.3k")
    assert reason == "pruned: -0 +0 ~1   -1.5k tokens"
    assert which == "~ @16"
    assert {line[2] for line in pair} <= {"-", "+", "…", " "}
    assert any(line.startswith("  - ") for line in pair)


def test_the_texts_of_a_changed_row_are_told_line_by_line() -> None:
    (change,) = document(PRUNE, "16", "17")["changed"]
    assert {"-", "+"} <= {piece["sign"] for piece in change["text"]}
    assert all(piece.keys() == {"sign", "lines", "number"} for piece in change["text"])
    (change,) = document(SAMPLES / "version-4.session.v4.jsonl", "23", "24")["changed"]
    assert change["text"] == []


def test_the_head_is_the_later_cursor_unless_told() -> None:
    assert document(PRUNE, "16")["b"] == 25


def test_cursors_are_those_of_the_grammar_of_places() -> None:
    found = document(PRUNE, "seq:3", "event:16")
    assert (found["a"], found["b"]) == (4, 17)


def test_two_equal_cursors_have_nothing_apart() -> None:
    out = run("diff", PRUNE, "9", "9").out
    assert "nothing entered and nothing left" in out


# Around a compaction or a prune.


def test_around_a_compaction_is_before_its_span_and_after_its_replacement() -> None:
    found = document(DEMO, "around:seq:346")
    assert (found["a"], found["b"]) == (344, 347)
    assert len(found["left"]) == 43
    assert found == document(DEMO, "around:seq:345")


def test_around_a_prune() -> None:
    found = document(PRUNE, "around:16")
    assert (found["a"], found["b"], len(found["changed"])) == (15, 17, 1)
    # The event that announces it belongs to it.
    assert document(PRUNE, "around:15") == found


def test_around_a_compaction_the_prunes_just_before_it_count() -> None:
    found = document(str(SAMPLES / "overflow-recovery.jsonl"), "around:16")
    assert (found["a"], found["b"]) == (13, 18)
    assert (len(found["left"]), len(found["entered"]), len(found["changed"])) == (1, 1, 1)


def test_a_message_of_another_branch_is_new() -> None:
    tape = next((SAMPLES / "claude").glob("*.jsonl"))
    found = document(str(tape), "15", "16")
    assert [row["reason"] for row in found["entered"]] == ["new"]
    assert {row["reason"] for row in found["left"]} == {"rewound"}


# Two tapes.


def test_a_fork_against_its_parent() -> None:
    found = document(LANTERN, FORK)
    assert {"parted", "a", "b", "common"} <= found.keys()
    assert found["parted"] == {"a": 47, "b": 42}
    assert (found["common"], found["kept"]) == (42, 10)
    assert (found["a"]["events"], found["a"]["rows"]) == (0, [])
    assert found["b"]["events"] == 4
    assert [row["event"] for row in found["b"]["rows"]][-2:] == [43, 44]
    turned = document(FORK, LANTERN)
    assert turned["parted"] == {"a": 42, "b": 47}
    assert turned["a"]["rows"] == found["b"]["rows"]


def test_a_fork_against_its_parent_in_words() -> None:
    lines = run("diff", LANTERN, FORK).out.splitlines()
    assert "parts at cursor 47 (last in common @47), then 0 events of its own" in lines[0]
    assert "parts at cursor 42 (last in common @42), then 4 events of its own" in lines[1]
    assert lines[2] == "they part after 42 events in common"
    assert "10 rows in both, 0 only in a, 15 only in b" in lines[3]
    assert lines[-1].endswith("They have a switch of their own.")


def test_a_log_against_the_fork_that_copied_it(tmp_path: Path) -> None:
    one, other = Log(), Log({**HEADER, "id": "fork", "parentSession": "session", "seedLength": 2})
    for words in ("first", "second", "third"):
        one.user(words)
    for record in one.lines[1:3]:
        other.raw(record)
    other.seq = 2
    other.user("elsewhere")
    paths = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for path, log in zip(paths, (one, other), strict=True):
        path.write_bytes(bytes(log))
    found = document(*paths)
    assert (found["parted"], found["common"]) == ({"a": 2, "b": 2}, 2)
    assert [row["preview"] for row in found["a"]["rows"]] == ["third"]
    assert [row["preview"] for row in found["b"]["rows"]] == ["elsewhere"]


def test_the_same_tape_twice_tells_the_same() -> None:
    out = run("diff", DEMO, DEMO).out
    assert "they tell the same: 434 events" in out


def test_strangers_have_no_event_in_common() -> None:
    assert "they have no event in common" in run("diff", DEMO, PRUNE).out


def test_two_sessions_of_one_source() -> None:
    store = SAMPLES / "deepchat.db"
    sessions = ("--session", "sample-orchard", "--session2", "sample-orchard::fork::weekly")
    assert document(store, store, *sessions)["parted"] == {"a": 13, "b": 13}


def test_no_control_of_either_tape_is_printed(tmp_path: Path) -> None:
    hostile = write_tape(tmp_path)
    for words in ((hostile, DEMO), (DEMO, hostile), (hostile, "0")):
        code, out, err = run("diff", *words)
        assert code == 0
        assert not [line for line in (out + err).splitlines() if CONTROL.search(line)]


# Calls that are wrong.


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((PRUNE,), 2, "arguments are required: A"),
        ((PRUNE, "9", "3"), 2, "cursor 9 is behind 3: the first is the later"),
        ((PRUNE, "999"), 2, "cursor 999 is beyond the head, 25"),
        ((PRUNE, "nope.jsonl"), 2, "nope.jsonl: no such file, and 'nope.jsonl' is no place"),
        ((PRUNE, "around:5"), 2, "event 5 belongs to no compaction and to no prune"),
        ((PRUNE, "around:5", "9"), 2, "stands for both cursors"),
        ((PRUNE, "around:"), 2, "names no event"),
        ((PRUNE, "9", "--session2", "x"), 3, "9: no such file or folder"),
        ((PRUNE, "3", "9", "--session2", "x"), 2, "--session2 is of another tape"),
        ((PRUNE, SAMPLES), 2, "choose one with --session2: activities.jsonl"),
        ((PRUNE, SAMPLES / "small.py"), 3, "small.py"),
        ((PRUNE, "x" * 5_000), 2, "no such file"),
        (("-", "-"), 2, "only one of two tapes can come from the standard input"),
    ],
)
def test_a_wrong_call_is_one_line(words: tuple[str | Path, ...], code: int, says: str) -> None:
    done = run("diff", *words)
    assert done.code == code
    assert says in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_options_may_stand_before_the_cursors() -> None:
    store = SAMPLES / "deepchat.db"
    assert document(store, "--session", "sample-orchard", "10", "head")["b"] == 31


def test_a_file_that_is_named_like_a_cursor_is_a_tape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "5").write_bytes(PRUNE.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert document(PRUNE, "5")["common"] == 25
    assert document(PRUNE, "5", "9")["a"] == 5
