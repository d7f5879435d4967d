"""Plans for the shared Codex logs: the owner's next requests, its closers, and the laws of cuts."""

import json
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Asked, Plan
from inspector.timeline.findings import Severity
from tests.corpus.corpus import ROOT, files, folded, found, needs_corpus
from tests.corpus.test_codex_oracle import cursor_behind, said, wanted
from tests.plans.laws import (
    Told,
    accounts_for_all,
    carried_out,
    cut_plans,
    gives_its_view,
    opened,
    planned,
)
from tests.untouched import untouched

pytestmark = needs_corpus

CASES = ROOT / "cases"
OPTIONS: Final = Options()

REFUSED: Final = {
    "jazzy_schema_coverage_compaction": "Codex refuses the log: unknown history mode default",
    "jazzy_schema_drift": "the log does not say which thread it is",
}
"""Logs of which no new one can be made, and why."""

FLAT: Final = "jazzy_session_branch_flat.jsonl"
"""A log of another program."""


def next_request(plan: Plan) -> list[dict[str, Any]]:
    """What a plan says would be sent, in the words of the verdicts."""
    return [
        {
            "type": entry.type,
            "role": entry.role,
            "call_id": entry.call_id,
            "text": said(entry.type, entry.text),
        }
        for entry in plan.request
        if entry.note != "dropped"
    ]


@pytest.mark.parametrize("path", files("oracle/codex/*.jsonl"))
def test_a_resume_sends_what_the_owner_sends_and_a_repair_tells_what_it_makes_up(
    path: Path,
) -> None:
    verdicts = found(path.with_suffix(".verdicts.json"))
    with untouched(path):
        tape = folded(path)
        for verdict in verdicts:
            plan = planned(tape, Asked(PlanKind.RESUME, cursor_behind(tape, verdict["lines"])))
            assert next_request(plan) == wanted(verdict), verdict["lines"]
            assert (plan.is_sound, plan.writes) == (True, ())
        repair = planned(tape, Asked(PlanKind.REPAIR))
    sent = wanted(verdicts[-1])
    made_up = [
        item["call_id"]
        for item in sent
        if item["type"].endswith("_output") and item["text"] == "aborted"
    ]
    assert [one.call_id for one in repair.closers if one.does == "added"] == made_up
    dropped = sum(one.does == "dropped" and one.type != "line" for one in repair.closers)
    assert len(sent) == tape.timeline.count(tape.timeline.events) + len(made_up) - dropped


# Cuts.


def same(found: list[Told], foretold: list[Told]) -> bool:
    """Whether the items are the same, whatever they are taken for; see the laws of the format."""
    return list(map(_as_item, found)) == list(map(_as_item, foretold))


def _as_item(row: Told) -> Told:
    return ("user", "message", row[2]) if row[:2] == ("summary", "summary") else row


def keeps_its_laws(tape: Tape, at: int, folder: Path) -> set[tuple[How, str]]:
    """Carry out every plan for a cut; the ways and views that were offered."""
    offered: set[tuple[How, str]] = set()
    for number, plan in enumerate(cut_plans(tape, at)):
        assert plan.view is not None
        offered.add((plan.how, plan.view.choice.value))
        accounts_for_all(tape, plan)
        if plan.kind is PlanKind.REWIND and plan.how is How.CREATE:
            # It is a fork.
            continue
        if plan.writes:
            made = folder / str(number)
            gives_its_view(tape, plan, made, OPTIONS, same=same)
            known = errors(tape) if plan.how is How.APPEND else []
            with opened(carried_out(plan, made)[-1], OPTIONS) as new:
                assert new.verdict().opens is True
                assert errors(new) == known
    return offered


def errors(tape: Tape) -> list[str]:
    return [one.message for one in tape.findings() if one.kind.severity is Severity.ERROR]


def random_cut(tape: Tape, name: str) -> int:
    """A cursor that is the same for the same name."""
    return crc32(name.encode()) % (tape.timeline.events + 1)


@pytest.mark.parametrize("path", files("oracle/codex/*.jsonl"))
def test_every_view_of_a_random_cut_is_given(path: Path, tmp_path: Path) -> None:
    with untouched(path):
        tape = folded(path)
        at = random_cut(tape, path.name)
        offered = keeps_its_laws(tape, at, tmp_path)
    assert {(How.CREATE, "as-of"), (How.CREATE, "originals")} <= offered


@pytest.mark.parametrize(
    "path",
    files("tapes/codex/*.jsonl", without=(FLAT, *(f"{name}.jsonl" for name in REFUSED))),
)
def test_every_shared_log_can_be_forked(path: Path, tmp_path: Path) -> None:
    with untouched(path):
        tape = folded(path)
        for cut in range(2):
            at = random_cut(tape, f"{path.name} {cut}")
            offered = keeps_its_laws(tape, at, tmp_path / str(cut))
            assert (How.CREATE, "as-of") in offered


@pytest.mark.parametrize("name", REFUSED)
def test_a_log_of_which_no_other_can_be_made_says_why(name: str) -> None:
    planner = folded(ROOT / "tapes" / "codex" / f"{name}.jsonl").planner()
    for kind in (PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT):
        assert planner.ways(kind)[How.CREATE] == REFUSED[name]


def test_the_handmade_log_can_be_cut(tmp_path: Path) -> None:
    tape = folded(next((ROOT / "tapes" / "handmade").glob("codex_rollout-*.jsonl")))
    offered: set[tuple[How, str]] = set()
    for at in legal_cuts(tape, How.CREATE)[1::2]:
        offered |= keeps_its_laws(tape, at, tmp_path / str(at))
    assert (How.APPEND, "as-of") in offered


def legal_cuts(tape: Tape, how: How) -> list[int]:
    cuts = tape.planner().cuts(PlanKind.REWIND, how)
    return [at for at in range(cuts.head + 1) if cuts.legal(at)]


def test_the_turns_of_a_log_that_was_rolled_back_are_its_cuts(tmp_path: Path) -> None:
    tape = folded(CASES / "case-40" / "input.jsonl")
    lines = [
        tape.place(tape.timeline.table.record(at - 1)).line
        for at in legal_cuts(tape, How.APPEND)
        if at
    ]
    # The end of t1 and what rollbacks left of it, t4 gone again, and the end of t5.
    assert lines == [7, 20, 27, 33, 39]
    plan = planned(tape, Asked(PlanKind.REWIND, 26, How.APPEND))
    keeps_its_laws(tape, 26, tmp_path)
    assert json.loads(b"".join(plan.writes[0][0].content()))["payload"]["num_turns"] == 1


def test_a_rewind_past_a_compaction_brings_its_turns_back(tmp_path: Path) -> None:
    tape = folded(CASES / "case-42" / "input.jsonl")
    for at in legal_cuts(tape, How.APPEND):
        assert (How.APPEND, "as-of") in keeps_its_laws(tape, at, tmp_path / str(at))
