"""Search, filters and bookmarks on the screen, by real keys."""

import json
from contextlib import AbstractAsyncContextManager
from datetime import UTC
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.inspection import Inspection
from inspector.ui import app as app_module
from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from inspector.ui.listing import Listing
from inspector.userdata import NotesFile, leave, left_at
from tests.dsh_tapes import Log
from tests.terminal import CONTROL
from tests.ui.driving import rows_made, running, sample, shows, text
from tests.ui.following import NEVER, append, look, session

SIZES = [(120, 40), (80, 24)]


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


KEYS = {
    " ": "space",
    "/": "slash",
    ":": "colon",
    ".": "full_stop",
    "-": "minus",
    "'": "apostrophe",
    "&": "ampersand",
    "|": "vertical_line",
    "*": "asterisk",
}


async def write(pilot: Pilot[None], key: str, words: str) -> None:
    """Press a key that asks, and answer."""
    await pilot.press(KEYS.get(key, key), *(KEYS.get(one, one) for one in words), "enter")
    await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


# Search.


async def test_hits_are_counted_and_marked_and_the_cursor_stays() -> None:
    async with running("demo", "100") as (app, pilot):
        await write(pilot, "/", "pytest")
        assert app.inspection.cursor == 100
        assert len(app.inspection.sought.events) == 31
        assert shows(app, "31 hits for pytest; n and N go to them")
        assert shows(app, "/pytest 31")
        (marks,) = [line for line in text(app) if line.startswith("marks")]
        assert marks.count("/") > 10
        assert "✂" in marks
        assert any("@102/ assistant" in line for line in text(app))


async def test_n_goes_from_hit_to_hit_with_a_count() -> None:
    async with running("demo", "0") as (app, pilot):
        await write(pilot, "/", "pytest")
        hits = list(app.inspection.sought.events)
        await pilot.press("n")
        assert app.inspection.cursor == hits[0] + 1
        assert shows(app, "/pytest 1 of 31")
        await pilot.press("3", "n")
        assert app.inspection.cursor == hits[3] + 1
        await pilot.press("N")
        assert app.inspection.cursor == hits[2] + 1
        await pilot.press("9", "9", "n", "n")
        assert app.inspection.cursor == hits[-1] + 1
        assert shows(app, "no hit after")


async def test_a_long_tape_is_searched_by_a_worker_whose_hits_come_as_they_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.ui.finder._SOON_SEARCHED", 0)
    monkeypatch.setattr("inspector.ui.finder._STRIDE", 50)
    async with running("demo", "0") as (app, pilot):
        told: list[int] = []
        add = app.inspection.sought.add
        app.inspection.sought.add = lambda events, known: (  # type: ignore[method-assign]
            told.append(known),
            add(events, known),
        )[1]
        await write(pilot, "/", "pytest")
        assert shows(app, "31 hits for pytest; n and N go to them")
        assert told[0] == 0
        assert told[-1] == app.inspection.tape.records()
        await write(pilot, "/", "nowhere to be found")
        assert shows(app, "0 hits for nowhere to be found")


async def test_a_regular_expression_and_words_in_any_case() -> None:
    async with running("demo") as (app, pilot):
        await write(pilot, "/", "/seq -w [25]0/")
        await app.workers.wait_for_complete()
        some = list(app.inspection.sought.events)
        assert some
        await write(pilot, "/", "flaky LOGIN")
        assert not len(app.inspection.sought.events)
        await write(pilot, "/", "flaky login")
        assert len(app.inspection.sought.events)
        assert shows(app, "/flaky login")


async def test_what_is_no_pattern_is_said_and_the_last_search_stays() -> None:
    async with running("demo") as (app, pilot):
        await write(pilot, "/", "pytest")
        await write(pilot, "/", "/(/")
        assert shows(app, "no regular expression")
        assert len(app.inspection.sought.events) == 31


async def test_an_expression_without_end_leaves_the_screen_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.lenses.search._SECONDS", 0.01)
    log = Log()
    log.user("x" * 5_000)
    path = tmp_path / "x.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await write(pilot, "/", "/(x+x+)+y/")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "takes too long")
        await pilot.press("g")
        assert app.inspection.cursor == 0


async def test_without_a_search_the_keys_say_so() -> None:
    async with running("demo") as (app, pilot):
        for key in ("n", "N", "ampersand"):
            await pilot.press(key)
            assert shows(app, "nothing is looked for: / asks what")
        await write(pilot, "/", "")
        assert shows(app, "nothing is looked for: / asks what")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_written_lists_the_hits_and_enter_goes_there(size: tuple[int, int]) -> None:
    async with running("demo", "250", size) as (app, pilot):
        await write(pilot, "/", "pytest")
        await write(pilot, "/", "")
        assert isinstance(app.screen, Layer)
        assert shows(app, "pytest  in 31 events")
        assert shows(app, "pytest-randomly")
        assert shows(app, "data.message.content")
        await pilot.press("g", "enter")
        assert app.inspection.cursor == app.inspection.sought.events[0] + 1


