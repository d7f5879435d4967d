"""The damage report and the physical records over the main screen, by real keys."""

from pathlib import Path

import pytest

from inspector.ui import app as app_module
from inspector.ui.layer import Layer
from inspector.ui.listing import Listing
from tests.guarding import changing
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import rows_made, running, shows, text
from tests.ui.following import NEVER, append, look, session, written

SIZES = [(120, 40), (80, 24), (60, 20)]

DAMAGE, RECORDS = "exclamation_mark", "number_sign"


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


def in_hand(lines: list[str]) -> list[str]:
    """The rows with the bar of the row in hand."""
    return [line for line in lines if "│▌" in line]


# The damage report.


@pytest.mark.parametrize("size", SIZES)
async def test_the_report_says_the_case_the_sums_a_row_a_finding_and_one_in_full(
    size: tuple[int, int],
) -> None:
    async with running("damaged-line", size=size) as (app, pilot):
        await pilot.press(DAMAGE)
        assert shows(app, "Damage report  1 of 2")
        assert shows(app, "damaged, but foldable: exact up to 9 of 14 (2 errors)")
        assert shows(app, "16 records = 14 carriers + 1 bookkeeping + 1 damaged")
        assert shows(app, "error    line 11  byte 3,")
        assert shows(app, "error    line 12  byte 4,")
        assert "y copy  Esc close" in "".join(text(app)[-5:])
        assert shows(app, "not JSON: unexpected character, expected ',' or")
        assert shows(app, "(char 234)")
        assert shows(app, "effect: what it held is not folded; replay")
        assert "line 11" in in_hand(text(app))[0]
        await pilot.press("j")
        assert shows(app, "Damage report  2 of 2")
        assert shows(app, "seq 10 follows 8: 1 event missing")
        assert "line 12" in in_hand(text(app))[0]


async def test_enter_goes_to_the_place() -> None:
    async with running("damaged-line") as (app, pilot):
        await pilot.press(DAMAGE, "enter")
        assert not isinstance(app.screen, Layer)
        assert app.inspection.cursor == 9
        await pilot.press(DAMAGE, "j", "enter")
        assert app.inspection.cursor == 10


async def test_y_copies_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("damaged-line") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press(DAMAGE, "y")
        assert shows(app, "copied, if the terminal allows it")
        (report,) = copied
        assert report.count("\n") == 2
        assert "seq 10 follows 8" in report
        await pilot.press("j")
        assert not shows(app, "copied")


@pytest.mark.parametrize("key", ["escape", "q"])
@pytest.mark.parametrize("layer", [DAMAGE, RECORDS])
async def test_it_closes_and_leaves_everything_as_it_was(key: str, layer: str) -> None:
    async with running("damaged-line", "5") as (app, pilot):
        before = text(app)
        await pilot.press(layer, "j", key)
        await pilot.pause()
        assert text(app) == before
        assert app.is_running


async def test_of_a_fine_tape_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    async with running(path, "2", size=(60, 20)) as (app, pilot):
        await pilot.press(DAMAGE)
        assert shows(app, "Damage report  0 of 0")
        assert shows(app, "fine: replay is exact")
        assert shows(app, "nothing found")
        await pilot.press("j", "k", "G", "g", "pagedown", "enter")
        assert shows(app, "there is no place to go to")
        await pilot.press("escape")
        assert app.inspection.cursor == 2


@pytest.mark.parametrize(
    ("tape", "words"),
    [
        ("torn-tail", "whole so far; a record at the end is still being written"),
        ("ten-events-unknown", "cannot be folded past 6"),
    ],
)
async def test_the_other_cases_are_told_apart(tape: str, words: str) -> None:
    async with running(tape) as (app, pilot):
        await pilot.press(DAMAGE)
        assert shows(app, words)


async def test_a_finding_about_the_tape_as_a_whole_leads_nowhere_and_says_so(
    tmp_path: Path,
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(session(3)))
    path.with_name("session.v1.jsonl").write_bytes(bytes(session(3)))
    async with running(path, "1") as (app, pilot):
        await pilot.press(DAMAGE)
        assert shows(app, "the tape")
        assert shows(app, "not the current generation")
        await pilot.press("enter")
        assert shows(app, "there is no place to go to")
        await pilot.press("escape")
        assert app.inspection.cursor == 1


