"""Every check that is common to all formats, each seen kept and seen broken."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.formats.cutting import WITHIN_TURN
from inspector.formats.logs.rules import TORN_TAIL
from inspector.formats.parts import Said
from inspector.formats.planning import (
    Check,
    Cuts,
    Draft,
    How,
    Stop,
    View,
    Write,
)
from inspector.plans.checking import (
    all_kept,
    of_cut,
    of_head,
    of_tape,
    of_targets,
    of_view,
    without_head,
)
from inspector.timeline.findings import Finding
from inspector.timeline.words import SpanKind
from tests.plans.planners import TARGET, Planned


def tape_of(events: int) -> Planned:
    tape = Planned()
    for _ in range(events):
        tape.human()
    return tape


def told(tape: Planned, at: int, how: How) -> dict[str, Check]:
    return {check.rule: check for check in of_tape(tape.tape, at, how)}


# Where the tape is cut.


def test_each_rule_of_a_cut_is_told_kept_or_broken_with_its_code() -> None:
    cuts = Cuts(
        4,
        [
            (Stop("one", "it is open", "it is shut", "OPEN"), [(1, 3)]),
            (Stop("two", "half of it", "all of it", "HALF"), [(2, 3)]),
        ],
    )
    assert list(of_cut(cuts, 0)) == [
        Check("one", ok=True, message="it is shut"),
        Check("two", ok=True, message="all of it"),
    ]
    assert next(of_cut(cuts, 1)) == Check("one", ok=False, message="it is open", code="OPEN")
    assert [check.code for check in of_cut(cuts, 2)] == ["OPEN", "HALF"]
    assert all(check.blocks for check in of_cut(cuts, 2))


# What the fold says.


def test_all_that_was_read_is_reliable() -> None:
    check = told(tape_of(3), 3, How.CREATE)["reliable"]
    assert check == Check("reliable", ok=True, message="everything up to the cut was read")


def test_behind_damage_a_copy_is_told_and_an_appending_is_stopped() -> None:
    tape = tape_of(3)
    tape.builder.doubt(1)
    assert told(tape, 1, How.APPEND)["reliable"].ok
    for how in How:
        check = told(tape, 2, how)["reliable"]
        assert (check.ok, check.blocks) == (False, how is How.APPEND)
        assert check.message == "the fold went past something unread at cursor 1"


def test_behind_the_place_where_the_fold_stops_nothing_is_known() -> None:
    tape = tape_of(2)
    tape.builder.event = 2
    tape.builder.stop()
    tape.nothing()
    assert told(tape, 2, How.CREATE)["reliable"].ok
    check = told(tape, 3, How.CREATE)["reliable"]
    assert (check.ok, check.blocks) == (False, True)
    assert check.message == "the fold stops at #2: what is behind it is not known"


def test_nothing_is_appended_to_a_torn_tail() -> None:
    tape = tape_of(2)
    assert told(tape, 2, How.APPEND)["torn-tail"].ok
    assert "torn-tail" not in told(tape, 2, How.CREATE)
    tape.found = [Finding(TORN_TAIL, 2, None, "the tape ends inside a record: 9 bytes")]
    check = told(tape, 2, How.APPEND)["torn-tail"]
    assert (check.ok, check.blocks) == (False, True)
    assert check.message.startswith("the tape ends inside a record: 9 bytes: ")


@pytest.mark.parametrize("code", ["torn-tail", "torn-frame", "torn-stream"])
def test_what_is_made_leaves_a_torn_end_behind_and_says_so(code: str) -> None:
    tape = tape_of(2)
    tape.found = [Finding(replace(TORN_TAIL, code=code), 2, None, "it ends inside a record")]
    check = told(tape, 1, How.CREATE)["torn-tail"]
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == "it ends inside a record: it is left behind"


def test_what_was_read_is_told_as_far_as_it_was() -> None:
    tape = tape_of(2)

    def read(*, cut: bool) -> str:
        checks = of_tape(tape.tape, 2, How.CREATE, cut=cut)
        return next(check.message for check in checks if check.rule == "reliable")

    assert read(cut=True) == "everything up to the cut was read"
    assert read(cut=False) == "everything was read"
    tape.found = [Finding(TORN_TAIL, 2, None, "it ends inside a record")]
    assert read(cut=True) == "everything up to the cut was read"
    assert read(cut=False) == "every whole record was read"


# The head of a tape of which another one is made whole.


def at_head(tape: Planned, *drafted: Check, mends: bool = True) -> dict[str, Check]:
    return {check.rule: check for check in of_head(tape.tape, tape.owner, drafted, lambda: mends)}


def test_nothing_is_going_on_at_a_head() -> None:
    found = at_head(tape_of(2))
    assert all(check.ok for check in found.values())
    assert list(found) == ["open-turn", "unanswered-calls"]


def test_an_open_turn_at_the_head_forbids_it_with_the_owners_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tape = tape_of(2)
    stop = WITHIN_TURN._replace(code="OPEN_TURN")
    within = Cuts(2, [(stop, [(1, 9)])])
    monkeypatch.setattr(tape.owner, "cuts", lambda _kind, _how: within)
    check = at_head(tape)["open-turn"]
    assert (check.ok, check.blocks, check.code) == (False, True, "OPEN_TURN")
    assert check.message == "a turn is open: see repair"
    # Nobody is sent where there is nothing to repair.
    check = at_head(tape, mends=False)["open-turn"]
    assert check.message == "a turn is open, which no repair ends"
    said = Check("open-turn", ok=False, message="repair it", blocks=False)
    assert at_head(tape, said)["open-turn"] == said._replace(blocks=True)


def test_a_call_that_waits_at_the_head_is_told_and_forbids_nothing() -> None:
    tape = tape_of(1)
    tape.call("one")
    check = at_head(tape)["unanswered-calls"]
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == "1 call waits for a result, the first of #1: see repair"
    check = at_head(tape, mends=False)["unanswered-calls"]
    assert check.message == "1 call waits for a result, the first of #1"
    said = Check("unanswered-calls", ok=False, message="it is closed", blocks=True)
    assert at_head(tape, said)["unanswered-calls"] == said._replace(blocks=False)


def test_an_owner_without_a_rule_about_turns_is_not_said_to_have_none_open() -> None:
    tape = tape_of(2)
    assert at_head(tape)["open-turn"].message == "no turn is open"
    tape.opens(SpanKind.TURN, "one", Said("go on"))
    check = at_head(tape)["open-turn"]
    assert check.ok
    assert check.message == "whether a turn is open is not asked: the owner has no rule about turns"


def test_what_a_format_says_of_the_head_is_not_said_twice() -> None:
    mine = Check("lineage", ok=True, message="so")
    both = (Check("open-turn", ok=True, message="none"), mine)
    assert without_head(both) == (mine,)


# The rest.


def test_a_view_can_be_given_or_says_why_not() -> None:
    assert of_view(View.AS_OF, None) == Check("view", ok=True, message="as-of can be given")
    check = of_view(View.COMPACTED, "it leaks")
    assert (check.ok, check.blocks, check.message) == (False, True, "compacted cannot be given")


def test_a_target_that_stands_there_is_never_written_over() -> None:
    planner = tape_of(1).planner()
    other = Path("/somewhere/other.jsonl")
    draft = Draft(
        (
            Write(TARGET, How.CREATE, lambda: iter(())),
            Write(other, How.CREATE, lambda: iter(())),
            Write(other, How.APPEND, lambda: iter(())),
        ),
        1,
    )
    free, taken = of_targets(planner, draft, lambda path: path == other)
    assert free == Check("target", ok=True, message=f"{TARGET} is free")
    assert taken == Check("target", ok=False, message=f"{other} exists already", code="EXISTS")


def test_what_does_not_block_leaves_a_plan_sound() -> None:
    kept = Check("one", ok=True, message="")
    told_only = Check("two", ok=False, message="", blocks=False)
    broken = Check("three", ok=False, message="")
    assert all_kept([])
    assert all_kept([kept, told_only])
    assert not all_kept([kept, told_only, broken])