async def test_escape_clears_the_search_and_never_quits() -> None:
    async with running("demo", "100") as (app, pilot):
        before = text(app)
        await write(pilot, "/", "pytest")
        await pilot.press("escape")
        assert app.inspection.sought.wanted is None
        assert text(app) == before
        await pilot.press("escape")
        assert shows(app, "q quits")


async def test_what_is_written_to_the_tape_is_looked_through_too(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    log = session(3)
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await write(pilot, "/", "needle")
        assert len(app.inspection.sought.events) == 0
        before = len(bytes(log))
        log.user("a needle at last")
        append(path, bytes(log)[before:])
        await look(app, pilot)
        await settled(pilot)
        assert list(app.inspection.sought.events) == [app.inspection.head - 1]


async def test_a_tape_read_anew_is_searched_anew() -> None:
    async with running("demo") as (app, pilot):
        await write(pilot, "/", "pytest")
        app.inspection.turn_to(sample("demo"))
        app.inspection.grown()
        while app.inspection.tape.advance():
            pass
        app.inspection.grown()
        await settled(pilot)
        assert len(app.inspection.sought.events) == 31


async def test_hostile_text_is_found_and_shown_clean() -> None:
    async with running("hostile") as (app, pilot):
        await write(pilot, "/", "/./")
        await write(pilot, "/", "")
        for _ in range(len(app.inspection.sought.events)):
            assert not [line for line in text(app) if CONTROL.search(line)]
            await pilot.press("j")


# Filters.


async def test_v_cycles_what_is_listed_and_never_moves_the_cursor() -> None:
    async with running("demo", "seq:346") as (app, pilot):
        listed = app.screen.query_one("#events", Listing)
        for word in ("visible", "hidden", "log-only"):
            await pilot.press("v")
            assert shows(app, f"only {word}")
            assert app.inspection.cursor == 347
            rows = [line for line in text(app)[2:20] if line.strip().startswith("@")]
            assert rows or listed.source.count() < 20
        await pilot.press("v")
        assert shows(app, "Events  434  ")
        assert listed.source.count() == app.inspection.head


async def test_a_cursor_that_is_filtered_away_leaves_a_thin_line() -> None:
    async with running("demo", "100") as (app, pilot):
        await write(pilot, "f", "user")
        assert shows(app, "— cursor at 100 (filtered) —")
        assert app.inspection.cursor == 100
        await pilot.press("h")
        assert shows(app, "— cursor at 99 (filtered) —")
        assert not shows(app, "— cursor at 100")


async def test_rows_are_gone_through_as_they_are_listed() -> None:
    async with running("demo", "100") as (app, pilot):
        await write(pilot, "f", "user")
        users = list(app.screen.events.passing.events)  # type: ignore[attr-defined]
        await pilot.press("j")
        following = next(event for event in users if event > 99)
        assert app.inspection.selected == following
        await pilot.press("k", "k")
        assert app.inspection.selected == max(event for event in users if event < 99)
        await pilot.press("enter")
        assert app.inspection.cursor == app.inspection.last_folded + 1  # type: ignore[operator]
        assert app.inspection.cursor - 1 in users


async def test_only_hits_are_listed_as_long_as_there_is_a_search() -> None:
    async with running("demo", "100") as (app, pilot):
        await write(pilot, "/", "pytest")
        await pilot.press("ampersand")
        assert shows(app, "31 of 434  only hits")
        await pilot.press("escape")
        assert not shows(app, "only hits")
        assert not app.inspection.filter.active


async def test_escape_lifts_a_filter() -> None:
    async with running("demo", "100") as (app, pilot):
        before = text(app)
        await write(pilot, "f", "tool -error")
        assert shows(app, "only tool -error")
        await pilot.press("escape")
        assert text(app) == before


async def test_a_long_tape_is_filtered_by_a_worker_and_the_screen_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.ui.finder._SOON_SIFTED", 0)
    async with running("demo", "300") as (app, pilot):
        await pilot.press("v")
        await settled(pilot)
        assert not shows(app, "filtering")
        visible = list(app.screen.events.passing.events)  # type: ignore[attr-defined]
        monkeypatch.undo()
        await pilot.press("v", "v", "v", "v")
        await settled(pilot)
        assert list(app.screen.events.passing.events) == visible  # type: ignore[attr-defined]


async def test_only_the_rows_in_sight_are_made() -> None:
    async with running("demo", "300") as (app, pilot):
        made = rows_made(app.screen.query_one("#events", Listing))
        await write(pilot, "f", "tool")
        assert len(set(made)) < 100


# Bookmarks.


def keeping(
    data: Path, at: str | None = None, size: tuple[int, int] = (120, 40)
) -> AbstractAsyncContextManager[tuple[InspectorApp, Pilot[None]]]:
    """The program on the demo tape, with a data folder."""
    return running("demo", at, size, data=data)


async def test_a_bookmark_is_set_gone_to_and_kept(tmp_path: Path) -> None:
    async with keeping(tmp_path, "120") as (app, pilot):
        await pilot.press("m")
        assert shows(app, "m…a letter")
        await pilot.press("a")
        assert shows(app, "bookmark a at @119")
        assert any("@119★" in line for line in text(app))
        await pilot.press("G", "apostrophe", "a")
        assert app.inspection.cursor == 120
        assert "★" in next(line for line in text(app) if line.startswith("marks"))
    async with keeping(tmp_path) as (app, pilot):
        await pilot.press("apostrophe", "a")
        assert app.inspection.cursor == 120


async def test_a_note_is_written_in_the_list_and_kept(tmp_path: Path) -> None:
    async with keeping(tmp_path, "100") as (app, pilot):
        await pilot.press("m", "a", "M", "e")
        for key in "why":
            await pilot.press(key)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Layer)
        assert shows(app, "★ a       @99  why")
        await pilot.press("x")
        assert shows(app, "it has a note: empty that first (e)")
        await pilot.press("escape", "G", "m", "a")
        assert shows(app, "a has a note elsewhere")
    (file,) = (tmp_path / "tapes").iterdir()
    (kept,) = json.loads(file.read_bytes())["bookmarks"]
    assert (kept["letter"], kept["note"], kept["number"]) == ("a", "why", 99)


