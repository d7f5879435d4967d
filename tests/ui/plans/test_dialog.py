"""The dialog of a plan, by real keys and the mouse."""

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.formats.planning import PlanKind
from inspector.ui import footing
from inspector.ui.app import InspectorApp
from inspector.ui.help import HelpScreen
from inspector.ui.plans import saying
from inspector.ui.plans.prompt import PromptScreen
from inspector.ui.plans.screen import PlanScreen
from inspector.ui.plans.state import PlanState
from inspector.ui.prompt import Prompt
from inspector.ui.transport import Transport
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import running, shows, text
from tests.ui.following import session
from tests.ui.plans.dialogs import MAKING, made, plan_screen, press, visit

SIZES = [(120, 40), (200, 50), (80, 24), (60, 20)]


def line_of(app: InspectorApp, start: str) -> str:
    (line,) = (line for line in text(app) if line.startswith(start))
    return line


async def write(app: InspectorApp, pilot: Pilot[None], words: str) -> None:
    """Write into the prompt at once, and enter it."""
    app.screen.query_one(Prompt).value = words
    await press(app, pilot, "enter")


def in_hand(app: InspectorApp) -> str:
    (row,) = (line for line in text(app) if "│▌" in line)
    return row


# At any size.


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_lost_at_any_size(size: tuple[int, int]) -> None:
    async with running("demo", "200", size) as (app, pilot):
        await press(app, pilot, "F")
        assert shows(app, "PLAN fork   nothing has been changed yet")
        assert shows(app, "cut at 200, behind @199; no: a turn is open there")
        assert shows(app, "◀ 158 ·")
        assert shows(app, "? help")
        assert shows(app, "Esc close")
        seen: list[str] = []
        for _ in range(6):
            seen += [line.strip("│▌▅▃▄▇▆█▂▁ ") for line in text(app)]
            await pilot.press("pagedown")
        said = " ".join(seen)
        for words in ("history (•) as-of", "history ( ) compacted", "model view 23 -> 7 rows"):
            assert words in said
        for words in ("open-turn", "NOT undone (19)", "would create", "--after 200", "bound to"):
            assert words in said, words
        assert all(len(line) <= size[0] for line in text(app))


async def test_it_fits_any_size_that_the_terminal_is_given() -> None:
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "R", "e")
        for size in ((40, 10), (200, 50), (80, 24), (30, 5), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(len(line) <= size[0] for line in text(app))
        assert "NOT undone (19)" in in_hand(app)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_the_footer_names_what_can_be_done_with_this_kind(size: tuple[int, int]) -> None:
    async with running("demo", "200", size) as (app, pilot):
        await press(app, pilot, "F")
        footer = text(app)[-1]
        assert "l cut  < snap back  > on  x leave" in footer
        assert "less" not in footer
        await press(app, pilot, "escape", "p", "j", "j", "enter")
        footer = text(app)[-1]
        assert "+ more  - less  d degraded" in footer
        assert "snap" not in footer


@pytest.mark.parametrize("kind", PlanKind)
def test_a_footer_has_whole_keys_only_and_the_first_as_long_as_there_is_room(
    kind: PlanKind,
) -> None:
    with visit("demo", "200") as inspection:
        useful = saying.useful(PlanState(inspection, kind, MAKING))
    every = [f"{one.shown_keys.split(' ')[0]} {one.footer}" for one in useful]
    for width in range(130):
        said = "".join(cell.text for cell in footing.keys(useful, width))
        assert len(said) <= width
        shown = said.strip().split("  ") if said else []
        assert shown == every[: len(shown)]
        if width >= 61:
            assert {"y copy", "s save"} <= set(shown)
    assert shown == every


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20), (40, 10)])
async def test_all_of_a_message_is_told_and_help_stays(size: tuple[int, int]) -> None:
    said = " ".join(f"word{at}" for at in range(20))
    async with running("demo", "200", size) as (app, pilot):
        await press(app, pilot, "F")
        plan_screen(app).say(said)
        await pilot.pause()
        lines = text(app)
        assert lines[-1].rstrip().endswith("Esc close")
        assert "? help" in lines[-1]
        told = " ".join(line.split("  ")[0] for line in lines)
        assert said in " ".join(told.split())
        await press(app, pilot, "l")
        assert not shows(app, "word19")


# Moving the cut.


async def test_keys_move_the_cut_and_the_plan_is_made_anew() -> None:
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "F", "h")
        assert shows(app, "cut at 199")
        assert shows(app, "keep 199 events, leave 235 events")
        await press(app, pilot, "1", "0", "l")
        assert shows(app, "cut at 209")
        assert shows(app, "PLAN fork   nothing has been changed yet   can be applied")
        await press(app, pilot, "less_than_sign")
        assert shows(app, "cut at 208, behind @207   nearest allowed: ◀ 158 · 209 ▶")
        await press(app, pilot, "greater_than_sign", "greater_than_sign")
        assert shows(app, "cut at 221")
        await press(app, pilot, "left_curly_bracket")
        assert shows(app, "before the cut: @209 turn start")
        await press(app, pilot, "U", "x")
        assert shows(app, "behind it: @161 user")
        assert shows(app, "cut at 161, behind @160; no: a turn is open there")
        assert app.inspection.cursor == 200


