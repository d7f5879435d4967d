"""The laws of plans on generated logs: every way and history that is offered, at any cut."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanError, PlanKind
from inspector.formats.reina.reading import ReinaTape
from inspector.plans.plan import Asked
from inspector.tape.source import FileSource
from tests.folding import fold_on
from tests.formats.reina.generated import logs
from tests.formats.reina.sessions import Json, log
from tests.plans import laws
from tests.untouched import untouched

LAW = settings(deadline=None, max_examples=20)
POLICIES = st.sampled_from(["exercise", "sequential"])


def opened(path: Path, policy: str) -> ReinaTape:
    return fold_on(ReinaTape(FileSource(path), Options(policy=policy)))


def rows(tape: ReinaTape) -> tuple[int, ...]:
    return tuple(row.node for row in tape.timeline.rows(tape.timeline.events))


@LAW
@given(logs(), st.data(), POLICIES)
def test_a_copy_is_folded_to_the_history_that_was_foretold(
    records: list[Json], data: st.DataObject, policy: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        store = Path(name)
        path = store / "ses_a.jsonl"
        path.write_bytes(log(*records))
        tape = opened(path, policy)
        cut = data.draw(st.integers(0, tape.timeline.events))
        with untouched(path):
            plans = list(laws.cut_plans(tape, cut))
        assert plans
        for number, plan in enumerate(plans):
            laws.accounts_for_all(tape, plan)
            again = laws.planned(tape, plan.asked)
            content = [b"".join(write.content()) for write, _ in plan.writes]
            assert content == [b"".join(write.content()) for write, _ in again.writes]
            made = opened(laws.carried_out(plan, store / f"made{number}")[0], policy)
            assert plan.view is not None
            assert laws.told(made, rows(made)) == laws.told(tape, plan.view.after)
            assert made.verdict().opens is True
            assert not made.errors()
            made.close()
        tape.close()


@LAW
@given(logs(), st.data(), POLICIES)
def test_a_summary_stands_for_exactly_the_rows_that_it_was_asked_for(
    records: list[Json], data: st.DataObject, policy: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "ses_a.jsonl")
        path.write_bytes(log(*records))
        tape = opened(path, policy)
        before = rows(tape)
        count = data.draw(st.integers(0, len(before)))
        if count:
            try:
                draft = tape.planner().compact(count, "the summary", laws.MAKING)
            except PlanError as refused:
                assert "cannot be told apart" in str(refused)  # noqa: PT017 # either may come
            else:
                assert draft.kept + sum(draft.omitted.values()) == tape.timeline.events
                (write,) = draft.writes
                there = path.read_bytes() if write.how is How.APPEND else b""
                other = Path(name, "made.jsonl")
                other.write_bytes(there + b"".join(write.content()))
                expected = laws.told(tape, before[count:])
                # What is appended means the same by both readings, and so does what is made anew.
                for reading in ("exercise", "sequential"):
                    made = opened(other, reading)
                    said = laws.told(made, rows(made))
                    assert said[0][-1] == "[历史摘要] the summary"
                    assert said[1:] == expected
                    made.close()
        tape.close()


@LAW
@given(logs())
def test_a_repair_of_what_is_sent_balanced_has_nothing_to_do(records: list[Json]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "ses_a.jsonl")
        path.write_bytes(log(*records))
        tape = opened(path, "exercise")
        plan = laws.planned(tape, Asked(PlanKind.REPAIR))
        laws.accounts_for_all(tape, plan)
        mended = [entry for entry in tape.request(tape.timeline.events) if entry.note]
        assert bool(plan.closers) == bool(mended)
        assert plan.writes == ()
        tape.close()


SAMPLES = sorted((Path(__file__).parents[3] / "sample_tapes" / "reina").iterdir())


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("policy", ["exercise", "sequential"])
def test_the_samples_can_be_forked_at_any_cut(path: Path, policy: str, tmp_path: Path) -> None:
    with untouched(path):
        tape = opened(path, policy)
        for cut in range(0, tape.timeline.events + 1, 3):
            for number, plan in enumerate(laws.cut_plans(tape, cut)):
                laws.accounts_for_all(tape, plan)
                made = opened(laws.carried_out(plan, tmp_path / f"{cut}-{number}")[0], policy)
                assert plan.view is not None
                assert laws.told(made, rows(made)) == laws.told(tape, plan.view.after)
                assert made.verdict().opens is True
                made.close()
        laws.allowed_cuts_give_a_history(tape, range(tape.timeline.events + 1))
        tape.close()
