"""A compaction of a log: the owner's split, what it would send, and the log that would be made."""

import json
from pathlib import Path
from typing import Any

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.planning.compacting import balance
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from tests.dsh_tapes import HEADER, Json, Log, call_block, folded, text_block
from tests.formats.dsh.plans import check, content, fork, lines, made, surface_texts
from tests.plans.laws import MAKING, accounts_for_all, opened, planned


def long(header: Json = HEADER, window: int | None = 1000) -> Log:
    """Six turns, each with a prompt, a call, its result and an answer: 24 rows, or one more."""
    log = Log(header)
    if window is not None:
        context = {"provider": "deepseek", "model": "flash", "contextWindow": window}
        log.event("request/context", context)
    for turn in range(1, 7):
        log.turn(turn)
        log.step(turn=turn)
        log.user(f"prompt {turn} {'x' * 80}")
        log.assistant(call_block(f"c{turn}"))
        log.call(f"c{turn}")
        log.result(f"c{turn}", text="y" * 120)
        log.assistant(text_block(f"answer {turn}"))
        log.step_end(turn=turn)
        log.turn_end(turn)
    return log


def split(tape: Tape) -> tuple[int, str]:
    found = tape.planner().split(None)
    return found.rows, found.why


def tail(tape: Tape, rows: int) -> int:
    timeline = tape.timeline
    kept = timeline.rows(timeline.events)[rows:]
    return sum(timeline.surface.nodes.tokens[row.node] for row in kept)


