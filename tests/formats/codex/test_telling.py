"""Every record in words: what it is, who speaks, and all that it says, whatever its shape."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.codex.items import CHECKS
from inspector.formats.codex.telling.headlines import headline
from inspector.formats.codex.telling.phrases import PHRASES, RECORDS
from inspector.formats.codex.telling.sections import sections
from tests.formats.codex import tapes
from tests.formats.codex.tapes import event, item

KINDS = [
    *(f"response_item/{kind}" for kind in (*CHECKS, "ghost_snapshot", "novel")),
    *(f"event_msg/{kind}" for kind in (*PHRASES, "novel")),
    *RECORDS,
    "compacted",
    "novel",
]

KEYS = [
    "type", "role", "content", "summary", "encrypted_content", "name", "arguments", "input",
    "action", "command", "output", "call_id", "message", "text", "info", "rate_limits", "turn_id",
    "reason", "num_turns", "exit_code", "changes", "success", "invocation", "result", "plan",
    "goal", "item", "review_output", "replacement_history", "status", "sandbox_policy", "state",
    "last_token_usage", "total_token_usage", "input_tokens", "step", "findings", "author",
]  # fmt: skip

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just('{"a":[1]}'),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8))
@settings(max_examples=50, deadline=None)
def test_a_record_of_any_shape_is_told(kind: str, payload: dict[str, Any]) -> None:
    line = headline(kind, payload)
    assert isinstance(line.text, str)
    assert len(line.text) <= 2_000
    assert line.kind
    assert all(isinstance(section.text, str) for section in sections(kind, payload))


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_without_anything_is_told(kind: str) -> None:
    assert headline(kind, {}).kind
    assert sections(kind, {})


@pytest.mark.parametrize(
    ("record", "kind", "text"),
    [
        (tapes.user("hello"), "user", "hello"),
        (tapes.answer("hi"), "assistant", "hi"),
        (tapes.call("c1", "ls"), "tool call", "shell ls"),
        (
            item(
                "function_call",
                name="shell",
                arguments='{"command":["bash","-lc","ls -l"]}',
                call_id="c",
            ),
            "tool call",
            "shell ls -l",
        ),
        (
            item("local_shell_call", action={"command": ["git", "log"]}),
            "tool call",
            "shell git log",
        ),
        (
            item("reasoning", summary=[{"type": "summary_text", "text": "**Plan**"}]),
            "reasoning",
            "Plan",
        ),
        (
            item("reasoning", summary=[], encrypted_content="x" * 90),
            "reasoning",
            "(encrypted, 90 B)",
        ),
        (event("thread_rolled_back", num_turns=2), "rollback", "takes back 2 turns"),
        (
            event("turn_aborted", turn_id="t", reason="interrupted"),
            "turn aborted",
            "turn t · interrupted",
        ),
        (event("error", message="no network"), "error", "no network"),
        (event("novel", a=1), "novel", "a 1"),
        (
            event("exec_command_end", command=["bash", "-lc", "make"], exit_code=2),
            "command end",
            "make · exit 2",
        ),
        (
            event("patch_apply_end", success=True, changes={"/w/a.py": {"type": "update"}}),
            "patch",
            "applied: /w/a.py",
        ),
        (
            tapes.compacted(tapes.message("user", "s")),
            "summary",
            "the history becomes 1 item; the last: s",
        ),
    ],
)
def test_a_row_says_what_a_person_wants_to_know(
    tmp_path: Path, record: tapes.Record, kind: str, text: str
) -> None:
    line = tapes.folded(tmp_path, record).headline(0)
    assert (line.kind, line.text) == (kind, text)


def test_what_failed_is_marked(tmp_path: Path) -> None:
    records = [
        event("error", message="x"),
        event("exec_command_end", exit_code=1),
        event("patch_apply_end", success=False),
        event("mcp_tool_call_end", result={"Ok": {"isError": True}}),
        event("exec_command_end", exit_code=0),
    ]
    tape = tapes.folded(tmp_path, *records)
    assert [tape.headline(at).error for at in range(5)] == [True, True, True, True, False]


def test_a_picture_is_told_by_its_size(tmp_path: Path) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 40_000}
    record = item("message", role="user", content=[tapes.part("see"), picture])
    text = tapes.folded(tmp_path, record).sections(0)[0].text
    assert text.startswith("see")
    assert "40,000 base64 characters" in text
    assert len(text) < 300


def test_a_long_text_costs_a_row_no_more(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, tapes.user("x" * 3_000_000))
    assert len(tape.headline(0).text) == 400


def test_the_preamble_is_that_of_the_header(tmp_path: Path) -> None:
    tools = [{"name": "deploy", "description": "x"}]
    header = tapes.meta(base_instructions={"text": "be careful"}, dynamic_tools=tools)
    tape = tapes.folded(tmp_path, tapes.user("q"), header=header)
    assert [(part.part, part.preview) for part in tape.preamble(1)] == [
        ("system", "be careful"),
        ("tools", "deploy"),
    ]
