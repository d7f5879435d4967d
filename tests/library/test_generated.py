"""The sessions that are generated for the list are sessions, and all of them are listed."""

import os
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.listing import LONGEST, TAIL, Surroundings
from inspector.formats.opening import open_tape
from inspector.formats.registry import OWN
from inspector.library.finding import find
from inspector.library.roots import known
from inspector.library.row import Row
from tests.library import generated
from tests.untouched import untouched

SESSIONS = 70


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    made = generated.write(folder, SESSIONS)
    assert sum(made.values()) == SESSIONS
    return folder


def listed(home: Path) -> list[Row]:
    return list(find(known(Surroundings(generated.surroundings(home), home, "linux"))))


def test_there_are_sessions_of_every_format() -> None:
    assert set(generated.WRITERS) == {format_.name for format_ in OWN}


def test_every_session_is_listed_and_nothing_else(home: Path) -> None:
    with untouched(home):
        rows = listed(home)
    assert [row.problem for row in rows] == [None] * SESSIONS
    assert Counter(row.format for row in rows) == dict.fromkeys(
        generated.WRITERS, SESSIONS // len(generated.WRITERS)
    )
    assert len({(row.format, row.id) for row in rows}) == SESSIONS


def test_what_a_row_says_is_what_the_tape_says(home: Path) -> None:
    for row in listed(home):
        with closing(open_tape(row.path, Options(session=row.session))) as tape:
            while tape.advance():
                pass
            assert (row.format, row.id) == (tape.identity.format, tape.identity.id)
            assert row.project == tape.identity.cwd
            assert row.events is not None
            if row.estimated:
                assert tape.timeline.events / 3 <= row.events <= tape.timeline.events * 3
            else:
                assert row.events == tape.timeline.events


def test_every_file_is_opened_once_and_only_its_ends_are_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Counter[str] = Counter()
    read: Counter[str] = Counter()
    names: dict[int, str] = {}
    real_open, real_read = os.open, os.pread

    def counted_open(path: str, flags: int, *more: int) -> int:
        descriptor = real_open(path, flags, *more)
        names[descriptor] = str(path)
        opened[str(path)] += 1
        return descriptor

    def counted_read(descriptor: int, length: int, offset: int) -> bytes:
        data = real_read(descriptor, length, offset)
        read[names[descriptor]] += len(data)
        return data

    monkeypatch.setattr(os, "open", counted_open)
    monkeypatch.setattr(os, "pread", counted_read)
    rows = listed(home)
    texts = {str(row.path) for row in rows if row.session is None}
    assert texts <= opened.keys()
    assert {path: count for path, count in opened.items() if path in texts and count > 1} == {}
    assert all(read[path] <= LONGEST + TAIL for path in texts)
    # Beside them, Zero's word on each of its sessions.
    others = {Path(path).name for path in opened if path.startswith(str(home))} - {
        Path(path).name for path in texts
    }
    assert others <= {"metadata.json", "agent.db", "agent.db-wal"}
