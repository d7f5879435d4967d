"""What folding a log costs, counted in calls and not timed: four times the log, four times that."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.formats.codex import tapes
from tests.formats.codex.tapes import (
    Record,
    answer,
    call,
    compacted,
    context,
    done,
    heard,
    message,
    output,
    rolled_back,
    started,
    summarised,
    turn,
    user,
)

Shape = Callable[[int], Iterator[Record]]

FEW, MANY = 60, 240
CALLS_OF_OPENING = 2_000
"""That a log of any length costs."""


def summaries(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        yield from (user(f"q{at}"), answer("a"), summarised(f"S{at}"))


def summaries_taken_back(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        yield from (user(f"q{at}"), summarised(f"S{at}"), rolled_back(1))


def summaries_of_nothing(rounds: int) -> Iterator[Record]:
    yield from (user("") for _ in range(rounds))
    yield from (summarised("") for _ in range(rounds))


def summaries_without_room(rounds: int) -> Iterator[Record]:
    yield user("x" * 80_000)
    for at in range(rounds):
        yield from (user("some", f"parts {at}"), answer("a"), summarised(f"S{at}"))


def summaries_and_compactions(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        kept = message("user", f"q{at}")
        yield from (user(f"q{at}"), summarised("s"), compacted(kept, message("user", "S")))


def compactions(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        yield from turn(f"t{at}", user(f"q{at}"), answer("a"), compacted(message("user", "S")))


def compactions_taken_back(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        yield from turn(f"t{at}", user(f"q{at}"), compacted(message("user", f"S{at}")))
        yield rolled_back(1)


def compactions_lost(rounds: int) -> Iterator[Record]:
    yield user("q")
    for at in range(rounds):
        yield from (rolled_back(1), compacted(message("user", f"S{at}")), user("q"))


def turns_that_are_only_heard(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        said = (heard("x"), compacted(message("user", f"S{at}")), user("k"))
        yield from turn(f"t{at}", *said)
        yield rolled_back(2)


def settings_of_other_turns(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        yield from (started(f"t{at}"), user("k"), compacted(message("user", f"S{at}")))
        yield from (context("t0"), rolled_back(1), context(f"t{at}"), done(f"t{at}"))


def summaries_behind_what_is_undone(rounds: int) -> Iterator[Record]:
    for at in range(rounds):
        said = (user("a"), summarised("s"), compacted(message("user", "q")))
        yield from turn(f"t{at}", *said)
        yield from (rolled_back(1), user("b"), summarised("z"))


def outputs_that_answer_nothing(rounds: int) -> Iterator[Record]:
    yield from (output(f"c{at}") for at in range(2 * rounds))


def calls_answered_backwards(rounds: int) -> Iterator[Record]:
    yield from (call(f"c{at}") for at in range(rounds))
    yield from (output(f"c{at}") for at in reversed(range(rounds)))


SHAPES: tuple[Shape, ...] = (
    summaries,
    summaries_taken_back,
    summaries_of_nothing,
    summaries_without_room,
    summaries_and_compactions,
    compactions,
    compactions_taken_back,
    compactions_lost,
    turns_that_are_only_heard,
    settings_of_other_turns,
    outputs_that_answer_nothing,
    calls_answered_backwards,
)


def cost(folder: Path, records: Iterator[Record]) -> int:
    """The calls, of builtins too, that folding a log takes."""
    everything = tapes.text([tapes.meta(), *records])
    tape = tapes.over(folder / "rollout.jsonl", everything)
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        while tape.advance():
            pass
    finally:
        sys.setprofile(before)
    assert tape.timeline.stopped_at is None
    return calls


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_longer_log_costs_as_much_a_record(tmp_path: Path, shape: Shape) -> None:
    few, many = cost(tmp_path, shape(FEW)), cost(tmp_path, shape(MANY))
    assert many < 4.6 * few + CALLS_OF_OPENING


def test_summaries_need_no_replaying_however_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.formats.codex.history._WORK", 0)
    monkeypatch.setattr("inspector.formats.codex.history._WORK_PER_EVENT", 0)
    tape = tapes.folded(tmp_path, *summaries_taken_back(30), *summaries(30))
    assert tape.timeline.stopped_at is None
    assert tapes.texts(tape)[-1] == "S29"
    assert len(tapes.texts(tape)) == 30 + 2 * 30


def test_a_history_that_comes_back_time_and_again_is_one_run(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *summaries_behind_what_is_undone(40))
    assert tape.timeline.stopped_at is None
    # Each round hides the history and brings it back.
    assert len(tape.timeline.surface.runs.born) <= 2 * 40


def test_a_history_that_comes_back_too_often_stops_the_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.formats.codex.history._WORK", 4_000)
    monkeypatch.setattr("inspector.formats.codex.history._WORK_PER_EVENT", 0)
    tape = tapes.folded(tmp_path, *summaries_behind_what_is_undone(60))
    assert tapes.codes(tape).count("too-much-replay") == 1
    stopped = tape.timeline.stopped_at
    assert stopped is not None
    before = tapes.texts(tape, stopped)
    assert tapes.texts(tape) == before
