"""Logs of versions 1 to 5 (format page 11), a small one of each."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Tape
from inspector.formats.dsh.dialect import dialect
from inspector.formats.dsh.vocabulary import ELIGIBLE, LATER_WORDS, WORDS
from inspector.timeline.words import Kind, Mark, Role, SpanKind
from tests.dsh_tapes import (
    HEADER,
    Json,
    Log,
    call_block,
    codes,
    findings,
    folded,
    surface,
    text_block,
    visibility,
)


def log_of(version: int, **header: Any) -> Log:
    seeded = {"isSeeded": False} if version >= 2 else {}
    return Log(HEADER | {"version": version} | seeded | header)


def whole(log: Log, tmp_path: Path) -> Tape:
    """The folded tape, of which nothing is wrong, and which its owner opens."""
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert tape.verdict().opens is True
    assert tape.timeline.reliable_to == tape.timeline.events
    return tape


def message(role: str, text: str = "x", kind: str = "plugin:note") -> Json:
    source = {"kind": kind}
    return {"id": f"{role}-{text}", "role": role, "content": [text_block(text)], "source": source}


def system(log: Log, text: str = "You are DSH.", **envelope: Any) -> int:
    data = {"turn": 1, "step": 1, "message": message("system", text)}
    return log.event("system/message", data, **{"surfaceOp": "append"} | envelope)


def later(start: int, end: int) -> Json:
    return {"op": "replace", "startSeq": start, "endSeq": end}


def roles(tape: Tape) -> list[Role]:
    nodes = tape.timeline.surface.nodes
    return [nodes.role(row.node) for row in tape.timeline.rows(tape.timeline.events)]


# The words.


def test_version_0_has_its_words_and_no_others() -> None:
    assert dialect(0).known == WORDS.keys()
    assert dialect(0).eligible == ELIGIBLE


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_a_later_version_has_more_words(version: int) -> None:
    before, now = dialect(version - 1), dialect(version)
    assert now.known - before.known == LATER_WORDS.get(version, {}).keys()
    assert before.known <= now.known
    more = {3: {"system/message"}, 4: {"developer/message"}}.get(version, set())
    assert now.eligible - before.eligible == more


def test_ranges_came_with_version_1_and_packed_rows_went_with_version_2() -> None:
    said = [(dialect(version).ranges, dialect(version).packs) for version in range(6)]
    assert said == [(False, True), (True, True), *[(True, False)] * 4]


# Version 1.


def test_version_1_cites_ranges_by_right(tmp_path: Path) -> None:
    log = log_of(1)
    log.packed("a", "b", "c")
    log.assistant(text_block("abc"), sourceEventSeqs=[[0, 2]])
    tape = whole(log, tmp_path)
    assert tape.identity.variant == "v1/jsonl"
    nodes = tape.timeline.surface.nodes
    assert nodes.sources(0) == [0, 1, 2]


# Version 2.


def test_version_2_knows_no_packed_rows(tmp_path: Path) -> None:
    log = log_of(2)
    log.packed("a", "b", "c")
    tape = folded(log, tmp_path)
    assert codes(tape) == ["not-an-event"]
    assert tape.timeline.events == 0
    log = log_of(2)
    log.event("text-chunks", {"texts": ["a", "b"], "dt": [1]})
    tape = folded(log, tmp_path)
    assert codes(tape) == ["unknown-required"]
    assert tape.payload(0)["type"] == "text-chunks"


def test_version_2_keeps_a_failed_attempt(tmp_path: Path) -> None:
    log = log_of(2)
    failure = {"kind": "error", "failure": {"message": "no", "code": "X"}}
    stream = [{"type": "chunk", "time": 1, "chunk": {"type": "finish", "reason": failure}}]
    log.event("assistant/attempt", {"turn": 1, "step": 1, "stream": stream})
    log.assistant(text_block("x"))
    tape = whole(log, tmp_path)
    assert surface(tape) == [1]
    assert list(tape.timeline.marks.events(Mark.ERROR)) == [0]
    older = log_of(1)
    older.event("assistant/attempt", {"turn": 1, "step": 1, "stream": stream})
    assert codes(folded(older, tmp_path)) == ["unknown-required"]


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_a_seeded_log_says_itself_where_its_seed_ends(version: int, tmp_path: Path) -> None:
    log = log_of(version, isSeeded=True, parentSession="parent")
    log.turn()
    log.user("one")
    log.turn_end()
    log.event("session/end-seed", {"inherited": True})
    log.user("two")
    log.event("session/end-seed", {})
    tape = whole(log, tmp_path)
    assert tape.identity.inherited == tape.timeline.lives.inherited == 3
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("fork", "parent")]


def test_a_log_that_is_not_seeded_inherits_nothing(tmp_path: Path) -> None:
    for said in ({"inherited": True}, {}):
        log = log_of(2, parentSession="parent")
        log.user("one")
        log.event("session/end-seed", said)
        tape = folded(log, tmp_path)
        assert tape.identity.inherited == 0
        assert [kin.relation for kin in tape.timeline.kin] == ["child"]
        assert tape.verdict().opens is not said.get("inherited", False)


def test_a_log_that_is_seeded_says_how_far(tmp_path: Path) -> None:
    log = log_of(2, parentSession="parent", isSeeded=True)
    log.user("one")
    reason = "the log is seeded, but no session/end-seed says what it inherited"
    assert folded(log, tmp_path).verdict().reason == reason
    log.event("session/end-seed", {"inherited": True})
    assert folded(log, tmp_path).verdict().opens is True


# Version 3.


def test_the_system_prompt_of_version_3_stands_first_on_the_surface(tmp_path: Path) -> None:
    log = log_of(3)
    log.turn()
    log.step()
    system(log)
    log.user("hi")
    log.assistant(text_block("x"))
    tape = whole(log, tmp_path)
    assert surface(tape) == [2, 3, 4]
    assert roles(tape) == [Role.SYSTEM, Role.USER, Role.ASSISTANT]
    older = log_of(2)
    system(older)
    assert codes(folded(older, tmp_path)) == ["unknown-required"]


def test_a_system_prompt_is_replaced_by_another_one_and_exactly_it(tmp_path: Path) -> None:
    log = log_of(3)
    system(log)
    log.user("hi")
    system(log, "You are new.", surfaceOp=later(0, 0), sourceEventSeqs=[0])
    tape = whole(log, tmp_path)
    assert surface(tape) == [2, 1]
    assert visibility(tape, 0) == ("superseded", 2)


@pytest.mark.parametrize(("kind", "end"), [("user", 0), ("user", 1), ("system", 1)])
def test_nothing_else_takes_the_place_of_a_system_prompt(
    kind: str, end: int, tmp_path: Path
) -> None:
    log = log_of(3)
    system(log)
    log.user("hi")
    words = {"surfaceOp": later(0, end), "sourceEventSeqs": [0, 1]}
    if kind == "user":
        log.user("new", **words)
    else:
        system(log, "new", **words)
    tape = folded(log, tmp_path)
    assert codes(tape) == ["bad-surface-op"]
    assert surface(tape) == [0, 1]


def test_a_compaction_of_version_3_names_the_ends_of_its_range_anew(tmp_path: Path) -> None:
    log = log_of(3)
    log.user("one")
    log.user("two")
    log.user("short", surfaceOp=later(0, 1), sourceEventSeqs=[[0, 1]])
    tape = whole(log, tmp_path)
    assert surface(tape) == [2]
    for version in (0, 2):
        old = log_of(version)
        old.user("one")
        old.user("two", surfaceOp=later(0, 0), sourceEventSeqs=[0])
        assert codes(folded(old, tmp_path)) == ["bad-surface-op"]


def test_sub_calls_of_version_3_have_another_name(tmp_path: Path) -> None:
    log = log_of(3)
    data = {"parentCallId": "c1", "subCallId": "c1.1", "callId": "c1.1", "name": "bash"}
    log.event("tool/ptc-dispatch-start", data)
    log.event("tool/ptc-dispatch", {**data, "isError": False})
    assert whole(log, tmp_path).timeline.events == 2


# Version 4.


def tool_result(call: str, **more: Any) -> Json:
    source = {"kind": "tool", "callId": call}
    whole = {"id": f"r-{call}", "role": "tool", "toolCallId": call, "source": source}
    return {"turn": 1, "step": 1, "message": {**whole, "content": [text_block("ok")], **more}}


def test_a_result_of_version_4_has_a_role_of_its_own(tmp_path: Path) -> None:
    log = log_of(4)
    log.assistant(call_block("c1"), call_block("c2"))
    log.call("c1")
    log.call("c2")
    log.event("tool/result", tool_result("c1"), surfaceOp="append")
    log.event("tool/result", tool_result("c2", isError=True), surfaceOp="append")
    tape = whole(log, tmp_path)
    assert surface(tape) == [0, 3, 4]
    assert roles(tape)[1:] == [Role.TOOL, Role.TOOL]
    calls = tape.timeline.spans[SpanKind.TOOL_CALL]
    assert [calls[at].outcome.label for at in range(2)] == ["ok", "failed"]
    block = tape.payload(3)["data"]["message"]["content"][0]
    assert (block["type"], block["toolCallId"]) == ("tool-result", "c1")
    assert b'"role":"tool"' in tape.raw(3)


def test_a_result_of_role_tool_is_none_before_version_4(tmp_path: Path) -> None:
    log = log_of(3)
    log.event("tool/result", tool_result("c1"), surfaceOp="append")
    assert [found.message for found in findings(folded(log, tmp_path))] == [
        "message role must be user"
    ]


def test_a_result_of_version_4_of_two_calls_is_rejected(tmp_path: Path) -> None:
    log = log_of(4)
    log.event("tool/result", tool_result("c1", toolCallId="c2"), surfaceOp="append")
    assert [found.message for found in findings(folded(log, tmp_path))] == [
        "toolCallId must be the callId of the source"
    ]


def test_a_result_of_version_4_is_rewritten_if_only_its_content_changes(tmp_path: Path) -> None:
    log = log_of(4)
    log.event("tool/result", tool_result("c1"), surfaceOp="append")
    words = {"surfaceOp": later(0, 0), "sourceEventSeqs": [0]}
    log.event("tool/result", tool_result("c1", content=[]), **words)
    tape = whole(log, tmp_path)
    assert visibility(tape, 0) == ("pruned", 1)
    words = {"surfaceOp": later(1, 1), "sourceEventSeqs": [1]}
    log.event("tool/result", tool_result("c1", isError=True), **words)
    assert codes(folded(log, tmp_path)) == ["bad-rewrite"]


def test_a_developer_message_of_version_4_stands_on_the_surface(tmp_path: Path) -> None:
    data = {"turn": 1, "step": 1, "message": message("developer")}
    log = log_of(4)
    log.event("developer/message", data, surfaceOp="append")
    tape = whole(log, tmp_path)
    assert roles(tape) == [Role.DEVELOPER]
    assert tape.timeline.surface.nodes.kind(0) is Kind.MESSAGE
    older = log_of(3)
    older.event("developer/message", data, surfaceOp="append")
    assert codes(folded(older, tmp_path)) == ["unknown-required"]


# Version 5.


def test_a_turn_of_version_5_may_end_by_its_steps(tmp_path: Path) -> None:
    log = log_of(5)
    log.turn()
    log.turn_end(kind="max-steps")
    tape = whole(log, tmp_path)
    assert tape.identity.variant == "v5/jsonl"
    (turn,) = (tape.timeline.spans[SpanKind.TURN][at] for at in range(1))
    assert (turn.opened, turn.closed, turn.outcome.label) == (1, 2, "failed")
    assert (turn.word or "").startswith("max-steps")


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_an_unknown_event_is_unknown_in_any_version(version: int, tmp_path: Path) -> None:
    log = log_of(version)
    log.user()
    log.event("plugin/note", {}, ignorable=True)
    log.event("plugin/note", {})
    tape = folded(log, tmp_path)
    assert codes(tape) == ["unknown-ignorable", "unknown-required"]
    assert tape.timeline.stopped_at == 2
