"""Plans for the shared transcripts: the laws of cuts, and what the owner lists of forks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

from inspector.formats.claude import FORMAT
from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from inspector.tape.source import FileSource
from inspector.timeline.findings import Severity
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.corpus.test_claude_oracle import CRASHES, listed
from tests.folding import fold_on, keep
from tests.plans.laws import (
    MAKING,
    accounts_for_all,
    carried_out,
    gives_its_view,
    opened,
    planned,
)
from tests.untouched import untouched

pytestmark = needs_corpus

OPTIONS: Final = Options(policy="sdk-js")
SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_tapes" / "claude"

SUBAGENTS: Final = (
    "ccv_agent-test-hash-123.jsonl",
    "jazzy_schema_coverage_compaction.jsonl",
)
"""Transcripts that are a subagent's: all of their records are of a side."""

SIDES: Final = ("133.jsonl", "133.verdicts.json", "136.jsonl", "136.verdicts.json")
"""Others, of which the owner lists next to nothing."""

HANDMADE: Final = ("bytes_edge_claude", "claude_11111111-2222-4333-8444-555555555555")


def held(path: Path, policy: str = "sdk-js") -> ClaudeTape:
    """A transcript that may be too small to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options(policy=policy))
    assert isinstance(tape, ClaudeTape)
    return fold_on(keep(tape))


def forks(tape: ClaudeTape, at: int) -> Iterator[Plan]:
    """A fork for every history that is offered at a cursor."""
    for view, refused in tape.planner().views(PlanKind.FORK, How.CREATE, at).items():
        plan = planned(tape, Asked(PlanKind.FORK, at, How.CREATE, view))
        assert plan.view is not None
        if refused is None and plan.view.offered[view] is None:
            yield plan


def keeps_its_laws(tape: ClaudeTape, at: int, folder: Path) -> set[View]:
    """Carry out every fork at a cursor; the views that were offered."""
    offered: set[View] = set()
    for number, plan in enumerate(forks(tape, at)):
        assert plan.view is not None
        offered.add(plan.view.choice)
        accounts_for_all(tape, plan)
        assert [check.ok for check in plan.checks if check.rule == "read-again"] == [True]
        made = folder / str(number)
        gives_its_view(tape, plan, made, OPTIONS)
        with opened(carried_out(plan, made)[-1], OPTIONS) as new:
            assert new.verdict().opens is True
            severe = [one for one in new.findings() if one.kind.severity is Severity.ERROR]
            assert severe == []
    return offered


def random_cut(tape: ClaudeTape, name: str) -> int:
    """A cursor that is the same for the same name."""
    return crc32(name.encode()) % (tape.timeline.events + 1)


@pytest.mark.parametrize("path", files("oracle/claude/*.jsonl", without=SIDES)[::5])
def test_every_view_of_a_random_cut_is_given(path: Path, tmp_path: Path) -> None:
    tape = held(path)
    offered = keeps_its_laws(tape, random_cut(tape, path.name), tmp_path)
    assert {View.AS_OF, View.ORIGINALS} <= offered


@pytest.mark.parametrize(
    "path",
    files("oracle/claude/*.verdicts.json", without=SIDES),
)
def test_the_owner_lists_of_a_fork_what_it_lists_of_its_parent(path: Path, tmp_path: Path) -> None:
    name = path.name.split(".")[0]
    tape = held(path.with_name(f"{name}.jsonl"), "sdk-js:reload")
    for verdict in found(path)[-1:]:
        if verdict["ids"] is None:
            assert name in CRASHES
            continue
        at = tape.timeline.table.before_record(verdict["lines"])
        plan = planned(tape, Asked(PlanKind.FORK, at, How.CREATE, View.AS_OF))
        new = held(carried_out(plan, tmp_path)[-1], "sdk-js:reload")
        wanted = [MAKING.derived(f"record {uuid}") for uuid in verdict["ids"]]
        assert listed(new, new.timeline.events) == wanted


@pytest.mark.parametrize("path", files("tapes/claude/*.jsonl", without=SUBAGENTS))
def test_every_shared_transcript_can_be_forked(path: Path, tmp_path: Path) -> None:
    with untouched(path):
        tape = held(path)
        offered = keeps_its_laws(tape, random_cut(tape, path.name), tmp_path)
    assert View.AS_OF in offered


@pytest.mark.parametrize("name", SUBAGENTS)
def test_a_subagents_transcript_says_why_it_cannot_be_forked(name: str) -> None:
    planner = held(ROOT / "tapes" / "claude" / name).planner()
    for kind in (PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT):
        assert "transcript of a subagent" in str(planner.ways(kind)[How.CREATE])


@pytest.mark.parametrize("name", HANDMADE)
def test_the_handmade_transcripts_can_be_cut_wherever_it_is_allowed(
    name: str, tmp_path: Path
) -> None:
    tape = held(ROOT / "tapes" / "handmade" / f"{name}.jsonl")
    for at in legal_cuts(tape)[::5]:
        keeps_its_laws(tape, at, tmp_path / str(at))


def test_the_sample_can_be_cut(tmp_path: Path) -> None:
    tape = held(next(SAMPLES.glob("*.jsonl")))
    cuts = legal_cuts(tape)
    for at in cuts[:: max(1, len(cuts) // 4)]:
        keeps_its_laws(tape, at, tmp_path / str(at))


def legal_cuts(tape: ClaudeTape) -> list[int]:
    cuts = tape.planner().cuts(PlanKind.REWIND, How.CREATE)
    return [at for at in range(cuts.head + 1) if cuts.legal(at)]


# The awkward cases.


def case(number: int) -> ClaudeTape:
    return held(ROOT / "cases" / f"case-{number}" / "input.jsonl")


def lines(tape: ClaudeTape) -> list[int]:
    """The lines behind which a fork may cut."""
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    return [at for at in range(cuts.head + 1) if cuts.legal(at)]


def test_a_batch_of_parallel_calls_is_never_cut(tmp_path: Path) -> None:
    tape = case(29)
    assert lines(tape) == [0, 1, 8, 9]
    assert keeps_its_laws(tape, 8, tmp_path) == set(View)


def test_a_message_of_several_lines_is_never_cut() -> None:
    assert lines(case(20))[:3] == [0, 1, 7]


def test_a_transcript_that_was_compacted_three_times_is_forked_with_what_was_kept(
    tmp_path: Path,
) -> None:
    tape = case(32)
    for at in legal_cuts(tape)[::3]:
        keeps_its_laws(tape, at, tmp_path / str(at))
    plan = planned(tape, Asked(PlanKind.FORK, None, How.CREATE, View.AS_OF))
    new = held(carried_out(plan, tmp_path / "new")[-1], "sdk-js:reload")
    names = [MAKING.derived(f"record {uuid}") for uuid in ("s-3", "u-4", "a-4", "u-5", "a-5")]
    assert listed(new, new.timeline.events) == names


def test_calls_that_were_interrupted_get_results_and_no_more(tmp_path: Path) -> None:
    tape = case(28)
    plan = planned(tape, Asked(PlanKind.REPAIR))
    assert [(one.does, one.call_id, one.code) for one in plan.closers] == [
        ("added", "toolu_01", "unknown"),
        ("added", "toolu_02", "unknown"),
        ("added", "toolu_04", "unknown"),
    ]
    new = held(carried_out(plan, tmp_path)[-1])
    assert planned(new, Asked(PlanKind.REPAIR)).closers == ()
    assert [entry.note for entry in new.request(new.timeline.events)] == [None] * 10


def test_a_broken_chain_is_joined(tmp_path: Path) -> None:
    tape = held(ROOT / "tapes" / "handmade" / "claude_broken_chain.jsonl")
    plan = planned(tape, Asked(PlanKind.REPAIR))
    assert "file-order-neighbour" in [one.code for one in plan.closers]
    new = held(carried_out(plan, tmp_path)[-1], "sdk-js:reload")
    assert new.timeline.count(new.timeline.events) > tape.timeline.count(tape.timeline.events)
    assert "broken-chain" not in [one.kind.code for one in new.findings()]


def test_every_repair_is_idempotent(tmp_path: Path) -> None:
    for path in sorted((ROOT / "oracle" / "claude").glob("0*.jsonl"))[::8]:
        plan = planned(held(path), Asked(PlanKind.REPAIR))
        if plan.writes:
            new = held(carried_out(plan, tmp_path / path.stem)[-1])
            assert planned(new, Asked(PlanKind.REPAIR)).closers == (), path.name
