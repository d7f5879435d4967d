"""Records that go their known way come to the same as those that go the long one."""

from pathlib import Path

import pytest

from inspector.formats.codex.effects.fold import Fold
from inspector.formats.codex.reading import CodexTape
from inspector.timeline.words import Mark, SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, call, event, heard, item, output, part, said, user

RECORDS = [
    tapes.context("t1"),
    *tapes.turn(
        "t1",
        user("Ask me"),
        heard("Ask me"),
        call("c1"),
        output("c1"),
        call("c2"),
        event("exec_command_end", call_id="c2", exit_code=3),
        output("c2"),
        output("c3", "Exit code: 2\nno"),
        answer("told"),
        event("agent_message", message="told"),
        event("token_count", info=None, rate_limits={"primary": {"used_percent": 1}}),
    ),
    *tapes.turn(
        "t2",
        user(" <environment_context>here</environment_context>"),
        user("Warning: Your account was flagged"),
        user(tapes.PREFIX + "so far"),
        user("A word", "and another"),
        said("user"),
        said("developer", "<tools>"),
        said("system", "silent"),
        answer('  {"author":"a","recipient":"b","other_recipients":[],"content":"c"}'),
        item("message", role="user", content=[part("out", "output_text")]),
        item("message", role="user", content=[{"type": "input_image", "image_url": "x"}]),
        item("function_call", name="update_plan", arguments="{}", call_id="c4"),
        item("function_call", name="bad", arguments={}, call_id="c5"),
        item("function_call_output", call_id="c4", output=[part("list")]),
        item("custom_tool_call", name="x", input="in", call_id="c6"),
        item("custom_tool_call_output", call_id="c6", output="Exit code: 1\n"),
        item("reasoning", summary=[], encrypted_content="zzz"),
        item("novel"),
        event("novel"),
        event("user_message", message=5),
    ),
    tapes.compacted(tapes.message("user", "Ask me"), tapes.message("user", "sum")),
    *tapes.turn("t3", user("more"), answer("yes"), call("c7")),
    tapes.rolled_back(1),
    *tapes.turn("t4", user("again"), answer("yes")),
    event("task_complete", turn_id="other"),
]


def described(tape: CodexTape) -> list[object]:
    timeline = tape.timeline
    nodes, table = timeline.surface.nodes, timeline.table
    return [
        [(table.type(at), table.time(at), table.record(at)) for at in range(timeline.events)],
        [
            (
                (nodes.born[at], nodes.gone[at], nodes.tokens[at], nodes.part(at)),
                (nodes.role(at), nodes.kind(at), nodes.meta(at), nodes.sources(at)),
            )
            for at in range(len(nodes))
        ],
        [list(timeline.marks.events(mark)) for mark in Mark],
        [
            [timeline.spans[kind][at] for at in range(len(timeline.spans[kind]))]
            for kind in SpanKind
        ],
        [timeline.settled.at(cursor) for cursor in range(timeline.events + 1)],
        [timeline.pairs.call_of(at) for at in range(timeline.events)],
        list(timeline.rejected),
        [(found.kind.code, found.event, found.message) for found in tape.findings()],
        [timeline.registers.state(cursor) for cursor in range(timeline.events + 1)],
        [list(tape.request(cursor)) for cursor in range(timeline.events + 1)],
    ]


def test_the_ways_lead_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Twice, as a way is known only from the second record of its type on.
    records = [*RECORDS, *RECORDS]
    short = described(tapes.folded(tmp_path, *records))
    monkeypatch.setattr(Fold, "learn", lambda *_: None)
    assert described(tapes.folded(tmp_path, *records)) == short


def test_a_stopped_fold_knows_no_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.formats.codex.history._WORK", 0)
    monkeypatch.setattr("inspector.formats.codex.history._WORK_PER_EVENT", 0)
    sums = tapes.compacted(tapes.message("user", "sum"))
    records = [*tapes.turn("t", user("q1"), sums), tapes.rolled_back(1), user("q2"), user("q3")]
    tape = tapes.folded(tmp_path, *records)
    assert tape.timeline.stopped_at == 4
    assert tape.timeline.count(tape.timeline.events) == 1


def test_an_item_of_a_long_type_list_is_still_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.formats.codex.effects.fold._WAYS", 1)
    tape = tapes.folded(tmp_path, user("q1"), call("c1"), output("c1"), user("q2"))
    assert tapes.texts(tape) == ["q1", "c1", "done", "q2"]


def test_calls_that_nobody_answers_keep_a_tape_unsettled_however_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.formats.codex.effects.calls._KNOWN", 4)
    calls = [call(f"c{number}") for number in range(6)]
    answers = [output(f"c{number}") for number in range(2, 6)]
    tape = tapes.folded(
        tmp_path, tapes.started("t1"), *calls, *answers, tapes.done("t1"), user("q")
    )
    events = tape.timeline.events
    assert not tape.timeline.settled.at(events - 2)
    assert tape.timeline.settled.at(events)
