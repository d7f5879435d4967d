"""Databases at rest, in use, cut, spoiled and foreign: the outcome that each case states."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.tape.database import Database
from inspector.tape.database_paging import Gap, Select
from inspector.tape.source import SourceError
from tests.corpus.corpus import ROOT, needs_corpus
from tests.tape.databases import gaps, one_column, rowids, until_fault
from tests.untouched import untouched

pytestmark = needs_corpus

WAL = ROOT / "cases" / "case-53"
SCHEMAS = ROOT / "cases" / "case-55"
DAMAGED = ROOT / "cases" / "case-56"


@contextmanager
def reading(path: Path, temporary: Path) -> Iterator[Database]:
    with untouched(path), Database(path, temporary=temporary) as database:
        yield database
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("folder", "messages", "parts", "how", "troubles"),
    [
        ("resting", 3, 3, "opened in place, immutable: no -wal beside it", []),
        ("db-only", 1, 1, "opened in place, immutable: no -wal beside it", []),
        ("db+wal", 3, 3, "copied with its -wal (32,992 bytes) and opened the copy", []),
        ("db+wal+shm", 3, 3, "copied with its -wal (32,992 bytes) and opened the copy", []),
        (
            "db+torn-wal",
            3,
            2,
            "copied with its -wal (29,572 bytes) and opened the copy",
            ["wal-torn"],
        ),
    ],
)
def test_case_53_a_wal_is_read_and_nothing_is_written(
    folder: str, messages: int, parts: int, how: str, troubles: list[str], tmp_path: Path
) -> None:
    with reading(WAL / folder / "input.db", tmp_path) as database:
        assert one_column(database, "SELECT count(*) FROM message") == [messages]
        assert len(rowids(database.paged(Select("part", (), ("id",))))) == parts
        assert one_column(database, "SELECT id FROM session") == ["ses_wal"]
        assert [trouble.code for trouble in database.troubles] == troubles
        assert database.how == how


@pytest.mark.parametrize(
    ("name", "application_id", "user_version"),
    [
        ("dsh-v17.db", 0x44534850, 17),
        ("dsh-v15-old.db", 0x44534850, 15),
        ("dsh-v18-newer.db", 0x44534850, 18),
        ("dsh-foreign-appid.db", 12345, 17),
    ],
)
def test_case_55_the_owner_and_the_schema_are_told(
    name: str, application_id: int, user_version: int, tmp_path: Path
) -> None:
    with reading(SCHEMAS / name, tmp_path) as database:
        assert database.application_id == application_id
        assert database.user_version == user_version
        assert database.tables() == ["persistence_state", "sessions", "events"]


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("unrelated.db", ["recipes"]),
        ("no-tables.db", []),
        (
            "opencode-two-generations.db",
            ["session", "message", "part", "session_v2", "session_message"],
        ),
    ],
)
def test_case_55_the_tables_are_told(name: str, tables: list[str], tmp_path: Path) -> None:
    with reading(SCHEMAS / name, tmp_path) as database:
        assert database.tables() == tables


def test_case_55_rows_come_in_order_and_text_is_told_from_blobs(tmp_path: Path) -> None:
    select = Select("events", ("typeof(data)", "data"), ("seq",), "session_id = ?")
    with reading(SCHEMAS / "dsh-v17.db", tmp_path) as database:
        [session] = one_column(database, "SELECT id FROM sessions")
        assert isinstance(session, str)
        found = list(database.paged(select._replace(parameters=(session,)), page=3))
    kinds = {"text": str, "blob": bytes}
    values = [row.values for row in found if not isinstance(row, Gap)]
    assert len(values) == 13
    assert {kind for kind, _ in values} == {"text", "blob"}
    assert all(isinstance(data, kinds[str(kind)]) for kind, data in values)


@pytest.mark.parametrize("key", [(), ("id",), ("session_id", "time_created")])
def test_case_56_a_bad_page_costs_three_rows(key: tuple[str, ...], tmp_path: Path) -> None:
    with reading(DAMAGED / "corrupt-page.db", tmp_path) as database:
        assert one_column(database, "SELECT count(*) FROM message") == [40]
        found = list(database.paged(Select("part", ("data",), key)))
        assert len(rowids(found)) == 37
        assert gaps(found) == [(19, 21)]
        came, fault = until_fault(database.rows("SELECT data FROM part"))
    assert len(came) >= 17, "what stood before the damage"
    assert fault == "database disk image is malformed"


def test_case_56_a_whole_file_has_no_gap(tmp_path: Path) -> None:
    with reading(DAMAGED / "ok.db", tmp_path) as database:
        assert rowids(database.paged(Select("part"))) == list(range(1, 41))
        assert rowids(database.paged(Select("message"))) == list(range(1, 41))
        assert database.troubles == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("truncated.db", "file is shorter than its header says (18 pages of 27)"),
        ("encrypted-like.db", "not an SQLite database, or encrypted (SQLCipher)"),
        ("header-zeroed.db", "SQLite header missing"),
        ("text-file.db", "not a database"),
        ("zero-bytes.db", "empty file (0 bytes)"),
    ],
)
def test_case_56_what_cannot_be_read_says_why(name: str, reason: str, tmp_path: Path) -> None:
    path = DAMAGED / name
    with untouched(path), pytest.raises(SourceError) as caught:
        Database(path, temporary=tmp_path)
    assert str(caught.value) == reason
