"""Every request over the main screen, by real keys, and the waste in the top line."""

from pathlib import Path

import pytest

from inspector.lenses import ledger as ledgers
from inspector.lenses import losses
from tests.dsh_tapes import Log, text_block
from tests.guarding import changing
from tests.hostile import write_tape
from tests.lenses.ledgers import asked, six_requests, system
from tests.terminal import CONTROL
from tests.ui.driving import running, shows, text
from tests.ui.following import append, look, written

SIZES = [(120, 40), (80, 24), (60, 20)]

PRICES = """
currency = "EUR"
[models."flash"]
hit = 0.1
miss = 1
output = 2
"""


@pytest.fixture
def six(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(six_requests()))
    return path


def in_hand(lines: list[str]) -> str:
    return next(line for line in lines if "│▌" in line)


@pytest.mark.parametrize("size", SIZES)
async def test_the_heads_have_the_sums_and_every_request_a_row(
    six: Path, size: tuple[int, int]
) -> None:
    async with running(six, size=size) as (app, pilot):
        await pilot.press("Q")
        assert shows(app, "Requests  6 of 6")
        assert shows(app, "6 requests: 85.6k sent, 48 % of it cached")
        assert shows(app, "26,600 wasted in 2 misses") or shows(app, "26,600 wasted")
        assert "17.6k    5.1k" in in_hand(text(app))
        if size[0] > 80:
            assert shows(app, "MISS 14,100: expired after 38 min")
            assert shows(app, "MISS 12,500: rewritten after 12 s")


async def test_a_row_in_full_says_what_it_was_made_of_and_whether_it_would_be_compacted(
    six: Path,
) -> None:
    async with running(six) as (app, pilot):
        assert shows(app, "17.6k of 20.0k (88%) ✂ due")
        await pilot.press("Q")
        assert shows(app, "request 6 to flash")
        assert shows(app, "17,600 tokens sent, 5,100 cached, 12,500 neither, 100 came back")
        assert shows(app, "repeats all of the request before")
        assert shows(app, "nothing on the tape broke it")
        assert shows(app, "17,600 of 20,000 tokens (88 %): the owner would compact now")
        assert shows(app, "made of, by estimate")
        assert shows(app, "assistant")
        await pilot.press("g")
        assert shows(app, "the first request, of 1 row")
        assert shows(app, "the owner would not compact now")


async def test_what_broke_the_prefix_is_shown_on_both_sides(tmp_path: Path) -> None:
    log = Log()
    log.user("please")
    for second in (10, 20):
        system(log, f"You help. It is 14:05:{second}.")
        asked(log, 9_000)
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("Q")
        assert shows(app, "system is another one from character 22 on")
        assert shows(app, "- You help. It is 14:05:10.")
        assert shows(app, "+ You help. It is 14:05:20.")
        assert shows(app, "a window that is not recorded")


async def test_the_model_before_is_named_where_it_was_another_one() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("Q", "g")
        for _ in range(22):
            await pilot.press("j")
        assert shows(app, "MISS 33,207: another model than before")


async def test_enter_goes_to_the_request() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("Q", "g", "enter")
        assert app.inspection.cursor == 54


async def test_of_a_tape_without_usage_it_says_so(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(text_block("well"))
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("Q")
        assert shows(app, "no request reported its usage up to here")
        await pilot.press("enter")
        assert shows(app, "there is no place to go to")


async def test_with_prices_the_heads_have_the_money(
    six: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    monkeypatch.setenv("INSPECTOR_PRICES", str(prices))
    async with running(six) as (app, pilot):
        await pilot.press("Q")
        assert shows(app, "cost 0.0499 EUR; 0.0868 if nothing was cached, 0.0369 saved, 0.0239")


async def test_prices_that_cannot_be_read_are_a_sentence(
    six: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECTOR_PRICES", "none\x1b[31m.toml")
    async with running(six) as (app, pilot):
        await pilot.press("Q")
        assert shows(app, "no prices: ")
        assert shows(app, "does not exist")
        assert not [line for line in text(app) if CONTROL.search(line)]


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    log = Log()
    log.event("request/context", {"provider": "p", "model": "fl\x1b[31mash \u202e"})
    log.user("please \x1b]0;x\x07")
    for prompt in ("one \x1b[2J", "two \x9b [/foo]"):
        system(log, prompt)
        asked(log, 9_000, text="\x1b[31m")
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    for tape in (path, write_tape(tmp_path)):
        async with running(tape) as (app, pilot):
            for keys in (("Q",), ("g",), ("j",), ("tab", "pagedown")):
                await pilot.press(*keys)
                assert not [line for line in text(app) if CONTROL.search(line)]


# The top line.


@pytest.mark.parametrize("size", SIZES)
async def test_waste_is_in_the_top_line_as_of_the_cursor(six: Path, size: tuple[int, int]) -> None:
    async with running(six, size=size) as (app, pilot):
        assert "26.6k wasted in 2" in text(app)[0]
        await pilot.press("h")
        assert "14.1k wasted in 1" in text(app)[0]
        await pilot.press("h", "h")
        assert "wasted" not in text(app)[0]


async def test_what_is_written_meanwhile_counts(six: Path) -> None:
    content = six.read_bytes()
    lines = content.splitlines()
    six.write_bytes(written(lines[:-1]))
    async with running(six) as (app, pilot):
        assert "14.1k wasted in 1" in text(app)[0]
        append(six, written(lines[-1:]))
        await look(app, pilot)
        await pilot.press("L")
        assert "26.6k wasted in 2" in text(app)[0]


async def test_of_a_source_that_is_cut_only_what_is_left_counts(six: Path) -> None:
    lines = six.read_bytes().splitlines()
    async with running(six) as (app, pilot):
        with changing():
            six.write_bytes(written(lines[:-1]))
        await look(app, pilot)
        await pilot.press("G")
        assert "14.1k wasted in 1" in text(app)[0]


async def test_moving_the_cursor_looks_at_no_request(
    six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(six) as (app, pilot):

        def never(*_: object) -> None:
            raise AssertionError("a request was looked at")

        monkeypatch.setattr(losses, "context_of", never)
        monkeypatch.setattr(losses, "miss", never)
        monkeypatch.setattr(ledgers, "requests", never)
        await pilot.press("h", "h", "g", "l", "l", "G")
        assert "26.6k wasted in 2" in text(app)[0]
