import sqlite3
from pathlib import Path
from threading import Event, Thread

import pytest

from inspector.tape import database_statements
from inspector.tape.database import Database, SchemaObject
from inspector.tape.database_paging import Gap, Page, Row, Select
from inspector.tape.database_statements import Connection, DatabaseFault, identifier
from inspector.tape.source import SourceError
from tests.tape.databases import make, one_column, parts, rowids, spoil, until_fault
from tests.untouched import untouched


def small(path: Path) -> Path:
    return make(path, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1), (2), (3)")


def test_the_facts_of_a_database(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "PRAGMA page_size=2048",
        "PRAGMA encoding='UTF-16le'",
        "PRAGMA application_id=0x44534850",
        "PRAGMA user_version=17",
        "CREATE TABLE t(x)",
    )
    with untouched(path), Database(path) as database:
        assert database.application_id == 0x44534850
        assert database.user_version == 17
        assert database.encoding == "UTF-16le"
        assert database.page_size == 2048
        assert database.path == path
        assert database.bytes_there() == 4096


def test_the_schema(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT UNIQUE, c AS (a + 1))",
        "CREATE VIEW v AS SELECT a FROM t",
        "CREATE VIRTUAL TABLE f USING fts5(words)",
    )
    with untouched(path), Database(path) as database:
        assert database.objects()[1] == SchemaObject("index", "sqlite_autoindex_t_1", "t", "")
        assert database.tables()[0] == "t"
        assert not {"f", "v", "sqlite_sequence"} & set(database.tables())
        assert database.columns("t") == ["a", "b", "c"]
        assert database.columns("none") == []


def test_a_database_without_tables_has_none(tmp_path: Path) -> None:
    path = make(tmp_path / "input.db", "PRAGMA user_version=1", "VACUUM")
    with untouched(path), Database(path) as database:
        assert database.tables() == []


def test_each_kind_of_value_is_told_from_the_others(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(x)",
        "INSERT INTO t VALUES (NULL), (-9223372036854775808), (9223372036854775807), (0.5),"
        " ('a'), (x'61'), (CAST(x'61ff00ed' AS TEXT)), ('')",
    )
    with untouched(path), Database(path) as database:
        values = one_column(database, "SELECT x FROM t")
    assert values == [None, -(2**63), 2**63 - 1, 0.5, "a", b"a", "a\udcff\0\udced", ""]


def test_text_that_is_not_utf8_can_be_asked_for(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(x, y)",
        "INSERT INTO t VALUES (CAST(x'61ff' AS TEXT), 1), ('b', 2)",
    )
    with untouched(path), Database(path) as database:
        [text] = one_column(database, "SELECT x FROM t WHERE y = 1")
        assert isinstance(text, str)
        found = database.rows("SELECT y FROM t WHERE x = ? AND y = ?", (text, 1))
        assert list(found) == [(1,)]


@pytest.mark.parametrize("odd", [1, 3, 5])
@pytest.mark.parametrize("most", [1, 2, 3, 5, 10])
def test_text_that_is_not_utf8_costs_no_row(odd: int, most: int, tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(x INTEGER PRIMARY KEY, y)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')",
        f"UPDATE t SET y = CAST(x'61ff' AS TEXT) WHERE x = {odd}",  # noqa: S608 - a number of ours
    )
    expected = [(at, "a\udcff" if at == odd else name) for at, name in enumerate("abcde", 1)]
    with untouched(path), Database(path) as database:
        fetched = database.fetch("SELECT x, y FROM t ORDER BY x", (), most)
        assert (fetched.rows, fetched.fault) == (expected[:most], None)
        assert list(database.rows("SELECT x, y FROM t ORDER BY x")) == expected
        paged = database.pages(Select("t", ("x", "y"), ("x",)), (), most)
        rows = [row for page in paged if isinstance(page, Page) for row in page.rows]
        assert [row[-2:] for row in rows] == expected


