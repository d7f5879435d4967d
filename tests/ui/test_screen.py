"""The screen, read as text after real keys."""

import os
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from inspector.formats.contract import Tape
from inspector.tape.source import SourceError
from inspector.ui import bars
from inspector.ui.help import help_lines
from inspector.ui.listing import Listing
from inspector.ui.slider import Slider
from tests.guarding import changing
from tests.ui.driving import SAMPLES, rows_made, running, shows, text


async def test_it_opens_at_the_head_and_says_so() -> None:
    async with running("demo") as (app, _):
        assert shows(app, " HEAD 434 ")
        assert app.inspection.cursor == 434


async def test_arrows_and_letters_step_by_event() -> None:
    async with running("demo", "100") as (app, pilot):
        for key, cursor in (("right", 101), ("l", 102), ("left", 101), ("h", 100)):
            await pilot.press(key)
            assert app.inspection.cursor == cursor
            assert shows(app, f"REPLAY {cursor}/434")


@pytest.mark.parametrize(
    ("key", "back", "start", "forward", "backward"),
    [
        ("right_curly_bracket", "left_curly_bracket", "200", 209, 170),
        ("c", "C", "200", 328, 190),
        ("e", "E", "200", 229, 196),
    ],
)
async def test_keys_step_by_class(
    key: str, back: str, start: str, forward: int, backward: int
) -> None:
    async with running("demo", start) as (app, pilot):
        marks = [app.inspection.cursor]
        await pilot.press(key)
        marks.append(app.inspection.cursor)
        assert app.inspection.cursor > 200
        await pilot.press(back, back)
        assert app.inspection.cursor < 200


async def test_at_each_compaction_the_surface_changes() -> None:
    async with running("demo", "0") as (app, pilot):
        for _ in range(3):
            before = app.inspection.timeline.rows(app.inspection.cursor)
            await pilot.press("c")
            cursor = app.inspection.cursor
            assert app.inspection.timeline.rows(cursor) != before
            assert app.inspection.timeline.rows(cursor) != app.inspection.timeline.rows(cursor - 1)
            assert shows(app, "◀ entered")
        await pilot.press("c")
        assert shows(app, "no compaction or prune after")


async def test_a_shadowed_message_stays_a_ghost_that_names_what_hid_it() -> None:
    async with running("nested-compaction") as (app, _):
        rows = [line for line in text(app) if "◌ shadowed" in line]
        assert rows
        assert all("✂@" in row for row in rows)


async def test_what_comes_after_the_cursor_is_not_yet() -> None:
    async with running("ten-events", "4") as (app, _):
        assert sum("○ not-yet" in line for line in text(app)) == 6
        assert shows(app, "Surface at 4  2 messages")


async def test_a_count_repeats_a_key_and_is_shown_while_it_waits() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("1", "0")
        assert shows(app, "10…")
        await pilot.press("l")
        assert app.inspection.cursor == 110
        await pilot.press("3", "0", "escape", "l")
        assert app.inspection.cursor == 111


async def test_percent_goes_to_a_share_of_the_tape() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("5", "0", "percent_sign")
        assert app.inspection.cursor == 217


async def test_before_the_first_event_and_the_head() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("g")
        assert shows(app, "before 0/434")
        assert shows(app, "before the first event")
        await pilot.press("G")
        assert shows(app, "HEAD 434")


async def test_a_place_is_asked_for_and_gone_to() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("colon", *"turn:7", "enter")
        assert app.inspection.turn() == 7
        await pilot.pause()
        assert not app.screen.query_one(Input).display
        assert shows(app, "▸ Events")


async def test_a_place_that_is_none_is_told_and_moves_nothing() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("colon", *"nowhere", "enter")
        await pilot.pause()
        assert app.inspection.cursor == 100
        assert shows(app, "is no place")


async def test_escape_closes_one_layer_and_never_quits() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("colon", "escape", "i", "j", "escape", "escape", "escape")
        assert app.is_running
        assert shows(app, "q quits")


async def test_escape_and_control_c_say_where_q_leads() -> None:
    async with running("demo", back="the library") as (app, pilot):
        await pilot.press("escape")
        assert shows(app, "q goes back to the library, Ctrl+Q quits")
        await pilot.press("j", "ctrl+c")
        await pilot.pause()
        assert shows(app, "Ctrl+Q quits; q goes back to the library")


async def test_play_moves_the_cursor_and_stops_at_the_head() -> None:
    async with running("ten-events", "0") as (app, pilot):
        await pilot.press("space")
        assert app.inspection.playing
        assert shows(app, "▶")
        app.inspection.pass_time(0.5)
        assert 0 < app.inspection.cursor <= 10
        app.inspection.pass_time(60)
        assert app.inspection.cursor == 10
        assert not app.inspection.playing


async def test_the_selection_goes_free_and_enter_seeks_to_it() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("j", "j")
        assert app.inspection.cursor == 100
        assert shows(app, "selection free")
        assert shows(app, "not yet: it comes after the cursor")
        await pilot.press("enter")
        assert app.inspection.cursor == 102
        assert not app.inspection.free


