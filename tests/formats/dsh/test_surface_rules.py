import tracemalloc
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Tape
from tests.dsh_tapes import (
    Json,
    Log,
    assistant_data,
    call_block,
    codes,
    findings,
    folded,
    replace,
    result_data,
    surface,
    text_block,
    user_data,
    visibility,
)

SAFE = 2**53 - 1


def session() -> Log:
    """0 turn, 1 user, 2 answer, 3 call, 4 result, 5 user, 6 result pruned by 7 (next seq is 8).

    On the surface, in order: 1, 2, 4, 5, 7.
    """
    log = Log()
    log.turn()
    log.user("one")
    log.assistant(call_block("c1"), call_block("c2"))
    log.call("c1")
    log.result("c1", "out")
    log.user("two")
    log.result("c2", "long")
    log.rewrite(6, "cut")
    return log


BEFORE = [1, 2, 4, 5, 7]
NUMBER = 8
INTEGERS = "sourceEventSeqs must densely contain non-negative safe integers"
MISSING = "sourceEventSeqs must include every shadowed surface node; missing "
NO_CHANGE = "a tool/result replacement may change only content"


def told(kind: str, data: Any, tmp_path: Path, **envelope: Any) -> tuple[str, str]:
    """Code and message of the finding for an event that breaks a rule, and changes nothing."""
    log = session()
    log.event(kind, data, **envelope)
    log.user("next")
    tape = folded(log, tmp_path)
    (found,) = findings(tape)
    assert (found.event, found.line) == (NUMBER, NUMBER + 2)
    assert tape.timeline.events == NUMBER + 2
    assert visibility(tape, NUMBER) == ("not-applied", None)
    assert surface(tape, NUMBER) == surface(tape, NUMBER + 1) == BEFORE
    assert surface(tape) == [*BEFORE, NUMBER + 1]
    assert tape.timeline.generation(NUMBER + 2) == 1
    assert tape.timeline.reliable_to == NUMBER
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, NUMBER)
    assert verdict.reason == f"invalid seed event at index {NUMBER}: {found.message}"
    return found.code, found.message


def applied(kind: str, data: Any, tmp_path: Path, **envelope: Any) -> Tape:
    """The tape with an event that breaks no rule."""
    log = session()
    log.event(kind, data, **envelope)
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert tape.verdict().opens is True
    assert visibility(tape, NUMBER) == ("visible", None)
    return tape


def ineligible(kind: str, key: str) -> str:
    return f'event type "{kind}" is not surface-eligible and cannot carry {key}'


# Rule 2: what cannot stand on the surface carries no word of it.


@pytest.mark.parametrize("value", ["append", replace(1, 1), None, False, 7, [], {}])
@pytest.mark.parametrize("kind", ["turn/start", "assistant/chunk", "tool/call", "todo/write"])
def test_rule_2_no_surface_op(kind: str, value: Any, tmp_path: Path) -> None:
    found = told(kind, {}, tmp_path, surfaceOp=value)
    assert found == ("bad-surface-op", ineligible(kind, "surfaceOp"))


@pytest.mark.parametrize("value", [[0], [], None, "0", [[0, 1]]])
@pytest.mark.parametrize("kind", ["turn/start", "assistant/chunk", "tool/call", "todo/write"])
def test_rule_2_no_sources(kind: str, value: Any, tmp_path: Path) -> None:
    found = told(kind, {}, tmp_path, sourceEventSeqs=value)
    assert found == ("bad-surface-op", ineligible(kind, "sourceEventSeqs"))


def test_rule_2_looks_at_the_surface_op_before_the_sources(tmp_path: Path) -> None:
    found = told("todo/write", {}, tmp_path, sourceEventSeqs=[0], surfaceOp="append")
    assert found == ("bad-surface-op", ineligible("todo/write", "surfaceOp"))


@pytest.mark.parametrize("key", ["surfaceOp", "sourceEventSeqs"])
def test_rule_2_holds_for_an_ignorable_unknown_event_too(key: str, tmp_path: Path) -> None:
    words = {key: "append" if key == "surfaceOp" else [0], "ignorable": True}
    found = told("plugin/note", {}, tmp_path, **words)
    assert found == ("bad-surface-op", ineligible("plugin/note", key))


