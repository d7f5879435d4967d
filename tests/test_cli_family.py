"""`inspector family` prints which sessions belong to one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import SAMPLES, process, run

LANTERN = SAMPLES / "zero" / "lantern"
NAME, FORK, CHILD = (
    "zero_20260622080000_1782115200000000000_1",
    "zero_20260622100000_1782122400000000000_2",
    "zero_20260622081500_1782116100000000000_3",
)


OWN = "42 copied + 4 own events, from cursor 47, 2026-06-22 10:00"


def test_the_tree_as_text() -> None:
    done = run("family", LANTERN)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:5] == [
        f"family of {NAME}: 3 sessions, 1 of them not found",
        "",
        f"● {NAME}  “Light the pier at dusk”  47 events, 2026-06-22 08:00  ← this one",
        f"├─ ◆ fork  {FORK}  “Light the pier at dusk (fork)”  {OWN}",
        f"└─ ? subagent  {CHILD}  from cursor 22, not found",
    ]
    assert any(line.startswith("looked in ") for line in done.out.splitlines())


def test_the_document_tells_it_from_the_session_itself() -> None:
    document = json.loads(run("family", LANTERN.with_name("lantern-fork"), "--json").out)
    own = ("relation", "status", "boundary", "copied", "own")
    assert {key: document[key] for key in own} == {
        "relation": "fork",
        "status": None,
        "boundary": 47,
        "copied": 42,
        "own": 4,
    }
    assert document["self"]["tape"] == FORK
    assert document["children"] == []
    parent = document["parent"]
    assert (parent["tape"], parent["parent"], parent["missing"]) == (NAME, None, False)
    assert parent["path"] == str(LANTERN / "events.jsonl")
    tree = document["tree"]
    assert [child["tape"] for child in tree["children"]] == [FORK, CHILD]
    assert [child["here"] for child in tree["children"]] == [True, False]
    assert document["missing"] == [CHILD]
    assert tree["children"][1]["looked"] == [one["path"] for one in document["looked"]]
    assert (document["members"], document["others"], document["notes"]) == (3, [], [])


def test_a_session_of_a_database_is_chosen() -> None:
    document = json.loads(
        run("family", SAMPLES / "deepchat.db", "--session", "sample-frost", "--json").out
    )
    assert (document["relation"], document["boundary"]) == ("subagent", 28)
    assert document["parent"]["session"] == "sample-orchard"
    done = run("family", SAMPLES / "deepchat.db")
    assert done.code == 2
    assert "choose one with --session" in done.err


def test_one_without_relatives_says_where_they_were_looked_for() -> None:
    done = run("family", SAMPLES / "demo.jsonl")
    assert done.code == 0
    assert "no other session belongs to it" in done.out
    assert "looked in " in done.out


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "away.jsonl", "does not exist"),
        (tmp_path, "is a directory without a session file"),
    ):
        done = run("family", path)
        assert (done.code, done.out) == (3, "")
        assert said in done.err


@pytest.mark.parametrize("form", ["--json", None])
def test_the_standard_input_has_relatives_where_its_agent_keeps_sessions(form: str | None) -> None:
    with (SAMPLES / "lives.jsonl").open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "family", "-", *([form] if form else [])],
            stdin=source,
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert b"sample-lives-parent" in done.stdout


def test_the_help_imports_little() -> None:
    done = process("family", "--help")
    assert done.code == 0
    assert "--session" in done.out
