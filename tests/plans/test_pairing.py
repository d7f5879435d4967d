"""Calls and results that stand apart: by ids and pairs, for tapes that log them in every way."""

from typing import cast

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Result, Said
from inspector.formats.planning import Unpaired
from inspector.plans.checking import of_pairs
from inspector.plans.pairing import apart
from inspector.timeline.words import Kind, Outcome, Reason, Role, SpanKind
from tests.lenses.handmade import Handmade
from tests.plans.planners import Planned


def found(tape: Planned, nodes: tuple[int, ...] | None = None) -> tuple[list[int], ...]:
    """The events of orphans, strays and danglers."""
    told = apart(tape.tape, tape.rows if nodes is None else nodes)
    return tuple(tape.events(some) for some in told)


def test_a_whole_surface_is_paired() -> None:
    tape = Planned()
    tape.human()
    tape.call("one", "two")
    tape.result("two")
    tape.result("one")
    tape.assistant()
    assert found(tape) == ([], [], [])
    (check,) = of_pairs(tape.tape, tape.rows)
    assert check.ok


def test_a_call_at_the_head_without_a_result_dangles() -> None:
    tape = Planned()
    tape.human()
    tape.call("one", "two")
    tape.result("two")
    assert found(tape) == ([], [], [1])
    (check,) = of_pairs(tape.tape, tape.rows)
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == (
        "1 row makes a call without a result (what the owner does of it: see repair), the first "
        "of #1"
    )


def test_a_call_in_the_middle_that_was_interrupted_dangles() -> None:
    tape = Planned()
    tape.row(Role.ASSISTANT, Kind.MESSAGE, Said("let me see"), Call("one", "bash"))
    tape.call("one", rows=False)
    tape.closes(SpanKind.TOOL_CALL, "one", outcome=Outcome.INTERRUPTED)
    tape.human()
    tape.assistant()
    assert found(tape) == ([], [], [0])


def test_a_call_whose_end_is_told_beside_the_surface_is_answered() -> None:
    tape = Planned()
    # The message holds the call and its answer, and the journal only tells when it was over.
    tape.row(Role.ASSISTANT, Kind.TOOL_CALL, Call("one", "bash"), Result("one", "ok"), details=None)
    tape.opens(SpanKind.TOOL_CALL, "one")
    tape.closes(SpanKind.TOOL_CALL, "one")
    assert found(tape) == ([], [], [])


def test_a_call_that_was_never_told_apart_from_its_message_dangles() -> None:
    tape = Planned()
    tape.row(Role.ASSISTANT, Kind.MESSAGE, Said("let me see"), Call("one", "bash"))
    assert found(tape) == ([], [], [0])


def test_a_call_that_is_logged_apart_dangles_in_its_message() -> None:
    tape = Planned()
    tape.row(Role.ASSISTANT, Kind.MESSAGE, Said("both"), Call("one", "bash"), Call("two", "bash"))
    tape.call("one", rows=False)
    tape.call("two", rows=False)
    tape.result("one")
    assert found(tape) == ([], [], [0])
    tape.result("two")
    assert found(tape) == ([], [], [])


def test_a_result_that_was_cut_still_answers() -> None:
    tape = Planned()
    tape.human()
    tape.call("one")
    tape.result("one")
    event = tape.timeline.events
    tape.builder.event = event
    (_, _, node) = tape.builder.sequence()
    tape.builder.replace(
        [node],
        Reason.PRUNED,
        Role.TOOL,
        Kind.TOOL_RESULT,
        1,
        {"sources": [range(2, 3)]},
    )
    tape.nothing()
    assert found(tape) == ([], [], [])


def test_a_summary_that_names_a_call_does_not_hold_it() -> None:
    tape = Planned()
    tape.call("one")
    tape.result("one")
    tape.builder.event = tape.timeline.events
    tape.builder.replace(
        [tape.builder.sequence()[0]],
        Reason.COMPACTED,
        Role.SUMMARY,
        Kind.SUMMARY,
        1,
        {"sources": [range(1)]},
    )
    tape.nothing()
    assert found(tape) == ([1], [], [])


def test_calls_without_ids_are_answered_by_results_without() -> None:
    tape = Planned()
    tape.row(Role.ASSISTANT, Kind.TOOL_CALL, Call(None, "bash"))
    assert found(tape) == ([], [], [0])
    tape.row(Role.TOOL, Kind.TOOL_RESULT, Result(None, "ok"))
    tape.builder.pair(0, 1)
    assert found(tape) == ([], [], [])


def test_a_result_without_its_call_is_the_plans_doing_or_stood_so() -> None:
    tape = Planned()
    tape.human()
    tape.call("one")
    tape.result("one")
    nodes = (tape.rows[0], tape.rows[2])
    assert found(tape, nodes) == ([2], [], [])
    (made,) = of_pairs(tape.tape, nodes, tape.rows)
    assert (made.ok, made.blocks) == (False, True)
    assert made.message == "1 result stands without a call, the first of #2"
    (stood,) = of_pairs(tape.tape, nodes, tape.rows, nodes)
    assert (stood.ok, stood.blocks) == (False, False)
    assert stood.message == "1 result stands without a call there already, the first of #2"


def test_a_result_of_a_call_that_nobody_made_is_a_stray() -> None:
    tape = Planned()
    tape.human()
    tape.result("nobody's")
    assert found(tape) == ([], [1], [])
    (check,) = of_pairs(tape.tape, tape.rows)
    assert not check.blocks


def test_only_few_events_are_read() -> None:
    tape = Planned()
    for at in range(200):
        tape.call(f"call {at}")
        tape.result(f"call {at}")
    tape.reads.clear()
    assert found(tape) == ([], [], [])
    assert len(tape.reads) <= 4


def test_the_first_event_is_a_call_like_any_other() -> None:
    tape = Planned()
    tape.call("one")
    tape.result("one")
    assert found(tape) == ([], [], [])
    assert found(tape, (tape.rows[1],)) == ([1], [], [])


def test_a_handmade_tape_is_enough() -> None:
    tape = Handmade()
    tape.human()
    assert apart(cast(Tape, tape), ()) == ([], [], [])


# A rule of the owner's.


def test_a_result_may_stand_before_its_call_where_the_format_pairs_them() -> None:
    tape = Planned()
    tape.result("one")
    tape.human()
    tape.call("one")
    assert found(tape)[1:] == ([0], [2])
    tape.builder.timeline.pairs.add(2, 0)
    assert found(tape) == ([], [], [])


def test_an_owners_own_rule_is_asked() -> None:
    tape = Planned()
    tape.call("one")
    tape.result("two")
    call, result = tape.rows
    tape.owner.alone = Unpaired([result], [call])
    assert found(tape) == ([1], [], [0])
    there, made = (list(of_pairs(tape.tape, tape.rows, *before)) for before in ([tape.rows], []))
    assert [check.blocks for check in there] == [False, False]
    assert [check.blocks for check in made] == [True, False]
