"""Where the tape may be cut, on the slider."""

from datetime import UTC

import pytest

from inspector.formats.planning import Cuts, Stop
from inspector.ui import track
from inspector.ui.slider import Slider
from tests.ui.plans.dialogs import visit

OPEN = Stop("open-turn", "a turn is open there", "no turn is open")


def signs(cuts: Cuts, at: int, scale: track.Scale) -> str:
    return "".join(cell.text for cell in track.cut_cells(cuts, at, scale))


def test_a_column_has_a_sign_where_any_of_its_cursors_may_be_cut_at() -> None:
    cuts = Cuts(100, [(OPEN, [(1, 49), (51, 100)])])
    shown = signs(cuts, 0, track.Scale(100, 11))
    assert shown == "┬    ┬    ┬"


@pytest.mark.parametrize(("at", "sign", "tone"), [(50, "┬", "strong"), (51, "✗", "error")])
def test_the_column_of_the_cut_tells_of_the_cut_alone(at: int, sign: str, tone: str) -> None:
    cuts = Cuts(100, [(OPEN, [(1, 49), (51, 100)])])
    (cell,) = (
        cell for cell in track.cut_cells(cuts, at, track.Scale(100, 11)) if cell.tone == tone
    )
    assert cell.text == sign


def test_what_came_since_the_cuts_were_asked_for_has_no_sign() -> None:
    cuts = Cuts(50, [])
    assert signs(cuts, 0, track.Scale(100, 11)) == "┬┬┬┬┬┬     "
    assert signs(cuts, 100, track.Scale(100, 11)) == "┬┬┬┬┬┬    ✗"


def test_a_tape_without_events_has_one_cut() -> None:
    assert signs(Cuts(0, []), 0, track.Scale(0, 3)).startswith("┬")


@pytest.mark.parametrize(
    ("height", "starts"),
    [
        (5, ["context", "marks", "‖", "cuts", "turn"]),
        (4, ["marks", "‖", "cuts", "turn"]),
        (3, ["‖", "cuts", "turn"]),
        (2, ["‖", "turn"]),
        (1, ["‖"]),
    ],
)
def test_the_cuts_are_below_the_track_and_the_upper_rows_go_first(
    height: int, starts: list[str]
) -> None:
    with visit("demo", "208") as inspection:
        slider = Slider(inspection, UTC)
        slider.cuts = Cuts(inspection.head, [])
        lines = ["".join(c.text for c in slider.line(y, 80, height)) for y in range(height)]
        assert [line.split()[0] for line in lines] == starts


def test_without_a_plan_nothing_of_it_is_drawn() -> None:
    with visit("demo", "208") as inspection:
        slider = Slider(inspection, UTC)
        lines = ["".join(c.text for c in slider.line(y, 80, 4)) for y in range(4)]
        assert [line.split()[0] for line in lines] == ["context", "marks", "‖", "turn"]
