"""What a record says as the person saw it."""

from typing import Any

import pytest

from inspector.formats.claude.telling.calls import parts
from inspector.formats.parts import Call, File, Result, Said, Thought
from tests.formats.claude.transcripts import answer, attachment, call, notice, result, text, user

PICTURE = {"type": "image", "source": {"media_type": "image/png", "data": "QUJD"}}


def of_user(*blocks: Any) -> Any:
    return parts(user("u", None, list(blocks)))


def test_a_message_is_its_blocks_in_order() -> None:
    blocks = {"type": "thinking", "thinking": "hm"}, text("yes"), call("c", command="ls")
    assert parts(answer("a", None, *blocks)) == [
        Thought("hm"),
        Said("yes"),
        Call("c", "Bash", {"command": "ls"}),
    ]
    assert parts(user("u", None, "please")) == [Said("please")]
    assert of_user(text("look"), PICTURE) == [Said("look"), File("", "image/png", 3)]


def test_a_result_says_whether_it_failed() -> None:
    assert parts(result("r", None, "c")) == [Result("c", "done", False)]
    assert parts(result("r", None, "c", error="no")) == [Result("c", "no", True)]


@pytest.mark.parametrize(
    "said",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "[Request interrupted by user for tool use]",
    ],
)
def test_what_only_the_words_of_a_result_tell_is_marked(said: str) -> None:
    assert parts(result("r", None, "c", error=said)) == [Result("c", said, True, told_by_text=True)]


def test_pictures_of_a_result_are_named() -> None:
    block = {"type": "tool_result", "tool_use_id": "c", "content": [text("one"), PICTURE]}
    assert of_user(block) == [Result("c", "one", False, files=(File("", "image/png", 3),))]


def test_what_was_typed_ahead_is_said() -> None:
    assert parts(attachment("t", None, "queued_command", prompt="and go on")) == [Said("and go on")]
    assert parts(attachment("t", None, "file", content="a")) is None
    assert parts(notice("n", None, "informational", content="a")) is None


@pytest.mark.parametrize(
    "block",
    [
        None,
        3,
        "bare",
        {},
        {"type": "text"},
        {"type": "image"},
        {"type": "tool_use"},
        {"type": "tool_result", "content": [None, {"type": "text"}, {"type": "image"}]},
        {"type": ["odd"]},
    ],
)
def test_blocks_of_any_shape_are_no_trouble(block: Any) -> None:
    assert len(of_user(block)) == 1