# Rule 3: what can stand there says how.


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("user/message", user_data()),
        ("assistant/message", assistant_data()),
        ("tool/result", result_data("c9")),
    ],
)
@pytest.mark.parametrize("more", [{}, {"sourceEventSeqs": [0]}, {"ignorable": True}])
def test_rule_3_a_surface_op(kind: str, data: Json, more: Json, tmp_path: Path) -> None:
    found = told(kind, data, tmp_path, **more)
    assert found == ("bad-surface-op", f'event type "{kind}" requires a surfaceOp marker')


# Rules 4 and 5: how it is said.


@pytest.mark.parametrize("value", [None, True, 1, "replace", "Append", "", ["append"], []])
def test_rule_4_append_or_an_object(value: Any, tmp_path: Path) -> None:
    found = told("user/message", user_data(), tmp_path, surfaceOp=value)
    assert found == ("bad-surface-op", "invalid surfaceOp")


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"op": "replace", "start": 1},
        {"op": "replace", "end": 1},
        {"start": 1, "end": 1},
        replace(1, 1) | {"more": 1},
        replace(1, 1) | {"op": "append"},
        replace(1, 1) | {"op": None},
        {"op": "replace", "startSeq": 1, "endSeq": 1},
        replace(1, 1) | {"start": "1"},
        replace(1, 1) | {"start": 1.5},
        replace(1, 1) | {"end": True},
        replace(1, 1) | {"end": -1},
        replace(1, 1) | {"end": SAFE + 1},
        replace(1, 1) | {"end": None},
    ],
)
def test_rule_5_the_object_of_a_replacement(value: Json, tmp_path: Path) -> None:
    found = told("user/message", user_data(), tmp_path, surfaceOp=value, sourceEventSeqs=[1])
    assert found == ("bad-surface-op", "invalid replace surfaceOp")


# Rule 6: the range.


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (0, 1, "start seq 0 not found in surface"),
        (3, 4, "start seq 3 not found in surface"),
        (6, 7, "start seq 6 not found in surface"),
        (8, 8, "start seq 8 not found in surface"),
        (99, 1, "start seq 99 not found in surface"),
        (SAFE, SAFE, f"start seq {SAFE} not found in surface"),
        (1, 0, "end seq 0 not found in surface"),
        (1, 6, "end seq 6 not found in surface"),
        (1, 8, "end seq 8 not found in surface"),
        (0, 99, "start seq 0 not found in surface"),
        (2, 1, "start seq 2 is after end seq 1 in surface"),
        (7, 1, "start seq 7 is after end seq 1 in surface"),
    ],
)
def test_rule_6_both_ends_stand_and_in_order(
    start: int, end: int, message: str, tmp_path: Path
) -> None:
    words = {"surfaceOp": replace(start, end), "sourceEventSeqs": BEFORE}
    found = told("user/message", user_data(), tmp_path, **words)
    assert found == ("bad-surface-op", message)


def moved() -> Log:
    """The surface is 3, 1: a greater number stands before a smaller one."""
    log = Log()
    log.user("zero")
    log.user("one")
    log.user("two")
    log.checkpoint(0, 0, [0])
    return log


def test_rule_6_goes_by_place_and_not_by_number(tmp_path: Path) -> None:
    log = moved()
    log.checkpoint(3, 1, [1, 3])
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert surface(tape, 4) == [3, 1, 2]
    assert surface(tape) == [4, 2]


def test_rule_6_goes_by_place_though_the_numbers_are_in_order(tmp_path: Path) -> None:
    log = moved()
    log.checkpoint(1, 3, [1, 3])
    tape = folded(log, tmp_path)
    assert [found.message for found in findings(tape)] == [
        "start seq 1 is after end seq 3 in surface"
    ]
    assert surface(tape) == [3, 1, 2]


