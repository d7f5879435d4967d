"""Hostile text in every place that a tape has for text, seen on every screen."""

import re
from datetime import UTC
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from inspector.ui.first_paint import frame
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import program, running, text


@pytest.mark.parametrize("past_unknown", [False, True])
async def test_no_screen_shows_a_control(tmp_path: Path, past_unknown: bool) -> None:
    path = write_tape(tmp_path)
    async with running(path, "0", past_unknown=past_unknown) as (app, pilot):
        inspection = app.inspection
        keys = ["9", "l", "r"] * 8 + ["G", "i", "tab", "k", "enter", "escape", "escape"]
        for key in [*keys, "question_mark"]:
            await pilot.press(key)
            assert not [line for line in text(app) if CONTROL.search(line)]
            codes = re.sub(r"\x1b\[[0-9;]*m|\r\n", "", frame(inspection, 120, 40, UTC).codes(256))
            assert not CONTROL.search(codes)


@pytest.mark.parametrize(
    ("pasted", "written"),
    [
        ("turn:7\r\nsecond line", "turn:7"),
        ("\n\n id:x \n", "id:x"),
        ("\x1b]52;c;UFdO\x07\x9b2J\u202e", "\u241b]52;c;UFdO\u2407<U+009B>2J<U+202E>"),
        ("x" * 5_000, "x" * 1_000 + "…"),
        ("\n", ""),
    ],
)
async def test_what_is_pasted_is_one_clean_line(pasted: str, written: str) -> None:
    async with running("ten-events") as (app, pilot):
        await pilot.press("colon")
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        assert app.screen.query_one(Input).value == written


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("nord", "nord"), ("no such theme", "tape"), ("\x1b]0;PWN\x07", "tape")]
)
def test_a_theme_that_nobody_knows_is_the_programs_own(
    monkeypatch: pytest.MonkeyPatch, wanted: str, chosen: str
) -> None:
    monkeypatch.setenv("TEXTUAL_THEME", wanted)
    assert program("ten-events").theme == chosen
