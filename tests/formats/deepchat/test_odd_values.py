"""Whatever a row holds where something else is expected, every answer is given, none raises."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.export import documents
from inspector.formats.contract import OptionError, Options, Tape
from inspector.formats.opening import open_tape, session_entries
from inspector.tape.source import SourceError
from tests.commands import SAMPLES
from tests.folding import fold_on
from tests.formats.deepchat.databases import codes, fold

SAMPLE: Final = SAMPLES / "deepchat.db"

TABLES: Final = {
    "deepchat_tape_entries": "session_id",
    "deepchat_messages": "session_id",
    "deepchat_assistant_blocks": "message_id",
    "deepchat_sessions": "id",
    "new_sessions": "id",
}
"""The tables that are read, and the column that says whose a row is."""

JSON_COLUMNS: Final = {
    "deepchat_tape_entries": ("payload_json", "meta_json"),
    "deepchat_messages": ("content", "metadata"),
}

ODD: Final[tuple[Any, ...]] = (["odd"], {"odd": 1}, 1.5, None, True, "odd", -1, 2**70, [[]], "")
"""Values of JSON."""

ODD_SQL: Final = (
    *(
        "NULL",
        "-1",
        "1.5",
        "9e999",
        "9223372036854775807",
        "''",
        "'odd'",
        "'[[]]'",
        "'{\"odd\":1}'",
    ),
    *("x''", "x'ff00'", "CAST(x'6fff64' AS TEXT)", "char(0, 27, 8238)", "'handoff/'", "'anchor'"),
)
"""Values of a column."""

DEEP: Final = 8

Keys = tuple[str | int, ...]
Place = tuple[str, int, str, Keys]
"""A table, the row id of a row in it, a column, and the keys within its JSON."""


def held(value: Any) -> Any:
    """What a text of JSON holds; every other value is itself."""
    if not (isinstance(value, str) and value[:1] in ("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def keys_of(value: Any, keys: Keys = ()) -> Iterator[Keys]:
    """The keys that lead to every value within a value, also within JSON that is kept as text."""
    yield keys
    inner = held(value)
    if len(keys) > DEEP:
        return
    members: list[tuple[str | int, Any]] = []
    if isinstance(inner, dict):
        members = list(inner.items())
    elif isinstance(inner, list):
        members = list(enumerate(inner[:3]))
    for key, member in members:
        yield from keys_of(member, (*keys, key))


def with_odd(value: Any, keys: Keys, odd: Any) -> Any:
    """The same value with something else at the end of some keys."""
    if not keys:
        return odd
    inner = held(value)
    inner[keys[0]] = with_odd(inner[keys[0]], keys[1:], odd)
    return json.dumps(inner) if isinstance(value, str) else inner


@cache
def loose() -> bytes:
    """The sample in tables that take any value in any column."""
    with (
        closing(sqlite3.connect(f"file:{SAMPLE}?immutable=1", uri=True)) as sample,
        closing(sqlite3.connect(":memory:")) as made,
    ):
        for line in sample.iterdump():
            made.execute(line.replace(" NOT NULL", "").replace(" PRIMARY KEY,", ","))
        made.commit()
        return made.serialize()


def rows_of(table: str, *columns: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(loose())
        sql = f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608 - names of ours
        return database.execute(sql).fetchall()


def json_places() -> list[Place]:
    """One place for every shape of row and keys."""
    found: dict[tuple[str, str, Keys], Place] = {}
    kinds = {"deepchat_tape_entries": "kind || name", "deepchat_messages": "role"}
    for table, columns in JSON_COLUMNS.items():
        for rowid, kind, *texts in rows_of(table, "rowid", kinds[table], *columns):
            for column, text in zip(columns, texts, strict=True):
                for keys in keys_of(text):
                    shape = (f"{table} {kind}", column, keys)
                    found.setdefault(shape, (table, rowid, column, keys))
    return list(found.values())


def column_places() -> list[Place]:
    """Every column of three rows of every table that is read."""
    chance = random.Random("columns")  # noqa: S311 - the same at every run
    return [
        (table, rowid, column, ())
        for table in TABLES
        for _, column, *_ in rows_of(f"pragma_table_info('{table}')", "*")
        for (rowid,) in chance.choices(rows_of(table, "rowid"), k=3)
    ]


def written(path: Path, place: Place, value: str, *parameters: Any) -> str:
    """Write the sample with something else in one place; the session whose row that was."""
    table, rowid, column, _ = place
    where = f"FROM {table} WHERE rowid = ?"
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(loose())
        (of,) = database.execute(f"SELECT {TABLES[table]} {where}", (rowid,)).fetchone()
        if table == "deepchat_assistant_blocks":
            asked = "SELECT session_id FROM deepchat_messages WHERE id = ?"
            (of,) = database.execute(asked, (of,)).fetchone()
        sql = f"UPDATE {table} SET {column} = {value} WHERE rowid = ?"  # noqa: S608 - ours
        database.execute(sql, (*parameters, rowid))
        database.commit()
        path.write_bytes(database.serialize())
    return str(of)


def asked(path: Path, session: str) -> Tape | None:
    """The tape of a session when everything was asked of it; None if there is none any more."""
    assert session_entries(path)
    try:
        tape = open_tape(path, Options(session=session))
    except (SourceError, OptionError):
        return None
    try:
        fold_on(tape)
        head = tape.timeline.events
        documents.dumps(documents.check(tape))
        for cursor in (head // 2, head):
            documents.dumps(documents.show(tape, cursor))
            assert tape.request(cursor) is not None
        for event in range(head):
            documents.dumps(documents.event(tape, event, head))
            assert tape.sections(event)
            tape.message_id(event)
        for kind in tape.timeline.spans:
            table = tape.timeline.spans[kind]
            for number in range(len(table)):
                tape.span_id(table[number])
        sums = tape.sums()
        assert sums.records == sums.carriers == head
        return tape
    finally:
        tape.close()


PARTS: Final = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_given_with_an_odd_value_in_the_json_of_a_row(
    part: int, tmp_path: Path
) -> None:
    chance = random.Random(part)  # noqa: S311 - the same at every run
    path = tmp_path / "agent.db"
    for place in chance.sample(json_places()[part::PARTS], 10):
        table, rowid, column, keys = place
        [(text,)] = rows_of(f"{table} WHERE rowid = {rowid}", column) or [(None,)]
        odd = chance.choice(ODD)
        value = json.dumps(odd) if not keys else with_odd(text, keys, odd)
        session = written(path, place, "?", value)
        tape = asked(path, session)
        assert tape is not None
        assert is_whole(tape, session)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_given_with_an_odd_value_in_a_column(part: int, tmp_path: Path) -> None:
    chance = random.Random(part)  # noqa: S311 - the same at every run
    path = tmp_path / "agent.db"
    for place in chance.sample(column_places()[part::PARTS], 10):
        session = written(path, place, chance.choice(ODD_SQL))
        tape = asked(path, session)
        if place[2] not in ("id", "session_id"):
            # Only a row that is another session's, or nobody's, may be missing.
            assert tape is not None
            assert is_whole(tape, session)


def is_whole(tape: Tape, session: str) -> bool:
    """Whether no row is missing; those of a parent may be, if the fork does not say which."""
    return tape.timeline.events == events_of(session) or "parent-missing" in codes(tape)


@cache
def events_of(session: str) -> int:
    """How many events a session of the sample has."""
    tape = fold(SAMPLE, session)
    tape.close()
    return tape.timeline.events