async def test_places_can_be_named() -> None:
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "F", "colon", *"seq:207", "enter")
        assert shows(app, "cut at 208, behind @207")
        await press(app, pilot, "colon", *"seq:9999", "enter")
        assert shows(app, "9999")
        assert shows(app, "cut at 208, behind @207")
        await press(app, pilot, "1", "5", "8", "G")
        assert shows(app, "cut at 158")
        await press(app, pilot, "g")
        assert shows(app, "cut at 0, before the first event; no: no event stands before it")
        await press(app, pilot, "G")
        assert shows(app, "cut at 434")


async def test_what_is_typed_fast_is_obeyed_in_order() -> None:
    async with running("demo", "200") as (app, pilot):
        await pilot.press("F", "1", "0", "l", "less_than_sign", "h", "colon", *"158", "enter", "l")
        await made(app, pilot)
        assert plan_screen(app).state.cut == 159
        assert shows(app, "keep 159 events")


async def test_where_the_tape_may_be_cut_is_drawn_below_the_track_only_while_planning() -> None:
    async with running("demo", "200") as (app, pilot):
        assert not shows(app, "┬")
        await press(app, pilot, "F")
        track, cuts = line_of(app, "‖"), line_of(app, "cuts")
        at = track.index("●")
        assert cuts[at] == "✗"
        assert cuts.count("┬") == 20
        state = plan_screen(app).state
        head, width = 434, len(track.rstrip()) - 8 - 4
        assert state.where.cuts is not None
        for column, sign in enumerate(cuts[8:].ljust(width)):
            if column == at - 8:
                continue
            near = [c for c in range(head + 1) if round(c * (width - 1) / head) == column]
            assert (sign == "┬") == any(map(state.where.cuts.legal, near)), column
        await press(app, pilot, "less_than_sign")
        assert line_of(app, "cuts")[line_of(app, "‖").index("●")] == "┬"
        await press(app, pilot, "escape")
        assert not shows(app, "┬")


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_the_slider_moves_the_cut(size: tuple[int, int]) -> None:
    async with running("demo", "200", size) as (app, pilot):
        await press(app, pilot, "R")
        slider = app.screen.query_one(Transport)
        row = next(y for y, line in enumerate(text(app)) if line.startswith("‖"))
        await pilot.mouse_down(slider, offset=(8 + 10, row - slider.region.y))
        await made(app, pilot)
        first = plan_screen(app).state.cut
        assert first is not None
        assert 0 < first < 100
        await pilot.hover(slider, offset=(8 + 30, row - slider.region.y))
        await made(app, pilot)
        dragged = plan_screen(app).state.cut
        assert dragged is not None
        assert dragged > first
        assert shows(app, f"cut at {dragged}")
        cuts = plan_screen(app).state.where.cuts
        assert cuts is not None
        assert shows(app, "; no: ") != cuts.legal(dragged)
        assert app.inspection.cursor == 200


async def test_a_plan_of_the_head_says_so_when_the_slider_is_moved() -> None:
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "p", "j", "j", "j", "enter", "h")
        assert shows(app, "a repair is of the head: there is no cut to move")
        assert not shows(app, "cuts ")
        assert text(app)[-2].startswith("turn 16")


# Choices.


async def test_enter_takes_the_history_in_hand_or_says_why_not() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F")
        while "originals" not in in_hand(app):
            await pilot.press("j")
        await press(app, pilot, "space")
        assert shows(app, "history (•) originals")
        assert "--view originals" in saying.text(plan_screen(app).state)
        await press(app, pilot, "k", "enter")
        assert shows(app, "compacted: no, the summary of @346")
        await press(app, pilot, "v")
        assert shows(app, "history (•) as-of")
        await press(app, pilot, "w")
        assert shows(app, "append: no, a fork is a session of its own")


async def test_a_compaction_by_keys(tmp_path: Path) -> None:
    async with running("demo", "200") as (app, pilot):
        await press(app, pilot, "p", "j", "j", "enter")
        assert shows(app, "is not to be applied")
        await press(app, pilot, "2", "plus")
        assert shows(app, "this plan summarises 13 rows")
        assert shows(app, "--keep-last 10")
        await press(app, pilot, "d")
        assert shows(app, "can be applied")
        assert shows(app, "(•) degraded")
        await press(app, pilot, "p")
        assert isinstance(app.screen, PromptScreen)
        assert shows(app, "The prompt   no model is called")
        await press(app, pilot, "G")
        assert shows(app, "The summary   degraded") or shows(app, "•")
        await press(app, pilot, "escape")
        file = tmp_path / "summary.txt"
        file.write_text("They made the tests steady.")
        await press(app, pilot, "f")
        await write(app, pilot, str(file))
        assert shows(app, "✓ summary: as given")
        await press(app, pilot, "f")
        await write(app, pilot, str(tmp_path))
        assert shows(app, "is no file")
        assert shows(app, "✓ summary: as given")


