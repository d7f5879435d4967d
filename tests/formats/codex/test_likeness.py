"""What of a compaction's new history is an item that was there: that of which the same is sent."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex import items, likeness
from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record, call, compacted, message, output, user

SUMMARY = message("user", "S")
PICTURE = {"type": "input_image", "image_url": "data:one"}


def look(url: str) -> dict[str, Any]:
    content = [tapes.part("look"), {**PICTURE, "image_url": url}]
    return {"type": "message", "role": "user", "content": content}


def thought(text: str) -> Record:
    return tapes.item("reasoning", id="r1", summary=[{"type": "summary_text", "text": text}])


def search(by: str) -> Record:
    return tapes.item("tool_search_output", call_id="c", execution=by, tools=[])


def rows(folder: Path, before: Record, stored: dict[str, Any]) -> list[tuple[int, int]]:
    """Origin and part of the rows behind a compaction of one item, and what they stand for."""
    tape = tapes.folded(folder, before, compacted(stored, SUMMARY))
    nodes = tape.timeline.surface.nodes
    shown = [row.node for row in tape.timeline.rows(2)]
    assert [tape.item(node) for node in shown][1:] == [SUMMARY]
    assert without_names(tape.item(shown[0])) == without_names(stored)
    return [(nodes.origin(node), nodes.part(node)) for node in shown]


def without_names(item: dict[str, Any]) -> dict[str, Any]:
    beside = likeness.BESIDE
    return {key: value for key, value in item.items() if key not in beside and value is not None}


@pytest.mark.parametrize(
    ("before", "stored"),
    [
        (output("c", "all of it"), output("c", "[output removed]")),
        (output("c", "x"), output("c", "x ")),
        (call("c", "ls -la"), call("c", "ls")),
        (thought("long"), thought("")),
        ({"type": "response_item", "payload": look("data:one")}, user("look")),
        ({"type": "response_item", "payload": look("data:one")}, {"payload": look("data:two")}),
        (user("a\nb", "c"), user("a", "b\nc")),
        (user("a\nb"), user("a", "b")),
        (tapes.said("developer", "a"), user("a")),
        (search("server"), search("client")),
        (tapes.answer("a"), {"payload": {**message("assistant", "a"), "phase": "final"}}),
        (output("c", "[]"), {"payload": {**output("c")["payload"], "output": []}}),
    ],
)
def test_what_is_sent_otherwise_is_an_item_of_the_compaction(
    tmp_path: Path, before: Record, stored: Record
) -> None:
    assert rows(tmp_path, before, stored["payload"]) == [(1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("before", "more"),
    [
        (user("q"), {}),
        (user("q"), {"id": "m1", "internal_chat_message_metadata_passthrough": {"turn_id": "t"}}),
        (user("a", "b"), {"id": "m1"}),
        (tapes.answer("a"), {"id": "m1", "phase": None}),
        (call("c"), {"id": "f1", "namespace": None}),
        (output("c"), {"metadata": {"x": 1}}),
        (thought("long"), {"id": "r2"}),
        (search("server"), {}),
        ({"type": "response_item", "payload": look("data:one")}, {"id": "m1"}),
    ],
)
@pytest.mark.parametrize("named_first", [False, True])
def test_what_is_sent_alike_stays_whatever_it_is_called(
    tmp_path: Path, before: Record, more: dict[str, Any], named_first: bool
) -> None:
    plain = before["payload"]
    named = {**plain, **more}
    first, stored = (named, plain) if named_first else (plain, named)
    record = {"type": "response_item", "payload": first}
    assert rows(tmp_path, record, stored) == [(0, 0), (1, 1)]


def test_keys_in_another_order_say_the_same() -> None:
    one = {"type": "web_search_call", "action": {"type": "search", "query": "q"}}
    other = {"action": {"query": "q", "type": "search"}, "type": "web_search_call"}
    assert likeness.likeness(one) == likeness.likeness(other)


def test_a_structure_is_not_like_its_text() -> None:
    kind = {"type": "tool_search_call", "call_id": "c"}
    one, other = {**kind, "arguments": {"a": 1}}, {**kind, "arguments": '{"a":1}'}
    assert likeness.likeness(one) != likeness.likeness(other)


@pytest.mark.parametrize("value", [10**30, "\ud800", [[[]]], 1.5])
def test_any_value_is_told(value: Any) -> None:
    item = {"type": "web_search_call", "action": {"x": value}}
    assert likeness.likeness(item) == likeness.likeness(dict(item))


def test_of_two_outputs_of_one_call_that_one_stays_which_is_stored(tmp_path: Path) -> None:
    records = [call("c"), output("c", "one"), output("c", "two")]
    stored = (records[0]["payload"], records[1]["payload"], SUMMARY)
    tape = tapes.folded(tmp_path, *records, compacted(*stored))
    assert tapes.texts(tape) == ["c", "one", "S"]


def test_what_was_cut_is_sent_alike_where_it_is_stored_so(tmp_path: Path) -> None:
    kept = message("user", "one\ntwo")
    records = [user("one", "two"), tapes.summarised("s"), compacted(kept, SUMMARY)]
    tape = tapes.folded(tmp_path, *records)
    nodes = tape.timeline.surface.nodes
    assert [nodes.origin(row.node) for row in tape.timeline.rows(3)] == [0, 2]
    assert tapes.texts(tape) == ["one\ntwo", "S"]


def test_a_shorter_call_waits_for_its_output_as_the_one_before_did(tmp_path: Path) -> None:
    stored = {**call("c")["payload"], "arguments": "{}"}
    tape = tapes.folded(tmp_path, call("c"), compacted(stored, SUMMARY), output("c"))
    assert tapes.codes(tape) == []
    assert [entry.note for entry in tape.request(3)] == [None, None, None]


def test_the_short_way_of_plain_items_comes_to_the_same() -> None:
    said, asked, told = message("user", "q"), call("c")["payload"], output("c")["payload"]
    arguments = asked["arguments"]
    assert likeness.of_message(said, said["content"][0], "q") == items.shape(said).likeness
    assert likeness.of_call(asked, "shell", arguments, "c") == items.shape(asked).likeness
    assert likeness.of_output(told, "c", "done") == items.shape(told).likeness
