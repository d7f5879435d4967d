"""The metadata beside a log: what they say, and how far the log is from them (page 2)."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Verdict
from inspector.formats.opening import open_tape
from inspector.formats.zero.alone import MetadataTape
from inspector.tape.watch import Change
from tests.folding import fold_on, keep
from tests.formats.zero.sessions import (
    codes,
    event,
    held,
    log,
    messages,
    session,
    user,
    value,
    written,
)
from tests.untouched import untouched

FULL = {
    "title": "Fix it",
    "cwd": "/home/dev/app",
    "modelId": "m-1",
    "provider": "p",
    "createdAt": "2026-08-22T09:00:00Z",
    "updatedAt": "2026-08-22T09:00:00Z",
}


def test_their_facts_stand_before_the_first_event(tmp_path: Path) -> None:
    tape = session(log(user()), tmp_path, eventCount=1, **FULL)
    assert [value(tape, name, 0) for name in ("title", "model", "cwd")] == [
        "Fix it",
        "m-1",
        "/home/dev/app",
    ]
    assert (tape.identity.id, tape.identity.created) == ("s", 1_787_389_200_000)
    assert codes(tape) == []


def test_a_parent_is_kin(tmp_path: Path) -> None:
    tape = session(
        log(user()), tmp_path, eventCount=1, sessionKind="child", parentSessionId="p", **FULL
    )
    assert tape.identity.parent == "p"
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("parent", "p")]
    assert tape.identity.beside[0] == "a session of kind child, which the owner does not resume"


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (2, []),
        (5, ["metadata.json ends at sequence 5, the log at 2"]),
        (0, ["metadata.json ends at sequence 0, the log at 2"]),
    ],
)
def test_lagging_and_leading_metadata_are_told(
    tmp_path: Path, count: int, found: list[str]
) -> None:
    tape = session(log(user(), user()), tmp_path, eventCount=count)
    told = messages(tape, "metadata-leads") + messages(tape, "metadata-lags")
    assert told == found
    assert messages(tape, "next-number-taken") == []


def test_a_blank_last_line_and_lagging_metadata_make_a_number_come_again(tmp_path: Path) -> None:
    tape = session(log(user(), user()) + b"\n", tmp_path, eventCount=0)
    assert messages(tape, "next-number-taken") == [
        "the owner's next event gets sequence 1, which is there"
    ]


def test_metadata_of_another_session_are_told(tmp_path: Path) -> None:
    tape = session(written([event(1, *user(), session="t")]), tmp_path, eventCount=1)
    assert messages(tape, "other-session") == ["metadata.json is of session s, the events are of t"]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"{", "bad-metadata", "metadata.json is not JSON: "),
        (b"[]", "bad-metadata", "metadata.json names no session"),
        (b'{"sessionId":5}', "bad-metadata", "metadata.json names no session"),
        (b" " * 1_100_000, "long-metadata", "metadata.json is longer than 1,048,576 bytes"),
    ],
)
def test_metadata_that_cannot_be_used_are_told(
    tmp_path: Path, content: bytes, code: str, said: str
) -> None:
    (tmp_path / "metadata.json").write_bytes(content)
    tape = session(log(user()), tmp_path)
    assert codes(tape) == [code]
    assert messages(tape, code)[0].startswith(said)
    assert tape.identity.id == "s"


@pytest.mark.parametrize("content", [None, b"[]", b'\xef\xbb\xbf{"sessionId":"s"}'])
def test_a_session_is_left_out_of_the_owners_list_and_its_events_can_be_read(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "metadata.json").write_bytes(content)
    tape = session(log(user()), tmp_path)
    assert tape.verdict() == Verdict("zero", True)
    [found] = tape.findings()
    assert found.kind.effect.endswith("out of its list")


def test_nobody_waits_for_metadata_that_are_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "metadata.json")
    tape = session(log(user()), tmp_path)
    assert messages(tape, "bad-metadata") == ["metadata.json is not a regular file"]


def test_a_log_of_another_name_has_none(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text('{"sessionId":"x","eventCount":9}')
    path = tmp_path / "copy.jsonl"
    path.write_bytes(log(user()))
    tape = held(path)
    assert (tape.identity.id, codes(tape)) == ("s", [])


def test_metadata_may_change_while_the_log_is_read(tmp_path: Path) -> None:
    tape = session(log(user()), tmp_path, eventCount=1)
    assert codes(tape) == []
    (tmp_path / "metadata.json").write_text('{"sessionId":"s","eventCount":7}')
    assert codes(tape) == ["metadata-leads"]


# Folders.


def open_folder(folder: Path) -> Any:
    tape: Any = open_tape(folder, Options())
    return fold_on(keep(tape))


def test_a_folder_is_opened_and_nothing_is_written_there(tmp_path: Path) -> None:
    session(log(user()), tmp_path, eventCount=1, **FULL)
    with untouched(tmp_path):
        tape = open_folder(tmp_path)
        assert tape.identity.id == "s"
        assert tape.timeline.events == 1


def test_a_folder_without_events_is_a_session_without_events(tmp_path: Path) -> None:
    times = '"createdAt":"2026-08-22T09:00:00Z","updatedAt":"2026-08-22T09:00:00Z"'
    (tmp_path / "metadata.json").write_text(f'{{"sessionId":"s",{times},"eventCount":0}}\n')
    (tmp_path / "session.lock").write_bytes(b"")
    tape = open_folder(tmp_path)
    assert isinstance(tape, MetadataTape)
    assert tape.timeline.events == 0
    assert tape.verdict().opens is True
    said = "these are the metadata alone; there is no events.jsonl beside them"
    assert messages(tape, "no-events") == [said]


@pytest.mark.parametrize("written_so_far", [b"", b"\n \n", b'{"id":"s:1","sess'])
def test_a_session_whose_log_has_no_line_yet_is_what_its_metadata_say(
    tmp_path: Path, written_so_far: bytes
) -> None:
    times = {"createdAt": "2026-08-22T09:00:00Z", "updatedAt": "2026-08-22T09:00:00Z"}
    known = {"sessionId": "s", **times, "eventCount": 0, "sessionKind": "fork", "title": "Left"}
    (tmp_path / "metadata.json").write_text(json.dumps(known, indent=2))
    (tmp_path / "events.jsonl").write_bytes(written_so_far)
    tape = open_folder(tmp_path)
    assert tape.identity.path.name == "events.jsonl"
    assert tape.timeline.events == 0
    assert value(tape, "title") == "Left"
    assert tape.verdict().opens is True
    assert tape.log.pending == len(written_so_far.rpartition(b"\n")[2])
    with (tmp_path / "events.jsonl").open("ab") as file:
        file.write(log(user())[tape.log.pending :])
    assert tape.changed() is Change.GROWN
    assert fold_on(tape).timeline.events == 1


@pytest.mark.parametrize("indent", [None, 2])
def test_metadata_under_another_name_are_no_damaged_log(tmp_path: Path, indent: int | None) -> None:
    times = {"createdAt": "2026-08-22T09:00:00Z", "updatedAt": "2026-08-22T09:00:00Z"}
    copy = tmp_path / "copied.json"
    copy.write_text(json.dumps({"sessionId": "s", **times, "eventCount": 3}, indent=indent))
    tape = open_folder(copy)
    assert isinstance(tape, MetadataTape)
    assert tape.identity.id == "s"
    assert messages(tape, "not-json") == []
    assert len(messages(tape, "no-events")) == 1


def test_an_event_with_the_keys_of_metadata_is_an_event(tmp_path: Path) -> None:
    copy = tmp_path / "copied.jsonl"
    copy.write_bytes(written([event(1, *user(), eventCount=1)]))
    assert open_folder(copy).timeline.events == 1
