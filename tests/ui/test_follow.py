"""What is written while a tape is on the screen."""

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.timer import Timer

from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.ui import app as app_module
from inspector.ui.app import InspectorApp
from tests.dsh_tapes import Log
from tests.formats.dsh import databases
from tests.guarding import changing
from tests.tape.packed import frame, member
from tests.ui.driving import running, shows, text
from tests.ui.following import NEVER, append, look, packed, rows, session, written

GONE = "the source is gone; what was read of it is shown"
ANEW = "the source was replaced or cut: read anew"


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A plain tape of three messages."""
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    return path


def replace(path: Path, log: Log) -> None:
    """Put another file in the place of a tape, as a program that saves safely does."""
    other = path.with_name("other")
    with changing():
        other.write_bytes(bytes(log))
        other.rename(path)


def later(log: Log, start: int) -> bytes:
    """The lines of the events from a position on."""
    return written(log.lines[1 + start :])


# The follow rule.


async def test_what_is_new_appears_and_the_cursor_stays(path: Path) -> None:
    async with running(path) as (app, pilot):
        assert shows(app, " HEAD 3")
        append(path, later(session(5), 3))
        await look(app, pilot)
        assert shows(app, "REPLAY 3/5  +2 new")
        assert shows(app, "5 events")
        assert [sum(f"message {at}" in line for line in text(app)) for at in (3, 4)] == [1, 1]
        assert sum("○ not-yet" in line for line in text(app)) == 2


async def test_at_the_head_nothing_is_new_any_more(path: Path) -> None:
    async with running(path) as (app, pilot):
        append(path, later(session(5), 3))
        await look(app, pilot)
        await pilot.press("G")
        assert shows(app, " HEAD 5")
        assert not shows(app, " new")
        await pilot.press("h")
        assert shows(app, "REPLAY 4/5")
        assert not shows(app, " new")


async def test_live_goes_with_the_head_and_says_so(path: Path) -> None:
    async with running(path, "1") as (app, pilot):
        await pilot.press("L")
        assert shows(app, " LIVE 3")
        for events in (4, 6):
            append(path, later(session(events), app.inspection.head))
            await look(app, pilot)
            assert shows(app, f" LIVE {events}")
            assert not shows(app, " new")


async def test_moving_back_pauses_live_and_coming_back_goes_on(path: Path) -> None:
    async with running(path) as (app, pilot):
        await pilot.press("L", "h")
        assert shows(app, " LIVE (paused) 2/3")
        append(path, later(session(5), 3))
        await look(app, pilot)
        assert shows(app, " LIVE (paused) 2/5  +2 new")
        await pilot.press("L")
        assert shows(app, " LIVE 5")
        append(path, later(session(6), 5))
        await look(app, pilot)
        assert shows(app, " LIVE 6")


async def test_live_at_the_head_pressed_again_ends_it(path: Path) -> None:
    async with running(path) as (app, pilot):
        await pilot.press("L", "L")
        assert shows(app, " HEAD 3")
        assert shows(app, "no longer following")
        append(path, later(session(4), 3))
        await look(app, pilot)
        assert shows(app, "REPLAY 3/4  +1 new")


async def test_a_free_selection_stays_where_it_is(path: Path) -> None:
    async with running(path) as (app, pilot):
        await pilot.press("L", "k")
        append(path, later(session(5), 3))
        await look(app, pilot)
        assert (app.inspection.cursor, app.inspection.selected) == (5, 1)
        assert shows(app, "selection free")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 10)])
async def test_the_words_are_there_on_a_small_screen_too(path: Path, size: tuple[int, int]) -> None:
    async with running(path, size=size) as (app, pilot):
        await pilot.press("L", "h")
        append(path, later(session(5), 3))
        await look(app, pilot)
        assert shows(app, "LIVE (paused) 2/5")
        assert shows(app, "+2 new")


# Plain text.


@pytest.mark.parametrize("cut", [1, 30, -1])
async def test_a_torn_line_waits_and_appears_once_when_it_is_whole(path: Path, cut: int) -> None:
    line = later(session(4), 3)
    async with running(path) as (app, pilot):
        append(path, line[:cut])
        await look(app, pilot)
        assert app.inspection.head == 3
        assert app.inspection.tape.sums().pending == 1
        append(path, line[cut:])
        await look(app, pilot)
        await look(app, pilot)
        assert app.inspection.head == 4
        assert app.inspection.tape.sums().pending == 0
        assert list(app.inspection.tape.findings()) == []
        assert sum("message 3" in row for row in text(app)) == 1


async def test_a_character_that_is_torn_is_one_character(path: Path) -> None:
    log = session(3)
    log.user("größer")
    line = json.dumps(json.loads(log.lines[-1]), ensure_ascii=False).encode() + b"\n"
    cut = line.index("ö".encode()) + 1
    async with running(path) as (app, pilot):
        append(path, line[:cut])
        await look(app, pilot)
        append(path, line[cut:])
        await look(app, pilot)
        assert shows(app, "größer")


async def test_a_header_that_has_no_newline_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    header = session(0).lines[0]
    path.write_bytes(header)
    async with running(path) as (app, pilot):
        assert shows(app, "0 events")
        append(path, bytes(session(3))[len(header) :])
        await look(app, pilot)
        assert app.inspection.head == 3
        assert list(app.inspection.tape.findings()) == []


async def test_damage_that_is_written_later_is_told(path: Path) -> None:
    async with running(path) as (app, pilot):
        append(path, b"garbage\n" + later(session(4), 3))
        await look(app, pilot)
        assert shows(app, "1 error")


# Compressed.


@pytest.fixture
def zstd(tmp_path: Path) -> Path:
    """The same tape as the owner packs it."""
    path = tmp_path / "tape.jsonl.zstd"
    path.write_bytes(packed(session(3).lines))
    return path


async def test_frames_that_are_appended_are_read(zstd: Path) -> None:
    async with running(zstd) as (app, pilot):
        for events in (4, 5):
            append(zstd, packed(session(events).lines[events:]))
            await look(app, pilot)
            assert app.inspection.head == events
            assert app.inspection.tape.sums().frames == events + 1
        assert shows(app, "REPLAY 3/5  +2 new")


@pytest.mark.parametrize("cut", [2, 20, -3])
async def test_a_torn_frame_waits_and_appears_once_when_it_is_whole(zstd: Path, cut: int) -> None:
    last = packed(session(4).lines[4:])
    async with running(zstd) as (app, pilot):
        append(zstd, last[:cut])
        await look(app, pilot)
        assert "torn-frame" in {found.kind.code for found in app.inspection.tape.findings()}
        append(zstd, last[cut:])
        await look(app, pilot)
        await look(app, pilot)
        assert app.inspection.head == 4
        assert list(app.inspection.tape.findings()) == []
        assert sum("message 3" in row for row in text(app)) == 1


async def test_members_of_gzip_that_are_appended_are_read(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl.gz"
    path.write_bytes(member(bytes(session(3))))
    async with running(path) as (app, pilot):
        append(path, member(later(session(5), 3)))
        await look(app, pilot)
        assert shows(app, "REPLAY 3/5  +2 new")


async def test_a_compressed_tape_that_is_replaced_is_read_anew(zstd: Path) -> None:
    async with running(zstd, "2") as (app, pilot):
        with changing():
            zstd.write_bytes(frame(session(0).lines[0] + b"\n") + frame(later(session(5), 0)))
        await look(app, pilot)
        assert shows(app, "REPLAY 2/5")
        assert shows(app, ANEW)


# A database.


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The same session in a database."""
    header, *events = map(json.loads, session(3).lines)
    return databases.database(tmp_path / "sessions.db", events, header)


