"""What crash repair would append (format page 5, rules page F)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options
from inspector.formats.dsh.closing import NOT_STARTED, UNKNOWN_OUTCOME, Closer, closers
from inspector.formats.dsh.reading import DshTape
from inspector.formats.opening import open_tape
from tests.dsh_tapes import Json, Log, assistant_data, call_block, folded, result_data
from tests.folding import fold_on

Told = tuple[str, Any]


def answer(*calls: Any, step: Any = 1) -> Told:
    blocks = [{**call_block("c"), "id": call} for call in calls]
    return "assistant/message", assistant_data(*blocks) | {"step": step}


def call(name: Any) -> Told:
    return "tool/call", {"turn": 1, "step": 1, "callId": name}


def result(name: str) -> Told:
    return "tool/result", result_data(name)


def turn(number: Any = 1) -> Told:
    return "turn/start", {"turn": number}


def step(number: Any = 1) -> Told:
    return "step/start", {"turn": 1, "step": number}


STEP_END: Told = ("step/end", {"turn": 1, "step": 1})
TURN_END: Told = ("turn/end", {"turn": 1, "reason": {"kind": "completed"}})


def repair(*told: Told) -> list[Closer]:
    return closers((number, kind, {"data": data}) for number, (kind, data) in enumerate(told))


def calls(*told: Told) -> list[tuple[Any, Any, int | None]]:
    """Call, step and number of the recorded call of each result."""
    found = [closer for closer in repair(*told) if closer.kind == "tool/result"]
    return [(closer.call, closer.step, closer.recorded) for closer in found]


def kinds(*told: Told) -> list[str]:
    return [closer.kind for closer in repair(*told)]


def test_a_closed_turn_needs_nothing() -> None:
    assert repair() == []
    assert repair(turn(), step(), answer("a"), result("a"), STEP_END, TURN_END) == []
    assert repair(step(), answer("a"), call("a")) == []


def test_results_then_the_step_then_the_turn() -> None:
    assert repair(turn(7), step(3), answer("a", "b", step=3), call("b")) == [
        Closer("tool/result", call="a", step=3),
        Closer("tool/result", call="b", step=3, recorded=3),
        Closer("step/end", step=3, turn=7),
        Closer("turn/end", turn=7),
    ]


def test_what_is_not_open_is_not_closed() -> None:
    assert kinds(turn()) == ["turn/end"]
    assert kinds(turn(), step()) == ["step/end", "turn/end"]
    assert kinds(turn(), step(), STEP_END) == ["turn/end"]
    assert kinds(turn(), step(), answer("a"), result("a")) == ["step/end", "turn/end"]


def test_a_call_that_was_recorded_has_an_unknown_outcome_and_another_was_not_started() -> None:
    first, second, *_ = repair(turn(), answer("a", "b"), call("a"))
    assert (first.error, second.error) == (UNKNOWN_OUTCOME, NOT_STARTED)
    assert repair(turn())[0].error is None


def test_the_order_is_that_of_the_blocks_and_not_of_the_calls() -> None:
    told = (turn(), answer("a", "b"), call("b"), call("a"))
    assert calls(*told) == [("a", 1, 3), ("b", 1, 2)]


def test_an_id_again_keeps_its_place_takes_the_new_step_and_forgets_its_call() -> None:
    told = (turn(), answer("a", "b"), call("a"), answer("a", step=2))
    assert calls(*told) == [("a", 2, None), ("b", 1, None)]
    assert calls(*told, call("a")) == [("a", 2, 4), ("b", 1, None)]
    assert calls(turn(), answer("a", "b", "a"), call("a")) == [("a", 1, 2), ("b", 1, None)]


def test_of_several_calls_of_one_id_the_last_is_cited() -> None:
    assert calls(turn(), answer("a"), call("a"), call("a")) == [("a", 1, 3)]


def test_a_call_before_its_message_counts_as_not_started() -> None:
    assert calls(turn(), call("a"), answer("a")) == [("a", 1, None)]


def test_a_call_without_a_block_is_nothing() -> None:
    assert kinds(turn(), call("a")) == ["turn/end"]


def test_a_message_that_replaces_another_registers_its_calls_again() -> None:
    assert calls(turn(), answer("a"), call("a"), result("a"), answer("a")) == [("a", 1, None)]


def test_a_step_without_its_end_does_not_clear_calls() -> None:
    told = (turn(), step(1), answer("a"), call("a"), step(2))
    assert calls(*told) == [("a", 1, 3)]
    assert [closer.step for closer in repair(*told) if closer.kind == "step/end"] == [2]
    assert calls(*told, STEP_END) == []


def test_of_nested_turns_the_last_is_closed() -> None:
    told = (turn(1), step(), answer("a"), call("a"), turn(2))
    assert repair(*told) == [Closer("turn/end", turn=2)]


def test_calls_before_the_turn_are_forgotten() -> None:
    assert calls(answer("a"), call("a"), turn()) == []


@pytest.mark.parametrize("kind", ["session/end-seed", "compaction/start", "user/message"])
def test_nothing_else_closes_or_opens_anything(kind: str) -> None:
    told = (turn(), step(), answer("a"), call("a"))
    assert repair(*told, (kind, {})) == repair(*told)


@pytest.mark.parametrize("name", ["", None, 7, ["a"], {}, True])
def test_a_call_without_a_name_makes_a_closer_that_the_owner_refuses(name: Any) -> None:
    assert [closer.sound for closer in repair(turn(), answer(name))] == [False, True]
    assert all(closer.sound for closer in repair(turn(), answer("a")))


def test_names_of_other_types_are_other_names() -> None:
    assert [found[0] for found in calls(turn(), answer(1, "1", True, None, 1.0))] == [
        1.0,
        "1",
        True,
        None,
    ]


def test_a_turn_without_a_number_is_closed_without_one() -> None:
    assert repair(("turn/start", {})) == [Closer("turn/end", turn=None)]


@pytest.mark.parametrize("data", [None, [], 7, "x"])
def test_data_of_any_shape_closes_and_opens_what_its_type_says(data: Any) -> None:
    assert kinds(("turn/start", data), ("step/start", data)) == ["step/end", "turn/end"]
    told = (turn(), step(), ("assistant/message", data), ("tool/call", data), ("tool/result", data))
    assert kinds(*told) == ["step/end", "turn/end"]


# On a tape.


def closed(log: Log, tmp_path: Path, cursor: int | None = None) -> list[str]:
    tape = folded(log, tmp_path)
    assert isinstance(tape, DshTape)
    return [closer.kind for closer in tape.closers(cursor)]


def test_a_call_that_a_compaction_shadowed_is_still_closed(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    asked = log.assistant(call_block("a"))
    log.checkpoint(asked, asked, [asked])
    assert closed(log, tmp_path) == ["tool/result", "turn/end"]


def test_a_tape_tells_what_would_be_appended_at_any_cursor(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step()
    log.assistant(call_block("a"))
    log.call("a")
    log.result("a")
    log.step_end()
    log.turn_end()
    results, ends = ["tool/result"], ["step/end", "turn/end"]
    assert [closed(log, tmp_path, cursor) for cursor in range(8)] == [
        [],
        ["turn/end"],
        ends,
        results + ends,
        results + ends,
        ends,
        ["turn/end"],
        [],
    ]


def test_only_the_last_turn_is_looked_at(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.assistant(call_block("lost"))
    log.turn_end()
    log.turn(2)
    log.step(turn=2)
    assert closed(log, tmp_path) == ["step/end", "turn/end"]


def test_an_answer_of_the_old_shape_opens_its_calls_too(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    old: Json = {"content": [call_block("a")], "provenance": {"provider": "p", "model": "m"}}
    log.event("assistant/message", {"turn": 1, "step": 1, **old}, surfaceOp="append")
    assert closed(log, tmp_path) == ["tool/result", "turn/end"]


def test_of_a_growing_turn_only_what_is_new_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log()
    log.turn()
    log.assistant(*(call_block(f"c{number}") for number in range(200)))
    for number in range(200):
        log.call(f"c{number}")
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    tape = open_tape(path, Options())
    read: list[int] = []
    payload = DshTape.payload

    def counted(tape: DshTape, event: int) -> dict[str, Any]:
        read.append(event)
        return payload(tape, event)

    monkeypatch.setattr(DshTape, "payload", counted)
    fold_on(tape)
    assert tape.verdict().opens is True
    assert len(read) == 202
    read.clear()
    for number in range(3):
        with path.open("ab") as file:
            log.result(f"c{number}")
            file.write(log.lines[-1] + b"\n")
        fold_on(tape)
        assert tape.verdict().opens is True
    assert len(read) == 3
    assert isinstance(tape, DshTape)
    assert len(tape.closers()) == 200 - 3 + 1
    tape.close()
