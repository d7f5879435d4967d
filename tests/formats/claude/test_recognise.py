"""Which texts are transcripts."""

import json
from typing import Any

import pytest

from inspector.formats.claude import FORMAT
from inspector.formats.contract import Certainty
from tests.formats.claude.transcripts import answer, beside, user, written


def certainty(*records: dict[str, Any]) -> Certainty:
    return FORMAT.recognise(written(records)).certainty


def test_a_record_with_parent_and_session_is_certain() -> None:
    assert certainty(user("u1", None)) is Certainty.SURE
    assert certainty(beside("queue-operation"), answer("a1", None)) is Certainty.SURE


def test_bookkeeping_alone_is_certain() -> None:
    assert certainty(beside("mode", mode="normal")) is Certainty.SURE


def test_a_damaged_first_line_does_not_hide_the_format() -> None:
    head = b"\x00" * 40 + written([user("u1", None)])
    assert FORMAT.recognise(head).certainty is Certainty.SURE


def test_an_unknown_record_of_another_shape_does_not_hide_the_format() -> None:
    assert certainty(user("u1", None), {"type": "new", "payload": {}}) is Certainty.SURE


def test_messages_without_ids_are_a_guess() -> None:
    opinion = FORMAT.recognise(b'{"type":"user","message":{"role":"user","content":"hi"}}\n')
    assert (opinion.certainty, opinion.why_not) == (Certainty.GUESS, "its messages have no uuid")


def test_what_the_agent_prints_is_no_transcript() -> None:
    first = {"type": "system", "subtype": "init", "session_id": "s", "uuid": "x"}
    second = {"type": "assistant", "session_id": "s", "message": {"id": "m"}, "uuid": "y"}
    opinion = FORMAT.recognise(written([first, second]))
    assert opinion.certainty is Certainty.NO
    assert "stream-json" in opinion.why_not


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"words\n",
        json.dumps(user("u1", None), indent=2).encode(),
        b'{"type":"session","id":"x"}\n{"type":"user","message":{}}\n',
        b'{"type":"session_meta","payload":{}}\n',
        b'[1]\n"uuid"\n',
    ],
)
def test_other_texts_are_not(text: bytes) -> None:
    assert FORMAT.recognise(text).certainty is Certainty.NO
