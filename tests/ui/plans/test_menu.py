"""The menu of plans: what cannot be planned is there, with the reason."""

import pytest

from inspector.formats.planning import PlanKind
from inspector.ui.layer import Layer
from inspector.ui.plans.menu import choice, choices
from inspector.ui.plans.screen import PlanScreen
from tests.ui.driving import SAMPLES, running, shows, text
from tests.ui.plans.dialogs import made, plan_screen, press, visit

KINDS = ["fork", "rewind", "compact", "repair", "resume"]
PAGED = sorted((SAMPLES / "codex").glob("*.jsonl"))[1]
PAGES = "no: the thread is kept in pages"


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)])
async def test_every_kind_is_listed(size: tuple[int, int]) -> None:
    async with running("demo", "200", size) as (app, pilot):
        await pilot.press("p")
        assert shows(app, "nothing has been changed")
        listed = [line for line in text(app) for kind in KINDS if f"│ {kind}  " in line]
        assert len(listed) >= len(KINDS) - 1
        assert shows(app, "│▌fork")
        assert shows(app, "cut at 200, behind @199; no: a turn is open there")


async def test_what_cannot_be_planned_is_listed_with_the_reason_and_not_opened() -> None:
    async with running(PAGED) as (app, pilot):
        await pilot.press("p")
        (line,) = (line for line in text(app) if "│ rewind" in line or "│▌rewind" in line)
        assert PAGES in line
        await pilot.press("g", "j", "enter")
        assert isinstance(app.screen, Layer)
        assert shows(app, "rewind: no, the thread is kept in pages")
        await pilot.press("escape")
        assert not isinstance(app.screen, Layer)


async def test_a_key_of_a_plan_that_cannot_be_made_says_why() -> None:
    async with running(PAGED) as (app, pilot):
        await pilot.press("F")
        assert not isinstance(app.screen, PlanScreen)
        assert shows(app, "fork: no, the thread is kept in pages")


async def test_the_reason_is_told_whole_in_a_small_terminal_too() -> None:
    async with running(PAGED, size=(80, 24)) as (app, pilot):
        why = choice(app.inspection.tape, PlanKind.FORK, 3).why_not
        await pilot.press("F")
        *_, above, last = text(app)
        assert f"{above} {last}".split("? help")[0].split() == ["fork:", "no,", *str(why).split()]
        assert last.endswith("? help")
        await pilot.press("h")
        assert not shows(app, "fork: no")


def test_what_writes_nothing_can_always_be_planned() -> None:
    with visit(PAGED) as inspection:
        assert [one.kind.value for one in choices(inspection.tape, 3)] == KINDS
        assert choices(inspection.tape, 3)[-1].why_not is None


@pytest.mark.parametrize(("downs", "kind"), list(enumerate(KINDS)))
async def test_enter_opens_the_plan_of_the_kind_in_hand(downs: int, kind: str) -> None:
    async with running("demo", "208") as (app, pilot):
        await pilot.press("p", *("j" * downs), "enter")
        await made(app, pilot)
        assert plan_screen(app).state.kind.value == kind
        assert shows(app, f"PLAN {kind}   nothing has been changed yet")
        await press(app, pilot, "escape")
        assert not isinstance(app.screen, PlanScreen)
        assert app.inspection.cursor == 208


@pytest.mark.parametrize(("key", "kind"), [("F", "fork"), ("R", "rewind")])
async def test_a_fork_and_a_rewind_have_keys_of_their_own(key: str, kind: str) -> None:
    async with running("demo", "208") as (app, pilot):
        await press(app, pilot, key)
        assert plan_screen(app).state.kind.value == kind
        assert plan_screen(app).state.cut == 208
