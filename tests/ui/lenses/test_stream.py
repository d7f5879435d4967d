"""The layer of messages while they stream, by real keys."""

from pathlib import Path

import pytest

from inspector.ui.layer import Layer
from tests.dsh_tapes import Log, text_block
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import running, shows, text

SIZES = [(120, 40), (80, 24), (60, 20)]


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_being_put_together_is_in_hand_with_its_blocks(size: tuple[int, int]) -> None:
    async with running("packed-rows", "20", size=size) as (app, pilot):
        await pilot.press("W")
        assert shows(app, "Stream  1 of 1")
        assert shows(app, "1 message is being put together at 20")
        assert shows(app, "turn 1 step 1")
        assert shows(app, "0  reasoning  whole")
        await pilot.press("tab", *["j"] * 12)
        assert shows(app, "2  tool_call bash  so far")
        assert shows(app, '{"command": "wc▏')
        assert all(len(line) <= size[0] for line in text(app))


async def test_enter_goes_behind_its_last_piece() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("W", "g", "enter")
        assert not isinstance(app.screen, Layer)
        assert app.inspection.cursor == 54


async def test_of_a_whole_one_that_says_something_else_it_says_so(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step()
    log.user()
    log.packed("Hel", "lo", "!")
    log.assistant(text_block("Goodbye"))
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("W")
        assert shows(app, "1 says something else than the pieces")
        assert shows(app, "differs")
        assert shows(app, "NOT what its pieces say")


async def test_what_a_retry_took_back_is_not_there() -> None:
    async with running("demo", "seq:228") as (app, pilot):
        await pilot.press("W")
        assert shows(app, "retrying")
        assert shows(app, "no pieces of it")


@pytest.mark.parametrize(
    ("tape", "at", "words"),
    [
        ("demo", "2", "no message was put together of pieces up to here"),
        ("ten-events", None, "no message was put together of pieces up to here"),
    ],
)
async def test_where_there_is_none_the_footer_says_so(
    tape: str, at: str | None, words: str
) -> None:
    async with running(tape, at) as (app, pilot):
        await pilot.press("W")
        assert not isinstance(app.screen, Layer)
        assert shows(app, words)


async def test_y_copies_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("packed-rows") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("W", "y")
        (report,) = copied
        assert report.startswith("turn 1 step 1  done, written as @26, since 8")


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    async with running(write_tape(tmp_path)) as (app, pilot):
        await pilot.press("W")
        for _ in range(8):
            await pilot.press("j")
            assert not [line for line in text(app) if CONTROL.search(line)]
