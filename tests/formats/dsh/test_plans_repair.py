"""What crash repair would write, to the byte, and what it leaves alone (format page 5, rules F)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.resuming import NOT_STARTED, OUTCOME_UNKNOWN
from inspector.formats.planning import How, PlanKind, Repair
from inspector.plans.plan import Asked
from tests.dsh_tapes import HEADER, Log, call_block, folded, line
from tests.formats.dsh.databases import blob, database
from tests.formats.dsh.plans import check, content, two_turns
from tests.plans.laws import MAKING, accounts_for_all, carried_out, opened, planned


def crashed(header: dict[str, Any] = HEADER) -> Log:
    """A turn that stops with one call that runs and one that does not yet: 5 events."""
    log = Log(header)
    log.turn()
    log.step()
    log.user("go")
    log.assistant(call_block("cA"), call_block("cB"))
    log.call("cA")
    return log


def repair(tape: Tape) -> Repair:
    return tape.planner().repair(MAKING)


def written(found: Repair) -> bytes:
    assert found.durable is not None
    return content(found.durable)


def test_the_closers_are_written_as_the_owner_writes_them(tmp_path: Path) -> None:
    tape = folded(crashed(), tmp_path)
    found = repair(tape)
    assert found.durable is not None
    (write,) = found.durable.writes
    assert (write.to, write.how) == (tape.identity.path, How.APPEND)
    message = (
        '"message":{"id":"interrupted-tool-result-%s","role":"user","source":{"kind":"tool",'
        '"callId":"%s"},"content":[{"type":"tool-result","toolCallId":"%s","isError":true,'
        '"content":[{"type":"text","text":%s}]}]}'
    )
    unknown = message % ("cA-5", "cA", "cA", json.dumps(OUTCOME_UNKNOWN))
    closes = (
        '{"type":"turn/end","seq":8,"time":1787000000050,'
        '"data":{"turn":1,"reason":{"kind":"interrupted"}}}'
    )
    not_started = message % ("cB-6", "cB", "cB", json.dumps(NOT_STARTED))
    assert written(found).decode().splitlines() == [
        '{"type":"tool/result","seq":5,"time":1787000000050,"data":{"turn":1,"step":1,'
        + unknown
        + ',"error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}},'
        '"surfaceOp":"append","sourceEventSeqs":[4]}',
        '{"type":"tool/result","seq":6,"time":1787000000050,"data":{"turn":1,"step":1,'
        + not_started
        + ',"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}},'
        '"surfaceOp":"append"}',
        '{"type":"step/end","seq":7,"time":1787000000050,"data":{"turn":1,"step":1}}',
        closes,
    ]


def test_the_closers_are_told(tmp_path: Path) -> None:
    closers = repair(folded(crashed(), tmp_path)).closers
    assert [(one.type, one.does, one.call_id, one.code, one.event) for one in closers] == [
        ("tool/result", "added", "cA", "TOOL_OUTCOME_UNKNOWN", 4),
        ("tool/result", "added", "cB", "TOOL_NOT_STARTED", None),
        ("step/end", "added", None, None, None),
        ("turn/end", "added", None, None, None),
    ]


def test_what_is_said_to_the_model_is_neutral() -> None:
    assert "not known" in OUTCOME_UNKNOWN
    assert "did not fail" in NOT_STARTED
    assert "call it again" in NOT_STARTED


def test_later_versions_have_results_of_their_own_role(tmp_path: Path) -> None:
    log = crashed({**HEADER, "version": 4, "isSeeded": False})
    first = json.loads(written(repair(folded(log, tmp_path))).splitlines()[0])
    assert first["data"]["message"] == {
        "id": "interrupted-tool-result-cA-5",
        "role": "tool",
        "toolCallId": "cA",
        "source": {"kind": "tool", "callId": "cA"},
        "content": [{"type": "text", "text": OUTCOME_UNKNOWN}],
        "isError": True,
    }


def mended(path: Path) -> None:
    """What was made is whole, and nothing is left to be done."""
    with opened(path, Options()) as tape:
        assert tape.verdict().opens is True
        assert tape.verdict().reason is None
        again = planned(tape, Asked(PlanKind.REPAIR))
        assert not again.closers
        assert not again.writes


def test_what_is_repaired_needs_no_repair(tmp_path: Path) -> None:
    log = crashed()
    for events in range(1, 6):
        start = Log()
        start.lines = log.lines[: events + 1]
        tape = folded(start, tmp_path)
        found = planned(tape, Asked(PlanKind.REPAIR))
        accounts_for_all(tape, found)
        assert found.is_sound
        assert found.closers
        mended(*carried_out(found, tmp_path / f"{events}"))


def test_a_whole_log_is_left_alone(tmp_path: Path) -> None:
    found = planned(folded(two_turns(), tmp_path), Asked(PlanKind.REPAIR))
    assert (found.closers, found.writes) == ((), ())
    assert found.is_sound


def test_an_orphan_of_a_compaction_is_not_closed(tmp_path: Path) -> None:
    log = two_turns()
    log.compaction()
    assert not repair(folded(log, tmp_path)).closers


def test_frames_are_appended_as_a_frame(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    path.write_bytes(b"".join(blob(f"{one.decode()}\n") for one in crashed().lines))
    with opened(path, Options()) as tape:
        found = planned(tape, Asked(PlanKind.REPAIR))
        assert found.how is How.APPEND
        (copy,) = carried_out(found, tmp_path / "made")
    assert copy.read_bytes().startswith(path.read_bytes())
    mended(copy)


def test_what_ends_inside_a_record_is_made_anew(tmp_path: Path) -> None:
    log = crashed()
    tape = folded(bytes(log) + b'{"type":"tool/res', tmp_path)
    found = planned(tape, Asked(PlanKind.REPAIR))
    accounts_for_all(tape, found)
    assert found.how is How.CREATE
    assert (found.closers[0].type, found.closers[0].does) == ("line", "dropped")
    assert any("nothing is cut off" in remark for remark in found.remarks)
    (copy,) = carried_out(found, tmp_path / "made")
    header, *_, end = [json.loads(one) for one in copy.read_bytes().splitlines()]
    assert (header["seedLength"], header["parentSession"]) == (9, "session")
    assert (end["type"], end["seq"]) == ("session/end-seed", 9)
    mended(copy)


def test_what_a_new_header_leaves_out_is_told_where_one_is_made(tmp_path: Path) -> None:
    header = {**HEADER, "delegationDepth": 0, "agentPreset": "standard"}
    whole = crashed(header)
    torn = crashed(header)
    torn.lines.append(b'{"type":"turn/e')
    for name, log, told in (
        ("whole", whole, {}),
        ("torn", torn, {"preset": ("standard", None)}),
    ):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"\n".join(log.lines) + (b"\n" if log is whole else b""))
        with opened(path, Options()) as tape:
            assert planned(tape, Asked(PlanKind.REPAIR)).registers == told


def test_a_torn_tail_behind_a_closed_turn_is_dropped(tmp_path: Path) -> None:
    tape = folded(bytes(two_turns()) + b"{", tmp_path)
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert [closer.does for closer in found.closers] == ["dropped"]
    assert (found.kept, found.left_behind) == (12, 0)
    mended(*carried_out(found, tmp_path / "made"))


def test_what_the_owner_drops_is_left_behind(tmp_path: Path) -> None:
    log = crashed()
    log.raw(b"garbage")
    log.event("todo/write", {"todos": []})
    tape = folded(log, tmp_path)
    found = planned(tape, Asked(PlanKind.REPAIR))
    accounts_for_all(tape, found)
    assert (found.kept, found.left) == (5, {"dropped by the owner": 1})
    assert found.closers[0].type == "record"
    mended(*carried_out(found, tmp_path / "made"))


def test_blank_lines_at_the_end_are_cut_off_too(tmp_path: Path) -> None:
    found = planned(folded(bytes(crashed()) + b"\n", tmp_path), Asked(PlanKind.REPAIR))
    assert found.how is How.CREATE
    mended(*carried_out(found, tmp_path / "made"))


def test_rows_are_made_to_a_log(tmp_path: Path) -> None:
    path = database(tmp_path / "s.db", [json.loads(one) for one in crashed().lines[1:]])
    with opened(path, Options(session="session")) as tape:
        found = planned(tape, Asked(PlanKind.REPAIR))
        accounts_for_all(tape, found)
        assert found.how is How.CREATE
        (copy,) = carried_out(found, tmp_path / "made")
    mended(copy)


def test_what_the_owner_refuses_it_does_not_repair(tmp_path: Path) -> None:
    log = crashed()
    log.event("plugin/note", {})
    found = planned(folded(log, tmp_path), Asked(PlanKind.REPAIR))
    assert (found.closers, found.writes) == ((), ())
    assert check(found, "needed").message.startswith("the owner refuses the tape")
    assert not found.is_sound


@pytest.mark.parametrize("turn", [{}, {"turn": 0}, {"turn": "1"}])
def test_a_turn_without_a_number_is_not_closed(turn: dict[str, Any], tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", turn)
    found = repair(folded(log, tmp_path))
    assert [closer.type for closer in found.closers] == ["turn/end"]
    assert found.durable is None
    assert "refuses the file" in found.why_not


def test_ways_say_why_nothing_is_appended(tmp_path: Path) -> None:
    ways = folded(bytes(crashed()) + b"{", tmp_path).planner().ways(PlanKind.REPAIR)
    assert ways[How.CREATE] is None
    assert "inside a record" in (ways[How.APPEND] or "")
    ways = folded(crashed(), tmp_path).planner().ways(PlanKind.REPAIR)
    assert ways[How.APPEND] is None
    log = crashed()
    log.raw(b"")
    log.raw(line(["no event"]))
    assert folded(log, tmp_path).planner().ways(PlanKind.REPAIR)[How.APPEND]


def test_the_next_request_holds_the_answers_of_the_owner(tmp_path: Path) -> None:
    found = planned(folded(crashed(), tmp_path), Asked(PlanKind.RESUME))
    assert [(one.note, one.call_id, one.text) for one in found.request[-3:]] == [
        (None, None, None),
        ("added", "cA", OUTCOME_UNKNOWN),
        ("added", "cB", NOT_STARTED),
    ]
    assert len(found.request) == 4
    whole = planned(folded(two_turns(), tmp_path), Asked(PlanKind.RESUME))
    assert {one.note for one in whole.request} == {None}
    assert not whole.writes