async def test_what_is_of_a_compaction_says_so_elsewhere() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "p")
        assert shows(app, "only a compaction has a prompt")
        await press(app, pilot, "f")
        assert shows(app, "only a compaction has a summary")
        await press(app, pilot, "plus")
        assert shows(app, "only a compaction keeps a number of rows")


async def test_what_is_not_undone_leads_to_its_event() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "R", "e")
        assert "▾ NOT undone (19)" in in_hand(app)
        await press(app, pilot, "j", "j", "enter")
        assert not isinstance(app.screen, PlanScreen)
        assert app.inspection.cursor == 245


async def test_enter_unfolds_the_list_in_hand(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(40)))
    async with running(path, size=(120, 60)) as (app, pilot):
        await press(app, pilot, "p", *"jjjj", "enter")
        at = next(row for row, line in enumerate(text(app)) if "▸ next request" in line)
        first = next(row for row, line in enumerate(text(app)) if "│▌" in line)
        await press(app, pilot, *("j" * (at - first)))
        assert "▸ next request" in in_hand(app)
        assert not shows(app, "message 15")
        await press(app, pilot, "enter")
        assert shows(app, "message 15")
        await press(app, pilot, *("j" * 16))
        assert "message 15" in in_hand(app)
        await press(app, pilot, "enter")
        assert not isinstance(app.screen, PlanScreen)
        assert app.inspection.cursor == 16


# Out.


async def test_y_copies_the_command_line_and_its_capital_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running("demo", "208") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await press(app, pilot, "F", "y", "Y")
        assert copied[0].startswith("inspector plan fork ")
        cut = plan_screen(app).state.cut
        await press(app, pilot, "y", "c", "y", "t")
        assert copied[2:] == [copied[0], copied[0], copied[0], copied[1]]
        assert plan_screen(app).state.cut == cut
        await press(app, pilot, "c")
        assert plan_screen(app).state.cut != cut, "it moves the cut where nothing was copied"
        assert " --after 208 " in copied[0]
        assert copied[1].splitlines()[0].startswith("PLAN fork of ")
        assert copied[1].splitlines()[-1] == copied[0]


async def test_a_plan_is_saved_in_a_new_file_only_and_compared(tmp_path: Path) -> None:
    file = tmp_path / "fork.json"
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "s")
        await write(app, pilot, str(file))
        assert shows(app, "saved, and nothing else written: ")
        document = json.loads(file.read_text())
        assert (document["kind"], document["asked"]["cut"]) == ("fork", 208)
        assert document["making"]["id"] in document["writes"][0]["to"]
        before = file.read_bytes()
        await press(app, pilot, "h", "s")
        await write(app, pilot, str(file))
        assert shows(app, "exists already, nothing was written: ")
        assert file.read_bytes() == before
        await press(app, pilot, "equals_sign")
        await write(app, pilot, str(file))
        assert shows(app, "cut at 208")
        assert shows(app, "the kept plan is the same: nothing has changed since")
        await press(app, pilot, "equals_sign")
        await write(app, pilot, str(tmp_path / "none"))
        assert shows(app, "is no file")
    assert [path.name for path in tmp_path.iterdir()] == ["fork.json"]


@pytest.mark.parametrize(
    ("data", "said"), [(b"{", "is no JSON"), (b"[1]", "is no plan of this program")]
)
async def test_a_file_that_is_no_plan_says_so(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(data)
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "equals_sign")
        await write(app, pilot, str(file))
        assert shows(app, said)
        assert shows(app, "cut at 208")


async def test_a_prompt_is_left_by_escape_and_nothing_is_saved_without_a_name() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "s", "x", "escape", "s", "enter")
        assert isinstance(app.screen, PlanScreen)
        await press(app, pilot, "j")
        assert isinstance(app.screen, PlanScreen)
        await press(app, pilot, "q")
        assert not isinstance(app.screen, PlanScreen)


# Keys.


async def test_escape_forgets_a_count_and_then_closes() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "1", "2")
        assert shows(app, "12…")
        await press(app, pilot, "escape")
        assert isinstance(app.screen, PlanScreen)
        await press(app, pilot, "escape")
        assert not isinstance(app.screen, PlanScreen)
        assert app.is_running
        assert app.inspection.cursor == 208


async def test_a_key_that_does_nothing_says_so_and_help_lists_those_of_a_plan() -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, "F", "Z")
        assert shows(app, "no key Z; ? lists them")
        await press(app, pilot, "question_mark")
        assert isinstance(app.screen, HelpScreen)
        first = next(row for row, line in enumerate(text(app)) if "│ Keys " in line)
        assert "│ In a plan" in text(app)[first + 2], "before those of other places"
        await press(app, pilot, "escape")
        assert isinstance(app.screen, PlanScreen)


@pytest.mark.parametrize("downs", range(5))
async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path, downs: int) -> None:
    async with running(write_tape(tmp_path)) as (app, pilot):
        await pilot.press("p", *("j" * downs))
        await press(app, pilot, "enter")
        assert isinstance(app.screen, PlanScreen)
        for _ in range(3):
            assert not [line for line in text(app) if CONTROL.search(line)]
            await pilot.press("pagedown")
