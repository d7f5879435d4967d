"""The surface diff over the main screen, by real keys."""

from pathlib import Path

import pytest

from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from tests.dsh_tapes import Log
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import running, shows, text

SIZES = [(120, 40), (80, 24), (60, 20)]


def in_hand(app: InspectorApp) -> str:
    """The row with the bar of the row in hand."""
    (row,) = (line for line in text(app) if "│▌" in line)
    return row


# Around a compaction or a prune.


@pytest.mark.parametrize("event", ["seq:344", "seq:345", "seq:346"])
async def test_on_any_event_of_a_compaction_it_is_around_all_of_it(event: str) -> None:
    async with running("demo", event) as (app, pilot):
        await pilot.press("d")
        assert shows(app, "A = 344  B = 347  around what @346 replaced   -43 +1 ~0 =0")
        assert shows(app, "9.2k → 0.3k (-8.9k) tokens, estimated")
        assert shows(app, "balance   compacted -43 +1: -8,909   = -8,909")
        assert shows(app, "- 43 rows left: compacted by @346   -9,192")
        assert shows(app, "+ 1 row entered: compacted by @346   +283")


@pytest.mark.parametrize("size", SIZES)
async def test_a_large_group_is_folded_and_enter_lists_it(size: tuple[int, int]) -> None:
    async with running("demo", "seq:346", size=size) as (app, pilot):
        await pilot.press("d")
        assert shows(app, "Surface diff  2 of 7")
        assert shows(app, "⋯ 40 more")
        await pilot.press("j", "j", "j", "enter")
        assert isinstance(app.screen, Layer)
        assert shows(app, "of 46")
        assert not shows(app, "⋯ 40 more")
        await pilot.press("g", "enter")
        assert shows(app, "Surface diff  1 of 7")
        await pilot.press("enter")
        assert shows(app, "Surface diff  1 of 46")


async def test_enter_on_a_row_goes_to_its_event() -> None:
    async with running("demo", "seq:346") as (app, pilot):
        await pilot.press("d", "j")
        assert "@177" in in_hand(app)
        await pilot.press("enter")
        assert app.inspection.cursor == 178
        assert not isinstance(app.screen, Layer)


async def test_enter_on_the_heading_of_few_rows_goes_to_what_did_it() -> None:
    async with running("demo", "seq:189") as (app, pilot):
        await pilot.press("d", "G", "k")
        assert "1 row entered: compacted by @189" in in_hand(app)
        await pilot.press("enter")
        assert app.inspection.cursor == 190


@pytest.mark.parametrize("size", SIZES)
async def test_a_changed_row_shows_what_its_two_texts_have_apart(size: tuple[int, int]) -> None:
    async with running("prune", "seq:16", size=size) as (app, pilot):
        await pilot.press("d")
        assert shows(app, "~ 1 row changed: pruned by @16   -1,481")
        assert "2.8k → 1.3k" in in_hand(app)
        assert shows(app, "⋯ 96 lines in common")
        assert [line for line in text(app) if "│ -   99 x 37 =" in line]
        await pilot.press("tab", "G")
        assert "2.8k → 1.3k" in in_hand(app)
        assert [line for line in text(app) if "│ +   99 x 37 =" in line]


async def test_a_row_that_left_shows_its_text() -> None:
    async with running("demo", "seq:346") as (app, pilot):
        await pilot.press("d")
        assert shows(app, "@189 left: compacted by @346 · 0.3k tokens, estimated")
        assert shows(app, "<compacted-summary>")


# Other events.


async def test_of_an_ordinary_event_it_is_what_it_did() -> None:
    async with running("ten-events", "5") as (app, pilot):
        await pilot.press("d")
        assert shows(app, "A = 4  B = 5  what @4 did")
        await pilot.press("escape", "g")
        await pilot.press("d")
        assert shows(app, "nothing is before the first event")


