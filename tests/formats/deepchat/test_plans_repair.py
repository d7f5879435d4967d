"""What the owner makes of a session whose writer stopped; nothing of it is written."""

from pathlib import Path

import pytest

from inspector.formats.planning import Closer, PlanKind
from inspector.plans.plan import Asked, Plan
from tests.formats.deepchat.databases import (
    Entry,
    Folded,
    event,
    execute,
    fold,
    made,
    message,
    record,
    result,
    written,
)
from tests.plans.laws import accounts_for_all, planned

WHOLE = [message("ask", 1, "please"), message("answer", 2, "done", role="assistant")]
REPAIR = Asked(PlanKind.REPAIR)


def mended(entries: list[Entry], folded: Folded) -> Plan:
    tape = folded(entries)
    plan = planned(tape, REPAIR)
    accounts_for_all(tape, plan)
    assert plan.writes == ()
    assert plan == planned(tape, REPAIR)
    return plan


def run(name: str, message_id: str = "answer", **more: object) -> Entry:
    return event(f"execution/{name}", {"runId": "r1", "messageId": message_id, **more})


def journal(name: str, call: str = "c1") -> Entry:
    operation = {"runId": "r1", "requestSeq": 1, "providerToolCallId": call}
    return run(name, operation=operation, toolName="bash")


def pending_answer(block: dict[str, object]) -> Entry:
    return record("late", 3, written([block]), status="pending")


def test_a_whole_session_is_left_alone(folded: Folded) -> None:
    plan = mended([*WHOLE, run("run_started"), run("run_terminal", outcome="completed")], folded)
    assert plan.closers == ()
    assert plan.remarks == ()
    assert "nothing to repair" in [check.message for check in plan.checks]


PENDING = [
    (
        message("late", 3, "wait", status="pending"),
        ("message/user", "altered", "error"),
        "not sent: it becomes an error",
    ),
    (
        message("late", 3, "wait", status="pending", metadata='{"inputReceipt":{"mode":"steer"}}'),
        ("message/user", "dropped", None),
        "put in while an answer ran and not read yet: it stays pending",
    ),
    (
        pending_answer({"type": "content", "content": "half"}),
        ("message/assistant", "altered", "common.error.sessionInterrupted"),
        "the answer was not finished",
    ),
    (
        pending_answer({"type": "action", "action_type": "question_request", "status": "pending"}),
        ("message/assistant", "dropped", None),
        "waits for a person",
    ),
    (
        pending_answer(
            {
                "type": "action",
                "action_type": "tool_call_permission",
                "status": "pending",
                "extra": {"needsUserAction": False},
            }
        ),
        ("message/assistant", "altered", "common.error.sessionInterrupted"),
        "the answer was not finished",
    ),
    (
        record("late", 3, "broken", status="pending"),
        ("message/assistant", "altered", "common.error.sessionInterrupted"),
        "the answer was not finished",
    ),
]


@pytest.mark.parametrize(("row", "expected", "what"), PENDING)
def test_what_becomes_of_a_pending_message(
    row: Entry, expected: tuple[str, str, str | None], what: str, folded: Folded
) -> None:
    plan = mended([*WHOLE, row], folded)
    (closer,) = plan.closers
    assert (closer.type, closer.does, closer.code) == expected
    assert closer.event == 2
    assert closer.what.startswith(what)
    assert plan.remarks[0].startswith("DeepChat mends its tables at its next start")


def test_a_pending_message_that_was_sent_since_is_none(folded: Folded) -> None:
    pending = message("late", 3, "wait", status="pending")
    assert mended([*WHOLE, pending, message("late", 3, "wait")], folded).closers == ()


CLASSES = [
    ([], "not_dispatched", "interrupted before any tool ran; no failure, may be called again"),
    ([journal("dispatch_committed")], "indeterminate", "the outcome of what was started"),
    (
        [journal("dispatch_committed"), journal("tool_outcome")],
        "completed",
        "every tool came back, only the end is missing",
    ),
    ([journal("tool_outcome")], "corruption", "the journal contradicts itself"),
]


