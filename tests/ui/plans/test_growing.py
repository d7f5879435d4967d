"""Plans of a tape that grows, is replaced, or is still being read while the dialog is open."""

from pathlib import Path

from inspector.ui.plans.screen import PlanScreen
from tests.guarding import changing
from tests.ui.driving import running, shows, text
from tests.ui.following import append, look, session, written
from tests.ui.plans.dialogs import made, plan_screen, press


def tape_of(folder: Path, events: int) -> Path:
    path = folder / "tape.jsonl"
    path.write_bytes(bytes(session(events)))
    return path


async def test_a_plan_says_that_it_is_out_of_date_what_changed_and_offers_the_new_one(
    tmp_path: Path,
) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        assert shows(app, "keep 4 events, leave 2 events")
        assert shows(app, "bound to head 6")
        append(path, written(session(9).lines[7:]))
        await look(app, pilot)
        await made(app, pilot)
        assert shows(app, "PLAN fork   nothing has been changed yet   out of date")
        assert shows(app, "out of date: the tape grew from 6 to 9, nothing was applied")
        assert shows(app, "changed: the head was 6 and is 9")
        assert shows(app, "changed: leave: 2 -> 5")
        assert shows(app, "changed: model view: now rows 6 -> 9, tokens 66 -> 99")
        assert text(app)[-1].startswith(" r new plan  l cut")
        # It is shown as it was until the person takes the other.
        assert shows(app, "keep 4 events, leave 2 events")
        await press(app, pilot, "r")
        assert shows(app, "keep 4 events, leave 5 events")
        assert shows(app, "bound to head 9")
        assert not shows(app, "out of date")
        assert app.inspection.cursor == 4


async def test_a_turn_that_runs_meanwhile_is_told(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        more = session(6)
        more.turn()
        append(path, written(more.lines[7:]))
        await look(app, pilot)
        await made(app, pilot)
        assert shows(app, "the tape grew from 6 to 7 (a turn is running), nothing was applied")


async def test_the_row_that_offers_the_new_plan_takes_it(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        append(path, written(session(7).lines[7:]))
        await look(app, pilot)
        await made(app, pilot)
        (at,) = (row for row, line in enumerate(text(app)) if "take the new plan: r" in line)
        (first,) = (row for row, line in enumerate(text(app)) if "│▌" in line)
        await press(app, pilot, *("j" * (at - first)), "enter")
        assert shows(app, "leave 3 events")


async def test_it_grows_again_before_anybody_looks(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        for more in (7, 8, 9):
            append(path, written(session(more).lines[more:]))
            await look(app, pilot)
        await made(app, pilot)
        assert shows(app, "the tape grew from 6 to 9")
        assert shows(app, "changed: leave: 2 -> 5")


async def test_another_cut_is_of_the_tape_as_it_is(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        append(path, written(session(9).lines[7:]))
        await look(app, pilot)
        await press(app, pilot, "l")
        assert shows(app, "keep 5 events, leave 4 events")
        assert not shows(app, "out of date")
        await press(app, pilot, "r")
        assert shows(app, "the plan is of the tape as it is")


async def test_a_plan_of_the_head_goes_to_the_new_head(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 14)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "p", "j", "j", "enter")
        assert shows(app, "of the head, 14")
        append(path, written(session(15).lines[15:]))
        await look(app, pilot)
        await made(app, pilot)
        assert shows(app, "of the head, 15")
        assert shows(app, "out of date: the tape grew from 14 to 15")
        await press(app, pilot, "r")
        assert shows(app, "bound to head 15")


async def test_a_tape_that_is_replaced_is_planned_anew_at_the_same_cut(tmp_path: Path) -> None:
    path = tape_of(tmp_path, 6)
    async with running(path, "4") as (app, pilot):
        await press(app, pilot, "F")
        with changing():
            path.write_bytes(bytes(session(3)))
        await look(app, pilot)
        await made(app, pilot)
        assert isinstance(app.screen, PlanScreen)
        assert plan_screen(app).state.where.head == 3
        assert shows(app, "cut at 3")
        assert shows(app, "bound to head 3") or shows(app, "the tape was read anew")


async def test_while_the_tape_is_read_nothing_is_planned(tmp_path: Path) -> None:
    async with running(tape_of(tmp_path, 6)) as (app, pilot):
        whole = type(app.inspection.tape).complete
        try:
            type(app.inspection.tape).complete = property(lambda _tape: False)  # type: ignore[assignment,method-assign]
            await pilot.press("F")
            assert not isinstance(app.screen, PlanScreen)
            assert shows(app, "still reading: a plan is of the whole tape")
        finally:
            type(app.inspection.tape).complete = whole  # type: ignore[method-assign]


async def test_the_dialog_is_left_while_the_plan_is_made(tmp_path: Path) -> None:
    async with running(tape_of(tmp_path, 6)) as (app, pilot):
        await pilot.press("F", "escape", "R", "h", "escape")
        await made(app, pilot)
        assert not isinstance(app.screen, PlanScreen)
        assert app.is_running