def test_the_owner_keeps_a_part_of_the_window(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    rows, why = split(tape)
    # 160 tokens, which a tail of six rows has, five have not.
    assert tail(tape, rows) >= 160 > tail(tape, rows + 1)
    assert "160 tokens" in why
    assert "keeps none of its 24 rows" in why


def test_the_owner_moves_back_to_where_no_call_is_open(tmp_path: Path) -> None:
    tape = folded(long(window=300), tmp_path)
    rows, why = split(tape)
    # 48 tokens are in the last result and what follows; its call must stay with it.
    assert rows == 21
    assert "moved back from row 22" in why


def test_a_window_that_holds_all_leaves_nothing_to_compact(tmp_path: Path) -> None:
    rows, why = split(folded(long(window=1_000_000), tmp_path))
    assert rows == 0
    assert "so it compacts nothing" in why


def test_without_a_window_only_a_person_compacts(tmp_path: Path) -> None:
    rows, why = split(folded(long(window=None), tmp_path))
    assert rows == 24
    assert "no window is recorded" in why


def test_a_result_before_its_call_is_corrupt(tmp_path: Path) -> None:
    log = long()
    first = Log()
    first.result("lost")
    log.lines[1:2] = [first.lines[1]]
    tape = folded(log, tmp_path)
    nodes = [row.node for row in tape.timeline.rows(tape.timeline.events)]
    assert min(balance(tape, nodes)) < 0
    log.event("request/context", {"provider": "p", "model": "m", "contextWindow": 1000})
    rows, why = split(folded(log, tmp_path))
    assert rows == 0
    assert "corrupt" in why
    draft = tape.planner().compact(20, "short", MAKING)
    assert not check(draft, "balanced").ok


def test_what_is_kept_is_counted_in_tokens(tmp_path: Path) -> None:
    planner = folded(long(), tmp_path).planner()
    assert planner.split(3) == planner.split(None)
    assert "retainRatio 0.16" in planner.keeps_by_default()


def test_the_prompt_is_the_rows_without_secrets(tmp_path: Path) -> None:
    log = long()
    log.user("the key is sk-ant-" + "a" * 40)
    tape = folded(log, tmp_path)
    found = tape.planner().prompt(25)
    assert found.text.startswith("[The harness sends")
    assert "prompt 1 " in found.text
    assert "sk-ant-aaaa" not in found.text
    assert (found.unit, found.limit, found.truncated) == ("characters", None, False)
    assert found.length == len(found.text)
    assert "prompt 2 " not in tape.planner().prompt(4).text


def test_a_secret_in_the_arguments_of_a_call_is_hidden_to_its_end(tmp_path: Path) -> None:
    log = long()
    log.turn()
    log.step()
    given = json.dumps({"command": 'export PASSWORD="x y zz9"; ls'})
    log.assistant(call_block("c9", arguments=given))
    tape = folded(log, tmp_path)
    text = tape.planner().prompt(len(tape.timeline.rows(tape.timeline.events))).text
    assert "zz9" not in text
    assert "; ls" in text


def test_a_compaction_makes_a_fork_that_begins_with_it(tmp_path: Path) -> None:
    log = long()
    tape = folded(log, tmp_path)
    draft = tape.planner().compact(20, "All was well.", MAKING)
    assert content(draft).splitlines()[1 : len(log.lines)] == log.lines[1:]
    head = tape.timeline.events
    end, start, told, checkpoint, done = lines(draft)[head + 1 :]
    assert end["type"] == "session/end-seed"
    identity = start["data"]["compactionId"]
    assert start["data"] == done["data"] == {"compactionId": identity, "turn": None}
    numbers = [tape.number(event) for event in _origins(tape)[:20]]
    assert told["data"]["shadowedSeqs"] == numbers
    assert told["data"]["provider"] == "tape-inspector"
    assert told["data"]["model"] == "none"
    assert told["data"]["shadowedTokenCount"] == tape.timeline.tokens(head) - tail(tape, 20)
    assert checkpoint["data"]["source"] == {
        "kind": "plugin",
        "plugin": "compact",
        "compactionId": identity,
    }
    assert checkpoint["sourceEventSeqs"] == [start["seq"], told["seq"], *numbers]
    texts = [block["text"] for block in checkpoint["data"]["content"]]
    assert texts[1:] == ["All was well.", "</compacted-summary>"]
    assert (draft.kept, draft.omitted) == (head, {})
    assert all(one.ok for one in draft.checks)
    rows = surface_texts(made(draft, tmp_path / "made"))
    assert (len(rows), rows[0]) == (5, "All was well.")


def _origins(tape: Tape) -> list[int]:
    timeline = tape.timeline
    return [timeline.surface.nodes.origin(row.node) for row in timeline.rows(timeline.events)]


def test_a_compaction_is_planned_with_a_summary(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    found = planned(tape, Asked(PlanKind.COMPACT, summary="All was well."))
    accounts_for_all(tape, found)
    assert found.is_sound
    assert found.how is How.CREATE
    assert found.compaction is not None
    assert found.compaction.owner[0] == split(tape)[0]


def test_a_fork_of_what_was_compacted_has_its_originals(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    path = made(tape.planner().compact(20, "All was well.", MAKING), tmp_path / "made")
    with opened(path, Options()) as copy:
        again = fork(copy, copy.timeline.events, View.ORIGINALS)
        originals = surface_texts(made(again, tmp_path / "again"))
    assert originals == surface_texts(tape.identity.path)


def test_the_system_prompt_is_never_summarised(tmp_path: Path) -> None:
    log = Log({**HEADER, "version": 4, "isSeeded": False})
    prompt: dict[str, Any] = {
        "id": "s",
        "role": "system",
        "content": [text_block("Be brief.")],
        "source": {"kind": "system-prompt"},
    }
    data = {"turn": 1, "step": 1, "message": prompt}
    log.event("system/message", data, surfaceOp="append")
    for number in range(3):
        log.user(f"prompt {number} {'x' * 400}")
    draft = folded(log, tmp_path).planner().compact(3, "short", MAKING)
    checkpoint = lines(draft)[-2]
    assert checkpoint["surfaceOp"] == {"op": "replace", "startSeq": 1, "endSeq": 2}
    assert checkpoint["data"]["source"]["kind"] == "compact-checkpoint"
    for number in range(12):
        log.user(f"more {number}")
    found = planned(folded(log, tmp_path), Asked(PlanKind.COMPACT, summary="short"))
    assert found.compaction is not None
    assert found.compaction.hides[0] == 1
    path = made(draft, tmp_path / "made")
    assert [text[:8] for text in surface_texts(path)] == ["Be brief", "short", "prompt 2"]


def test_nothing_but_the_system_prompt_is_nothing_to_compact(tmp_path: Path) -> None:
    draft = folded(Log(), tmp_path).planner().compact(0, "short", MAKING)
    assert not check(draft, "smaller").ok
    assert "compaction/start" not in content(draft).decode()


# Checks.


def test_a_summary_that_is_no_smaller_is_said_to_be(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    found = planned(tape, Asked(PlanKind.COMPACT, summary="z" * 9000))
    assert not check(found, "smaller").ok
    assert not found.is_sound


def test_an_open_turn_is_to_be_repaired_first(tmp_path: Path) -> None:
    log = long()
    log.turn(7)
    tape = folded(log, tmp_path)
    found = check(planned(tape, Asked(PlanKind.COMPACT, summary="short")), "open-turn")
    assert (found.ok, found.code) == (False, "OPEN_TURN")


def test_a_call_is_not_cut_from_its_result(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    draft = tape.planner().compact(22, "short", MAKING)
    assert not check(draft, "balanced").ok
    assert check(tape.planner().compact(21, "short", MAKING), "balanced").ok


def test_the_summary_of_a_hostile_file_stays_one_line(tmp_path: Path) -> None:
    tape = folded(long(), tmp_path)
    draft = tape.planner().compact(20, 'a\n{"type":"turn/start"}\n\u2028\x00', MAKING)
    assert len(content(draft).splitlines()) == len(content(draft).split(b"\n")) - 1
    for one in content(draft).splitlines():
        json.loads(one)
    surface_texts(made(draft, tmp_path / "made"))
