"""Rows of a database: pages, parts, gaps, and what the database becomes."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Place
from inspector.formats.logs import row_log, row_search
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.row_parts import Part, RowDecoder
from inspector.formats.logs.tape import LogTape
from inspector.tape.database import Database
from inspector.tape.database_paging import Select
from inspector.tape.database_statements import Values
from inspector.tape.records import Fate, RowTable
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from tests.formats.logs.conftest import Shelf
from tests.formats.logs.tiny import adds_up, codes, fold_on, note, said
from tests.tape.databases import spoil

PAGE = 1024
"""Bytes of a page of the databases here."""

WHOLE: Final = ("seq", "session", "data")


def data(text: str) -> str:
    """A note as a column has it."""
    return note(text).decode()


def run(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Change a database and close it."""
    with closing(sqlite3.connect(path)) as connection:
        for statement, parameters in statements:
            connection.execute(statement, parameters)
        connection.commit()


def table(path: Path, name: str, rows: Iterable[tuple[object, object]]) -> Path:
    """A table with rows of session ``one``, and one row of another session."""
    insert = f"INSERT INTO {name} VALUES (?, ?, ?)"  # noqa: S608 - a name of ours
    run(
        path,
        (f"PRAGMA page_size={PAGE}", ()),
        (f"CREATE TABLE {name}(session TEXT, seq INTEGER, data)", ()),
        (f"CREATE INDEX {name}_order ON {name}(session, seq)", ()),
        *((insert, ("one", *row)) for row in rows),
        (insert, ("other", 1, data("of another"))),
    )
    return path


def notes(count: int, width: int = 1) -> list[tuple[int, str]]:
    """Rows of notes that are named by their number."""
    return [(number, data(f"{number:03}" * width)) for number in range(1, count + 1)]


def stored(shelf: Shelf, rows: Iterable[tuple[object, object]]) -> Path:
    """A database with one table of rows."""
    found = list(rows)
    return shelf.make(lambda path: table(path, "note", found))


def folded(shelf: Shelf, path: Path, *tables: str) -> LogTape:
    """A database as a tape that is folded to its end."""
    tape = shelf.rows(path, *(tables or ("note",)))
    fold_on(tape)
    return tape


def change(shelf: Shelf, path: Path, statement: str, *parameters: object) -> None:
    """What a writer does meanwhile."""
    shelf.make(lambda _: run(path, (statement, parameters)))


# Rows.


def test_the_rows_of_one_session_are_records_in_the_order_of_their_key(shelf: Shelf) -> None:
    tape = folded(shelf, stored(shelf, [(7, data("b")), (3, data("a")), (9, data("c"))]))
    assert said(tape) == ["a", "b", "c"]
    assert [tape.place(record) for record in range(3)] == [
        Place(None, None, f"note {key}") for key in (3, 7, 9)
    ]
    assert tape.place(3) == Place(None, None, None)
    assert (tape.sums().frames, tape.log.pending, tape.log.torn) == (None, 0, None)
    assert (tape.log.variant, tape.log.path.name) == ("sqlite", "notes.db")
    assert tape.log.how
    assert codes(tape) == []
    adds_up(tape)