# Rule 7: where it comes from.


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "sourceEventSeqs must be an array"),
        ({"0": 1}, "sourceEventSeqs must be an array"),
        ("1", "sourceEventSeqs must be an array"),
        (1, "sourceEventSeqs must be an array"),
        ([], "sourceEventSeqs must not be empty"),
        (["1"], INTEGERS),
        ([1, None], INTEGERS),
        ([True], INTEGERS),
        ([1.5], INTEGERS),
        ([-1], INTEGERS),
        ([SAFE + 1], INTEGERS),
        ([[]], INTEGERS),
        ([[1]], INTEGERS),
        ([[1, 2, 3]], INTEGERS),
        ([[1, "2"]], INTEGERS),
        ([[4, 2]], INTEGERS),
        ([[2, 8]], INTEGERS),
        ([1, 2, 1], "sourceEventSeqs must not contain duplicates"),
        ([3, 3.0], "sourceEventSeqs must not contain duplicates"),
        ([0, -0.0], "sourceEventSeqs must not contain duplicates"),
        ([2, [1, 3]], INTEGERS),
        ([99, [1, 3]], INTEGERS),
        ([1, 8], "sourceEventSeqs must reference earlier events"),
        ([99], "sourceEventSeqs must reference earlier events"),
    ],
)
@pytest.mark.parametrize("operation", ["append", replace(1, 1)])
def test_rule_7_sources(operation: Any, value: Any, message: str, tmp_path: Path) -> None:
    words = {"surfaceOp": operation, "sourceEventSeqs": value}
    found = told("user/message", user_data(), tmp_path, **words)
    assert found == ("bad-sources", message)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([99, "1"], INTEGERS),
        ([99, 99], "sourceEventSeqs must not contain duplicates"),
        ([99], "sourceEventSeqs must reference earlier events"),
        ([0], f"{MISSING}1, 2"),
    ],
)
def test_rule_7_integers_then_duplicates_then_earlier_then_shadowed(
    value: Any, message: str, tmp_path: Path
) -> None:
    words = {"surfaceOp": replace(1, 2), "sourceEventSeqs": value}
    found = told("user/message", user_data(), tmp_path, **words)
    assert found == ("bad-sources", message)


@pytest.mark.parametrize(
    ("kind", "data", "start", "end", "more", "missing"),
    [
        ("user/message", user_data(), 1, 7, {"sourceEventSeqs": [4, 2]}, "1, 5, 7"),
        ("user/message", user_data(), 1, 1, {}, "1"),
        ("assistant/message", assistant_data(), 2, 4, {"sourceEventSeqs": []}, "2, 4"),
        ("tool/result", result_data("c1"), 4, 4, {}, "4"),
        ("tool/result", result_data("c1"), 7, 7, {"sourceEventSeqs": [6]}, "7"),
    ],
)
def test_rule_7_every_shadowed_node_is_cited(
    kind: str, data: Json, start: int, end: int, more: Json, missing: str, tmp_path: Path
) -> None:
    found = told(kind, data, tmp_path, surfaceOp=replace(start, end), **more)
    assert found == ("bad-sources", MISSING + missing)


# Rule 8: a result in the place of a result.


@pytest.mark.parametrize(("start", "end"), [(1, 2), (2, 4), (4, 5), (1, 7)])
def test_rule_8_exactly_one_node(start: int, end: int, tmp_path: Path) -> None:
    words = {"surfaceOp": replace(start, end), "sourceEventSeqs": BEFORE}
    found = told("tool/result", result_data("c1"), tmp_path, **words)
    message = "a tool/result replacement must rewrite exactly one current node"
    assert found == ("bad-rewrite", message)


@pytest.mark.parametrize("target", [1, 2, 5])
def test_rule_8_a_result_as_target(target: int, tmp_path: Path) -> None:
    words = {"surfaceOp": replace(target, target), "sourceEventSeqs": [target]}
    found = told("tool/result", result_data("c1"), tmp_path, **words)
    message = "a tool/result replacement must target a current tool/result"
    assert found == ("bad-rewrite", message)


def rewritten(path: tuple[str | int, ...], value: Any) -> Json:
    """The result of ``c1`` with another content, and with another value somewhere else."""
    data = result_data("c1", "cut")
    at: Any = data
    for key in path[:-1]:
        at = at[key]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


