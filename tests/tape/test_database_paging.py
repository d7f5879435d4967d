import sqlite3
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import database_walk
from inspector.tape.database import Database
from inspector.tape.database_paging import Gap, Pager, Row, Select, beyond, merged
from inspector.tape.database_statements import DatabaseFault, Fetched, Value, Values
from tests.tape.databases import gaps, make, parts, rowids, spoil, until_fault
from tests.untouched import untouched

BY_ROWID: Final = Select("part", ("seq",))
BY_ID: Final = Select("part", ("data",), key=("id",))
BY_SEQ: Final = Select("part", ("data",), key=("session", "seq"))


@pytest.mark.parametrize("page", [1, 7, 40, 1000])
def test_every_row_comes_once_and_in_order_whatever_the_page(page: int, tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_ROWID, page=page))
    assert found == [Row((n,), n, (n,)) for n in range(1, 41)]


def test_rows_come_after_a_row_or_after_all_that_share_the_start_of_a_key(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db", 6)
    with untouched(path), Database(path) as database:
        everything = list(database.paged(BY_SEQ, page=2))
        assert rowids(everything) == [2, 4, 6, 1, 3, 5]
        for at, row in enumerate(everything):
            assert isinstance(row, Row)
            assert list(database.paged(BY_SEQ, row.after)) == everything[at + 1 :]
        assert rowids(database.paged(BY_SEQ, ("s0",))) == [1, 3, 5]
        assert rowids(database.paged(BY_SEQ, ("s1", 3))) == [5]


def test_a_condition_chooses_rows(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db", 9)
    chosen = Select("part", ("length(data)",), ("seq",), "session = ? OR seq = ?", ("s0", 9))
    with untouched(path), Database(path) as database:
        found = list(database.paged(chosen, page=2))
    assert rowids(found) == [2, 4, 6, 8, 9]
    assert {row.values for row in found if isinstance(row, Row)} == {(300,)}


def test_an_index_on_condition_and_key_makes_a_page_one_seek(tmp_path: Path) -> None:
    path = make(tmp_path / "input.db", "CREATE TABLE e(s, q, d, PRIMARY KEY(s, q))")
    asked: list[str] = []

    class Listening(Database):
        def fetch(self, sql: str, parameters: object = (), most: int = 1) -> Fetched:
            asked.append(sql)
            return super().fetch(sql, parameters, most)  # type: ignore[arg-type]

    select = Select("e", ("d",), ("q",), "s = ?", ("a",))
    with Listening(path) as database:
        assert list(database.paged(select, (5, 1))) == []
    steps = sqlite3.connect(path)
    plan = steps.execute(f"EXPLAIN QUERY PLAN {asked[-1]}", ("a", 5, 1)).fetchall()
    steps.close()
    assert [row[3] for row in plan] == ["SEARCH e USING INDEX sqlite_autoindex_e_1 (s=? AND q>?)"]


keys = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -(2.0**60)]),
    st.sampled_from(["", "a", "B", "é"]),
    st.sampled_from([b"", b"a"]),
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(keys, keys), max_size=12), st.integers(1, 5))
def test_any_keys_are_paged_in_the_order_of_one_query(
    pairs: list[tuple[Value, Value]], page: int
) -> None:
    memory = Memory("CREATE TABLE t(a, b)")
    memory.sqlite.executemany("INSERT INTO t VALUES (?, ?)", pairs)
    found = list(Pager(memory, Select("t", (), ("a", "b"))).read((), page))
    expected = memory.sqlite.execute("SELECT a, b, rowid FROM t ORDER BY a, b, rowid").fetchall()
    memory.sqlite.close()
    assert [row.after for row in found if isinstance(row, Row)] == expected


@pytest.mark.parametrize(
    ("there", "bad"),
    [
        ([-18, -1, 0, 1, 2], {-18, 0, 1, 2}),
        ([*range(1, 70)], {*range(1, 21), *range(23, 61)}),
        ([*range(1, 3000)], {*range(1, 1500), *range(1503, 2500)}),
        ([5, 2**40, 2**40 + 1], {5, 2**40}),
    ],
)
def test_rows_between_two_holes_are_read(there: list[int], bad: set[int]) -> None:
    memory = Memory("CREATE TABLE t(a INTEGER PRIMARY KEY)", bad)
    memory.sqlite.executemany("INSERT INTO t VALUES (?)", [(number,) for number in there])
    found = list(Pager(memory, Select("t", ("a",))).read((), 10))
    memory.sqlite.close()
    assert rowids(found) == sorted(set(there) - bad)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(-30, 60), unique=True, min_size=1, max_size=20),
    st.sets(st.integers(-40, 70), max_size=25),
    st.integers(1, 6),
)
def test_what_is_reachable_is_read_and_the_rest_is_in_gaps(
    there: list[int], bad: set[int], page: int
) -> None:
    memory = Memory("CREATE TABLE t(a INTEGER PRIMARY KEY)", bad)
    memory.sqlite.executemany("INSERT INTO t VALUES (?)", [(number,) for number in there])
    found = list(Pager(memory, Select("t", ("a",))).read((), page))
    memory.sqlite.close()
    assert rowids(found) == sorted(set(there) - bad)
    missing = [(first or 0, 10**9 if last is None else last) for first, last in gaps(found)]
    for number in set(there) & bad:
        assert any(first <= number <= last for first, last in missing)
    for number in set(there) - bad:
        assert not any(first <= number <= last for first, last in missing)


