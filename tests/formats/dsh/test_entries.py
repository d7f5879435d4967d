"""The sessions of a database are listed by their first and last rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, SessionEntry
from inspector.formats.dsh.stored import sessions
from inspector.formats.opening import open_tape
from inspector.tape.database import Database
from tests.dsh_tapes import HEADER, START, Log
from tests.folding import SAMPLES, folded
from tests.formats.dsh.databases import add_session, make_store, rows, run


def store(path: Path, **logs: Log) -> Path:
    make_store(path)
    for name, log in logs.items():
        add(path, name, log)
    return path


def add(path: Path, name: str, log: Log, **header: object) -> None:
    events = [json.loads(line) for line in bytes(log).splitlines()[1:]]
    add_session(path, {**HEADER, "id": name, **header}, rows(events))


def listed(path: Path) -> dict[str, SessionEntry]:
    with Database(path) as database:
        return {entry.id: entry for entry in sessions(database)}


def talk(turns: int = 3) -> Log:
    log = Log()
    log.user("first words")
    for _ in range(turns):
        log.context("note")
    return log


def test_a_list_tells_what_the_rows_tell(tmp_path: Path) -> None:
    found = listed(store(tmp_path / "s.sqlite", one=talk(3), two=talk(200)))
    assert (found["one"].events, found["two"].events) == (4, 201)
    assert found["one"].title == found["two"].title == "first words"
    assert found["one"].last == START + 10 * 4
    weights = found["one"].bytes, found["two"].bytes
    assert weights[0] is not None
    assert weights[1] is not None
    assert 0 < weights[0] < weights[1]


def test_the_last_row_may_hold_a_run_of_events(tmp_path: Path) -> None:
    path = store(tmp_path / "s.sqlite")
    log = Log()
    log.user("hi")
    for at in range(5):
        chunk = {"type": "text-delta", "index": 0, "text": str(at)}
        log.event("assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk})
    add(path, "one", log)
    found = listed(path)["one"]
    with folded(open_tape(path, Options(session="one"))) as tape:
        assert found.events == tape.timeline.events == 6
        assert found.last == tape.timeline.table.time(5)


@pytest.mark.parametrize("turns", [2, 300])
def test_the_owners_title_is_seen_near_either_end(tmp_path: Path, turns: int) -> None:
    log = talk(turns)
    log.event("session/title", {"title": "Named", "messageSeqs": [0], "source": {"kind": "user"}})
    assert listed(store(tmp_path / "s.sqlite", one=log))["one"].title == "Named"


def test_what_a_session_is_to_its_parent_is_told(tmp_path: Path) -> None:
    path = store(tmp_path / "s.sqlite", one=talk())
    add(path, "fork", talk(), parentSession="one", seedLength=2)
    add(path, "agent", talk(), parentSession="one", origin="subagent")
    found = listed(path)
    assert {name: entry.relation for name, entry in found.items()} == {
        "one": None,
        "fork": "fork",
        "agent": "subagent",
    }


def test_a_session_without_rows_has_none(tmp_path: Path) -> None:
    path = store(tmp_path / "s.sqlite", one=talk())
    add(path, "empty", Log())
    found = listed(path)["empty"]
    assert (found.events, found.last, found.title, found.bytes) == (0, None, None, 0)


def test_rows_that_are_odd_leave_the_rest_alone(tmp_path: Path) -> None:
    path = store(tmp_path / "s.sqlite", one=talk(), two=talk())
    run(path, "UPDATE events SET data = x'28b52ffd00' WHERE session_id = 'one'")
    found = listed(path)
    assert found["one"].title is None
    assert found["two"].title == "first words"


def test_any_number_of_sessions_takes_as_many_statements_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = Database.rows

    def counted(self: Database, sql: str, *more: Any) -> Any:
        asked.append(sql)
        return ask(self, sql, *more)

    monkeypatch.setattr(Database, "rows", counted)
    numbers = []
    for sessions_in_it in (1, 50):
        path = store(tmp_path / f"{sessions_in_it}.sqlite")
        for at in range(sessions_in_it):
            add(path, f"s{at}", talk(2))
        asked.clear()
        assert len(listed(path)) == sessions_in_it
        numbers.append(len(asked))
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("path", [SAMPLES / "sessions.db"])
def test_the_sample_is_listed_as_it_opens(path: Path) -> None:
    for name, entry in listed(path).items():
        with folded(open_tape(path, Options(session=name))) as tape:
            assert entry.events == tape.timeline.events
            assert entry.last == tape.timeline.table.time(tape.timeline.events - 1)
            assert (entry.parent, entry.created) == (tape.identity.parent, tape.identity.created)
