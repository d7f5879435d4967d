"""The transcript in the place of the surface, by real keys and as rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.inspection import Inspection
from inspector.ui import app as app_module
from inspector.ui import transcript as module
from inspector.ui.transcript import TranscriptRows
from tests.dsh_tapes import Log, text_block
from tests.hostile import write_tape
from tests.lenses.tapes import TAPES, opened
from tests.terminal import CONTROL
from tests.ui.driving import running, sample, shows, text
from tests.ui.following import NEVER, append, look, session, written

SIZES = [(120, 40), (80, 24), (60, 20), (200, 50)]


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


@pytest.fixture
def visit() -> Iterator[Inspection]:
    tape = sample("demo")
    while tape.advance():
        pass
    found = Inspection(tape)
    found.seek(found.head)
    yield found
    tape.close()


def plain(rows: TranscriptRows, width: int = 200) -> list[str]:
    return [
        "".join(cell.text for cell in rows.line(row, width)).rstrip() for row in range(rows.count())
    ]


# By keys.


@pytest.mark.parametrize("size", SIZES)
async def test_v_swaps_what_the_model_sees_and_what_the_person_saw(size: tuple[int, int]) -> None:
    async with running("demo", "seq:346", size=size) as (app, pilot):
        await pilot.press("V")
        assert shows(app, "Transcript at 347")
        assert shows(app, "hide nothing here")
        assert shows(app, "✂ compacted · rows 43 → 1")
        assert shows(app, "diff      edit tests/conftest.py")
        assert all(len(line) <= size[0] for line in text(app))
        await pilot.press("V")
        assert shows(app, "Surface at 347")
        assert not shows(app, "Transcript at")


async def test_an_entry_in_hand_is_whole_in_the_detail_and_enter_goes_there() -> None:
    async with running("demo", "seq:346") as (app, pilot):
        await pilot.press("V", "tab", "k", "k", "k", "k")
        assert shows(app, "row free")
        assert shows(app, "@331 call · 10:28:26")
        assert shows(app, "for the model: shadowed by @346")
        assert shows(app, "[edit] tests/conftest.py · ok")
        assert shows(app, "+port=0")
        assert shows(app, "came back in @332")
        assert shows(app, "Edited tests/conftest.py.")
        await pilot.press("r")
        assert shows(app, "raw record")
        await pilot.press("r", "enter")
        assert app.inspection.cursor == 332
        assert shows(app, "Transcript at 332")
        assert not shows(app, "row free")


async def test_on_a_narrow_screen_it_is_one_of_the_panes() -> None:
    async with running("demo", size=(80, 24)) as (app, pilot):
        await pilot.press("V")
        assert shows(app, "▸ Transcript at 434")
        await pilot.press("tab")
        assert shows(app, "▸ Detail")
        await pilot.press("tab", "tab")
        assert shows(app, "▸ Transcript at 434")


async def test_going_back_beyond_the_window_goes_on_to_the_first() -> None:
    async with running("demo") as (app, pilot):
        await pilot.press("V", "tab")
        assert not shows(app, "Facts about")
        for _ in range(12):
            await pilot.press("pageup")
        assert not any("earlier entr" in line for line in text(app))
        assert app.screen.view.row == 0  # type: ignore[attr-defined]
        for _ in range(16):
            await pilot.press("pagedown")
        assert shows(app, "@430 assistant")


async def test_a_card_is_running_until_it_came_back() -> None:
    async with running("demo", "seq:331") as (app, pilot):
        await pilot.press("V")
        assert any("@331" in line and line.endswith("running") for line in text(app))
        await pilot.press("l")
        assert any("edit tests/conftest.py" in line and line.endswith("ok") for line in text(app))


async def test_what_is_written_meanwhile_is_there(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    async with running(path) as (app, pilot):
        await pilot.press("V", "L")
        append(path, written(session(5).lines[4:]))
        await look(app, pilot)
        assert shows(app, "Transcript at 5")


async def test_a_long_tape_is_looked_through_by_a_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SOON_LOOKED_AT", 10)
    async with running("demo") as (app, pilot):
        await pilot.press("V")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "@430 assistant")
        assert not shows(app, "looking for what was said")


async def test_before_the_first_event_nothing_was_said() -> None:
    async with running("demo", "0") as (app, pilot):
        await pilot.press("V", "tab", "j", "k", "enter")
        assert shows(app, "Transcript at 0  0 entries")


async def test_no_control_of_a_tape_reaches_the_screen(tmp_path: Path) -> None:
    async with running(write_tape(tmp_path)) as (app, pilot):
        await pilot.press("V", "tab")
        for _ in range(20):
            await pilot.press("k")
            assert not [line for line in text(app) if CONTROL.search(line)]


# As rows.


def test_a_cursor_that_moves_decodes_nothing_again(
    visit: Inspection, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = TranscriptRows(visit)
    for cursor in range(visit.head + 1):
        visit.seek(cursor)
        rows.count()
    read: list[int] = []
    payload = visit.tape.payload
    monkeypatch.setattr(visit.tape, "payload", lambda event: read.append(event) or payload(event))
    for cursor in range(visit.head, -1, -1):
        visit.seek(cursor)
        rows.count()
    assert read == []


def test_only_a_window_is_told(visit: Inspection) -> None:
    rows = TranscriptRows(visit)
    total = rows.total()
    assert total is not None
    assert total > 24
    first, *_, last = plain(rows)
    assert first.strip() == f"⋯ {total - 24} earlier entries"
    assert "@430 assistant" in last
    rows.room = 40
    assert plain(rows)[0].strip() == f"⋯ {total - 40} earlier entries"


def test_a_window_that_moves_keeps_the_row_in_hand(visit: Inspection) -> None:
    rows = TranscriptRows(visit)
    before = plain(rows)
    at = rows.reach(0)
    assert at > 0
    assert plain(rows)[at + 1] == before[1]
    while rows.entry(0) is None:
        at = rows.reach(0)
    assert rows.reach(-5) == 0
    bottom = rows.count() - 1
    while rows.reach(bottom) != bottom:
        bottom = rows.count() - 1
    assert plain(rows)[-1] == before[-1]


def test_the_window_is_bounded(monkeypatch: pytest.MonkeyPatch, visit: Inspection) -> None:
    monkeypatch.setattr(module, "_LONGEST", 70)
    rows = TranscriptRows(visit)
    total = rows.total()
    assert total is not None
    seen = set[int]()
    at = rows.count() - 1
    while rows.entry(at) is not None:
        entry = rows.entry(at)
        assert entry is not None
        seen.add(entry.event)
        if at == 0:
            break
        at = rows.reach(at - 1)
    assert any("later entr" in row for row in plain(rows))
    back = rows.count() - 1
    for _ in range(total):
        back = rows.reach(back + 1)
    assert "@430 assistant" in plain(rows)[-1]
    assert 12 > min(seen) >= 0


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_rows_of_every_format_fit_and_lead_to_their_events(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        inspection = Inspection(tape)
        rows = TranscriptRows(inspection)
        for cursor in range(0, inspection.head + 1, 5):
            inspection.seek(cursor)
            for row in range(rows.count()):
                event = rows.event(row)
                assert event is None or event < cursor
                assert not CONTROL.search("".join(cell.text for cell in rows.line(row, 54)))
            entered = rows.entered()
            assert entered is None or 0 <= entered < rows.count()


def test_what_was_taken_back_says_by_what() -> None:
    with opened(*TAPES[5]) as tape:
        inspection = Inspection(tape)
        inspection.seek(inspection.head)
        rows = TranscriptRows(inspection)
        gone = [
            row for row in range(rows.count()) if (e := rows.entry(row)) and e.gone_by is not None
        ]
        assert gone
        lines = plain(rows, 100)
        assert all(any(sign in lines[row] for sign in "↶✕↻") for row in gone)


def test_what_was_cut_off_says_so() -> None:
    with opened("interrupted.jsonl") as tape:
        inspection = Inspection(tape)
        inspection.seek(inspection.head)
        assert any(line.endswith("cut off") for line in plain(TranscriptRows(inspection), 80))


def test_calls_made_at_once_say_in_which_order_they_came_back(visit: Inspection) -> None:
    visit.seek(330)
    lines = plain(TranscriptRows(visit), 60)
    assert [line[-6:] for line in lines if line.endswith("/3")][-3:] == [
        "ok 1/3",
        "ok 2/3",
        "ok 3/3",
    ]


def test_an_answer_that_only_calls_is_no_row_beside_its_calls(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.step()
    log.user("please")
    log.assistant(text_block("Yes."))
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    tape = sample(path)
    while tape.advance():
        pass
    inspection = Inspection(tape)
    inspection.seek(inspection.head)
    lines = plain(TranscriptRows(inspection), 40)
    assert [line.split() for line in lines] == [
        ["@2", "user", "please"],
        ["@3", "assistant", "Yes."],
    ]
    tape.close()
