"""Calls, statuses that are set anew by id, approvals and results."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.parts import Call, Result
from inspector.formats.reina.reading import ReinaTape
from inspector.lenses.transcript import Entry, Transcript
from inspector.plans.changes import not_undone
from inspector.timeline.words import Mark, Outcome, SpanKind, Visibility
from tests.formats.reina.sessions import (
    answer,
    call,
    codes,
    compacted,
    log,
    messages,
    result,
    session,
    spans,
    status,
    user,
)
from tests.plans import laws

CALL, APPROVAL = SpanKind.TOOL_CALL, SpanKind.APPROVAL


@pytest.mark.parametrize(
    ("word", "outcome"), [("completed", "ok"), ("failed", "failed"), ("rejected", "rejected")]
)
def test_a_call_ends_as_its_record_says(tmp_path: Path, word: str, outcome: str) -> None:
    tape = session(log(user(), call("c1"), status("c1", word), result("c1")), tmp_path)
    assert spans(tape, CALL) == [(2, 3, outcome, word)]
    assert tape.timeline.pairs.call_of(3) == 1
    assert tape.tells_end(3)
    assert bool(tape.timeline.marks.events(Mark.ERROR)) == (word != "completed")


def test_a_record_is_set_anew_by_its_id_and_an_approval_is_awaited_meanwhile(
    tmp_path: Path,
) -> None:
    words = ["pending_approval", "running", "completed"]
    tape = session(
        log(user(), call("c1"), *(status("c1", word) for word in words), result("c1")), tmp_path
    )
    assert spans(tape, APPROVAL) == [(3, 4, "ok", "running")]
    assert spans(tape, CALL) == [(2, 5, "ok", "completed")]
    assert tape.asked_about(2) == "c1"
    assert tape.asked_about(3) is None
    assert tape.timeline.spans[APPROVAL].at(0, 3).outcome.label == "awaiting approval"


def test_what_is_rejected_was_not_approved(tmp_path: Path) -> None:
    tape = session(
        log(call("c1"), status("c1", "pending_approval"), status("c1", "rejected")), tmp_path
    )
    assert spans(tape, APPROVAL) == [(2, 3, "rejected", "rejected")]
    assert spans(tape, CALL) == [(1, 3, "rejected", "rejected")]


def test_a_record_without_a_status_leaves_it(tmp_path: Path) -> None:
    update = {"type": "tool_call", "record": {"id": "c1", "outputPath": ".reina/tool_outputs/c1"}}
    tape = session(log(call("c1"), status("c1", "failed"), update, result("c1")), tmp_path)
    assert spans(tape, CALL) == [(1, 2, "failed", "failed")]


def test_no_text_tells_how_a_call_ended(tmp_path: Path) -> None:
    tape = session(log(call("c1"), result("c1", "Error: it failed")), tmp_path)
    assert spans(tape, CALL) == [(1, 2, "unknown", "no record says how it ended")]
    assert not tape.tells_end(1)
    answered = tape.parts(1)[0]
    assert isinstance(answered, Result)
    assert answered.failed is None


def test_a_status_behind_the_result_counts_while_the_call_is_said_to_run(tmp_path: Path) -> None:
    tape = session(
        log(call("c1"), status("c1", "running"), result("c1"), status("c1", "failed")), tmp_path
    )
    assert spans(tape, CALL) == [(1, 4, "failed", "failed")]


def test_a_status_behind_the_result_counts_also_when_the_call_is_over(tmp_path: Path) -> None:
    tape = session(
        log(user(), call("c1"), result("c1"), answer(), status("c1"), status("c1", "failed")),
        tmp_path,
    )
    table = tape.timeline.spans[CALL]
    told = [(table.at(0, cursor).outcome.label, table.at(0, cursor).word) for cursor in (3, 5, 6)]
    assert told == [
        ("unknown", "no record says how it ended"),
        ("ok", "completed"),
        ("failed", "failed"),
    ]
    assert spans(tape, CALL) == [(2, 3, "failed", "failed")]
    assert [{one.label: n for one, n in table.ended(at).items()} for at in (4, 5, 6)] == [
        {"unknown": 1},
        {"ok": 1},
        {"failed": 1},
    ]
    assert table.opened_or_closed_by(5) == [0]
    assert tape.tells_end(2)


def test_a_second_result_and_one_behind_other_messages_are_told(tmp_path: Path) -> None:
    tape = session(
        log(call("a", "b"), result("a"), result("a"), user("go on"), result("b")), tmp_path
    )
    assert codes(tape) == ["second-result", "displaced-result"]
    assert list(tape.timeline.pairs.all()) == [(0, 1), (0, 4)]


def test_settled_is_where_every_call_has_its_result(tmp_path: Path) -> None:
    tape = session(log(user(), call("a", "b"), status("a"), result("a"), result("b")), tmp_path)
    assert [tape.timeline.settled.at(cursor) for cursor in range(6)] == [
        *(True, True),
        *(False, False, False),
        True,
    ]


def test_a_call_without_a_result_is_interrupted_when_the_next_turn_begins(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1"), status("c1", "running"), user("again")), tmp_path)
    why = "no result when its turn was over, its status was running"
    assert spans(tape, CALL) == [(2, 4, "interrupted", why)]
    assert tape.timeline.settled.at(4)


def test_ids_that_come_again_are_told_apart_by_order(tmp_path: Path) -> None:
    tape = session(
        log(call("c1"), status("c1", "failed"), result("c1"), call("c1"), result("c1")), tmp_path
    )
    assert spans(tape, CALL) == [
        (1, 2, "failed", "failed"),
        (4, 5, "unknown", "no record says how it ended"),
    ]
    assert tape.timeline.pairs.call_of(4) == 3


def test_a_record_before_its_message_is_of_the_same_call(tmp_path: Path) -> None:
    tape = session(log(status("c1", "running"), call("c1"), status("c1"), result("c1")), tmp_path)
    assert spans(tape, CALL) == [(1, 3, "ok", "completed")]


def test_a_result_without_a_call_is_told(tmp_path: Path) -> None:
    tape = session(log(user(), result("lost"), result(None)), tmp_path)
    assert codes(tape) == ["orphan-result", "orphan-result"]


@pytest.mark.parametrize("identity", [None, 7, "", ["x"]])
def test_a_call_without_an_id_is_over_at_once(tmp_path: Path, identity: Any) -> None:
    tape = session(log(call(identity)), tmp_path)
    why = "it has no id: no result can be told for its own"
    assert spans(tape, CALL) == [(1, 1, "unknown", why)]
    assert tape.timeline.settled.at(1)


@pytest.mark.parametrize("record", [None, [], {}, {"id": 7}, {"status": "failed"}])
def test_a_record_of_no_call_is_told(tmp_path: Path, record: Any) -> None:
    tape = session(log({"type": "tool_call", "record": record}), tmp_path)
    assert codes(tape) == ["bad-record"]


def test_an_update_that_holds_a_record_is_taken_for_one(tmp_path: Path) -> None:
    update = {"type": "tool_update", "record": {"id": "c1", "status": "failed"}}
    more = {"type": "tool_update", "chunk": "x"}
    tape = session(log(call("c1"), update, more, result("c1")), tmp_path)
    assert spans(tape, CALL) == [(1, 2, "failed", "failed")]
    assert codes(tape) == []


def test_arguments_that_are_no_json_stay_a_text(tmp_path: Path) -> None:
    tape = session(log(call("c1", arguments='{"command":"rm'), result("c1")), tmp_path)
    made = tape.parts(0)[0]
    assert isinstance(made, Call)
    assert made.arguments == '{"command":"rm'
    assert tape.sections(0)[0].text == '{"command":"rm'
    assert messages(tape, "broken-arguments") == ["the arguments of a call are no JSON: c1"]
    assert codes(tape) == ["broken-arguments"]


def test_turns_run_from_a_person_to_the_answer(tmp_path: Path) -> None:
    tape = session(
        log(
            user(),
            call("c1"),
            result("c1"),
            user("自动纠偏触发：again"),
            answer(),
            user("two"),
            user("three"),
        ),
        tmp_path,
    )
    assert spans(tape, SpanKind.TURN) == [
        (1, 5, "ok", None),
        (6, 7, "unknown", None),
        (7, None, "running", None),
    ]


# A record that stands before the message which makes the call.


def entries(tape: ReinaTape, cursor: int | None = None) -> list[Entry]:
    return Transcript(tape).entries(tape.timeline.events if cursor is None else cursor)


def test_a_card_whose_record_stands_first_is_told_by_its_message_and_its_result(
    tmp_path: Path,
) -> None:
    arguments = '{"command":"ls","timeout":7}'
    made = call("c1", arguments=arguments, content="I will look")
    tape = session(
        log(user(), status("c1", "running"), made, status("c1"), result("c1", "THE-OUTPUT")),
        tmp_path,
    )
    _, record, answered = entries(tape)
    card = record.card
    assert card is not None
    assert (card.name, card.title, card.arguments) == ("bash", "ls", (("timeout", "7"),))
    assert (card.result, card.call, card.answer) == ("THE-OUTPUT", 2, 4)
    assert (card.id, card.ending.outcome) == ("c1", Outcome.OK)
    assert record.visibility is Visibility.VISIBLE
    assert (answered.text, answered.children) == ("I will look", ())
    # Before the message comes only the record tells of it.
    (_, early) = entries(tape, 2)
    assert early.card is not None
    assert (early.card.result, early.card.answer) == (None, None)


def test_a_message_that_only_makes_calls_told_before_is_no_entry_of_its_own(
    tmp_path: Path,
) -> None:
    tape = session(
        log(status("a"), status("b"), call("a", "b"), result("b", "B"), result("a", "A")), tmp_path
    )
    cards = [entry.card for entry in entries(tape)]
    assert [(card.id, card.result) for card in cards if card is not None] == [
        ("a", "A"),
        ("b", "B"),
    ]
    assert len(cards) == 2
    assert Transcript(tape).place(2, 5) == 0


def test_of_two_calls_of_a_message_each_is_told_once(tmp_path: Path) -> None:
    tape = session(
        log(status("a"), call("a", "b", "a"), result("a", "A"), result("b", "B")), tmp_path
    )
    first, second = entries(tape)
    told = [first.card, *(child.card for child in second.children)]
    assert [card.id for card in told if card is not None] == ["a", "b", "a"]


@pytest.mark.parametrize("records", [True, False])
def test_a_plan_tells_of_a_call_once_whichever_of_its_lines_comes_first(
    tmp_path: Path, records: bool
) -> None:
    made = [status("c1", "running"), call("c1", arguments='{"command":"touch y"}')]
    tape = session(log(user(), *(made if records else made[::-1]), result("c1")), tmp_path)
    (found,) = not_undone(tape, tape.planner(), 1, ())
    assert (found.event, found.what) == (2 if records else 1, "touch y")


# Calls that were not allowed.


@pytest.mark.parametrize("records_first", [True, False])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["pending_approval", "rejected"], (True, False)),
        (["rejected"], (True, False)),
        (["pending_approval"], (False, True)),
        (["pending_approval", "running"], (False, False)),
        (["pending_approval", "failed"], (False, False)),
    ],
)
def test_a_plan_tells_which_calls_were_not_allowed(
    tmp_path: Path, words: list[str], told: tuple[bool, bool], *, records_first: bool
) -> None:
    others = [call("c0", arguments='{"command":"touch y"}'), result("c0")]
    lines = [status("c1", word) for word in words]
    lines.insert(1 if records_first else 0, call("c1", arguments='{"command":"rm x"}'))
    tape = session(log(user(), *others, *lines), tmp_path)
    other, own = not_undone(tape, tape.planner(), 0, ())
    assert (other.declined, other.waits) == (False, False)
    assert (own.what, own.declined, own.waits) == ("rm x", *told)


def test_calls_of_one_message_are_allowed_each_for_itself(tmp_path: Path) -> None:
    made = call("a", "b", "c", arguments='{"command":"rm x"}')
    tape = session(
        log(
            status("b", "pending_approval"),
            made,
            status("b", "rejected"),
            status("c", "pending_approval"),
            result("b", "no"),
            user("again"),
        ),
        tmp_path,
    )
    found = not_undone(tape, tape.planner(), 0, ())
    assert [(one.declined, one.waits) for one in found] == [
        (False, False),
        (True, False),
        (False, True),
    ]


# Calls that have no result at the head.


def unanswered(tape: ReinaTape) -> list[tuple[int | None, str, str]]:
    return [
        (found.event, found.kind.severity.value, found.message)
        for found in tape.findings()
        if found.kind.code == "unanswered-call"
    ]


def test_a_call_without_a_result_is_found_as_it_is_mended_and_sent(tmp_path: Path) -> None:
    records = [user(), call("a", None, "b"), result("b"), answer(), user(), call("c", "d")]
    tape = session(log(*records, result("d")), tmp_path)
    assert unanswered(tape) == [
        (1, "warning", "2 calls without a result: a, (no id)"),
        (5, "info", "1 call without a result: c"),
    ]
    closers = tape.planner().repair(laws.MAKING).closers
    assert [one.event for one in closers if one.does == "added"] == [1, 1, 5]
    assert sum(entry.note == "added" for entry in tape.request(7)) == 3


def test_a_call_that_is_hidden_or_answered_later_is_not_found(tmp_path: Path) -> None:
    tape = session(log(user(), call("a"), user(), compacted(0, 1)), tmp_path)
    assert unanswered(tape) == []
    tape = session(log(user(), call("a"), user(), result("a")), tmp_path)
    assert unanswered(tape) == []
    assert codes(tape) == ["displaced-result"]


def test_an_id_that_comes_again_leaves_the_call_before_without_a_result(tmp_path: Path) -> None:
    tape = session(log(user(), call("a"), answer(), call("a"), result("a"), answer()), tmp_path)
    assert unanswered(tape) == [(1, "warning", "1 call without a result: a")]
