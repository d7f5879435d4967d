"""What the owner keeps beside its sessions, told as what it is (format page 1.2)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Annex
from inspector.formats.dsh.beside.annexes import of_text
from inspector.formats.dsh.sources.stores import SEARCH_APPLICATION, SEARCH_INDEX
from inspector.formats.opening import annexes
from tests.dsh_tapes import Json, Log
from tests.tape.databases import make


def unit(name: str, version: int, state: Any = None, **tables: Any) -> Json:
    return {"unit": {"name": name, "version": version}, "global": state, "tables": tables}


def record(title: str, *sessions: str) -> Json:
    times = {"createdAt": "2026-08-17T20:53:20.000Z", "updatedAt": "2026-08-17T20:53:20.000Z"}
    return {"path": "/work", "title": title, "sessionIds": list(sessions), **times}


def workspaces(**more: Any) -> Json:
    state = {"initialized": True, "workspaceIds": ["a", "b"], "archivedSessionIds": ["s1"], **more}
    tables = {"a": record("One", "s1", "s2"), "b": record("Two", "s3")}
    return unit("workspace", 2, state, workspaces=tables)


def told(document: Any) -> Annex:
    (annex,) = of_text(json.dumps(document).encode())
    return annex


def test_the_list_of_workspaces() -> None:
    assert told(workspaces()) == Annex(
        "storage domain workspace version 2, not a session",
        (
            "2 workspaces with 3 sessions",
            "workspace One: 2 sessions",
            "workspace Two: 1 session",
            "1 archived session",
        ),
        (),
    )


def test_a_change_that_is_half_done() -> None:
    pending = {"operation": "delete", "workspaceId": "a"}
    facts = told(workspaces(pendingMutation=pending)).facts
    assert len(facts) == 5
    assert facts[4] == "the owner was about to delete workspace a, which is half done"


def test_of_many_workspaces_some_are_named() -> None:
    many = {f"w{number}": record(f"W{number}") for number in range(30)}
    state = {"initialized": True, "workspaceIds": list(many), "archivedSessionIds": []}
    facts = told(unit("workspace", 2, state, workspaces=many)).facts
    assert facts[0] == "30 workspaces with 0 sessions"
    assert len(facts) == 21


def test_the_cache_and_the_feedback() -> None:
    sessions = {"s1": {"identity": {"createdAt": 1}, "rows": {}}}
    assert told(unit("session_projcache", 3, sessions=sessions)) == Annex(
        "storage domain session_projcache version 3, not a session",
        ("a cache of 1 session",),
        (),
    )
    rated = {"s1": {"session": {"createdAt": 1}, "items": [{"messageId": "m"}]}}
    assert told(unit("message_feedback", 0, sessions=rated)).facts == ("1 message with feedback",)


def test_what_is_wrong_is_told_with_its_place() -> None:
    (annex,) = of_text(b'{"unit":{"name":"workspace","version":2},"tables":[')
    assert annex.what == "storage domain without a name, not a session"
    assert annex.facts == ()
    assert [fault[:2] for fault in annex.faults] == [("malformed-medium", "the file")]
    annex = told(unit("workspace", 9))
    assert "version-mismatch" in [code for code, _, _ in annex.faults]


@pytest.mark.parametrize("document", [None, [], 7, "x", {}, {"unit": 7}, {"unit": {"name": 7}}])
def test_whatever_the_bytes_are_it_is_an_answer(document: Any) -> None:
    annex = told(document)
    assert annex.what == "storage domain without a name, not a session"
    assert annex.faults


def test_everything_in_it_is_clean() -> None:
    hostile = "\x1b[2J\u202ered\n" + "x" * 500
    state = {"initialized": True, "workspaceIds": ["a"], "archivedSessionIds": []}
    annex = told(unit("workspace", 2, state, workspaces={"a": record(hostile, hostile)}))
    said = [annex.what, *annex.facts, *(word for fault in annex.faults for word in fault)]
    assert not any(mark in text for text in said for mark in ("\x1b", "\u202e", "\n"))
    assert max(map(len, said)) < 400


# Files.


def test_a_file_of_the_storage_is_an_annex(tmp_path: Path) -> None:
    path = tmp_path / "workspace.json"
    path.write_text(json.dumps(workspaces()))
    (annex,) = annexes(path)
    assert annex.facts[0] == "2 workspaces with 3 sessions"


def test_a_log_and_a_foreign_file_are_none(tmp_path: Path) -> None:
    log = Log()
    log.user()
    (tmp_path / "session.jsonl").write_bytes(bytes(log))
    (tmp_path / "notes.json").write_bytes(b'{"unit":"metre"}')
    (tmp_path / "empty").touch()
    assert [annexes(tmp_path / name) for name in ("session.jsonl", "notes.json", "empty")] == [
        [],
        [],
        [],
    ]


def test_a_database_of_the_storage_tells_of_each_unit(tmp_path: Path) -> None:
    value = json.dumps(record("One", "s1"))
    path = make(
        tmp_path / "storages.db",
        "CREATE TABLE units (name TEXT PRIMARY KEY, version INTEGER NOT NULL)",
        "CREATE TABLE unit_globals (unit TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE u_workspace_workspaces (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE u_message_feedback_sessions (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "PRAGMA user_version=1",
        "INSERT INTO units VALUES ('workspace', 2), ('message_feedback', 0)",
        f"INSERT INTO u_workspace_workspaces VALUES ('a', '{value}')",  # noqa: S608 - ours
    )
    found = {annex.what: annex.facts for annex in annexes(path)}
    assert found == {
        "storage domain workspace version 2, not a session": (
            "1 workspace with 1 session",
            "workspace One: 1 session",
        ),
        "storage domain message_feedback version 0, not a session": (),
    }


def test_the_search_index_is_told_as_what_it_is(tmp_path: Path) -> None:
    path = make(
        tmp_path / "search.db",
        f"PRAGMA application_id={SEARCH_APPLICATION}",
        "CREATE TABLE search_state (a)",
        "CREATE TABLE persisted_sessions (a)",
        "CREATE TABLE persisted_docs (a)",
        "INSERT INTO persisted_sessions VALUES (1), (2)",
    )
    assert annexes(path) == [Annex(SEARCH_INDEX, ("copies of 2 sessions",), ())]


def test_a_foreign_database_is_none(tmp_path: Path) -> None:
    assert annexes(make(tmp_path / "other.db", "CREATE TABLE part (a)")) == []