async def test_rows_that_a_writer_commits_are_read_from_its_wal(database: Path) -> None:
    async with running(database) as (app, pilot):
        with changing():
            writer = databases.connect(database)
            writer.execute("PRAGMA journal_mode=WAL")
        with closing(writer):
            for events in (4, 6):
                with changing():
                    start = app.inspection.head
                    databases.append_in(writer, "session", rows(session(events), start))
                await look(app, pilot)
                assert app.inspection.head == events
            assert shows(app, "REPLAY 3/6  +3 new")
            with changing():
                writer.execute("BEGIN")
                writer.execute("DELETE FROM events WHERE seq > 1")
            await look(app, pilot)
            assert app.inspection.head == 6
            with changing():
                writer.execute("ROLLBACK")
                writer.close()


async def test_rows_that_are_written_without_a_wal_are_read(database: Path) -> None:
    async with running(database) as (app, pilot):
        await pilot.press("L")
        with changing():
            databases.append(database, "session", rows(session(5), 3))
        await look(app, pilot)
        assert shows(app, " LIVE 5")


async def test_another_session_of_the_database_changes_nothing(database: Path) -> None:
    async with running(database) as (app, pilot):
        with changing():
            databases.add_session(database, databases.HEADER | {"id": "other"}, rows(session(9), 0))
        await look(app, pilot)
        assert shows(app, " HEAD 3")
        assert app.inspection.reading == 0


