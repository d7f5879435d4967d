from typing import Any

import pytest

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import NEW_LIFE, STEP, STEP_END, Telling, Told, user

ASKED: Told = ("approval/asked", {"id": "ap-1", "toolName": "bash", "callId": "c1"})
HOOK = {"turn": 1, "point": "PreToolUse", "handlerId": "h1"}
INVOKED: Told = ("hook/invoked", HOOK | {"dialect": "codex", "matcher": "bash"})
RUN: Told = ("tool-workflow/run-start", {"runId": "w1", "name": "flow"})


@pytest.mark.parametrize(
    ("said", "outcome", "word"),
    [
        ("allowed-once", "ok", "allowed once"),
        ("rejected", "rejected", "rejected"),
        ("cancelled", "cancelled", "cancelled"),
        ("unavailable", "unknown", "nobody could be asked"),
        ("allowed-for-ever", "unknown", "allowed-for-ever"),
        (None, "unknown", None),
    ],
)
def test_an_approval_waits_until_it_is_decided(said: Any, outcome: str, word: str | None) -> None:
    told = Telling([ASKED, user(), ("approval/decided", {"id": "ap-1", "outcome": said})])
    assert told.spans(SpanKind.APPROVAL, 2) == [(1, None, "awaiting approval", None)]
    assert told.spans(SpanKind.APPROVAL) == [(1, 3, outcome, word)]
    assert told.errors == []


@pytest.mark.parametrize(
    ("said", "outcome", "word"),
    [
        ({"decision": "block", "exitCode": 2}, "rejected", "exit 2: block"),
        ({"decision": "allow", "exitCode": 0}, "ok", "exit 0: allow"),
        ({"decision": "allow"}, "ok", "allow"),
        ({}, "unknown", "no decision"),
        ({"decision": ["x"], "exitCode": 1.5}, "unknown", "no decision"),
    ],
)
def test_a_hook_ends_with_its_decision_and_is_no_error(
    said: dict[str, Any], outcome: str, word: str
) -> None:
    told = Telling([INVOKED, ("hook/result", HOOK | said)])
    assert told.spans(SpanKind.HOOK) == [(1, 2, outcome, word)]
    assert told.errors == []


def test_hooks_of_one_turn_are_told_apart_by_point_and_handler() -> None:
    other = HOOK | {"handlerId": "h2"}
    told = Telling(
        [
            INVOKED,
            ("hook/invoked", other),
            ("hook/result", HOOK | {"decision": "allow"}),
            ("hook/result", other | {"decision": "block"}),
        ]
    )
    assert [span[:3] for span in told.spans(SpanKind.HOOK)] == [(1, 3, "ok"), (2, 4, "rejected")]


@pytest.mark.parametrize(
    ("done", "outcome", "word", "errors"),
    [
        ({"kind": "success", "text": "compacted"}, "ok", "success: compacted", []),
        ({"kind": "success"}, "ok", "success", []),
        ({"kind": "error", "text": "busy"}, "failed", "error: busy", [1]),
        ({}, "unknown", None, []),
    ],
)
def test_a_command_ends_as_it_says(
    done: dict[str, Any], outcome: str, word: str | None, errors: list[int]
) -> None:
    told = Telling(
        [
            ("command/run", {"commandId": "x", "name": "compact"}),
            ("command/done", {"commandId": "x"} | done),
        ]
    )
    assert told.spans(SpanKind.COMMAND) == [(1, 2, outcome, word)]
    assert told.errors == errors


def test_sub_calls_end_by_their_own_ids_and_with_their_step() -> None:
    start = "tool/code-dispatch-start"
    told = Telling(
        [
            STEP,
            (start, {"parentCallId": "c1", "subCallId": "c1:code:1"}),
            (start, {"parentCallId": "c1:code:1", "subCallId": "c1:code:1:code:1"}),
            (start, {"parentCallId": "c1", "subCallId": "c1:code:2"}),
            ("tool/code-dispatch", {"subCallId": "c1:code:1:code:1", "isError": True}),
            ("tool/code-dispatch", {"subCallId": "c1:code:1", "isError": False}),
            STEP_END,
        ]
    )
    assert [span[:3] for span in told.spans(SpanKind.CODE_DISPATCH)] == [
        (2, 6, "ok"),
        (3, 5, "failed"),
        (4, 7, "interrupted"),
    ]
    assert told.errors == [4]


def test_later_versions_call_sub_calls_otherwise() -> None:
    told = Telling(
        [("tool/ptc-dispatch-start", {"subCallId": "s"}), ("tool/ptc-dispatch", {"subCallId": "s"})]
    )
    assert told.spans(SpanKind.CODE_DISPATCH) == [(1, 2, "ok", None)]


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [("completed", "ok"), ("cancelled", "cancelled"), ("error", "failed"), ("odd", "unknown")],
)
def test_a_workflow_and_its_agents(reason: str, outcome: str) -> None:
    agent = {"runId": "w1", "seq": 1, "label": "Reply", "childId": "x"}
    told = Telling(
        [
            RUN,
            ("tool-workflow/agent-start", agent),
            ("tool-workflow/agent-start", agent | {"seq": 2}),
            ("tool-workflow/agent-start", agent | {"runId": "other"}),
            ("tool-workflow/agent-end", {"runId": "w1", "seq": 1, "outcome": "failed"}),
            ("tool-workflow/run-end", {"runId": "w1", "stopReason": reason}),
        ]
    )
    assert told.spans(SpanKind.WORKFLOW) == [(1, 6, outcome, reason)]
    assert told.spans(SpanKind.WORKFLOW_AGENT) == [
        (2, 5, "failed", "failed"),
        (3, 6, "interrupted", "its workflow ended"),
        (4, None, "running", None),
    ]
    assert told.values("workflows") == [*[("flow",)] * 5, ()]
    assert told.errors == ([4, 5] if reason == "error" else [4])


def test_a_new_life_goes_on_with_nothing_of_a_process() -> None:
    told = Telling(
        [
            ASKED,
            INVOKED,
            ("command/run", {"commandId": "x"}),
            RUN,
            ("tool-workflow/agent-start", {"runId": "w1", "seq": 1}),
            ("tool/code-dispatch-start", {"subCallId": "s"}),
            ("llm/retry", {"retryId": "r"}),
            NEW_LIFE,
        ]
    )
    for kind, opened in (
        (SpanKind.APPROVAL, 1),
        (SpanKind.HOOK, 2),
        (SpanKind.COMMAND, 3),
        (SpanKind.WORKFLOW, 4),
        (SpanKind.WORKFLOW_AGENT, 5),
        (SpanKind.CODE_DISPATCH, 6),
        (SpanKind.RETRY, 7),
    ):
        assert told.spans(kind) == [(opened, 8, "interrupted", "left open by an earlier life")]
    assert told.value("workflows") == ()


def test_an_end_without_a_beginning_opens_nothing() -> None:
    told = Telling(
        [
            ("approval/decided", {"id": "a", "outcome": "rejected"}),
            ("hook/result", HOOK),
            ("command/done", {"commandId": "c", "kind": "success"}),
            ("tool/code-dispatch", {"subCallId": "s"}),
            ("tool-workflow/agent-end", {"runId": "w", "seq": 1, "outcome": "completed"}),
            ("tool-workflow/run-end", {"runId": "w", "stopReason": "completed"}),
        ]
    )
    assert not any(len(spans) for spans in told.timeline.spans.values())
    assert told.timeline.registers.state(6) == {}
