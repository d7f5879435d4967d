import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from inspector.formats.dsh.beside import domain_database
from inspector.formats.dsh.beside.domain import (
    MALFORMED,
    VERSION_MISMATCH,
    Domain,
    Fault,
    is_archived,
    workspace_of,
)
from inspector.formats.dsh.beside.domain_database import read_database, recognise_database
from inspector.tape.source import SourceError

LAYOUT = """
CREATE TABLE units (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
CREATE TABLE unit_globals (unit TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE u_workspace_workspaces (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE u_session_projcache_sessions (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE u_message_feedback_sessions (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO units VALUES ('workspace', 2), ('session_projcache', 3), ('message_feedback', 0);
"""

LOOSE = """
CREATE TABLE units (name, version);
CREATE TABLE unit_globals (unit, value);
CREATE TABLE u_workspace_workspaces (key, value);
"""

RECORD = {"path": "/w", "title": "W", "sessionIds": ["s1"], "createdAt": "a", "updatedAt": "b"}
STATE = {"initialized": True, "workspaceIds": ["w1"], "archivedSessionIds": ["s2"]}


class Entry(NamedTuple):
    type: str
    name: str


class Memory:
    """A database in memory; a failing query says so as a database on disk does."""

    application_id = 0

    def __init__(self, script: str = LAYOUT, version: int = 1) -> None:
        self.user_version = version
        self.connection = sqlite3.connect(":memory:")
        self.connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        self.connection.executescript(script)

    def put(self, table: str, *row: Any) -> None:
        self.connection.execute(f"INSERT INTO {table} VALUES (?, ?)", row)  # noqa: S608 - ours

    def objects(self) -> Sequence[Entry]:
        found = self.connection.execute("SELECT type, name FROM sqlite_schema")
        return [Entry(*row) for row in found]

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self.connection.execute(sql, parameters)
        except sqlite3.Error as error:
            raise SourceError(str(error)) from error


@pytest.fixture
def memory() -> Iterator[Memory]:
    database = Memory()
    yield database
    database.connection.close()


@pytest.fixture
def loose() -> Iterator[Memory]:
    database = Memory(LOOSE)
    yield database
    database.connection.close()


def faults(domains: list[Domain]) -> list[Fault]:
    return [fault for domain in domains for fault in domain.faults]


def test_every_unit_is_a_domain(memory: Memory) -> None:
    memory.put("unit_globals", "workspace", json.dumps(STATE))
    memory.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    memory.put("u_session_projcache_sessions", "s1", '{"identity":{"createdAt":5},"rows":{}}')
    memory.put("u_message_feedback_sessions", "s1", '{"session":{},"items":[{},{}]}')
    workspace, cache, feedback = sorted(
        read_database(memory), key=lambda domain: str(domain.unit), reverse=True
    )
    assert (workspace.unit, workspace.version) == ("workspace", 2)
    found = workspace_of(workspace, "s1")
    assert found is not None
    assert (found.id, found.path) == ("w1", "/w")
    assert is_archived(workspace, "s2") is True
    assert [one.created for one in cache.cached] == [5]
    assert feedback.feedback == 2
    assert faults([workspace, cache, feedback]) == []


def test_a_unit_that_was_never_written_to_is_empty(memory: Memory) -> None:
    domains = {domain.unit: domain for domain in read_database(memory)}
    assert is_archived(domains["workspace"], "s1") is False
    assert domains["message_feedback"].feedback == 0
    assert faults(list(domains.values())) == []


def test_a_unit_of_somebody_else_is_told_by_name_only(memory: Memory) -> None:
    memory.put("units", "task", 9)
    assert Domain("task", 9) in read_database(memory)


def test_a_database_of_storage_units_is_recognised(memory: Memory) -> None:
    assert recognise_database(memory)
    memory.user_version = 2
    assert recognise_database(memory)


def test_another_database_is_not_recognised(memory: Memory) -> None:
    memory.application_id = 0x44534850
    assert not recognise_database(memory)
    memory.application_id = 0
    memory.connection.execute("DROP TABLE unit_globals")
    assert not recognise_database(memory)


def test_another_layout_is_told_and_read_as_far_as_it_goes(memory: Memory) -> None:
    memory.user_version = 2
    memory.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    domains = read_database(memory)
    words = "database version 2, known version 1"
    last = Domain(None, None, faults=(Fault(VERSION_MISMATCH, "user_version", words),))
    assert domains[-1] == last
    assert any(workspace_of(domain, "s1") for domain in domains)


def test_a_unit_of_another_version_is_told_and_read(loose: Memory) -> None:
    loose.put("units", "workspace", 3)
    loose.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    (domain,) = read_database(loose)
    message = "stored version 3, known version 2"
    assert domain.faults == (Fault(VERSION_MISMATCH, "unit workspace", message),)
    assert workspace_of(domain, "s1") is not None


