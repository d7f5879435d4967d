"""Pictures of the dialogs of plans: one each, and one of the smallest layout."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.ui.plans import opening
from tests.guarding import guarded
from tests.ui.driving import SAMPLES, program
from tests.ui.plans.dialogs import MAKING, press

SnapCompare = Callable[..., bool]


@pytest.mark.parametrize(
    ("tape", "at", "keys", "size"),
    [
        pytest.param("demo", "200", "F", (120, 40), id="fork"),
        pytest.param("demo", "208", "Re", (120, 40), id="rewind"),
        pytest.param("demo", "200", "pjj\rd", (120, 40), id="compact"),
        pytest.param("open-turn", None, "pjjj\r", (120, 40), id="repair"),
        pytest.param("demo", "200", "pjjjj\r", (120, 40), id="resume"),
        pytest.param("demo", "200", "p", (120, 40), id="menu"),
        pytest.param("demo", "200", "F", (80, 24), id="fork-narrow"),
        pytest.param("demo", "208", "FA", (120, 40), id="apply"),
        pytest.param("demo", "208", "FA", (80, 24), id="apply-narrow"),
    ],
)
def test_picture(
    snap_compare: SnapCompare,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tape: str,
    at: str | None,
    keys: str,
    size: tuple[int, int],
) -> None:
    # The dialog tells paths and what would be made: of the machine and the hour is no picture.
    monkeypatch.setattr(opening, "new_making", lambda: MAKING)
    monkeypatch.chdir(SAMPLES.parent)
    path = Path("sample_tapes") / f"{tape}.jsonl"
    app = program(path, at, data=tmp_path)

    async def typed(pilot: Pilot[None]) -> None:
        await press(app, pilot, *("enter" if key == "\r" else key for key in keys))

    with guarded(path):
        assert snap_compare(app, terminal_size=size, run_before=typed)
