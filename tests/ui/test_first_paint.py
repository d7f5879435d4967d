import re
from datetime import UTC

import pytest

from inspector.ui.first_paint import frame
from inspector.ui.layout import boxes
from tests.ui.driving import program, running, text

SCROLLBAR = re.compile("[▁▂▃▄▅▆▇█]")


def without_scrollbars(lines: list[str], size: tuple[int, int]) -> list[str]:
    """The bars are Textual's own drawing; the sparkline, which has the same glyphs, is ours."""
    transport = boxes(*size, banner=False).transport.y
    above = [SCROLLBAR.sub(" ", line).rstrip() for line in lines[:transport]]
    return above + lines[transport:]


@pytest.mark.parametrize("size", [(120, 40), (200, 50), (80, 24), (100, 30), (159, 31), (60, 15)])
@pytest.mark.parametrize(
    ("tape", "at"),
    [
        ("demo", None),
        ("demo", "0"),
        ("demo", "340"),
        ("ten-events-unknown", None),
        ("header-only", None),
        ("future-version", None),
        ("damaged-line", None),
        ("hostile", None),
        ("unicode", None),
    ],
)
async def test_the_frame_drawn_ahead_is_the_frame_of_the_screen(
    tape: str, at: str | None, size: tuple[int, int]
) -> None:
    async with running(tape, at, size) as (app, _):
        drawn = text(app)
    inspection = program(tape, at).inspection
    inspection.grown()
    ahead = frame(inspection, *size, UTC).text()
    assert without_scrollbars(ahead, size) == without_scrollbars(drawn, size)


def test_a_screen_that_is_too_small_is_left_to_the_screen() -> None:
    assert frame(program("demo").inspection, 30, 8, UTC).text() == [""] * 8


def test_what_a_terminal_gets_holds_no_control_but_our_own() -> None:
    inspection = program("hostile").inspection
    inspection.grown()
    codes = frame(inspection, 120, 40, UTC).codes(1 << 24)
    rest = re.sub(r"\x1b\[[0-9;]*m|\r\n", "", codes)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", rest)


@pytest.mark.parametrize(("depth", "code"), [(1 << 24, "38;2;"), (256, "38;5;"), (0, "")])
def test_colours_are_those_that_the_terminal_has(depth: int, code: str) -> None:
    inspection = program("demo").inspection
    inspection.grown()
    codes = frame(inspection, 120, 40, UTC).codes(depth)
    assert (code in codes) if code else ("38;" not in codes)
