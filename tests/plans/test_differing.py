"""What of a plan is another by now is told with its values."""

import json
from typing import Any

import pytest

from inspector.plans.differing import another, differences

CHECK = {"rule": "open-turn", "ok": True, "message": "no turn is open"}
CALL = {"event": 5, "class": "terminal", "tool": "bash", "what": "make"}


def plan(**more: Any) -> dict[str, Any]:
    """A plan's document as far as it is compared."""
    base: dict[str, Any] = {
        "kind": "fork",
        "how": "create",
        "tape": {"path": "/t/a.jsonl", "id": "a", "format": "dsh", "policy": "fold"},
        "head": {"events": 10, "bytes": 100, "hash": "aa"},
        "cut": {"asked": 4, "taken": 4, "nearest": [3, 6], "why": ""},
        "kept": 4,
        "left": 6,
        "left_because": {"behind the cut": 6},
        "checks": [CHECK],
        "view": {
            "choice": "as-of",
            "offered": {"as-of": True, "originals": True},
            "before": ["1.0"],
            "after": ["1.0"],
            "rows_before": 1,
            "rows_after": 1,
            "tokens_before": 7,
            "tokens_after": 7,
            "reported": {"tokens": 900, "event": 3},
        },
        "registers": {"model": ["B", "A"]},
        "not_undone": [CALL],
        "restorable": [],
        "writes": [{"to": "/t/b.jsonl", "how": "create", "bytes": 100}],
        "remarks": [],
        "asked": {"cut": 4, "keep_last": None},
    }
    return base | more


def told(**more: Any) -> list[str]:
    return list(differences(plan(), plan(**more)))


def view(**more: Any) -> dict[str, Any]:
    found: dict[str, Any] = plan()["view"]
    return {"view": found | more}


CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"kept": 5}, ["keep: 4 -> 5"]),
    ({"left": 1_006}, ["leave: 6 -> 1,006"]),
    (
        {"left_because": {"behind the cut": 7, "usage": 1}},
        [
            "left because of: behind the cut 6 -> 7",
            "left because of: usage 0 -> 1",
        ],
    ),
    ({"how": "append"}, ["how it is written: create -> append"]),
    ({"head": {"events": 12, "bytes": 120, "hash": "bb"}}, ["the head was 10 and is 12"]),
    (
        {"head": {"events": 10, "bytes": 120, "hash": "bb"}},
        [
            "the head was 10 and is 10, and what stands before it is another",
        ],
    ),
    (
        view(rows_after=3, tokens_after=50),
        [
            "model view: afterwards rows 1 -> 3, tokens 7 -> 50",
        ],
    ),
    (view(rows_before=2), ["model view: now rows 1 -> 2"]),
    (view(after=["2.0"]), ["model view: afterwards other rows, as many"]),
    (view(reported={"tokens": 1_000, "event": 9}), ["model view: reported 900 -> 1,000 tokens"]),
    (
        view(offered={"as-of": True, "originals": "it leaks"}),
        [
            "histories: originals offered -> no, it leaks",
        ],
    ),
    (
        {"checks": [CHECK | {"ok": False, "message": "a turn is open"}]},
        [
            "checks: open-turn kept (no turn is open) -> broken (a turn is open)",
        ],
    ),
    ({"checks": []}, ["checks: open-turn kept (no turn is open) -> not looked at"]),
    ({"registers": {"model": ["C", "A"]}}, ['registers: model ["B","A"] -> ["C","A"]']),
    ({"not_undone": [CALL, CALL | {"event": 7}]}, ["not undone: 1 -> 2, +7 terminal bash make"]),
    (
        {"not_undone": [CALL | {"what": "rm"}]},
        [
            "not undone: 1, +5 terminal bash rm, -5 terminal bash make",
        ],
    ),
    (
        {"not_undone": [CALL | {"event": at} for at in range(6, 12)]},
        [
            ", ".join(
                (
                    "not undone: 1 -> 6",
                    *(f"+{at} terminal bash make" for at in (6, 7, 8)),
                    *("-5 terminal bash make", "and 3 more"),
                )
            ),
        ],
    ),
    ({"writes": []}, ["what would be written: create 100 bytes -> nothing to /t/b.jsonl"]),
    (
        {"writes": [{"to": "/t/b.jsonl", "how": "create", "bytes": 1_200}]},
        [
            "what would be written: create 100 bytes -> create 1,200 bytes to /t/b.jsonl",
        ],
    ),
    ({"asked": {"cut": 4, "keep_last": 3}}, ["the rows that are kept: asked for none, and now 3"]),
    (
        {"next_request": {"items": [{"node": "1.0", "note": None, "type": "message"}]}},
        [
            "the next request: 0 -> 1, +1.0 null message",
        ],
    ),
]


@pytest.mark.parametrize(("more", "lines"), CASES)
def test_what_is_another_is_told_with_both_values(more: dict[str, Any], lines: list[str]) -> None:
    assert told(**more) == lines


def test_a_plan_of_another_kind_or_tape_is_no_change() -> None:
    assert list(another(plan(), plan())) == []
    (kind,) = another(plan(), plan(kind="rewind"))
    assert kind == "it is a plan of a fork and this is one of a rewind"
    (tape,) = another(plan(), plan(tape=plan()["tape"] | {"path": "/t/z.jsonl"}))
    assert tape.startswith("it is a plan of another tape: /t/a.jsonl (a), and not /t/z.jsonl")
    (policy,) = another(plan(), plan(tape=plan()["tape"] | {"policy": "other"}))
    assert policy == "the reader that is followed was fold and is other"


@pytest.mark.parametrize("value", [None, 7, "x", [], [1], {}, {"x": [None]}, [[["x"]]]])
def test_no_value_of_a_file_breaks_it(value: Any) -> None:
    for key in plan():
        lines = list(differences(json.loads(json.dumps(plan() | {key: value})), plan()))
        assert all(isinstance(line, str) for line in lines)
