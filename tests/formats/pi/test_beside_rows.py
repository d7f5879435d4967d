"""Calls, turns, commands, usage and registers."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.parts import Call, Result, Said
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked
from inspector.timeline.words import Outcome, SpanKind
from tests.formats.pi.planning.planned import planned
from tests.formats.pi.sessions import (
    Json,
    answer,
    codes,
    compaction,
    entry,
    folded,
    label,
    message,
    result,
    surface,
    user,
)


def ends(tape: Any, kind: SpanKind) -> list[tuple[Outcome, str | None]]:
    spans = tape.timeline.spans[kind]
    return [(spans[at].outcome, spans[at].word) for at in range(len(spans))]


def test_results_end_calls_and_settle_the_tape(tmp_path: Path) -> None:
    entries = [user("a", None), answer("b", "a", "k", "l"), result("r", "b", "l")]
    tape = folded(tmp_path, *entries, result("s", "r", "k", failed=True))
    assert [tape.timeline.settled.at(cursor) for cursor in range(5)] == [
        True, True, False, False, True,
    ]  # fmt: skip
    assert ends(tape, SpanKind.TOOL_CALL) == [
        (Outcome.FAILED, "result s"),
        (Outcome.OK, None),
    ]
    assert tape.timeline.pairs.call_of(3) == 1


@pytest.mark.parametrize(
    ("stop", "outcome"), [("error", Outcome.FAILED), ("aborted", Outcome.CANCELLED)]
)
def test_calls_of_an_answer_that_was_cut_off_are_not_run(
    stop: str, outcome: Outcome, tmp_path: Path
) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", "k", stop=stop))
    assert ends(tape, SpanKind.TOOL_CALL) == [(outcome, stop)]
    assert ends(tape, SpanKind.TURN) == [(outcome, stop)]
    assert tape.timeline.settled.at(2)
    assert [one.note for one in tape.request(2)] == [None, "dropped"]


def test_a_call_that_nobody_answered_is_answered_in_the_request(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", "k"), user("c", "b"))
    assert ends(tape, SpanKind.TOOL_CALL) == [(Outcome.INTERRUPTED, "no result")]
    told = [(one.note, one.call_id, one.text) for one in tape.request(3)]
    assert told[2] == ("added", "k", "No result provided")


def test_a_branch_that_is_left_ends_what_was_open_on_it(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", "k"), label("l", "a", "a"))
    assert ends(tape, SpanKind.TOOL_CALL) == [(Outcome.INTERRUPTED, "the branch was left")]
    assert ends(tape, SpanKind.TURN) == [(Outcome.INTERRUPTED, "the branch was left")]


def test_a_result_without_a_call_is_told(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), result("r", "a", "nobody"))
    assert codes(tape) == ["result-without-call"]
    assert surface(tape) == ["a", "r"]
    assert tape.request(2)[1].note is None


def bash(identity: str, parent: str, **more: Any) -> Json:
    told = {"role": "bashExecution", "command": "ls", "output": "here", "exitCode": 0, **more}
    return entry("message", identity, parent, message=told)


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, (Outcome.OK, None)),
        ({"exitCode": 2}, (Outcome.FAILED, "exit 2")),
        ({"cancelled": True}, (Outcome.CANCELLED, "cancelled")),
        ({"exitCode": None}, (Outcome.UNKNOWN, None)),
    ],
)
def test_a_command_ends_as_it_says(more: Json, outcome: object, tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), bash("c", "a", **more))
    assert ends(tape, SpanKind.COMMAND) == [outcome]


def test_a_command_may_be_kept_from_the_model(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), bash("c", "a", excludeFromContext=True))
    assert surface(tape) == ["a", "c"]
    assert [one.note for one in tape.request(2)] == [None, "dropped"]


USAGE = {"input": 7, "output": 5, "cacheRead": 3, "cacheWrite": 2, "cost": {"total": 0.25}}


def test_reported_tokens_are_counted_and_costs_told(tmp_path: Path) -> None:
    entries = [
        user("a", None),
        answer("b", "a", usage=USAGE),
        compaction("s", "b", "b", usage=USAGE),
    ]
    tape = folded(tmp_path, *entries)
    assert (len(tape.timeline.usage), len(tape.timeline.side_usage)) == (1, 1)
    last = tape.timeline.usage.last(3)
    assert last is not None
    assert last.context == 12
    assert any("cost 0.25" in section.text for section in tape.sections(1))


def test_figures_that_are_none_are_told(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a", usage={"input": "many"}))
    assert codes(tape) == ["unreadable-usage"]


def told(tape: Any, name: str) -> list[Any]:
    found = (tape.timeline.registers.at(name, at) for at in range(tape.timeline.events + 1))
    return [None if setting is None else setting.value for setting in found]


def test_model_and_thinking_are_those_of_the_path(tmp_path: Path) -> None:
    entries = [
        user("a", None),
        entry("model_change", "m", "a", provider="p", modelId="other"),
        entry("thinking_level_change", "t", "m", thinkingLevel="high"),
        user("b", "a"),
        user("c", "t"),
        answer("d", "c"),
    ]
    tape = folded(tmp_path, *entries)
    assert told(tape, "model") == [None, None, "other", "other", None, "other", "model-x"]
    assert told(tape, "thinking") == [None, None, None, "high", "off", "high", "high"]


def test_title_and_label_are_those_of_the_file(tmp_path: Path) -> None:
    entries = [
        user("a", None),
        entry("session_info", "i", "a", name="Named"),
        label("l", "a", "a"),
        entry("session_info", "j", "a", name=""),
    ]
    tape = folded(tmp_path, *entries)
    assert told(tape, "title") == [None, None, "Named", "Named", None]


def test_all_labels_that_hold_are_told_at_every_cursor(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), label("l", "b", "a", "one"), label("m", "l", "b")]
    entries += [label("n", "m", "a", "other"), label("o", "n", "b", ""), label("p", "o", "a", "")]
    tape = folded(tmp_path, *entries)
    found = []
    for cursor in (7, 2, 3, 4, 5, 6):
        setting = tape.timeline.registers.at("labels", cursor)
        found.append(None if setting is None else tape.value("labels", setting))
    both, other = {"a": "one", "b": "here"}, {"a": "other", "b": "here"}
    assert found == [None, None, {"a": "one"}, both, other, {"a": "other"}]


def test_a_fork_has_the_labels_of_what_it_copies(tmp_path: Path) -> None:
    entries = [user("a", None), user("b", "a"), label("l", "b", "a", "one"), label("m", "l", "b")]
    plan = planned(folded(tmp_path, *entries), Asked(PlanKind.FORK, 1))
    assert plan.registers == {"labels": ({"a": "one", "b": "here"}, {"a": "one"})}


def test_what_the_person_saw(tmp_path: Path) -> None:
    entries = [user("a", None), answer("b", "a", "k"), result("r", "b", "k"), bash("c", "r")]
    tape = folded(tmp_path, *entries)
    assert tape.parts(0) == [Said("user a")]
    assert tape.parts(1) == [Said("answer b"), Call("k", "bash", {"command": "ls"})]
    assert tape.parts(2) == [Result("k", "result r", False)]
    assert tape.parts(3) == [Said("$ ls"), Said("here")]


def test_what_an_extension_says_may_be_hidden_from_the_person(tmp_path: Path) -> None:
    hidden = entry("custom_message", "x", "a", customType="t", content="told", display=False)
    tape = folded(tmp_path, user("a", None), hidden, message("y", "x", "custom", "too"))
    nodes = tape.timeline.surface.nodes
    assert [nodes.meta(row.node) for row in tape.timeline.rows(3)] == [False, True, False]


def test_the_owner_compacts_below_what_it_keeps_free(tmp_path: Path) -> None:
    rule = folded(tmp_path, user("a", None)).compaction_rule
    assert rule is not None
    assert rule.threshold(200_000) == 183_616
