"""What it costs to follow a tape, counted and not timed."""

import json
import os
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from inspector.formats.contract import Options
from inspector.formats.dsh.sources import lines, row_log
from inspector.formats.dsh.sources.rows import decode
from inspector.formats.opening import open_tape
from inspector.tape import database, jsonline
from inspector.tape.watch import Change
from inspector.ui import app as app_module
from inspector.ui.listing import Listing
from tests.formats.dsh import databases
from tests.guarding import changing
from tests.ui.driving import rows_made, running
from tests.ui.following import NEVER, append, look, packed, rows, session, written

EVENTS = 1_000
MORE = 20
ENDS = 4 * 1024
"""Bytes with which a file is compared with what was read of it, before and after it grew."""

LONG, LONGER = session(EVENTS), session(EVENTS + MORE)
NEW = LONGER.lines[1 + EVENTS :]


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program looks at its source when a test says so, and at no other time."""
    monkeypatch.setattr(app_module, "_LOOK", NEVER)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """Every line that is given to a JSON parser, and how often."""
    counter: Counter[bytes] = Counter()

    def loads(text: bytes) -> Any:
        counter[bytes(text)] += 1
        return orjson.loads(text)

    wrapper = SimpleNamespace(loads=loads, JSONDecodeError=orjson.JSONDecodeError)
    for module in (lines, jsonline):
        monkeypatch.setattr(module, "orjson", wrapper)
    return counter


class Read:
    """What was read of files, through whatever source."""

    def __init__(self) -> None:
        self.bytes = 0
        self.times = 0


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    found = Read()
    pread = os.pread

    def counted(descriptor: int, length: int, offset: int) -> bytes:
        data = pread(descriptor, length, offset)
        found.bytes += len(data)
        found.times += 1
        return data

    monkeypatch.setattr("inspector.tape.source.os.pread", counted)
    return found


def plain(folder: Path) -> Path:
    path = folder / "tape.jsonl"
    path.write_bytes(bytes(LONG))
    return path


def zstd(folder: Path) -> Path:
    path = folder / "tape.jsonl.zstd"
    path.write_bytes(packed(LONG.lines))
    return path


def stored(folder: Path) -> Path:
    header, *events = map(json.loads, LONG.lines)
    return databases.database(folder / "sessions.db", events, header)


# The cursor is where nothing new comes into sight: what is drawn is read for that, and once.


async def test_of_a_plain_tape_that_grew_only_what_is_new_is_parsed_and_read(
    parsed: Counter[bytes], read: Read, tmp_path: Path
) -> None:
    path = plain(tmp_path)
    async with running(path, "10") as (app, pilot):
        await look(app, pilot)
        parsed.clear()
        read.bytes = 0
        append(path, written(NEW))
        await look(app, pilot)
        assert app.inspection.head == EVENTS + MORE
        assert parsed == Counter(NEW)
        assert read.bytes <= len(written(NEW)) + ENDS


async def test_of_a_zstd_tape_that_grew_only_what_is_new_is_unpacked_and_parsed(
    parsed: Counter[bytes], read: Read, tmp_path: Path
) -> None:
    path = zstd(tmp_path)
    async with running(path, "10") as (app, pilot):
        await look(app, pilot)
        parsed.clear()
        read.bytes = 0
        append(path, packed(NEW))
        await look(app, pilot)
        assert app.inspection.head == EVENTS + MORE
        assert parsed == Counter(NEW)
        assert read.bytes <= 2 * len(packed(NEW)) + len(written(NEW)) + 2 * ENDS


async def test_of_a_database_that_grew_only_new_rows_are_decoded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = stored(tmp_path)
    async with running(path, "10") as (app, pilot):
        decoded: list[int] = []

        def counted(row: Any, schema: int) -> Any:
            decoded.append(row.seq)
            return decode(row, schema)

        monkeypatch.setattr(row_log, "decode", counted)
        with changing():
            databases.append(path, "session", rows(LONGER, EVENTS))
        await look(app, pilot)
        assert app.inspection.head == EVENTS + MORE
        assert decoded == list(range(EVENTS, EVENTS + MORE))


async def test_a_torn_line_that_grows_is_parsed_once(
    parsed: Counter[bytes], tmp_path: Path
) -> None:
    path = plain(tmp_path)
    async with running(path, "10") as (app, pilot):
        parsed.clear()
        for byte in NEW[0]:
            append(path, bytes([byte]))
            app._look()
        append(path, b"\n")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await look(app, pilot)
        assert app.inspection.head == EVENTS + 1
        assert parsed == Counter([NEW[0]])


@pytest.mark.parametrize("make", [plain, zstd], ids=["plain", "zstd"])
async def test_looking_at_what_nobody_wrote_to_reads_nothing(
    make: Any, read: Read, tmp_path: Path
) -> None:
    path = make(tmp_path)
    async with running(path) as (app, pilot):
        # The first look after reading asks whether the file was written anew meanwhile.
        await look(app, pilot)
        read.times = 0
        for _ in range(20):
            await look(app, pilot)
        assert read.times == 0
        assert app.inspection.reading == 0


async def test_a_database_that_nobody_wrote_to_is_not_opened_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = stored(tmp_path)
    async with running(path) as (app, pilot):

        def opened(*_: Any) -> None:
            raise AssertionError("it was opened again")

        monkeypatch.setattr(database, "open_database", opened)
        for _ in range(20):
            await look(app, pilot)


async def test_looking_at_what_nobody_wrote_to_draws_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = plain(tmp_path)
    async with running(path) as (app, pilot):
        drawn: list[int] = []
        render_line = Listing.render_line

        def counted(listing: Listing, y: int) -> Any:
            drawn.append(y)
            return render_line(listing, y)

        monkeypatch.setattr(Listing, "render_line", counted)
        for _ in range(5):
            await look(app, pilot)
        assert drawn == []


async def test_growth_draws_the_rows_in_sight_and_no_others(tmp_path: Path) -> None:
    path = plain(tmp_path)
    async with running(path) as (app, pilot):
        await pilot.press("L")
        made = rows_made(app.screen.query_one("#events", Listing))
        append(path, written(NEW))
        await look(app, pilot)
        assert app.inspection.cursor == EVENTS + MORE
        assert 0 < len(made) <= 3 * app.size.height


def test_beyond_the_unpack_limit_growth_is_told_once(tmp_path: Path) -> None:
    path = zstd(tmp_path)
    tape = open_tape(path, Options(unpacked=len(bytes(LONG)) // 2))
    with closing(tape):
        while tape.advance():
            pass
        with path.open("ab") as file:
            file.write(packed(NEW))
        changes: list[Change] = []
        for _ in range(4):
            changes.append(tape.changed())
            tape.advance()
    assert changes.count(Change.GROWN) <= 1
