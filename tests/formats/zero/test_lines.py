"""Which lines are events to the owner (RULES B)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.zero.event import ABSENT, Event, event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.timeline.words import Visibility
from tests.formats.zero.sessions import codes, event, line, log, session, user

DEEP = b'{"type":"t","x":' + b"[" * 9_999 + b"]" * 9_999 + b"}"
TOO_DEEP = b'{"type":"t","x":' + b"[" * 10_000 + b"]" * 10_000 + b"}"


def read(text: bytes) -> Event:
    found = event_of_line(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "blank", [b"", b" \t\r", b"\v\f", "\x85\xa0\u2003\u2028\u3000".encode(), b"\r"]
)
def test_white_space_of_any_script_is_a_blank_line(blank: bytes) -> None:
    assert event_of_line(blank) is None


@pytest.mark.parametrize("odd", ["\u200b", "\ufeff", "\x1c", "\x00"])
def test_what_only_looks_blank_is_refused(odd: str) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of_line(odd.encode())
    assert refused.value.problem == "not JSON"


@pytest.mark.parametrize(
    "bad",
    [
        b'\xef\xbb\xbf{"type":"t"}',
        b'{"type":"t"}{"type":"t"}',
        b'{"type":"t"} x',
        b'{"x":NaN}',
        b'{"x":Infinity}',
        b'{"x":01}',
        b'{"x":+1}',
        b'{"x":.5}',
        b'{"x":1,}',
        b"{'x':1}",
        b'{"x":"\\x41"}',
        b'{"x":"a\tb"}',
        b'{"x":\xff}',
        b'{"x"',
        '{"type":"t"}'.encode("utf-16"),
    ],
)
def test_what_is_no_strict_json_is_refused(bad: bytes) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of_line(bad)
    assert refused.value.problem == "not JSON"


@pytest.mark.parametrize(
    "bad",
    [
        b"[]",
        b"12",
        b'"text"',
        b"true",
        b'{"sequence":"4"}',
        b'{"sequence":4.0}',
        b'{"sequence":1e1}',
        b'{"sequence":true}',
        b'{"sequence":[]}',
        b'{"sequence":9223372036854775808}',
        b'{"type":7}',
        b'{"id":{}}',
        b'{"createdAt":[]}',
        b'{"sequence":"4","sequence":4}',
    ],
)
def test_another_type_is_refused_even_where_a_right_one_follows(bad: bytes) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of_line(bad)
    assert refused.value.problem == "the wrong type"


def test_ten_thousand_levels_are_read_and_one_more_is_not() -> None:
    assert read(DEEP).type == "t"
    with pytest.raises(RefusedError) as refused:
        event_of_line(TOO_DEEP)
    assert refused.value.problem == "nested too deep"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (b'{"sequence":-5}', -5),
        (b'{"sequence":-0}', 0),
        (b'{"sequence":9007199254740993}', 9007199254740993),
        (b'{"sequence":9223372036854775807}', 9223372036854775807),
        (b'{"sequence":null}', 0),
        (b"{}", 0),
        (b"null", 0),
        (b'{"sequence":7,"x":' + b"9" * 5_000 + b"}", 7),
        (b'{"sequence":7,"x":1e999}', 7),
    ],
)
def test_whole_numbers_of_64_bits_are_exact(text: bytes, number: int) -> None:
    assert read(text).number == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('{"Sequence":3}', 3),
        ('{"\u017fequence":3}', 3),
        ('{"\\u0053equence":3}', 3),
        ('{"sequence":1,"SEQUENCE":2}', 2),
        ('{"SEQUENCE":2,"sequence":1}', 1),
        ('{"sequence":1,"sequence":null}', 1),
        ('{"\u0131d":"x","s_equence":3}', 0),
        ('{"s-equence":3}', 0),
    ],
)
def test_a_key_is_read_in_any_case_and_the_last_counts(text: str, number: int) -> None:
    assert read(text.encode()).number == number


def test_each_byte_that_is_no_utf8_is_one_replacement() -> None:
    assert read(b'{"id":"\xe2\x82"}').id == "\ufffd\ufffd"
    assert read(b'{"id":"\\ud800"}').id == "\ufffd"


def test_a_payload_that_is_null_is_not_absent() -> None:
    assert read(b'{"payload":null}').payload is None
    assert read(b"{}").payload is ABSENT


# In a session.


@pytest.mark.parametrize(
    ("bad", "code", "events"),
    [
        (b"nonsense", "not-json", 2),
        (b"[]", "not-an-event", 2),
        (b'{"id":"s:2","sequence":"2","type":"message","createdAt":""}', "wrong-type", 3),
        (TOO_DEEP, "too-deep", 3),
    ],
)
def test_a_refused_line_makes_the_session_unreadable_and_the_rest_is_shown(
    tmp_path: Path, bad: bytes, code: str, events: int
) -> None:
    tape = session(log(user()) + bad + b"\n" + line(event(3, *user("more"))) + b"\n", tmp_path)
    assert tape.timeline.events == events
    assert tape.timeline.count(events) == 2
    assert code in codes(tape)
    said = tape.verdict()
    assert said.opens is False
    assert (said.reason or "").startswith("invalid json in zero session s events.jsonl at line 2: ")


def test_a_refused_object_is_a_row_that_changes_nothing(tmp_path: Path) -> None:
    bad = b'{"id":"s:1","sequence":"1","type":"message","payload":{"role":"user","content":"x"}}\n'
    tape = session(bad, tmp_path)
    assert tape.timeline.is_rejected(0)
    assert tape.timeline.visibility(0, 1)[0] is not Visibility.VISIBLE
    assert tape.headline(0).text == "x"
    assert tape.number(0) is None


def test_blank_lines_count_in_line_numbers_only(tmp_path: Path) -> None:
    tape = session(b"\n \n" + log(user()) + b"\r\n", tmp_path)
    assert tape.sums().blank == 3
    assert tape.place(tape.timeline.table.record(0)).line == 3
    assert tape.verdict().opens is True


def test_a_merged_line_is_split_into_its_events(tmp_path: Path) -> None:
    one, two = line(event(1, *user("a"))), line(event(2, *user("b")))
    tape = session(one + two + b"\n", tmp_path)
    assert [tape.message_id(at) for at in range(tape.timeline.events)] == ["s:1", "s:2"]
    assert tape.verdict().opens is False


@pytest.mark.parametrize("bare", [b"{}", b"null", b'{"id":"s:9","payload":{"x":1}}'])
def test_a_session_with_an_event_without_a_type_cannot_be_forked(
    tmp_path: Path, bare: bytes
) -> None:
    tape = session(log(user()) + bare + b"\n" + bare + b"\n", tmp_path)
    assert tape.verdict().opens is True
    (found,) = [one for one in tape.findings() if one.kind.code == "cannot-be-forked"]
    assert (found.event, found.record) == (1, 1), "the first one tells of it"
    assert "cannot fork" in found.message
    assert "cannot-be-forked" not in codes(session(log(user()), tmp_path))


def test_bytes_that_the_owner_replaces_are_told(tmp_path: Path) -> None:
    written: Any = line(event(1, *user("caf!"))).replace(b"!", b"\xe9")
    tape = session(written + b"\n", tmp_path)
    assert tape.verdict().opens is True
    assert codes(tape) == ["repaired-text", "no-metadata"]
    assert tape.headline(0).text == "caf\ufffd"


def test_unknown_keys_are_shown(tmp_path: Path) -> None:
    tape = session(line(event(1, *user(), extra=5)) + b"\n", tmp_path)
    assert tape.timeline.events == 1
    assert b"extra" in tape.raw(0)