@pytest.mark.parametrize("name", [b"a?b#c%20.db", b"a\nb.db", b"a\xff.db", b"a b&mode=rwc.db"])
def test_a_name_may_hold_anything(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / name.decode("utf-8", "surrogateescape")
    small(tmp_path / "input.db").rename(path)
    with untouched(path), Database(path) as database:
        assert one_column(database, "SELECT x FROM t") == [1, 2, 3]


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(tmp_path / "input.db")
    monkeypatch.chdir(tmp_path)
    with untouched(tmp_path), Database(Path("input.db")) as database:
        assert one_column(database, "SELECT x FROM t") == [1, 2, 3]


def test_a_path_that_is_too_long_for_sqlite_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path.joinpath(*["d" * 200] * 3)
    folder.mkdir(parents=True)
    small(tmp_path / "input.db").rename(folder / "input.db")
    with untouched(tmp_path):
        with Database(folder / "input.db") as database:
            assert one_column(database, "SELECT x FROM t") == [1, 2, 3]
            assert database.how == (
                "copied, because its path is too long for SQLite, and opened the copy"
            )
        with pytest.raises(SourceError, match=r"too long for SQLite, and a copy would be more"):
            Database(folder / "input.db", copy_limit=10)


def test_rows_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db", 3000, width=5)
    with untouched(path), Database(path) as database:
        rows = database.rows("SELECT seq FROM part ORDER BY rowid")
        assert [next(rows) for _ in range(3)] == [(1,), (2,), (3,)]
        assert [seq for (seq,) in rows] == list(range(4, 3001))


def test_a_page_is_full_when_its_bytes_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parts(tmp_path / "input.db", 9)
    monkeypatch.setattr(database_statements, "PAGE_BYTES", 600)
    with untouched(path), Database(path) as database:
        assert len(database.fetch("SELECT data FROM part").rows) == 2
        assert len(list(database.rows("SELECT data FROM part"))) == 9
        assert rowids(database.paged(Select("part", ("data",)))) == list(range(1, 10))


def test_damage_comes_after_every_row_before_it(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        readable = [
            database.fetch("SELECT * FROM part WHERE rowid=?", (n,)).fault is None
            for n in range(1, 41)
        ]
        came, fault = until_fault(database.rows("SELECT seq FROM part"))
    assert came == [(n,) for n in range(1, 1 + readable.index(False))]
    assert fault == "database disk image is malformed"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT * FROM none", "no such table: none"),
        ("SELECT `none` FROM t", "no such column: none"),
        ("SELECT", "incomplete input"),
        ("SELECT x FROM t WHERE x = ?", "Incorrect number of bindings"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_fault(sql: str, reason: str, tmp_path: Path) -> None:
    path = small(tmp_path / "input.db")
    with untouched(path), Database(path) as database:
        with pytest.raises(DatabaseFault, match=reason):
            next(database.rows(sql))
        assert one_column(database, "SELECT x FROM t") == [1, 2, 3]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t VALUES (4)",
        "DELETE FROM t",
        "CREATE TABLE u(x)",
        "CREATE TEMP TABLE u(x)",
        "ATTACH 'other.db' AS other",
        "PRAGMA query_only=0",
        "PRAGMA journal_mode=WAL",
        "VACUUM INTO 'other.db'",
        "SELECT load_extension('x')",
        "SELECT x FROM v",
        "SELECT x FROM endless",
        "SELECT * FROM f",
    ],
)
def test_nothing_but_reading_a_table_is_allowed(
    sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(x)",
        "CREATE VIEW v AS SELECT x FROM t",
        "CREATE VIEW endless AS"
        " WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
        "CREATE VIRTUAL TABLE f USING fts5(words)",
    )
    monkeypatch.chdir(tmp_path)
    refused = "authori[sz]|prohibited|vtable constructor failed"
    with untouched(path), Database(path) as database:
        with pytest.raises(DatabaseFault, match=refused):
            list(database.rows(sql))
        assert one_column(database, "SELECT count(*) FROM t") == [0]


def test_work_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parts(tmp_path / "input.db", 200, width=5)
    monkeypatch.setattr(database_statements, "_MOST_STEPS", 200_000)
    with untouched(path), Database(path) as database:
        with pytest.raises(DatabaseFault, match=r"given up after 300,000 steps"):
            list(database.rows("SELECT count(*) FROM part a, part b, part c, part d"))
        assert one_column(database, "SELECT count(*) FROM part") == [200]
        endless = Select("part", ("(SELECT count(*) FROM part a, part b, part c)",))
        with pytest.raises(DatabaseFault, match="given up"):
            list(database.paged(endless))


def test_a_value_that_fills_the_memory_is_refused(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(x, big AS (zeroblob(900000000)))",
        "INSERT INTO t VALUES (1)",
    )
    with untouched(path), Database(path) as database:
        assert one_column(database, "SELECT x FROM t") == [1]
        with pytest.raises(DatabaseFault, match="string or blob too big"):
            list(database.rows("SELECT big FROM t"))


def test_a_name_in_double_quotes_would_be_a_string_and_in_ours_is_a_name(tmp_path: Path) -> None:
    path = small(tmp_path / "input.db")
    with untouched(path), Database(path) as database:
        with pytest.raises(DatabaseFault, match="no such column: none"):
            next(database.paged(Select("t", (identifier("none"),))))
        assert list(database.rows('SELECT "none" FROM t LIMIT 1')) == [("none",)]
        assert identifier("a`b") == "`a``b`"


def test_a_closed_database_says_so_and_closes_again(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db", 3000, width=5)
    with untouched(path):
        database = Database(path)
        rows = database.rows("SELECT seq FROM part")
        pages = database.paged(Select("part", ("seq",)), page=1)
        next(rows), next(pages)
        database.close()
        with pytest.raises(DatabaseFault, match="closed"):
            list(rows)
        with pytest.raises(DatabaseFault, match="closed"):
            list(pages)
        with pytest.raises(DatabaseFault, match="closed"):
            database.objects()
        assert not database.refresh()
        database.close()


def test_closing_does_not_wait_for_what_another_thread_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parts(tmp_path / "input.db", 200, width=5)
    reading = Event()
    faults: list[str] = []
    must_stop = Connection._must_stop

    def noticed(connection: Connection) -> bool:
        reading.set()
        return must_stop(connection)

    def read(database: Database) -> None:
        fault = database.fetch("SELECT count(*) FROM part a, part b, part c, part d").fault
        faults.append(str(fault))

    monkeypatch.setattr(Connection, "_must_stop", noticed)
    with untouched(path):
        database = Database(path)
        reader = Thread(target=read, args=(database,), daemon=True)
        reader.start()
        assert reading.wait(timeout=10)
        database.close()
        reader.join(timeout=10)
    assert faults == ["closed"]


def test_two_threads_read_at_once(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db", 2000, width=5)
    found: list[int] = []

    def read(database: Database) -> None:
        found.append(len(list(database.paged(Select("part", ("seq",)), page=50))))
        found.append(len(list(database.rows("SELECT seq FROM part"))))

    with untouched(path), Database(path) as database:
        readers = [Thread(target=read, args=(database,)) for _ in range(2)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout=20)
    assert found == [2000] * 4


def test_a_change_is_seen_after_refresh_and_only_then(tmp_path: Path) -> None:
    path = small(tmp_path / "input.db")
    with Database(path) as database:
        before = database.signature()
        assert not database.refresh()
        make(path, "INSERT INTO t VALUES (4)")
        with untouched(path):
            assert database.signature() != before
            assert database.refresh()
            assert not database.refresh()
            assert one_column(database, "SELECT x FROM t") == [1, 2, 3, 4]


def test_paging_goes_on_where_it_was_after_a_refresh(tmp_path: Path) -> None:
    path = small(tmp_path / "input.db")
    with Database(path) as database:
        pages = database.paged(Select("t", ("x",)), page=1)
        first = next(pages)
        assert isinstance(first, Row)
        rows = database.rows("SELECT a.x FROM t a, t b, t c, t d, t e, t f, t g")
        assert (first.rowid, next(rows)) == (1, (1,))
        make(path, "INSERT INTO t VALUES (4)")
        assert database.refresh()
        assert rowids(pages) == [2, 3, 4]
        with pytest.raises(DatabaseFault, match="was opened again while this was read"):
            list(rows)


def test_a_file_that_is_gone_or_broken_leaves_what_was_open(tmp_path: Path) -> None:
    path = small(tmp_path / "input.db")
    with Database(path) as database:
        path.unlink()
        with pytest.raises(SourceError, match="does not exist"):
            database.refresh()
        assert one_column(database, "SELECT x FROM t") == [1, 2, 3]
        path.write_bytes(b"text")
        with pytest.raises(SourceError, match="not a database"):
            database.refresh()
        path.unlink()
        make(path, "CREATE TABLE t(x)", "INSERT INTO t VALUES (9)")
        assert database.refresh()
        assert one_column(database, "SELECT x FROM t") == [9]


def test_a_fault_in_a_file_that_changed_says_that_it_changed(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    with Database(path) as database:
        spoil(path, b"<020>")
        changed = "malformed; the file changed since it was opened"
        with pytest.raises(DatabaseFault, match=changed):
            list(database.rows("SELECT data FROM part"))
        found = list(database.paged(Select("part", ("data",))))
        [gap] = [item for item in found if isinstance(item, Gap)]
        assert gap.reason == f"database disk image is {changed}"


def test_no_statement_reads_a_whole_table_to_open_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "input.db", "CREATE TABLE t(x)")
    asked: list[str] = []
    connect = sqlite3.connect

    class Told(sqlite3.Connection):
        def execute(self, sql: str, parameters: object = ()) -> sqlite3.Cursor:
            asked.append(sql)
            return super().execute(sql, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(
        sqlite3,
        "connect",
        lambda *given, **options: connect(*given, factory=Told, **options),
    )
    with Database(path):
        pass
    assert [sql for sql in asked if not sql.startswith("PRAGMA ")] == [
        "SELECT 1 FROM sqlite_master LIMIT 1"
    ]
    assert not [sql for sql in asked if "check" in sql and "cell_size" not in sql]