@pytest.mark.parametrize("size", SIZES)
async def test_of_an_event_that_changed_nothing_one_line_says_so(size: tuple[int, int]) -> None:
    async with running("demo", "seq:0", size=size) as (app, pilot):
        await pilot.press("d")
        assert not isinstance(app.screen, Layer)
        assert shows(app, "nothing changed at @0: ")
        assert app.inspection.cursor == 1


async def test_between_two_cursors_that_show_the_same_nothing_changed() -> None:
    async with running("demo", "seq:8") as (app, pilot):
        await pilot.press("a", "D")
        assert not isinstance(app.screen, Layer)
        assert shows(app, "nothing changed between 9 and 9: the model sees the same")


async def test_it_is_about_the_selected_event_and_leaves_the_cursor() -> None:
    async with running("demo", "head") as (app, pilot):
        await pilot.press("k", "k", "d")
        assert shows(app, "nothing changed at @431: ")
        await pilot.press("escape", "escape")
        assert app.inspection.cursor == 434


# The anchor.


async def test_the_cursor_is_compared_with_the_anchor_in_either_order() -> None:
    async with running("demo", "seq:8") as (app, pilot):
        await pilot.press("D")
        assert shows(app, "no anchor: a sets one")
        await pilot.press("a")
        assert shows(app, "anchor A at 9")
        await pilot.press("G", "D")
        assert shows(app, "A = 9  B = 434  anchor to cursor")
        await pilot.press("escape", "X")
        assert (app.inspection.cursor, app.inspection.anchor) == (9, 434)
        await pilot.press("D")
        assert shows(app, "B = 9  A = 434  cursor to anchor")


async def test_the_anchor_is_taken_away_where_it_stands() -> None:
    async with running("demo", "seq:8") as (app, pilot):
        await pilot.press("X")
        assert shows(app, "no anchor: a sets one")
        await pilot.press("a", "a")
        assert shows(app, "no anchor any more")
        assert app.inspection.anchor is None
        assert not any("A" in line for line in text(app) if line.startswith("‖"))


@pytest.mark.parametrize("size", SIZES)
async def test_the_anchor_and_what_lies_between_are_on_the_track(size: tuple[int, int]) -> None:
    async with running("demo", "100", size=size) as (app, pilot):
        await pilot.press("a", "G")
        (track,) = (line for line in text(app) if line.startswith("‖"))
        start, stop = track.index("A"), track.index("●")
        assert set(track[start + 1 : stop]) == {"▒"}
        assert set(track[8:start]) == {"━"}
        # The smallest has no room for the line that says it.
        assert shows(app, "anchor A at 100") == (size != (60, 20))


async def test_help_tells_of_the_anchor() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("question_mark", "G")
        assert shows(app, "A anchor A   ▒ between it and the cursor")


# Everything.


async def test_y_copies_all_rows_however_they_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("demo", "seq:346") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("d", "y")
        lines = copied[0].splitlines()
        assert len(lines) == 2 + 2 + 43 + 1
        assert shows(app, "of 7")


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    async with running(write_tape(tmp_path)) as (app, pilot):
        await pilot.press("a", "g", "D")
        for _ in range(30):
            await pilot.press("j")
            assert not [line for line in text(app) if CONTROL.search(line)]


async def test_many_rows_are_made_only_in_sight(tmp_path: Path) -> None:
    log = Log()
    for at in range(1_500):
        log.user(f"message {at}")
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("a", "g", "D")
        await app.workers.wait_for_complete()
        assert shows(app, "1,500 rows entered: new")
        await pilot.press("g", "enter", "G")
        assert "message 1499" in in_hand(app)


async def test_it_fits_any_size_that_the_terminal_is_given() -> None:
    async with running("demo", "seq:346") as (app, pilot):
        await pilot.press("d")
        for size in ((40, 10), (200, 50), (80, 24), (30, 5), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(len(line) <= size[0] for line in text(app))
        assert "@189" in in_hand(app)
