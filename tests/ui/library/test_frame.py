"""The first frame of the library against the frame of its screen."""

import re
import subprocess
import sys

import pytest

from inspector.library.roots import Place
from inspector.library.row import Row
from inspector.ui.library import reading
from inspector.ui.library.frame import frame
from tests.ui.driving import text
from tests.ui.library.shelves import HOME, ROWS, Found, library, visit

SCROLLBAR = re.compile("[▁▂▃▄▅▆▇█]$")
PLACES = [Place(HOME / ".codex/sessions", ("codex",))]


@pytest.mark.parametrize("size", [(200, 50), (120, 40), (80, 24), (60, 15), (45, 12)])
@pytest.mark.parametrize("rows", [ROWS, ROWS * 0, tuple(ROWS[:1])])
async def test_the_frame_drawn_ahead_is_the_frame_of_the_screen(
    rows: tuple[Row, ...], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "REST", 1e9)
    async with library(Found(rows), size, places=PLACES) as shown:
        await shown.until(lambda: shown.browsing.done)
        drawn = [SCROLLBAR.sub("", line).rstrip() for line in text(shown.app)]
    assert frame(visit(rows, PLACES), *size).text() == drawn


def test_what_draws_the_first_frame_is_imported_without_textual() -> None:
    code = (
        "import sys, inspector.ui.library.start, inspector.ui.visits\nprint('|'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.strip().split("|")
    assert not {name for name in modules if name.split(".")[0] in ("textual", "asyncio")}
    # Nor what only the frame of a tape needs.
    assert not {"inspector.ui.bars", "inspector.inspection"} & {*modules}
    assert not [name for name in modules if name.startswith("inspector.timeline")]


def test_a_screen_that_is_too_small_is_left_to_the_screen() -> None:
    assert frame(visit(ROWS), 30, 8).text() == [""] * 8
