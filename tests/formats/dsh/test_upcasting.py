"""Old shapes of v0 brought up (format page 1.9), later ones brought down (section 11)."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.dsh.upcasting import Malformed, Upcaster
from tests.dsh_tapes import (
    HEADER,
    Json,
    Log,
    codes,
    findings,
    folded,
    line,
    replace,
    result_data,
    surface,
    text_block,
    user_data,
    visibility,
)


def upcaster(version: float = 0, ids: dict[int, str] | None = None) -> Upcaster:
    return Upcaster(version, "s-1", (ids or {}).get)


def event(kind: str, data: Any, **envelope: Any) -> Json:
    return {"type": kind, "seq": 7, "time": 1, "data": data, **envelope}


def upcast(kind: str, data: Any, version: float = 0, **envelope: Any) -> Json:
    told = event(kind, data, **envelope)
    before = deepcopy(told)
    found = upcaster(version).upcast(told)
    assert told == before, "the record itself was changed"
    return found


def malformed(kind: str, data: Any) -> str:
    with pytest.raises(Malformed) as caught:
        upcast(kind, data)
    return str(caught.value)


def reason(told: Json) -> Any:
    return upcast("turn/end", {"turn": 1, "reason": told})["data"]["reason"]


# Old shapes.


def test_the_trigger_of_a_turn_is_left_out() -> None:
    found = upcast("turn/start", {"turn": 3, "trigger": {"kind": "user", "more": 1}})
    assert found == event("turn/start", {"turn": 3})


@pytest.mark.parametrize(
    "data",
    [
        {"turn": 1, "trigger": None},
        {"turn": 1, "trigger": {}},
        {"turn": 1, "trigger": {"kind": 7}},
        {"trigger": {"kind": "user"}},
        {"turn": 1, "trigger": {"kind": "user"}, "more": 1},
    ],
)
def test_a_trigger_of_another_shape_is_refused(data: Json) -> None:
    message = "turn/start must hold exactly a turn and a trigger with a kind"
    assert malformed("turn/start", data) == message


def test_steering_is_a_message_of_the_user() -> None:
    parts = {"content": [text_block("stop")], "source": {"kind": "user"}}
    whole = {"id": "m", "role": "user", **parts}
    named = {"id": "legacy-message:s-1:7", "role": "user", **parts}
    assert upcast("steering/message", {"turn": 1, **parts}) == event("user/message", named)
    told = upcast("steering/message", {"turn": 1, "message": whole})
    assert told == event("user/message", whole)
    told = upcast("steering/message", {"turn": 1, "message": parts}, surfaceOp="append")
    assert told == event("user/message", named, surfaceOp="append")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"turn": 1},
        {"message": {}},
        {"turn": 1, "content": []},
        {"turn": 1, "content": [], "source": {}, "message": {}},
        {"turn": 1, "message": {}, "more": 1},
    ],
)
def test_steering_of_another_shape_is_refused(data: Json) -> None:
    message = "steering/message must hold a turn and a message, or its parts"
    assert malformed("steering/message", data) == message


def test_reasons_of_old_turns_say_why() -> None:
    assert reason({"kind": "aborted"}) == {"kind": "aborted", "reason": {"kind": "legacy"}}
    assert reason({"kind": "disposed"}) == {"kind": "aborted", "reason": {"kind": "disposed"}}


@pytest.mark.parametrize(
    ("old", "error"),
    [
        ({"step": 1, "failure": {"message": "no", "code": "X"}}, {"message": "no", "code": "X"}),
        (
            {"step": 1, "failure": {"message": "no", "status": 500}},
            {"message": "no", "status": 500, "code": "UNKNOWN"},
        ),
        ({"step": 1, "message": "no", "code": "X"}, {"message": "no", "code": "X"}),
        ({"step": 1, "message": "no"}, {"message": "no", "code": "UNKNOWN"}),
    ],
)
def test_the_failure_of_an_old_turn_is_its_error(old: Json, error: Json) -> None:
    assert reason({"kind": "error", **old}) == {"kind": "error", "error": error}


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ({"kind": "aborted", "more": 1}, "reason aborted allows no other key than its reason"),
        ({"kind": "disposed", "reason": {}}, "reason disposed allows no other key"),
        *(
            (
                {"kind": "error", **rest},
                "reason error needs its error, or a step and a failure or message",
            )
            for rest in (
                {},
                {"step": 1},
                {"message": "no"},
                {"failure": {}},
                {"step": 1, "failure": "no"},
                {"step": 1, "message": "no", "failure": {}},
                {"step": 1, "code": "X"},
            )
        ),
    ],
)
def test_reasons_of_no_shape_are_refused(old: Json, message: str) -> None:
    assert malformed("turn/end", {"turn": 1, "reason": old}) == message


def test_a_message_without_a_name_gets_one_of_session_and_number() -> None:
    parts = {"content": [text_block("x")], "source": {"kind": "user"}}
    found = upcast("user/message", parts)
    assert found["data"] == {"id": "legacy-message:s-1:7", "role": "user", **parts}


def test_an_answer_is_put_into_a_message() -> None:
    old = {
        "turn": 1,
        "step": 2,
        "content": [text_block("x")],
        "provenance": {"provider": "p", "model": "m"},
        "usage": {"inputTokens": 1},
    }
    message = {
        "id": "legacy-message:s-1:7",
        "role": "assistant",
        "content": [text_block("x")],
        "source": {"kind": "model", "provider": "p", "model": "m"},
    }
    found = upcast("assistant/message", old)
    assert found["data"] == {
        "turn": 1,
        "step": 2,
        "usage": {"inputTokens": 1},
        "message": message,
    }


def old_result(call: str = "c1", text: str = "ok", **more: Any) -> Json:
    return {"turn": 1, "step": 1, "callId": call, "content": [text_block(text)], **more}


def test_a_result_is_put_into_the_block_of_a_message() -> None:
    found = upcast("tool/result", old_result(isError=False, meta={"a": 1}))
    block = {
        "type": "tool-result",
        "toolCallId": "c1",
        "content": [text_block("ok")],
        "isError": False,
    }
    message = {
        "id": "legacy-message:s-1:7",
        "role": "user",
        "source": {"kind": "tool", "callId": "c1"},
        "content": [block],
    }
    assert found["data"] == {"turn": 1, "step": 1, "meta": {"a": 1}, "message": message}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("turn/start", {"turn": 1}),
        ("turn/end", {"turn": 1, "reason": {"kind": "completed"}}),
        ("turn/end", {"turn": 1, "reason": {"kind": "aborted", "reason": {"kind": "user"}}}),
        ("turn/end", {"turn": 1, "reason": {"kind": "error", "error": {}}}),
        ("turn/end", {"turn": 1}),
        ("user/message", {"id": "m", "content": []}),
        ("user/message", {"role": "user", "content": []}),
        ("user/message", {}),
        ("assistant/message", {"message": {}, "content": []}),
        ("assistant/message", {}),
        ("tool/result", {"message": {}, "callId": "c"}),
        ("tool/result", {}),
        ("todo/write", {"trigger": 1, "content": [], "callId": "c"}),
        *(("steering/message", data) for data in (None, 7, [], "x")),
        *(("turn/start", data) for data in (None, ["trigger"])),
    ],
)
def test_what_is_of_no_old_shape_stays_what_it_is(kind: str, data: Any) -> None:
    assert upcast(kind, data) == event(kind, data)


# The name of a rewritten result.


def rewriting(number: int, target: int) -> Json:
    return event("tool/result", old_result(), surfaceOp=replace(target, target)) | {"seq": number}


def name_of(found: Json) -> Any:
    return found["data"]["message"]["id"]


def test_a_rewritten_result_inherits_the_name_of_the_one_it_replaces() -> None:
    ups = upcaster(ids={3: "r-3"})
    assert name_of(ups.upcast(rewriting(7, 3))) == "r-3"
    assert name_of(ups.upcast(rewriting(8, 7))) == "r-3"


@pytest.mark.parametrize("target", [4, 7, 99, "3", None])
def test_a_result_that_replaces_none_is_named_by_its_number(target: Any) -> None:
    ups = upcaster(ids={3: "r-3", 7: "itself", 99: "later"})
    assert name_of(ups.upcast(rewriting(7, target))) == "legacy-message:s-1:7"


def test_a_chain_of_rewrites_is_followed_without_going_through_it() -> None:
    asked: list[int] = []

    def name(number: int) -> str:
        asked.append(number)
        return f"r-{number}"

    ups = Upcaster(0, "s-1", name)
    names = {name_of(ups.upcast(rewriting(number, number - 1))) for number in range(1, 10_001)}
    assert names == {"r-0"}
    assert set(asked) == {0}
    assert len(asked) == 10_000


def test_a_long_chain_of_rewrites_on_a_tape(tmp_path: Path) -> None:
    log = Log()
    log.event("tool/result", old_result(), surfaceOp="append")
    for number in range(2_000):
        words = {"surfaceOp": replace(number, number), "sourceEventSeqs": [number]}
        log.event("tool/result", old_result(text="cut"), **words)
    tape = folded(log, tmp_path)
    assert codes(tape) == []
    assert surface(tape) == [2_000]
    assert tape.message_id(2_000) == tape.message_id(1_000) == "legacy-message:session:0"


# On a tape.


def test_a_tape_of_old_shapes_is_folded_as_one_of_new_ones(tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", {"turn": 1, "trigger": {"kind": "user"}})
    parts = {"content": [text_block("hi")], "source": {"kind": "user"}}
    log.event("user/message", parts, surfaceOp="append")
    log.event("steering/message", {"turn": 1, **parts}, surfaceOp="append")
    old: Json = {"content": [text_block("x")], "provenance": {"provider": "p", "model": "m"}}
    log.event("assistant/message", {"turn": 1, "step": 1, **old}, surfaceOp="append")
    log.event("tool/result", old_result(isError=True), surfaceOp="append")
    log.event("turn/end", {"turn": 1, "reason": {"kind": "disposed"}})
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert surface(tape) == [1, 2, 3, 4]
    assert tape.verdict().opens is True
    assert [tape.message_id(at) for at in range(1, 5)] == [
        f"legacy-message:session:{at}" for at in range(1, 5)
    ]
    assert tape.payload(2)["type"] == "user/message"
    assert tape.timeline.table.type(2) == "steering/message"
    assert b"steering/message" in tape.raw(2)


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (
            "turn/start",
            {"turn": 1, "trigger": 7},
            "turn/start must hold exactly a turn and a trigger with a kind",
        ),
        (
            "steering/message",
            {"turn": 1},
            "steering/message must hold a turn and a message, or its parts",
        ),
        (
            "assistant/message",
            {"content": [], "provenance": {"provider": "p"}},
            "message source must be a model with provider and model",
        ),
        (
            "tool/result",
            {"callId": "", "content": []},
            "message source must be a tool with a callId",
        ),
        ("tool/result", {"callId": "c"}, "message must hold exactly one tool-result block"),
    ],
)
def test_a_malformed_old_shape_is_rejected(
    kind: str, data: Json, message: str, tmp_path: Path
) -> None:
    log = Log()
    log.event(kind, data, **({} if kind == "turn/start" else {"surfaceOp": "append"}))
    log.user()
    tape = folded(log, tmp_path)
    assert [(found.code, found.event, found.message) for found in findings(tape)] == [
        ("bad-message", 0, message)
    ]
    assert surface(tape) == [1]
    assert tape.verdict().reason == f"invalid seed event at index 0: {message}"
    assert line(data) in tape.raw(0)


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("request/header-delta", {}, "request/header-delta"),
        ("mode/set", None, "mode/set"),
        (
            "request/header",
            {"header": {}, "reason": "fallback"},
            "request/header with reason fallback",
        ),
    ],
)
@pytest.mark.parametrize("envelope", [{}, {"ignorable": True}])
def test_retired_types_are_rejected_wherever_they_stand(
    kind: str, data: Any, said: str, envelope: Json, tmp_path: Path
) -> None:
    log = Log()
    log.user()
    log.event("plugin/note", {})
    log.event(kind, data, **envelope)
    verdict = folded(log, tmp_path).verdict()
    assert (verdict.opens, verdict.event, verdict.reason) == (False, 2, f"{said} is refused")
    tape = folded(log, tmp_path, past_unknown=True)
    assert codes(tape) == ["unknown-required", "retired-type"]
    assert visibility(tape, 2) == ("not-applied", None)


def test_of_retired_types_the_owner_looks_for_one_after_the_other(tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", {"reason": "fallback"})
    log.event("mode/set", {})
    log.event("request/header-delta", {})
    log.event("user/message", {}, surfaceOp="append")
    reason = "request/header-delta is refused"
    assert folded(log, tmp_path).verdict().reason == reason


# Later versions.


def test_the_ends_of_a_replaced_range_have_their_old_names() -> None:
    later = {"op": "replace", "startSeq": 1, "endSeq": 2}
    for version, operation in ((0, later), (2, later), (3, replace(1, 2)), (5, replace(1, 2))):
        told = upcaster(version).operation(event("user/message", {}, surfaceOp=later))
        assert told["surfaceOp"] == operation
    told = event("user/message", {}, surfaceOp="append")
    assert upcaster(3).operation(told) is told


def test_a_result_of_role_tool_is_wrapped() -> None:
    wrapped = result_data("c1", meta=1)
    message = deepcopy(wrapped["message"])
    block = message.pop("content")[0]
    message |= {"role": "tool", "toolCallId": "c1", "content": block["content"], "isError": False}
    later = {**wrapped, "message": message}
    assert upcast("tool/result", later, 4)["data"] == wrapped
    assert upcast("tool/result", later, 3)["data"] == later
    del message["isError"]
    assert "isError" not in upcast("tool/result", later, 4)["data"]["message"]["content"][0]


@pytest.mark.parametrize("message", [None, [], {}, {"role": "user"}])
def test_a_result_that_is_not_of_role_tool_stays(message: Any) -> None:
    assert upcast("tool/result", {"message": message}, 4)["data"] == {"message": message}


@pytest.mark.parametrize(
    ("kind", "plugin"),
    [
        ("compact-checkpoint", "compact"),
        ("ptc-mode", "tools-ptc"),
        ("compact-basic", "compaction-basic"),
        ("system-prompt", "@deepseek-ai/dsh-system-prompt"),
        ("plugin:memory", "memory"),
    ],
)
def test_source_kinds_of_later_versions_are_plugins(kind: str, plugin: str) -> None:
    later = {**user_data(), "source": {"kind": kind, "compactionId": "x"}}
    source = {"kind": "plugin", "plugin": plugin, "compactionId": "x"}
    assert upcast("user/message", later, 4)["data"]["source"] == source
    assert upcast("user/message", later, 3)["data"]["source"]["kind"] == kind


@pytest.mark.parametrize("source", [{"kind": "user"}, {"kind": 7}, None, "plugin:x"])
def test_other_sources_stay(source: Any) -> None:
    later = {**user_data(), "source": source}
    assert upcast("user/message", later, 5)["data"] == later


def test_old_shapes_are_not_brought_up_in_later_versions() -> None:
    old = {"content": [], "source": {"kind": "user"}}
    assert upcast("user/message", old, 2)["data"] != old
    assert upcast("user/message", old, 3)["data"] == old


def test_a_checkpoint_of_a_later_version_shadows_what_it_replaces(tmp_path: Path) -> None:
    log = Log(HEADER | {"version": 4, "isSeeded": False})
    log.user("one")
    data = {**user_data("short"), "source": {"kind": "compact-checkpoint", "compactionId": "x"}}
    operation = {"op": "replace", "startSeq": 0, "endSeq": 0}
    log.event("user/message", data, surfaceOp=operation, sourceEventSeqs=[0])
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert visibility(tape, 0) == ("shadowed", 1)
    assert tape.payload(1)["surfaceOp"] == replace(0, 0)