class Memory:
    """A database whose rows with some row ids cannot be read, nor sought if they exist."""

    def __init__(self, schema: str, bad: set[int] | None = None) -> None:
        self.sqlite = sqlite3.connect(":memory:", isolation_level=None)
        self.sqlite.execute(schema)
        self._bad = bad or set()

    def fetch(self, sql: str, parameters: object = (), most: int = 1000) -> Fetched:
        rows: list[Values] = []
        for row in self.sqlite.execute(sql, parameters).fetchmany(most) if most else ():  # type: ignore[arg-type]
            if row[-1] in self._bad:
                return Fetched(rows, DatabaseFault("bad"))
            rows.append(row)
        return Fetched(rows, None)

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.sqlite.execute(f"PRAGMA table_xinfo({table})")]

    def bytes_there(self) -> int:
        return 100_000


@pytest.mark.parametrize("page", [1, 5, 1000])
@pytest.mark.parametrize("select", [BY_ROWID, BY_ID, BY_SEQ])
def test_a_bad_page_costs_the_rows_on_it(select: Select, page: int, tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        found = list(database.paged(select, page=page))
    there = rowids(found)
    [(first, last)] = gaps(found)
    assert first is not None
    assert last is not None
    assert first <= 20 <= last <= first + 2
    assert sorted(there, key=str) == sorted({*range(1, 41)} - {*range(first, last + 1)}, key=str)


def test_an_index_says_where_a_gap_is_and_what_is_in_it(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_ID))
    at, gap = next((at, item) for at, item in enumerate(found) if isinstance(item, Gap))
    assert gap.first == at + 1
    assert gap.key == (f"p{at + 1:04}", at + 1)
    assert gap.message == (
        f"rows {gap.first} to {gap.last} of part cannot be read: database disk image is malformed"
    )


def test_rows_in_an_order_without_index_come_in_it_after_the_gaps(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_SEQ))
    assert isinstance(found[0], Gap)
    assert found[0].key == ()
    numbers = [item.after[:2] for item in found if isinstance(item, Row)]
    assert [session for session, _ in numbers] == sorted(session for session, _ in numbers)  # type: ignore[type-var]


def test_a_bad_last_page_ends_in_a_gap_of_unknown_length(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<040>")
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_ROWID))
    [(first, last)] = gaps(found)
    assert rowids(found) == list(range(1, first or 0))
    assert last is None
    gap = found[-1]
    assert isinstance(gap, Gap)
    assert gap.message.startswith(f"rows of part from {first} on cannot be read: ")


def test_a_bad_root_leaves_one_gap(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    with path.open("r+b") as file:
        file.seek(1024)
        file.write(b"\xee" * 1024)
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_ROWID))
    assert gaps(found) == [(database_walk.FIRST_ROWID, None)]
    assert len(found) == 1


