"""A format of another distribution is found by its entry point and opens like ours."""

import json
from pathlib import Path

import pytest

from inspector.formats.registry import others, policies_of
from tests import notebooks
from tests.commands import run
from tests.notebooks import say


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook with one of everything, and the distribution that knows notebooks."""
    notebooks.installed(monkeypatch)
    return notebooks.everything(tmp_path / "plan.notebook")


def test_without_its_distribution_a_notebook_is_no_tape(tmp_path: Path) -> None:
    path = notebooks.write(tmp_path / "plan.notebook", say("hello"))
    code, _, err = run("show", path)
    assert code == 3
    assert "not a session tape: lines of JSON of an unknown kind" in err


def test_with_it_the_notebook_is_shown(notebook: Path) -> None:
    assert "notebook" in [format_.name for format_ in others()]
    code, out, err = run("show", notebook, "--json")
    shown = json.loads(out)
    assert (code, err) == (0, "")
    assert (shown["tape"]["format"], shown["tape"]["events"]) == ("notebook", 13)
    assert [row["event"] for row in shown["surface"]] == [0, 1, 7, 8, 10, 12]


@pytest.mark.parametrize("command", ["show", "events", "request", "rows", "check"])
def test_every_command_prints_it(notebook: Path, command: str) -> None:
    code, out, err = run(command, notebook)
    assert (code, err) == (0, "")
    assert "first question" in out or command == "check"


def test_what_a_row_differs_in_from_its_message_is_said(notebook: Path) -> None:
    lines = run("show", notebook)[1].splitlines()
    said = {line.split("  ")[-1].strip() for line in lines}
    assert "(cleared) first answer" in said
    assert "(cut) a very long result" in said
    back = run("show", notebook, "--at", "5")[1]
    assert "(carried) first answer" in back


def test_a_form_that_is_not_full_and_a_group_are_in_the_document(notebook: Path) -> None:
    rows = {row["event"]: row for row in json.loads(run("show", notebook, "--json")[1])["surface"]}
    assert {event: row.get("form") for event, row in rows.items()} == {
        0: None,
        1: "cleared",
        7: None,
        8: "cut",
        10: None,
        12: None,
    }
    assert [event for event, row in rows.items() if row["group"] == "msg-1"] == [1]


def test_how_much_of_the_tape_the_branch_reaches_is_said(notebook: Path) -> None:
    document = json.loads(run("show", notebook, "--json")[1])
    assert document["coverage"] == {
        "records": 7,
        "on_chain": 6,
        "visible": 6,
        "recovered": 0,
    }
    assert "chain covers 6 of 7 records, 6 of them visible" in run("show", notebook)[1]


def test_side_branches_and_broken_chains_have_their_words(notebook: Path) -> None:
    rows = json.loads(run("events", notebook, "--json")[1])
    words = {row["event"]: row["visibility"] for row in rows}
    assert (words[3], words[5], words[6]) == ("rewound", "aside", "unlinked")
    lines = run("events", notebook)[1].splitlines()
    assert "rewound by #4" in lines[3]
    assert "unlinked by" not in lines[6]


def test_a_record_of_another_file_says_which(notebook: Path) -> None:
    rows = json.loads(run("rows", notebook, "--json")[1])
    assert [row.get("file") for row in rows[-2:]] == [None, "other.notebook"]
    assert "(other.notebook)" in run("rows", notebook)[1].splitlines()[-1]
    assert json.loads(run("events", notebook, "--json")[1])[-1]["file"] == "other.notebook"


# Its readers.


def test_the_reader_that_is_followed_is_said_where_there_are_several(notebook: Path) -> None:
    for command in ("show", "check"):
        assert "read as" not in run(command, notebook)[1]
        followed = run(command, notebook, "--policy", "notebook:plain")[1]
        assert "notebook jsonl, read as notebook:plain" in followed


def test_readers_may_see_different_surfaces(notebook: Path) -> None:
    at_3 = ("show", notebook, "--at", "3", "--json")
    default = json.loads(run(*at_3)[1])
    plain = json.loads(run(*at_3, "--policy", "notebook:plain")[1])
    assert (default["tape"]["policy"], default["messages"]) == ("notebook", 1)
    assert (plain["tape"]["policy"], plain["messages"]) == ("notebook:plain", 2)


@pytest.mark.parametrize("command", ["show", "events", "request", "rows", "check"])
def test_a_wrong_reader_is_told_the_right_ones(notebook: Path, command: str) -> None:
    said = "no such policy: notebook:; notebook has notebook, notebook:plain"
    done = run(command, notebook, "--policy", "notebook:")
    assert done == (2, "", f"inspector: {notebook}: {said}\n")


def test_the_readers_of_a_format_are_known_by_its_name(notebook: Path) -> None:
    assert policies_of("notebook") == ("notebook", "notebook:plain")
    assert policies_of("nobody") == ()
