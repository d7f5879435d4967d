"""What is sent: calls and outputs are paired by kind and id (RULES R5)."""

import json
from pathlib import Path

import pytest

from tests.formats.codex import tapes
from tests.formats.codex.tapes import call, item, output, user

Told = list[tuple[str, str | None, str | None]]


def told(tmp_path: Path, *records: tapes.Record) -> Told:
    """Type, note and call id of each entry."""
    tape = tapes.folded(tmp_path, *records)
    entries = tape.request(tape.timeline.events)
    assert all(entry.why for entry in entries if entry.note is not None)
    return [(entry.type, entry.note, entry.call_id) for entry in entries]


def test_a_call_without_an_output_is_answered_at_once(tmp_path: Path) -> None:
    assert told(tmp_path, call("c1"), call("c2"), output("c2")) == [
        ("function_call", None, "c1"),
        ("function_call_output", "added", "c1"),
        ("function_call", None, "c2"),
        ("function_call_output", None, "c2"),
    ]


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("custom_tool_call", "custom_tool_call_output"),
        ("local_shell_call", "function_call_output"),
        ("tool_search_call", "tool_search_output"),
    ],
)
def test_each_kind_of_call_has_its_kind_of_output(tmp_path: Path, kind: str, answer: str) -> None:
    record = item(kind, name="n", input="", call_id="c", action={}, arguments={})
    assert told(tmp_path, record) == [(kind, None, "c"), (answer, "added", "c")]


def test_an_output_without_a_call_of_its_kind_is_left_out(tmp_path: Path) -> None:
    wrong = item("custom_tool_call_output", call_id="c1", output="x")
    assert told(tmp_path, call("c1"), wrong) == [
        ("function_call", None, "c1"),
        ("function_call_output", "added", "c1"),
        ("custom_tool_call_output", "dropped", "c1"),
    ]


def test_order_does_not_matter(tmp_path: Path) -> None:
    entries = told(tmp_path, output("c1"), user("q"), call("c1"))
    assert [note for _, note, _ in entries] == [None, None, None]


def test_an_output_of_the_server_needs_no_call(tmp_path: Path) -> None:
    served = item("tool_search_output", call_id="s", execution="server", tools=[])
    assert told(tmp_path, served) == [("tool_search_output", None, "s")]


def test_a_call_without_an_id_is_left_alone(tmp_path: Path) -> None:
    assert told(tmp_path, item("local_shell_call", action={})) == [("local_shell_call", None, None)]


def test_an_item_of_an_unknown_type_in_a_compaction_is_sent_as_other(tmp_path: Path) -> None:
    assert told(tmp_path, tapes.compacted({"type": "novel"})) == [("other", None, None)]


def test_pictures_are_named_and_never_printed(tmp_path: Path) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,QUJD"}
    said = item("message", role="user", content=[tapes.part("look"), picture])
    out = item("function_call_output", call_id="c1", output=[tapes.part("seen"), picture])
    tape = tapes.folded(tmp_path, said, tapes.call("c1"), out)
    first, _, last = tape.request(3)
    assert first.text == "look\n[image/png, 3 B]"
    assert json.loads(last.text or "") == [
        tapes.part("seen"),
        {"type": "input_image", "image_url": "[image/png, 3 B]"},
    ]