def test_a_hole_too_wide_to_try_each_row_of_it_is_named_whole(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    sqlite = sqlite3.connect(path)
    sqlite.execute("UPDATE part SET rowid = rowid + 1000000000000 WHERE rowid > 21")
    sqlite.execute("UPDATE part SET rowid = rowid + 1000000 WHERE rowid BETWEEN 20 AND 21")
    sqlite.commit()
    sqlite.close()
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        found = list(database.paged(BY_ROWID))
    assert gaps(found)
    lost = {20, 21, *range(1, 41)} - {row.values[0] for row in found if isinstance(row, Row)}
    assert 20 in lost
    assert len(lost) <= 4


def test_a_value_that_cannot_be_computed_costs_its_row(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db", "CREATE TABLE t(x)", "INSERT INTO t VALUES ('1'), ('{'), ('3')"
    )
    with untouched(path), Database(path) as database:
        found = list(database.paged(Select("t", ("json(x)",))))
    assert rowids(found) == [1, 3]
    assert [item.message for item in found if isinstance(item, Gap)] == [
        "row 2 of t cannot be read: malformed JSON"
    ]


def test_a_table_without_row_ids_is_paged_by_its_primary_key(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(k TEXT PRIMARY KEY, x) WITHOUT ROWID",
        "INSERT INTO t VALUES ('b', 2), ('a', 1), ('c', 3)",
    )
    with untouched(path), Database(path) as database:
        found = list(database.paged(Select("t", ("x",), ("k",)), page=1))
        assert found == [Row((k,), None, (x,)) for k, x in (("a", 1), ("b", 2), ("c", 3))]
        with pytest.raises(DatabaseFault, match="t has no row ids, and no key was given"):
            next(database.paged(Select("t", ("x",))))


def test_damage_in_a_table_without_row_ids_ends_it_with_a_gap(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "PRAGMA page_size=1024",
        "CREATE TABLE t(k TEXT PRIMARY KEY, x) WITHOUT ROWID",
        "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 40)"
        " SELECT printf('%02d', i), hex(zeroblob(100)) || printf('x%02d', i) FROM n",
        "VACUUM",
    )
    spoil(path, b"x30")
    with untouched(path), Database(path) as database:
        found = list(database.paged(Select("t", ("x",), ("k",))))
    assert [row.after for row in found if isinstance(row, Row)][:20] == [
        (f"{n:02}",) for n in range(20)
    ]
    assert isinstance(found[-1], Gap)
    assert found[-1].message == (
        "further rows of t cannot be read: database disk image is malformed"
    )


def test_columns_may_take_the_names_of_the_row_id(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(RowId, _rowid_)",
        "INSERT INTO t VALUES ('x', 1), ('x', 2)",
    )
    with untouched(path), Database(path) as database:
        found = list(database.paged(Select("t", ("_rowid_",)), page=1))
    assert found == [Row((1,), 1, (1,)), Row((2,), 2, (2,))]


@pytest.mark.parametrize(
    ("select", "reason"),
    [
        (Select("none", ("x",)), "no such table: none"),
        (Select("t", ("none",)), "no such column: none"),
        (Select("t", ("x",), ("none",)), "no such column: none"),
        (Select("v", ("x",)), "not authorized|access to .* is prohibited"),
    ],
)
def test_what_is_not_there_or_no_table_is_a_fault_and_no_gap(
    select: Select, reason: str, tmp_path: Path
) -> None:
    path = make(tmp_path / "input.db", "CREATE TABLE t(x)", "CREATE VIEW v AS SELECT x FROM t")
    with untouched(path), Database(path) as database, pytest.raises(DatabaseFault, match=reason):
        next(database.paged(select))


def test_names_may_hold_anything(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        'CREATE TABLE "a""`b ?; --"("`k""", x)',
        'INSERT INTO "a""`b ?; --" VALUES (1, 2)',
    )
    with untouched(path), Database(path) as database:
        [table] = database.tables()
        key = database.columns(table)[0]
        assert list(database.paged(Select(table, ("x",), (key,)))) == [Row((1, 1), 1, (2,))]


def test_one_row_is_read_by_its_row_id(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    spoil(path, b"<020>")
    with untouched(path), Database(path) as database:
        assert database.row(BY_ROWID, 3) == (3,)
        assert database.row(BY_ROWID, 99) is None
        with pytest.raises(DatabaseFault, match="malformed"):
            database.row(BY_ROWID, 20)


def test_pages_that_lead_back_to_themselves_come_to_an_end(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    raw = bytearray(path.read_bytes())
    root = 1024
    cells = int.from_bytes(raw[root + 3 : root + 5], "big")
    first = int.from_bytes(raw[root + 12 : root + 14], "big")
    for cell in range(cells):
        at = root + int.from_bytes(raw[root + 12 + 2 * cell : root + 14 + 2 * cell], "big")
        raw[at : at + 4] = raw[root + first : root + first + 4]
    path.write_bytes(raw)
    with untouched(path), Database(path) as database:
        came, fault = until_fault(database.paged(BY_ROWID, page=4))
    assert 0 < len(came) <= path.stat().st_size
    assert fault == "part has more rows than the file has room for"


def test_text_that_is_not_utf8_is_a_key_like_any_other(tmp_path: Path) -> None:
    path = make(
        tmp_path / "input.db",
        "CREATE TABLE t(k TEXT, x)",
        "INSERT INTO t VALUES (CAST(x'61ff' AS TEXT), 1), (CAST(x'61ff' AS TEXT), 2), ('b', 3)",
    )
    with untouched(path), Database(path) as database:
        found = list(database.paged(Select("t", ("x",), ("k",)), page=1))
        assert [row.values for row in found if isinstance(row, Row)] == [(1,), (2,), (3,)]
        chosen = Select("t", ("x",), ("x",), "k = ?", ("a\udcff",))
        assert rowids(database.paged(chosen, page=1)) == [1, 2]


def test_gaps_that_touch_are_one() -> None:
    row = Row((9,), 9, ())
    one, two = Gap("t", 1, 2, (1,), "bad"), Gap("t", 3, 3, (3,), "bad")
    other, apart = Gap("t", 4, 4, (), "worse"), Gap("t", 6, None, (), "worse")
    assert list(merged(iter([one, two, other, apart, row, two]))) == [
        Gap("t", 1, 3, (1,), "bad"),
        other,
        apart,
        row,
        two,
    ]


def test_nothing_lies_beyond_nothing() -> None:
    assert beyond(["a"], ()) == ("1", ())
    assert beyond(["a", "b"], (1,)) == ("(a) > (?)", (1,))
    assert beyond(["a", "b"], (None, 2)) == ("(a IS NOT NULL OR a IS ? AND b > ?)", (None, 2))
