"""Copies that serve everybody who opens one state of a database, while somebody keeps them."""

from pathlib import Path

import pytest

from inspector.tape import database_opening
from inspector.tape.database import Database
from inspector.tape.database_files import PrivateCopy
from inspector.tape.database_opening import copies_kept
from tests.tape.databases import one_column, with_journal, with_wal
from tests.untouched import untouched

ALL = "SELECT x FROM t ORDER BY rowid"


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The databases that were copied."""
    made: list[Path] = []

    class Counted(PrivateCopy):
        def __init__(self, database: Path, *more: object) -> None:
            made.append(database)
            super().__init__(database, *more)  # type: ignore[arg-type] # passed on as it came

    monkeypatch.setattr(database_opening, "PrivateCopy", Counted)
    return made


@pytest.mark.parametrize("make", [with_wal, with_journal])
def test_one_copy_serves_all_who_open_it(tmp_path: Path, copies: list[Path], make: object) -> None:
    assert callable(make)
    path = make(tmp_path / "user" / "input.db")
    private = tmp_path / "private"
    private.mkdir()
    with untouched(path):
        with Database(path, temporary=private) as alone:
            wanted = one_column(alone, ALL), alone.how, alone.troubles
        with copies_kept():
            for _ in range(3):
                with Database(path, temporary=private) as database:
                    assert (one_column(database, ALL), database.how, database.troubles) == wanted
            assert len(copies) == 2
            assert len(list(private.iterdir())) == 1
    assert list(private.iterdir()) == []


def test_another_state_is_copied_anew(tmp_path: Path, copies: list[Path]) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    wal = path.with_name(path.name + "-wal")
    with copies_kept():
        Database(path).close()
        wal.write_bytes(wal.read_bytes() + bytes(100))
        Database(path).close()
        Database(path).close()
    assert len(copies) == 2


def test_a_database_that_is_still_open_can_be_read_when_nobody_keeps_copies(
    tmp_path: Path, copies: list[Path]
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    Database(path).close()
    Database(path).close()
    assert len(copies) == 2
