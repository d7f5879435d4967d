"""The track as glyphs: cursor, anchor, what lies between, and what is not reliable."""

from collections.abc import Iterator

import pytest

from inspector.inspection import Inspection
from inspector.ui.track import Scale, lanes, mark_cells, mark_words, marks, track_cells
from tests.ui.driving import sample


def visit(name: str) -> Iterator[Inspection]:
    tape = sample(name)
    while tape.advance():
        pass
    yield Inspection(tape)
    tape.close()


@pytest.fixture
def ten() -> Iterator[Inspection]:
    """A visit to a tape of ten events, one to a column."""
    yield from visit("ten-events")


@pytest.fixture
def damaged() -> Iterator[Inspection]:
    """A visit to one of fourteen that is reliable to nine."""
    yield from visit("damaged-line")


def track(inspection: Inspection, cursor: int, anchor: int | None = None, width: int = 11) -> str:
    inspection.seek(cursor)
    inspection.anchor = anchor
    scale = Scale(inspection.head, width)
    return "".join(cell.text for cell in track_cells(inspection, scale))


def test_without_an_anchor(ten: Inspection) -> None:
    assert track(ten, 4) == "━━━━●┄┄┄┄┄┄"
    assert track(ten, 0) == "●┄┄┄┄┄┄┄┄┄┄"
    assert track(ten, 10) == "━━━━━━━━━━●"


def test_with_an_anchor_before_and_behind(ten: Inspection) -> None:
    assert track(ten, 7, 2) == "━━A▒▒▒▒●┄┄┄"
    assert track(ten, 2, 7) == "━━●▒▒▒▒A┄┄┄"
    assert track(ten, 0, 10) == "●▒▒▒▒▒▒▒▒▒A"
    assert track(ten, 10, 0) == "A▒▒▒▒▒▒▒▒▒●"
    assert track(ten, 5, 4) == "━━━━A●┄┄┄┄┄"


def test_in_one_column_the_cursor_is_shown(ten: Inspection) -> None:
    assert track(ten, 4, 4) == "━━━━●┄┄┄┄┄┄"
    assert track(ten, 4, 5, width=3) == "━●┄"


@pytest.mark.parametrize("width", [2, 3, 7, 11, 40])
def test_it_is_as_wide_as_it_is_told(ten: Inspection, width: int) -> None:
    for cursor in range(11):
        for anchor in (None, 0, 3, 10):
            assert len(track(ten, cursor, anchor, width)) == width


def test_what_is_not_reliable_is_hatched_between_them_too(damaged: Inspection) -> None:
    assert track(damaged, 14, 2, width=15) == "━━A▒▒▒▒▒▒▒░░░░●"
    assert track(damaged, 2, 14, width=15) == "━━●▒▒▒▒▒▒▒░░░░A"
    assert track(damaged, 3, None, width=15) == "━━━●┄┄┄┄┄┄░░░░░"


def test_a_branch_point_is_marked_behind_a_compaction_and_before_a_prompt(
    ten: Inspection,
) -> None:
    ten.timeline.branchings.add(3)
    found = lanes(ten)
    assert [lane.glyph for lane in found] == ["⚠", "!", "✂", "◆", "★", "/", "u"]
    scale = Scale(ten.head, ten.head + 1)
    assert mark_words(found, scale, 4) == "1 branch point, 1 user prompt"
    assert "".join(cell.text for cell in mark_cells(marks(found, scale)))[4] == "◆"
