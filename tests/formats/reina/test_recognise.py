"""Which texts are Reina's."""

import pytest

from inspector.formats.codex import FORMAT as CODEX
from inspector.formats.contract import Certainty
from inspector.formats.reina import FORMAT
from tests.formats.reina.sessions import compacted, log, status, user, written


def test_a_header_with_a_time_and_meta_makes_sure() -> None:
    assert FORMAT.recognise(log()).certainty is Certainty.SURE


def test_a_header_with_a_payload_is_another_agents() -> None:
    head = b'{"timestamp":"x","type":"session_meta","payload":{"id":"1"}}\n'
    assert FORMAT.recognise(head).certainty is Certainty.NO
    assert CODEX.recognise(head).certainty is Certainty.SURE
    both = b'{"ts":"x","type":"session_meta","meta":{},"payload":{"id":"1"}}\n'
    assert FORMAT.recognise(both).certainty is Certainty.NO


@pytest.mark.parametrize("record", [user(), status(), compacted(0, 1)])
def test_records_without_a_header_make_likely(record: dict[str, object]) -> None:
    found = FORMAT.recognise(written([record]))
    assert found.certainty is Certainty.LIKELY
    assert "no session_meta" in found.why_not


def test_a_damaged_first_line_does_not_hide_the_second() -> None:
    assert FORMAT.recognise(b"\x00\x00garbage\n" + log(user())).certainty is Certainty.SURE


def test_a_header_behind_a_byte_order_mark_is_one() -> None:
    assert FORMAT.recognise(b"\xef\xbb\xbf" + log()).certainty is Certainty.SURE


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\n\n",
        b"[1]\n",
        b'{"ts":1,"type":7}\n',
        b'{"ts":1,"type":"message","message":"x"}\n',
        b'{"type":"message","message":{}}\n',
    ],
)
def test_anything_else_is_not(head: bytes) -> None:
    found = FORMAT.recognise(head)
    assert found.certainty is Certainty.NO
    assert found.why_not