@pytest.mark.parametrize(("rows", "word", "what"), CLASSES, ids=[row[1] for row in CLASSES])
def test_a_run_without_an_end_is_told_in_the_owners_classes(
    rows: list[Entry], word: str, what: str, folded: Folded
) -> None:
    plan = mended([*WHOLE, run("run_started"), *rows], folded)
    closer = plan.closers[0]
    assert (closer.type, closer.code, closer.event) == ("execution/run_started", word, 2)
    assert what in closer.what


def test_a_call_that_was_started_has_an_unknown_outcome(folded: Folded) -> None:
    rows = [run("run_started"), journal("dispatch_committed"), journal("dispatch_committed", "c2")]
    plan = mended([*WHOLE, *rows, journal("tool_outcome")], folded)
    assert plan.closers[1:] == (
        Closer(
            "execution/tool_outcome",
            "altered",
            "interrupted after it was started: whether it took effect is not known",
            "c2",
            "indeterminate",
            4,
        ),
    )


def test_a_result_that_is_on_the_tape_is_told_where_the_journal_has_no_outcome(
    folded: Folded,
) -> None:
    rows = [run("run_started"), journal("dispatch_committed"), journal("dispatch_committed", "c2")]
    rows += [result("answer", "c2", "came"), result("other", "c1")]
    first, second = mended([*WHOLE, *rows], folded).closers[1:]
    assert (first.call_id, first.event) == ("c1", 3)
    assert first.what.endswith("whether it took effect is not known")
    assert (second.call_id, second.event) == ("c2", 4)
    assert second.what == (
        "interrupted after it was started: the journal has no outcome, though its result stands "
        "in @6"
    )


def test_a_call_without_a_response_is_in_no_request(folded: Folded) -> None:
    blocks = [
        {"type": "tool_call", "tool_call": {"id": "c1", "name": "read", "response": "ok"}},
        {"type": "tool_call", "tool_call": {"id": "c2", "name": "read"}},
    ]
    plan = mended([*WHOLE, message("q", 3, "go"), record("a", 4, written(blocks))], folded)
    (closer,) = plan.closers
    assert (closer.type, closer.does, closer.call_id, closer.event) == (
        "tool_call",
        "dropped",
        "c2",
        3,
    )


def test_the_calls_of_an_unfinished_answer_are_told_with_it(folded: Folded) -> None:
    block = {"type": "tool_call", "tool_call": {"id": "c2", "name": "read"}}
    plan = mended([*WHOLE, pending_answer(block)], folded)
    assert [closer.type for closer in plan.closers] == ["message/assistant"]


def test_rows_that_the_owner_ignores_are_told(folded: Folded) -> None:
    plan = mended([*WHOLE, Entry("message", "message/user", "{}")], folded)
    assert [(one.type, one.does, one.event) for one in plan.closers] == [
        ("message/user", "dropped", 2)
    ]


def test_a_message_with_which_no_request_can_be_built_is_told(folded: Folded) -> None:
    plan = mended([*WHOLE, record("bad", 3, "no list")], folded)
    assert plan.closers == ()
    (needed,) = [check for check in plan.checks if check.rule == "needed"]
    assert not needed.ok
    assert needed.message.startswith("no request can be built")
    both = mended([*WHOLE, record("bad", 3, "no list"), message("q", 4, status="pending")], folded)
    assert "no request can be built" in both.remarks[0]
    assert both.remarks[0].startswith("DeepChat mends")


def test_answers_that_are_not_on_the_tape_yet_are_counted(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", WHOLE)
    execute(
        path,
        "INSERT INTO deepchat_messages VALUES "
        "('m', 's', 3, 'assistant', '[]', 'pending', 0, '{}', 1, 1)",
    )
    tape = fold(path)
    (closer,) = planned(tape, REPAIR).closers
    assert closer.event is None
    assert closer.what.startswith("1 answer that is not on the tape yet")
    tape.close()


def test_a_resume_shows_the_next_request_and_writes_nothing(folded: Folded) -> None:
    tape = folded([*WHOLE, message("steer", 3, "wait", status="pending")])
    plan = planned(tape, Asked(PlanKind.RESUME, 3))
    assert [(entry.note, entry.role) for entry in plan.request] == [
        (None, "user"),
        (None, "assistant"),
        ("dropped", "user"),
    ]
    assert plan.writes == ()
    assert plan.is_sound