def of_another_call(data: Json) -> Json:
    data["message"]["source"]["callId"] = "c2"
    data["message"]["content"][0]["toolCallId"] = "c2"
    return data


@pytest.mark.parametrize(
    "data",
    [
        rewritten(("turn",), 2),
        rewritten(("turn",), True),
        rewritten(("turn",), "1"),
        rewritten(("step",), ...),
        rewritten(("meta",), None),
        rewritten(("error",), {"code": "X"}),
        rewritten(("message", "id"), "other"),
        of_another_call(rewritten(("message", "id"), "r-c1")),
        rewritten(("message", "content", 0, "isError"), True),
        rewritten(("message", "content", 0, "isError"), 0),
        rewritten(("message", "content", 0, "isError"), None),
        rewritten(("message", "content", 0, "isError"), ...),
        rewritten(("message", "content", 0, "more"), 1),
        rewritten(("message", "source", "more"), 1),
        rewritten(("message", "more"), 1),
    ],
)
def test_rule_8_only_the_content_changes(data: Json, tmp_path: Path) -> None:
    words = {"surfaceOp": replace(4, 4), "sourceEventSeqs": [4]}
    assert told("tool/result", data, tmp_path, **words) == ("bad-rewrite", NO_CHANGE)


# One after the other.

TROUBLE: tuple[tuple[Json, str], ...] = (
    ({}, 'event type "tool/result" requires a surfaceOp marker'),
    ({"surfaceOp": "nonsense", "sourceEventSeqs": 7}, "invalid surfaceOp"),
    ({"surfaceOp": {"op": "nonsense"}, "sourceEventSeqs": 7}, "invalid replace surfaceOp"),
    (
        {"surfaceOp": replace(0, 3), "sourceEventSeqs": 7},
        "start seq 0 not found in surface",
    ),
    ({"surfaceOp": replace(2, 3), "sourceEventSeqs": 7}, "end seq 3 not found in surface"),
    (
        {"surfaceOp": replace(2, 1), "sourceEventSeqs": 7},
        "start seq 2 is after end seq 1 in surface",
    ),
    (
        {"surfaceOp": replace(1, 2), "sourceEventSeqs": 7},
        "sourceEventSeqs must be an array",
    ),
    ({"surfaceOp": replace(1, 2), "sourceEventSeqs": [1]}, f"{MISSING}2"),
    (
        {"surfaceOp": replace(1, 2), "sourceEventSeqs": [1, 2]},
        "a tool/result replacement must rewrite exactly one current node",
    ),
    (
        {"surfaceOp": replace(1, 1), "sourceEventSeqs": [1]},
        "a tool/result replacement must target a current tool/result",
    ),
    ({"surfaceOp": replace(4, 4), "sourceEventSeqs": [4]}, NO_CHANGE),
)
"""Each breaks its own rule and all that come after it."""


@pytest.mark.parametrize(("envelope", "message"), TROUBLE)
def test_the_first_rule_that_is_broken_is_told(
    envelope: Json, message: str, tmp_path: Path
) -> None:
    assert told("tool/result", result_data("c9"), tmp_path, **envelope)[1] == message


def test_the_fold_goes_on_past_any_number_of_rejected_events(tmp_path: Path) -> None:
    log = session()
    for envelope, _ in TROUBLE:
        log.event("tool/result", result_data("c9"), **envelope)
    log.checkpoint(1, 5, [1, 2, 4, 5])
    tape = folded(log, tmp_path)
    assert [found.message for found in findings(tape)] == [message for _, message in TROUBLE]
    assert list(tape.timeline.rejected) == list(range(NUMBER, NUMBER + len(TROUBLE)))
    assert surface(tape) == [NUMBER + len(TROUBLE), 7]
    assert tape.verdict().event == NUMBER


# What breaks no rule.


def test_an_append_needs_no_sources(tmp_path: Path) -> None:
    for kind, data in (("user/message", user_data()), ("tool/result", result_data("c9"))):
        assert surface(applied(kind, data, tmp_path, surfaceOp="append")) == [*BEFORE, NUMBER]


