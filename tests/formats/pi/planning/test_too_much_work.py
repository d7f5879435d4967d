"""Behind the cursor at which the fold of a tree stops, nothing is planned."""

from pathlib import Path

import pytest

from inspector.formats.pi import decoder
from inspector.formats.planning import How, PlanError, PlanKind
from inspector.plans.plan import Asked
from tests.formats.pi.planning.planned import fork, planned
from tests.formats.pi.sessions import opened, text_of
from tests.formats.pi.test_too_much_work import edited_branches


def test_no_cut_is_made_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "_MOST_WORK", 5_000)
    monkeypatch.setattr(decoder, "_MORE_WORK", 1)
    tape = opened(text_of(edited_branches(200)), tmp_path)
    stop = tape.timeline.stopped_at
    assert stop is not None
    for kind in (PlanKind.REWIND, PlanKind.COMPACT):
        why = tape.planner().ways(kind)[How.APPEND]
        assert why == "the fold stops before the end: where Pi stands there is not known"
    for asked in (
        Asked(PlanKind.FORK, stop + 1, How.CREATE),
        Asked(PlanKind.REWIND, stop + 1, How.CREATE),
        Asked(PlanKind.COMPACT, None, How.CREATE, degraded=True),
    ):
        with pytest.raises(PlanError, match="the fold stops at"):
            planned(tape, asked)
    assert fork(tape, stop).is_sound
