"""Which texts and folders are Zero's."""

import json

import pytest

from inspector.formats.contract import Certainty
from inspector.formats.zero import FORMAT
from tests.formats.zero.sessions import event, line, log, user


def test_an_id_of_session_and_sequence_makes_sure() -> None:
    assert FORMAT.recognise(log(user())).certainty is Certainty.SURE


def test_another_id_makes_likely() -> None:
    one = line(event(1, "message", id="elsewhere"))
    assert FORMAT.recognise(one).certainty is Certainty.LIKELY


def test_keys_may_have_any_case() -> None:
    one = b'{"ID":"s:1","SessionId":"s","SEQUENCE":1,"Type":"message"}'
    assert FORMAT.recognise(one).certainty is Certainty.SURE


def test_a_damaged_first_line_does_not_hide_the_second() -> None:
    assert FORMAT.recognise(b"\x00\x00garbage\n" + log(user())).certainty is Certainty.SURE


def test_an_event_in_a_damaged_line_makes_likely() -> None:
    assert FORMAT.recognise(b"\x00\x00" + log(user())).certainty is Certainty.LIKELY


def test_metadata_are_recognised() -> None:
    times = {"createdAt": "2026-08-22T09:00:00Z", "updatedAt": "2026-08-22T09:00:00Z"}
    head = json.dumps({"sessionId": "s", **times, "eventCount": 3}, indent=2).encode()
    assert FORMAT.recognise(head).certainty is Certainty.SURE


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"plain text\n",
        b'{"sequence":1}\n',
        b'[{"id":"s:1","sessionId":"s","sequence":1,"type":"message"}]',
        b'{"version":1,"sessionId":"local-1"}',
    ],
)
def test_what_is_no_event_is_not_zeros_and_it_says_why(head: bytes) -> None:
    found = FORMAT.recognise(head)
    assert found.certainty is Certainty.NO
    assert found.why_not == "no line is an event with id, sessionId, sequence and type"


@pytest.mark.parametrize(
    ("names", "opens"),
    [
        ({"events.jsonl", "metadata.json", "session.lock"}, "events.jsonl"),
        ({"events.jsonl"}, "events.jsonl"),
        ({"metadata.json", "session.lock"}, "metadata.json"),
        ({"metadata.json", "changes.json"}, None),
        (set(), None),
    ],
)
def test_a_folder_of_a_session_is_known_by_its_files(names: set[str], opens: str | None) -> None:
    assert FORMAT.in_folder(names) == opens