def test_an_answer_may_have_an_empty_list_of_sources(tmp_path: Path) -> None:
    words = {"surfaceOp": "append", "sourceEventSeqs": []}
    tape = applied("assistant/message", assistant_data(), tmp_path, **words)
    assert surface(tape) == [*BEFORE, NUMBER]


def test_sources_are_kept_as_positions_in_the_order_told(tmp_path: Path) -> None:
    words = {"surfaceOp": "append", "sourceEventSeqs": [5, 0, 1, 2, 7.0, 3]}
    tape = applied("user/message", user_data(), tmp_path, **words)
    nodes = tape.timeline.surface.nodes
    node = nodes.of_event(NUMBER)
    assert node is not None
    assert nodes.sources(node) == [5, 0, 1, 2, 7, 3]


@pytest.mark.parametrize(
    ("kind", "data"), [("user/message", user_data()), ("assistant/message", assistant_data())]
)
@pytest.mark.parametrize(
    ("start", "end", "after"),
    [
        (1, 1, [8, 2, 4, 5, 7]),
        (2, 4, [1, 8, 5, 7]),
        (5, 7, [1, 2, 4, 8]),
        (1, 7, [8]),
        (1.0, 7e0, [8]),
    ],
)
def test_a_message_may_take_the_place_of_anything(
    kind: str, data: Json, start: int, end: int, after: list[int], tmp_path: Path
) -> None:
    words = {"surfaceOp": replace(start, end), "sourceEventSeqs": [0, *reversed(BEFORE)]}
    tape = applied(kind, data, tmp_path, **words)
    assert surface(tape) == after
    assert surface(tape, NUMBER) == BEFORE
    assert tape.timeline.generation(NUMBER + 1) == 2
    for event in set(BEFORE) - set(after):
        assert visibility(tape, event) == ("superseded", NUMBER)
        assert visibility(tape, event, NUMBER) == ("visible", None)


def test_a_checkpoint_shadows_and_a_rewrite_prunes(tmp_path: Path) -> None:
    log = session()
    log.checkpoint(1, 4, [1, 2, 4])
    tape = folded(log, tmp_path)
    assert [visibility(tape, event) for event in (1, 2, 4)] == [("shadowed", 8)] * 3
    assert visibility(tape, 6) == ("pruned", 7)
    assert visibility(tape, 6, 7) == ("visible", None)
    assert surface(tape) == [8, 5, 7]


def test_an_empty_answer_in_the_place_of_others_leaves_no_message(tmp_path: Path) -> None:
    words = {"surfaceOp": replace(1, 2), "sourceEventSeqs": [1, 2]}
    tape = applied("assistant/message", assistant_data(), tmp_path, **words)
    assert surface(tape) == [8, 4, 5, 7]
    assert (tape.timeline.surface.messages(8), tape.timeline.surface.messages(9)) == (5, 3)


@pytest.mark.parametrize(
    "data",
    [
        result_data("c1", "out"),
        rewritten(("turn",), 1.0),
        dict(reversed(rewritten(("turn",), 1).items())),
        rewritten(("message", "content", 0, "content"), []),
        rewritten(("message", "content", 0, "content"), [None, "x"]),
    ],
)
def test_a_result_is_rewritten_as_often_as_one_likes(data: Json, tmp_path: Path) -> None:
    words = {"surfaceOp": replace(4, 4), "sourceEventSeqs": [4]}
    assert surface(applied("tool/result", data, tmp_path, **words)) == [1, 2, 8, 5, 7]


def test_a_rewrite_of_a_rewrite_names_the_one_that_stands(tmp_path: Path) -> None:
    data = result_data("c2", "shorter")
    words = {"surfaceOp": replace(7, 7), "sourceEventSeqs": [7]}
    tape = applied("tool/result", data, tmp_path, **words)
    assert surface(tape) == [1, 2, 4, 5, 8]
    assert (visibility(tape, 6), visibility(tape, 7)) == (("pruned", 7), ("pruned", 8))