async def test_tab_goes_round_the_panes_and_a_surface_row_shows_its_event() -> None:
    async with running("demo", "190") as (app, pilot):
        await pilot.press("tab")
        assert shows(app, "▸ Surface")
        await pilot.press("j")
        assert shows(app, "Detail  @177 assistant")
        await pilot.press("tab")
        assert shows(app, "▸ Detail")
        await pilot.press("tab")
        assert shows(app, "▸ Events")


async def test_raw_shows_the_record_and_where_it_stands() -> None:
    async with running("packed-rows", "seq:4") as (app, pilot):
        await pilot.press("r")
        assert shows(app, "raw record · line")
        await pilot.press("r")
        assert not shows(app, "raw record")


async def test_state_shows_registers_as_of_the_cursor() -> None:
    async with running("ten-events") as (app, pilot):
        await pilot.press("i")
        title = app.inspection.timeline.registers.at("title", 10)
        assert title is not None
        assert shows(app, f"title: {title.value}")
        await pilot.press("g")
        assert shows(app, "state as of 0")
        assert not shows(app, "title:")


async def test_a_click_and_a_drag_on_the_slider_seek() -> None:
    async with running("demo") as (app, pilot):
        await pilot.click("#transport", offset=(8, 3))
        assert app.inspection.cursor == 0
        await pilot.mouse_down("#transport", offset=(30, 3))
        await pilot.hover("#transport", offset=(60, 3))
        middle = app.inspection.cursor
        assert 150 < middle < 300
        await pilot.hover("#events", offset=(60, 3))
        await pilot.mouse_up("#transport", offset=(119, 3))
        await pilot.hover("#transport", offset=(10, 3))
        await pilot.pause()
        assert app.inspection.cursor != 0


async def test_the_wheel_over_the_slider_steps() -> None:
    async with running("demo", "100") as (app, pilot):
        transport = app.screen.query_one("#transport")
        for kind, cursor in ((events.MouseScrollDown, 101), (events.MouseScrollUp, 100)):
            transport.post_message(
                kind(transport, 20, 2, 0, 0, 0, False, False, False, 20, 36, None)
            )
            await pilot.pause()
            assert app.inspection.cursor == cursor


async def test_a_required_unknown_event_stops_the_fold_and_a_key_goes_past() -> None:
    async with running("ten-events-unknown") as (app, pilot):
        assert shows(app, "The fold stops at 6")
        assert sum("░ not-applied" in line for line in text(app)) == 4
        await pilot.press("P")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert not shows(app, "The fold stops")
        assert shows(app, "Reliable to 6 only")
        assert app.inspection.timeline.stopped_at is None


@pytest.mark.parametrize("tape", ["future-version", "header-only"])
async def test_a_tape_without_events_is_a_screen_and_no_traceback(tape: str) -> None:
    async with running(tape) as (app, pilot):
        await pilot.press("l", "c", "j", "tab", "j", "enter", "r", "i", "space", "G", "g")
        assert app.is_running
        assert shows(app, "0 events")


async def test_narrow_shows_one_pane_at_a_time() -> None:
    async with running("demo", "340", size=(80, 24)) as (app, pilot):
        assert shows(app, "▸ Events")
        assert not shows(app, "Surface at")
        await pilot.press("tab")
        assert shows(app, "▸ Surface at 340")
        assert not shows(app, "Events  434")


@pytest.mark.parametrize("size", [(39, 24), (80, 9)])
async def test_too_small_is_said_and_mended_by_growing(size: tuple[int, int]) -> None:
    async with running("demo", size=size) as (app, pilot):
        assert shows(app, f"too small: {size[0]}x{size[1]}, need 40x10")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert shows(app, "HEAD 434")


async def test_forty_by_ten_is_enough() -> None:
    async with running("demo", size=(40, 10)) as (app, _):
        assert shows(app, "▸ Events")


async def test_help_lists_every_action_and_closes() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("question_mark")
        assert shows(app, "next compaction or prune")
        await pilot.press("q")
        assert not shows(app, "next compaction or prune")
        assert app.is_running


async def test_no_sentence_of_the_help_is_cut() -> None:
    async with running("demo", size=(60, 24)) as (app, pilot):
        await pilot.press("question_mark")
        tape = app.inspection.tape
        lines = ["".join(cell.text for cell in line) for line in help_lines(tape, 50)]
    signs = [line for line in lines if line.lstrip()[:1] in "◐✂↻↶✕"]
    assert signs
    assert all(len(line) <= 50 for line in lines if "@655" in line or "silent" in line)


async def test_q_quits() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("q")
        assert app.return_code == 0


async def test_only_the_rows_in_sight_are_made() -> None:
    async with running("demo") as (app, pilot):
        events_list = app.screen.query_one("#events", Listing)
        made = rows_made(events_list)
        await pilot.press("g")
        await pilot.pause()
        assert 0 < len(made) <= 2 * events_list.size.height


