"""What an event says as the person saw it."""

from typing import Any

import pytest

from inspector.formats.dsh.telling.calls import asked_about, is_cut_off, parts
from inspector.formats.parts import Call, Edit, File, Result, Said, Thought
from tests.dsh_tapes import assistant_data, call_block, result_data, text_block, user_data

REASONING = {"type": "reasoning", "text": "hm"}
IMAGE = {"type": "image", "attachment": {"name": "a.png", "mediaType": "image/png", "bytes": 7}}


def told(name: str, data: Any) -> Any:
    return parts({"data": data}, name)


def test_a_message_is_its_blocks_in_order() -> None:
    data: Any = assistant_data(REASONING, text_block("yes"), call_block("c"))
    assert told("assistant/message", data) == [
        Thought("hm"),
        Said("yes"),
        Call("c", "bash", {"command": "ls"}),
    ]
    data = {**user_data("look"), "content": [text_block("look"), IMAGE]}
    assert told("user/message", data) == [Said("look"), File("a.png", "image/png", 7)]


def test_a_call_and_its_result() -> None:
    data = {"callId": "c", "name": "bash", "arguments": '{"command":"ls"}'}
    assert told("tool/call", data) == [Call("c", "bash", {"command": "ls"})]
    assert told("tool/result", result_data("c", "a.txt")) == [Result("c", "a.txt", False)]
    assert told("tool/result", result_data("c", "no", failed=True)) == [Result("c", "no", True)]


def test_a_result_tells_what_it_changed() -> None:
    diffs: list[Any] = [
        {"path": "a", "oldText": "1", "newText": "2"},
        {"path": "b", "newText": "3"},
        None,
    ]
    (result,) = told("tool/result", result_data("c", "done", meta={"diffs": diffs}))
    assert result.edits == (Edit("a", "1", "2"), Edit("b", None, "3"), Edit("", None, ""))


@pytest.mark.parametrize("name", ["code", "ptc"])
def test_a_call_within_a_call_names_its_caller(name: str) -> None:
    data: Any = {"subCallId": "s", "parentCallId": "c", "name": "read", "arguments": {"path": "a"}}
    assert told(f"tool/{name}-dispatch-start", data) == [Call("s", "read", {"path": "a"}, "c")]
    data = {"subCallId": "s", "isError": True, "content": [text_block("no")]}
    assert told(f"tool/{name}-dispatch", data) == [Result("s", "no", True)]


@pytest.mark.parametrize(
    "name",
    ["user/message", "assistant/message", "tool/call", "tool/result", "tool/code-dispatch"],
)
@pytest.mark.parametrize("data", [None, [], {}, {"content": [None, 1, "a"]}, {"message": 3}])
def test_data_of_any_shape_is_no_trouble(name: str, data: Any) -> None:
    assert isinstance(told(name, data), list)


def test_other_events_have_no_parts_of_their_own() -> None:
    assert told("turn/start", {}) is None


def test_what_was_cut_off_and_what_is_asked_about() -> None:
    assert is_cut_off({"data": {"interrupted": True}})
    assert not is_cut_off({"data": {}})
    assert asked_about({"data": {"callId": "c"}}) == "c"
    assert asked_about({"data": None}) is None
