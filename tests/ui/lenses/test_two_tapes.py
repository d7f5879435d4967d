"""Two tapes from where they part, over the main screen, by real keys."""

from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from inspector.ui.lenses import second
from tests.dsh_tapes import HEADER, Log
from tests.guarding import guarded
from tests.hostile import write_tape
from tests.terminal import CONTROL
from tests.ui.driving import SAMPLES, running, shows, text

SIZES = [(120, 40), (80, 24), (60, 20)]

FORK = SAMPLES / "zero" / "lantern-fork" / "events.jsonl"
CHAR = {"/": "slash", ".": "full_stop", "-": "minus", "_": "underscore", "~": "tilde"}


async def settled(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Wait until what is looked for, read or compared is on the screen."""
    for _ in range(3):
        await app.workers.wait_for_complete()
        await pilot.pause()


async def compare(app: InspectorApp, pilot: Pilot[None], path: Path) -> None:
    """Ask for a comparison where nothing belongs to the tape, and name another one."""
    await pilot.press("K")
    await settled(app, pilot)
    await pilot.press(*(CHAR.get(one, one) for one in str(path)), "enter")
    await settled(app, pilot)


def in_hand(app: InspectorApp) -> str:
    """The row with the bar of the row in hand."""
    (row,) = (line for line in text(app) if "│▌" in line)
    return row


def parent_and_fork(folder: Path) -> tuple[Path, Path]:
    """A log and a fork of it, which share two messages and part then."""
    one = Log()
    for words in ("first", "second", "third"):
        one.user(words)
    other = Log({**HEADER, "id": "fork", "parentSession": "session", "seedLength": 2})
    for record in one.lines[1:3]:
        other.raw(record)
    other.seq, other.time = 2, one.time
    other.user("elsewhere")
    other.user("and further")
    paths = folder / "session.jsonl", folder / "fork.jsonl"
    for path, log in zip(paths, (one, other), strict=True):
        path.write_bytes(bytes(log))
    return paths


# Which tape.


@pytest.mark.parametrize("size", SIZES)
async def test_the_parent_is_offered_first_and_enter_compares(size: tuple[int, int]) -> None:
    async with running(FORK, size=size) as (app, pilot):
        await pilot.press("K")
        await settled(app, pilot)
        assert shows(app, "Two tapes  1 of 2")
        assert "parent" in in_hand(app)
        assert "zero_20260622080000_1782115200000000000_1" in in_hand(app)
        assert shows(app, "another tape   Enter asks for its path")
        assert shows(app, "Enter compare")
        await pilot.press("enter")
        await settled(app, pilot)
        assert shows(app, "they part after 42 events in common")
        assert shows(app, "-15 +0 ~0 =10")


async def test_what_is_entered_before_they_are_found_is_for_the_first(tmp_path: Path) -> None:
    _, fork = parent_and_fork(tmp_path)
    async with running(fork) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
        assert shows(app, "they part after 2 events in common")


async def test_a_tape_that_says_to_come_from_this_one_is_offered(tmp_path: Path) -> None:
    parent, _ = parent_and_fork(tmp_path)
    async with running(parent) as (app, pilot):
        await pilot.press("K")
        await settled(app, pilot)
        assert "child" in in_hand(app)
        assert "fork.jsonl" in in_hand(app)


async def test_without_a_relative_a_path_is_asked_for(tmp_path: Path) -> None:
    one, _ = parent_and_fork(tmp_path / "..")
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(one.read_bytes())
    async with running(alone) as (app, pilot):
        await compare(app, pilot, one)
        assert isinstance(app.screen, Layer)
        assert shows(app, "they tell the same: 3 events")
        await pilot.press("escape", "K")
        await settled(app, pilot)
        await pilot.press("enter")
        assert not isinstance(app.screen, Layer)


async def test_another_tape_than_the_relatives_may_be_named() -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("K")
        await settled(app, pilot)
        await pilot.press("G", "enter")
        assert shows(app, "compare with")
        demo = str(SAMPLES / "demo.jsonl")
        await pilot.press(*(CHAR.get(one, one) for one in demo), "enter")
        await settled(app, pilot)
        assert shows(app, "they have no event in common   zero and dsh")
        assert shows(app, "nothing in common")


async def test_of_several_sessions_one_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "alone.jsonl"
    path.write_bytes((SAMPLES / "demo.jsonl").read_bytes())
    async with running(path) as (app, pilot):
        await compare(app, pilot, SAMPLES / "deepchat.db")
        assert shows(app, "deepchat.db holds 4 sessions: which of them?")
        assert "sample-orchard   A plan for the orchard" in in_hand(app)
        await pilot.press("enter")
        await settled(app, pilot)
        assert shows(app, "dsh and deepchat")
        assert shows(app, "--session2 sample-orchard")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/nowhere/tape.jsonl", "/nowhere/tape.jsonl: does not exist"),
        ("~nobody-of-this-name/x", "does not exist"),
        (str(SAMPLES / "demo.py"), "demo.py: "),
        (str(SAMPLES / "home" / "storages"), "is a directory without a session file"),
    ],
)
async def test_a_bad_one_is_a_sentence_and_another_may_be_named(
    path: str, says: str, tmp_path: Path
) -> None:
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes((SAMPLES / "ten-events.jsonl").read_bytes())
    async with running(alone) as (app, pilot):
        await compare(app, pilot, Path(path))
        assert isinstance(app.screen, Layer)
        assert shows(app, says)
        assert "another tape" in in_hand(app)
        await pilot.press("enter")
        assert shows(app, "compare with")
        await pilot.press("escape")
        assert app.is_running


async def test_a_fault_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Tape:
        raise RuntimeError("it broke")

    async with running(FORK) as (app, pilot):
        monkeypatch.setattr(second, "open_tape", broken)
        await pilot.press("K")
        await settled(app, pilot)
        await pilot.press("enter")
        while app.screen.workers:
            await pilot.pause()
        assert shows(app, "cannot be compared: it broke")


# Where they part.


async def test_each_has_its_events_rows_and_tokens(tmp_path: Path) -> None:
    _, fork = parent_and_fork(tmp_path)
    async with running(fork) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
        assert shows(app, "- here fork   4 events, child of the other")
        assert shows(app, "+ there session   3 events")
        assert shows(app, "they part after 2 events in common   since then 2 here, 1 there")
        assert shows(app, "= 2 events in common   the last @1 here, @1 there  user: second")
        assert shows(app, "- 2 events here since   2 rows, ")
        assert shows(app, "+ 1 event there since   1 row, ")
        assert shows(app, "- 2 rows only here: written since they part")
        assert shows(app, "+ 1 row only there: written since they part")


async def test_enter_goes_to_the_event_of_this_tape(tmp_path: Path) -> None:
    _, fork = parent_and_fork(tmp_path)
    async with running(fork) as (app, pilot):
        for rows, cursor in ((0, 2), (1, 3), (5, 4)):
            await pilot.press("K", "enter")
            await settled(app, pilot)
            await pilot.press(*"j" * rows, "enter")
            assert not isinstance(app.screen, Layer)
            assert app.inspection.cursor == cursor
        for rows in (2, 7):
            await pilot.press("K", "enter")
            await settled(app, pilot)
            await pilot.press(*"j" * rows, "enter")
            assert shows(app, "only the other tape has it")
            await pilot.press("escape")
            assert app.inspection.cursor == 4


async def test_what_the_other_hid_is_said_with_its_event() -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
        assert shows(app, "- 13 rows only here: compacted there by @31")
        assert shows(app, "⋯ 10 more   Enter lists them")
        await pilot.press(*"jjj", "enter")
        assert shows(app, "of 20")
        await pilot.press("j")
        assert shows(app, "@1 only here: compacted there by @31")


async def test_a_row_in_two_forms_shows_what_its_texts_have_apart(tmp_path: Path) -> None:
    whole = (SAMPLES / "prune.jsonl").read_bytes().splitlines(keepends=True)
    short, pruned = tmp_path / "short.jsonl", tmp_path / "pruned.jsonl"
    short.write_bytes(b"".join(whole[:17]))
    pruned.write_bytes(b"".join(whole[:18]))
    async with running(short) as (app, pilot):
        await compare(app, pilot, pruned)
        assert shows(app, "they part after 16 events in common   since then 0 here, 1 there")
        assert shows(app, "- no event here since")
        assert shows(app, "~ 1 row in another form there: pruned there by @16   -1,481")
        await pilot.press("G")
        assert "2.8k → 1.3k" in in_hand(app)
        assert [line for line in text(app) if "│ -   99 x 37 =" in line]
        await pilot.press("enter")
        assert app.inspection.cursor == 10


async def test_y_copies_the_command_and_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(FORK) as (app, pilot):
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("K", "enter")
        await settled(app, pilot)
        await pilot.press("y")
        lines = copied[0].splitlines()
        assert len(lines) == 5 + 3 + 1 + 13 + 1 + 2
        assert lines[4].startswith("inspector diff ")
        assert "lantern-fork/events.jsonl" in lines[4]
        assert lines[4].endswith("/zero/lantern")


# The other tape is given back, whatever happens.


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happened to the other tapes: opened, closed."""
    seen: list[str] = []

    def opened(path: Path, options: Options) -> Tape:
        tape = open_tape(path, options)
        seen.append("opened")
        close = tape.close
        monkeypatch.setattr(tape, "close", lambda: (seen.append("closed"), close()))
        return tape

    monkeypatch.setattr(second, "open_tape", opened)
    return seen


@pytest.mark.parametrize("key", ["escape", "q", "enter"])
async def test_leaving_closes_the_other_tape(others: list[str], key: str) -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
        assert others == ["opened"]
        await pilot.press(key)
        await pilot.pause()
        assert others == ["opened", "closed"]


async def test_the_screen_lives_while_the_other_tape_is_read(
    monkeypatch: pytest.MonkeyPatch, others: list[str]
) -> None:
    free, slow = Event(), second.open_tape

    def waiting(path: Path, options: Options) -> Tape:
        free.wait(30)
        return slow(path, options)

    monkeypatch.setattr(second, "open_tape", waiting)
    async with running(FORK) as (app, pilot):
        await pilot.press("K")
        await settled(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert shows(app, "opening lantern…   Esc leaves it")
        await pilot.press("j", "k", "tab", "enter", "y", "escape")
        assert not isinstance(app.screen, Layer)
        await pilot.press("h")
        assert app.inspection.cursor == 45
        free.set()
        await settled(app, pilot)
        assert others in ([], ["opened", "closed"])


async def test_the_program_ends_while_another_tape_is_compared(others: list[str]) -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
    assert others == ["opened", "closed"]


# Everything.


@pytest.mark.parametrize("turned", [False, True])
async def test_no_control_of_either_tape_reaches_the_screen(tmp_path: Path, turned: bool) -> None:
    tapes = [write_tape(tmp_path), SAMPLES / "prune.jsonl"]
    one, other = reversed(tapes) if turned else tapes
    with guarded(other):
        async with running(one) as (app, _pilot):
            layer = second.SecondTape(app.inspection.tape, other)
            report = layer.meet()
            assert isinstance(report, second.PartingRows)
            try:
                for width in (40, 120):
                    shown = [*report.heads()]
                    for row in range(report.count()):
                        shown += [report.line(row, width), *report.lines(row, width)]
                    said = "\n".join(cell.text for line in shown for cell in line)
                    assert not [line for line in said.splitlines() if CONTROL.search(line)]
            finally:
                layer.leave()
            assert app.is_running


async def test_it_fits_any_size_that_the_terminal_is_given() -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("K", "enter")
        await settled(app, pilot)
        for size in ((40, 10), (200, 50), (80, 24), (30, 5), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(len(line) <= size[0] for line in text(app))
        assert in_hand(app)