@pytest.mark.parametrize(
    ("meta", "same"),
    [
        ((1, 1.0), True),
        ((2**53 + 1, 2**53), True),
        ((0, -0.0), True),
        (({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}), True),
        ((1, True), False),
        ((0, False), False),
        ((1, "1"), False),
        (([], {}), False),
        (([1, 2], [2, 1]), False),
        ((None, False), False),
        ((2**53, 2**53 + 2), False),
    ],
)
def test_results_are_compared_as_json_of_doubles(
    meta: tuple[Any, Any], same: bool, tmp_path: Path
) -> None:
    log = Log()
    first = result_data("c1", meta=meta[0])
    log.event("tool/result", first, surfaceOp="append")
    second = deepcopy(first) | {"meta": meta[1]}
    log.event("tool/result", second, surfaceOp=replace(0, 0), sourceEventSeqs=[0])
    tape = folded(log, tmp_path)
    assert surface(tape) == ([1] if same else [0])
    assert codes(tape) == ([] if same else ["bad-rewrite"])


# Ranges, as later writers have them.


def test_ranges_of_sources_are_read_and_the_owner_would_refuse_them(tmp_path: Path) -> None:
    log = session()
    log.assistant(text_block("x"), sourceEventSeqs=[0, [2, 5], 7])
    tape = folded(log, tmp_path)
    nodes = tape.timeline.surface.nodes
    node = nodes.of_event(NUMBER)
    assert node is not None
    assert nodes.sources(node) == [0, 2, 3, 4, 5, 7]
    assert surface(tape) == [*BEFORE, NUMBER]
    assert [(found.code, found.event, found.message) for found in findings(tape)] == [
        ("ranged-sources", NUMBER, "seq 8 cites ranges of sources, as later writers do")
    ]
    assert tape.timeline.reliable_to == NUMBER + 1
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, NUMBER)
    assert verdict.reason == f"invalid seed event at index {NUMBER}: {INTEGERS}"


def test_a_range_may_cite_what_is_shadowed(tmp_path: Path) -> None:
    log = session()
    log.checkpoint(1, 5, [])
    log.lines[-1] = log.lines[-1].replace(b'"sourceEventSeqs":[]', b'"sourceEventSeqs":[[1,5]]')
    tape = folded(log, tmp_path)
    assert codes(tape) == ["ranged-sources"]
    assert surface(tape) == [NUMBER, 7]


def test_a_short_range_over_numbers_that_do_not_exist_costs_little(tmp_path: Path) -> None:
    log = Log()
    log.user("zero")
    log.user("far", seq=40_000, sourceEventSeqs=[[0, 39_999]])
    tracemalloc.start()
    try:
        tape = folded(log, tmp_path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "sequence-gap" in codes(tape)
    assert peak < 1_000_000, "a line of a hundred bytes makes a list as long as it says"


# Numbers after damage.


def test_after_a_gap_a_replacement_names_the_owners_numbers(tmp_path: Path) -> None:
    log = Log()
    log.user("zero")
    log.user("ten", seq=10)
    log.user("eleven")
    log.checkpoint(10, 11, [5, 10, 11])
    tape = folded(log, tmp_path)
    assert codes(tape) == ["sequence-gap"]
    assert surface(tape) == [0, 3]
    nodes = tape.timeline.surface.nodes
    assert nodes.sources(3) == [1, 2]


def test_a_number_that_damage_swallowed_is_not_on_the_surface(tmp_path: Path) -> None:
    log = Log()
    log.user("zero")
    log.user("ten", seq=10)
    log.checkpoint(5, 10, [5, 10])
    tape = folded(log, tmp_path)
    assert [found.message for found in findings(tape)][1:] == ["start seq 5 not found in surface"]
    assert surface(tape) == [0, 1]


def test_a_repeated_number_means_the_event_that_bore_it_first(tmp_path: Path) -> None:
    log = Log()
    log.user("zero")
    log.user("one")
    log.user("one again", seq=1)
    log.checkpoint(1, 1, [1])
    tape = folded(log, tmp_path)
    assert codes(tape) == ["sequence-repeat"]
    assert surface(tape) == [0, 3]
    assert visibility(tape, 1) == ("shadowed", 3)
    assert visibility(tape, 2) == ("not-applied", None)
