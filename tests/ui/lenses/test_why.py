"""The why card over the main screen, by real keys."""

from pathlib import Path

import pytest

from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from tests.folding import SAMPLES
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import running, shows, text

SIZES = [(120, 40), (80, 24), (60, 20)]


def in_hand(app: InspectorApp) -> str:
    """The row with the bar of the row in hand."""
    (row,) = (line for line in text(app) if "│▌" in line)
    return row


def in_hand_at(app: InspectorApp) -> int:
    return text(app).index(in_hand(app))


async def choose(app: InspectorApp, event: int) -> None:
    """Select an event apart from the cursor."""
    app.inspection.select(event)


@pytest.mark.parametrize("size", SIZES)
async def test_the_answer_comes_first_then_the_chain_to_what_stands_there_now(
    size: tuple[int, int],
) -> None:
    async with running("demo", size=size) as (app, pilot):
        await choose(app, 8)
        await pilot.press("w")
        assert shows(app, "At cursor 434 the model does not see this:")
        assert shows(app, "seen in 19 requests up to 434") or size[1] < 24
        assert shows(app, "│ @8 user: The login tests are flaky")
        assert "@346" in in_hand(app)
        assert shows(app, "@346 visible since 347 (9 requests)")
        await pilot.press("g")
        assert "@8  visible 9 to 189, compacted" in in_hand(app)
        assert shows(app, "@8 visible 9 to 189 (19 requests), then hidden by")


@pytest.mark.parametrize("size", SIZES)
async def test_what_the_summary_that_stands_there_tells_and_its_audit(
    size: tuple[int, int],
) -> None:
    async with running("demo", size=size) as (app, pilot):
        await choose(app, 8)
        await pilot.press("w")
        assert shows(app, 'In the summary at @346?  words "login", "tests",')
        assert shows(app, "S audit")
        await pilot.press("S")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "Summary audit")
        assert shows(app, "@346 hides 43 rows")
        await pilot.press("escape")
        assert not isinstance(app.screen, Layer)


async def test_where_no_summary_stands_there_is_no_audit_to_go_to() -> None:
    async with running("demo", "head") as (app, pilot):
        await choose(app, 430)
        await pilot.press("w")
        assert not shows(app, "S audit")
        await pilot.press("S")
        assert shows(app, "no summary stands for this here")


async def test_a_sentence_that_is_too_long_goes_on_in_a_second_line() -> None:
    async with running("demo", size=(80, 24)) as (app, pilot):
        await choose(app, 8)
        await pilot.press("w")
        lines = text(app)
        first = next(at for at, line in enumerate(lines) if "At cursor 434" in line)
        assert "stands for it now." in lines[first + 1]


async def test_enter_goes_to_the_next_hop() -> None:
    async with running("demo", "head") as (app, pilot):
        await choose(app, 8)
        await pilot.press("w", "g", "j", "enter")
        assert app.inspection.cursor == 190
        assert not isinstance(app.screen, Layer)


async def test_from_a_call_to_its_result_and_back() -> None:
    async with running("demo", "seq:179") as (app, pilot):
        await pilot.press("w", "j")
        assert "@178  its call" in in_hand(app)
        await pilot.press("enter")
        assert app.inspection.cursor == 179
        await pilot.press("G")
        await choose(app, 178)
        await pilot.press("w", "j")
        assert "@179  its result" in in_hand(app)


async def test_from_a_call_to_the_message_that_makes_it_and_back() -> None:
    async with running("demo", "head") as (app, pilot):
        await choose(app, 54)
        await pilot.press("w")
        assert shows(app, "does not see this call: it is inside @53, hidden by a compaction")
        assert "@53  inside" in in_hand(app)
        await pilot.press("enter")
        assert app.inspection.cursor == 54
        await pilot.press("G")
        await choose(app, 53)
        await pilot.press("w", "j")
        assert "@54  calls told apart" in in_hand(app)


async def test_a_row_that_was_cleared_leads_to_what_cleared_it() -> None:
    claude = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
    async with running(claude) as (app, pilot):
        await choose(app, 25)
        await pilot.press("w")
        assert shows(app, "sees only that something stood here, since 29: cleared by #28")
        assert "#25  cleared since 29, 1 request" in in_hand(app)
        await pilot.press("g")
        assert "#25  visible 26 to 28, cleared," in in_hand(app)
        await pilot.press("j")
        assert "#28  cleared it" in in_hand(app)
        await pilot.press("enter")
        assert app.inspection.cursor == 29


async def test_what_cleared_a_row_leads_to_it() -> None:
    claude = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
    async with running(claude) as (app, pilot):
        await choose(app, 28)
        await pilot.press("w")
        assert shows(app, "it is kept in the log and is no message; it cleared #25")
        assert "#25  cleared" in in_hand(app)


async def test_behind_the_end_of_the_fold_it_leads_there() -> None:
    async with running("ten-events-unknown") as (app, pilot):
        await choose(app, 8)
        await pilot.press("w")
        assert shows(app, "not applied: the fold stopped at @6")
        assert "@6  the fold stopped there" in in_hand(app)


async def test_from_a_summary_to_its_originals() -> None:
    async with running("demo", "seq:189") as (app, pilot):
        await pilot.press("w")
        assert "@189  visible since 190" in in_hand(app)
        await pilot.press("j")
        assert "built from" in in_hand(app)


async def test_what_is_no_message_says_so_and_is_a_row() -> None:
    async with running("demo", "seq:0", size=(80, 24)) as (app, pilot):
        await pilot.press("w")
        assert shows(app, "the model does not see this: it is kept in the log")
        assert "@0  itself, no row: log-only" in in_hand(app)


async def test_a_copied_event_names_its_original() -> None:
    async with running("lives", "seq:4") as (app, pilot):
        await pilot.press("w")
        assert shows(app, "copied from sample-lives-parent")


async def test_on_the_surface_it_is_about_the_row_there() -> None:
    async with running("demo", "seq:0") as (app, pilot):
        await pilot.press("G", "tab", "w")
        assert shows(app, "At cursor 434 the model sees this, since 431.")
        await pilot.press("escape", "k", "w")
        assert not shows(app, "since 431.")
        assert shows(app, "the model sees this, since")


async def test_few_rows_leave_their_room_to_the_one_in_full() -> None:
    async with running("demo", "seq:179", size=(80, 24)) as (app, pilot):
        await pilot.press("w")
        rule = next(at for at, line in enumerate(text(app)) if "│──" in line)
        assert rule == in_hand_at(app) + 2
        assert shows(app, "signpost/auth/session.py:31")


async def test_without_an_event_it_says_so() -> None:
    async with running("demo", "0") as (app, pilot):
        await pilot.press("w")
        assert shows(app, "no event is selected")


async def test_y_copies_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("demo") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await choose(app, 8)
        await pilot.press("w", "y")
        assert "@346 stands for it now" in copied[0]
        assert copied[0].endswith("evidence: recorded operations")


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    async with running(write_tape(tmp_path)) as (app, pilot):
        for event in range(0, app.inspection.head, 3):
            await choose(app, event)
            await pilot.press("w", "G", "tab", "G")
            assert not [line for line in text(app) if CONTROL.search(line)]
            await pilot.press("escape")
