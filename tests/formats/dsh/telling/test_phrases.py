from collections.abc import Mapping
from typing import Any, Final

import pytest

from inspector.formats.dsh.telling.headlines import headline
from inspector.formats.dsh.telling.phrases import PHRASES
from inspector.formats.dsh.vocabulary import ELIGIBLE, LATER_WORDS, WORDS
from inspector.formats.telling import listed
from tests.dsh_tapes import text_block, user_data

STEP: Final = {"turn": 1, "step": 2}
GOAL: Final = {"id": "g1", "objective": "Finish", "phase": "active"}
MEMBER: Final = {"id": "m1", "name": "ann", "description": "tests", "phase": "active"}
MESSAGE: Final = {"senderName": "lead", "targetId": "m1", "content": [text_block("go")]}
FAILURE: Final = {"message": "no content", "code": "EMPTY_RESPONSE"}
INBOX: Final = {"target": "next-turn", "start": 0}

CALL: Final = {"name": "bash", "arguments": {"command": "ls"}}

LINES: Final[list[tuple[str, Mapping[str, Any], str]]] = [
    ("agent/inbox/spliced", INBOX | {"inserted": [user_data("hi")]}, "next turn +1: hi"),
    ("agent/inbox/spliced", INBOX | {"removedCount": 1, "inserted": []}, "next turn −1"),
    (
        "agent/inbox/spliced",
        INBOX | {"removedCount": 1, "inserted": [], "outcome": "canceled"},
        "next turn −1 (cancelled)",
    ),
    ("agent/inbox/spliced", {"target": "next-step", "inserted": []}, "next step unchanged"),
    ("agent-preset/selected", {"agentPreset": "standard"}, "preset standard"),
    ("session/title", {"title": "List the files"}, "List the files"),
    (
        "session/title-llm-request",
        {"route": {"provider": "deepseek", "model": "flash"}, "messageSeqs": [2]},
        "asks deepseek flash for a title of 1 message",
    ),
    ("session/end-seed", {}, "a new life begins; what stands before was written earlier"),
    ("feedback/record", {"text": "good"}, "good"),
    ("command/run", {"commandId": "x", "name": "compact"}, "/compact"),
    ("command/run", {"commandId": "x", "name": "goal", "args": "be done"}, "/goal be done"),
    ("command/done", {"kind": "success", "text": "compacted"}, "success: compacted"),
    ("command/done", {"kind": "error"}, "error"),
    (
        "llm/retry",
        {"retry": 1, "maxRetries": 2, "delayMs": 500, "failure": FAILURE},
        "1 of 2 in 0.5 s: no content (EMPTY_RESPONSE)",
    ),
    ("llm/retry", {"retry": 3, "mode": "always", "failure": {"message": "no"}}, "3: no"),
    ("llm/retry-started", STEP | {"retry": 1}, "retry 1 of turn 1 step 2"),
    ("approval/policy", {"policy": "never", "source": "delegation"}, "never (by delegation)"),
    ("approval/policy", {"policy": "ask"}, "ask"),
    ("approval/asked", {"toolName": "bash", "reason": "hook asked"}, "bash: hook asked"),
    ("approval/asked", {"toolName": "bash"}, "bash"),
    ("approval/decided", {"id": "ap-1", "outcome": "allowed-once"}, "allowed once"),
    ("sandbox/mode", {"mode": "read-only"}, "read-only"),
    ("permission/preset", {"preset": "auto"}, "preset auto"),
    ("plan/mode", {"active": True}, "entered"),
    ("plan/mode", {"active": False}, "left"),
    (
        "hook/invoked",
        {"point": "PreToolUse", "matcher": "bash", "dialect": "codex"},
        "PreToolUse for bash · codex",
    ),
    (
        "hook/result",
        {"point": "PreToolUse", "decision": "block", "exitCode": 2, "stderrSummary": "blocked"},
        "PreToolUse → block (exit 2): blocked",
    ),
    ("hook/result", {"point": "Stop", "decision": "allow"}, "Stop → allow"),
    ("goal/change", {"operation": "create", "goal": GOAL}, "create: Finish · active"),
    (
        "goal/change",
        {"operation": "block", "goal": GOAL | {"blockedReason": {"message": "no key"}}},
        "block: Finish · active · no key",
    ),
    ("goal/change", {"operation": "clear", "cleared": {"id": "g1"}}, "clear: g1"),
    (
        "schedule/change",
        {
            "operation": "create",
            "schedule": {"id": "s1", "kind": "after", "prompt": "ping", "afterSeconds": 60},
        },
        "create after 60 s: ping",
    ),
    ("schedule/change", {"operation": "delete", "id": "s1"}, "delete s1"),
    (
        "subagent/descriptor",
        {"mode": "one-shot", "provider": "fork", "label": "Recall codeword"},
        "Recall codeword · one-shot by fork",
    ),
    ("team/member", {"member": MEMBER}, "ann: active · tests"),
    ("team/message/queued", {"message": MESSAGE}, "lead → m1: go"),
    ("team/message/delivered", {"messageId": "tm1", "targetId": "m1"}, "tm1 to m1"),
    ("team/task", {"task": {"subject": "x", "status": "in_progress"}}, "x: in progress"),
    (
        "team/task",
        {"task": {"id": "k", "status": "pending", "ownerId": "m1"}},
        "k: pending · by m1",
    ),
    ("tool-workflow/run-start", {"runId": "w1", "name": "flow"}, "flow"),
    ("tool-workflow/run-end", {"runId": "w1", "stopReason": "completed"}, "completed"),
    ("tool-workflow/agent-start", {"label": "Reply", "phase": "Run"}, "Reply · phase Run"),
    ("tool-workflow/agent-end", {"seq": 1, "outcome": "completed"}, "agent 1: completed"),
    ("tool/code-dispatch-start", CALL, "bash ls"),
    ("tool/code-dispatch", CALL | {"content": [text_block("ONE")]}, "ONE"),
    ("tool/code-dispatch", CALL | {"content": []}, "bash said nothing"),
    (
        "web/deepseek-search-llm-request",
        {"body": {"model": "m", "messages": []}},
        "model m · 0 messages",
    ),
    ("assistant/attempt", STEP | {"stream": [{}, {}]}, "turn 1 step 2 failed after 2 stream rows"),
    (
        "image/offload",
        {"targets": [{"seq": 4, "imageIndexes": [0, 2]}]},
        "2 images of 1 event left out of requests",
    ),
    ("tool/ptc-dispatch-start", CALL, "bash ls"),
    ("system/message", {"message": {"content": [text_block("You are.")]}}, "You are."),
]


