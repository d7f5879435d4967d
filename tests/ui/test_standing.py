"""A report tells of which state of the tape it is, and what became of that since."""

from pathlib import Path

import pytest

from inspector.ui import app as app_module
from inspector.ui.layer import Layer
from tests.guarding import changing
from tests.ui.driving import running, shows, text
from tests.ui.following import NEVER, append, look, session, written


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A plain tape of six messages."""
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(6)))
    return path


def replace(path: Path, events: int) -> None:
    """Put another file in the place of the tape, as a program that saves safely does."""
    other = path.with_name("other")
    with changing():
        other.write_bytes(bytes(session(events)))
        other.rename(path)


@pytest.mark.parametrize("key", ["w", "d", "O"])
async def test_the_title_says_of_which_cursor_and_head_it_is(path: Path, key: str) -> None:
    async with running(path, "4") as (app, pilot):
        await pilot.press(key)
        assert shows(app, "  as of 4/6")


async def test_what_came_since_is_said_above_the_rows_and_places_still_lead_there(
    path: Path,
) -> None:
    async with running(path, "4") as (app, pilot):
        await pilot.press("O")
        assert not shows(app, "came since")
        append(path, written(session(8).lines[7:]))
        await look(app, pilot)
        assert shows(app, "2 events came since, of which this does not tell")
        assert shows(app, "  as of 4/6")
        await pilot.press("j", "enter")
        assert app.inspection.cursor == 2


@pytest.mark.parametrize("events", [2, 9])
@pytest.mark.parametrize("key", ["w", "O", "exclamation_mark"])
async def test_of_a_tape_that_was_replaced_no_place_is_gone_to(
    path: Path, key: str, events: int
) -> None:
    async with running(path, "5") as (app, pilot):
        await pilot.press(key)
        before = text(app)[5:-3]
        replace(path, events)
        await look(app, pilot)
        assert shows(app, "the tape was read anew since: this tells of what stood there before")
        at = app.inspection.cursor
        await pilot.press("enter")
        if key != "exclamation_mark":
            assert shows(app, "that place is gone")
        assert isinstance(app.screen, Layer)
        assert app.inspection.cursor == at
        # What it told is still there to be read.
        await pilot.press("j", "k")
        assert any(line.strip() and line in text(app) for line in before)
        await pilot.press("escape")
        assert not isinstance(app.screen, Layer)
        assert app.inspection.cursor == at


async def test_the_tape_that_a_report_reads_is_given_back_when_it_is_closed(path: Path) -> None:
    async with running(path, "5") as (app, pilot):
        await pilot.press("O")
        replace(path, 3)
        await look(app, pilot)
        assert len(app._former) == 1
        await pilot.press("escape")
        await look(app, pilot)
        assert not app._former


async def test_hits_of_a_tape_that_was_replaced_by_a_shorter_one_stay_readable(
    path: Path,
) -> None:
    async with running(path, "5") as (app, pilot):
        await pilot.press("slash", *"message", "enter", "slash", "enter")
        assert shows(app, "Hits  ")
        replace(path, 2)
        await look(app, pilot)
        await pilot.press("j", "j", "G")
        assert shows(app, "message 5")
        await pilot.press("enter")
        assert shows(app, "that place is gone")


# Few lines.


@pytest.mark.parametrize("key", ["w", "S", "Q", "d", "O"])
async def test_in_a_small_terminal_four_rows_are_left_and_nothing_stands_beside(key: str) -> None:
    async with running("demo", "seq:346", size=(60, 16)) as (app, pilot):
        await pilot.press(key)
        layer = app.screen
        assert isinstance(layer, Layer)
        rows = layer.query_one("#layer-rows")
        assert rows.size.height >= min(4, layer._report.count())
        assert layer.query_one("#layer-detail").size.height >= 1
        assert layer.query_one("#layer").region.width == 60


# Keys of the part in hand.


@pytest.mark.parametrize(("to_end", "to_start"), [("G", "g"), ("end", "home")])
async def test_keys_act_on_the_part_in_hand(to_end: str, to_start: str) -> None:
    async with running("demo", "seq:346", size=(80, 24)) as (app, pilot):
        await pilot.press("S")
        layer = app.screen
        assert isinstance(layer, Layer)
        reader = layer.query_one("#layer-detail")
        row = layer._row
        await pilot.press("tab", to_end)
        assert layer._row == row
        bottom = reader.scroll_offset.y
        assert bottom == reader.max_scroll_y > 0
        await pilot.press("j", "pagedown")
        assert reader.scroll_offset.y == bottom
        await pilot.press(to_start)
        assert (reader.scroll_offset.y, layer._row) == (0, row)
        await pilot.press("tab", to_end)
        assert layer._row == layer._report.count() - 1 != row
