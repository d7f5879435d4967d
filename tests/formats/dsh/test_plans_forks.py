"""What a fork of a log would be, to the byte (format page 1, 4.1, 4.2 and 4.6)."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from inspector.tape.source import SourceError
from tests.dsh_tapes import HEADER, Log, assistant_data, folded, line
from tests.formats.dsh.databases import blob, database, run
from tests.formats.dsh.plans import (
    FORK,
    check,
    compacted,
    content,
    fork,
    lines,
    made,
    surface_texts,
    two_turns,
)
from tests.plans.laws import MAKING, carried_out, opened, planned
from tests.untouched import untouched


def stored(folder: Path, log: bytes, name: str = "session.jsonl") -> Path:
    """A log where the owner keeps it."""
    path = folder / "sessions" / "--work-demo--" / "session" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(log)
    return path


def test_a_fork_is_a_header_the_records_as_they_are_and_the_end_of_the_seed(tmp_path: Path) -> None:
    log = two_turns()
    draft = fork(folded(log, tmp_path), 9)
    header = (
        '{"type":"session","version":0,"id":"0c9e6d0e-8a77-4f6e-9a55-3c1d7f2b9a10",'
        '"createdAt":1790000000000,"cwd":"/work/demo","parentSession":"session","seedLength":9,'
        '"delegationDepth":0}'
    )
    end = '{"type":"session/end-seed","seq":9,"time":1790000000000,"data":{}}'
    assert content(draft) == b"\n".join((header.encode(), *log.lines[1:10], end.encode(), b""))
    assert (draft.kept, draft.omitted) == (9, {})


def test_origin_depth_and_preset_are_not_inherited(tmp_path: Path) -> None:
    more = {"origin": "subagent", "delegationDepth": 2, "agentPreset": "standard"}
    log = two_turns()
    log.lines[0] = line({**HEADER, **more})
    (header, *_) = lines(fork(folded(log, tmp_path), 9))
    assert header["delegationDepth"] == 0
    assert not {"origin", "agentPreset"} & header.keys()


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (9, {"preset": ("late", None)}),
        (13, {"preset": ("late", "standard")}),
        (14, {}),
    ],
)
def test_what_the_new_header_leaves_out_is_told(
    at: int, told: dict[str, Any], tmp_path: Path
) -> None:
    more = {"origin": "subagent", "delegationDepth": 2, "agentPreset": "standard"}
    log = two_turns()
    log.lines[0] = line({**HEADER, **more})
    for preset in ("standard", "late"):
        log.event("agent-preset/selected", {"agentPreset": preset})
    tape = folded(log, tmp_path)
    plan = planned(tape, Asked(FORK, at))
    assert plan.registers == {
        "delegation depth": (2, 0),
        "origin": ("subagent", None),
        **told,
    }
    with opened(carried_out(plan, tmp_path / "made")[-1], Options()) as new:
        state = new.timeline.registers.state(new.timeline.events)
        for name, (_, then) in plan.registers.items():
            assert (new.value(name, state[name]) if name in state else None) == then


def test_a_seed_that_ends_with_its_end_gets_no_other(tmp_path: Path) -> None:
    log = two_turns()
    log.event("session/end-seed", {})
    found = lines(fork(folded(log, tmp_path), 13))
    assert found[0]["seedLength"] == 13
    assert [event["type"] for event in found[-2:]] == ["turn/end", "session/end-seed"]


def test_an_empty_log_has_an_empty_seed(tmp_path: Path) -> None:
    header, end = lines(fork(folded(Log(), tmp_path), 0))
    assert header["seedLength"] == 0
    assert (end["type"], end["seq"]) == ("session/end-seed", 0)


@pytest.mark.parametrize("version", [2, 3])
def test_later_versions_say_in_the_log_how_far_the_seed_reaches(
    version: int, tmp_path: Path
) -> None:
    log = Log({**HEADER, "version": version, "isSeeded": True})
    log.event("session/end-seed", {"inherited": True})
    log.turn()
    log.user("hi")
    log.turn_end()
    log.event("session/end-seed", {})
    header, *events = lines(fork(folded(log, tmp_path), 5))
    assert header["isSeeded"] is True
    assert "seedLength" not in header
    # The end of a resume is not that of what a fork inherits.
    assert (events[-1]["seq"], events[-1]["data"]) == (5, {"inherited": True})


def test_a_later_version_closes_the_turn_in_which_it_forks(tmp_path: Path) -> None:
    log = Log({**HEADER, "version": 4, "isSeeded": False})
    log.turn()
    log.step()
    log.user("hi")
    _, *events = lines(fork(folded(log, tmp_path), 3))
    assert [event["type"] for event in events[3:]] == ["session/end-seed", "step/end", "turn/end"]
    assert events[-1]["data"] == {"turn": 1, "reason": {"kind": "forked"}}


def test_a_fork_stands_in_the_tree_of_its_parent(tmp_path: Path) -> None:
    path = stored(tmp_path, bytes(two_turns()))
    with opened(path, Options()) as tape:
        found = planned(tape, Asked(FORK, 9))
    (write, _) = found.writes[0]
    assert write.to == path.parent.parent / MAKING.id / "session.jsonl"
    assert write.how is How.CREATE


def test_a_fork_in_a_tree_of_frames_is_written_in_frames(tmp_path: Path) -> None:
    log = two_turns()
    frames = [blob(f"{one.decode()}\n") for one in log.lines]
    path = stored(tmp_path, b"".join(frames), "session.jsonl.zstd")
    with opened(path, Options()) as tape:
        draft = fork(tape, 9)
        assert draft.writes[0].to.name == "session.jsonl.zstd"
        copy = made(draft, tmp_path / "made" / MAKING.id)
    with opened(copy, Options()) as tape:
        assert tape.verdict().opens is True
        assert tape.sums().frames == 3
        assert [tape.raw_record(record) for record in range(1, 10)] == log.lines[1:10]


def test_elsewhere_a_fork_is_plain_and_it_says_that_the_owner_does_not_look_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copy.session.v3.jsonl.zstd"
    log = two_turns()
    log.lines[0] = line({**HEADER, "version": 3, "isSeeded": False})
    path.write_bytes(b"".join(blob(f"{one.decode()}\n") for one in log.lines))
    with opened(path, Options()) as tape:
        draft = fork(tape, 9)
        assert draft.writes[0].to == tmp_path / MAKING.id / "session.v3.jsonl"
        assert any("does not look" in remark for remark in draft.place)
        assert content(draft).splitlines()[1:10] == log.lines[1:10]


def test_a_fork_without_a_directory_stands_among_its_like(tmp_path: Path) -> None:
    log = two_turns()
    log.lines[0] = line({key: value for key, value in HEADER.items() if key != "cwd"})
    path = tmp_path / "_no-cwd" / "session" / "session.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(bytes(log))
    with opened(path, Options()) as tape:
        draft = fork(tape, 9)
    assert draft.writes[0].to.parent.parent.name == "_no-cwd"


def test_rows_of_a_database_are_written_as_lines(tmp_path: Path) -> None:
    log = two_turns()
    odd = '{"turn":3,"big":12345678901234567890123, "u":"\\ud800"}'
    events = [json.loads(one) for one in log.lines[1:]]
    path = database(tmp_path / "store.db", events)
    run(path, "UPDATE events SET data = ? WHERE seq = 8", odd.replace(",", ",\n", 1))
    tape = open_tape(path, Options(session="session"))
    try:
        while tape.advance():
            pass
        copied = content(fork(tape, 9)).splitlines()
    finally:
        tape.close()
    found = [json.loads(one) for one in copied[1:9]]
    assert found == events[:8]
    assert odd.encode().replace(b",", b", ", 1) in copied[9]


def test_a_cut_inside_a_packed_row_keeps_a_part_of_it(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.packed("a", "b", "c", "d")
    *_, row, end = lines(fork(folded(log, tmp_path), 3))
    assert row == {
        "type": "text-chunks",
        "seq0": 1,
        "time0": 1787000000020,
        "data": {"turn": 1, "step": 1, "index": 0, "dt": [10], "texts": ["a", "b"]},
    }
    assert end["seq"] == 3


# What cannot be copied byte for byte.


def damaged() -> Log:
    """A rejected event, a line that is none, and what tells of others by number behind them."""
    log = Log()
    log.turn()
    log.event("user/message", {"no": "message"}, surfaceOp="append")
    log.raw(b"garbage")
    log.user("first")  # 2
    log.user("second")
    log.user("third", surfaceOp={"op": "replace", "start": 2, "end": 3}, sourceEventSeqs=[2, 3])
    log.event("session/title", {"title": "t", "messageSeqs": [1, 2], "source": {"kind": "user"}})
    log.turn_end()
    return log


def test_what_the_owner_refuses_is_left_out_and_numbers_move_up(tmp_path: Path) -> None:
    tape = folded(damaged(), tmp_path)
    draft = fork(tape, 7)
    _, *events = lines(draft)
    assert [event["seq"] for event in events] == list(range(7))
    assert (draft.kept, draft.omitted) == (6, {"refused by the owner": 1})
    assert events[3]["surfaceOp"] == {"op": "replace", "start": 1, "end": 2}
    assert events[3]["sourceEventSeqs"] == [1, 2]
    assert events[4]["data"]["messageSeqs"] == [1]
    assert any("other numbers" in remark for remark in draft.remarks)
    assert surface_texts(made(draft, tmp_path / "made")) == ["third"]


def test_sources_as_ranges_are_written_one_by_one_for_an_owner_that_knows_none(
    tmp_path: Path,
) -> None:
    log = Log()
    log.turn()
    log.packed("a", "b", "c")
    log.assistant({"type": "text", "text": "abc"}, sourceEventSeqs=[[1, 3]])
    log.turn_end()
    draft = fork(folded(log, tmp_path), 6)
    _, *events = lines(draft)
    assert events[2]["sourceEventSeqs"] == [1, 2, 3]
    assert (
        "what is copied is written anew: events bear the numbers that they have here"
        in draft.remarks
    )


def test_many_wide_ranges_are_given_up_before_they_fill_the_disk(tmp_path: Path) -> None:
    log = Log()
    for _ in range(1000):
        log.event("todo/write", {"todos": []})
    for _ in range(20):
        log.assistant({"type": "text", "text": "x"}, sourceEventSeqs=[[0, 999]])
    size = len(content(fork(folded(log, tmp_path), 1020)))
    assert size < 3 * len(bytes(log))


def test_an_unknown_event_that_was_passed_is_said_to_stop_the_owner(tmp_path: Path) -> None:
    log = two_turns()
    log.event("plugin/note\x1b[2J", {})
    log.event("todo/write", {"todos": []})
    tape = folded(log, tmp_path, past_unknown=True)
    found = check(planned(tape, Asked(FORK, 14)), "owner-opens")
    assert not found.ok
    assert "plugin/note" in found.message
    assert "\x1b" not in found.message
    assert check(planned(tape, Asked(FORK, 12)), "owner-opens").ok


def test_an_event_on_which_the_owner_crashes_is_left_out_where_it_is_no_row(
    tmp_path: Path,
) -> None:
    log = Log()
    log.event("step/start", None)
    log.user("hi")
    tape = folded(log, tmp_path)
    draft = fork(tape, 2)
    assert draft.omitted == {"refused by the owner": 1}
    assert surface_texts(made(draft, tmp_path / "made")) == ["hi"]
    log.event("assistant/message", assistant_data(cast("Any", None)), surfaceOp="append")
    assert not check(fork(folded(log, tmp_path), 3), "owner-opens").ok


def test_a_log_without_an_id_is_no_parent(tmp_path: Path) -> None:
    log = Log(None)
    log.turn()
    log.turn_end()
    draft = fork(folded(log, tmp_path), 2)
    assert "parentSession" not in lines(draft)[0]
    found = check(draft, "lineage")
    assert (found.ok, found.blocks) == (False, False)


# Laws of their own.


def test_the_same_question_gives_the_same_bytes_and_nothing_is_touched(tmp_path: Path) -> None:
    path = stored(tmp_path, bytes(compacted()))
    with untouched(path), opened(path, Options()) as tape:
        for view in View:
            one, other = (planned(tape, Asked(FORK, 19, view=view)) for _ in range(2))
            assert [b"".join(write.content()) for write, _ in one.writes] == [
                b"".join(write.content()) for write, _ in other.writes
            ]
            assert one.seal == other.seal


def test_a_tape_that_changes_meanwhile_is_an_error_in_words(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(bytes(two_turns()))
    with opened(path, Options()) as tape:
        draft = fork(tape, 9)
        path.write_bytes(b"")
        with pytest.raises(SourceError):
            content(draft)


def test_a_rewind_is_the_same_fork(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    one, other = (planned(tape, Asked(kind, 9)) for kind in (FORK, PlanKind.REWIND))
    paths = [carried_out(found, tmp_path / found.kind.value)[0] for found in (one, other)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


# What moves with the numbers.


def moved(folder: Path, kind: str, data: Any, *, version: int = 0, **envelope: Any) -> Any:
    """An event behind one that is left out, as it is written: what was 1 is left out, 2 is 1."""
    seeded = {"isSeeded": False} if version > 1 else {}
    log = Log({**HEADER, "version": version, **seeded})
    log.user("first")
    log.event("user/message", {"no": "message"}, surfaceOp="append")
    log.user("second")
    log.event(kind, data, **envelope)
    path = folder / (f"session.v{version}.jsonl" if version else "session.jsonl")
    path.write_bytes(bytes(log))
    with opened(path, Options()) as tape:
        event = lines(fork(tape, 4))[3]
    assert event["seq"] == 2
    return event


def test_what_data_tells_of_others_by_number_moves_with_it(tmp_path: Path) -> None:
    told = moved(
        tmp_path, "command/done", {"commandId": "c", "kind": "success", "sourceEventSeq": 2}
    )
    assert told["data"]["sourceEventSeq"] == 1
    told = moved(
        tmp_path, "command/done", {"commandId": "c", "kind": "success", "sourceEventSeq": 1}
    )
    assert "sourceEventSeq" not in told["data"]
    prune = {"shadowedRange": {"start": 2, "end": 2}, "shadowedSeqs": [2, 1], "more": [2]}
    told = moved(tmp_path, "compaction/prune", prune)
    assert told["data"] == {
        "shadowedRange": {"start": 1, "end": 1},
        "shadowedSeqs": [1],
        "more": [2],
    }
    targets = [{"seq": 2, "imageIndexes": [0]}, {"seq": 1, "imageIndexes": [0]}]
    told = moved(tmp_path, "image/offload", {"targets": targets}, version=4)
    assert told["data"]["targets"] == [{"seq": 1, "imageIndexes": [0]}]


def test_numbers_that_are_no_numbers_of_events_stay(tmp_path: Path) -> None:
    start = {"runId": "w", "seq": 2, "label": "x", "childId": "c"}
    assert moved(tmp_path, "tool-workflow/agent-start", start)["data"] == start
    odd = {"title": 7, "messageSeqs": "no list"}
    assert moved(tmp_path, "session/title", odd)["data"] == {"title": 7}
    assert moved(tmp_path, "session/title", [1, 2])["data"] == [1, 2]


def test_a_later_version_keeps_its_ranges(tmp_path: Path) -> None:
    log = Log({**HEADER, "version": 1})
    log.event("user/message", {"no": "message"}, surfaceOp="append")
    for _ in range(4):
        log.event("todo/write", {"todos": []})
    log.assistant({"type": "text", "text": "x"}, sourceEventSeqs=[0, [1, 4]])
    path = tmp_path / "session.v1.jsonl"
    path.write_bytes(bytes(log))
    with opened(path, Options()) as tape:
        assert lines(fork(tape, 6))[5]["sourceEventSeqs"] == [[0, 3]]


@pytest.mark.parametrize(
    "odd",
    [
        b'{"type":"todo/write","seq":9,"time":1,"data":{},"seq":1}',
        b'{"type":"todo/write","seq":9,"time":1,"data":{},"\\u0073eq":1}',
        b' {"data":{"seq":{"a":[1]}}, "seq" : 1.0 ,"time":1,"type":"todo/write"}\r',
        b'{"type":"session/titl\\u0065","seq":1,"time":1,"data":{"title":"x","messageSeqs":[0]}}',
    ],
)
def test_a_line_in_another_writers_way_gets_its_number_all_the_same(
    odd: bytes, tmp_path: Path
) -> None:
    log = Log()
    log.event("user/message", {"no": "message"}, surfaceOp="append")
    log.raw(odd)
    log.seq += 1
    draft = fork(folded(log, tmp_path), 2)
    event, end = lines(draft)[1:]
    assert (event["seq"], end["seq"]) == (0, 1)
    assert event["data"].get("messageSeqs", []) == []
    with opened(made(draft, tmp_path / "made"), Options()) as tape:
        assert tape.verdict().opens is True


def test_a_packed_row_moves_as_a_whole(tmp_path: Path) -> None:
    log = Log()
    log.event("user/message", {"no": "message"}, surfaceOp="append")
    log.packed("a", "b", "c")
    (_, row, end) = lines(fork(folded(log, tmp_path), 4))
    assert (row["seq0"], end["seq"]) == (0, 3)
    assert row["data"]["texts"] == ["a", "b", "c"]


def test_what_was_mended_is_written_as_it_was_read(tmp_path: Path) -> None:
    log = Log()
    glued = [{"type": "todo/write", "seq": seq, "time": 1, "data": {}} for seq in (0, 1)]
    log.raw(b"".join(map(line, glued)))
    log.seq = 2
    log.user("hi")
    draft = fork(folded(log, tmp_path), 3)
    assert lines(draft)[1:3] == glued
    assert surface_texts(made(draft, tmp_path / "made")) == ["hi"]
