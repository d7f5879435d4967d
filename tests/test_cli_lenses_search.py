"""The command ``search``."""

import json
from pathlib import Path

import pytest

from tests.commands import SAMPLES, run

DEMO = SAMPLES / "demo.jsonl"


def hits(*words: str | Path) -> list[dict[str, object]]:
    done = run("search", DEMO, *words, "--json")
    assert done.code == 0
    found: list[dict[str, object]] = json.loads(done.out)
    return found


def test_a_hit_has_the_keys_of_the_contract() -> None:
    assert {"event", "seq", "line", "visibility", "by", "where", "before", "match", "after"} <= set(
        hits("pytest")[0]
    )


def test_every_hit_says_what_became_of_its_event_at_the_cursor() -> None:
    at_head = {(hit["event"], hit["where"]): hit for hit in hits("pytest")}
    early = hits("pytest", "--at", "100")
    assert len(at_head) == len(early)
    assert {hit["visibility"] for hit in early} >= {"visible", "not-yet"}
    shadowed = [hit for hit in at_head.values() if hit["visibility"] == "shadowed"]
    assert shadowed
    assert all(isinstance(hit["by"], int) for hit in shadowed)


def test_one_visibility_alone() -> None:
    found = hits("pytest", "--visibility", "log-only")
    assert found
    assert {hit["visibility"] for hit in found} == {"log-only"}


def test_what_the_model_is_not_told_is_not_visible() -> None:
    words = [(hit["where"], hit["said"]) for hit in hits("append")]
    assert ("surfaceOp", False) in words
    done = run("search", DEMO, "append", "--visibility", "visible")
    assert "surfaceOp" not in done.out
    assert "visible (not said)  surfaceOp: [append]" in run("search", DEMO, "append").out


def test_where_nothing_is_found_it_says_so() -> None:
    done = run("search", DEMO, "no such text", "--visibility", "rewound")
    assert done.code == 1
    assert done.out == ""
    assert done.err.endswith("demo.jsonl: nothing that is rewound says no such text\n")


def test_upper_and_lower_case_are_the_same_if_told() -> None:
    assert run("search", DEMO, "PYTEST", "--json").code == 1
    assert hits("PYTEST", "--ignore-case") == hits("pytest", "--ignore-case")
    assert len(hits("PyTest", "--ignore-case")) >= len(hits("pytest"))


def test_a_regular_expression() -> None:
    found = hits("seq -w [25]0", "--regex")
    assert {hit["match"] for hit in found} == {"seq -w 20", "seq -w 50"}


def test_lines_of_json_and_of_text() -> None:
    lines = run("search", DEMO, "pytest", "--jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == hits("pytest")
    shown = run("search", DEMO, "pytest").out.splitlines()
    assert len(shown) == len(lines)
    assert "[pytest]" in shown[0]


@pytest.mark.parametrize("how", [(), ("--json",), ("--jsonl",)])
def test_without_a_hit_the_exit_code_is_1(how: tuple[str, ...]) -> None:
    done = run("search", DEMO, "nobody says this", *how)
    assert done.code == 1
    assert done.out.strip() in ("", "[]")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("(", "--regex"), "no regular expression"),
        (("",), "nothing to look for"),
        (("x", "--at", "99999"), "99999"),
        (("x", "--visibility", "gone"), "--visibility is one of"),
    ],
)
def test_a_wrong_call_is_one_line_and_2(words: tuple[str, ...], why: str) -> None:
    done = run("search", DEMO, *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_a_tape_that_is_not_there_is_3(tmp_path: Path) -> None:
    done = run("search", tmp_path / "none.jsonl", "x")
    assert done.code == 3
    assert done.err.count("\n") == 1


def test_hostile_text_is_printed_clean() -> None:
    done = run("search", SAMPLES / "hostile.jsonl", ".", "--regex")
    assert done.code == 0
    assert "\x1b" not in done.out
