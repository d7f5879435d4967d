"""What the ends of a log and its metadata tell without folding it."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.zero import listing
from tests.formats.zero.sessions import Draft, answer, event, line, log, user, written
from tests.glances import glance, told


def session(folder: Path, data: bytes, **more: Any) -> Path:
    """A session's folder."""
    metadata = {
        "sessionId": "s",
        "createdAt": "2026-08-22T09:00:00Z",
        "updatedAt": "2026-08-22T09:00:09Z",
        "eventCount": 2,
        **more,
    }
    (folder / "metadata.json").write_text(json.dumps(metadata, indent=2) + "\n")
    path = folder / "events.jsonl"
    path.write_bytes(data)
    return path


def test_the_metadata_beside_a_log_tell_what_it_is(tmp_path: Path) -> None:
    data = log(user("first words"), answer())
    path = session(tmp_path, data, title="A title", cwd="/w")
    found = told("zero", data, path)
    assert (found.id, found.title, found.project) == ("s", "A title", "/w")
    assert (found.started, found.last) == (1787389200000, 1787389202000)
    assert (found.events, found.estimated) == (2, False)


def test_a_log_alone_tells_what_the_person_said_first() -> None:
    other = user("from there", origin="cross_session")
    found = told("zero", log(answer(), other, user("first words")))
    assert (found.id, found.title, found.project) == ("s", "first words", None)


def test_the_last_number_tells_how_many_events_a_long_log_has() -> None:
    data = log(*[user("x" * 60)] * 300)
    assert (told("zero", data).events, told("zero", data).estimated) == (300, True)


def test_a_log_that_does_not_begin_with_1_is_estimated() -> None:
    data = written(event(at, *user("x" * 60)) for at in range(200, 500))
    found = told("zero", data)
    assert found.estimated
    assert found.events is not None
    assert 200 < found.events < 450


def test_a_last_event_counts_without_its_line_end_and_a_torn_one_does_not() -> None:
    data = log(user(), answer())
    assert told("zero", data[:-1]).events == 2
    torn = told("zero", data[:-9])
    assert (torn.last, torn.events, torn.estimated) == (1787389201000, 1, False)


@pytest.mark.parametrize(
    ("kind", "relation"),
    [("fork", "fork"), ("side", "side"), ("child", "subagent"), ("odd", None)],
)
def test_a_parent_is_told_with_what_it_is_to_it(
    tmp_path: Path, kind: str, relation: str | None
) -> None:
    path = session(tmp_path, log(user()), sessionKind=kind, parentSessionId="above")
    found = told("zero", path.read_bytes(), path)
    assert (found.parent, found.relation) == ("above", relation)


def forked(parent: str) -> Draft:
    return "session_fork", {"parentSessionId": parent, "copiedEventCount": 1}


def child(name: str, parent: str) -> Draft:
    return "session_child", {"childSessionId": name, "parentSessionId": parent}


@pytest.mark.parametrize(
    ("drafts", "told_of"),
    [
        ([user(), forked("p"), user()], ("p", "fork")),
        ([user(), forked("p"), user(), forked("p2")], ("p2", "fork")),
        ([user("x" * 60)] * 300 + [forked("p")], ("p", "fork")),
        # It may be what the parent says of its own.
        ([forked("p"), *[user("x" * 60)] * 300], (None, None)),
        ([child("s", "p"), user()], ("p", "subagent")),
        ([child("c", "s"), user()], (None, None)),
        ([user('"session_fork"'), user('"session_child"')], (None, None)),
    ],
)
def test_without_metadata_events_near_the_ends_tell_the_parent(
    drafts: list[Draft], told_of: tuple[str | None, str | None]
) -> None:
    found = told("zero", log(*drafts))
    assert (found.parent, found.relation) == told_of


@pytest.mark.parametrize("content", [b"{", b"", None])
def test_metadata_that_cannot_be_read_are_told(tmp_path: Path, content: bytes | None) -> None:
    data = log(user("first words"))
    path = tmp_path / "events.jsonl"
    if content is None:
        (tmp_path / "metadata.json").symlink_to("metadata.json")
    else:
        (tmp_path / "metadata.json").write_bytes(content)
    found = told("zero", data, path)
    said = {b"{": "is not JSON: ", b"": "is empty", None: "is a loop of symbolic links"}
    assert found.title == "first words"
    assert found.unread is not None
    assert found.unread.startswith(f"metadata.json {said[content]}")
    assert found.refusal is None


def test_metadata_that_are_not_there_or_fine_are_not_told_of(tmp_path: Path) -> None:
    data = log(user("first words"))
    assert told("zero", data, tmp_path / "events.jsonl").unread is None
    path = session(tmp_path, data)
    assert told("zero", data, path).unread is None


def test_a_spec_that_is_carried_out_names_the_session_of_its_draft(tmp_path: Path) -> None:
    more = {"sessionKind": "spec-impl", "specSourceSessionId": "draft"}
    path = session(tmp_path, log(user()), **more)
    found = told("zero", path.read_bytes(), path)
    assert (found.parent, found.relation) == ("draft", "spec")


def test_a_session_without_events_is_one_by_its_folder(tmp_path: Path) -> None:
    path = session(tmp_path, b"", title="New")
    found = told("zero", b"", path)
    assert (found.id, found.title, found.events) == ("s", "New", 0)


def test_metadata_alone_are_a_session_without_events(tmp_path: Path) -> None:
    path = session(tmp_path, b"", title="Left").with_name("metadata.json")
    found = told("zero", path.read_bytes(), path)
    assert (found.id, found.title, found.events) == ("s", "Left", 0)


def test_only_a_small_file_beside_a_log_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = log(user("first words"))
    path = session(tmp_path, data, title="x" * 70_000)
    lengths: list[int] = []
    read = listing.os.read
    monkeypatch.setattr(listing.os, "read", lambda fd, n: lengths.append(n) or read(fd, n))
    assert told("zero", data, path).title == "first words"
    assert lengths == [64 * 1024 + 1]


def test_a_pipe_beside_a_log_is_not_waited_for(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "metadata.json")
    data = log(user("first words"))
    assert told("zero", data, tmp_path / "events.jsonl").title == "first words"


def test_the_owner_refuses_a_first_line_that_it_cannot_read() -> None:
    bad = line({**event(1, "message"), "sequence": "1"}) + b"\n" + log(user())
    found = told("zero", bad, Path("/z/s/events.jsonl"))
    assert found.refusal is not None
    assert found.refusal.startswith("invalid json in zero session")
    assert "line 1" in found.refusal


def test_names_of_members_count_in_any_case() -> None:
    odd = {"ID": "s:1", "SessionId": "s", "Sequence": 1, "TYPE": "message", "CreatedAt": "x"}
    assert told("zero", line(odd) + b"\n").id == "s"


def test_other_texts_are_none(tmp_path: Path) -> None:
    assert glance("zero", b'{"sequence":1}\n') is None
    assert glance("zero", b"", tmp_path / "events.jsonl") is None
