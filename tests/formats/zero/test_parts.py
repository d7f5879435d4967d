"""What an event says as the person saw it."""

from typing import Any

import pytest

from inspector.formats.parts import Call, File, Result, Said
from inspector.formats.zero.telling.calls import asked_about, parts


@pytest.mark.parametrize(
    ("kind", "payload", "told"),
    [
        ("message", {"role": "user", "content": "Fix it"}, [Said("Fix it")]),
        (
            "message",
            {
                "role": "user",
                "origin": "cross_session",
                "content": "peer: a",
                "displayContent": "a",
            },
            [Said("a")],
        ),
        (
            "message",
            {"role": "ask_user", "questions": [{"question": "Which?", "options": ["a", "b"]}]},
            [Said("Which?\n- a\n- b")],
        ),
        ("message", {"role": "ask_user_answers", "answers": ["a"]}, [Said("a")]),
        (
            "message",
            {"content": "look", "attachments": {"images": [{"name": "a.png"}], "documents": [1]}},
            [Said("look"), File("a.png", "image", None), File("", "document", None)],
        ),
        (
            "tool_call",
            {"id": "c", "name": "bash", "arguments": '{"command":"ls"}'},
            [Call("c", "bash", {"command": "ls"})],
        ),
        ("tool_call", {"toolCallId": "c", "name": "bash"}, [Call("c", "bash")]),
        ("tool_result", {"toolCallId": "c", "output": "a"}, [Result("c", "a", False)]),
        (
            "tool_result",
            {"toolCallId": "c", "output": "a", "status": "error"},
            [Result("c", "a", True)],
        ),
        ("session_compaction", {"summary": "short"}, [Said("short")]),
        ("goal_created", {"objective": "a"}, None),
        ("message", None, None),
        ("tool_call", {"id": 3, "name": [], "arguments": 5}, [Call(None, "", 5)]),
        ("tool_result", {"output": {}}, [Result(None, "", False)]),
        ("message", {"content": 3, "questions": [None], "attachments": []}, [Said("")]),
    ],
)
def test_the_parts_of_an_event(kind: str, payload: Any, told: Any) -> None:
    assert parts(kind, {"payload": payload}) == told


def test_a_question_names_its_call() -> None:
    assert asked_about({"payload": {"toolCallId": "c"}}) == "c"
    assert asked_about({"payload": None}) is None
