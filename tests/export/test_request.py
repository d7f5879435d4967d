"""What the owner would send as history: its document and its text."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from inspector.export.request import refusal
from inspector.formats.contract import Verdict
from tests import notebooks
from tests.commands import SAMPLES, run

KEYS = ["type", "role", "text", "call_id", "node", "event", "seq", "note", "why", "tokens"]


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    notebooks.installed(monkeypatch)
    return notebooks.everything(tmp_path / "plan.notebook")


def items(path: Path, *words: str) -> list[dict[str, Any]]:
    code, out, err = run("request", path, "--json", *words)
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert list(document) == ["cursor", "settled", "verdict", "basis", "items"]
    found: list[dict[str, Any]] = document["items"]
    return found


def test_every_item_has_every_key(notebook: Path) -> None:
    assert all(list(item) == KEYS for item in items(notebook))


def test_a_row_that_is_sent_as_it_stands_has_its_full_text(notebook: Path) -> None:
    assert items(notebook)[0] == {
        "type": "message",
        "role": "user",
        "text": "first question",
        "call_id": None,
        "node": "0.0",
        "event": 0,
        "seq": None,
        "note": None,
        "why": "",
        "tokens": 3,
    }


def test_what_is_added_has_no_node_and_says_why(notebook: Path) -> None:
    added = [item for item in items(notebook) if item["note"] == "added"]
    assert [(item["node"], item["text"], item["call_id"]) for item in added] == [
        (None, "aborted", "call-2")
    ]
    assert added[0]["why"] == "the call was never answered"


def test_what_is_dropped_is_listed_all_the_same(notebook: Path) -> None:
    dropped = [item for item in items(notebook) if item["note"] == "dropped"]
    assert [(item["node"], item["why"]) for item in dropped] == [("12.0", "it says nothing")]


def test_what_is_sent_of_a_row_that_is_not_shown_in_full_only_the_format_tells(
    notebook: Path,
) -> None:
    found = {item["node"]: item for item in items(notebook)}
    assert found["1.0"]["text"] == "(cleared)"
    assert found["8.0"]["text"] is None


def test_remarks_about_an_event_are_not_sent() -> None:
    path = SAMPLES / "demo.jsonl"
    found = {item["node"]: item for item in items(path)}
    assert found["378.0"]["text"] == "All 312 tests pass, and the changelog thanks Yuki."
    assert found["354.0"]["text"] == "Now everything once, and then the changelog."


@pytest.mark.parametrize("cursor", ["0", "1", "200", "head"])
def test_it_is_the_surface_where_the_format_says_no_more(cursor: str) -> None:
    path = SAMPLES / "compaction.jsonl" if cursor != "200" else SAMPLES / "demo.jsonl"
    shown = json.loads(run("show", path, "--at", cursor, "--json")[1])
    sent = items(path, "--at", cursor)
    assert [item["node"] for item in sent] == [row["node"] for row in shown["surface"]]


def test_one_item_a_line(notebook: Path) -> None:
    code, out, _ = run("request", notebook, "--jsonl")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == items(notebook)


def test_the_text_says_what_is_done_in_words(notebook: Path) -> None:
    code, out, err = run("request", notebook)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "cursor 13/13 · as notebook would send it"
    assert lines[1] == "7 entries: 1 added, 1 dropped, 1 altered"
    assert lines[2] == (
        "goes on from the beginning: no summary stands in the history, "
        "and the branch that holds 6 of 7 records"
    )
    assert lines[3].endswith("of history, estimated")
    del lines[2:4]
    assert lines[7].split() == [
        *["6", "-", "tool", "answer", "[added:"],
        *(["the", "call", "was", "never", "answered]", "<call-2>", "aborted"]),
    ]
    assert lines[5].endswith("<call-1> (not told)")
    assert len(lines) == 2 + 7


def test_a_request_of_rows_that_stand_as_they_are_says_so() -> None:
    out = run("request", SAMPLES / "demo.jsonl", "--at", "8")[1]
    assert "all sent as they stand" in out.splitlines()[1]


def test_hostile_text_is_shown_and_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebooks.installed(monkeypatch)
    path = notebooks.write(
        tmp_path / "x.notebook",
        notebooks.say("\x1b[2J\nforged", "agent", id="a", call="\x1b]0;c\x07"),
    )
    for words in ((), ("--json",), ("--jsonl",)):
        out = run("request", path, *words)[1]
        assert not set(out) & {"\x1b", "\x07"}
    lines = run("request", path)[1].splitlines()
    assert len(lines) == 2 + 2 + 2


def test_rows_are_named_as_the_other_commands_name_them() -> None:
    out = run("request", SAMPLES / "zero" / "lantern")[1]
    names = [line.split()[1] for line in out.splitlines()[2:] if line[:2].strip().isdigit()]
    assert {"@31", "@40"} <= set(names)
    assert not any(name.startswith("#") for name in names)


def test_one_entry_and_none_read_as_such() -> None:
    path = SAMPLES / "ten-events.jsonl"
    assert run("request", path, "--at", "0")[1].splitlines()[1] == "nothing would be sent"
    assert run("request", path, "--at", "3")[1].splitlines()[1] == "1 entry, sent as it stands"


def test_a_tape_that_the_owner_refuses_sends_nothing_and_says_so() -> None:
    path = SAMPLES / "recovered.jsonl"
    lines = run("request", path)[1].splitlines()
    assert lines[1].startswith("dsh refuses this tape: corrupt session log")
    assert lines[2].startswith("so nothing is sent; if it opened the tape: ")
    document = json.loads(run("request", path, "--json")[1])
    assert (document["verdict"]["opens"], bool(document["items"])) == (False, True)


@pytest.mark.parametrize(
    ("opens", "event", "cursor", "refused"),
    [
        (True, None, 5, False),
        (False, None, 0, True),
        ("partly", 3, 3, False),
        ("partly", 3, 4, True),
    ],
)
def test_what_the_owner_opens_in_part_it_sends_up_to_there(
    opens: bool | Literal["partly"], event: int | None, cursor: int, refused: bool
) -> None:
    said = refusal(Verdict("dsh", opens, "why", event), cursor)
    assert (said is not None) is refused


def test_reasoning_is_sent_without_headings_and_reports() -> None:
    path = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
    found = {item["node"]: item for item in items(path, "--at", "16")}
    assert found["3.0"]["text"] == "Motor or gears."


def test_pictures_are_named_by_type_and_size(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"media_type": "image/png", "data": "QUJD"}}
    content = [{"type": "text", "text": "look"}, picture]
    record = {
        "type": "user",
        "uuid": "00000000-0000-4000-8000-000000000001",
        "parentUuid": None,
        "sessionId": "00000000-0000-4000-8000-00000000000f",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": content},
    }
    path = tmp_path / "00000000-0000-4000-8000-00000000000f.jsonl"
    path.write_text(json.dumps(record) + "\n")
    (found,) = items(path)
    assert found["text"] == "look\n[image/png, 3 B]"


def test_what_is_sent_without_an_image_is_altered() -> None:
    path = SAMPLES / "version-4.session.v4.jsonl"
    before, after = (
        {item["event"]: item for item in items(path, "--at", cursor)}[3] for cursor in ("8", "27")
    )
    said = "Why is the button of this page grey?"
    assert (before["note"], before["text"]) == (None, f"{said}\n[login.png, image/png, 13 B]")
    assert (after["note"], after["why"]) == ("altered", "1 image left out")
    assert after["text"] == f"{said}\n[login.png, image/png, left out, 13 B]"