# What is longer than the screen.


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A tape with a damaged line of many thousand characters."""
    path = tmp_path / "tape.jsonl"
    content = bytes(session(2)) + b'{"broken' + b" word" * 2_000 + b" THE-END\n" + b"x\n" * 60
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("size", SIZES)
async def test_the_row_in_full_is_scrolled_to_its_end(long: Path, size: tuple[int, int]) -> None:
    async with running(long, size=size) as (app, pilot):
        await pilot.press(DAMAGE, "tab")
        assert shows(app, "in full, Tab goes back")
        for _ in range(300):
            await pilot.press("pagedown")
            if shows(app, "THE-END"):
                break
        assert shows(app, "THE-END")
        assert "line 4" in in_hand(text(app))[0]
        await pilot.press("tab", "j")
        assert "line 5" in in_hand(text(app))[0]
        assert not shows(app, "in full")


async def test_lines_are_scrolled_one_by_one(long: Path) -> None:
    async with running(long) as (app, pilot):
        await pilot.press(DAMAGE, "tab")
        first = next(line for line in text(app) if "line 4  byte" in line and "[not-json]" in line)
        await pilot.press("j", "j", "j", "j", "j")
        assert first not in text(app)
        await pilot.press("k", "k", "k", "k", "k")
        assert first in text(app)


async def test_many_rows_are_gone_through_by_pages_and_ends(long: Path) -> None:
    async with running(long, size=(80, 24)) as (app, pilot):
        await pilot.press(DAMAGE, "G")
        assert shows(app, "Damage report  61 of 61")
        await pilot.press("pageup")
        assert not shows(app, "Damage report  61 of 61")
        await pilot.press("g")
        assert shows(app, "Damage report  1 of 61")
        await pilot.press("space")
        assert "line 4 " not in in_hand(text(app))[0]


# Physical records.


@pytest.mark.parametrize("size", SIZES)
async def test_packed_rows_show_their_events_and_how_far_counting_lines_is_off(
    size: tuple[int, int],
) -> None:
    async with running("packed-rows", "seq:8", size=size) as (app, pilot):
        await pilot.press(RECORDS)
        assert shows(app, "27 records = 26 carriers + 1 bookkeeping; 34 events")
        (row,) = in_hand(text(app))
        assert "line 10" in row
        assert "#8-#11 (4)" in row
        assert shows(app, "raw record · line 10 · byte")
        assert shows(app, "4 events in one record")
        assert shows(app, '{"type":"reasoning-chunks"')
        await pilot.press("j")
        assert "#12 +3" in in_hand(text(app))[0]
        await pilot.press("G")
        assert "line 27" in in_hand(text(app))[0]
        assert "#33 +8" in in_hand(text(app))[0]


async def test_enter_goes_behind_the_last_event_of_the_record() -> None:
    async with running("packed-rows", "seq:8") as (app, pilot):
        await pilot.press(RECORDS, "enter")
        assert app.inspection.cursor == 12
        assert shows(app, "REPLAY 12/34")


async def test_a_record_without_events_leads_to_where_it_stands() -> None:
    async with running("packed-rows") as (app, pilot):
        await pilot.press(RECORDS, "g", "enter")
        assert app.inspection.cursor == 0


async def test_only_the_records_in_sight_are_made(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(2_000)))
    async with running(path) as (app, pilot):
        await pilot.press(RECORDS)
        listing = app.screen.query_one("#layer-rows", Listing)
        made = rows_made(listing)
        await pilot.press("g", "G", "pageup")
        assert 0 < len(made) <= 3 * listing.size.height


# What happens meanwhile.


@pytest.mark.parametrize("layer", [DAMAGE, RECORDS])
async def test_keys_of_the_main_screen_do_nothing_behind_it(layer: str) -> None:
    async with running("packed-rows", "seq:8") as (app, pilot):
        await pilot.press(layer, "l", "c", "L", "5", "percent_sign", "colon", "P", "escape")
        assert app.inspection.cursor == 9
        assert app.inspection.live is False


@pytest.mark.parametrize("layer", [DAMAGE, RECORDS])
async def test_it_fits_any_size_that_the_terminal_is_given(layer: str) -> None:
    async with running("damaged-line") as (app, pilot):
        await pilot.press(layer)
        for size in ((40, 10), (200, 50), (80, 24), (30, 5), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(len(line) <= size[0] for line in text(app))
        assert in_hand(text(app))
        assert shows(app, "Esc close")


async def test_what_is_written_meanwhile_is_there_at_the_next_key(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    async with running(path) as (app, pilot):
        await pilot.press(RECORDS)
        assert shows(app, "Physical records  4 of 4")
        append(path, written(session(5).lines[4:]))
        await look(app, pilot)
        await pilot.press("G")
        assert shows(app, "Physical records  6 of 6")
        await pilot.press("enter")
        assert app.inspection.cursor == 5


@pytest.mark.parametrize("layer", [DAMAGE, RECORDS])
async def test_a_tape_that_is_cut_meanwhile_is_no_end_of_the_program(
    layer: str, tmp_path: Path
) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(5)) + b"garbage\n" + written(session(6).lines[6:]))
    async with running(path) as (app, pilot):
        await pilot.press(layer, "G")
        with changing():
            path.write_bytes(bytes(session(1)))
        await look(app, pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.press("k", "j", "y", "tab", "j", "tab", "enter")
        await pilot.pause()
        assert app.is_running
        assert shows(app, "HEAD 1")


@pytest.mark.parametrize("layer", [DAMAGE, RECORDS])
async def test_no_control_of_a_tape_reaches_the_screen(layer: str, tmp_path: Path) -> None:
    path = write_tape(tmp_path)
    async with running(path) as (app, pilot):
        await pilot.press(layer)
        for _ in range(30):
            await pilot.press("j")
            assert not [line for line in text(app) if CONTROL.search(line)]


async def test_a_click_takes_a_row_in_hand() -> None:
    async with running("damaged-line") as (app, pilot):
        await pilot.press(DAMAGE)
        await pilot.click("#layer-rows", offset=(5, 1))
        assert shows(app, "Damage report  2 of 2")
