import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from inspector.formats.dsh.sources.stores import (
    SEARCH_APPLICATION,
    SEARCH_INDEX,
    STORE_APPLICATION,
    TABLES,
    is_search_index,
    schema_problems,
)
from tests.corpus.corpus import ROOT, needs_corpus

SEARCH_TABLES = ["search_state", "persisted_sessions", "persisted_docs", "persisted_docs_data"]
AUTOMATIC = ["sqlite_autoindex_events_1", "sqlite_autoindex_sessions_1"]


def problems(
    application: int = STORE_APPLICATION,
    version: int = 17,
    objects: Iterable[str] = (*TABLES, *AUTOMATIC),
    columns: Mapping[str, Iterable[str]] = TABLES,
) -> list[str]:
    return schema_problems(application, version, objects, columns)


def test_the_search_index_is_known_by_id_and_tables() -> None:
    assert is_search_index(SEARCH_APPLICATION, SEARCH_TABLES)
    assert not is_search_index(STORE_APPLICATION, SEARCH_TABLES)
    assert not is_search_index(SEARCH_APPLICATION, SEARCH_TABLES[1:])
    assert not is_search_index(SEARCH_APPLICATION, TABLES)


def test_the_search_index_is_named_as_what_it_is() -> None:
    assert SEARCH_INDEX == (
        "the harness's search index (DSHQ): copies of texts, not a store of sessions"
    )


def test_a_store_of_the_newest_schema_has_no_problem() -> None:
    assert problems() == []


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (15, "schema 15, older than 17"),
        (16, "schema 16, older than 17"),
        (-1, "schema -1, older than 17"),
        (18, "schema 18 is newer than 17"),
    ],
)
def test_another_schema_is_told(version: int, sentence: str) -> None:
    assert problems(version=version) == [sentence]


@pytest.mark.parametrize(
    ("application", "sentence"),
    [
        (12345, "not a harness store (application id 12345)"),
        (0, "not a harness store (application id 0)"),
        (
            SEARCH_APPLICATION,
            "not a harness store (application id 1146308689, that of its search index)",
        ),
    ],
)
def test_another_owner_is_all_that_is_told(application: int, sentence: str) -> None:
    assert problems(application=application, version=18, objects=["x"]) == [sentence]


@pytest.mark.parametrize(
    ("application", "objects"), [(0, list(TABLES)), (STORE_APPLICATION, []), (7, ["x"])]
)
def test_what_bears_no_version_is_told(application: int, objects: list[str]) -> None:
    assert problems(application=application, version=0, objects=objects) == [
        f"unversioned (schema 0, application id {application}), but not empty"
    ]


@pytest.mark.parametrize("version", [0, 1])
def test_a_database_without_tables_is_told(version: int) -> None:
    assert problems(application=0, version=version, objects=[]) == ["SQLite without tables"]


def test_missing_tables_and_columns_are_told() -> None:
    columns = {**TABLES, "sessions": ("id", "version")}
    assert problems(version=18, objects=["sessions", "events"], columns=columns) == [
        "schema 18 is newer than 17",
        "no table persistence_state",
        "table sessions lacks created_at, cwd, parent_session, seed_length, origin and 4 more",
    ]


def test_what_was_added_to_a_known_schema_is_told() -> None:
    columns = {**TABLES, "events": (*TABLES["events"], "note", "mark")}
    assert problems(objects=[*TABLES, "by_time", "own\x1b"], columns=columns) == [
        "also holds by_time, own\u241b; the owner refuses an added index or table",
        "table events also has mark, note; the owner refuses that",
    ]


def test_a_newer_schema_may_have_more() -> None:
    columns = {**TABLES, "events": (*TABLES["events"], "note")}
    assert problems(version=18, objects=[*TABLES, "more"], columns=columns) == [
        "schema 18 is newer than 17"
    ]


def test_many_added_objects_make_a_short_sentence() -> None:
    (sentence,) = problems(objects=[*TABLES, *(f"x{number}" for number in range(1000))])
    assert sentence.startswith("also holds x0, x1, x10, x100, x101 and 995 more;")


@needs_corpus
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cases/case-55/dsh-v17.db", []),
        ("cases/case-55/dsh-v15-old.db", ["schema 15, older than 17"]),
        ("cases/case-55/dsh-v18-newer.db", ["schema 18 is newer than 17"]),
        ("cases/case-55/dsh-foreign-appid.db", ["not a harness store (application id 12345)"]),
        ("cases/case-55/no-tables.db", ["SQLite without tables"]),
        ("tapes/dsh/handmade/schema17.db", []),
        ("tapes/dsh/handmade/schema15.db", ["schema 15, older than 17"]),
        ("tapes/dsh/handmade/wrong-user-version.db", ["schema 18 is newer than 17"]),
    ],
)
def test_the_databases_of_the_corpus(name: str, expected: list[str]) -> None:
    assert problems(*read_schema(ROOT / name)) == expected


def read_schema(path: Path) -> tuple[int, int, list[str], dict[str, list[str]]]:
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        application, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        objects = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema")]
        columns = {
            table: [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})")]
            for table in TABLES
        }
    finally:
        connection.close()
    return application, version, objects, columns
