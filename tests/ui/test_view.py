"""Which pane, row and mode a person has in hand, and the count that is being typed."""

from collections.abc import Iterator

import pytest

from inspector.inspection import Inspection
from inspector.ui.typed import Typed
from inspector.ui.view import View
from tests.ui.driving import sample


@pytest.fixture
def inspection() -> Iterator[Inspection]:
    """A visit at the head of four messages in ten events."""
    tape = sample("ten-events")
    while tape.advance():
        pass
    found = Inspection(tape)
    found.seek(found.head)
    yield found
    tape.close()


def test_a_row_in_hand_is_shown_with_its_event(inspection: Inspection) -> None:
    view = View(inspection)
    view.pane = "surface"
    view.take_row(0)
    view.settle()
    assert (view.row, view.shown_row, view.event) == (0, 0, view.surface.event(0))
    assert view.event != inspection.selected


def test_a_row_beyond_the_last_is_the_last(inspection: Inspection) -> None:
    view = View(inspection)
    view.take_row(99)
    assert view.row == view.surface.count() - 1 == 3


@pytest.mark.parametrize("leave", ["cursor", "pane", "let go"])
def test_a_row_is_let_go_of(inspection: Inspection, leave: str) -> None:
    view = View(inspection)
    view.pane = "surface"
    view.take_row(1)
    if leave == "cursor":
        inspection.seek(inspection.head - 1)
    elif leave == "pane":
        view.pane = view.neighbour(1)
    else:
        view.let_go()
    view.settle()
    assert (view.row, view.event) == (None, inspection.selected)


def test_no_surface_has_no_row(inspection: Inspection) -> None:
    inspection.seek(0)
    view = View(inspection)
    view.take_row(2)
    assert (view.row, view.shown_row, view.event) == (None, None, None)


def test_panes_go_round_and_a_mode_toggles(inspection: Inspection) -> None:
    view = View(inspection)
    assert (view.neighbour(1), view.neighbour(-1)) == ("surface", "detail")
    view.toggle("raw")
    assert view.mode == "raw"
    view.toggle("state")
    assert view.mode == "state"
    view.toggle("state")
    assert view.mode == "detail"


def test_the_detail_depends_on_what_it_shows(inspection: Inspection) -> None:
    view = View(inspection)
    inspection.select(1)
    before = view.detail_state()
    assert view.detail_state() == before
    inspection.select(2)
    assert view.detail_state() != before
    view.toggle("state")
    state = view.detail_state()
    inspection.select(1)
    assert view.detail_state() == state
    inspection.seek(3)
    assert view.detail_state() != state


@pytest.mark.parametrize(
    ("keys", "taken", "number"),
    [("12", [True, True], 12), ("0", [False], 7), ("10", [True, True], 10), ("x", [False], 7)],
)
def test_digits_make_a_number_that_is_used_once(keys: str, taken: list[bool], number: int) -> None:
    typed = Typed()
    assert [typed.takes(key) for key in keys] == taken
    assert typed.number(7) == number
    assert (typed.digits, typed.number(7)) == ("", 7)


@pytest.mark.parametrize("key", ["", "٣", "²", "-"])
def test_what_is_no_plain_digit_is_no_number(key: str) -> None:
    assert not Typed().takes(key)


def test_a_number_has_nine_digits_at_the_most() -> None:
    typed = Typed()
    assert all(typed.takes("9") for _ in range(20))
    assert typed.number() == 999_999_999


def test_a_question_is_about_the_row_that_the_surface_highlights(inspection: Inspection) -> None:
    view = View(inspection)
    inspection.select(0)
    assert view.pointed == 0
    view.pane = "surface"
    assert view.pointed == view.surface.event(3) != 0
    inspection.seek(0)
    assert view.pointed is None