@pytest.mark.parametrize("page", [1, 2, 3, 100])
def test_rows_come_page_by_page(page: int, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_log, "_PAGE", page)
    tape = shelf.rows(stored(shelf, notes(6)), "note")
    assert fold_on(tape) == -(-6 // page)
    assert said(tape) == [f"{number:03}" for number in range(1, 7)]
    adds_up(tape)


def test_a_session_without_rows_is_empty(shelf: Shelf) -> None:
    tape = folded(shelf, stored(shelf, []))
    assert (tape.records(), tape.complete, codes(tape)) == (0, True, [])


@pytest.mark.parametrize("held", ["{", b"\x00\xff", None, 7])
def test_a_row_that_is_no_event_is_damaged(held: object, shelf: Shelf) -> None:
    tape = folded(shelf, stored(shelf, [(1, data("a")), (2, held), (3, data("c"))]))
    assert said(tape) == ["a", "c"]
    assert tape.physical(1).fate is Fate.DAMAGED
    assert codes(tape) == [("bad-row", 1)]
    assert tape.timeline.reliable_to == 1
    adds_up(tape)


def test_a_row_is_shown_a_column_a_line(shelf: Shelf) -> None:
    rows = [(1, data("ü")), (2, b"\x00\xff"), (3, None)]
    tape = folded(shelf, stored(shelf, rows))
    assert [tape.raw_record(record) for record in range(4)] == [
        b"seq: 1\ndata: " + note("ü"),
        b"seq: 2\ndata: blob of 2 bytes, 00 ff",
        b"seq: 3\ndata: NULL",
        b"",
    ]


def test_the_length_is_that_of_the_json_as_it_is_stored(shelf: Shelf) -> None:
    tape = folded(shelf, stored(shelf, [(1, data("ü")), (2, b"\x00\xff"), (3, None)]))
    assert [tape.physical(record).length for record in range(3)] == [len(note("ü")), 2, 0]


def test_what_a_reader_loses_in_silence_is_noted(shelf: Shelf) -> None:
    tape = folded(shelf, stored(shelf, [(1, '{"say":"a","say":"b"}'), (2, data("c"))]))
    assert [found.code for found in tape.oddities(0)] == ["duplicate-key"]
    assert tape.oddities(1) == []


def test_rows_are_found_by_a_text_as_it_is_or_as_json_writes_it(shelf: Shelf) -> None:
    rows = [(1, note("x", id='a"b').decode()), (2, data('a"b')), (3, data("c")), (4, b"blob")]
    tape = folded(shelf, stored(shelf, rows))
    assert tape.identified('a"b') == [0]
    # A blob may hold anything.
    assert list(tape.log.mentions('a"b')) == [0, 1, 3]
    assert list(tape.log.mentions("c")) == [2, 3]


# Parts.


def parts(shelf: Shelf, *counts: int) -> Path:
    """Tables ``a``, ``b``, … of so many rows, each numbered from 1."""

    def make(path: Path) -> None:
        for name, count in zip("abc", counts, strict=False):
            rows = range(1, count + 1)
            table(path, name, [(number, data(f"{name}{number}")) for number in rows])

    return shelf.make(make)


@pytest.mark.parametrize("counts", [(2, 3, 1), (0, 2, 2), (2, 0, 2), (2, 2, 0), (0, 0, 3)])
def test_parts_follow_each_other(counts: tuple[int, int, int], shelf: Shelf) -> None:
    tape = folded(shelf, parts(shelf, *counts), "a", "b", "c")
    rows = [
        (label, number)
        for label, count in zip("abc", counts, strict=True)
        for number in range(1, count + 1)
    ]
    assert said(tape) == [f"{label}{number}" for label, number in rows]
    places = [tape.place(record).row for record in range(len(rows))]
    assert places == [f"{label} {number}" for label, number in rows]
    assert all(tape.raw_record(record) for record in range(len(rows)))
    adds_up(tape)


def test_the_last_part_grows(shelf: Shelf) -> None:
    path = parts(shelf, 1, 1)
    tape = folded(shelf, path, "a", "b")
    change(shelf, path, "INSERT INTO b VALUES ('one', 2, ?)", data("b2"))
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert said(tape) == ["a1", "b1", "b2"]
    assert tape.place(2).row == "b 2"


# Gaps.


def test_rows_on_a_bad_page_are_told_and_the_fold_goes_on(shelf: Shelf) -> None:
    path = stored(shelf, notes(60, width=60))
    shelf.make(lambda _: spoil(path, b'"say":"030', PAGE) and None)
    tape = folded(shelf, path)
    lost = range(29, 33)
    assert said(tape) == [f"{number:03}" * 60 for number in range(1, 61) if number not in lost]
    assert (codes(tape), tape.errors()) == ([("unreadable-rows", None)], 1)
    assert tape.timeline.reliable_to == 28
    adds_up(tape)


def test_a_row_whose_page_was_lost_since_is_told_so(shelf: Shelf) -> None:
    path = stored(shelf, notes(60, width=60))
    tape = folded(shelf, path)
    shelf.make(lambda _: spoil(path, b'"say":"030', PAGE) and None)
    fold_on(tape)
    lost = 29
    assert tape.physical(lost).length == 0
    with pytest.raises(SourceError):
        tape.raw_record(lost)
    assert tape.payload(lost) == {}
    assert tape.headline(lost).error


def test_rows_that_cannot_be_read_are_told_once(shelf: Shelf) -> None:
    path = stored(shelf, notes(60, width=60))
    shelf.make(lambda _: spoil(path, b'"say":"060', PAGE) and None)
    tape = folded(shelf, path)
    assert codes(tape) == [("unreadable-rows", None)]
    for number in (61, 62):
        change(shelf, path, f"CREATE TABLE more_{number}(x)")
        assert tape.changed() is Change.GROWN
        fold_on(tape)
    assert codes(tape) == [("unreadable-rows", None)]


def test_a_text_is_found_beside_rows_that_cannot_be_read(shelf: Shelf) -> None:
    path = stored(shelf, notes(60, width=60))
    tape = folded(shelf, path)
    shelf.make(lambda _: spoil(path, b'"say":"030', PAGE) and None)
    fold_on(tape)
    found = list(tape.log.mentions("0"))
    assert set(range(60)) - set(found) == set(range(28, 32))


# Columns, and rows that their number does not tell.


class Wide(RowDecoder):
    """Folds numbers, and reads notes again."""

    def __init__(self, folding: Folding) -> None:
        super().__init__(folding)
        self.begun: list[bool] = []
        self.widths: set[int] = set()

    def begin_part(self, *, last: bool) -> None:
        self.begun.append(last)

    def fold(self, record: int, rows: Sequence[Values]) -> None:
        for at, row in enumerate(rows, record):
            self.widths.add(len(row))
            self.folding.event(at, "row", None)
        self.folding.publish()

    def values(self, row: Values) -> list[Any]:
        return [list(row)]


def test_columns_that_the_fold_does_not_need_are_read_when_somebody_looks(shelf: Shelf) -> None:
    path = parts(shelf, 2, 1)
    records = RowTable()
    decoder = Wide(Folding(Builder(Timeline()), records))
    chosen = [
        Part(Select(name, ("seq",), ("seq",), "session = ?", ("one",)), name, (2,), WHOLE)
        for name in "ab"
    ]
    log = row_log.RowLog(Database(path), chosen, records, decoder, "sqlite")
    while log.feed():
        pass
    assert (decoder.widths, decoder.begun) == ({1}, [False, True])
    assert log.values(2) == ([[1, "one", data("b1")]], len(data("b1")))
    assert log.length(0) == len(data("a1"))
    assert log.raw(0) == b"seq: 1\nsession: one\ndata: " + data("a1").encode()
    assert list(log.mentions("a2")) == [1]
    change(shelf, path, "UPDATE b SET data = 'x'")
    assert not log.feed()
    assert log.changed() is Change.NONE
    log.close()


def test_rows_of_one_number_are_each_read_again(shelf: Shelf) -> None:
    held = [(1, data("a")), (2, data("b")), (2, data("c")), (None, data("d")), ("x", data("e"))]
    tape = folded(shelf, stored(shelf, held))
    assert said(tape) == ["d", "a", "b", "c", "e"]
    assert [tape.place(record).row for record in range(5)] == [
        "note NULL (row id 4)",
        "note 1",
        "note 2 (row id 2)",
        "note 2 (row id 3)",
        "note 'x' (row id 5)",
    ]
    rows = tape.log
    assert isinstance(rows, row_log.RowLog)
    assert [rows.number(record) for record in range(5)] == [None, 1, 2, 2, None]
    assert list(rows.mentions("c")) == [3]
    change(shelf, tape.log.path, "INSERT INTO note VALUES ('one', 'x', ?)", data("f"))
    fold_on(tape)
    assert said(tape) == ["d", "a", "b", "c", "e", "f"]


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_a_text_is_looked_for_in_many_rows_at_once(
    chunk: int, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_search, "_CHUNK", chunk)
    path = parts(shelf, 3, 3)
    tape = folded(shelf, path, "a", "b")
    found = {text: list(tape.log.mentions(text)) for text in ("a1", "b3", "3", "\udc80", "")}
    everything = list(range(6))
    assert found == {"a1": [0], "b3": [5], "3": [2, 5], "\udc80": [], "": everything}


# What the database becomes.


def test_a_database_that_grew_is_read_on(shelf: Shelf) -> None:
    path = stored(shelf, notes(2))
    tape = folded(shelf, path)
    assert tape.changed() is Change.NONE
    change(shelf, path, "INSERT INTO note VALUES ('one', 3, ?)", data("003"))
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert (said(tape), tape.changed()) == (["001", "002", "003"], Change.NONE)
    adds_up(tape)


def test_what_another_session_writes_is_no_row_of_this_one(shelf: Shelf) -> None:
    path = stored(shelf, notes(2))
    tape = folded(shelf, path)
    change(shelf, path, "INSERT INTO note VALUES ('other', 3, ?)", data("003"))
    fold_on(tape)
    assert (said(tape), tape.changed()) == (["001", "002"], Change.NONE)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM note WHERE session = 'one' AND seq = 2",
        "UPDATE note SET data = '{\"say\":\"else\"}' WHERE session = 'one' AND seq = 2",
    ],
)
def test_a_session_whose_last_row_was_taken_or_changed_is_another_one(
    statement: str, shelf: Shelf
) -> None:
    path = stored(shelf, notes(2))
    tape = folded(shelf, path)
    change(shelf, path, statement)
    fold_on(tape)
    assert tape.changed() is Change.REPLACED
    change(shelf, path, "INSERT INTO note VALUES ('one', 3, ?)", data("003"))
    fold_on(tape)
    assert (tape.timeline.events, tape.changed()) == (2, Change.REPLACED)


def test_a_row_that_is_there_no_longer_is_unreadable(shelf: Shelf) -> None:
    path = stored(shelf, notes(3))
    tape = folded(shelf, path)
    change(shelf, path, "DELETE FROM note WHERE session = 'one' AND seq = 1")
    fold_on(tape)
    assert (tape.payload(0), tape.raw_record(0), tape.oddities(0)) == ({}, b"", [])
    assert tape.physical(0).length == 0
    assert list(tape.log.mentions("001")) == []
    assert tape.headline(0).error


def test_a_database_that_was_deleted_is_gone_and_can_be_read_still(shelf: Shelf) -> None:
    path = stored(shelf, notes(2))
    tape = folded(shelf, path)
    shelf.make(lambda _: path.unlink())
    assert tape.changed() is Change.GONE
    assert said(tape) == ["001", "002"]
    assert not tape.advance()
    assert tape.changed() is Change.GONE
