"""A plan that was kept is made again from its file, and what changed meanwhile is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.export.plan import document
from inspector.formats.contract import Options
from inspector.formats.planning import PlanError, PlanKind, View
from inspector.plans.differing import differences
from inspector.plans.plan import Asked
from inspector.plans.planning import plan
from inspector.plans.saved import expected, is_head, saved
from tests.commands import SAMPLES
from tests.plans.laws import opened, planned

DEMO = SAMPLES / "demo.jsonl"


def kept(path: Path, asked: Asked) -> dict[str, Any]:
    with opened(path, Options()) as tape:
        found: dict[str, Any] = json.loads(json.dumps(document(tape, planned(tape, asked))))
        return found


ASKED = [
    Asked(PlanKind.FORK, 208, view=View.AS_OF),
    Asked(PlanKind.COMPACT, keep_last=5, degraded=True),
    Asked(PlanKind.COMPACT, summary="It went well."),
    Asked(PlanKind.REPAIR),
    Asked(PlanKind.RESUME, 100),
]


@pytest.mark.parametrize("asked", ASKED)
def test_the_same_plan_is_made_again(asked: Asked) -> None:
    found = saved(kept(DEMO, asked))
    assert found.path == DEMO
    with opened(found.path, Options(policy=found.policy)) as tape:
        again = plan(tape, found.asked, found.making, lambda _path: False)
        assert json.loads(json.dumps(document(tape, again))) == found.document
        assert not list(differences(found.document, document(tape, again)))


def test_what_changed_while_the_tape_grew_is_told(tmp_path: Path) -> None:
    lines = DEMO.read_bytes().splitlines(keepends=True)
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"".join(lines[:300]))
    old = kept(path, Asked(PlanKind.FORK, 100))
    path.write_bytes(b"".join(lines))
    new = kept(path, Asked(PlanKind.FORK, 100))
    told = list(differences(old, new))
    assert told[0] == f"the head was {old['head']['events']} and is 434"
    assert f"leave: {old['left']} -> {new['left']}" in told
    assert any(line.startswith("not undone: ") for line in told)


@pytest.mark.parametrize(
    "value", [None, [], "plan", {}, {"version": 2}, {"version": 1}, {"version": 1, "tape": 5}]
)
def test_what_is_no_plan_is_said(value: Any) -> None:
    with pytest.raises(PlanError, match="is no"):
        saved(value)


@pytest.mark.parametrize(
    ("key", "inner", "value"),
    [
        ("kind", None, "grow"),
        ("head", "events", -1),
        ("head", "hash", None),
        ("making", "time", "now"),
        ("asked", "view", "other"),
        ("asked", "cut", True),
        ("tape", "path", 7),
    ],
)
def test_a_plan_with_a_wrong_value_is_no_whole_plan(
    key: str, inner: str | None, value: Any
) -> None:
    found = kept(DEMO, Asked(PlanKind.FORK, 208))
    if inner is None:
        found[key] = value
    else:
        found[key][inner] = value
    with pytest.raises(PlanError, match="is no whole plan"):
        saved(found)


def test_a_head_is_told_by_its_cursor_and_some_digits_of_its_hash() -> None:
    with opened(DEMO, Options()) as tape:
        seal = tape.seal()
    assert is_head(seal, expected(f"434:{seal.hash[:8].upper()}"))
    assert not is_head(seal, expected(f"433:{seal.hash[:8]}"))
    assert not is_head(seal, expected("434:00000000"))
    for text in (
        "",
        "434",
        ":abcdef01",
        "434:abc",
        "434:xyzxyzxy",
        "x:abcdef01",
        "434:" + "a" * 65,
    ):
        with pytest.raises(PlanError, match="--expect is"):
            expected(text)
