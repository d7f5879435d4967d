"""``audit``: what a summary does not tell, its keys, its words, and calls that are wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.formats.pi import sessions as pi
from tests.hostile import write_tape
from tests.terminal import CONTROL

DEMO = SAMPLES / "demo.jsonl"
CLAUDE = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"


def document(*words: str | Path) -> Any:
    code, out, _ = run("audit", *words, "--json")
    assert code == 0
    return json.loads(out)


def test_the_keys_of_the_contract() -> None:
    found = document(DEMO, "--compaction", "seq:189")
    assert {
        "event",
        "hidden",
        "tokens_before",
        "tokens_after",
        "trigger",
        "launch",
        "missing",
        "kept",
        "usage",
        "earlier",
        "degraded",
    } <= found.keys()
    assert found["launch"] == {"event": 8, "status": "absent"}
    assert all(one.keys() == {"literal", "class", "event"} for one in found["missing"])
    assert {"literal": "vendor/", "class": "path", "event": 8} in found["missing"]


def test_what_it_hides_is_what_the_other_answers_say() -> None:
    found = document(DEMO, "--compaction", "seq:189")
    code, out, _ = run("diff", DEMO, "around:189", "--json")
    assert code == 0
    left = [row["event"] for row in json.loads(out)["left"]]
    assert (found["rows"], found["context_rows"]) == (42, 2)
    assert sorted(found["hidden"]) == sorted(left)
    assert sorted(one["event"] for one in found["originals"]) == sorted(found["hidden"])


def test_the_compactions_own_figure_comes_before_the_last_requests() -> None:
    found = document(CLAUDE)[0]
    assert (found["recorded_before"], found["usage"]) == (
        5_600,
        "5.6k tokens of an unknown window",
    )
    _, out, _ = run("audit", CLAUDE)
    assert "trigger: manual at 5.6k tokens (recorded)" in out
    demo = document(DEMO, "--compaction", "seq:189")
    assert (demo["tokens_before"], demo["tokens_recorded"]) == (8_983, True)


@pytest.mark.parametrize("event", ["seq:187", "seq:188", "seq:189", "seq:190", "189"])
def test_every_event_of_a_compaction_names_it(event: str) -> None:
    assert document(DEMO, "--compaction", event)["event"] == 189


def test_without_one_every_compaction_of_the_tape_is_listed() -> None:
    assert [found["event"] for found in document(DEMO)] == [189, 346]
    code, out, _ = run("audit", DEMO, "--jsonl")
    assert code == 0
    assert [json.loads(line)["event"] for line in out.splitlines()] == [189, 346]


def test_what_earlier_summaries_lost_has_its_summary_and_generation() -> None:
    earlier = document(DEMO, "--compaction", "seq:346")["earlier"]
    assert {
        "literal": "ci/logs/run-4181.log",
        "class": "path",
        "event": 125,
        "summary": 189,
        "generation": 1,
    } in earlier


def test_the_trigger_is_as_recorded_else_the_usage_is_told() -> None:
    assert document(CLAUDE)[0]["trigger"] == "manual"
    first, second = document(DEMO)
    assert (first["trigger"], first["usage"]) == (None, "80 % of 131.1k")
    assert second["trigger"] == "manual"


def test_the_text_says_it_in_words() -> None:
    code, out, _ = run("audit", DEMO, "--compaction", "seq:189")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == (
        "@189 hides 42 rows (2 injected), 9.0k -> ≈0.3k tokens, "
        "trigger: not recorded (usage 80 % of 131.1k)"
    )
    assert lines[1].startswith("the launching message, @8: absent")
    assert "15 of 51 literals of the originals are told, 36 missing" in lines[2]
    assert any("@125" in line and "ci/logs/run-4181.log" in line for line in lines)
    listed = lines[lines.index("originals:") + 1 :]
    assert len(listed) == 42
    assert listed[0].split()[:4] == ["@8", "user", "2", "missing"]
    assert any(line.split()[:3] == ["@96", "user", "told"] for line in listed)


def test_a_degraded_summary_is_said_to_be_one() -> None:
    _, out, _ = run("audit", SAMPLES / "nested-compaction.jsonl", "--compaction", "seq:29")
    assert "put together of pieces of its originals" in out
    assert "lost already by @17: --collect-only" in out


def test_a_tape_without_a_compaction_is_no_error() -> None:
    code, out, err = run("audit", SAMPLES / "ten-events.jsonl", "--json")
    assert (code, json.loads(out)) == (0, [])
    assert "nothing was compacted" in err


@pytest.mark.parametrize("event", ["seq:3", "seq:9999", "99999", "nonsense"])
def test_an_event_of_no_compaction_is_a_wrong_call_in_one_line(event: str) -> None:
    code, out, err = run("audit", DEMO, "--compaction", event)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_no_control_of_a_tape_is_printed(tmp_path: Path) -> None:
    _, out, err = run("audit", write_tape(tmp_path))
    assert not CONTROL.search(out.replace("\n", "") + err.replace("\n", ""))


def test_a_compaction_that_was_undone_says_since_when_and_by_what(tmp_path: Path) -> None:
    entries = [pi.user("a", None), pi.user("b", "a"), pi.compaction("k", "b"), pi.user("c", "a")]
    path = tmp_path / "session.jsonl"
    path.write_bytes(pi.text_of(entries))
    (found,) = document(path)
    assert found["undone"] == {"since": 4, "reason": "rewound", "by": 3}
    assert found["hidden"] == [0, 1]
    _, out, _ = run("audit", path)
    assert out.startswith("#2 hid 2 rows, ")
    assert "it is undone since 4: left behind by a rewind (#3)\n" in out
    path.write_bytes(pi.text_of([*entries, pi.user("d", "k")]))
    assert document(path)[0]["undone"] is None
    assert run("audit", path).out.startswith("#2 hides 2 rows, ")


def test_a_compaction_of_another_branch_names_what_it_hides(tmp_path: Path) -> None:
    entries = [pi.user("a", None), pi.user("b", "a"), pi.user("x", None), pi.compaction("k", "b")]
    path = tmp_path / "session.jsonl"
    path.write_bytes(pi.text_of(entries))
    assert document(path)[0]["hidden"] == [0, 1]
    _, out, _ = run("why", path, "0")
    assert "hidden by a compaction at 4 (#3), before that left behind by a rewind at 3 (#2)" in out
    assert "#3 stands for it now" in out
