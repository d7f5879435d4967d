"""The shapes of messages and of what else the owner looks into (rules page D)."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.dsh.content import (
    CHECKS,
    assistant_message,
    crashes,
    developer_message,
    request_header,
    system_message,
    tool_result,
    turn_end,
    user_message,
)
from tests.dsh_tapes import (
    Json,
    Log,
    assistant_data,
    call_block,
    findings,
    folded,
    result_data,
    surface,
    text_block,
    user_data,
    visibility,
)

ID = "message id must be a non-empty string"
SOURCE = "message source must be an object with a kind"
CONTENT = "message content must be an array"
MODEL = "message source must be a model with provider and model"
ONE_BLOCK = "message must hold exactly one tool-result block"
GONE = object()
"""In the place of a value: the key is not there."""


def changed(data: Json, path: str, value: Any) -> Json:
    """The data with another value at a path as ``message.content.0.type``."""
    copy = deepcopy(data)
    at: Any = copy
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in parents:
        at = at[key]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return copy


# Messages.

MESSAGES = [
    (user_message, "", user_data(), "user"),
    (assistant_message, "message.", assistant_data(text_block("x")), "assistant"),
    (tool_result, "message.", result_data("c1"), "user"),
]


@pytest.mark.parametrize(("check", "_prefix", "data", "_role"), MESSAGES)
def test_a_message_as_it_should_be(check: Any, _prefix: str, data: Json, _role: str) -> None:
    assert check(data) is None


@pytest.mark.parametrize(("check", "prefix", "data", "_role"), MESSAGES)
@pytest.mark.parametrize("value", [GONE, None, "", 7, ["id"], True])
def test_the_id_of_a_message(
    check: Any, prefix: str, data: Json, _role: str, value: object
) -> None:
    assert check(changed(data, f"{prefix}id", value)) == ID


@pytest.mark.parametrize(("check", "prefix", "data", "role"), MESSAGES)
@pytest.mark.parametrize("value", [GONE, None, "", "tool", "system", 7])
def test_the_role_of_a_message(
    check: Any, prefix: str, data: Json, role: str, value: object
) -> None:
    assert check(changed(data, f"{prefix}role", value)) == f"message role must be {role}"


@pytest.mark.parametrize(("check", "prefix", "data", "_role"), MESSAGES)
@pytest.mark.parametrize("value", [GONE, None, "user", [], {}, {"kind": ""}, {"kind": 7}])
def test_the_source_of_a_message(
    check: Any, prefix: str, data: Json, _role: str, value: object
) -> None:
    assert check(changed(data, f"{prefix}source", value)) == SOURCE


@pytest.mark.parametrize(("check", "prefix", "data", "_role"), MESSAGES)
@pytest.mark.parametrize("value", [GONE, None, "text", {}, 7])
def test_the_content_of_a_message(
    check: Any, prefix: str, data: Json, _role: str, value: object
) -> None:
    assert check(changed(data, f"{prefix}content", value)) == CONTENT


@pytest.mark.parametrize("check", [assistant_message, tool_result, system_message])
@pytest.mark.parametrize("value", [GONE, None, [], "x", 7])
def test_a_message_that_is_no_object(check: Any, value: object) -> None:
    assert check(changed(assistant_data(), "message", value)) == "message must be an object"


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("message.id", "", ID),
        ("message.role", "x", "message role must be user"),
        ("message.source", {}, SOURCE),
        ("message.content", None, CONTENT),
    ],
)
def test_of_two_faults_of_a_message_the_first_is_told(
    path: str, value: object, problem: str
) -> None:
    worst = result_data("c1")
    for later in ("message.content", "message.source", "message.role", "message.id"):
        worst = changed(worst, later, GONE)
        if later == path:
            break
    assert tool_result(changed(worst, path, value)) == problem


@pytest.mark.parametrize("block", [None, "text", 7, {}, {"type": "new"}])
def test_blocks_are_free_where_nothing_is_said_of_them(block: object) -> None:
    assert user_message(changed(user_data(), "content", [block])) is None
    assert assistant_message(changed(assistant_data(), "message.content", [block])) is None
    assert user_message(changed(user_data(), "content", [])) is None


def test_more_keys_are_free() -> None:
    assert user_message({**user_data(), "more": None}) is None
    assert assistant_message({**assistant_data(), "more": None}) is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("message.source.kind", "user"),
        ("message.source.provider", GONE),
        ("message.source.provider", ""),
        ("message.source.model", None),
        ("message.source.model", ""),
    ],
)
def test_an_answer_names_its_model(path: str, value: object) -> None:
    assert assistant_message(changed(assistant_data(), path, value)) == MODEL


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("message.source.kind", "user", "message source must be a tool with a callId"),
        ("message.source.callId", GONE, "message source must be a tool with a callId"),
        ("message.source.callId", "", "message source must be a tool with a callId"),
        ("message.source.callId", 7, "message source must be a tool with a callId"),
        ("message.content", [], ONE_BLOCK),
        ("message.content", result_data("c1")["message"]["content"] * 2, ONE_BLOCK),
        ("message.content.0", None, ONE_BLOCK),
        ("message.content.0", "text", ONE_BLOCK),
        ("message.content.0.type", "text", ONE_BLOCK),
        ("message.content.0.type", GONE, ONE_BLOCK),
        ("message.content.0.content", GONE, ONE_BLOCK),
        ("message.content.0.content", "text", ONE_BLOCK),
        ("message.content.0.toolCallId", "c2", "toolCallId must be the callId of the source"),
        ("message.content.0.toolCallId", GONE, "toolCallId must be the callId of the source"),
    ],
)
def test_a_result_holds_one_block_of_one_call(path: str, value: object, problem: str) -> None:
    assert tool_result(changed(result_data("c1"), path, value)) == problem


def test_a_result_may_say_of_its_error_what_it_likes() -> None:
    assert tool_result(changed(result_data("c1"), "message.content.0.isError", "yes")) is None


@pytest.mark.parametrize(
    ("check", "role"), [(system_message, "system"), (developer_message, "developer")]
)
def test_messages_of_later_versions_have_a_role_of_their_own(check: Any, role: str) -> None:
    message = {"id": "m", "role": role, "source": {"kind": "system-prompt"}, "content": []}
    assert check({"turn": 1, "message": message}) is None
    wrong = {"turn": 1, "message": message | {"role": "user"}}
    assert check(wrong) == f"message role must be {role}"


# The end of a turn.

EXACTLY = "turn/end must hold exactly a turn and a reason"


@pytest.mark.parametrize(
    "reason",
    [
        {"kind": "completed"},
        {"kind": "blocked"},
        {"kind": "max-tokens"},
        {"kind": "interrupted"},
        {"kind": "aborted", "reason": None},
        {"kind": "aborted", "reason": {"kind": "user"}, "more": 1},
        {"kind": "error", "error": 7},
        {"kind": "a new word"},
        {"kind": "a new word", "more": 1},
        {"kind": ""},
    ],
)
def test_reasons_that_the_owner_takes(reason: Json) -> None:
    assert turn_end({"turn": 1, "reason": reason}) is None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, EXACTLY),
        ({"turn": 1}, EXACTLY),
        ({"reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": 1, "reason": {"kind": "completed"}, "more": 1}, EXACTLY),
        ({"turn": 0, "reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": "1", "reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": 1.5, "reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": True, "reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": 2**53, "reason": {"kind": "completed"}}, EXACTLY),
        ({"turn": 1, "reason": None}, "the reason of turn/end must have a kind"),
        ({"turn": 1, "reason": "completed"}, "the reason of turn/end must have a kind"),
        ({"turn": 1, "reason": {}}, "the reason of turn/end must have a kind"),
        ({"turn": 1, "reason": {"kind": 7}}, "the reason of turn/end must have a kind"),
        ({"turn": 1, "reason": {"kind": "aborted"}}, "reason aborted needs its reason"),
        ({"turn": 1, "reason": {"kind": "error"}}, "reason error needs its error"),
    ],
)
def test_ends_of_turns_that_the_owner_refuses(data: Json, problem: str) -> None:
    assert turn_end(data) == problem


@pytest.mark.parametrize("kind", ["completed", "blocked", "max-tokens", "interrupted", "disposed"])
def test_a_bare_reason_allows_no_other_key(kind: str) -> None:
    data = {"turn": 1.0, "reason": {"kind": kind, "reason": {}}}
    assert turn_end(data) == f"reason {kind} allows no other key"


# The request.


def header(config: Any = None, **more: Any) -> Json:
    whole = {"provider": "p", "model": "m", "reasoningEffort": "high", "maxTokens": 9}
    return {"header": {"config": whole if config is None else config, **more}}


@pytest.mark.parametrize(
    "data",
    [
        header(),
        header({"provider": "p", "model": "m", "temperature": None}),
        header(adapterDefaults={}),
        header(adapterDefaults={"maxTokens": True, "reasoningEffort": True}),
        header(system=7, tools=None),
    ],
)
def test_requests_that_the_owner_takes(data: Json) -> None:
    assert request_header(data) is None


NO_MODEL = "request/header config needs a provider and a model"
DEFAULTS = "request/header adapterDefaults may only mark what config has"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, NO_MODEL),
        ({"header": None}, NO_MODEL),
        (header([]), NO_MODEL),
        (header({"provider": "p"}), NO_MODEL),
        (header({"provider": "", "model": "m"}), NO_MODEL),
        (header({"provider": "p", "model": 7}), NO_MODEL),
        *(
            (
                header({"provider": "p", "model": "m", "reasoningEffort": effort}),
                "request/header config has an empty reasoningEffort",
            )
            for effort in ("", None, 3)
        ),
        (header(adapterDefaults=None), DEFAULTS),
        (header(adapterDefaults=[]), DEFAULTS),
        (header(adapterDefaults={"temperature": True}), DEFAULTS),
        (header(adapterDefaults={"maxTokens": False}), DEFAULTS),
        (header(adapterDefaults={"maxTokens": 1}), DEFAULTS),
        (header({"provider": "p", "model": "m"}, adapterDefaults={"maxTokens": True}), DEFAULTS),
    ],
)
def test_requests_that_the_owner_refuses(data: Json, problem: str) -> None:
    assert request_header(data) == problem


# What makes the owner crash.


@pytest.mark.parametrize("kind", ["turn/start", "step/start", "tool/call"])
def test_null_data_crashes_the_owner_where_it_looks_for_what_is_open(kind: str) -> None:
    assert crashes(kind, None)
    assert not any(crashes(kind, data) for data in ({}, [], 0, "", False))


@pytest.mark.parametrize("kind", ["turn/end", "step/end", "todo/write", "user/message"])
def test_null_data_of_others_crashes_nobody(kind: str) -> None:
    assert not crashes(kind, None)


def test_a_null_block_crashes_the_owner_in_an_answer_and_nowhere_else() -> None:
    null = {"message": {"content": [text_block("x"), None]}}
    assert crashes("assistant/message", null)
    assert not crashes("user/message", {"content": [None]})
    assert not crashes("assistant/message", {"message": {"content": [{}, 7, "x"]}})
    assert not crashes("assistant/message", {"message": None})


# What it does to a tape.


def with_event(kind: str, data: Any, tmp_path: Path, **envelope: Any) -> Any:
    log = Log()
    log.user("before")
    log.event(kind, data, **envelope)
    log.user("after")
    return folded(log, tmp_path)


@pytest.mark.parametrize(
    ("kind", "data", "code", "message"),
    [
        ("user/message", changed(user_data(), "id", ""), "bad-message", ID),
        ("user/message", None, "bad-message", ID),
        ("assistant/message", {}, "bad-message", "message must be an object"),
        ("tool/result", [], "bad-message", "message must be an object"),
        ("turn/end", {"turn": 1}, "bad-message", EXACTLY),
        ("request/header", {"reason": "change"}, "bad-request-header", NO_MODEL),
    ],
)
def test_an_event_of_a_wrong_shape_is_rejected_and_the_fold_goes_on(
    kind: str, data: Any, code: str, message: str, tmp_path: Path
) -> None:
    words = {"surfaceOp": "append"} if kind in CHECKS and kind != "turn/end" else {}
    tape = with_event(kind, data, tmp_path, **words)
    assert [(found.code, found.event, found.message) for found in findings(tape)] == [
        (code, 1, message)
    ]
    assert surface(tape) == [0, 2]
    assert visibility(tape, 1) == ("not-applied", None)
    assert tape.timeline.reliable_to == 1
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, 1)
    assert verdict.reason == f"invalid seed event at index 1: {message}"


@pytest.mark.parametrize("data", [None, 7, "x", [], True])
def test_the_end_of_a_turn_that_is_no_object_is_not_looked_into(data: Any, tmp_path: Path) -> None:
    tape = with_event("turn/end", data, tmp_path)
    assert findings(tape) == []
    assert tape.verdict().opens is True


@pytest.mark.parametrize(
    "envelope", [{}, {"surfaceOp": "nonsense"}, {"surfaceOp": "append", "more": 1}]
)
def test_the_shape_of_a_message_comes_before_envelope_and_surface(
    envelope: Json, tmp_path: Path
) -> None:
    tape = with_event("user/message", {}, tmp_path, **envelope)
    assert [(found.code, found.message) for found in findings(tape)] == [("bad-message", ID)]


def test_a_shape_comes_before_an_unknown_event_to_the_owner(tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", {})
    log.event("user/message", {}, surfaceOp="append")
    tape = folded(log, tmp_path)
    assert tape.verdict().reason == f"invalid seed event at index 1: {ID}"
    assert tape.timeline.stopped_at == 0


def test_an_unknown_event_comes_before_a_bad_request_to_the_owner(tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", {})
    log.event("plugin/note", {})
    assert "plugin/note" in (folded(log, tmp_path).verdict().reason or "")


@pytest.mark.parametrize(
    ("kind", "data", "applied"),
    [
        ("turn/start", None, [0, 2]),
        ("tool/call", None, [0, 2]),
        ("assistant/message", assistant_data(None), [0, 1, 2]),  # type: ignore[arg-type] # hostile
    ],
)
def test_what_crashes_the_owner_is_told_and_folded_all_the_same(
    kind: str, data: Any, applied: list[int], tmp_path: Path
) -> None:
    words = {"surfaceOp": "append"} if kind == "assistant/message" else {}
    tape = with_event(kind, data, tmp_path, **words)
    (found,) = findings(tape)
    assert (found.code, found.event) == ("crashes-owner", 1)
    assert surface(tape) == applied
    assert tape.timeline.reliable_to == 3
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, 1)
    assert verdict.reason == f"the reader crashes on null in {kind} at index 1"


def test_an_open_call_without_an_id_is_refused_for_what_repair_would_write(
    tmp_path: Path,
) -> None:
    log = Log()
    log.turn()
    log.assistant(call_block(""))
    reason = "an open call without an id: what repair would write for it is invalid"
    assert folded(log, tmp_path).verdict().reason == reason
    log.turn_end()
    assert folded(log, tmp_path).verdict().opens is True
