"""The laws of plans on generated sessions: every way and history that is offered, at any cut."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.planning import PlanError, PlanKind
from inspector.formats.zero.opening import opened as open_session
from inspector.formats.zero.reading import ZeroTape
from inspector.plans.plan import Asked
from inspector.tape.source import FileSource
from tests.folding import fold_on
from tests.formats.zero.sessions import Json, written
from tests.formats.zero.test_laws import logs
from tests.plans import laws
from tests.untouched import untouched

LAW = settings(deadline=None, max_examples=15)


def opened(path: Path, policy: str) -> ZeroTape:
    tape = open_session(FileSource(path), Options(policy=policy))
    assert isinstance(tape, ZeroTape)
    return fold_on(tape)


def rows(tape: ZeroTape) -> tuple[int, ...]:
    return tuple(row.node for row in tape.timeline.rows(tape.timeline.events))


@LAW
@given(logs(), st.data(), st.sampled_from(["exec", "tui"]))
def test_a_copy_is_folded_to_the_history_that_was_foretold(
    events: list[Json], data: st.DataObject, policy: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        store = Path(name)
        path = store / "store" / "s" / "events.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(written(events))
        tape = opened(path, policy)
        cut = data.draw(st.integers(0, tape.timeline.events))
        with untouched(store / "store"):
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
            # Only a compaction that was broken already is so in a copy.
            assert not made.errors() or tape.errors()
            made.close()
        tape.close()


@LAW
@given(logs(), st.data())
def test_a_summary_stands_for_exactly_the_rows_that_it_was_asked_for(
    events: list[Json], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "s", "events.jsonl")
        path.parent.mkdir()
        path.write_bytes(written(events))
        tape = opened(path, "exec")
        before = rows(tape)
        count = data.draw(st.integers(0, len(before)))
        if count:
            try:
                draft = tape.planner().compact(count, "the summary", laws.MAKING)
            except PlanError as refused:
                assert "could stand before" in str(refused)  # noqa: PT017 # either may come
            else:
                assert draft.kept + sum(draft.omitted.values()) == tape.timeline.events
                other = Path(name, "made.jsonl")
                other.write_bytes(b"".join(draft.writes[0].content()))
                made = opened(other, "exec")
                said = laws.told(made, rows(made))
                assert said[0][-1] == "the summary"
                assert said[1:] == laws.told(tape, before[count:])
                made.close()
        tape.close()


@LAW
@given(logs())
def test_what_was_mended_needs_no_mending(events: list[Json]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "s", "events.jsonl")
        path.parent.mkdir()
        path.write_bytes(written(events))
        tape = opened(path, "exec")
        plan = laws.planned(tape, Asked(PlanKind.REPAIR))
        laws.accounts_for_all(tape, plan)
        if plan.closers:
            made = opened(laws.carried_out(plan, Path(name, "made"))[0], "exec")
            assert laws.planned(made, Asked(PlanKind.REPAIR)).closers == ()
            made.close()
        tape.close()


SAMPLES = sorted((Path(__file__).parents[3] / "sample_tapes" / "zero").iterdir())


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_the_samples_can_be_forked_at_any_cut(folder: Path, tmp_path: Path) -> None:
    with untouched(folder):
        tape = opened(folder / "events.jsonl", "exec")
        for cut in range(0, tape.timeline.events + 1, 5):
            for number, plan in enumerate(laws.cut_plans(tape, cut)):
                laws.accounts_for_all(tape, plan)
                path = laws.carried_out(plan, tmp_path / f"{cut}-{number}")[0]
                made = opened(path, "exec")
                assert plan.view is not None
                assert laws.told(made, rows(made)) == laws.told(tape, plan.view.after)
                assert made.verdict().opens is True
                assert made.errors() == 0
                made.close()
        tape.close()
