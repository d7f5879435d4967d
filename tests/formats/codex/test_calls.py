"""Turns and calls: how long they last, how they end, and when the tape is settled."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.lenses.cards import Evidence
from inspector.lenses.transcript import Transcript
from inspector.timeline.words import Mark, Outcome, SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.tapes import call, event, item, output


def ended(tape: CodexTape, kind: SpanKind) -> list[tuple[str | None, Outcome, str | None]]:
    spans = tape.timeline.spans[kind]
    found = [spans[at] for at in range(len(spans))]
    return [(tape.span_id(span), span.outcome, span.word) for span in found]


def test_a_call_ends_with_its_output(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, call("c1"), output("c1"))
    assert ended(tape, SpanKind.TOOL_CALL) == [("c1", Outcome.OK, None)]
    assert tape.timeline.pairs.call_of(1) == 0
    assert [tape.timeline.settled.at(cursor) for cursor in range(3)] == [True, False, True]
    assert list(tape.timeline.marks.events(Mark.TOOL_CALL)) == [0]


@pytest.mark.parametrize(
    "said",
    [
        json.dumps({"output": "no", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}),
        "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno",
        "Exit code: 2\nno",
    ],
)
def test_an_exit_code_is_a_failure(tmp_path: Path, said: str) -> None:
    tape = tapes.folded(tmp_path, call("c1"), output("c1", said))
    assert ended(tape, SpanKind.TOOL_CALL) == [("c1", Outcome.FAILED, "exit 2")]
    assert tape.headline(1).error
    assert list(tape.timeline.marks.events(Mark.ERROR)) == [1]


def test_a_text_that_speaks_of_exit_codes_is_none(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, call("c1"), output("c1", "the docs say: Exit code: 2"))
    assert ended(tape, SpanKind.TOOL_CALL) == [("c1", Outcome.OK, None)]


@pytest.mark.parametrize(
    ("note", "outcome"),
    [
        (event("exec_command_end", call_id="c1", exit_code=3), (Outcome.FAILED, "exit 3")),
        (event("exec_command_end", call_id="c1", exit_code=0), (Outcome.OK, None)),
        (event("patch_apply_end", call_id="c1", success=False), (Outcome.FAILED, None)),
        (event("mcp_tool_call_end", call_id="c1", result={"Err": "x"}), (Outcome.FAILED, "x")),
        (event("mcp_tool_call_end", call_id="c1", result={"Ok": {}}), (Outcome.OK, None)),
    ],
)
def test_what_is_noted_of_the_end_of_a_call_decides(
    tmp_path: Path, note: tapes.Record, outcome: tuple[Outcome, str | None]
) -> None:
    tape = tapes.folded(tmp_path, call("c1"), note, output("c1"))
    assert ended(tape, SpanKind.TOOL_CALL) == [("c1", *outcome)]


def test_parallel_calls_settle_with_the_last_output(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, call("c1"), call("c2"), output("c2"), output("c1"))
    settled = [tape.timeline.settled.at(cursor) for cursor in range(5)]
    assert settled == [True, False, False, False, True]


def test_a_call_in_a_turn_that_is_aborted_is_interrupted(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, tapes.started("t1"), call("c1"), tapes.aborted("t1"))
    assert ended(tape, SpanKind.TOOL_CALL)[0][:2] == ("c1", Outcome.INTERRUPTED)
    assert ended(tape, SpanKind.TURN) == [("t1", Outcome.INTERRUPTED, "aborted: interrupted")]
    assert tape.timeline.settled.at(3)


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("replaced", Outcome.CANCELLED),
        ("review_ended", Outcome.CANCELLED),
        ("budget_limited", Outcome.FAILED),
        ("novel", Outcome.UNKNOWN),
    ],
)
def test_why_a_turn_is_aborted_is_told(tmp_path: Path, reason: str, outcome: Outcome) -> None:
    tape = tapes.folded(tmp_path, tapes.started("t1"), tapes.aborted("t1", reason))
    assert ended(tape, SpanKind.TURN) == [("t1", outcome, f"aborted: {reason}")]


def test_without_records_of_turns_one_lasts_to_the_next_message(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, tapes.user("q1"), tapes.answer("a1"), tapes.user("q2"))
    spans = tape.timeline.spans[SpanKind.TURN]
    assert [(spans[at].opened, spans[at].closed) for at in range(len(spans))] == [(1, 3), (3, None)]


def test_an_approval_waits_for_what_it_is_asked_for(tmp_path: Path) -> None:
    asked = event("exec_approval_request", call_id="c1", command=["rm"])
    tape = tapes.folded(tmp_path, call("c1"), asked, output("c1"))
    assert [span.outcome for span in tape.timeline.spans[SpanKind.APPROVAL].open_at(2)] == [
        Outcome.AWAITING_APPROVAL
    ]
    assert ended(tape, SpanKind.APPROVAL)[0][1] is Outcome.OK


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("approved", Outcome.OK), ("denied", Outcome.REJECTED), ("novel", Outcome.UNKNOWN)],
)
def test_the_guardian_decides(tmp_path: Path, status: str, outcome: Outcome) -> None:
    notes = [event("guardian_assessment", id="g1", status=word) for word in ("in_progress", status)]
    tape = tapes.folded(tmp_path, *notes)
    assert ended(tape, SpanKind.APPROVAL) == [("g1", outcome, status)]


def usage(total: int, last: int, **more: Any) -> tapes.Record:
    def sums(sent: int) -> dict[str, int]:
        return {
            "input_tokens": sent,
            "cached_input_tokens": sent // 2,
            "output_tokens": 10,
            "total_tokens": sent + 10,
        }

    info = {"total_token_usage": sums(total), "last_token_usage": sums(last), **more}
    return event("token_count", info=info, rate_limits=None)


def test_a_request_is_counted_once_though_its_usage_is_repeated(tmp_path: Path) -> None:
    limits = event("token_count", info=None, rate_limits={"primary": {"used_percent": 4}})
    tape = tapes.folded(tmp_path, usage(100, 100), limits, usage(100, 100), usage(300, 200))
    assert len(tape.timeline.usage) == 2
    total = tape.timeline.usage.total(4)
    assert (total.cache_read, total.input, total.output) == (150, 150, 20)
    assert tape.headline(1).text == "no request, only limits · primary 4%"


def test_a_call_without_an_id_is_over_at_once(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, item("local_shell_call", action={"command": ["ls"]}))
    assert len(tape.timeline.rows(1)) == 1
    word = "it has no id: no output can be told for its own"
    assert ended(tape, SpanKind.TOOL_CALL) == [(None, Outcome.UNKNOWN, word)]
    assert list(tape.timeline.spans[SpanKind.TOOL_CALL].open_at(1)) == []
    assert tape.timeline.settled.at(1)


@pytest.mark.parametrize(
    ("note", "outcome"),
    [
        (event("exec_command_end", call_id="c1", exit_code=3), Outcome.FAILED),
        (event("patch_apply_end", call_id="c1", success=True), Outcome.OK),
    ],
)
def test_an_end_that_a_record_of_its_own_tells_is_recorded(
    tmp_path: Path, note: tapes.Record, outcome: Outcome
) -> None:
    tape = tapes.folded(tmp_path, call("c1"), note, output("c1"), call("c2"), output("c2"))
    told, by_text = (entry.card for entry in Transcript(tape).entries(5))
    assert told is not None
    assert by_text is not None
    assert (told.ending.outcome, told.ending.evidence) == (outcome, Evidence.RECORDED)
    assert (by_text.ending.outcome, by_text.ending.evidence) == (Outcome.OK, Evidence.RULE)


@pytest.mark.parametrize(
    ("metadata", "outcome"),
    [({"exit_code": 0}, Outcome.OK), ({"exit_code": 2}, Outcome.FAILED), ({}, Outcome.UNKNOWN)],
)
def test_an_output_that_the_owner_cannot_read_ends_its_call_for_the_person(
    tmp_path: Path, metadata: dict[str, int], outcome: Outcome
) -> None:
    said = {"output": "Success.", "metadata": metadata}
    unread = item("custom_tool_call_output", call_id="c1", output=said)
    tape = tapes.folded(tmp_path, *tapes.turn("t1", call("c1"), unread))
    word = "the owner cannot read the output"
    assert ended(tape, SpanKind.TOOL_CALL) == [("c1", outcome, word)]
    assert not tape.timeline.settled.at(3)
    (entry,) = Transcript(tape).entries(4)
    assert entry.card is not None
    assert (entry.card.result, entry.card.answer) == ("Success.", 2)