async def test_hostile_text_stays_text_on_every_row() -> None:
    async with running("hostile") as (app, pilot):
        for _ in range(app.inspection.head):
            await pilot.press("h")
            assert not [c for line in text(app) for c in line if ord(c) < 32 or 127 <= ord(c) < 160]


async def test_what_is_typed_at_once_behind_a_colon_belongs_to_the_prompt() -> None:
    async with running("demo") as (app, pilot):
        for key in ("colon", *"seq:300", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause(0.1)
        assert app.is_running
        assert app.inspection.cursor == 301


async def test_a_count_and_its_key_typed_at_once_belong_together() -> None:
    async with running("demo", "100") as (app, pilot):
        for key in "5l3h":
            app.post_message(events.Key(key, key))
        await pilot.pause(0.1)
        assert app.inspection.cursor == 102


async def test_the_prompt_can_be_left_in_any_way_and_asked_for_again() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("colon", "tab", "colon", "1")
        await pilot.click("#events", offset=(5, 5))
        await pilot.press("colon", "2")
        await pilot.resize_terminal(39, 9)
        await pilot.resize_terminal(120, 40)
        await pilot.press("0", "enter")
        assert app.inspection.cursor == 20


async def test_a_count_is_dropped_by_a_key_that_has_no_use_for_it() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("5", "i", "h")
        assert app.inspection.cursor == 99


async def test_a_move_of_the_cursor_lets_go_of_a_surface_row() -> None:
    async with running("demo", "190") as (app, pilot):
        await pilot.press("tab", "j")
        assert shows(app, "row free")
        await pilot.press("enter")
        assert app.inspection.cursor == 178
        assert shows(app, "Detail  @177")
        assert not shows(app, "row free")


@pytest.mark.parametrize(
    ("tape", "words"),
    [
        ("damaged-line", "dsh refuses this tape: corrupt session log"),
        ("ten-events-unknown", "dsh refuses this tape"),
    ],
)
async def test_the_verdict_stands_beside_what_is_shown(tape: str, words: str) -> None:
    async with running(tape, size=(200, 50)) as (app, _):
        assert shows(app, words)


async def test_what_was_found_in_a_lost_line_is_told_at_the_event_behind_it() -> None:
    async with running("damaged-line", "event:9") as (app, _):
        assert shows(app, "not JSON")
        assert shows(app, "1 event missing")


async def test_a_tape_that_is_gone_when_it_is_opened_again_is_told() -> None:
    async with running("ten-events-unknown") as (app, pilot):

        def gone(_past_unknown: bool, _policy: str | None) -> Tape:
            raise SourceError("does not exist")

        app._reopen = gone
        await pilot.press("P")
        await pilot.pause()
        assert shows(app, "cannot be opened again: does not exist")
        assert app.inspection.timeline.stopped_at == 6


async def test_a_tape_that_is_cut_while_it_is_open_invents_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes((SAMPLES / "demo.jsonl").read_bytes())
    async with running(path, "300") as (app, pilot):
        with changing():
            os.truncate(path, 0)
        await pilot.press("5", "0", "percent_sign")
        assert shows(app, "the file was changed since it was read")


async def test_what_is_typed_behind_enter_is_obeyed_where_the_place_is() -> None:
    async with running("demo") as (app, pilot):
        for key in ("colon", "1", "0", "0", "enter", "l", "l"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
        assert app.inspection.cursor == 102
        assert not app.screen.has_class("-asking")


async def test_a_key_that_does_nothing_says_so() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("y")
        assert shows(app, "no key y; ? lists them")


async def test_past_the_unknown_and_back() -> None:
    async with running("ten-events-unknown") as (app, pilot):
        assert shows(app, "last folded @5")
        for stopped in (None, 6):
            await pilot.press("P")
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert app.inspection.timeline.stopped_at == stopped


async def test_more_steps_of_a_class_than_are_gone_are_told() -> None:
    async with running("demo", "0") as (app, pilot):
        await pilot.press(*"99999", "t")
        assert shows(app, "9,999 steps at the most")


async def test_a_million_events_have_their_number_on_the_slider() -> None:
    async with running("demo") as (app, _):
        slider = Slider(app.inspection, None)
        width = slider.scale(120).width
        app.inspection.timeline.table._time.extend([0] * 10**6)
        assert slider.scale(120).width == width - 2
        assert "1,000,434" in "".join(cell.text for cell in slider.line(0, 120, 2)[-1:])


@pytest.mark.parametrize(("width", "named"), [(120, True), (140, True), (80, False)])
def test_the_footer_names_search_where_there_is_room(width: int, named: bool) -> None:
    said = "".join(cell.text for cell in bars.footer(width, "", "")[0])
    assert ("/ search" in said) is named
    assert said.rstrip().endswith("? help")


async def test_how_to_quit_is_said_in_the_footer() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("ctrl+c")
        assert shows(app, "Ctrl+Q quits")