async def test_rows_that_are_cut_off_are_read_anew(database: Path) -> None:
    async with running(database) as (app, pilot):
        with changing():
            databases.run(database, "DELETE FROM events WHERE seq = 2")
        await look(app, pilot)
        assert (app.inspection.head, app.inspection.cursor) == (2, 2)
        assert shows(app, "seq:2: no such event")


async def test_a_database_that_is_deleted_leaves_the_screen(database: Path) -> None:
    async with running(database) as (app, pilot):
        with changing():
            database.unlink()
        await look(app, pilot)
        assert shows(app, GONE)
        await pilot.press("h")
        await look(app, pilot)
        assert not shows(app, GONE)
        assert shows(app, "REPLAY 2/3")


async def test_a_session_that_was_begun_anew_under_its_id_is_read_anew(database: Path) -> None:
    other = "33333333-3333-4333-8333-333333333333"
    async with running(database, "1") as (app, pilot):
        with changing():
            databases.run(database, "UPDATE sessions SET incarnation = ?", other)
            databases.append(database, "session", rows(session(5), 3))
        await look(app, pilot)
        assert shows(app, "REPLAY 1/5")
        assert shows(app, ANEW)


async def test_a_session_that_was_deleted_from_its_database_is_gone(database: Path) -> None:
    async with running(database) as (app, pilot):
        with changing():
            databases.run(database, "DELETE FROM events")
            databases.run(database, "DELETE FROM sessions")
        await look(app, pilot)
        assert shows(app, " source gone")
        assert shows(app, "the session is gone; what was read of it is shown")
        assert app.inspection.head == 3


async def test_a_database_that_is_there_again_is_read(database: Path) -> None:
    async with running(database) as (app, pilot):
        content = database.read_bytes()
        with changing():
            database.unlink()
        await look(app, pilot)
        with changing():
            database.write_bytes(content)
            databases.append(database, "session", rows(session(5), 3))
        await look(app, pilot)
        assert app.inspection.head == 5
        assert [sum(f"message {at}" in line for line in text(app)) for at in (3, 4)] == [1, 1]


# Cut, replaced, deleted.


async def test_a_tape_that_is_cut_keeps_the_cursors_event(path: Path) -> None:
    async with running(path, "1") as (app, pilot):
        with changing():
            os.truncate(path, len(bytes(session(2))))
        await look(app, pilot)
        assert shows(app, "REPLAY 1/2")
        assert shows(app, ANEW)


async def test_an_event_that_was_cut_off_is_told(path: Path) -> None:
    async with running(path) as (app, pilot):
        with changing():
            os.truncate(path, len(bytes(session(2))))
        await look(app, pilot)
        assert shows(app, " HEAD 2")
        assert shows(app, "seq:2: no such event")


async def test_a_tape_that_is_replaced_keeps_the_cursors_event_by_its_number(path: Path) -> None:
    log = session(6)
    del log.lines[1]
    async with running(path, "2") as (app, pilot):
        replace(path, log)
        await look(app, pilot)
        assert app.inspection.tape.number(app.inspection.cursor - 1) == 1
        assert shows(app, "REPLAY 1/5")
        assert shows(app, ANEW)


async def test_the_tape_read_anew_is_followed_as_before(path: Path) -> None:
    async with running(path) as (app, pilot):
        replace(path, session(4))
        await look(app, pilot)
        append(path, later(session(6), 4))
        await look(app, pilot)
        assert shows(app, "REPLAY 3/6  +2 new")


async def test_what_is_appended_later_is_not_said_to_be_read_anew(path: Path) -> None:
    async with running(path) as (app, pilot):
        replace(path, session(4))
        await look(app, pilot)
        assert shows(app, ANEW)
        append(path, later(session(6), 4))
        await look(app, pilot)
        assert shows(app, "6 events")
        assert not shows(app, ANEW)


