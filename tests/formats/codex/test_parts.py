"""What a record says as the person saw it."""

from typing import Any

import pytest
from hypothesis import given, settings

from inspector.formats.codex.telling.calls import asked_about, parts
from inspector.formats.parts import Call, File, Result, Said, Thought
from tests.formats.codex.test_telling import KINDS, VALUES


def item(kind: str, **payload: Any) -> Any:
    return parts(f"response_item/{kind}", {"type": kind, **payload})


def test_a_message_is_its_parts() -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,QUJD"}
    content = [{"type": "input_text", "text": "look"}, picture]
    assert item("message", role="user", content=content) == [Said("look"), File("", "image/png", 3)]
    summary = [{"type": "summary_text", "text": "hm"}]
    assert item("reasoning", summary=summary) == [Thought("hm")]
    (sealed,) = item("reasoning", summary=[], encrypted_content="x")
    assert "encrypted" in sealed.text


@pytest.mark.parametrize(
    ("kind", "payload", "call"),
    [
        (
            "function_call",
            {"call_id": "c", "name": "shell", "arguments": '{"command":["ls"]}'},
            Call("c", "shell", {"command": ["ls"]}),
        ),
        (
            "custom_tool_call",
            {"call_id": "c", "name": "apply_patch", "input": "*** Begin Patch"},
            Call("c", "apply_patch", "*** Begin Patch"),
        ),
        (
            "local_shell_call",
            {"call_id": "c", "action": {"command": ["ls"]}},
            Call("c", "shell", {"command": ["ls"]}),
        ),
    ],
)
def test_a_call_has_its_arguments(kind: str, payload: dict[str, Any], call: Call) -> None:
    assert item(kind, **payload) == [call]


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("fine", Result("c", "fine", None, told_by_text=True)),
        ("Exit code: 1\nno", Result("c", "Exit code: 1\nno", True, told_by_text=True)),
        (
            '{"output":"no","metadata":{"exit_code":1,"duration_seconds":0.1}}',
            Result("c", "no", True),
        ),
        (
            [{"type": "input_image", "image_url": "data:image/png;base64,QUJD"}],
            Result("c", "", None, told_by_text=True, files=(File("", "image/png", 3),)),
        ),
    ],
)
def test_an_output_says_how_the_tool_ended_in_a_field_or_in_its_text(
    output: Any, result: Result
) -> None:
    assert item("function_call_output", call_id="c", output=output) == [result]


def test_what_the_provider_ran_is_call_and_result_at_once() -> None:
    action = {"type": "search", "query": "ovens"}
    found = item("web_search_call", id="w", status="completed", action=action)
    assert found == [Call("w", "web_search", action), Result("w", "", False)]
    assert item("web_search_call", id="w", action=action) == [Call("w", "web_search", action)]


@given(VALUES)
@settings(max_examples=50, deadline=None)
def test_records_of_any_shape_are_no_trouble(value: Any) -> None:
    payload = value if isinstance(value, dict) else {"content": value, "output": value}
    for kind in KINDS:
        found = parts(kind, payload)
        assert found is None or isinstance(found, list)
    asked_about(payload)