async def test_a_bookmark_without_a_note_is_taken_away(tmp_path: Path) -> None:
    async with keeping(tmp_path, "100") as (app, pilot):
        await pilot.press("m", "a", "M", "x")
        await pilot.pause()
        assert shows(app, "bookmark a is taken away")
        await pilot.press("M")
        assert shows(app, "no bookmark yet")
        await pilot.press("e")
        assert shows(app, "there is no bookmark")


@pytest.mark.parametrize("key", ["escape", "1", "left"])
async def test_a_key_that_is_no_letter_sets_nothing(tmp_path: Path, key: str) -> None:
    async with keeping(tmp_path, "100") as (app, pilot):
        await pilot.press("m", key)
        assert not shows(app, "m…")
        assert len(app.inspection.bookmarks) == 0
        assert app.inspection.cursor == 100


async def test_a_letter_without_a_bookmark_says_so(tmp_path: Path) -> None:
    async with keeping(tmp_path, "100") as (app, pilot):
        await pilot.press("apostrophe", "q")
        assert shows(app, "no bookmark q: m and a letter sets one")
        assert app.is_running


async def test_notes_that_cannot_be_read_are_said_in_a_sentence_and_not_lost(
    tmp_path: Path,
) -> None:
    async with keeping(tmp_path, "100") as (_, pilot):
        await pilot.press("m", "a")
    (file,) = (tmp_path / "tapes").iterdir()
    file.write_bytes(b"{broken \x1b[31m")
    async with keeping(tmp_path, "100") as (app, pilot):
        assert shows(app, "the notes of this tape are no JSON; they are left alone")
        await pilot.press("m", "b")
        assert shows(app, "they were set aside as")
    (aside,) = (tmp_path / "tapes").glob("*.unreadable-1.json")
    assert aside.read_bytes() == b"{broken \x1b[31m"


async def test_without_a_folder_bookmarks_are_those_of_the_visit() -> None:
    async with running("demo", "100") as (app, pilot):
        await pilot.press("m", "a")
        assert shows(app, "bookmark a at @99; M lists them (for this visit)")
        await pilot.press("G", "apostrophe", "a")
        assert app.inspection.cursor == 100


# Where a tape was left.


@pytest.mark.parametrize("cursor", [0, 1, 100, 434])
def test_a_tape_is_taken_up_where_it_was_left(tmp_path: Path, cursor: int) -> None:
    tape = sample("demo")
    while tape.advance():
        pass
    notes = NotesFile(tmp_path, tape.identity)
    assert left_at(notes) is None
    visit = Inspection(tape, None, UTC)
    visit.grown()
    visit.seek(cursor)
    leave(notes, visit)
    tape.close()
    kept = left_at(notes)
    assert kept is not None
    again = sample("demo")
    visit = Inspection(again, None, UTC)
    visit.take_up(kept)
    while again.advance():
        visit.grown()
    visit.grown()
    assert (visit.cursor, visit.complaint) == (cursor, None)
    again.close()
