"""Back to where a jump began, by real keys."""

from tests.ui.driving import running, shows


async def test_a_jump_from_a_card_has_a_way_back_and_on() -> None:
    async with running("demo", "430") as (app, pilot):
        await pilot.press("g")
        assert app.inspection.cursor == 0
        await pilot.press("ctrl+o")
        assert app.inspection.cursor == 430
        await pilot.press("ctrl+n")
        assert app.inspection.cursor == 0
        await pilot.press("ctrl+n")
        assert shows(app, "no place to go on to")


async def test_a_step_is_no_jump() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("l", "l", "ctrl+o")
        assert app.inspection.cursor == 102
        assert shows(app, "no place to go back to")
