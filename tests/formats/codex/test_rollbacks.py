"""Rollbacks: what they take back, what they undo, and what is said of it (RULES R1 and R4)."""

from pathlib import Path

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.timeline.words import Visibility
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, compacted, heard, message, rolled_back, turn, user


def two_turns() -> list[tapes.Record]:
    return [*turn("t1", user("q1"), answer("a1")), *turn("t2", user("q2"), answer("a2"))]


def at(tape: CodexTape, event: int) -> tuple[Visibility, int | None]:
    return tape.timeline.visibility(event, tape.timeline.events)


def test_what_is_taken_back_is_rewound_by_the_rollback(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *two_turns(), rolled_back(1))
    assert tapes.texts(tape) == ["q1", "a1"]
    assert at(tape, 5) == at(tape, 6) == (Visibility.REWOUND, 8)
    assert tapes.codes(tape) == []


def test_context_above_the_cut_goes_with_it(tmp_path: Path) -> None:
    environment = "<environment_context>here</environment_context>"
    records = [
        *turn("t1", user("q1"), answer("a1")),
        *turn("t2", user(environment), user("q2"), answer("a2")),
        rolled_back(1),
    ]
    assert tapes.texts(tapes.folded(tmp_path, *records)) == ["q1", "a1"]


def test_a_rollback_of_more_than_there_is_says_so(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *two_turns(), rolled_back(5))
    assert tapes.texts(tape) == []
    assert tapes.codes(tape) == ["deep-rollback"]


def test_a_rollback_of_nothing_says_so(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, rolled_back(1))
    assert tapes.codes(tape) == ["empty-rollback"]


@pytest.mark.parametrize("turns", [1.0, "1", -1, None, 2**32, True])
def test_a_number_of_turns_that_is_none_is_ignored(tmp_path: Path, turns: object) -> None:
    tape = tapes.folded(tmp_path, *two_turns(), rolled_back(turns))
    assert tapes.texts(tape) == ["q1", "a1", "q2", "a2"]
    assert tapes.codes(tape) == ["bad-rollback"]


def test_taking_back_a_turn_undoes_its_compaction(tmp_path: Path) -> None:
    compaction = compacted(message("user", "sum"))
    records = [
        *turn("t1", user("q1"), answer("a1")),
        *turn("t2", heard("q2"), user("q2"), compaction, answer("a2")),
        rolled_back(1),
    ]
    tape = tapes.folded(tmp_path, *records)
    assert tapes.texts(tape, 9) == ["sum", "a2"]
    assert tapes.texts(tape) == ["q1", "a1"]
    assert tapes.codes(tape) == ["undone-compaction"]
    found = next(iter(tape.findings()))
    assert found.message.startswith("undoes the compaction #7")


def test_the_end_of_another_turn_is_ignored(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, tapes.started("t1"), user("q1"), tapes.done("t9"))
    assert tapes.codes(tape) == ["other-turn"]


def test_settings_of_a_turn_that_did_not_begin_swallow_what_stands_before(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *turn("t1", user("q1")), tapes.context("t9"), user("q2"))
    assert tapes.codes(tape) == ["swallowed-turns"]


def test_rollbacks_that_undo_one_another_for_ever_stop_the_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.formats.codex import history

    monkeypatch.setattr(history, "_WORK", 20)
    monkeypatch.setattr(history, "_WORK_PER_EVENT", 0)
    records = [*turn("t0", user("q"), *(answer(f"a{at}") for at in range(20)))]
    for number in range(1, 20):
        one = compacted(message("user", f"sum {number}"))
        records += [*turn(f"t{number}", user("again"), one), rolled_back(1)]
    tape = tapes.folded(tmp_path, *records)
    assert "too-much-replay" in tapes.codes(tape)
    stopped = tape.timeline.stopped_at
    assert stopped is not None
    assert at(tape, len(records) - 1)[0] is Visibility.NOT_APPLIED
