"""Events in one line and in full, for every type that the owner writes (page 4)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Headline
from inspector.formats.zero.telling.headlines import headline
from inspector.formats.zero.telling.sections import sections
from inspector.formats.zero.vocabulary import WORDS
from inspector.timeline.words import SpanKind
from tests.formats.zero.sessions import call, log, session


def told(kind: str, payload: Any) -> Headline:
    return headline(kind, {"payload": payload})


@pytest.mark.parametrize(
    ("kind", "payload", "word", "speaker", "text"),
    [
        ("message", {"role": "user", "content": "Fix it"}, "user", "user", "Fix it"),
        ("message", {"role": "assistant", "content": "Done"}, "assistant", "assistant", "Done"),
        ("message", {"role": "assistant"}, "assistant", "assistant", "(empty)"),
        (
            "message",
            {"role": "user", "content": "See", "attachments": {"images": [1], "documents": [1, 2]}},
            "user",
            "user",
            "See [1 image and 2 documents]",
        ),
        (
            "message",
            {"role": "user", "origin": "cross_session", "from": "peer", "displayContent": "hello"},
            "context",
            "user",
            "[peer] hello",
        ),
        (
            "message",
            {"role": "ask_user", "questions": [{"question": "Which?"}]},
            "question",
            "assistant",
            "Which?",
        ),
        ("message", {"role": "ask_user_answers", "answers": ["a", "b"]}, "answer", "user", "a · b"),
        ("message", {"role": "odd", "content": "x"}, "message", "odd", "x"),
        (
            "tool_call",
            {"name": "bash", "arguments": '{"command":"ls","n":2}'},
            "tool call",
            "assistant",
            "bash ls 2",
        ),
        (
            "tool_call",
            {"name": "bash", "arguments": "{broken"},
            "tool call",
            "assistant",
            "bash {broken",
        ),
        ("tool_result", {"output": ""}, "tool result", "tool", "(no output)"),
        ("session_compaction", {"summary": "short"}, "summary", "summary", "short"),
        (
            "permission_request",
            {"name": "bash", "action": "prompt", "reason": "runs", "permissionMode": "ask"},
            "approval asked",
            None,
            "bash: prompt · runs · mode ask",
        ),
        (
            "permission_decision",
            {"name": "bash", "action": "deny", "risk": {"level": "high"}},
            "approval",
            None,
            "bash: deny · risk high",
        ),
        (
            "provider_usage",
            {"promptTokens": 9, "completionTokens": 2, "model": "m"},
            "usage",
            None,
            "prompt 9 · output 2 · m",
        ),
        ("error", {"message": "overloaded"}, "error", None, "overloaded"),
        (
            "session_checkpoint",
            {
                "tool": "edit",
                "files": [
                    {"path": "a", "bytes": 27},
                    {"path": "b", "absent": True},
                    {"path": "c", "skipped": True},
                    {"path": "d"},
                ],
            },
            "checkpoint",
            None,
            "before edit: a (27 B), b (not there yet), c (skipped) and 1 more",
        ),
        (
            "session_rewind",
            {"targetSequence": 4, "report": {"filesRestored": 1, "filesDeleted": 2}},
            "rewind",
            None,
            "to sequence 4 · 1 file restored · 2 files deleted",
        ),
        (
            "session_fork",
            {"parentSessionId": "p", "copiedEventCount": 22},
            "fork",
            None,
            "of p: 22 events copied",
        ),
        (
            "session_child",
            {"childSessionId": "c", "agentName": "explore", "prompt": "Look"},
            "child",
            None,
            "explore in c · Look",
        ),
        ("specialist_stop", {"specialist": "x", "status": "ok"}, "specialist done", None, "x: ok"),
        ("spec_draft", {"specId": "s1", "specFilePath": "a.md"}, "spec", None, "s1 · a.md"),
        (
            "goal_updated",
            {"objective": "ship", "status": "blocked", "statusReason": "CI"},
            "goal",
            None,
            "ship · blocked: CI",
        ),
        ("nobody_knows", {"a": 1, "b": [2]}, "nobody_knows", None, "a 1, b [2]"),
        ("nobody_knows", [1], "nobody_knows", None, "[1]"),
        ("", None, "no type", None, ""),
    ],
)
def test_an_event_in_one_line(
    kind: str, payload: Any, word: str, speaker: str | None, text: str
) -> None:
    found = told(kind, payload)
    assert (found.kind, found.speaker, found.text) == (word, speaker, text)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("tool_result", {"status": "error", "output": "x"}),
        ("error", {"message": "x"}),
        ("specialist_stop", {"status": "failed"}),
        ("specialist_stop", {"status": "ok", "error": "lost"}),
    ],
)
def test_what_failed_is_marked(kind: str, payload: Any) -> None:
    assert told(kind, payload).error


@pytest.mark.parametrize("kind", WORDS)
def test_a_long_text_is_cut_for_a_row(kind: str) -> None:
    keys = ("content", "output", "summary", "message", "objective", "prompt", "reason", "name")
    payload = {**dict.fromkeys(keys, "x" * 100_000), "role": "user", "arguments": "{" * 100_000}
    assert len(told(kind, payload).text) < 4_000


# In full.


def full(kind: str, payload: Any, **more: Any) -> list[tuple[str, str]]:
    found = sections(kind, {"payload": payload, **more})
    return [(section.heading, section.text) for section in found]


def test_a_message_has_its_whole_text() -> None:
    assert full("message", {"role": "user", "content": "x" * 5_000}) == [("", "x" * 5_000)]


def test_a_question_has_its_options() -> None:
    asked = {"question": "Which?", "options": ["one", "two"]}
    payload = {"role": "ask_user", "header": "Port", "questions": [asked]}
    assert full("message", payload) == [("Port", "Which?\n- one\n- two")]


def test_arguments_are_laid_out() -> None:
    assert full("tool_call", {"name": "bash", "arguments": '{"a":1}'}) == [
        ("bash", '{\n  "a": 1\n}')
    ]


def test_a_result_says_how_it_was_stored() -> None:
    payload = {"output": "o", "status": "error", "truncated": True, "redacted": True}
    assert full("tool_result", {**payload, "changedFiles": ["a", "b"]}) == [
        ("error", "o"),
        ("", "The owner stored this result truncated and redacted."),
        ("changed files", "a, b"),
    ]


def test_a_compaction_names_what_it_covers() -> None:
    refs = [{"id": f"s:{at}", "type": "message"} for at in range(1, 61)]
    found = full("session_compaction", {"summary": "short", "compactableEvents": refs})
    assert found[0] == ("summary", "short")
    assert found[1][0] == "covers 60 events"
    assert found[1][1].startswith("s:1 message\ns:2 message\n")
    assert found[1][1].endswith("\nand 10 more")


def test_an_unknown_event_is_shown_as_it_is() -> None:
    assert full("nobody_knows", {"a": 1}) == [("", '{\n  "a": 1\n}')]
    assert full("nobody_knows", [1]) == [("", "[\n  1\n]")]


def test_other_keys_are_shown_too() -> None:
    assert full("error", {"message": "x"}, traceId="t")[-1] == (
        "other keys",
        '{\n  "traceId": "t"\n}',
    )


def test_a_file_is_told_by_its_size() -> None:
    payload = {"role": "user", "content": "", "attachments": {"images": ["A" * 4_096]}}
    assert "[4,096 base64 characters = 3,072 bytes; r shows them]" in full("message", payload)[0][1]


def test_an_event_without_payload_says_so(tmp_path: Path) -> None:
    tape = session(log(("message", None)), tmp_path)
    assert [section.text for section in tape.sections(0)] == ["(no payload)"]


# Names.


@pytest.mark.parametrize(
    ("kind", "draft", "name"),
    [
        (SpanKind.TOOL_CALL, call("toolu_1"), "toolu_1"),
        (SpanKind.APPROVAL, ("permission_request", {"toolCallId": "toolu_2"}), "toolu_2"),
        (SpanKind.APPROVAL, ("spec_draft", {"specId": "spec-1"}), "spec-1"),
        (SpanKind.SUBAGENT, ("specialist_start", {"childSessionId": "c"}), "c"),
    ],
)
def test_a_span_has_the_owners_name(tmp_path: Path, kind: SpanKind, draft: Any, name: str) -> None:
    tape = session(log(draft), tmp_path)
    assert tape.span_id(tape.timeline.spans[kind][0]) == name


def test_a_turn_has_its_number(tmp_path: Path) -> None:
    tape = session(log(("message", {"role": "user"}), ("message", {"role": "user"})), tmp_path)
    assert tape.span_id(tape.timeline.spans[SpanKind.TURN][1]) == "2"