def test_a_table_without_its_unit_is_read(loose: Memory) -> None:
    loose.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    domain, stray = read_database(loose)
    assert workspace_of(domain, "s1") is not None
    assert stray.faults[0].message == (
        "no row for unit workspace, but there is a table u_workspace_workspaces"
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "empty (0 bytes)"),
        ("7", "is not an object"),
        (b"{}", "the value is not text"),
        (None, "the value is not text"),
    ],
)
def test_a_value_of_the_wrong_shape_is_told_with_its_key(
    loose: Memory, value: Any, message: str
) -> None:
    loose.put("units", "workspace", 2)
    loose.put("u_workspace_workspaces", "w0", value)
    loose.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    (domain,) = read_database(loose)
    assert domain.faults == (Fault(MALFORMED, "u_workspace_workspaces.w0", message),)
    assert workspace_of(domain, "s1") is not None


def test_a_global_value_that_is_no_json_says_nothing_of_the_archive(loose: Memory) -> None:
    loose.put("units", "workspace", 2)
    loose.put("unit_globals", "workspace", "nope")
    (domain,) = read_database(loose)
    (fault,) = domain.faults
    assert fault.where == "unit_globals"
    assert fault.message.startswith("not JSON (")
    assert is_archived(domain, "s1") is None


def test_bytes_that_are_no_text_are_replaced_and_told(loose: Memory) -> None:
    loose.put("units", "workspace", 2)
    loose.connection.execute(
        "INSERT INTO u_workspace_workspaces VALUES ('w1', CAST(? AS TEXT))",
        (json.dumps(RECORD).encode().replace(b"/w", b"/\xff"),),
    )
    (domain,) = read_database(loose)
    assert domain.workspaces[0].path == "/\ufffd"
    assert [fault.code for fault in domain.faults] == ["repaired-text"]


def test_rows_of_units_that_cannot_be_are_told(loose: Memory) -> None:
    for name, version in ((7, 1), ("Bad\x1b", 1), ("task", None), ("x", 1), ("x", 2)):
        loose.put("units", name, version)
    bad = "'Bad\u241b' is no unit name: not of the form [a-z][a-z0-9_]*"
    table = "u_workspace_workspaces"
    assert [tuple(fault) for fault in faults(read_database(loose))] == [
        (MALFORMED, "units.Bad\u241b", bad),
        (MALFORMED, "units.task", "has no version"),
        (MALFORMED, "units.workspace", "has no version"),
        (MALFORMED, "units", "a name is not text"),
        (MALFORMED, "units", "unit x has two rows; the first counts"),
        (MALFORMED, "units", f"no row for unit workspace, but there is a table {table}"),
    ]


def test_a_key_that_is_no_text_is_told(loose: Memory) -> None:
    loose.put("units", "workspace", 2)
    loose.put("u_workspace_workspaces", None, "{}")
    (domain,) = read_database(loose)
    assert domain.faults == (Fault(MALFORMED, "u_workspace_workspaces", "a key is not text"),)


def test_tables_that_are_missing_are_told_in_the_words_of_the_database() -> None:
    empty = Memory("")
    assert [tuple(fault) for fault in faults(read_database(empty))] == [
        (MALFORMED, "units", "no such table: units")
    ]
    empty.connection.executescript("CREATE TABLE units (name, version)")
    empty.put("units", "workspace", 2)
    (domain,) = read_database(empty)
    assert [tuple(fault) for fault in domain.faults] == [
        (MALFORMED, "unit_globals", "no such table: unit_globals")
    ]
    assert is_archived(domain, "s1") is None
    empty.connection.close()


class Torn(Memory):
    """A database of which neither the schema nor all rows can be read."""

    def objects(self) -> Sequence[Entry]:
        raise SourceError("database disk image is malformed")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        yield from super().rows(sql, parameters)
        raise SourceError("page 7 cannot be read")


def test_rows_before_a_torn_page_are_read() -> None:
    torn = Torn()
    assert not recognise_database(torn)
    domains = read_database(torn)
    names = {"message_feedback", "session_projcache", "workspace"}
    assert {domain.unit for domain in domains[:-1]} == names
    assert [fault.message for fault in domains[-1].faults] == [
        "database disk image is malformed",
        "page 7 cannot be read",
    ]
    torn.connection.close()


def test_units_beyond_the_cap_are_not_read(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_database, "MOST_UNITS", 2)
    monkeypatch.setattr(domain_database, "KNOWN", {})
    *_, stray = read_database(memory)
    assert stray.faults == (Fault("cut-short", "units", "2 units are read; the rest are not"),)


def test_a_value_beyond_the_cap_is_not_read(loose: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_database, "LONGEST", 10)
    monkeypatch.setattr("inspector.formats.dsh.beside.domain_units.LONGEST", 10)
    loose.put("units", "workspace", 2)
    loose.put("u_workspace_workspaces", "w1", json.dumps(RECORD))
    (domain,) = read_database(loose)
    assert [fault.code for fault in domain.faults] == ["cut-short"]
    assert domain.workspaces == ()