@pytest.mark.parametrize(("name", "data", "line"), LINES)
def test_an_event_in_a_few_words(name: str, data: dict[str, Any], line: str) -> None:
    assert headline({"type": name, "data": data}, name).text == line


def test_every_type_that_is_no_message_has_its_phrase() -> None:
    assert WORDS.keys() - ELIGIBLE - {"assistant/chunk"} <= PHRASES.keys()
    assert all(PHRASES[name] is not listed for name in PHRASES)


def test_there_are_the_48_types_of_v0_and_later_ones_apart() -> None:
    later = [name for words in LATER_WORDS.values() for name in words]
    assert len(WORDS) == 48
    assert len(set(later)) == len(later)
    assert not WORDS.keys() & set(later)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("command/done", {"kind": "error"}),
        ("tool/code-dispatch", {"isError": True}),
        ("tool-workflow/run-end", {"stopReason": "error"}),
        ("tool-workflow/agent-end", {"outcome": "failed"}),
        ("team/member", {"member": {"phase": "failed"}}),
        ("goal/change", {"operation": "block"}),
        ("llm/retry", {}),
        ("assistant/attempt", {}),
        ("compaction/end", {"error": None}),
        ("turn/end", {"reason": {"kind": "error"}}),
    ],
)
def test_what_failed_is_an_error(name: str, data: dict[str, Any]) -> None:
    assert headline({"type": name, "data": data}, name).error
    assert not headline({"type": name, "data": {}}, name).error or name in (
        "llm/retry",
        "assistant/attempt",
    )


def test_a_hook_that_blocks_is_no_error() -> None:
    assert not headline({"data": {"decision": "block", "exitCode": 2}}, "hook/result").error
