"""The sessions of a database are listed with what their rows tell."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options, SessionEntry
from inspector.formats.deepchat.stored import sessions
from inspector.formats.opening import open_tape
from inspector.tape.database import Database
from tests.folding import SAMPLES, folded
from tests.formats.deepchat.databases import START, Entry, append, event, execute, made, written


def said(text: str, role: str = "user", at: int = 1) -> Entry:
    record = {
        "id": f"m{at}",
        "sessionId": "s",
        "orderSeq": at,
        "role": role,
        "content": written({"text": text}),
        "status": "sent",
    }
    return Entry("message", None, written({"record": record}))


def listed(path: Path) -> dict[str, SessionEntry]:
    with Database(path) as database:
        return {entry.id: entry for entry in sessions(database)}


def add(path: Path, name: str, **columns: str) -> None:
    names = ("id", "agent_id", "title", "created_at", "updated_at", *columns)
    marks = ", ".join("?" * len(names))
    values = (name, "deepchat", columns.pop("title", name), START, START, *columns.values())
    names = tuple(dict.fromkeys(names))
    marks = ", ".join("?" * len(names))
    execute(path, f"INSERT INTO new_sessions ({', '.join(names)}) VALUES ({marks})", *values)  # noqa: S608 - names of ours


def test_rows_are_counted_and_the_last_tells_when(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [event("session/start"), said("hello"), event("x")])
    append(path, [said("other")], "t", first=40)
    found = listed(path)
    assert (found["s"].events, found["s"].last) == (3, START + 3_000)
    assert (found["t"].events, found["t"].last) == (1, START + 40_000)
    assert found["s"].bytes


def test_the_first_words_name_a_session_that_the_owner_does_not_list(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [said("hello"), said("again", at=2)])
    append(path, [said("I answer", "assistant")], "t")
    found = listed(path)
    assert (found["s"].title, found["t"].title) == ("hello", None)


def test_a_title_of_the_owner_counts(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [said("hello")])
    add(path, "s", title="A title")
    assert listed(path)["s"].title == "A title"


def test_what_a_session_is_to_its_parent_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [said("hello")])
    add(path, "child", session_kind="subagent", parent_session_id="s")
    add(path, "own", parent_session_id="own")
    append(path, [said("hello")], "s::fork::x")
    found = listed(path)
    assert (found["child"].parent, found["child"].relation) == ("s", "subagent")
    assert (found["own"].parent, found["own"].relation) == (None, None)
    fork = found["s::fork::x"]
    assert (fork.parent, fork.relation, fork.events) == ("s", "fork", None)


def test_a_session_older_than_the_tape_is_its_messages(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db")
    add(path, "old")
    for at in (1, 2):
        execute(
            path,
            "INSERT INTO deepchat_messages (id, session_id, order_seq, role, content, status, "
            "created_at, updated_at) VALUES (?, 'old', ?, 'user', '{}', 'sent', ?, ?)",
            *(f"m{at}", at, START + at, START + at),
        )
    found = listed(path)["old"]
    assert (found.events, found.last) == (2, START + 2)


@pytest.mark.parametrize("path", [SAMPLES / "deepchat.db"])
def test_the_sample_is_listed_as_it_opens(path: Path) -> None:
    for name, entry in listed(path).items():
        with folded(open_tape(path, Options(session=name))) as tape:
            assert entry.events in (None, tape.timeline.events)
            assert (entry.parent, entry.created) == (tape.identity.parent, tape.identity.created)
            kin = {one.tape: one.relation for one in tape.timeline.kin}
            assert entry.relation == (None if entry.parent is None else kin[entry.parent])
