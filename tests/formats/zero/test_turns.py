"""Turns, calls, approvals and usage: what events do beside the surface (page 3 and 4)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.words import Kind, Mark, Role, SpanKind
from tests.formats.zero.sessions import (
    Draft,
    answer,
    call,
    log,
    result,
    session,
    spans,
    user,
    value,
)


def asked(identity: str = "c1", **more: Any) -> Draft:
    return "permission_request", {"toolCallId": identity, "name": "bash", **more}


def decided(action: str, identity: str = "c1", **more: Any) -> Draft:
    return "permission_decision", {"toolCallId": identity, "action": action, **more}


@pytest.mark.parametrize(
    ("payload", "role", "kind"),
    [
        ({"role": "user", "content": "x"}, Role.USER, Kind.MESSAGE),
        ({"role": "user", "origin": "cross_session"}, Role.USER, Kind.CONTEXT),
        ({"role": "assistant", "content": "x"}, Role.ASSISTANT, Kind.MESSAGE),
        ({"role": "ask_user", "questions": []}, Role.ASSISTANT, Kind.MESSAGE),
        ({"role": "ask_user_answers", "answers": []}, Role.USER, Kind.MESSAGE),
        ({"role": "anything"}, Role.SYSTEM, Kind.MESSAGE),
        ("no object", Role.SYSTEM, Kind.MESSAGE),
    ],
)
def test_a_message_is_spoken_by_its_role(
    tmp_path: Path, payload: Any, role: Role, kind: Kind
) -> None:
    nodes = session(log(("message", payload)), tmp_path).timeline.surface.nodes
    assert (nodes.role(0), nodes.kind(0)) == (role, kind)


def test_a_turn_runs_from_a_persons_message_to_the_answer(tmp_path: Path) -> None:
    tape = session(log(user(), call(), result(), answer(), user(), answer()), tmp_path)
    assert spans(tape, SpanKind.TURN) == [(1, 4, "ok", None), (5, 6, "ok", None)]
    assert list(tape.timeline.marks.events(Mark.USER)) == [0, 4]


def test_an_error_ends_a_turn_only_if_nothing_more_comes_of_it(tmp_path: Path) -> None:
    failed = ("error", {"message": "529 overloaded"})
    tape = session(log(user(), failed, answer(), user(), failed, user()), tmp_path)
    assert spans(tape, SpanKind.TURN) == [
        (1, 3, "ok", None),
        (4, 6, "failed", "529 overloaded"),
        (6, None, "running", None),
    ]
    assert list(tape.timeline.marks.events(Mark.ERROR)) == [1, 4]


def test_a_person_who_stops_a_run_interrupts_the_turn_and_its_calls(tmp_path: Path) -> None:
    tape = session(log(user(), call(), ("error", {"message": "interrupted"})), tmp_path)
    assert spans(tape, SpanKind.TURN) == [(1, 3, "interrupted", "interrupted")]
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, 3, "interrupted", "no result")]
    assert [tape.timeline.settled.at(cursor) for cursor in range(4)] == [True, True, False, True]


def test_a_result_belongs_to_the_latest_unanswered_call_of_its_id(tmp_path: Path) -> None:
    values = [user(), call("a"), call("a"), result("a"), result("a", status="error")]
    tape = session(log(*values), tmp_path)
    pairs = tape.timeline.pairs
    assert [pairs.call_of(3), pairs.call_of(4)] == [2, 1]
    assert spans(tape, SpanKind.TOOL_CALL) == [(2, 5, "failed", "error"), (3, 4, "ok", None)]


def test_an_imported_call_names_itself_as_results_do(tmp_path: Path) -> None:
    imported = ("tool_call", {"toolCallId": "x", "name": "bash"})
    tape = session(log(imported, result("x")), tmp_path)
    assert tape.timeline.pairs.call_of(1) == 0


def test_a_result_of_no_call_is_shown_and_pairs_with_nothing(tmp_path: Path) -> None:
    tape = session(log(user(), result("nobody")), tmp_path)
    assert tape.timeline.pairs.call_of(1) is None
    assert tape.timeline.count(2) == 2


@pytest.mark.parametrize(
    ("decision", "outcome"),
    [
        (decided("allow"), (2, 3, "ok", "allow")),
        (decided("deny", decisionReason="too risky"), (2, 3, "rejected", "deny: too risky")),
        (decided("cancel"), (2, 3, "cancelled", "cancel")),
        (decided("prompt", decisionAction="deny"), (2, 3, "rejected", "deny")),
        (user(), (2, 3, "interrupted", "no decision")),
        (("nothing", {}), (2, None, "awaiting approval", None)),
    ],
)
def test_an_approval_waits_for_its_decision(
    tmp_path: Path, decision: Draft, outcome: tuple[Any, ...]
) -> None:
    tape = session(log(call(), asked(), decision), tmp_path)
    assert spans(tape, SpanKind.APPROVAL) == [outcome]


def test_a_decision_that_nobody_was_asked_for_is_no_span(tmp_path: Path) -> None:
    assert spans(session(log(call(), decided("allow")), tmp_path), SpanKind.APPROVAL) == []


def usage(**more: Any) -> Draft:
    return "provider_usage", {"promptTokens": 100, "completionTokens": 7, **more}


def test_cached_tokens_are_part_of_the_prompt(tmp_path: Path) -> None:
    tape = session(log(usage(cachedInputTokens=60, cacheWriteTokens=10)), tmp_path)
    found = tape.timeline.usage[0]
    assert (found.input, found.cache_read, found.cache_write, found.output) == (30, 60, 10, 7)
    assert found.context == 100


@pytest.mark.parametrize(
    ("cached", "cache_written", "told"),
    [(500, 0, (0, 100, 0)), (60, 500, (0, 60, 40)), (500, 500, (0, 100, 0))],
)
def test_no_more_than_the_prompt_is_read_from_the_cache_or_written_to_it(
    tmp_path: Path, cached: int, cache_written: int, told: tuple[int, int, int]
) -> None:
    said = usage(cachedInputTokens=cached, cacheWriteTokens=cache_written)
    found = session(log(said), tmp_path).timeline.usage[0]
    assert (found.input, found.cache_read, found.cache_write) == told
    assert found.context == 100


def test_what_a_specialist_used_is_aside(tmp_path: Path) -> None:
    tape = session(log(usage(), usage(source="specialist")), tmp_path)
    assert (len(tape.timeline.usage), len(tape.timeline.side_usage)) == (1, 1)


def test_usage_of_no_number_is_none(tmp_path: Path) -> None:
    odd = usage(promptTokens="many", completionTokens=-3, cachedInputTokens=True)
    found = session(log(odd), tmp_path).timeline.usage[0]
    assert (found.context, found.output) == (0, 0)


def test_an_escalation_changes_the_model(tmp_path: Path) -> None:
    tape = session(log(user(), usage(model="m-2")), tmp_path, modelId="m-1")
    assert [value(tape, "model", cursor) for cursor in range(3)] == ["m-1", "m-1", "m-2"]


def test_payloads_of_any_shape_do_no_harm(tmp_path: Path) -> None:
    types = [
        *("message", "tool_call", "tool_result", "permission", "permission_request"),
        *("permission_decision", "provider_usage", "error", "session_checkpoint"),
        *("session_rewind", "session_compaction", "session_fork", "session_child"),
        *("specialist_start", "specialist_stop", "spec_draft", "spec_approved", "goal_created"),
        *("goal_updated", "goal_cleared", "spec_rejected", "nobody_knows"),
    ]
    keys = ("role", "id", "toolCallId", "status", "files", "report", "risk", "action", "error")
    shapes: list[Any] = [None, [], 5, "x", {}, *({key: [{}] for key in keys} for _ in (1,))]
    shapes += [dict.fromkeys(keys, "x"), dict.fromkeys(keys, 7)]
    tape = session(log(*[(kind, shape) for kind in types for shape in shapes]), tmp_path)
    assert tape.timeline.events == len(types) * len(shapes)
    for at in range(tape.timeline.events):
        assert tape.headline(at).kind
        assert tape.sections(at)
    for kind in SpanKind:
        for number in range(len(tape.timeline.spans[kind])):
            tape.span_id(tape.timeline.spans[kind][number])
    assert tape.request(tape.timeline.events)