async def test_that_it_was_read_anew_is_news_for_a_while(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(path) as (app, pilot):
        timers: list[tuple[float, Callable[[], None]]] = []
        monkeypatch.setattr(app, "set_timer", lambda *timer: timers.append(timer))
        replace(path, session(4))
        await look(app, pilot)
        ((seconds, forget),) = timers
        assert shows(app, ANEW)
        assert 2 <= seconds <= 20
        forget()
        await pilot.pause()
        assert not shows(app, ANEW)
        assert shows(app, "? help")


async def test_live_stays_live_when_the_tape_is_replaced(path: Path) -> None:
    async with running(path) as (app, pilot):
        await pilot.press("L")
        replace(path, session(6))
        await look(app, pilot)
        assert shows(app, " LIVE 6")


async def test_what_is_folded_past_stays_so_when_the_tape_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    log = session(2)
    log.event("plugin/note", {})
    log.user("behind it")
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("P")
        await app.workers.wait_for_complete()
        await pilot.pause()
        log.user("and more")
        replace(path, log)
        await look(app, pilot)
        assert app.inspection.timeline.stopped_at is None
        assert app.inspection.head == 5


async def test_a_tape_that_is_deleted_is_told_once_and_stays_on_the_screen(path: Path) -> None:
    async with running(path) as (app, pilot):
        with changing():
            path.unlink()
        await look(app, pilot)
        assert shows(app, GONE)
        await pilot.press("h")
        await look(app, pilot)
        assert not shows(app, GONE)
        assert shows(app, "REPLAY 2/3")
        assert shows(app, "message 1")


async def test_a_tape_that_is_written_again_after_it_was_deleted_is_read(path: Path) -> None:
    async with running(path) as (app, pilot):
        with changing():
            path.unlink()
        await look(app, pilot)
        with changing():
            path.write_bytes(bytes(session(5)))
        await look(app, pilot)
        assert shows(app, "REPLAY 3/5")
        assert shows(app, ANEW)
        with changing():
            path.unlink()
        await look(app, pilot)
        assert shows(app, GONE)


async def test_a_tape_that_comes_back_unchanged_is_told(path: Path) -> None:
    away = path.with_name("away")
    async with running(path) as (app, pilot):
        with changing():
            path.rename(away)
        await look(app, pilot)
        with changing():
            away.rename(path)
        await look(app, pilot)
        assert shows(app, "the source is there again")
        assert app.inspection.reading == 0


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda path: os.truncate(path, 0), "empty file (0 bytes)"),
        (lambda path: path.write_bytes(b"x"), "not a session tape"),
    ],
    ids=["emptied", "something else"],
)
async def test_what_cannot_be_opened_again_is_told_once_until_it_can(
    path: Path, break_it: Callable[[Path], object], reason: str
) -> None:
    async with running(path) as (app, pilot):
        with changing():
            break_it(path)
        await look(app, pilot)
        assert shows(app, f"cannot be opened again: {reason}")
        await pilot.press("l")
        await look(app, pilot)
        assert not shows(app, "cannot be opened again")
        assert shows(app, "message 2") or shows(app, "the file was changed since it was read")
        with changing():
            path.write_bytes(bytes(session(5)))
        await look(app, pilot)
        assert app.inspection.head == 5


async def test_a_source_that_fails_when_it_is_looked_at_is_told_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing() -> Change:
        raise SourceError("cannot be read at byte 0: Input/output error")

    async with running(path) as (app, pilot):
        with monkeypatch.context() as broken:
            broken.setattr(app.inspection.tape, "changed", failing)
            await look(app, pilot)
            assert shows(app, "cannot be followed: cannot be read at byte 0")
            await pilot.press("h")
            await look(app, pilot)
            assert not shows(app, "cannot be followed")
        await look(app, pilot)
        assert shows(app, "the source is there again")


async def test_while_the_tape_is_folded_nobody_looks(path: Path) -> None:
    async with running(path) as (app, pilot):
        append(path, later(session(5), 3))
        app._folding = True
        app._look()
        await pilot.pause()
        assert app.inspection.head == 3
        app._folding = False
        await look(app, pilot)
        assert app.inspection.head == 5


async def test_the_program_looks_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, object]] = []
    set_interval = InspectorApp.set_interval

    def noted(app: InspectorApp, seconds: float, callback: Any = None, **more: Any) -> Timer:
        asked.append((seconds, callback))
        return set_interval(app, seconds, callback, **more)

    monkeypatch.setattr(InspectorApp, "set_interval", noted)
    async with running(path) as (app, _):
        assert (NEVER, app._look) in asked
