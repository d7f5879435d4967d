"""The summary audit over the main screen, by real keys."""

from pathlib import Path

import pytest

from inspector.ui.layer import Layer
from tests.dsh_tapes import Log
from tests.formats.pi import sessions as pi
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import SAMPLES, running, shows, text
from tests.ui.following import session

CLAUDE = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
SIZES = [(120, 40), (80, 24), (60, 20)]


@pytest.mark.parametrize("size", SIZES)
async def test_the_heads_say_what_is_hidden_and_why_and_the_first_row_is_the_persons_own(
    size: tuple[int, int],
) -> None:
    async with running("demo", "seq:189", size) as (app, pilot):
        await pilot.press("S")
        shown = " ".join(text(app))
        assert "@189 hides 42 rows" in shown
        assert shows(app, "80 %")
        assert shows(app, "the launching message, @8: absent")
        assert "15 of 51 literals of the originals are told, 36 missing" in shown
        rows = [line for line in text(app) if " missing  " in line or "vendor/  " in line]
        assert "@8  user" in rows[0]
        assert "vendor/" in rows[1]


async def test_at_the_head_it_is_the_last_compaction_with_what_was_lost_before() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("S")
        assert shows(app, "@346 hides 43 rows")
        assert shows(app, "trigger: manual (usage 81 % of 131.1k)")
        for _ in range(12):
            await pilot.press("pagedown")
            if shows(app, "lost already by @189"):
                break
        assert shows(app, "lost already by @189")


async def test_it_is_the_last_one_up_to_the_cursor() -> None:
    async with running("demo", "seq:200") as (app, pilot):
        await pilot.press("S")
        assert shows(app, "@189 hides")


async def test_the_original_stands_beside_the_summary_from_the_literal_on() -> None:
    async with running("demo", "seq:189") as (app, pilot):
        await pilot.press("S")
        assert shows(app, "@8 user")
        assert any("@8 user" in line and "summary @189" in line for line in text(app))


async def test_where_it_is_narrow_the_summary_stands_below() -> None:
    async with running("compaction", size=(80, 24)) as (app, pilot):
        await pilot.press("S")
        assert shows(app, "the originals have no literals")
    async with running("nested-compaction", "seq:17", size=(80, 40)) as (app, pilot):
        await pilot.press("S")
        lines = text(app)
        original = next(at for at, line in enumerate(lines) if "@7 assistant" in line)
        summary = next(at for at, line in enumerate(lines) if "summary @17" in line)
        assert original < summary


async def test_every_original_has_its_verdict_and_stands_beside_the_summary() -> None:
    async with running("demo", "seq:189") as (app, pilot):
        await pilot.press("S", "G")
        for _ in range(60):
            if shows(app, "@77 user"):
                break
            await pilot.press("k")
        assert any("@77 user" in line and "summary @189" in line for line in text(app))
        assert any("@77" in line and "no literals" in line for line in text(app))
        await pilot.press("enter")
        assert app.inspection.cursor == 78


async def test_enter_goes_to_the_original() -> None:
    async with running("demo", "seq:189") as (app, pilot):
        await pilot.press("S", "enter")
        assert not isinstance(app.screen, Layer)
        assert app.inspection.cursor == 9


@pytest.mark.parametrize(
    ("at", "words"), [("5", "nothing was compacted up to here"), ("seq:189", "hides 42 rows")]
)
async def test_before_any_compaction_it_says_so(at: str, words: str) -> None:
    async with running("demo", at) as (app, pilot):
        await pilot.press("S")
        assert shows(app, words)


async def test_of_a_tape_without_compactions_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    async with running(path) as (app, pilot):
        await pilot.press("S")
        assert shows(app, "nothing was compacted")
        assert not isinstance(app.screen, Layer)


async def test_a_trigger_that_is_recorded_is_told() -> None:
    async with running(CLAUDE) as (app, pilot):
        await pilot.press("S")
        assert shows(app, "trigger: manual")
        assert shows(app, "motor.csv")


async def test_it_is_copied_as_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("demo", "seq:189") as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("S", "y")
        assert copied[0].startswith("@189 hides 42 rows")
        assert "ci/logs/run-4181.log" in copied[0]


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    log = Log()
    first = log.user("see \x1b]0;x\x07 conf/\x1b[31msite.toml and `a\x9b31mb` [/foo] \u202eabc")
    start, summary = log.compaction(), log.summary()
    log.checkpoint(first, first, [start, summary, first], "\x1b[2Jshort [bold] \x9b")
    log.compaction_end()
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        for keys in (("S",), ("j",), ("j",), ("tab", "pagedown")):
            await pilot.press(*keys)
            assert not [line for line in text(app) if CONTROL.search(line)]
        assert isinstance(app.screen, Layer)
    async with running(write_tape(tmp_path)) as (app, pilot):
        await pilot.press("S")
        assert not [line for line in text(app) if CONTROL.search(line)]


async def test_it_is_the_last_that_holds_and_one_that_does_not_says_so(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    said = [pi.user("a", None), pi.compaction("k", "a", "k"), pi.user("b", "k")]
    path.write_bytes(pi.text_of([*said, pi.compaction("l", "b", "l"), pi.user("c", "b")]))
    async with running(path) as (app, pilot):
        await pilot.press("S")
        assert shows(app, "#1 hides 1 row")
        assert not shows(app, "undone")
    async with running(path, "event:3") as (app, pilot):
        await pilot.press("S")
        assert shows(app, "#3 hides 2 rows")
    path.write_bytes(pi.text_of([*said, pi.user("c", "a")]))
    async with running(path) as (app, pilot):
        await pilot.press("S")
        assert shows(app, "#1 hid 1 row")
        assert shows(app, "it is undone since 4: left behind by a rewind (#3)")
