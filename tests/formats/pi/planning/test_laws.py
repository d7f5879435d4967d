"""The laws of plans on generated sessions and on the samples: every way and history, at any cut."""

import tempfile
from pathlib import Path
from random import Random

import pytest

from inspector.formats.contract import Options
from inspector.formats.pi import FORMAT
from inspector.formats.pi.reading import PiTape
from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Plan
from inspector.tape.source import FileSource
from inspector.timeline.findings import Severity
from tests.folding import SAMPLES, fold_on, keep
from tests.formats.pi import sessions
from tests.formats.pi.generated import session
from tests.formats.pi.planning.planned import content, summarised
from tests.plans.laws import (
    MAKING,
    accounts_for_all,
    allowed_cuts_give_a_history,
    carried_out,
    cut_plans,
    planned,
    told,
)
from tests.untouched import untouched

SEEDS = range(12)
FILES = sorted((SAMPLES / "pi").glob("*.jsonl"))


def rows(tape: PiTape) -> tuple[int, ...]:
    return tuple(row.node for row in tape.timeline.rows(tape.timeline.events))


def keeps_the_laws(tape: PiTape, cut: int) -> int:
    """Carry out every fork and rewind at a cursor; how many there are."""
    count = 0
    for plan in cut_plans(tape, cut):
        count += 1
        accounts_for_all(tape, plan)
        assert content(planned(tape, plan.asked)) == content(plan)
        if plan.writes:
            is_as_foretold(tape, plan)
        else:
            assert plan.how is How.APPEND
            assert plan.view is not None
            assert told(tape, plan.view.after) == told(tape, plan.view.before)
    return count


def is_as_foretold(tape: PiTape, plan: Plan) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = carried_out(plan, Path(folder))[0]
        made = sessions.opened(path.read_bytes(), Path(folder), path.name)
        assert plan.view is not None
        assert told(made, rows(made)) == told(tape, plan.view.after)
        assert made.verdict().opens is True
        if plan.how is How.CREATE:
            assert [check.ok for check in plan.checks if check.rule == "read-again"] == [True]
            assert not [one for one in made.findings() if one.kind.severity is Severity.ERROR]
        made.close()


def some_cuts(tape: PiTape, seed: int) -> list[int]:
    head, dice = tape.timeline.events, Random(seed)  # noqa: S311 - the same at every run
    return sorted({0, head, *(dice.randint(0, head) for _ in range(3))})


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_made_is_read_as_foretold(seed: int, late: bool, tmp_path: Path) -> None:
    tape = sessions.opened(session(seed, 30, late=late), tmp_path)
    with untouched(tmp_path):
        assert sum(keeps_the_laws(tape, cut) for cut in some_cuts(tape, seed)) > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_cut_is_allowed_a_history_is_given(seed: int, tmp_path: Path) -> None:
    tape = sessions.opened(session(seed, 25), tmp_path)
    allowed_cuts_give_a_history(tape, range(tape.timeline.events + 1))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_summary_stands_for_exactly_the_rows_that_it_was_asked_for(
    seed: int, late: bool, tmp_path: Path
) -> None:
    tape = sessions.opened(session(seed, 30, late=late), tmp_path)
    before = rows(tape)
    origin, kept = tape.timeline.surface.nodes.origin, told(tape, before)
    how = next(how for how, why in tape.planner().ways(PlanKind.COMPACT).items() if why is None)
    for count in range(1, len(before) + 1):
        if count < len(before) and origin(before[count - 1]) == origin(before[count]):
            # A compaction's own two rows are not parted.
            continue
        draft = tape.planner().compact(count, "short", MAKING)
        assert draft.kept + sum(draft.omitted.values()) == tape.timeline.events
        assert all(check.ok for check in draft.checks if check.blocks)
        assert [write.how for write in draft.writes] == [how]
        made = summarised(tape, count, tmp_path)
        said = [row for row in told(made, rows(made)) if row[0] != "system"]
        assert said[0][-1] == "short"
        assert said[1:] == [row for row in kept[count:] if row[0] != "system"]
        made.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:10])
def test_the_samples_can_be_cut_anywhere(path: Path) -> None:
    with untouched(path):
        tape = FORMAT.open(FileSource(path), Options())
        assert isinstance(tape, PiTape)
        fold_on(keep(tape))
        for cut in range(0, tape.timeline.events + 1, 3):
            assert keeps_the_laws(tape, cut)


def test_there_are_samples() -> None:
    assert FILES
