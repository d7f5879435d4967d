"""SQLite files for tests, made by SQLite itself, and whole or broken in a known place."""

import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from inspector.tape.database import Database
from inspector.tape.database_paging import Gap, Row
from inspector.tape.database_statements import DatabaseFault

PART: Final = "CREATE TABLE part(id TEXT PRIMARY KEY, session TEXT, seq INTEGER, data TEXT)"


def make(path: Path, *statements: str) -> Path:
    """A database in which these statements were run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return path


def parts(path: Path, count: int = 40, *, page_size: int = 1024, width: int = 300) -> Path:
    """A table ``part`` whose rows 1 to ``count`` fill about three to a page."""
    make(path, f"PRAGMA page_size={page_size}", PART)
    connection = sqlite3.connect(path)
    rows = [(f"p{n:04}", f"s{n % 2}", n, f"<{n:03}>" * (width // 5)) for n in range(1, count + 1)]
    connection.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return path


def spoil(path: Path, found: bytes, page_size: int = 1024) -> int:
    """Overwrite the page on which these bytes stand; its number, from 1."""
    raw = bytearray(path.read_bytes())
    page = raw.index(found) // page_size
    raw[page * page_size : (page + 1) * page_size] = b"\xee" * page_size
    path.write_bytes(raw)
    return page + 1


def unclosed(target: Path, journal_mode: str, *statements: str, before: Iterable[str] = ()) -> Path:
    """A database as it stands on the disk while its writer has just run these statements."""
    made = make(target.parent.parent / "made" / target.name, *before)
    writer = sqlite3.connect(made, isolation_level=None)
    writer.execute("PRAGMA synchronous=OFF")
    writer.execute(f"PRAGMA journal_mode={journal_mode}")
    for statement in statements:
        writer.execute(statement)
    target.parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("", "-wal", "-journal"):
        file = made.with_name(made.name + suffix)
        if file.exists():
            shutil.copyfile(file, target.with_name(target.name + suffix))
    writer.close()
    shutil.rmtree(made.parent)
    return target


def with_wal(target: Path) -> Path:
    """One row in the main file, a second one in the -wal only."""
    return unclosed(
        target,
        "WAL",
        "CREATE TABLE t(x)",
        "INSERT INTO t VALUES ('main')",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "INSERT INTO t VALUES ('wal')",
    )


def with_journal(target: Path) -> Path:
    """200 rows 'old', half overwritten with 'new' by a writer that did not come to its end."""
    return unclosed(
        target,
        "DELETE",
        "PRAGMA cache_size=2",
        "BEGIN",
        "UPDATE t SET x = 'new' || substr(x, 4)",
        before=(
            "PRAGMA page_size=1024",
            "CREATE TABLE t(x)",
            "INSERT INTO t SELECT 'old' || hex(zeroblob(150)) FROM json_each('[0"
            + ",0" * 199
            + "]')",
        ),
    )


def one_column(database: Database, sql: str) -> list[object]:
    return [row[0] for row in database.rows(sql)]


def rowids(found: Iterable[Row | Gap]) -> list[int | None]:
    return [item.rowid for item in found if isinstance(item, Row)]


def gaps(found: Iterable[Row | Gap]) -> list[tuple[int | None, int | None]]:
    return [(item.first, item.last) for item in found if isinstance(item, Gap)]


def until_fault(items: Iterable[object]) -> tuple[list[object], str]:
    """What came, and the fault that ended it; there must be one."""
    came: list[object] = []
    with pytest.raises(DatabaseFault) as caught:
        came.extend(items)
    return came, str(caught.value)
